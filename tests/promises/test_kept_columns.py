"""Covers: columns on kept rows, in files, in tables of ids and in Python, and after rows were put back. Compared against: sets in Python."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matrices import each_once
from test_row_outputs import ROWS, USUAL, asked_of, write

import quchong as qc
from quchong.errors import UsageError
from quchong.results.saved import SavedRun

NAMES = ["copies", "sources", "first_seen", "last_seen"]
OURS = [f"quchong_{name}" for name in NAMES]


def expected(result, rows):
    """The columns of each kept id, counted over the ledger in Python."""
    by_id = {row["id"]: row for row in rows}
    families = {one: [one] for one in by_id}
    for one in result.ledger.select(["id", "survivor_id"]).to_pylist():
        families[one["survivor_id"]].append(one["id"])
        families.pop(one["id"])
    out = {}
    for one, family in families.items():
        times = sorted(by_id[name]["time"] for name in family)
        sources = sorted({by_id[name]["source"] for name in family})
        out[one] = {"copies": len(family) - 1, "sources": sources, "first_seen": times[0], "last_seen": times[-1]}
    return out


def found(table, prefix="quchong_"):
    rows = table.select(["id", *(prefix + name for name in NAMES)]).to_pylist()
    out = {row["id"]: {name: row[prefix + name] for name in NAMES} for row in rows}
    for row in out.values():  # a CSV file has text in every cell
        row["copies"] = int(row["copies"])
        row["sources"] = json.loads(row["sources"]) if isinstance(row["sources"], str) else row["sources"]
    return out


FORMATS = ["a.jsonl", "a.jsonl.gz", "a.csv", "gbk.csv", "wide.csv", "a.json", "a.parquet"]


@pytest.mark.parametrize(("name", "shards"), each_once(FORMATS, [{}, {"shard_size": "64K"}]))
def test_kept_rows_have_the_columns_and_restoring_counts_again(tmp_path, name, shards):
    file, usual = write(tmp_path / name, ROWS), asked_of(name)
    plain = qc.dedup(file, out=tmp_path / "plain", **shards, **usual)
    result = qc.dedup(file, out=tmp_path / "r", add_columns=NAMES, **shards, **usual)
    want = expected(result, ROWS)
    loaded = qc.load(tmp_path / "r")
    assert max(one["copies"] for one in want.values()) > 1
    assert found(loaded.kept) == want and loaded.kept.drop_columns(OURS).to_pylist() == plain.kept.to_pylist()
    assert loaded.removed.equals(plain.removed) and loaded.manifest["added_columns"] == OURS
    assert found(loaded.kept_columns, "") == want == found(plain.kept_columns, "")
    if shards:
        assert all(path.stat().st_size <= 64 << 10 for path in (tmp_path / "r" / "kept").iterdir())
    # Decided again, the rows are those of the input.
    loaded.rethreshold(0.9).save(tmp_path / "again")
    assert qc.load(tmp_path / "again").kept.to_pylist() == plain.rethreshold(0.9).kept.to_pylist()
    # One document put back: its family is counted without it, wherever the survivor's row is.
    one = max(loaded.ledger.to_pylist(), key=lambda row: want[row["survivor_id"]]["copies"])["id"]
    loaded.restore([one])
    plain.restore([one])
    assert found(loaded.kept) == expected(loaded, ROWS) != want
    assert loaded.kept.drop_columns(OURS).to_pylist() == qc.load(tmp_path / "plain").kept.to_pylist()
    loaded.restore(everything=True)
    plain.restore(everything=True)
    assert {row["copies"] for row in found(loaded.kept).values()} == {0}
    kept = sorted((tmp_path / "r").glob("kept*/*" if shards else "kept.*"))
    for path in kept:
        source = SavedRun(tmp_path / "r").files
        assert source.left_alone == []
        from quchong.io import open_file

        encoding = loaded.manifest["inputs"][0].get("encoding")
        open_file(path, encoding=encoding).without_notes(OURS, tmp_path / "without" / path.name)
    if name != "a.json" and "parquet" not in name:  # white space before the end of an object is not kept in an array
        same = sorted((tmp_path / "plain").glob("kept*/*" if shards else "kept.*"))
        if not shards:
            assert [one.read_bytes() for one in same] == [
                (tmp_path / "without" / path.name).read_bytes() for path in kept
            ]
            if name in ("a.jsonl", "a.csv", "gbk.csv", "wide.csv"):
                assert (tmp_path / "without" / kept[0].name).read_bytes() == file.read_bytes()
        elif name == "a.jsonl":
            assert b"".join((tmp_path / "without" / path.name).read_bytes() for path in kept) == file.read_bytes()


def test_annotated_rows_and_ids_have_the_columns_too(tmp_path):
    file = write(tmp_path / "a.jsonl", ROWS)
    whole = qc.dedup(file, out=tmp_path / "a", add_columns=NAMES, annotate=True, **USUAL)
    want = expected(whole, ROWS)
    rows = [json.loads(line) for line in (tmp_path / "a" / "annotated.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        told = {name: row[f"quchong_{name}"] for name in NAMES}
        assert told == want.get(row["id"], dict.fromkeys(NAMES)), row["id"]
    assert found(qc.load(tmp_path / "a").kept) == want
    assert not set(OURS) & set(qc.load(tmp_path / "a").removed.column_names)
    qc.dedup(file, out=tmp_path / "ids", add_columns=NAMES, ids_only=True, **USUAL)
    assert found(pq.read_table(tmp_path / "ids" / "kept_ids.parquet")) == want


def test_the_columns_do_not_depend_on_order_workers_or_memory(tmp_path):
    runs = []
    for k, (rows, options) in enumerate(
        [(ROWS, {"workers": 1}), (ROWS[::-1], {"workers": 3}), (ROWS, {"memory": "64M"})]
    ):
        file = write(tmp_path / f"{k}.jsonl", rows)
        runs.append(found(qc.dedup(file, out=tmp_path / f"r{k}", add_columns=NAMES, **options, **USUAL).kept))
    assert runs[0] == runs[1] == runs[2]


def test_rows_without_times_and_sources_have_the_name_of_their_file(tmp_path):
    rows = [{"id": k, "text": "同一篇新闻，两家都登了出来，一字不差。"} for k in range(2)]
    table = qc.dedup(rows, out=tmp_path / "r", add_columns="copies,sources,first_seen").kept
    assert table.drop_columns(["id", "text"]).to_pylist() == [
        {"quchong_copies": 1, "quchong_sources": ["memory"], "quchong_first_seen": None}
    ]
    reference = [{"id": "x", "text": rows[0]["text"]}]
    assert qc.dedup(rows, against=reference).kept_columns.num_rows == 0


def test_times_of_one_moment_and_of_several_spellings_are_compared_as_times(tmp_path):
    times = ["2026-03-05", "2026/3/4 08:00", "no time", "", "2026年3月6日"]
    rows = [
        {"id": str(k), "text": "同一篇新闻，五家都登了出来，一字不差。", "time": time} for k, time in enumerate(times)
    ]
    (kept,) = qc.dedup(rows).kept_columns.to_pylist()
    assert (kept["first_seen"], kept["last_seen"], kept["copies"]) == ("2026/3/4 08:00", "2026年3月6日", 4)


def test_columns_that_cannot_be_added_are_refused(tmp_path):
    there = write(tmp_path / "a.jsonl", [row | {"quchong_copies": 3} for row in ROWS[:5]])
    with pytest.raises(UsageError, match="already has the columns quchong_copies"):
        qc.dedup(there, out=tmp_path / "r", add_columns="copies")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("一篇文章", "utf-8")
    with pytest.raises(UsageError, match="annotate"):
        qc.dedup(tmp_path / "texts", out=tmp_path / "r", add_columns="copies")
    with pytest.raises(UsageError, match="add_columns"):
        qc.dedup(tmp_path / "texts", out=tmp_path / "r", add_columns="weights")
    with pytest.raises(UsageError, match="needs an output: name it with"):
        qc.dedup(["a"], add_columns="copies")


def test_a_kept_row_that_lost_its_columns_stops_a_restore(tmp_path):
    file = write(tmp_path / "a.jsonl", ROWS)
    result = qc.dedup(file, out=tmp_path / "r", add_columns="copies", **USUAL)
    kept = tmp_path / "r" / "kept.jsonl"
    before = kept.read_bytes()
    kept.write_bytes(before.replace(b'"quchong_copies"', b'"quchong_others"', 1))
    with pytest.raises(qc.errors.QuchongError, match="which the run added"):
        result.restore(everything=True)
    assert kept.read_bytes().count(b"quchong_others") == 1 and qc.load(tmp_path / "r").removed.num_rows == len(
        result.ledger
    )


def test_tables_in_memory_get_lists_of_sources(tmp_path):
    result = qc.dedup(pa.Table.from_pylist(ROWS), out=tmp_path / "r", add_columns=NAMES, **USUAL)
    assert result.kept.schema.field("quchong_sources").type in (pa.list_(pa.large_string()), pa.list_(pa.string()))
    assert found(result.kept) == expected(result, ROWS)
