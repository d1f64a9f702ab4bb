"""Ids keep their type: a table of a run joins with the user's own."""

from __future__ import annotations

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc

A = "去年全市新增就业岗位三十二万个，比上年增长百分之四点五，其中服务业占了一半以上。"
B = "昨夜一场大雪让北方多个机场的航班延误，铁路部门加开了二十趟列车疏散旅客。"
TEXTS = {9: A, 10: A, 11: A + "记者张明报道。", 200: B}
COLUMNS = {"ledger": ("id", "survivor_id"), "pairs": ("left_id", "right_id"),
           "clusters": ("id", "cluster_id", "survivor_id"), "documents": ("id",)}  # fmt: skip


def types(result):
    return {str(getattr(result, table)[name].type) for table, names in COLUMNS.items() for name in names}


def rows(ids=TEXTS):
    return [{"id": i, "text": t} for i, t in zip(ids, TEXTS.values(), strict=True)]


def whole_run(data, **options):
    return qc.dedup(data, keep="shortest,first", recall_sample=0, **options)


@pytest.mark.parametrize("kind", ["int64", "int32", "uint64", "dicts", "pandas", "polars", "jsonl", "parquet", "arrow"])
def test_whole_numbers_stay_whole_numbers(kind, tmp_path):
    data = rows()
    if kind.startswith(("int", "uint")):
        data = pa.table({"id": pa.array(list(TEXTS), getattr(pa, kind)()), "text": list(TEXTS.values())})
    elif kind == "pandas":
        data = pd.DataFrame(data)
    elif kind == "polars":
        data = pl.DataFrame(data)
    elif kind == "jsonl":
        path = tmp_path / "in.jsonl"
        path.write_text("".join(json.dumps(r) + "\n" for r in data))
        data = str(path)
    elif kind == "parquet":
        data = str(tmp_path / "in.parquet")
        pq.write_table(pa.Table.from_pylist(rows()), data)
    elif kind == "arrow":
        data = pa.Table.from_pylist(data)
    result = whole_run(data)
    assert types(result) == {"int64"}
    assert len(result.ledger) == 2 and result.unscored == []
    frame = pd.DataFrame(rows())
    assert len(frame.merge(result.ledger.to_pandas(), on="id")) == 2
    assert pl.DataFrame(rows()).join(pl.from_arrow(result.documents), on="id").height == 4
    for name in (10, "10"):
        assert result.explain(name).id == 10
    assert result.compare(9, "10").relation == "exact"
    assert {n["other_id"] for n in result.explain(9).near} <= set(TEXTS)


def test_text_stays_text():
    assert types(whole_run(rows([str(i) for i in TEXTS]))) == {"large_string"}
    assert types(whole_run(rows(["009", "10", "11", "200"]))) == {"large_string"}


@pytest.mark.parametrize(
    "ids",
    [[9, 9, 11, 200], [9, None, 11, 200], [9, "10", 11, 200], [9, 2**70, 11, 200]],
    ids=["repeated", "missing", "mixed", "large"],
)
def test_one_column_has_one_type(ids):
    """A repeated id becomes 9~2, a missing one memory#1: then all ids of the run are text."""
    assert types(whole_run(rows(ids))) == {"large_string"}


def test_decisions_do_not_depend_on_the_type():
    """Ties go by the text of ids, 10 before 9, whichever type they have."""
    copies = {i: A for i in (9, 10, 11, 100)}
    numbers = qc.dedup([{"id": i, "text": t} for i, t in copies.items()], recall_sample=0)
    words = qc.dedup([{"id": str(i), "text": t} for i, t in copies.items()], recall_sample=0)
    for table in COLUMNS:
        a, b = getattr(numbers, table).to_pylist(), getattr(words, table).to_pylist()
        assert [{k: str(v) for k, v in row.items()} for row in a] == [{k: str(v) for k, v in row.items()} for row in b]


