"""Whole records as a table: read by the reader that found them, so that no value is another than in the file."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.errors import InputChanged, UsageError
from quchong.io import concat_by_name, from_object, open_inputs
from quchong.io.source import WantedColumns

BIG = 12345678901234567890123


@pytest.fixture
def table_of(tmp_path):
    def table_of(name, data, mask=None, **options):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        source = open_inputs([path])[0]
        count = sum(map(len, source.documents(WantedColumns(**options), bad := []))) + len(bad)
        return source.table_of(np.ones(count, bool) if mask is None else np.array(mask))

    return table_of


def test_integers_of_any_size_stay_as_they_are(table_of):
    lines = [{"text": "a", "n": BIG, "deep": [{"n": BIG}], "f": 1e300}, {"text": "b", "n": 1, "deep": None, "f": 2.0}]
    table = table_of("a.jsonl", "\n".join(map(json.dumps, lines)))
    assert table["n"].to_pylist() == [str(BIG), "1"]
    assert json.loads(table["deep"][0].as_py()) == [{"n": BIG}]
    assert table["f"].to_pylist() == [1e300, 2.0]
    assert table_of("b.jsonl", json.dumps({"text": "a", "n": 2**53 + 1}))["n"].to_pylist() == [2**53 + 1]


def test_cells_of_any_length_and_names_that_stand_twice(table_of):
    long = "长" * 200_000
    table = table_of("a.csv", f'id,text,n,n\n1,{long},x,y\n2,"b ""c""\nd",,\n')
    assert table.column_names == ["id", "text", "n", "n"]
    assert [column.to_pylist() for column in table.columns] == [["1", "2"], [long, 'b "c"\nd'], ["x", ""], ["y", ""]]


def test_a_cell_is_cut_where_the_first_reader_cuts_it(table_of):
    """Python's own parser takes a lone carriage return for a line end, and a quote within a field for an error or none."""
    table = table_of("a.csv", 'text,n\na\rb,1\n"so"called,2\nx"y,3\n')
    assert table["text"].to_pylist() == ["a\rb", "socalled", 'x"y']


def test_only_records_chosen(table_of):
    lines = b'{"text": "a", "x": 1}\nnot json\n\n{"text": "b", "y": NaN}\r\n{"text": "c"}'
    table = table_of("a.jsonl.gz", gzip.compress(lines, mtime=0), [True, False, False, True])
    assert table.to_pylist() == [{"text": "a", "x": 1}, {"text": "c", "x": None}]
    assert table_of("b.csv", "text\na\nb\n", [False, False]).to_pydict() == {"text": []}
    assert table_of("c.txt", "some text", [True]).to_pydict() == {"path": ["c.txt"]}


def test_a_file_that_changed_is_said_to_have(tmp_path):
    (tmp_path / "a.csv").write_text("text\na\nb\n")
    source = open_inputs([tmp_path / "a.csv"])[0]
    with pytest.raises(InputChanged):
        source.table_of(np.ones(3, bool))


@pytest.mark.parametrize(
    "line", ['{"text": "a", "id": %s1%s}', '{"text": "a", "id": 123456789012345678901234, "x": %s%s}']
)
@pytest.mark.parametrize("depth", [900, 1000, 1020])
def test_nesting_as_deep_as_the_parser_takes_it(table_of, line, depth):
    table = table_of("a.jsonl", line % ("[" * depth, "]" * depth))
    assert table.num_rows == 1


def test_kept_of_files_is_what_the_files_hold(tmp_path):
    cell = "x" * 140_000
    (tmp_path / "a.csv").write_text(f"id,text,n,n\n1,{cell},1,2\n2,{cell},3,4\n3,other words here,5,6\n")
    kept = qc.dedup(tmp_path / "a.csv").kept
    assert kept.column_names == ["id", "text", "n", "n"] and kept["text"].to_pylist() == [cell, "other words here"]
    (tmp_path / "b.jsonl").write_text(f'{{"text": "a b c", "n": {BIG}}}\n{{"text": "d e f", "n": 1}}\n')
    assert qc.dedup(tmp_path / "b.jsonl").kept["n"].to_pylist() == [str(BIG), "1"]


def test_tables_of_unlike_types_together():
    tables = [
        pa.table({"text": ["a"], "n": [1], "m": [1]}),
        pa.table({"text": ["b"], "n": ["x"], "k": [[1]]}),
        pa.table({"text": ["c"], "m": [2.5], "k": ["y"]}),
    ]
    assert concat_by_name(tables).to_pylist() == [
        {"text": "a", "n": "1", "m": 1.0, "k": None},
        {"text": "b", "n": "x", "m": None, "k": "[1]"},
        {"text": "c", "n": None, "m": 2.5, "k": "y"},
    ]
    twice = pa.table([pa.array([1]), pa.array([2])], names=["n", "n"])
    assert concat_by_name([twice, twice]).num_rows == 2 and concat_by_name([]).num_rows == 0
    with pytest.raises(UsageError, match="two columns named 'n'"):
        concat_by_name([twice, tables[0]])


def test_in_memory_the_table_itself():
    table = pa.table({"text": ["a", "b", "c"], "n": pa.array(["x", "y", "z"], pa.string_view())})
    assert from_object(table, WantedColumns()).table_of(np.array([True, False, True]))["n"].to_pylist() == ["x", "z"]
