"""CSV and TSV: where records end, what a bad one costs, and that rows go out byte for byte."""

from __future__ import annotations

import csv
import io

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.errors import InputChanged, InputError
from quchong.io.records.csv_fields import fields
from quchong.io.records.csv_file import CsvFile
from quchong.io.source import KEEP, REMOVE, WantedColumns


@pytest.fixture
def cells(tmp_path):
    def cells(raw: bytes, block_bytes: int = 1 << 24, **options) -> CsvFile:
        path = tmp_path / "in.csv"
        path.write_bytes(raw)
        return CsvFile(path, "in.csv", ".csv", None, block_bytes, **options)

    return cells


def test_quotes_line_feeds_and_crlf(cells, read):
    source = cells(b'id,text,n\r\n1,"a, ""b""\r\nc",x\r\n\r\n2,\xe4\xbd\xa0,"y"\r\n3,"",z')
    got = read(source, WantedColumns(extra=("n", "m")))
    assert (got.ids, got.texts, got.bad) == (["1", "2", "3"], ['a, "b"\r\nc', "你", ""], [])
    assert got.table.column("n").to_pylist() == ["x", "y", "z"]
    assert got.table.column("m").to_pylist() == [None] * 3


def test_splits_byte_for_byte(tmp_path, cells, read):
    rows = [b'1,"a\nb"\n', b"2,c\r\n", b'3,"d""e"\n', b'4,five" pipe\n', b"5,last"]
    source = cells(b"\xef\xbb\xbfid,text\r\n" + b"".join(rows[:2]) + b"\r\n\n" + b"".join(rows[2:]))
    assert read(source).ids == ["1", "2", "3", "4", "5"]
    source.split(np.array([1, 0, 0, 1, 0], np.uint8), tmp_path / "k", tmp_path / "r")
    assert (tmp_path / "k").read_bytes() == b"\xef\xbb\xbfid,text\r\n" + rows[1] + rows[2] + rows[4]
    assert (tmp_path / "r").read_bytes() == b"\xef\xbb\xbfid,text\r\n" + rows[0] + rows[3]


def test_compressed(tmp_path, read):
    path = tmp_path / "in.csv.gz"
    with pa.output_stream(str(path), compression="gzip") as file:
        file.write(b"id,text\n1,a\n2,b\n")
    source = CsvFile(path, "in", ".csv.gz", "gzip")
    assert read(source).texts == ["a", "b"]
    source.split(np.array([1, 0], np.uint8), tmp_path / "k.gz", None)
    with pa.input_stream(str(tmp_path / "k.gz"), compression="gzip") as file:
        assert file.read() == b"id,text\n2,b\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"9,a,b,c,d", "5 fields, but the header has 3"),
        (b"9", "1 field, but the header has 3"),
        (b'9,"open,x', "unclosed quote"),
        (b'9,a,"', "unclosed quote"),
        (b"9,\xc4\xe3,x", "invalid UTF-8 at byte 3; if the file has another encoding, give that encoding"),
        (b"9,a,\xff", "invalid UTF-8 at byte 5"),
    ],
)
@pytest.mark.parametrize("after", [b"", b'3,"c",z\n', b'3,"c\nd",z\n4,e,f\n', b'3,"",z\n'])
def test_a_bad_record_costs_only_itself(cells, read, line, reason, after):
    head, before = b"id,text,n\n", b'1,a,x\n2,"b\n""b",y\n'
    whole = read(cells(head + before + after))
    for size in (3, 1 << 24):
        got = read(cells(head + before + line + b"\n" + after, size))
        assert got.texts == whole.texts
        assert [(one.row, one.line, one.raw) for one in got.bad] == [(2, 5, line)]
        assert got.bad[0].reason.startswith(reason)


def test_a_quote_left_open_for_too_long(cells, read):
    raw = b'id,text\n1,"open\n' + b'2,""\n' * 50 + b"3,c\n"
    got = read(cells(raw, 40, longest_quoted=60))
    assert (len(got.texts), got.reasons) == (51, ["unclosed quote"])
    assert read(cells(raw)).texts == got.texts
    closed = b'id,text\n1,"' + b"line\n" * 30 + b'end"\n3,c\n'
    for size in (8, 1 << 24):
        assert read(cells(closed, size)).texts == ["line\n" * 30 + "end", "c"]
        got = read(cells(closed, size, longest_quoted=100))
        assert got.texts == ["c"] and got.bad[0].raw == b'1,"line' and len(got.bad) == 31
    wide = b'id,text\n1,"' + b"wide" * 100 + b'"\n'
    assert len(read(cells(wide, longest_quoted=100)).texts) == 1


