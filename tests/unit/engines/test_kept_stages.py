"""Covers: a stage whose value no file takes, and what another process left that is none of the stage."""

import numpy as np
import pyarrow as pa
import pytest

from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.stage_store import KeptStages
from quchong.progress import Stages
from quchong.work import Damaged, Work


def opened(tmp_path):
    return Work.open(tmp_path / ".out.quchong-work", "k", {}, kinds=RUN_KINDS)


@pytest.mark.parametrize("whole", [False, True])
def test_a_run_goes_on_without_keeping_where_a_method_holds_what_no_file_takes(tmp_path, whole):
    work = opened(tmp_path)
    kept = KeptStages(work, Stages(), whole=whole)
    first = kept.stage("first", lambda: np.arange(3))
    assert not first.flags.writeable and (work.folder / "first.value").exists()
    function = kept.stage("second", lambda: {"own": len})
    assert function == {"own": len} and not kept.keeps
    assert kept.stage("third", lambda: 3) == 3
    assert work.stores_values == whole and (tmp_path / ".out.quchong-work").exists() == whole
    assert not whole or sorted(path.name for path in work.folder.iterdir()) == ["first.value", "work.json"]
    assert first.sum() == 3  # what was mapped stays


def test_a_value_that_is_none_of_its_stage_is_made_again(tmp_path):
    def check(value):
        if not isinstance(value, pa.Table):
            raise Damaged("no table")

    opened(tmp_path).store("stage", ("words", {"seconds": {"read": 1.0}}))
    table = pa.table({"a": [1]})
    assert KeptStages(opened(tmp_path), Stages()).stage("stage", lambda: table, check=check).equals(table)
    found = KeptStages(opened(tmp_path), Stages()).stage("stage", lambda: None, check=check)
    assert found.equals(table)


@pytest.mark.parametrize(
    "left",
    [
        "value",
        ("value",),
        ("value", 3),
        ("value", {"seconds": 3}),
        ("value", {"seconds": {"read": "x"}}),
        ("value", {3: {}}),
    ],
)
def test_times_that_are_none_cost_the_value(tmp_path, left):
    opened(tmp_path).store("stage", left)
    assert KeptStages(opened(tmp_path), Stages()).stage("stage", lambda: "made") == "made"
