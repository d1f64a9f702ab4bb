"""Covers: tools/wheels: what a checked wheel must answer is what the sample gives; targets are told apart.

Run: pytest tests/packaging/test_wheel_checks.py. The wheels themselves: `make wheels`.
"""

import sys
from pathlib import Path

import pytest

import quchong as qc

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "wheels"))


def test_the_number_that_wheels_are_checked_by_is_that_of_the_sample():
    from check import KEPT, SAMPLE

    assert qc.dedup(SAMPLE, recall_sample=0).kept.num_rows == KEPT


def test_targets_are_found_by_name_and_others_are_told_of():
    from targets import TARGETS, named

    assert named([]) == list(TARGETS) and [one.name for one in named(["musl-x86_64"])] == ["musl-x86_64"]
    assert len({one.triple for one in TARGETS}) == len({one.name for one in TARGETS}) == len(TARGETS)
    with pytest.raises(SystemExit, match="no target linux-x86; there are linux-x86_64"):
        named(["linux-x86"])


def test_wheels_for_other_systems_are_named_and_not_run(tmp_path):
    from check import check

    for platform in ("macosx_11_0_arm64", "win_amd64"):
        assert list(check(tmp_path / f"quchong-0.1.0-cp312-abi3-{platform}.whl")) == [
            "not run: it is for another system"
        ]


def test_a_tag_is_that_of_the_policy_or_older_for_the_same_processor():
    from auditing import _allows

    name = "quchong-0.1.0-cp312-abi3-manylinux2014_aarch64.manylinux_2_17_aarch64.whl"
    assert _allows(name, "manylinux_2_17_aarch64") and _allows(name, "manylinux_2_28_aarch64")
    assert not _allows(name, "manylinux_2_17_x86_64") and not _allows(name, "musllinux_1_2_aarch64")
    assert not _allows(name.replace("2_17", "2_34"), "manylinux_2_17_aarch64")
    assert not _allows("quchong-0.1.0-cp312-abi3-linux_aarch64.whl", "manylinux_2_17_aarch64")