def test_lenient_quotes(cells, read):
    assert read(cells(b'id,text\n1,"so"called\n2,5" pipe\n3,a "b" c\n')).texts == ["socalled", '5" pipe', 'a "b" c']


def test_a_lone_carriage_return_is_text(cells, read):
    assert read(cells(b'id,text\n1,a\rb\n2,"c\rd"\n')).texts == ["a\rb", "c\rd"]


@pytest.mark.parametrize(("sign", "delimiter"), [(b"\t", b"\t"), (b";", b","), (b"\t", b",")])
def test_delimiters(tmp_path, cells, read, sign, delimiter):
    source = cells(sign.join([b"id", b"text"]) + b"\n" + sign.join([b"1", b'"a,b;c\td"']) + b"\n", delimiter=delimiter)
    assert read(source).texts == ["a,b;c\td"]
    source.annotate(pa.table({"n": ["x" + sign.decode()]}), tmp_path / "out")
    assert (tmp_path / "out").read_bytes().endswith(b'"a,b;c\td"' + sign + b'"x' + sign + b'"\n')


def test_header_faults(cells, read):
    cases = [
        (b"", "is empty"), (b"\n\r\n", "is empty"), (b"\xef\xbb\xbf", "is empty"),
        (b"id,title\n1,a\n", r"no column 'text'; it has these columns: 'id', 'title'.*text='(COLUMN|KEY)'"),
        (b"text,text\n1,a\n", "2 columns named 'text'"), (b"\xff\xfe\x00\x00,text\n", "is empty|UTF-16|UTF-32"),
        (b'id,"text\n1,a\n', "the header has a quote that is not closed: close it"), ("id,标题\n".encode("utf-16"), "no column 'text'; it has these columns: 'id', '标题'"),
        ("id,标题\n".encode("gbk"), "no column 'text'; it has these columns: 'id', '标题'"), (b"id,\xff\n", "header cannot be read: invalid UTF-8 at byte 4"),
    ]  # fmt: skip
    for raw, message in cases:
        with pytest.raises(InputError, match=message):
            read(cells(raw))
    with pytest.raises(InputError, match=r"id='(COLUMN|KEY)'"):
        read(cells(b"text\na\n"), WantedColumns(id="docid", id_required=True))


def test_header_forms(tmp_path, cells, read):
    assert read(cells(b"\n\xe6\x96\x87,id", 2), WantedColumns(text=("文",))).table.num_rows == 0
    source = cells(b'\xef\xbb\xbf"id","te\nxt"\n1,a\n', 2)
    got = read(source, WantedColumns(text=("te\nxt",)))
    assert got.texts == ["a"]
    source.split(np.zeros(1, np.uint8), tmp_path / "k", tmp_path / "r")
    assert (tmp_path / "k").read_bytes() == b'\xef\xbb\xbf"id","te\nxt"\n1,a\n'
    assert (tmp_path / "r").read_bytes() == b'\xef\xbb\xbf"id","te\nxt"\n'


def test_lines_are_counted_through_quotes_and_blanks(cells, read):
    got = read(cells(b'id,text\n\n1,"a\nb"\nbad\n\r\n2,c\nworse\n', 4))
    assert [(one.row, one.line) for one in got.bad] == [(1, 5), (3, 8)]


@pytest.mark.parametrize("spoiler", [b"", b"x\n"])
def test_empty_cells(cells, read, spoiler):
    source = cells(b"id,text,title,n\n,a,T,1\n2,,,\n" + spoiler)
    got = read(source, WantedColumns(extra=("n",)))
    assert (got.ids, got.texts, got.table.column("n").to_pylist()) == ([None, "2"], ["a", ""], ["1", None])
    assert read(source, WantedColumns(text=("title", "text"))).texts == ["T\n\u1160\na", ""]
    assert read(source, WantedColumns(id_required=True)).reasons[0] == "id is empty"


