"""Covers: properties, with all their examples: the suite tries a fourth of them (tests/conftest.py).

Run: pytest -m campaign tests/test_examples.py.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[1]
TRIED = {"few": 0, "usual": 0}


@settings(max_examples=200)
@given(st.integers())
def test_a_property_with_many_examples_is_tried_with_some(number):
    TRIED["few"] += 1


@given(st.integers())
def test_a_property_is_tried_with_some_examples(number):
    TRIED["usual"] += 1


def test_the_suite_tries_a_part_of_the_examples_and_a_campaign_all():
    """The two tests before this one have counted theirs."""
    part = os.environ.get("HYPOTHESIS_PROFILE", "ci") == "ci"
    if all(TRIED.values()):
        assert ({"few": 50, "usual": 25} if part else {"few": 200, "usual": TRIED["usual"]}) == TRIED
        assert part or TRIED["usual"] >= 100


@pytest.mark.campaign
@pytest.mark.parametrize("folder", ["promises", "properties", "unit"])
def test_properties_hold_for_all_their_examples(folder):
    command = [sys.executable, "-m", "pytest", "-q", "-m", "hypothesis and not campaign", f"tests/{folder}"]
    known = os.environ | {"HYPOTHESIS_PROFILE": "all"}
    done = subprocess.run(command, cwd=ROOT, env=known, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
