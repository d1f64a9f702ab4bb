"""Columns of every Arrow type go in as texts where they hold strings, and out as they are."""

from __future__ import annotations

import datetime
import decimal
import io

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from quchong.io import KEEP, REMOVE, WantedColumns, from_object, open_inputs
from quchong.io.array_checks import sound_array
from quchong.io.arrays import opened_type, select_rows, text_lengths, to_plain_type

TEXTS = ["甲乙丙丁", "b", None, "长字符串超过十二字节的", "b"]
STRINGS = pa.array(TEXTS)
SHORT = pa.array(["甲乙丙", "b"], pa.string_view())
INDEX = pa.array([0, 1, None, 0, 1], pa.uint16())

AS_TEXT = {
    "string": STRINGS,
    "large": STRINGS.cast(pa.large_string()),
    "view": STRINGS.cast(pa.string_view()),
    "dictionary": STRINGS.dictionary_encode(),
    "dictionary of views": pa.DictionaryArray.from_arrays(INDEX, SHORT),
    "dictionary with a null": pa.DictionaryArray.from_arrays(INDEX.cast(pa.uint64()), pa.array(["甲", None])),
    "runs": pc.run_end_encode(STRINGS),
    "runs of views": pa.RunEndEncodedArray.from_arrays(pa.array([1, 4, 5], pa.int64()), STRINGS.slice(1, 3).cast(pa.string_view())),
    "extension": pa.ExtensionArray.from_storage(pa.json_(), STRINGS),
    "extension of views": pa.ExtensionArray.from_storage(pa.opaque(pa.string_view(), "a", "b"), STRINGS.cast(pa.string_view())),
}  # fmt: skip
OTHERS = {
    "binary view": STRINGS.cast(pa.binary()).cast(pa.binary_view()),
    "list": pa.array([["a"], [], None, ["b", "c"], ["d"]]),
    "list of views": pa.array([["a"], [], None, ["b", "c"], ["d"]], pa.list_(pa.string_view())),
    "list view": pa.array([["a"], [], None, ["b", "c"], ["d"]], pa.list_view(pa.string())),
    "large list view": pa.array([[1], [], None, [2], [3]], pa.large_list_view(pa.int8())),
    "fixed list": pa.array([[1, 2]] * 5, pa.list_(pa.int8(), 2)),
    "struct of views": pa.array([{"a": 1, "b": "x"}] * 5, pa.struct([("a", pa.int8()), ("b", pa.string_view())])),
    "map": pa.array([[("a", 1)]] * 5, pa.map_(pa.string(), pa.int8())),
    "null": pa.nulls(5),
    "half": pa.array(np.arange(5, dtype=np.float16)),
    "decimal": pa.array([decimal.Decimal("1.2")] * 5, pa.decimal256(50, 2)),
    "duration": pa.array([1] * 5, pa.duration("ns")),
    "date": pa.array([datetime.date(2026, 3, 5)] * 5, pa.date64()),
    "time": pa.array([1] * 5, pa.time64("us")),
    "interval": pa.array([(1, 2, 3)] * 5, pa.month_day_nano_interval()),
    "uuid": pa.array([b"1" * 16] * 5, pa.uuid()),
    "sparse union": pa.UnionArray.from_sparse(pa.array([0, 1, 0, 1, 0], pa.int8()), [pa.array(range(5)), STRINGS]),
    "dense union": pa.UnionArray.from_dense(
        pa.array([0, 1, 0, 1, 0], pa.int8()), pa.array([0, 0, 1, 1, 2], pa.int32()), [pa.array(range(3)), pa.array(["a", "b"])]
    ),
    "dictionary of lists": pa.DictionaryArray.from_arrays(INDEX, pa.array([["a"], ["b"]])),
}  # fmt: skip
MASKS = [[True, False, True, False, True], [False] * 5, [True] * 5, [True, True, False, False, True]]
named = {"argvalues": (AS_TEXT | OTHERS).values(), "ids": (AS_TEXT | OTHERS).keys()}
of_text = {"argvalues": AS_TEXT.values(), "ids": AS_TEXT.keys()}


def plain(column):
    return (column.storage if isinstance(column, pa.ExtensionArray) else column).to_pylist()


@pytest.mark.parametrize("column", **named)
def test_rows_are_chosen_without_another_type(column):
    values = plain(column)
    for first, last in ((0, 5), (1, 5), (1, 4), (2, 2)):
        part, expected = column.slice(first, last - first), values[first:last]
        sound_array(part)
        assert to_plain_type(part).type == opened_type(part.type) and to_plain_type(part).to_pylist() == plain(part)
        batch = pa.record_batch([part], names=["c"])
        for mask in MASKS:
            some = select_rows(batch, np.array(mask[: len(part)]))
            some.validate(full=True)
            assert some.schema == batch.schema
            # Arrow before 25 lists other values of a slice of a sparse union than it has, but chooses the right ones.
            assert some is batch or plain(some.column(0)) == [
                v for v, here in zip(expected, mask, strict=False) if here
            ]


@pytest.mark.parametrize("column", **of_text)
def test_lengths_of_texts(column):
    for part in (column, column.slice(1, 3)):
        assert text_lengths(part).tolist() == [len((text or "").encode()) for text in plain(part)]