def test_against_another_corpus():
    """References are named against/ID, so columns that may hold one are text; what was removed is the input's alone."""
    result = whole_run(rows(), against=[{"id": 9, "text": A}])
    assert str(result.ledger["id"].type) == "int64" and set(result.ledger["survivor_id"].to_pylist()) == {"against/9"}
    assert str(result.pairs["left_id"].type) == str(result.documents["id"].type) == "large_string"
    explained = result.explain(10)
    assert explained.removed and explained.survivor_id == "against/9"
    assert len(pd.DataFrame(rows()).merge(result.ledger.to_pandas(), on="id")) == len(result.ledger) == 2


@pytest.mark.parametrize("mode", ["remove", "annotate"])
def test_a_saved_run_and_its_files(tmp_path, mode):
    result = whole_run(rows())
    out = result.save(tmp_path / "run", mode=mode)
    saved = qc.load(out)
    for table, names in COLUMNS.items():
        there = pq.read_table(out / f"{table}.parquet")
        assert {str(there[name].type) for name in names} == {"int64"}
    assert saved.explain(10).text == saved.explain("10").text == A and saved.explain(10).id == 10
    if mode == "annotate":
        notes = pq.read_table(out / "annotated.parquet")
        assert notes["quchong_id"].to_pylist() == list(TEXTS) and str(notes["quchong_survivor"].type) == "int64"
    else:
        assert saved.restore([10]).ids == (10,) and saved.restore(["9"]).ids == (9,)
        assert len(pq.read_table(out / "kept.parquet")) == 4 and len(pq.read_table(out / "ledger.parquet")) == 0


def test_annotated_against_another_corpus(tmp_path):
    out = whole_run(rows(), against=[{"id": 9, "text": A}]).save(tmp_path / "run", mode="annotate")
    notes = pq.read_table(out / "annotated.parquet")
    assert notes["quchong_id"].to_pylist() == list(TEXTS)
    assert notes["quchong_survivor"].to_pylist() == ["against/9", "against/9", "11", "200"]


def test_rethreshold_and_protect_take_either_type():
    for protect in (10, "10", [10], ["10"], pa.array([10])):
        result = whole_run(rows(), protect=protect)
        assert result.ledger["id"].to_pylist() == [9]
    again = whole_run(rows()).rethreshold(0.99)
    assert types(again) == {"int64"}


def test_a_bad_record_changes_no_type(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows()[:2]) + "{broken\n" + json.dumps(rows()[2]) + "\n")
    result = whole_run(str(path))
    assert types(result) == {"int64"} and len(result.skipped) == 1


def test_passages_name_documents_in_their_type():
    found = qc.passages(rows(), min_chars=20)
    assert str(found.table["left_id"].type) == str(found.table["right_id"].type) == "int64"


@pytest.mark.parametrize("far", [2**63, 2**64 - 1, 10**30, -(2**63) - 1])
@pytest.mark.parametrize("kind", ["uint64", "dicts", "jsonl"])
def test_one_id_beyond_64_bits_with_a_sign_makes_all_ids_text(far, kind, tmp_path):
    ids = [9, 10, 11, far]
    data = rows(ids)
    if kind == "uint64" and 0 <= far < 2**64:
        data = pa.table({"id": pa.array(ids, pa.uint64()), "text": list(TEXTS.values())})
    elif kind == "jsonl":
        path = tmp_path / "in.jsonl"
        path.write_text("".join(json.dumps(r) + "\n" for r in data))
        data = str(path)
    result = whole_run(data)
    assert types(result) <= {"string", "large_string"}
    assert set(result.documents["id"].to_pylist()) == {"9", "10", "11", str(far)}, (
        "in digits, neither rounded nor wrapped"
    )
    assert result.explain(far).id == str(far)


@pytest.mark.parametrize("near", [2**63 - 1, -(2**63)])
def test_the_last_whole_numbers_of_64_bits_stay(near):
    result = whole_run(rows([9, 10, 11, near]))
    assert types(result) == {"int64"} and near in result.documents["id"].to_pylist()


def test_alarms_name_whole_numbers_too():
    rows = [{"id": i, "text": "今天天气很好，我们去公园散步，晚上回家吃饭。"} for i in range(30)]
    alarms = {a["kind"]: a for a in qc.dedup(rows, recall_sample=0).alarms}
    assert "in one cluster with 0:" in alarms["giant cluster"]["message"]
    assert alarms["giant cluster"]["figures"]["survivor_id"] == 0
