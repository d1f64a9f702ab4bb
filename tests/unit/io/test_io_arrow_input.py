"""Covers: io/arrow_input, io/capsules, io/process_memory: every way in which Arrow data in memory comes in, whole and damaged."""

import ctypes
import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from quchong.errors import InputError, UsageError
from quchong.io import WantedColumns, arrow_data, from_object
from quchong.io.process_memory import ProcessMemory

WAYS = """
import io, sys
import pyarrow as pa, pyarrow.dataset as ds
import quchong as qc
from quchong.errors import InputError

class Wrapper:
    def __init__(self, inner): self.inner = inner
    def __arrow_c_stream__(self, requested_schema=None): return self.inner.__arrow_c_stream__(requested_schema)

LAST, SIZE = 536_870_915, 2**31 - 2
def stream(wrong, text=pa.string()):
    sink = io.BytesIO()
    table = pa.table({"text": pa.array(["first text here", "second one", "third"], text)})
    with pa.ipc.new_stream(sink, table.schema) as writer: writer.write_table(table)
    data = sink.getvalue()
    width = 8 if text == pa.large_string() else 4
    whole = b"".join(n.to_bytes(width, "little") for n in (0, 15, 25, 30))
    assert data.count(whole) == 1
    return data.replace(whole, whole[:-width] + wrong.to_bytes(width, "little"))

def reader(wrong, text): return pa.ipc.open_stream(stream(wrong, text))
def table(wrong, text): return reader(wrong, text).read_all()
def column(wrong, text): return table(wrong, text)["text"]

ways = {
    "reader": reader, "table": table, "batch": lambda w, t: table(w, t).to_batches()[0], "column": column,
    "array": lambda w, t: column(w, t).chunk(0), "data set": lambda w, t: ds.dataset(table(w, t)),
    "scanner": lambda w, t: ds.dataset(table(w, t)).scanner(), "wrapped reader": lambda w, t: Wrapper(reader(w, t)),
    "wrapped table": lambda w, t: Wrapper(table(w, t)), "wrapped column": lambda w, t: Wrapper(column(w, t)),
    "imported": lambda w, t: pa.RecordBatchReader.from_stream(reader(w, t)),
    "slice": lambda w, t: table(w, t).slice(2),
    "dictionary": lambda w, t: pa.table({"text": pa.DictionaryArray.from_arrays(pa.array([2, 0]), column(w, t).chunk(0), safe=False)}),
    "runs": lambda w, t: pa.table({"text": pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3]), column(w, t).chunk(0))}),
    "list": lambda w, t: pa.table({"text": ["a"], "n": pa.ListArray.from_arrays(pa.array([0, 3], pa.int32()), column(w, t).chunk(0))}),
    "struct": lambda w, t: pa.table({"text": ["a"] * 3, "n": pa.StructArray.from_arrays([column(w, t).chunk(0)], ["x"])}),
    "extension": lambda w, t: pa.table({"text": pa.ExtensionArray.from_storage(pa.opaque(t, "a", "b"), column(w, t).chunk(0))}),
}
calls = {"dedup": qc.dedup, "passages": qc.passages, "protect": lambda data: qc.dedup(["a"], protect=data)}
for name, way in ways.items():
    for text, wrong in ((pa.string(), LAST), (pa.string(), SIZE), (pa.large_string(), 2**62), (pa.large_string(), 2**40)):
        for call in ("dedup", "passages", *(["protect"] if name in ("column", "array") else [])):
            try:
                given = way(wrong, text)
            except pa.ArrowInvalid:  # PyArrow looks itself
                continue
            try:
                calls[call](given)
                print("READ", name, text, call)
            except InputError as error:
                assert "damaged" in str(error), error
print("end")
"""


