"""Covers: on Spark, too, a named column of pages that a table lacks is an error, and a column of text where files have none.

Compared against: the local engine. Run: pytest tests/conformance.
"""

import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.plan.request import make_plan

ROWS = [
    {"id": "a", "text": "今天上午市政府召开新闻发布会介绍进展"},
    {"id": "b", "text": "省教育厅发布通知要求按时开学"},
]


def test_columns_that_nobody_has(spark, tmp_path):
    from quchong.engines.spark.files import dedup_files
    from quchong.spark import dedup

    table = spark.createDataFrame(ROWS)
    for call in (lambda: dedup(table, html="nope"), lambda: qc.dedup(ROWS, html="nope")):
        with pytest.raises(UsageError, match="html needs the column 'nope', but"):
            call()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(ROWS[0]["text"], encoding="utf-8")
    plan = make_plan(text="nope")
    with pytest.raises(UsageError, match="text names a column, but the documents of"):
        dedup_files(spark, [str(tmp_path / "in")], str(tmp_path / "out"), plan)
