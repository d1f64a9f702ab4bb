"""Covers: values in files come back as they were, mapped; what is not whole or not ours is refused, whatever stands in it."""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import os
import pickle
import random
import sys
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from quchong.decision.classes import Classes
from quchong.engines.local.batch_kinds import READ_KINDS
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.segments import ReadBatch
from quchong.languages import Message
from quchong.outputs import OwnFolder
from quchong.seam import Features
from quchong.text import Edit
from quchong.work import Damaged, Unencodable
from quchong.work import values as module
from quchong.work.values import MARK, read_value, write_value

NAME = "one.value"


@pytest.fixture
def folder(tmp_path):
    return OwnFolder.made(tmp_path / "work")


def back(folder, value, kinds=RUN_KINDS):
    write_value(folder, NAME, value, kinds)
    return read_value(folder, NAME, kinds)


def sealed(folder, parts, structure, data=b""):
    """A file with a digest that agrees, as whoever damages or forges one can write it."""
    body = MARK + bytes(-len(MARK) % 64) + data
    tail = structure if isinstance(structure, bytes) else json.dumps({"parts": parts, "value": structure}).encode()
    body += tail + len(tail).to_bytes(8, sys.byteorder)
    (folder.path / NAME).write_bytes(body + hashlib.blake2b(body, digest_size=16).digest())


def resealed(data):
    """The same bytes with a digest that agrees."""
    return data[:-16] + hashlib.blake2b(data[:-16], digest_size=16).digest()


def batch(n=3):
    texts = pa.array([f"第{i}篇文字" for i in range(n)], pa.large_string())
    counts = np.arange(n, dtype=np.uint32)
    digests = np.arange(n, dtype=np.uint64)
    offsets = np.arange(n + 1) * 2
    known = Features(counts, counts, digests, digests, offsets, np.arange(2 * n, dtype=np.uint64))
    columns = pa.table({"row": np.arange(n), "id": pa.array([str(i) for i in range(n)], pa.large_string())})
    return ReadBatch(texts, known, columns, {1: Edit((0, 4), ((1, 0, 2), (0, 5, 6)))})


def test_arrays_tables_and_declared_classes(folder):
    table = pa.table({"id": pa.array(["a", None, "丙"], pa.large_string()), "n": [1, 2, 3], "l": [[1], None, [2, 3]]})
    classes = Classes(np.arange(3), np.arange(3), np.arange(3), np.arange(4), refuted=2)
    value = {
        "table": table, "chunks": pa.chunked_array([["a"], [], ["b"]]), "sliced": pa.array(range(100)).slice(7, 5), "classes": classes,
        "empty": np.zeros(0), "none": None, "dictionary": pa.array(["x", "y", "x"]).dictionary_encode(), "nothing": pa.array([], pa.string()),
        "strings": pa.array(["abc", "def", "ghi"], pa.large_string()).slice(1, 1),
    }  # fmt: skip
    found = back(folder, value)
    assert found["table"].equals(table) and found["chunks"].equals(value["chunks"])
    assert found["sliced"].to_pylist() == [7, 8, 9, 10, 11] and found["strings"].to_pylist() == ["def"]
    assert found["classes"].refuted == 2 and (found["classes"].offsets == [0, 1, 2, 3]).all()
    assert len(found["empty"]) == 0 and found["none"] is None and found["nothing"].type == pa.string()
    assert found["dictionary"].equals(value["dictionary"])


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=20,
)  # fmt: skip


@given(PLAIN)
def test_plain_values_come_back_of_the_same_types(tmp_path_factory, value):
    found = back(OwnFolder.open_path(tmp_path_factory.mktemp("value", numbered=True)), value)
    assert repr(found) == repr(value)  # tells 1 from True and 1.0, and -0.0 and nan from all else


def test_messages_are_told_in_any_language(folder):
    said = Message("{:,} of {} rows {!r}", 1234, Message("{} files", 3), "x")
    found = back(folder, [said, Message("{} row", 1, plural="{} rows", context="c")])
    assert type(found[0]) is Message and found[0] == said and found[0].values == said.values
    assert (found[1].plural, found[1].context) == ("{} rows", "c")


