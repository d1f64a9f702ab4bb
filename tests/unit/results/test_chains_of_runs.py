"""Covers: chains of run folders (`quchong.results.document_columns`, `quchong.results.chain_files`), however their rows are kept."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import OutputError, UsageError
from quchong.tables import CHAINS

EXAMPLES = Path(__file__).parents[3] / "examples" / "news.jsonl"
ROWS = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def expected():
    return qc.dedup(EXAMPLES, recall_sample=0).chains()


def told(table):
    """What does not depend on where rows stand."""
    return table.select(["chain_id", "id", "source_id", "role", "changed", "published"]).to_pylist()


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "csv", "jsonl.gz"])
def test_rows_kept_and_removed_are_read_from_the_folder(tmp_path, expected, suffix):
    path = tmp_path / f"news.{suffix}"
    table = pa.Table.from_pylist(ROWS)
    if suffix == "parquet":
        pq.write_table(table, path)
    elif suffix == "csv":
        import pyarrow.csv as pc

        pc.write_csv(table, path)
    elif suffix == "jsonl.gz":
        import gzip

        path.write_bytes(gzip.compress(EXAMPLES.read_bytes()))
    else:
        path.write_bytes(EXAMPLES.read_bytes())
    result = qc.dedup(path, recall_sample=0, out=tmp_path / "run")
    path.unlink()
    assert told(result.chains()) == told(expected)
    assert qc.load(tmp_path / "run").chains(workers=1).equals(expected.table)


def test_annotated_rows_are_read_too(tmp_path, expected):
    qc.dedup(EXAMPLES, recall_sample=0, out=tmp_path / "run", annotate=True)
    assert qc.load(tmp_path / "run").chains().equals(expected.table)


def test_several_inputs_and_a_corpus_compared_against(tmp_path):
    half = len(ROWS) // 2
    for name, rows in (("one", ROWS[:half]), ("two", ROWS[half:])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(json.dumps(r) for r in rows) + "\n", "utf-8")
    one, two = (tmp_path / f"{name}.jsonl" for name in ("one", "two"))
    both = qc.dedup([one, two], recall_sample=0, out=tmp_path / "both").chains()
    assert told(both) == told(qc.dedup(ROWS, recall_sample=0).chains())
    qc.dedup(two, against=one, recall_sample=0, out=tmp_path / "against")
    found = qc.load(tmp_path / "against").chains()
    assert found.equals(qc.dedup(two, against=one, recall_sample=0).chains())
    assert any(
        str(row["source_id"]) != row["source_id"].removeprefix("against/")
        for row in found.to_pylist()
        if row["source_id"]
    )


def test_a_folder_of_texts_has_no_times(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for row in ROWS[:12]:
        (folder / f"{row['id']}.txt").write_text(row["text"], "utf-8")
    qc.dedup(folder, recall_sample=0, out=tmp_path / "run")
    found = qc.load(tmp_path / "run").chains()
    assert found.num_rows and found["published"].null_count == found.num_rows
    assert found.equals(qc.dedup(folder, recall_sample=0).chains())
    assert all(row["changed"] for row in found.to_pylist() if row["source_id"])


def test_texts_that_are_gone_leave_the_figures_of_the_pairs(tmp_path, expected):
    qc.dedup(EXAMPLES, recall_sample=0, out=tmp_path / "run")
    for name in ("kept.jsonl", "removed.jsonl"):
        (tmp_path / "run" / name).unlink()
    found = qc.load(tmp_path / "run").chains()
    assert set(found["id"].to_pylist()) <= set(expected["id"].to_pylist()) and found.num_rows > 50


def test_other_columns_can_be_named(tmp_path):
    rows = [{"id": r["id"], "text": r["text"], "day": r["time"], "site": r["source"], "head": r["title"]} for r in ROWS]
    result = qc.dedup(rows, recall_sample=0)
    assert result.chains()["published"].null_count == result.chains().num_rows
    found = result.chains(time="day", source="site", title="head")
    assert told(found) == told(qc.dedup(ROWS, recall_sample=0).chains()) and found["title"].null_count == 0


def test_a_column_that_holds_no_times_is_refused():
    rows = [{"id": "a", "text": ROWS[0]["text"], "flag": True}, {"id": "b", "text": ROWS[0]["text"], "flag": False}]
    with pytest.raises(UsageError, match="'flag' has no times"):
        qc.dedup(pa.Table.from_pylist(rows), recall_sample=0).chains(time="flag")


def test_files_are_written_once_and_only_over_their_own_kind(tmp_path, expected):
    result = qc.dedup(EXAMPLES, recall_sample=0, out=tmp_path / "run")
    for name in ("c.jsonl", "c.parquet"):
        out = tmp_path / name
        result.chains(out=out)
        before = out.read_bytes()
        with pytest.raises(OutputError, match="exists"):
            result.chains(out=out)
        result.chains(out=out, overwrite=True)
        assert out.read_bytes() == before
    assert pq.read_table(tmp_path / "c.parquet").equals(expected.table)
    lines = [json.loads(line) for line in (tmp_path / "c.jsonl").read_text("utf-8").splitlines()]
    assert [list(line) for line in lines] == [CHAINS.names] * len(expected)
    assert [line["source_id"] for line in lines] == expected["source_id"].to_pylist()
    assert lines[0]["published"] == expected["published"][0].as_py().isoformat()


@pytest.mark.parametrize("name", ["other.jsonl", "other.parquet", "folder.jsonl"])
def test_nothing_else_is_written_over(tmp_path, name):
    result = qc.dedup(ROWS[:10], recall_sample=0)
    place = tmp_path / name
    if name.startswith("folder"):
        place.mkdir()
    else:
        place.write_text("mine\n", "utf-8")
    with pytest.raises(OutputError, match="so it is not replaced: choose another file"):
        result.chains(out=place, overwrite=True)
    assert place.is_dir() or place.read_text("utf-8") == "mine\n"


def test_outputs_keep_apart_from_the_run_and_its_inputs(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_bytes(EXAMPLES.read_bytes())
    result = qc.dedup(path, recall_sample=0, out=tmp_path / "run")
    with pytest.raises(OutputError, match="is inside"):
        result.chains(out=tmp_path / "run" / "c.jsonl")
    with pytest.raises(OutputError):
        qc.dedup(path, recall_sample=0).chains(out=path, overwrite=True)
    assert path.read_bytes() == EXAMPLES.read_bytes()
    with pytest.raises(UsageError, match=r"\.jsonl, \.parquet, \.xlsx or \.csv"):
        result.chains(out=tmp_path / "c.pdf")
    with pytest.raises(UsageError, match="no document has the id"):
        result.chains("nobody")
