"""Covers: values in files come back as they were, mapped; what is not whole or not ours is refused."""

import datetime
import pickle
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from quchong.decision.classes import Classes
from quchong.work.values import Damaged, read_value, write_value


def back(tmp_path, value):
    write_value(tmp_path / "one.value", value)
    return read_value(tmp_path / "one.value")


def test_arrays_tables_and_data_classes(tmp_path):
    table = pa.table({"id": pa.array(["a", None, "丙"], pa.large_string()), "n": [1, 2, 3], "l": [[1], None, [2, 3]]})
    classes = Classes(np.arange(3), np.arange(3), np.arange(3), np.arange(4), refuted=2)
    value = {
        "table": table, "chunks": pa.chunked_array([["a"], [], ["b"]]), "sliced": pa.array(range(100)).slice(7, 5), "classes": classes,
        "names": np.array(["rule", None], object), "empty": np.zeros(0), "when": datetime.datetime(2026, 3, 5), "none": None,
    }  # fmt: skip
    found = back(tmp_path, value)
    assert (
        found["table"].equals(table)
        and found["chunks"].equals(value["chunks"])
        and found["sliced"].to_pylist() == [7, 8, 9, 10, 11]
    )
    assert found["classes"].refuted == 2 and (found["classes"].offsets == [0, 1, 2, 3]).all()
    assert (
        found["names"].tolist() == ["rule", None]
        and len(found["empty"]) == 0
        and found["when"] == value["when"]
        and found["none"] is None
    )


@given(
    arrays.arrays(
        st.sampled_from([np.uint8, np.uint32, np.int64, np.float64]), arrays.array_shapes(max_dims=2, max_side=70)
    )
)
def test_any_array(tmp_path_factory, array):
    found = back(tmp_path_factory.mktemp("value"), array)
    assert found.dtype == array.dtype and found.shape == array.shape
    np.testing.assert_array_equal(found, array)


def test_arrays_are_mapped_aligned_and_outlive_their_file(tmp_path):
    found = back(tmp_path, [np.arange(5, dtype=np.uint8), np.arange(1000)])
    (tmp_path / "one.value").unlink()
    assert found[1].sum() == 499500 and not found[1].flags.writeable and found[1].flags.aligned


def test_objects_that_stand_elsewhere_are_named(tmp_path):
    shared = pa.array(["x" * 10_000])
    size = write_value(tmp_path / "one.value", {"a": shared, "b": shared}, {id(shared): ("texts", 0)})
    assert size < 1000
    found = read_value(tmp_path / "one.value", {("texts", 0): shared}.__getitem__)
    assert found["a"] is shared and found["b"] is shared
    with pytest.raises(Damaged, match="not there"):
        read_value(tmp_path / "one.value")


def test_no_byte_may_differ_and_none_be_missing(tmp_path):
    path = tmp_path / "one.value"
    write_value(path, {"a": np.arange(100), "b": "text"})
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(Damaged):
            read_value(path)
    for size in (0, 1, 23, 24, 100, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(Damaged):
            read_value(path)


class Command:
    """What a file of somebody else could hold."""

    def __reduce__(self):
        import os

        return os.system, ("true",)


@dataclass
class Foreign:
    """A class that is none of ours."""

    n: int = 0


@pytest.mark.parametrize(
    "value", [Command(), Foreign(), np.testing.assert_equal, print], ids=["command", "class", "of numpy", "builtin"]
)
def test_a_file_that_calls_what_no_run_writes_is_refused(tmp_path, value):
    with pytest.raises(Damaged, match="which no run writes"):
        back(tmp_path, value)


def test_what_cannot_be_written_leaves_no_file(tmp_path):
    with pytest.raises((AttributeError, pickle.PicklingError, TypeError)):
        write_value(tmp_path / "one.value", lambda: 0)
    assert not list(tmp_path.iterdir())