def test_scalars_of_numpy_become_numbers(folder):
    found = back(folder, [np.int64(3), np.float32(0.5), np.bool_(True)])
    assert found == [3, 0.5, True] and [type(one) for one in found] == [int, float, bool]


@given(
    arrays.arrays(
        st.sampled_from([np.bool_, np.uint8, np.uint32, np.int64, np.float64]),
        arrays.array_shapes(max_dims=2, max_side=70),
    )
)
def test_any_array(tmp_path_factory, array):
    found = back(OwnFolder.open_path(tmp_path_factory.mktemp("value")), array[::-1])
    assert found.dtype == array.dtype and found.shape == array.shape
    np.testing.assert_array_equal(found, array[::-1])


def test_batches_of_documents(folder):
    found = back(folder, [batch(), batch(2)], READ_KINDS)
    assert found[0].texts.equals(batch().texts) and found[0].columns.equals(batch().columns)
    assert found[0].edits == batch().edits and (found[1].features.values == batch(2).features.values).all()


def test_arrays_are_mapped_aligned_and_outlive_their_file(folder):
    found = back(folder, [np.arange(5, dtype=np.uint8), np.arange(1000), pa.array(range(1000))])
    (folder.path / NAME).unlink()
    assert found[1].sum() == 499500 and not found[1].flags.writeable and found[1].flags.aligned
    assert found[2].to_numpy(zero_copy_only=True).sum() == 499500


def test_one_array_that_is_held_twice_is_written_once(folder):
    one = np.arange(10_000)
    size = write_value(folder, NAME, [one, (one, {"again": one})])
    assert size < 90_000 and (read_value(folder, NAME)[1][1]["again"] == one).all()


def test_large_values_take_no_second_copy_of_their_buffers(folder, monkeypatch):
    monkeypatch.setattr(module, "PIECE", 1 << 10)  # digested on a thread of its own
    value = [pa.array(["文字" * 500] * 100, pa.large_string()), np.arange(3000)]
    before = pa.total_allocated_bytes()
    found = back(folder, value)
    assert found[0].equals(value[0]) and pa.total_allocated_bytes() - before < 10_000


def test_objects_that_stand_elsewhere_are_named(folder):
    shared = pa.array(["x" * 10_000])
    size = write_value(folder, NAME, {"a": shared, "b": shared}, outside={id(shared): ("texts", 0)})
    assert size < 1000
    found = read_value(folder, NAME, outside={("texts", 0): shared}.__getitem__)
    assert found["a"] is shared and found["b"] is shared
    with pytest.raises(Damaged, match="not there"):
        read_value(folder, NAME)


