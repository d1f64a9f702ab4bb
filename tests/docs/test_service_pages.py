"""Covers: the guide on the service has the addresses, problems and metrics of the code, and says the same in both languages.

Compared against: tools/service_pages.py. Run: pytest tests/docs/test_service_pages.py.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra serve)")
pytest.importorskip("prometheus_client", reason="prometheus-client is not installed (extra serve)")
ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "service_pages.py"
ENGLISH, CHINESE = ((ROOT / "docs" / "guide" / name).read_text("utf-8") for name in ("service.md", "service.zh-CN.md"))


def test_the_made_tables_are_those_of_the_code():
    done = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run python tools/service_pages.py\n{done.stdout}{done.stderr}"
    assert re.findall(r"^\| `(?:GET|POST|DELETE) ", ENGLISH, re.MULTILINE) and "quchong_requests_total" in CHINESE


@pytest.mark.parametrize("what", [r"^\$ .*$", r"^## ", r"`(?:GET|POST) [^`]*`", r"\*\*\d{3}\*\*", r"--[a-z-]+"])
def test_both_languages_have_the_same(what):
    found = [re.findall(what, text, re.MULTILINE) for text in (ENGLISH, CHINESE)]
    assert len(found[0]) > 4 and sorted(found[0]) == sorted(found[1])