@pytest.mark.parametrize("container", [pa.ipc.new_file, pa.ipc.new_stream], ids=["file", "stream"])
@pytest.mark.parametrize("column", **named)
def test_every_type_passes_through_an_arrow_file(column, container, tmp_path):
    table = pa.table({"text": ["a", "b", "c", "d", "e"], "other": column})
    with container(str(tmp_path / "a.arrow"), table.schema) as writer:
        writer.write_table(table)
    source = open_inputs([tmp_path / "a.arrow"])[0]
    assert sum(map(len, source.documents(WantedColumns(extra=("other",)), []))) == 5
    assert not sum(
        map(len, from_object(table.slice(0, 0), WantedColumns()).documents(WantedColumns(extra=("other",)), []))
    )
    assert source.fetch([4, 0], WantedColumns(extra=("other",)))["text"].to_pylist() == ["e", "a"]
    fate = np.array([KEEP, REMOVE, KEEP, KEEP, REMOVE], np.uint8)
    source.split(fate, tmp_path / "kept.arrow", tmp_path / "removed.arrow")
    for value, side in ((KEEP, "kept"), (REMOVE, "removed")):
        again = open_inputs([tmp_path / f"{side}.arrow"])[0].table_of(np.ones(int((fate == value).sum()), bool))
        assert again.schema == table.schema == source.table_of(fate == value).schema
        expected = [v for v, one in zip(plain(column), fate, strict=True) if one == value]
        assert plain(again["other"].combine_chunks()) == expected
    notes = pa.table({"fate": ["x"] * 5})
    source.annotate(notes, tmp_path / "annotated.arrow")
    source.rewrite({0: "new"}, "text", tmp_path / "cut.arrow")


@pytest.mark.parametrize("column", **of_text)
def test_texts_of_every_type(column, read, tmp_path):
    """Also as ids, in chunks, from memory, and cut."""
    table = pa.table({"text": pa.chunked_array([column.slice(0, 2), column.slice(2)])})
    spoken = [text for text in plain(column) if text is not None]
    given = from_object(table, WantedColumns())
    assert read(given).texts == spoken and len(read(given).bad) == 5 - len(spoken)
    assert given.fetch([0], WantedColumns())["text"].to_pylist() == [plain(column)[0]]
    assert read(from_object(table.append_column("id", table["text"]), WantedColumns())).ids == spoken
    given.split(np.array([KEEP] * 5, np.uint8), tmp_path / "kept.parquet", None)
    assert pq.read_table(tmp_path / "kept.parquet")["text"].to_pylist() == plain(column)
    cut = from_object(table, WantedColumns()).with_texts({1: "neu"}, "text")
    assert plain(cut["text"].combine_chunks())[1] == "neu"


def test_a_long_text_in_a_dictionary_is_not_written_out_for_every_row(read):
    """A file of a few kilobytes may say "this text of a megabyte" 60,000 times."""
    long = pa.array(["好" * 400_000, "b"])
    table = pa.table({"text": pa.DictionaryArray.from_arrays(pa.array(np.zeros(60_000, np.int8)), long)})
    first = next(iter(from_object(table, WantedColumns()).documents(WantedColumns(), [])))
    assert first.nbytes < 20 << 20


def test_texts_beyond_two_gigabytes(tmp_path):
    """Offsets of large strings past 2^31 and 2^32, in a buffer that is a file with a hole."""
    end, text = 5 << 30, "最后一篇".encode()
    with (tmp_path / "hole").open("wb") as file:
        file.seek(end)
        file.write(text)
    offsets = np.array([end, end + 6, end + 12], np.int64)
    with pa.memory_map(str(tmp_path / "hole")) as file:
        column = pa.Array.from_buffers(pa.large_string(), 2, [None, pa.py_buffer(offsets), file.read_buffer()])
        source = from_object(pa.table({"text": column}), WantedColumns())
        assert [text for batch in source.documents(WantedColumns(), []) for text in batch["text"].to_pylist()] == [
            "最后",
            "一篇",
        ]
        assert source.table_of(np.array([False, True]))["text"].to_pylist() == ["一篇"]
        del source, column


def test_strings_that_are_not_utf8_cost_their_row_at_any_depth(tmp_path):
    wrong = pa.array([b"a", b"\xff", b"c"]).view(pa.string())
    nested = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), wrong)
    table = pa.table({"text": ["a", "b", "c"], "tags": nested})
    bad = []
    source = from_object(table, WantedColumns())
    rows = [row for batch in source.documents(WantedColumns(extra=("tags",)), bad) for row in batch["row"].to_pylist()]
    assert rows == [0, 2] and [one.row for one in bad] == [1]
    assert b"base64:/w==" in next(iter(source.whole_records([1])))[2]


def test_repeated_names_in_files(tmp_path):
    table = pa.table([pa.array(["a", "b"]), pa.array([1, 2]), pa.array([3, None])], names=["text", "n", "n"])
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    (tmp_path / "a.arrow").write_bytes(sink.getvalue())
    pq.write_table(table, tmp_path / "a.parquet")
    for source in (
        *(open_inputs([tmp_path / f"a.{kind}"])[0] for kind in ("arrow", "parquet")),
        from_object(table, WantedColumns()),
    ):
        some = source.table_of(np.array([False, True]))
        assert some.column_names == ["text", "n", "n"] and [c.to_pylist() for c in some.columns] == [["b"], [2], [None]]
        list(source.documents(WantedColumns(), []))
        source.annotate(pa.table({"fate": ["x", "y"]}), tmp_path / f"annotated{source.suffix}")
        assert next(iter(source.whole_records([0])))[2] == b'{"text":"a","n":1,"n~2":3}'


def test_a_column_that_cannot_stand_in_for_a_text_is_left_alone(read):
    """A union has no null of its own, so a column of nulls in its type would look like pages."""
    union = OTHERS["sparse union"]
    source = from_object(pa.table({"text": ["a"] * 5, "html": union}), WantedColumns(instead="html"))
    assert read(source, WantedColumns(instead="html")).table["html"].null_count == 5