def test_no_byte_may_differ_and_none_be_missing(folder):
    path = folder.path / NAME
    write_value(folder, NAME, {"a": np.arange(100), "b": "text"})
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(Damaged):
            read_value(folder, NAME)
    for size in (0, 1, 23, 24, 100, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(Damaged):
            read_value(folder, NAME)


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_only_a_regular_file_is_read(folder, kind):
    path = folder.path / NAME
    write_value(folder, "other.value", 1)
    if kind == "link":
        path.symlink_to(folder.path / "other.value")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(OSError, match=r"one\.value"):
        read_value(folder, NAME)


class Command:
    """What a file of somebody else could hold."""

    def __reduce__(self):
        return os.system, ("touch called",)


@dataclass
class Foreign:
    """A class that is none of ours."""

    n: int = 0


@pytest.mark.parametrize(
    "value",
    [
        Command(), Foreign(), np.testing.assert_equal, print, lambda: 0, np.array([Foreign()], object), np.array(["text"]),
        np.zeros(3, "M8[s]"), np.zeros(2, [("a", "i4")]), datetime.datetime(2026, 3, 5), {"a", "b"}, {2**70}, 1j, range(3), [[Foreign()]],
        type("Text", (str,), {})("x"),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_no_file_takes_is_refused_clearly_and_leaves_no_file(folder, value):
    with pytest.raises(Unencodable):
        write_value(folder, NAME, value, RUN_KINDS)
    assert not folder.names()


def test_what_refers_to_itself_is_refused(folder):
    value = []
    value.append(value)
    with pytest.raises(Unencodable):
        write_value(folder, NAME, value)


def former(folder, value):
    """A file of the former format: a pickle, with a digest that agrees."""
    frame = pickle.dumps(value, protocol=5)
    tail = json.dumps({"buffers": [], "pickle": [0, len(frame)]}).encode()
    body = frame + tail + len(tail).to_bytes(8, sys.byteorder)
    (folder.path / NAME).write_bytes(body + hashlib.blake2b(body, digest_size=16).digest())


def test_a_file_of_the_former_format_is_refused_and_nothing_in_it_called(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    former(folder, Command())
    with pytest.raises(Damaged, match="does not begin with the mark of its file type"):
        read_value(folder, NAME)
    assert folder.names() == [NAME]


NUMBERS = np.arange(8).tobytes()
HOSTILE = {
    "a pickle as bytes": ([], {"b": pickle.dumps(Command()).decode("latin-1")}, b"", "kept as bytes"),
    "a module": ([], {"k": ["os.system", ["touch called"]]}, b"", "kind 'os.system'"),
    "a kind of Python": ([], {"k": ["builtins", []]}, b"", "kind"),
    "an unknown tag": ([], {"x": 1}, b"", "tag 'x'"),
    "two tags": ([], {"t": [], "b": ""}, b"", "one key"),
    "no part": ([], {"n": 0}, b"", "no part 0"),
    "a negative part": ([[64, 64, "int64", [8]]], {"n": -1}, NUMBERS, "no part -1"),
    "true as a part": ([[64, 64, "int64", [8]]], {"n": False}, NUMBERS, "no part False"),
    "object elements": ([[64, 64, "object", [8]]], {"n": 0}, NUMBERS, "no array of a type"),
    "a type of NumPy": ([[64, 64, "O", [8]]], {"n": 0}, NUMBERS, "no array of a type"),
    "a record type": ([[64, 64, [["a", "O"]], [8]]], {"n": 0}, NUMBERS, "no array of a type"),
    "another length": ([[64, 64, "int64", [9]]], {"n": 0}, NUMBERS, "claims 72"),
    "a huge shape": ([[64, 64, "int64", [2**61, 2**3]]], {"n": 0}, NUMBERS, "a shape"),
    "a shape that wraps": ([[64, 64, "int64", [2**32, 2**32, 8]]], {"n": 0}, NUMBERS, "claims"),
    "a negative shape": ([[64, 64, "int64", [-8]]], {"n": 0}, NUMBERS, "a shape"),
    "a shape of floats": ([[64, 64, "int64", [8.0]]], {"n": 0}, NUMBERS, "a shape"),
    "many dimensions": ([[64, 64, "int64", [1] * 33]], {"n": 0}, NUMBERS, "no array of a type"),
    "before the file": ([[-64, 64, "int64", [8]]], {"n": 0}, NUMBERS, "outside"),
    "behind the file": ([[64, 2**62, "uint8", [2**62]]], {"n": 0}, NUMBERS, "outside"),
    "over the structure": ([[64, 72, "int64", [9]]], {"n": 0}, NUMBERS, "outside"),
    "unaligned": ([[65, 56, "int64", [7]]], {"n": 0}, NUMBERS, "outside"),
    "truth values that are none": ([[64, 64, "bool", [64]]], {"n": 0}, b"\7" * 64, "truth value"),
    "numbers as a table": ([[64, 64, "arrow"]], {"T": 0}, NUMBERS, "no table"),
    "an array as a table": ([[64, 64, "int64", [8]]], {"T": 0}, NUMBERS, "no table"),
    "parts that are none": ({}, {"n": 0}, b"", "not listed"),
    "a dictionary of lists": ([], {"d": [[[], 1]]}, b"", "the contents are damaged, or belong to another kind of file"),
    "a dictionary that is none": ([], {"d": [1]}, b"", "dictionary"),
    "another object": ([], {"@": ["../../etc/passwd", 0]}, b"", "not there"),
    "a message of attributes": ([], {"m": ["{0.__class__}", ["x"], "", ""]}, b"", "field"),
    "a message of items": ([], {"m": ["{0[0]}", ["x"], "", ""]}, b"", "field"),
    "a wide message": ([], {"m": ["{:>9999999999}", ["x"], "", ""]}, b"", "field"),
    "a message with a field of fields": ([], {"m": ["{:{}}", ["x", 99], "", ""]}, b"", "field"),
    "a float": ([], {"f": "__import__('os')"}, b"", "float"),
    "infinity": ([], b'{"parts": [], "value": Infinity}', b"", "Infinity"),
    "no JSON": ([], b"cos\nsystem\n(S'touch called'\ntR.", b"", "cannot be read"),
    "nothing": ([], b"", b"", "cannot be read"),
    "deep": ([], b'{"parts":[],"value":' + b"[" * 100_000 + b"]" * 100_000 + b"}", b"", "cannot be read"),
    "a long number": ([], b'{"parts":[],"value":' + b"9" * 100_000 + b"}", b"", "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_forged_file_is_refused_and_calls_nothing(folder, monkeypatch, name):
    monkeypatch.chdir(folder.path)
    parts, structure, data, told = HOSTILE[name]
    sealed(folder, parts, structure, data)
    if told == "kept as bytes":
        assert type(read_value(folder, NAME, RUN_KINDS)) is bytes
    else:
        with pytest.raises(Damaged, match=told):
            read_value(folder, NAME, RUN_KINDS)
    assert folder.names() == [NAME]


def forged_stream(table, **options):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as stream:
        stream.write_table(table)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("codec", ["zstd", "lz4"])
@pytest.mark.parametrize("dictionary", [False, True])
def test_compressed_buffers_are_refused_before_they_are_unpacked(folder, codec, dictionary):
    column = pa.array(["文字" * 1_000_000])
    data = forged_stream(pa.table({"a": column.dictionary_encode() if dictionary else column}), compression=codec)
    assert len(data) < 100_000
    sealed(folder, [[64, len(data), "arrow"]], {"T": 0}, data)
    before = pa.total_allocated_bytes()
    with pytest.raises(Damaged, match="compressed"):
        read_value(folder, NAME)
    assert pa.total_allocated_bytes() - before < 1_000_000


def test_offsets_of_strings_that_point_outside_are_refused(folder):
    data = forged_stream(pa.table({"a": pa.array(["abc", "def"], pa.large_string())}))
    place = data.index(np.array([0, 3, 6], np.int64).tobytes())
    for offsets in ([0, 3, 2**40], [0, -5, 6], [0, 7, 6], [2**40, 3, 6]):
        forged = data[:place] + np.array(offsets, np.int64).tobytes() + data[place + 24 :]
        sealed(folder, [[64, len(forged), "arrow"]], {"T": 0}, forged)
        for kinds in (RUN_KINDS, READ_KINDS):
            with pytest.raises(Damaged):
                read_value(folder, NAME, kinds)


FALSE_BATCHES = {
    "offsets that fall": lambda f: f.offsets.__setitem__(slice(1, 3), [4, 2]),
    "offsets outside": lambda f: f.offsets.__setitem__(-1, 2**40),
    "negative offsets": lambda f: f.offsets.__setitem__(0, -1),
}


@pytest.mark.parametrize("name", FALSE_BATCHES)
def test_features_whose_offsets_point_elsewhere_are_refused(folder, name):
    one = batch()
    FALSE_BATCHES[name](one.features)
    with pytest.raises(Damaged, match="offsets"):
        back(folder, [one], READ_KINDS)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda b: ReadBatch(b.texts.slice(1), b.features, b.columns, {}), "in place of"),
        (lambda b: ReadBatch(pa.array(["a", None, "b"], pa.large_string()), b.features, b.columns, {}), "texts"),
        (lambda b: ReadBatch(pa.array(["a", "c", "b"]), b.features, b.columns, {}), "texts"),
        (lambda b: ReadBatch(pa.array([b"\xff", b"a", b"b"], pa.large_binary()).view(pa.large_string()), b.features, b.columns, {}), "texts"),
        (lambda b: ReadBatch(b.texts, b.features, b.columns.slice(1), {}), "columns"),
        (lambda b: ReadBatch(b.texts, b.features, b.columns.drop_columns(["id"]), {}), "columns"),
        (lambda b: ReadBatch(b.texts, b.features, b.columns.set_column(0, "row", pa.array([0, -1, 2])), {}), "number"),
        (lambda b: ReadBatch(b.texts, b.features, b.columns, {7: b.edits[1]}), "number"),
        (lambda b: ReadBatch(b.texts, Features(*[b.features.high] * 2, *[b.features.low] * 2, b.features.offsets, b.features.values), b.columns, {}),
         "uint32"),
    ],
)  # fmt: skip
def test_batches_of_which_parts_do_not_agree_are_refused(folder, change, told):
    write_value(folder, NAME, [change(batch())], READ_KINDS)
    with pytest.raises(Damaged, match=told):
        read_value(folder, NAME, READ_KINDS)


@pytest.mark.parametrize("field", ["node", "first", "members", "linked_left"])
@pytest.mark.parametrize("number", [-7, 3, 2**62])
def test_classes_that_name_documents_which_are_not_there_are_refused(folder, field, number):
    values = {
        "node": np.arange(3),
        "first": np.arange(3),
        "members": np.arange(3),
        "linked_left": np.arange(2),
        "linked_right": np.arange(2),
    }
    values[field][0] = number
    with pytest.raises(Damaged, match="a number that is not"):
        back(folder, Classes(offsets=np.arange(4), **values))


def test_thousands_of_damaged_files_are_read_or_refused_and_none_takes_more_memory_than_it_has(folder):
    """Bytes are changed, cut out, doubled and put elsewhere, and the digest made to agree."""
    chance, path = random.Random(20261125), folder.path / NAME
    classes = Classes(np.arange(3), np.arange(3), np.arange(3), np.arange(4))
    table = pa.table(
        {
            "id": pa.array(["a", None, "丙"]).dictionary_encode(),
            "l": [[{"x": 1}], None, []],
            "v": pa.array(["s", "t", "u"], pa.string_view()),
        }
    )
    write_value(
        folder,
        NAME,
        ([batch(3), batch(2)], classes, table, {"a": Message("{} x", 3), "b": b"bytes", "c": {1, 2}}),
        RUN_KINDS,
    )
    whole, outcomes = path.read_bytes(), {True: 0, False: 0}
    places = list(range(len(MARK), len(whole) - 16))
    structure = whole.index(b'{"parts"')
    most = 0
    for _ in range(1500):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 2, 8))):
            at = chance.choice(places) if chance.random() < 0.6 else chance.randrange(structure, len(whole) - 16)
            match chance.randrange(5):
                case 0:
                    data[at % len(data)] ^= 1 << chance.randrange(8)
                case 1:
                    data[at % len(data)] = chance.choice(b'\0\x7f\x80\xff019-[]{},"eE.ntf')
                case 2:
                    size = chance.choice((1, 2, 4, 8))
                    data[at : at + size] = chance.choice((0, 1, 2**31, 2**63, 2**64 - 1)).to_bytes(8, "little")[:size]
                case 3:
                    del data[at : at + chance.choice((1, 8, 64))]
                case _:
                    data[at:at] = data[at : at + chance.choice((1, 8, 64))]
        path.write_bytes(resealed(bytes(data)))
        before = pa.total_allocated_bytes()
        try:
            read_value(folder, NAME, RUN_KINDS)
            outcomes[True] += 1
        except Damaged:
            outcomes[False] += 1
        most = max(most, pa.total_allocated_bytes() - before)
    assert outcomes[True] > 40 and outcomes[False] > 400
    assert most <= len(whole)


def test_numbers_and_sets_that_json_does_not_write(folder):
    found = back(folder, [math.inf, -math.inf, math.nan, -0.0])
    assert back(folder, {3, -(2**63), 2**63 - 1}) == {3, -(2**63), 2**63 - 1}
    assert found[:2] == [math.inf, -math.inf] and math.isnan(found[2]) and math.copysign(1, found[3]) == -1
