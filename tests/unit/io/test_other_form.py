"""Covers: files read as JSON lines that are one array, objects over several lines, or a table: refused with the command that converts them."""

import json

import pytest

import quchong as qc
from quchong.errors import InputError
from quchong.io.records.line_stream import LineStream
from quchong.io.records.other_form import TableGiven, check_is_lines

ROWS = [{"id": "a", "text": "今天天气很好"}, {"id": "b", "text": "明天下雨了"}]


def said(data, name="in.jsonl"):
    with pytest.raises(InputError) as raised:
        check_is_lines(data if isinstance(data, bytes) else data.encode(), name)
    return str(raised.value)


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_is_refused_with_its_format(indent):
    text = json.dumps(ROWS, ensure_ascii=False, indent=indent)
    for data in (text, text + "\n", "\n " + text):
        assert "one JSON array" in said(data) and "jq -c '.[]' in.jsonl" in said(data) and "format='json'" in said(data)
    assert "gzip -dc in.jsonl.gz | jq -c '.[]'" in said(text, "in.jsonl.gz")


def test_an_array_of_texts_is_told_with_a_key():
    assert "jq -c '.[] | {text: .}' in.jsonl" in said('["one", "two"]')


def test_objects_over_several_lines_are_refused():
    assert "jq -c . in.jsonl" in said("\n".join(json.dumps(row, indent=2) for row in ROWS))
    assert "jq -c '.data[]' in.jsonl" in said(json.dumps({"data": ROWS}, indent=2))
    long = [{"text": "x" * (1 << 19)}, *ROWS]
    assert "jq -c '.data[]' in.jsonl" in said(json.dumps({"data": long}, indent=2))
    assert "jq -c '.[]' in.jsonl" in said(json.dumps(long, indent=2))
    assert "jq -c . in.jsonl" in said(json.dumps(long[0], indent=2))


@pytest.mark.parametrize(("delimiter", "name"), [("\t", "tsv"), (",", "csv")])
def test_a_table_is_refused_with_its_format(delimiter, name):
    data = "\n".join(delimiter.join(row) for row in (("编号", "text"), ("1", "one"), ("2", "two")))
    assert f".{name}" in said(data) and f"format='{name}'" in said(data)
    with pytest.raises(TableGiven) as raised:
        check_is_lines(data.encode(), "in")
    assert raised.value.format == name


@pytest.mark.parametrize(
    "data",
    [
        '{"text": "one"}\n{\n', '{\n{"text": "one"}\n', '[\n{"text": "one"}\n', '["a", "b"]\n{"text": "one"}\n', '[{"text": "one"}]\n[{}]\n',
        "[{\n", "[", "{", "", "\n\n", '{"text": "one', "one, two\nthree, four\n", "今天\n明天\n", '[{"text": 1}\n{"text": "one"}\n',
        'a,b\n{"text": "one"}\n', '"a","b"', "1,2\n3,4\n",
    ],
)  # fmt: skip
def test_a_broken_line_alone_is_no_other_form(data):
    check_is_lines(data.encode(), "in.jsonl")


def test_a_last_line_without_its_end_is_looked_at(tmp_path):
    (tmp_path / "in.jsonl").write_text('["a", "b"]\n{"text": "one"}')
    assert qc.dedup(tmp_path / "in.jsonl").kept.num_rows == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_run_is_not_written(tmp_path, encoding):
    (tmp_path / "in.jsonl").write_bytes(json.dumps(ROWS, ensure_ascii=False, indent=1).encode(encoding))
    with pytest.raises(InputError, match="one JSON array"):
        qc.dedup(tmp_path / "in.jsonl", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert qc.dedup(tmp_path / "in.jsonl", format="json").kept.num_rows == 2


def test_a_stream_is_told_without_a_command_for_a_file():
    stream = LineStream("stdin")
    assert stream.feed(json.dumps(ROWS).encode()) is None
    with pytest.raises(InputError, match=r"convert it with jq -c '\.\[\]', or"):
        stream.finish()
    assert len(LineStream("in", blank_lines=True).feed(b'[{"a": 1},\n{"a": 2}]\n')) == 2  # lines are texts there