def test_fetch_and_annotate(tmp_path, cells, read):
    source = cells(b'id,text\r\n1,"a\nb"\r\nbad\r\n3,c', 5)
    read(source)
    assert source.fetch([2, 1, 0], WantedColumns()).column("id").to_pylist() == ["3", "1"]
    source.annotate(pa.table({"of,": ['x"y', None, "z"], "score": [1.5, None, None]}), tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b'id,text,"of,",score\r\n1,"a\nb","x""y",1.5\r\n3,c,z,'
    with pytest.raises(InputChanged):
        source.split(np.zeros(2, np.uint8), tmp_path / "k", None)


def test_fields():
    assert fields(b"", b",") == [b""]
    assert fields(b'"",a"b,"x,""y""",', b",") == [b"", b'a"b', b'x,"y"', b""]


value = st.text(st.sampled_from('a\n\r",;\t 好'), max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    table=st.lists(st.tuples(value, value), max_size=8),
    size=st.sampled_from([1, 6, 1 << 24]),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_csv_writes_is_read_back(tmp_path_factory, table, size, quoting, end):
    path, out = tmp_path_factory.mktemp("any") / "in.csv", io.StringIO()
    if end == "\n":  # Python leaves a carriage return unquoted then
        table = [(text.replace("\r", ""), n.replace("\r", "")) for text, n in table]
    writer = csv.writer(out, quoting=quoting, lineterminator=end)
    writer.writerow(["text", "n"])
    writer.writerows(table)
    path.write_bytes(out.getvalue().encode())
    source, bad = CsvFile(path, "in", ".csv", None, size), []
    got = pa.Table.from_batches(list(source.documents(WantedColumns(extra=("n",)), bad)))
    assert bad == []
    assert got.column("text").to_pylist() == [text for text, _ in table]
    assert got.column("n").to_pylist() == [n or None for _, n in table]
    source.split(np.zeros(len(table), np.uint8), path.with_name("k"), None)
    assert path.with_name("k").read_bytes() == path.read_bytes()


@settings(max_examples=100, deadline=None)
@given(
    raw=st.lists(st.sampled_from([b'"', b"a", b",", b"\n", b"\r\n", b'""', b"\xff"]), max_size=30).map(b"".join),
    data=st.data(),
)
def test_any_bytes_are_covered_once_whatever_the_blocks(tmp_path_factory, raw, data):
    path = tmp_path_factory.mktemp("any") / "in.csv"
    path.write_bytes(b"text,n\n" + raw)
    seen = []
    for size in (1, 4, 1 << 24):
        source, bad = CsvFile(path, "in", ".csv", None, size), []
        table = pa.Table.from_batches(list(source.documents(WantedColumns(), bad)))
        rows = table.column("row").to_pylist()
        assert sorted(rows + [one.row for one in bad]) == list(range(len(rows) + len(bad)))
        seen.append((table.to_pylist(), bad))
    assert seen[0] == seen[1] == seen[2]
    count = len(rows) + len(bad)
    fate = np.array(data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count)), np.uint8)
    sides = path.with_name("k"), path.with_name("r")
    source.split(fate, *sides)
    everything = (
        source.split(np.zeros(count, np.uint8), path.with_name("all"), None) or path.with_name("all").read_bytes()
    )
    pieces = []
    for row in range(count):
        alone = np.full(count, 2, np.uint8)
        alone[row] = KEEP
        source.split(alone, path.with_name("one"), None)
        pieces.append(path.with_name("one").read_bytes().removeprefix(b"text,n\n"))
    assert everything == b"text,n\n" + b"".join(pieces)
    for side, value in zip(sides, (KEEP, REMOVE), strict=True):
        assert side.read_bytes() == b"text,n\n" + b"".join(
            piece for piece, one in zip(pieces, fate, strict=True) if one == value
        )
    for one in bad:
        assert pieces[one.row].removesuffix(b"\n").removesuffix(b"\r") == one.raw


def test_a_byte_order_mark_that_begins_a_block_belongs_to_its_cell(tmp_path, read):
    """The last record has no line ending, so it is a block of its own."""
    (tmp_path / "a.csv").write_bytes("text\na\n\ufeffb".encode())
    assert read(CsvFile(tmp_path / "a.csv", "a.csv", ".csv")).texts == ["a", "\ufeffb"]


def test_a_blank_text_gives_way_to_the_page_in_fetch_too(tmp_path, read):
    (tmp_path / "a.csv").write_bytes(b'text,html\n" ",<p>x\n\t,\n')
    source, wanted = CsvFile(tmp_path / "a.csv", "a.csv", ".csv"), WantedColumns(instead="html")
    assert read(source, wanted).texts == ["", "\t"] == source.fetch([0, 1], wanted)["text"].to_pylist()


def test_a_file_that_was_annotated_is_not_annotated_again(tmp_path):
    (tmp_path / "in.csv").write_text("id,text\na,one and two\nb,three\n", "utf-8")
    qc.dedup(tmp_path / "in.csv", recall_sample=0).save(tmp_path / "run", mode="annotate")
    with pytest.raises(InputError, match=r"annotated\.csv already has the columns quchong_fate, "):
        qc.dedup(tmp_path / "run" / "annotated.csv", recall_sample=0).save(tmp_path / "again", mode="annotate")
    assert not (tmp_path / "again").exists()
