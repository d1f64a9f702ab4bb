"""Covers: facts, templates, headers and roundups on Spark as on one machine: the corpora of four files in two runs.

What such a run costs is its steps, however many rows they have; corpora that share no sentence change nothing for one another. Each by itself,
and the other treatments of it, are in the campaign. Compared against: `quchong.dedup` of the same rows. Run: pytest tests/conformance (needs
pyspark and Java; else skipped).
"""

import pytest
from test_facts_on_spark import hold_facts
from test_facts_on_spark import rows as rows_with_facts
from test_headers_on_spark import headed, hold_headers
from test_roundups_on_spark import hold_roundups
from test_roundups_on_spark import rows as rows_with_roundups
from test_templates_on_spark import hold_templates
from test_templates_on_spark import rows as rows_on_templates

import quchong as qc

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")


def both(spark, rows, **options):
    """The run on Spark, of three partitions, and here."""
    import quchong.spark

    told = [(r["id"], r["text"], r.get("time")) for r in rows]
    assert len({r["id"] for r in rows}) == len(rows)
    frame = spark.createDataFrame(told, "id string, text string, time string")
    local = qc.dedup([dict(zip(("id", "text", "time"), r, strict=True)) for r in told], recall_sample=0, **options)
    return quchong.spark.dedup(frame.repartition(3), **options), local


def test_facts_templates_and_roundups_that_are_cut(spark):
    options = {"facts": "remove", "strip": "dateline", "keep": "earliest,longest", "roundups": "cut"}
    templates = [{"id": name, "text": text} for name, text in rows_on_templates()]
    found, local = both(spark, [*rows_with_facts(), *templates, *rows_with_roundups()], **options)
    hold_facts(found, local, options)
    hold_templates(found, local)
    hold_roundups(found, local, "cut")


def test_headers_and_roundups_that_are_kept(spark):
    roundups = [row | {"id": f"u-{row['id']}"} for row in rows_with_roundups()]
    found, local = both(spark, [*headed(), *roundups])
    hold_headers(found, local)
    hold_roundups(found, local, "keep")
