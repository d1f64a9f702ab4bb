"""Objects in memory: what is accepted, what is refused, and what is written."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import InputChanged, InputError, UsageError
from quchong.io.memory_source import MemorySource, from_object
from quchong.io.source import KEEP, REMOVE, WantedColumns

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"

PLAIN = {"id": [1, 2, 3], "text": ["一", "二", "三"], "n": [0.5, None, 2.0]}


def test_strings(read):
    for data in (
        ["a", None, ""],
        ("a", None, ""),
        iter(["a", None, ""]),
        pa.array(["a", None, ""]),
        pa.chunked_array([["a", None], [""]]),
    ):
        source = from_object(data, WantedColumns())
        got = read(source)
        assert (got.texts, got.rows, got.ids, got.reasons) == (["a", ""], [0, 2], [None, None], ["text is null"])
        assert source.table.schema.names == ["text"]
        assert (source.name, source.suffix) == ("memory", ".parquet")
    assert read(from_object([], WantedColumns())).table.num_rows == 0
    assert from_object(["a"], WantedColumns(text=("body",))).table.schema.names == ["body"]


def test_dicts(read):
    data = [{"text": "a"}, {"id": 5, "text": "b", "x": 1}, {"id": "s", "text": None, "x": "y"}, {"text": "c", "x": [1]}]
    source = from_object(data, WantedColumns())
    got = read(source, WantedColumns(extra=("x",)))
    assert (got.ids, got.texts, got.reasons) == ([None, "5", None], ["a", "b", "c"], ["text is null"])
    assert got.table.column("x").to_pylist() == [None, "1", "[1]"]
    assert source.table.schema.names == ["text", "id", "x"]


def test_arrow(read):
    table = pa.table(PLAIN)
    for data in (table, table.to_batches()[0], table.to_reader(), table.slice(0)):
        got = read(from_object(data, WantedColumns()), WantedColumns(extra=("n",)))
        assert (got.ids, got.texts) == (["1", "2", "3"], PLAIN["text"])
        assert got.table.column("n").to_pylist() == PLAIN["n"]
    assert from_object(table, WantedColumns()).table is table


def test_pandas(read):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(PLAIN)
    assert read(from_object(frame, WantedColumns())).texts == PLAIN["text"]
    picked = frame[frame.id != 2]
    source = from_object(picked, WantedColumns())
    assert (read(source).ids, source.table.num_rows) == (["1", "3"], 2)
    holes = pandas.DataFrame({"text": ["a", None], "id": [1.0, float("nan")]})
    assert read(from_object(holes, WantedColumns())).ids == ["1"]


def test_polars(read):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(PLAIN)
    assert read(from_object(frame, WantedColumns())).texts == PLAIN["text"]
    assert read(from_object(frame["text"], WantedColumns())).texts == PLAIN["text"]
    assert (
        read(from_object(frame.with_columns(polars.col("text").cast(polars.Categorical)), WantedColumns())).texts
        == PLAIN["text"]
    )
    with pytest.raises(UsageError):
        from_object(frame["text"], WantedColumns(text=("a", "b")))


def test_duckdb(read):
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select 7 as id, '七' as text")
    if not hasattr(relation, "__arrow_c_stream__"):
        pytest.skip("this DuckDB hands over no stream")
    assert read(from_object(relation, WantedColumns())).ids == ["7"]


@pytest.mark.parametrize(
    "data", ["path.jsonl", b"x", 5, None, {"text": ["a"]}, [1], ["a", 2], ["a", {"text": "b"}], [{"text": 5}]]
)
def test_what_is_refused(data):
    with pytest.raises(
        UsageError,
        match=r"decode the bytes|give a path|data is missing|convert a dict of columns to a table|"
        r"convert the items to texts|dicts alone|not a str",
    ):
        from_object(data, WantedColumns())


def test_what_lacks_a_column():
    for data in ([{"title": "a"}], pa.table({"title": ["a"]})):
        with pytest.raises(InputError, match=r"no column 'text'.*'title'"):
            from_object(data, WantedColumns())
    with pytest.raises(UsageError, match=r"leave out id='docid'"):
        from_object(["a"], WantedColumns(id="docid", id_required=True))


def test_split_take_annotate_fetch(tmp_path, read):
    source = from_object(pa.table(PLAIN).replace_schema_metadata({"a": "b"}), WantedColumns())
    assert isinstance(source, MemorySource)
    read(source)
    fate = np.array([KEEP, REMOVE, KEEP], np.uint8)
    source.split(fate, tmp_path / "k" / "k.parquet", tmp_path / "r.parquet")
    kept = source.table_of(fate == KEEP)
    assert pq.read_table(tmp_path / "k" / "k.parquet").equals(kept, check_metadata=True)
    assert pq.read_table(tmp_path / "r.parquet").column("id").to_pylist() == [2]
    source.annotate(pa.table({"of": ["x", None, None]}), tmp_path / "a.parquet")
    assert pq.read_table(tmp_path / "a.parquet").column("of").to_pylist() == ["x", None, None]
    assert source.fetch([2, 0], WantedColumns()).column("text").to_pylist() == ["三", "一"]
    assert source.fingerprint() == {"name": "memory", "rows": 3}
    for act in (
        lambda: source.fetch([3], WantedColumns()),
        lambda: source.split(fate[:2], tmp_path / "k", None),
        lambda: source.annotate(pa.table({"of": ["x"]}), tmp_path / "k"),
    ):
        with pytest.raises(InputChanged):
            act()


def test_extra_that_would_collide():
    assert WantedColumns(extra=("id", "text", "a", "a")).extra == ("a",)
    for wanted in (
        {"extra": ("row",)},
        {"id": "doc", "extra": ("id",)},
        {"text": ("body",), "extra": ("text",)},
        {"text": ()},
    ):
        with pytest.raises(UsageError):
            WantedColumns(**wanted)


def test_a_lazy_frame_is_collected_and_a_dict_of_data_sets_is_told_apart():
    polars = pytest.importorskip("polars")

    class DatasetDict(dict):
        pass

    frame = polars.LazyFrame({"id": ["a", "b"], "text": ["今天天气很好", "今天天气很好"]})
    assert qc.dedup(frame).counts["read"] == 2
    both = qc.dedup(DatasetDict(train=pa.table({"text": ["x"]}), test=pa.table({"text": ["x"]})))
    assert both.counts["read"] == 2 and both.kept["split"].to_pylist() == ["train"]
    with pytest.raises(UsageError, match=r"from dict: .*pyarrow\.table\(data\)"):
        qc.dedup({"text": ["x"]})


def test_a_polars_frame_goes_in_and_its_rows_come_out(tmp_path):
    polars = pytest.importorskip("polars")
    result = qc.dedup(polars.DataFrame({"id": [1, 2], "text": [SPRING, SPRING], "more": ["x", "y"]}))
    assert result.kept["more"].to_list() == ["x"]
    result.save(tmp_path / "run")