def test_a_damaged_stream_never_ends_the_process_whatever_it_comes_in():
    done = subprocess.run([sys.executable, "-c", WAYS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split("\n")) == (0, ["end", ""]), done.stderr[-3000:]


class Wrapper:
    """An object of another library."""

    def __init__(self, inner):
        self._inner = inner

    def __arrow_c_stream__(self, requested_schema=None):
        return self._inner.__arrow_c_stream__(requested_schema)


def columns_of_all_layouts():
    """One column of every layout, with nulls, and the second half of a slice."""
    texts = ["a short one", None, "a text of more than twelve bytes", ""]
    numbers = pa.array([1, None, 3, 4])
    kinds = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
    plain = [pa.array(texts, kind) for kind in kinds]
    return [
        *plain,
        numbers, pa.array([True, None, False, True]), pa.nulls(4), pa.array([b"abc", None, b"def", b"ghi"], pa.binary(3)),
        numbers.cast(pa.decimal128(22, 2)), numbers.cast(pa.timestamp("s", "Asia/Shanghai")), numbers.cast(pa.int32()).cast(pa.date32()),
        pa.array([[t] for t in texts]), pa.array([[t] for t in texts], pa.large_list(pa.string())), pa.array([["a", t] for t in texts], pa.list_(pa.string(), 2)),
        pa.array([[t] for t in texts], pa.list_view(pa.string_view())), pa.array([[t] for t in texts], pa.large_list_view(pa.string())),
        pa.array([{"a": 1, "b": t} for t in texts]), pa.array([[("k", 1)], None, [], [("k", None)]], pa.map_(pa.string(), pa.int8())),
        plain[0].dictionary_encode(), pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3, 4]), plain[0]),
        pa.UnionArray.from_sparse(pa.array([0, 1, 0, 1], pa.int8()), [numbers, plain[0]]),
        pa.UnionArray.from_dense(pa.array([0, 1, 0, 1], pa.int8()), pa.array([0, 0, 2, 3], pa.int32()), [numbers, plain[0]]),
        pa.ExtensionArray.from_storage(pa.opaque(pa.string(), "a", "b"), plain[0]), pa.array([(1, 2, 3)] * 4, pa.month_day_nano_interval()),
    ]  # fmt: skip


@pytest.mark.parametrize("column", columns_of_all_layouts(), ids=lambda column: str(column.type))
@pytest.mark.parametrize("rows", [slice(0, 4), slice(1, 3), slice(2, 2)], ids=["whole", "part", "none"])
def test_whole_data_of_every_layout_passes_in_every_way(column, rows):
    part = column[rows]
    table = pa.table({"a": part})
    for given in (table, table.to_reader(), ds.dataset(table), Wrapper(table), Wrapper(table.to_reader())):
        assert arrow_data(given).equals(table)
    if pa.types.is_struct(part.type):  # a stream of structs is a table
        return
    for given in (pa.chunked_array([part]), part, Wrapper(pa.chunked_array([part]))):
        found = arrow_data(given)
        assert found.type == part.type
        assert len(found) == len(part)
    assert arrow_data(["a"]) is None


def test_other_libraries_are_read():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"text": ["a b", None, "more than twelve bytes of it"], "n": [1, 2, None]})
    assert arrow_data(frame).to_pydict() == frame.to_dict(as_series=False)
    assert arrow_data(frame["text"]).to_pylist() == frame["text"].to_list()
    pandas = pytest.importorskip("pandas")
    table = arrow_data(pandas.DataFrame({"text": ["a", None]}))
    assert table.to_pydict() == {"text": ["a", None]}


@pytest.fixture
def lying_stream(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "tools" / "fuzz"))
    from arrow_inputs import LyingStream

    return LyingStream


def put(array, **values):
    for name, value in values.items():
        setattr(array, name, value)


HELD = []
"""Lists of addresses that arrays of lying streams point to."""


def give_buffers(array, count):
    """Give an array a list of `count` buffers: its own ones, and none behind them."""
    own = array.buffers[: array.n_buffers]
    HELD.append((ctypes.c_void_p * count)(*own))
    put(array, n_buffers=count, buffers=ctypes.cast(HELD[-1], type(array.buffers)))


def point_children(array, other):
    """Have an array point to another list of children until it is released by who made it, who needs its own."""
    own, kind, true_release = address_of(array.children), type(array.children), address_of(array.release)

    def release(address):
        type(array).from_address(address).children = ctypes.cast(own, kind)
        type(array.release)(true_release)(address)

    HELD.extend([other, type(array.release)(release)])
    put(array, children=ctypes.cast(other, kind), release=HELD[-1])


