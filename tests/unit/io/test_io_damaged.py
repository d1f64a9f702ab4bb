"""Arrow and Parquet files that lie: each is our error or is read, and never the end of the process."""

from __future__ import annotations

import io
import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong.errors import InputError, UsageError
from quchong.io import KEEP, WantedColumns, from_object, open_inputs

TEXTS = ["今天天气很好，我们去公园", "abc abc abc", "长的字符串，超过十二个字节", "b"]
WANTED = WantedColumns(extra=("notes",), instead="html")


def columns(text):
    return pa.table({"id": pa.array(range(len(text))), "text": text, "notes": pa.array([["x"], [], ["y", "z"], None])})


def shapes():
    plain = pa.array(TEXTS)
    index = pa.array([0, 1, 0, 1], pa.uint16())
    yield "string", plain
    yield "large_string", plain.cast(pa.large_string())
    yield "string_view", plain.cast(pa.string_view())
    yield "dictionary", plain.dictionary_encode()
    yield "dictionary of views", pa.DictionaryArray.from_arrays(index, plain.slice(1, 2).cast(pa.string_view()))
    yield "runs", pa.RunEndEncodedArray.from_arrays(pa.array([2, 4], pa.int32()), plain.slice(0, 2))
    yield "extension", pa.ExtensionArray.from_storage(pa.json_(), plain)


def ipc(table, container, compression=None):
    sink = io.BytesIO()
    make = pa.ipc.new_file if container == "file" else pa.ipc.new_stream
    with make(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table)
    return sink.getvalue()


def everything(path, out):
    """Reads and copies a file as a run does; True if that went well."""
    bad = []
    try:
        source = open_inputs([path])[0]
        read = sum(len(batch) for batch in source.documents(WANTED, bad)) + len(bad)
        for made in (
            source.whole_records([one.row for one in bad]),
            [source.fetch(range(read - len(bad)), WANTED)] if not bad else [],
        ):
            list(made)
        source.split(np.full(read, KEEP, np.uint8), out / f"kept{source.suffix}", out / f"removed{source.suffix}")
        assert open_inputs([out / f"kept{source.suffix}"])[0].table_of(np.ones(read, bool)).num_rows == read
    except InputError as error:
        assert str(path) in str(error)
        return False
    return True


@pytest.mark.parametrize("container", ["file", "stream"])
@pytest.mark.parametrize(("name", "text"), list(shapes()), ids=[name for name, _ in shapes()])
def test_any_word_of_an_arrow_file_may_be_wrong(name, text, container, tmp_path):
    """Every third word of four bytes in turn is made large: offsets, lengths, indices, run ends, places of buffers."""
    data = ipc(columns(text), container)
    path = tmp_path / "a.arrow"
    path.write_bytes(data)
    assert everything(path, tmp_path)
    outcomes = []
    for at in range(8, len(data) - 4, 12):
        path.write_bytes(data[:at] + b"\xff\xff\xff\x3f" + data[at + 4 :])
        outcomes.append(everything(path, tmp_path))
    assert not all(outcomes), "no word of the file mattered"


def test_bytes_of_a_parquet_footer_may_be_wrong(tmp_path):
    sink = io.BytesIO()
    pq.write_table(columns(pa.array(TEXTS)), sink, compression="none")
    data = sink.getvalue()
    footer = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    path = tmp_path / "a.parquet"
    outcomes = []
    for at in range(footer, len(data), 3):
        path.write_bytes(data[:at] + bytes([data[at] ^ (1, 128)[at % 2]]) + data[at + 1 :])
        outcomes.append(everything(path, tmp_path))
    assert not all(outcomes) and any(outcomes)


@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_names_of_columns_that_are_not_utf8(suffix, tmp_path):
    sink = io.BytesIO()
    table = columns(pa.array(TEXTS)).append_column("qqqqqqqq", pa.array(range(4)))
    pq.write_table(table, sink) if suffix == ".parquet" else sink.write(ipc(table, "file"))
    path = tmp_path / f"a{suffix}"
    path.write_bytes(sink.getvalue().replace(b"qqqqqqqq", b"qqq\xff\xfeqqq"))
    assert open_inputs([path])[0].expected() in (None, 4)
    with pytest.raises(InputError, match=r"a\.\w+ cannot be read"):
        list(open_inputs([path])[0].documents(WantedColumns(), []))


def strings(kind, offsets, around=lambda array: array):
    """A string array, and what makes its offsets wrong behind Arrow's back, which checks what it is given at first."""
    held = np.array([0] * len(offsets), np.int64 if kind == pa.large_string() else np.int32)
    buffers = [None, pa.py_buffer(held), pa.py_buffer(b"abcdefgh")]
    return around(pa.Array.from_buffers(kind, len(offsets) - 1, buffers)), held, offsets


def runs():
    held = np.array([1, 2], np.int32)
    ends = pa.Array.from_buffers(pa.int32(), 2, [None, pa.py_buffer(held)])
    return pa.RunEndEncodedArray.from_arrays(ends, pa.array(["a", "b"])), held, [1, 1]


def dictionary():
    held = np.array([0, 1], np.int32)
    indices = pa.Array.from_buffers(pa.int32(), 2, [None, pa.py_buffer(held)])
    return pa.DictionaryArray.from_arrays(indices, ["a", "b"]), held, [0, 9]


OUTSIDE = {
    "past the end": lambda: strings(pa.string(), [0, 4, 1 << 30]),
    "far past the end": lambda: strings(pa.large_string(), [0, 1 << 40, 8]),
    "falling": lambda: strings(pa.string(), [0, 6, 2]),
    "dictionary": dictionary,
    "nested": lambda: strings(
        pa.string(), [0, 4, 1 << 30], lambda inner: pa.StructArray.from_arrays([inner], ["inner"])
    ),
    "runs": runs,
}


@pytest.mark.parametrize("make", OUTSIDE.values(), ids=OUTSIDE.keys())
@pytest.mark.parametrize("place", ["text", "other"])
def test_tables_in_memory_that_point_outside_their_buffers(make, place):
    column, held, wrong = make()
    table = pa.table({"text": ["a", "b"]} | {place: column})
    held[:] = wrong
    with pytest.raises(InputError, match="the given data is damaged"):
        from_object(table, WantedColumns())
    if wrong[-1] != 1 << 30:  # the interface tells no size of a buffer: where the last offset is, its buffer ends
        with pytest.raises((InputError, UsageError)):  # importing it, Arrow may see it first
            from_object(Capsule(table), WantedColumns())


class Capsule:
    """Something that is no table of pyarrow's but speaks the Arrow stream."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_a_row_group_that_holds_other_rows_than_the_footer_says(tmp_path):
    """The footer's number of a group is made less: its rows would be counted where those of the next one stand."""
    sink = io.BytesIO()
    pq.write_table(columns(pa.array(TEXTS)), sink, row_group_size=2, compression="none")
    data, path, wrong = sink.getvalue(), tmp_path / "a.parquet", 0
    footer = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    for at in range(footer, len(data) - 8):
        if data[at] == 4:  # two, as Thrift writes it
            path.write_bytes(data[:at] + b"\x00" + data[at + 1 :])
            try:
                batches = list(open_inputs([path])[0].documents(WantedColumns(), bad := []))
            except InputError as error:
                wrong += "the footer of the file" in str(error)
                continue
            rows = sorted([*(row for batch in batches for row in batch["row"].to_pylist()), *(one.row for one in bad)])
            assert rows == list(range(len(rows)))
    assert wrong
