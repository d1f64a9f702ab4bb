"""Covers: headers that many documents share are the same on Spark as on one machine, row by row, with any partitions.

Compared against: `quchong.dedup` of the same rows. Run: pytest tests/conformance (needs pyspark and Java; else skipped).
"""

import random

import pytest
from header_corpus import disclaimed, in_roundups, licensed, quoted, rows

import quchong as qc
from quchong.tables import SHARED_HEADER

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")


def as_rows(table):
    found = table.to_pylist() if hasattr(table, "to_pylist") else [r.asDict(True) for r in table.collect()]
    return sorted(found, key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or ""))


@pytest.mark.parametrize("partitions", [3, pytest.param(1, marks=pytest.mark.campaign)])
def test_headers_are_the_same(spark, partitions):
    import quchong.spark

    rng = random.Random(3)
    texts = licensed(rng, 14, 5) | {f"zh-{name}": text for name, text in disclaimed(rng, 14, 5).items()}
    texts |= {f"r-{name}": text for name, text in in_roundups(rng, 8).items()}
    texts |= {f"q-{name}": text for name, text in quoted(rng, 8).items()}
    texts |= {"copy": texts["bare"], "again": texts["long01"] + " ba"}
    mine = rows(texts)
    frame = spark.createDataFrame([(r["id"], r["text"]) for r in mine], "id string, text string")
    found = quchong.spark.dedup(frame.repartition(partitions))
    local = qc.dedup(mine, recall_sample=0)
    for name in ("pairs", "ledger", "clusters"):
        assert as_rows(getattr(found, name)) == as_rows(getattr(local, name)), name
    counts = quchong.spark.counts_of(found)
    assert counts["shared_headers"] == local.counts["shared_headers"] == 12
    rules = local.pairs["rule"].to_pylist()
    assert rules.count(SHARED_HEADER) > 50
    assert {"r-original", "long01"} <= set(local.ledger["id"].to_pylist())
    assert {r["id"] for r in local.documents.to_pylist() if r["policy"]} == {"q-original"}  # which the posts forward
