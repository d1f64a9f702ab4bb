"""Covers: a method of another package on the Spark engine, found by its entry point: what the local engine finds.

The package is the one docs/guide/methods.md shows; its module is sent to Spark's workers as any Python file is.
Run: pytest tests/conformance (needs pyspark and Java; else skipped).
"""

import sys

import pytest
from method_package import CODE, PROJECT, installed
from spark_rows import COLUMNS

import quchong as qc
from quchong.plan.request import make_plan

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")


@pytest.mark.parametrize("by_name", [True, pytest.param(False, marks=pytest.mark.campaign)])
def test_a_method_of_a_package_runs_on_spark(spark, rows, tmp_path, monkeypatch, by_name):
    """By its name; as an object it is the same method, with which a campaign looks for pairs."""
    import quchong.spark

    installed(tmp_path, PROJECT, {"quchong_opening": CODE})
    monkeypatch.syspath_prepend(str(tmp_path))
    spark.sparkContext.addPyFile(str(tmp_path / "quchong_opening.py"))
    table = [{c: None if row.get(c) is None else str(row.get(c)) for c in COLUMNS} for row in rows]
    schema = ", ".join(f"{c} string" for c in COLUMNS)
    frame = spark.createDataFrame([tuple(row[c] for c in COLUMNS) for row in table], schema).repartition(3)
    options = {"method": "opening", "width": 8, "threshold": 0.5}
    found = quchong.spark.dedup(frame, **options)
    local = qc.dedup(table, recall_sample=0, **options)
    for name in ("pairs", "ledger"):
        rows_there = sorted(map(repr, (row.asDict(True) for row in getattr(found, name).collect())))
        assert rows_there == sorted(map(repr, getattr(local, name).to_pylist())), name
    assert "jaccard" in local.ledger["rule"].to_pylist()
    object_given = make_plan(method=found.plan.method, id="id", recall_sample=0)
    assert object_given.method == found.plan.method and type(object_given.method).__module__ == "quchong_opening"
    assert by_name or quchong.spark.pairs(frame, method=found.plan.method).count() == local.pairs.num_rows
    sys.modules.pop("quchong_opening", None)