def address_of(pointer):
    return ctypes.cast(pointer, ctypes.c_void_p).value


LIES = {
    "length": lambda array: put(array.children[0].contents, length=1 << 40),
    "offset": lambda array: put(array.children[0].contents, offset=1 << 40),
    "negative length": lambda array: put(array.children[0].contents, length=-1),
    "negative offset": lambda array: put(array.children[0].contents, offset=-(2**62)),
    "both lengths": lambda array: put(array, length=1 << 40) or put(array.children[0].contents, length=1 << 40),
    "too many rows": lambda array: put(array, length=2**63 - 1),
    "no buffers": lambda array: put(array.children[0].contents, n_buffers=0),
    "more buffers": lambda array: give_buffers(array.children[0].contents, 20),
    "missing list of buffers": lambda array: put(array.children[0].contents, buffers=None),
    "missing child": lambda array: point_children(array, (ctypes.c_void_p * 1)(None)),
    "missing list of children": lambda array: point_children(array, None),
    "missing buffer": lambda array: array.children[0].contents.buffers.__setitem__(
        array.children[0].contents.n_buffers - 1, None
    ),
    "address": lambda array: array.children[0].contents.buffers.__setitem__(
        array.children[0].contents.n_buffers - 1, 8
    ),
    "no children": lambda array: put(array, n_children=0),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
@pytest.mark.parametrize("column", columns_of_all_layouts(), ids=lambda column: str(column.type))
def test_a_stream_that_lies_is_refused(column, lie, lying_stream):
    if column.type in (pa.null(),) or pa.types.is_struct(column.type) or pa.types.is_fixed_size_list(column.type):
        column = pa.array(["a"] * 4)
    if pa.types.is_run_end_encoded(column.type) or isinstance(column, pa.ExtensionArray):
        column = pa.array([["a"]] * 4)
    if lie in (LIES["more buffers"],) and pa.types.is_dictionary(column.type):
        column = column.indices
    with pytest.raises(InputError, match="the given data is damaged"):
        arrow_data(lying_stream(pa.table({"text": column}), lie))


def test_what_was_refused_is_released(lying_stream):
    column = pa.array(np.arange(1 << 20))
    gc.collect()
    before = pa.total_allocated_bytes()
    for _ in range(3):
        with pytest.raises(InputError):
            arrow_data(lying_stream(pa.table({"text": pa.concat_arrays([column, column])}), LIES["length"]))
    gc.collect()
    assert pa.total_allocated_bytes() < before + 10_000


def test_a_validity_that_is_too_short_or_a_missing_buffer_is_refused():
    validity, offsets = np.full(500, 255, np.uint8), np.arange(4001, dtype=np.int32)
    text = [pa.py_buffer(validity), pa.py_buffer(offsets), pa.py_buffer(b"a" * 4000)]
    whole = pa.table({"text": pa.Array.from_buffers(pa.string(), 4000, text)})
    assert arrow_data(whole).num_rows == 4000
    offsets[2000] = 4001
    for wrap in (lambda table: table, Wrapper):
        with pytest.raises(InputError, match="damaged"):
            arrow_data(wrap(whole))


def test_what_stands_where_a_view_is_null_is_followed_by_nobody():
    """Arrow does not check the view of a null, and its cast follows it: that ended the process."""
    views = np.zeros((3, 4), np.int32)
    views[1] = [2**30, 0, 77, 2**30]
    column = pa.Array.from_buffers(
        pa.string_view(), 3, [pa.py_buffer(b"\x05"), pa.py_buffer(views), pa.py_buffer(b"x" * 40)]
    )
    for given in (pa.table({"text": column}), pa.table({"text": column.slice(1)})):
        source = from_object(given, WantedColumns())
        assert source.table["text"].to_pylist() == (["", None, ""] if len(given) == 3 else [None, ""])


def renamed(table, name, into):
    """A stream of the table in which some bytes of its head are others."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data = sink.getvalue().to_pybytes()
    assert data.count(name) == 1
    return data.replace(name, into)


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"text": ["a"], "WRONG": [1]}),
        pa.table({"text": ["a"], "n": pa.array([{"WRONG": 1}])}),
        pa.table({"text": ["a"], "n": pa.array([[{"WRONG": 1}]])}),
        pa.table({"text": ["a"], "n": pa.array([1], pa.timestamp("s", "WRONG"))}),
    ],
    ids=["column", "struct", "list", "time zone"],
)
@pytest.mark.parametrize("wrap", [lambda r: r, lambda r: r.read_all(), Wrapper], ids=["reader", "table", "stream"])
def test_names_that_are_not_utf8_are_one_error_of_ours(table, wrap):
    with pytest.raises(InputError, match="a name in the data is not UTF-8"):
        from_object(wrap(pa.ipc.open_stream(renamed(table, b"WRONG", b"WR\xffNG"))), WantedColumns())


def test_a_stream_that_fails_or_was_read_before_says_so():
    class Failing:
        def __arrow_c_stream__(self, requested_schema=None):
            def batches():
                yield pa.record_batch({"text": ["a"]})
                raise ValueError("no more of it")

            return pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches()).__arrow_c_stream__()

    with pytest.raises(UsageError, match="no more of it"):
        from_object(Failing(), WantedColumns())
    reader = pa.table({"text": ["a"]}).to_reader()
    capsule = reader.__arrow_c_stream__()

    class Same:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    assert arrow_data(Same()).num_rows == 1
    pa.RecordBatchReader._import_from_c_capsule(capsule)
    with pytest.raises(UsageError, match="read before"):
        from_object(Same(), WantedColumns())


@pytest.mark.skipif(sys.platform != "linux", reason="the system lists no memory elsewhere")
def test_memory_that_is_there_is_told_from_memory_that_is_not():
    memory, data = ProcessMemory(), np.zeros(1 << 20, np.uint8)
    address = data.ctypes.data
    assert memory.holds(address, len(data))
    assert memory.holds(address, 0)
    assert memory.holds(8, 0)
    assert not memory.holds(8, 1)
    assert not memory.holds(address, -1)
    assert not memory.holds(address, 1 << 46)


def test_where_the_system_lists_no_memory_every_address_passes(monkeypatch, tmp_path):
    monkeypatch.setattr("quchong.io.process_memory._MAPS", tmp_path / "none")
    assert ProcessMemory().holds(8, 100)


def test_neighbouring_ranges_are_one_and_the_list_is_read_again(monkeypatch, tmp_path):
    listed = tmp_path / "maps"
    monkeypatch.setattr("quchong.io.process_memory._MAPS", listed)
    listed.write_text("1000-2000 r--p 0 0 0 a\n2000-3000 rw-p 0 0 0 a\n3000-4000 ---p 0 0 0 a\n")
    memory = ProcessMemory()
    assert memory.holds(0x1FFF, 2)
    assert not memory.holds(0x2FFF, 2)
    listed.write_text("1000-2000 r--p 0 0 0 a\n5000-6000 r--p 0 0 0 a\n")
    assert memory.holds(0x5000, 1)
    assert not memory.holds(0x1FFF, 2)


def test_a_damaged_table_in_the_place_of_ids_is_refused_without_a_look_at_it():
    told = WAYS.split("ways = {")[0] + (
        "for data in (table(LAST, pa.string()), [column(LAST, pa.string())], (column(LAST, pa.string()).chunk(0),), reader(LAST, pa.string())):\n"
        "    for name in ('protect', 'keep', 'workers', 'out'):\n"
        "        try: qc.dedup(['a'], **{name: data})\n"
        "        except qc.errors.QuchongError as error: str(error)\n"
        "print('end')"
    )
    done = subprocess.run([sys.executable, "-c", told.replace("import quchong as qc", "import quchong as qc, quchong.errors")],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr[-3000:]


def test_a_large_bad_row_is_set_down_as_a_small_one_is(monkeypatch):
    from quchong.io.columnar import raw

    row = pa.record_batch({"text": pa.array([b"\xff\xfe"], pa.binary()), "a": ['长\n"text"'], "n": [1]})
    small = raw.raw_row(row)
    monkeypatch.setattr(raw, "_LARGE", 1)
    assert raw.raw_row(row) == small
