"""Covers: columns within columns on Spark: JSON lines, Parquet and DataFrames give what the local engine gives; rows go out untouched."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import InputError
from quchong.plan.request import make_plan

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")
ASKED = {"method": "exact", "text": "messages", "id": "meta.id", "keep": "column:meta.q desc,longest", "time": "meta.t"}


def records():
    """Four answers three times each, to eight questions: what is removed depends on whether the questions are read."""
    said = [f"第{n}个回答，内容足够长，说的是第{n}件事情，与别的都不一样" for n in "甲乙丙丁"]
    out = []
    for i in range(12):
        turns = [{"role": "user", "content": f"问题{i % 8}"}, {"role": "assistant", "content": said[i % 4]}]
        turns = [*turns, {"role": "user", "content": None}] if i % 3 else turns
        out.append({"meta": {"id": f"n{i}", "q": i * 5 % 7, "t": f"2024-01-{i + 1:02}"}, "messages": turns})
    return out


def ledger(table):
    return sorted((row["id"], row["survivor_id"], row["relation"]) for row in table)


@pytest.fixture
def files(tmp_path):
    table = pa.Table.from_pylist(records())
    pq.write_table(table, tmp_path / "a.parquet")
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records()))
    return tmp_path


CHAT = ASKED
ROLE = ASKED | {"text": "messages[role=assistant].content"}
INDEX = ASKED | {"text": ["messages[0].content", "messages[1].content"], "per": "messages[0].content"}
BOTH = {"parquet-role": ("parquet", ROLE), "jsonl-index": ("jsonl", INDEX)}
MORE = {
    "jsonl-chat": ("jsonl", CHAT),
    "parquet-chat": ("parquet", CHAT),
    "jsonl-role": ("jsonl", ROLE),
    "parquet-index": ("parquet", INDEX),
}


@pytest.mark.parametrize(
    ("kind", "asked"),
    [*BOTH.values(), *(pytest.param(*one, marks=pytest.mark.campaign) for one in MORE.values())],
    ids=[*BOTH, *MORE],
)
def test_files_and_frames_give_what_one_machine_gives(spark, files, kind, asked):
    import quchong.spark
    from quchong.engines.spark.files import dedup_files

    local = qc.dedup(files / f"a.{kind}", recall_sample=0, **asked)
    assert local.ledger.num_rows == (8 if asked is ROLE else 4)
    reader = spark.read.parquet if kind == "parquet" else spark.read.json
    frame = reader(str(files / f"a.{kind}"))
    found = quchong.spark.dedup(frame, **asked)
    assert ledger(row.asDict() for row in found.ledger.collect()) == ledger(local.ledger.to_pylist())
    assert found.kept.columns == frame.columns
    out = files / "out"
    dedup_files(spark, [str(files / f"a.{kind}")], str(out), make_plan(**asked))
    assert ledger(pq.read_table(out / "ledger.parquet").to_pylist()) == ledger(local.ledger.to_pylist())


def test_a_path_that_does_not_exist(spark, files):
    import quchong.spark

    with pytest.raises(InputError, match=r"no column 'messages\.content'"):
        quchong.spark.dedup(spark.read.parquet(str(files / "a.parquet")), text="messages.content", id="meta.id")
