"""Run folders that are damaged, or made by somebody else: an error that names the file, and nothing outside is touched."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import RunError

TEXTS = ["今天天气很好，我们去公园散步看花", "今天天气很好，我们去公园散步看花。", "another text with words of its own"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    place = tmp_path_factory.mktemp("run")
    (place / "a.jsonl").write_text(
        "".join(json.dumps({"id": f"d{i}", "text": text}) + "\n" for i, text in enumerate(TEXTS))
    )
    return qc.dedup(place / "a.jsonl").save(place / "run")


@pytest.fixture
def run(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def spoil(run, change):
    manifest = json.loads((run / "run.json").read_text())
    change(manifest)
    (run / "run.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize("outside", ["../secret", "/etc/passwd", "a/../../b", "", "a\0"])
def test_no_file_outside_the_folder(run, outside):
    spoil(run, lambda m: m["files"]["a.jsonl"].update(removed=outside))
    with pytest.raises(RunError, match=r"outside its folder|differs from what a run writes \(files\)"):
        qc.load(run)


@pytest.mark.parametrize("key", ["config", "files", "counts", "mode", "inputs", "against", "id", "restored"])
@pytest.mark.parametrize("value", [None, 1, "x", [1], {"a": 1}])
def test_a_manifest_of_another_shape(run, key, value):
    fine = key == "id" and value == "x"
    spoil(run, lambda m: m.update({key: value}))
    if fine:
        qc.load(run)
        return
    with pytest.raises(RunError):
        qc.load(run)


@pytest.mark.parametrize("text", [b"[" * 100_000, b"{", b"\xff", b"[]", b'"x"', b'{"format": "1"}', b'{"format": 99}'])
def test_a_manifest_that_is_none(run, text):
    (run / "run.json").write_bytes(text)
    with pytest.raises(RunError):
        qc.load(run)


@pytest.mark.parametrize("name", ["ledger", "pairs", "clusters", "documents"])
def test_tables_of_another_shape(run, name):
    path = run / f"{name}.parquet"
    table = pq.read_table(path)
    column = table.column_names.index(
        "relation" if "relation" in table.column_names else "survivor_id" if name == "clusters" else "row"
    )
    spoilt = [
        table.drop_columns([table.column_names[column]]),
        table.set_column(column, table.column_names[column], pa.nulls(len(table), table.schema.field(column).type)),
        table.set_column(column, table.column_names[column], pa.array([1.5] * len(table))),
        pa.table([*table.columns, table.column(0)], names=[*table.column_names, table.column_names[0]]),
        pa.table({"x": [1]}),
    ]
    if name == "documents":
        spoilt.append(table.set_column(column, "row", pa.array([-1] * len(table))))
    if "relation" in table.column_names:
        spoilt.append(table.set_column(column, "relation", pa.array(["friend"] * len(table))))
    for one in spoilt:
        pq.write_table(one, path)
        with pytest.raises(RunError, match=f"{name}.parquet"):
            qc.load(run)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RunError, match=f"{name}.parquet"):
        qc.load(run)


def test_ids_that_no_document_has(run):
    """A ledger that names documents of another run: told when the run is opened."""
    table = pq.read_table(run / "ledger.parquet")
    pq.write_table(table.set_column(0, "id", pa.array(["none"], pa.large_string())), run / "ledger.parquet")
    with pytest.raises(
        RunError, match=r"ledger.parquet differs from what a run writes \(id: an id that no document has\)"
    ):
        qc.load(run)


def test_a_list_of_paths_with_odd_names(tmp_path):
    """Names with characters at which Python, but not the file, begins a new line."""
    (tmp_path / "in").mkdir()
    names = ["a\u2028b.txt", "c\x0bd.txt", "e.txt"]
    for name, text in zip(names, [TEXTS[2], TEXTS[0], TEXTS[1]], strict=True):
        (tmp_path / "in" / name).write_text(text)
    saved = qc.load(qc.dedup(tmp_path / "in").save(tmp_path / "run"))
    assert sorted(text for text in saved.texts(names) if text) == sorted(TEXTS)
    assert np.sum([text is None for text in saved.texts(names)]) == 0


def test_a_run_from_before_a_column_was_added_is_read_with_nulls(tmp_path):
    """`size_ratio` came later: an older run has it as nulls, in its place, and is decided again all the same."""
    pages = [
        {"id": f"d{i}", "text": "".join(f"这里是第{c}条消息的正文内容。" for c in cs)}
        for i, cs in enumerate(("甲乙丙", "甲乙丙丁", "丙戊己庚辛壬", "丙戊"))
    ]
    options = {"method": "ccdet", "prune": "none", "threshold": 0.3, "recall_sample": 0}
    run = qc.dedup(pages, **options).save(tmp_path / "run")
    fresh = qc.load(run).rethreshold(ratio=0.9)
    table = pq.read_table(run / "pairs.parquet")
    assert table["size_ratio"].null_count == 0 and len(table) > 2
    pq.write_table(table.drop_columns(["size_ratio"]), run / "pairs.parquet")
    older = qc.load(run)
    assert older.pairs.schema.names == table.schema.names and older.pairs["size_ratio"].null_count == len(table)
    again = older.rethreshold(ratio=0.9)
    assert again.pairs["relation"].to_pylist() == fresh.pairs["relation"].to_pylist()
    assert {"duplicate", "contained_in"} & set(fresh.pairs["relation"].to_pylist())
    pq.write_table(table.drop_columns(["evidence"]), run / "pairs.parquet")
    with pytest.raises(RunError, match="there is no column 'evidence', or several columns have this name"):
        qc.load(run)
