"""Parquet and Arrow files: types, nulls, damage, and that schema and rows survive the split."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import InputChanged, InputError
from quchong.io.columnar import portions
from quchong.io.columnar.ipc import ArrowFile
from quchong.io.columnar.parquet import ParquetFile
from quchong.io.source import BAD, KEEP, REMOVE, WantedColumns

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"

KINDS = ["parquet", "arrow", "stream", "feather"]


def write(path, table, kind, rows=3):
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=rows, compression="gzip")
    elif kind == "feather":
        feather.write_feather(table, str(path), chunksize=rows)
    else:
        new = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
        with new(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=rows)


def table_in(path, kind):
    if kind == "parquet":
        return pq.read_table(path)
    with pa.OSFile(str(path)) as file:
        return (pa.ipc.open_stream if kind == "stream" else pa.ipc.open_file)(file).read_all()


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def store(tmp_path, kind):
    def store(table, rows=3):
        path = tmp_path / f"in.{kind}"
        write(path, table, kind, rows)
        return ParquetFile(path, "in", ".parquet") if kind == "parquet" else ArrowFile(path, "in", f".{kind}")

    return store


@pytest.fixture
def table():
    return pa.table(
        {
            "other": pa.array([[n] for n in range(10)], pa.list_(pa.int16())),
            "id": pa.array(range(10), pa.int32()),
            "text": pa.array([f"文 {n}" for n in range(10)]),
            "kind": pa.array(["a", "b"] * 5).dictionary_encode(),
            "when": pa.array(range(10), pa.timestamp("us")),
        }
    ).replace_schema_metadata({"note": "kept"})


def test_documents(store, read, table):
    got = read(store(table), WantedColumns(extra=("when", "kind", "missing")))
    assert (got.rows, got.ids[:2], got.texts[:2]) == (list(range(10)), ["0", "1"], ["文 0", "文 1"])
    types = [got.table.schema.field(name).type for name in ("when", "kind", "missing")]
    assert types == [pa.timestamp("us"), pa.large_string(), pa.large_string()]
    assert got.table.column("kind").to_pylist() == ["a", "b"] * 5


def test_split_keeps_schema_metadata_and_order(tmp_path, store, read, table, kind):
    source = store(table)
    table = table_in(tmp_path / f"in.{kind}", kind)
    read(source)
    fate = np.array([KEEP, KEEP, KEEP, REMOVE, KEEP, BAD, KEEP, REMOVE, KEEP, KEEP], np.uint8)
    kept, removed = tmp_path / "deep" / f"k.{kind}", tmp_path / f"r.{kind}"
    source.split(fate, kept, removed)
    assert table_in(kept, kind).equals(table.filter(pa.array(fate == KEEP)), check_metadata=True)
    assert table_in(removed, kind).equals(table.filter(pa.array(fate == REMOVE)), check_metadata=True)
    source.split(np.full(10, REMOVE, np.uint8), kept, None)
    assert table_in(kept, kind).equals(table.slice(0, 0), check_metadata=True)
    for count in (9, 11):
        with pytest.raises(InputChanged):
            source.split(np.zeros(count, np.uint8), kept, removed)


def test_parquet_dictionaries_where_values_are_short_or_repeat(tmp_path):
    texts = [f"{i} " + "long " * 80 for i in range(60)]
    table = pa.table(
        {"id": list(range(60)), "text": texts, "rights": ["all of them " * 40] * 60, "tags": [["a", "b"]] * 60}
    )
    pq.write_table(table, tmp_path / "in.parquet")
    source = ParquetFile(tmp_path / "in.parquet", "in", ".parquet")
    source.split(np.full(60, KEEP, np.uint8), tmp_path / "kept.parquet", None)
    group = pq.ParquetFile(tmp_path / "kept.parquet").metadata.row_group(0)
    chunks = {group.column(i).path_in_schema: group.column(i).has_dictionary_page for i in range(group.num_columns)}
    assert chunks == {"id": True, "text": False, "rights": True, "tags.list.element": True}
    assert pq.read_table(tmp_path / "kept.parquet").equals(table)


def test_parquet_codec_and_row_groups(tmp_path, table):
    for codec in ("snappy", "zstd", "gzip", "brotli", "lz4", "none"):
        pq.write_table(table, tmp_path / "in.parquet", row_group_size=4, compression=codec)
        source = ParquetFile(tmp_path / "in.parquet", "in", ".parquet")
        source.split(np.zeros(10, np.uint8), tmp_path / "k.parquet", None)
        before, after = (pq.ParquetFile(tmp_path / name).metadata for name in ("in.parquet", "k.parquet"))
        assert after.row_group(0).column(0).compression == before.row_group(0).column(0).compression
        assert [after.row_group(group).num_rows for group in range(after.num_row_groups)] == [4, 4, 2]


def test_lists_named_the_old_way(tmp_path, table):
    for compliant in (False, True):
        pq.write_table(table, tmp_path / "in.parquet", use_compliant_nested_type=compliant)
        source = ParquetFile(tmp_path / "in.parquet", "in", ".parquet")
        source.split(np.zeros(10, np.uint8), tmp_path / "k.parquet", None)
        assert pq.read_schema(tmp_path / "k.parquet").equals(pq.read_schema(tmp_path / "in.parquet"))


def test_annotate(tmp_path, store, read, table, kind):
    table = table.set_column(2, "text", pa.array([None, *table.column("text").to_pylist()[1:]]))
    source = store(table)
    read(source)
    notes = pa.table({"of": [None, "x", *[None] * 8], "kind": pa.array([1.5] * 10)})
    source.annotate(notes, tmp_path / "out")
    got = table_in(tmp_path / "out", kind)
    assert got.schema.names == ["other", "id", "text", "when", "of", "kind"]
    assert got.column("of").to_pylist() == ["x", *[None] * 8]
    with pytest.raises(InputChanged):
        source.annotate(notes.slice(1), tmp_path / "out")


def test_fetch_and_fingerprint(tmp_path, store, read, table, kind):
    source = store(table)
    got = source.fetch([9, 0, 9], WantedColumns(extra=("when",)))
    assert got.column("id").to_pylist() == ["9", "0", "9"]
    assert got.schema.names == ["row", "id", "text", "when"]
    assert source.fetch([], WantedColumns()).num_rows == 0
    with pytest.raises(InputChanged):
        source.fetch([10], WantedColumns())
    raw = (tmp_path / f"in.{kind}").read_bytes()
    expected = {"name": "in", "bytes": len(raw), "blake2b": hashlib.blake2b(raw, digest_size=16).hexdigest()}
    read(source)
    assert source.fingerprint() == expected
    (tmp_path / f"in.{kind}").write_bytes(raw + b"x")
    for act in (
        lambda: source.fetch([0], WantedColumns()),
        lambda: source.split(np.zeros(10, np.uint8), tmp_path / "k", None),
    ):
        with pytest.raises(InputChanged):
            act()


def test_null_texts_are_bad(store, read):
    got = read(store(pa.table({"id": [1, 2, 3, 4, 5], "text": ["a", None, "b", "", None]}), 2))
    assert (got.ids, got.texts) == (["1", "3", "4"], ["a", "b", ""])
    assert [(one.row, one.line, one.reason) for one in got.bad] == [
        (1, None, "text is null"),
        (4, None, "text is null"),
    ]
    assert json.loads(got.bad[0].raw) == {"id": 2, "text": None}


def test_several_texts(store, read):
    source = store(pa.table({"t": ["T", None, "T", None], "b": ["B", "B", None, None]}))
    got = read(source, WantedColumns(text=("t", "b")))
    assert (got.texts, got.reasons) == (["T\n\u1160\nB", "B", "T"], ["t and b are null"])


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (pa.array([1.0, 2.5, None]), ["1", None, None]),
        (pa.array([2**64 - 1, 0, None], pa.uint64()), [str(2**64 - 1), "0", None]),
        (pa.array(["x", "", None], pa.large_string()), ["x", "", None]),
        (pa.array(["x", "y", None]).dictionary_encode(), ["x", "y", None]),
        (pa.array([7, 8, 7]).dictionary_encode(), ["7", "8", "7"]),
        (pa.array([True, False, None]), [None] * 3),
        (pa.array([[1], [2], [3]]), [None] * 3),
    ],
)
def test_ids(store, read, ids, expected):
    source = store(pa.table({"id": ids, "text": ["a", "b", "c"]}))
    assert read(source).ids == expected
    assert read(source, WantedColumns(id=None)).ids == [None] * 3
    if expected == [None] * 3:
        with pytest.raises(InputError, match=r"'id' is .*cannot be an id.*id='(COLUMN|KEY)'"):
            read(source, WantedColumns(id_required=True))
    else:
        strict = read(source, WantedColumns(id_required=True))
        assert strict.ids == [one for one in expected if one is not None]
        assert set(strict.reasons) <= {"id is null or not a whole number"}


@pytest.mark.parametrize("kind_of_text", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())])
def test_strings_of_every_sort(tmp_path, read, kind_of_text):
    texts = pa.array(["你", None, "b"], kind_of_text)
    write(tmp_path / "in.arrow", pa.table({"text": texts}), "arrow")
    assert read(ArrowFile(tmp_path / "in.arrow", "in", ".arrow")).texts == ["你", "b"]


def test_invalid_utf8_in_a_column(store, read):
    raw = pa.array([b"good", b"\xc4\xe3", b"also"])
    texts = pa.Array.from_buffers(pa.string(), 3, raw.buffers())
    got = read(store(pa.table({"text": texts})))
    assert got.texts == ["good", "also"]
    assert got.reasons[0].startswith("text is invalid UTF-8 at byte 1; if the file is GB18030")
    got = read(store(pa.table({"id": texts, "text": ["a", "b", "c"]})))
    assert got.ids == ["good", None, "also"]
    assert len(read(store(pa.table({"id": texts, "text": ["a", "b", "c"]})), WantedColumns(id_required=True)).bad) == 1


def test_schemas_that_will_not_do(store, read):
    for data, wanted, message in [
        (
            {"title": ["a"], "id": [1]},
            WantedColumns(),
            r"no column 'text'; it has these columns: 'title', 'id'.*text='(COLUMN|KEY)'",
        ),
        ({"text": [1]}, WantedColumns(), r"'text' is int64, not text; cast it to string.*text='(COLUMN|KEY)'"),
        ({"text": [b"a"]}, WantedColumns(), r"'text' is binary, not text"),
        ({"text": ["a"]}, WantedColumns(id="n", id_required=True), r"no column 'n'.*id='(COLUMN|KEY)'"),
    ]:
        with pytest.raises(InputError, match=message):
            read(store(pa.table(data)), wanted)
    twice = pa.Table.from_arrays([pa.array(["a"])] * 2, names=["text", "text"])
    with pytest.raises(InputError, match="2 columns named 'text'"):
        read(store(twice))


def test_damaged_files(tmp_path, store, read, table, kind):
    source = store(table)
    path = tmp_path / f"in.{kind}"
    raw = path.read_bytes()
    for damage in (b"", raw[: len(raw) // 2], b"garbage" * 9):
        path.write_bytes(damage)
        with pytest.raises(InputError, match=f"in.{kind} cannot be read"):
            read(source)


def test_feather_of_old(tmp_path, read):
    (tmp_path / "old.feather").write_bytes(b"FEA1" * 9)
    with pytest.raises(InputError, match="Feather version 1"):
        read(ArrowFile(tmp_path / "old.feather", "old", ".feather"))


def test_large_batches_are_cut_by_bytes_of_text(store, read, monkeypatch):
    monkeypatch.setattr(portions, "TEXT_BYTES", 100)
    texts = ["a" * 60, "b" * 300, "", "c" * 40, "d" * 60, "e"]
    got = read(store(pa.table({"text": texts}), 100))
    assert (got.texts, got.batches) == (texts, 4)


def test_an_empty_table(tmp_path, store, read, table, kind):
    source = store(table.slice(0, 0))
    got = read(source, WantedColumns(extra=("when",)))
    assert (got.table.num_rows, got.batches, got.table.schema.names) == (0, 1, ["row", "id", "text", "when"])
    source.split(np.zeros(0, np.uint8), tmp_path / "k", None)
    assert table_in(tmp_path / "k", kind).schema.equals(
        table_in(tmp_path / f"in.{kind}", kind).schema, check_metadata=True
    )


@pytest.mark.parametrize(
    "options",
    [
        {"keep": "source:a>b"},
        {"keep": "source:a>b", "source": "nosuch"},
        {"time": "dat"},
        {"text": "text,nosuch"},
        {"per": "nosuch"},
    ],
)
def test_columns_asked_for_by_name_must_exist(options, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps({"id": "1", "text": SPRING}) + "\n", encoding="utf-8")
    with pytest.raises((qc.UsageError, qc.InputError)):
        qc.dedup(path, **options)
