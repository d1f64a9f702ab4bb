"""Covers: Source.rewrite: other texts in some records, all else as it stood."""

import gzip

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from quchong.errors import UsageError
from quchong.io import MemorySource, WantedColumns, open_inputs
from quchong.io.source import Bad

NEW = '新的"文本"，\n两行'


def rewrite(path, texts, out, key="text", wanted=None, **options):
    (source,) = open_inputs([path], **options)
    bad: list[Bad] = []
    list(source.documents(wanted or WantedColumns((key,), None), bad))
    source.rewrite(texts, key, out)
    return bad


def test_json_lines_keep_every_other_byte(tmp_path):
    lines = [
        '{"id": 12345678901234567890123, "text" : "旧 \\"a\\" \\u4e2d", "x": 1.10, "y": {"text": "in"}}',
        '{"text":"same", "n":[1, 2]}\r',
        "not json",
        '{"text":"first","text":"last"}',
        '{"nested":{"text":"no"},"t":"\\\\","text":"z"}',
    ]
    path, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_bytes("\n".join(lines).encode())
    bad = rewrite(path, {0: NEW, 3: "neu", 4: ""}, out)
    assert [b.row for b in bad] == [2]
    assert out.read_bytes().decode().split("\n") == [
        '{"id": 12345678901234567890123, "text" : "新的\\"文本\\"，\\n两行", "x": 1.10, "y": {"text": "in"}}',
        lines[1],
        '{"text":"first","text":"neu"}',
        '{"nested":{"text":"no"},"t":"\\\\","text":""}',
    ]


def test_a_record_without_the_key_gets_it(tmp_path):
    path, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_text('{"html":"<p>x</p>"}\n{"text":"t"}\n')
    (source,) = open_inputs([path])
    list(source.documents(WantedColumns(("text",), None, instead="html"), []))
    source.rewrite({0: "x"}, "text", out)
    assert out.read_text() == '{"html":"<p>x</p>","text":"x"}\n{"text":"t"}\n'


def test_compressed(tmp_path):
    path, out = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text":"a"}\n{"text":"b"}\n'))
    rewrite(path, {1: "c"}, out)
    assert gzip.decompress(out.read_bytes()) == b'{"text":"a"}\n{"text":"c"}\n'


def test_csv_keeps_every_other_cell(tmp_path):
    path, out = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_bytes(b'id,text,more\r\n1,"a ""b"", c","x"\r\n2,plain,\r\n3,"z",last')
    rewrite(path, {0: NEW, 2: ""}, out)
    assert out.read_bytes().decode() == 'id,text,more\r\n1,"新的""文本""，\n两行","x"\r\n2,plain,\r\n3,,last'
    options = pacsv.ParseOptions(newlines_in_values=True)
    assert pacsv.read_csv(out, parse_options=options)["text"].to_pylist()[0] == NEW


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_columns_keep_their_types(tmp_path, kind):
    table = pa.table({"n": [1, 2, 3], "text": pa.array(["a", "b", "c"]).cast(kind), "z": [None, b"x", b"y"]})
    path, out = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(table, path)
    rewrite(path, {1: NEW}, out)
    found = pq.read_table(out)
    assert found.schema.names == table.schema.names and found["text"].to_pylist() == ["a", NEW, "c"]
    assert found.drop_columns(["text"]).equals(table.drop_columns(["text"]))
    memory = MemorySource(pa.table({"n": [1, 2, 3], "text": ["a", "b", "c"]}))
    assert memory.with_texts({0: "q"}, "text").to_pydict() == {"n": [1, 2, 3], "text": ["q", "b", "c"]}


def test_files_of_a_folder_keep_their_names(tmp_path):
    folder = tmp_path / "texts"
    (folder / "in").mkdir(parents=True)
    (folder / "a.txt").write_bytes(b"\xef\xbb\xbfalt")
    (folder / "in" / "b.txt").write_text("bleibt")
    rewrite(folder, {0: "neu"}, tmp_path / "cut.txt")
    assert (tmp_path / "cut" / "a.txt").read_bytes() == b"\xef\xbb\xbfneu"
    assert (tmp_path / "cut" / "in" / "b.txt").read_text() == "bleibt"
    (folder / "c.html").write_text("<p>page</p>")
    (source,) = open_inputs([folder], "html")
    with pytest.raises(UsageError, match="web page"):
        source.rewrite({0: "x"}, "text", tmp_path / "pages.html")
