"""Covers: headers that many documents share are the same on Spark as on one machine, row by row, with any partitions.

In the suite its rows are part of a run of test_treatments_on_spark. Compared against: `quchong.dedup` of the same rows.
Run: pytest -m campaign tests/conformance (needs pyspark and Java; else skipped).
"""

import random

import pytest
from header_corpus import disclaimed, in_roundups, licensed, quoted, rows

import quchong as qc
from quchong.tables import SHARED_HEADER

pytestmark = [pytest.mark.filterwarnings("ignore:.*pandas.*"), pytest.mark.campaign]


def as_rows(table):
    found = table.to_pylist() if hasattr(table, "to_pylist") else [r.asDict(True) for r in table.collect()]
    return sorted(found, key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or ""))


def headed():
    """Documents under a licence, a disclaimer, in roundups and in quotations, and copies of two."""
    rng = random.Random(3)
    texts = licensed(rng, 14, 5) | {f"zh-{name}": text for name, text in disclaimed(rng, 14, 5).items()}
    texts |= {f"r-{name}": text for name, text in in_roundups(rng, 8).items()}
    texts |= {f"q-{name}": text for name, text in quoted(rng, 8).items()}
    texts |= {"copy": texts["bare"], "again": texts["long01"] + " ba"}
    return rows(texts)


def hold_headers(found, local):
    """What both say of the rows above, alone or among others: tables, counts, and that headers were met and told from quotations."""
    import quchong.spark

    for name in ("pairs", "ledger", "clusters"):
        assert as_rows(getattr(found, name)) == as_rows(getattr(local, name)), name
    counts = quchong.spark.counts_of(found)
    assert counts["shared_headers"] == local.counts["shared_headers"] == 12
    rules = local.pairs["rule"].to_pylist()
    assert rules.count(SHARED_HEADER) > 50
    assert {"r-original", "long01"} <= set(local.ledger["id"].to_pylist())
    policies = {r["id"] for r in local.documents.to_pylist() if r["policy"]}
    assert policies & {one["id"] for one in headed()} == {"q-original"}  # which the posts forward


@pytest.mark.parametrize("partitions", [3, 1])
def test_headers_are_the_same(spark, partitions):
    import quchong.spark

    mine = headed()
    frame = spark.createDataFrame([(r["id"], r["text"]) for r in mine], "id string, text string")
    found = quchong.spark.dedup(frame.repartition(partitions))
    local = qc.dedup(mine, recall_sample=0)
    hold_headers(found, local)
