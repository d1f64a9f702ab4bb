"""JSON lines: what is read, what is refused, and that the rows go out byte for byte."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import lzma
import os
import resource

import numpy as np
import orjson
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quchong.errors import InputChanged, InputError
from quchong.io.open import open_inputs
from quchong.io.records import json_reader, json_values, reader
from quchong.io.records.jsonl import JsonLines
from quchong.io.source import BAD, KEEP, REMOVE, WantedColumns
from quchong.tables import DOCUMENTS


@pytest.fixture
def lines(tmp_path):
    def lines(*rows: bytes, end: bytes = b"\n", block_bytes: int = 1 << 24) -> JsonLines:
        path = tmp_path / "in.jsonl"
        path.write_bytes(b"".join(row + end for row in rows))
        return JsonLines(path, "in.jsonl", ".jsonl", None, block_bytes)

    return lines


def test_documents_of_good_lines(lines, read):
    got = read(
        lines(b'{"id":"a","text":"\xe4\xbd\xa0"}', b'{"text":"x\\ny","other":[1,{"a":2}]}', b'{"id":null,"text":""}')
    )
    assert (got.rows, got.ids, got.texts, got.bad) == ([0, 1, 2], ["a", None, None], ["你", "x\ny", ""], [])
    assert got.table.schema.equals(DOCUMENTS)


def test_an_empty_file_has_no_documents_but_a_batch(lines, read):
    for source in (lines(), lines(b"", b"  ", b"\r"), lines(b"\xef\xbb\xbf", end=b"")):
        got = read(source, WantedColumns(extra=("a",)))
        assert (got.table.num_rows, got.bad, got.batches) == (0, [], 1)
        assert got.table.schema.names == ["row", "id", "text", "a"]


@pytest.mark.parametrize("spoiler", [False, True], ids=["at once", "one by one"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("7", "7"), ("-0", "0"), ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("3.0", "3"), ("1e3", "1000"), ("1e20", "100000000000000000000"), ("2.5", None), ("true", None), ("[1]", None),
        ('"x y"', "x y"), ('""', ""), ("null", None), ('{"a":1}', None),
    ],
)  # fmt: skip
def test_ids(lines, read, value, expected, spoiler):
    rows = [b'{"id":%s,"text":"t"}' % value.encode()] + [b"broken"] * spoiler
    got = read(lines(*rows))
    assert got.ids == [expected]
    strict = read(lines(*rows), WantedColumns(id_required=True))
    assert strict.ids == ([] if expected is None else [expected])
    assert len(strict.bad) == spoiler + (expected is None)


def test_mixed_ids_in_one_file(lines, read):
    assert read(lines(b'{"id":1,"text":"a"}', b'{"id":"b","text":"a"}', b'{"text":"a"}')).ids == ["1", "b", None]


def test_no_ids_asked_for(lines, read):
    assert read(lines(b'{"id":1,"text":"a"}'), WantedColumns(id=None)).ids == [None]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"text":"a"', "broken JSON: "),
        (b'{"text":"a"}{"text":"b"}', "broken JSON: "),
        (b'{"text":"a"} x', "broken JSON: "),
        (b'["a"]', "not an object"),
        (b'"a"', "not an object"),
        (b"12", "not an object"),
        (b'{"txt":"a"}', "no key 'text'"),
        (b"{}", "no key 'text'"),
        (b'{"text":null}', "text is null"),
        (b'{"text":5}', "text is a number, not a string"),
        (b'{"text":true}', "text is true or false, not a string"),
        (b'{"text":["a",5]}', "text[] is a number, not a string"),
        (b'{"text":{"a":"b"}}', "text is an object, not a string"),
        (b'{"text":"\\ud800"}', "broken JSON: a string has only half of a surrogate pair, at column 10"),
        (b'{"text":"a","x":"\\udc00"}', "broken JSON: a string has only half of a surrogate pair, at column 18"),
        (b'{"text":"a\0b"}', "broken JSON: there is a NUL at byte 11"),
        (b'{"text":"a\x01b"}', "broken JSON: "),
        (
            b'{"text":"\xc4\xe3\xba\xc3"}',
            "invalid UTF-8 at byte 10; if the file is GB18030, convert it with iconv -f GB18030",
        ),
        (b'{"text":"a","x":"\xff"}', "invalid UTF-8 at byte 18"),
        (b'{"text":"a","x":tru}', "broken JSON: "),
    ],
)
def test_a_bad_line_costs_only_itself(lines, read, line, reason):
    good = '{"id":"1","text":"好的一行"}'.encode()
    got = read(lines(good, b"", line, good))
    assert got.rows == [0, 2]
    assert [(one.source, one.row, one.line, one.raw) for one in got.bad] == [("in.jsonl", 1, 3, line)]
    assert got.bad[0].reason.startswith(reason)


def test_two_objects_on_a_line_and_one_on_two_lines(lines, read):
    got = read(lines(b'{"text":"a"}{"text":"b"}', b'{"text":', b'"c"}'))
    assert got.texts == [] and [one.line for one in got.bad] == [1, 2, 3]
    got = read(lines(b'{"text":"a","b":{}', b'{"text":"b"}', b'{"text":"c"}{"text":"d"}'))
    assert got.texts == ["b"] and [one.row for one in got.bad] == [0, 2]


@pytest.mark.parametrize("spoiler", [False, True])
def test_what_python_writes_is_read(lines, read, spoiler):
    rows = [
        b'{"text":"a","score":NaN}',
        b'{"text":"b","score":-Infinity}',
        b'{"text":"n\\u0000l"}',
        b'{"text":"a","text":"c"}',
    ]
    assert read(lines(*rows, *[b"{"] * spoiler)).texts == ["a", "b", "n\0l", "c"]


def test_byte_order_mark_and_crlf(tmp_path, lines, read):
    source = lines(b'\xef\xbb\xbf{"id":"1","text":"a"}', b'{"id":"2","text":"b"}', b"", end=b"\r\n")
    assert read(source).ids == ["1", "2"]
    source.split(np.array([REMOVE, KEEP], np.uint8), tmp_path / "k", tmp_path / "r")
    assert (tmp_path / "k").read_bytes() == b'\xef\xbb\xbf{"id":"2","text":"b"}\r\n'
    assert (tmp_path / "r").read_bytes() == b'\xef\xbb\xbf{"id":"1","text":"a"}\r\n'


def test_utf16_is_read(lines, read):
    assert read(lines('{"text":"a"}\n'.encode("utf-16"), end=b"")).texts == ["a"]


@pytest.mark.parametrize("spoiler", [False, True], ids=["at once", "one by one"])
def test_several_texts(lines, read, spoiler):
    rows = [b'{"title":"T","body":"B"}', b'{"title":null,"body":"B"}', b'{"title":"T"}']
    got = read(
        lines(*rows, *[b'{"title":null}', b'{"title":1,"body":"B"}'] * spoiler), WantedColumns(text=("title", "body"))
    )
    assert got.texts == ["T\n\u1160\nB", "B", "T"]
    assert got.reasons == ["title is null", "title is a number, not a string"] * spoiler


@pytest.mark.parametrize("spoiler", [False, True], ids=["at once", "one by one"])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (['"2024-01-02T03:04:05Z"', "null"], ["2024-01-02T03:04:05Z", None]),
        (["1", "-2"], ["1", "-2"]),
        (["0.5", "2.0", "1e300", "1e17"], ["0.5", "2", "1e+300", "1e+17"]),
        (["1.5", "3"], ["1.5", "3"]),
        (["3", "1.5"], ["3", "1.5"]),
        (["true", "false"], ["true", "false"]),
        (["[1, 2]", '{"a":"b"}', "1"], ["[1,2]", '{"a":"b"}', "1"]),
        (["NaN", "1.5"], [None, "1.5"]),
    ],
)
def test_extra_columns_are_strings(lines, read, values, expected, spoiler):
    rows = [b'{"text":"t","x":%s}' % value.encode() for value in values]
    got = read(lines(*rows, *[b"x"] * spoiler), WantedColumns(extra=("x", "y")))
    assert got.table.column("x").to_pylist() == expected
    assert got.table.column("y").to_pylist() == [None] * len(values)
    assert got.table.schema.field("x").type == pa.large_string()


def test_a_key_that_nobody_has_is_an_error_of_the_file(lines, read):
    rows = [b'{"content":"a","title":"b"}'] * 3
    with pytest.raises(InputError, match=r"'text'.*'content', 'title'.*text='content'"):
        read(lines(*rows))
    with pytest.raises(InputError, match=r"'text'"):
        read(lines(*rows * 400, b'{"text":"late"}', block_bytes=100))
    with pytest.raises(InputError, match=r"'docid'.*id='(COLUMN|KEY)'"):
        read(lines(b'{"text":"a"}'), WantedColumns(id="docid", id_required=True))
    assert read(lines(*rows, b'{"text":"a"}')).texts == ["a"]
    assert len(read(lines(*rows * 333, b'{"text":"last of the thousand"}')).bad) == 999


def test_blocks_do_not_show(lines, read):
    rows = [orjson.dumps({"id": n, "text": "好" * (n % 50)}) for n in range(300)]
    rows[7:7] = [b"", b"broken", b"\t"]
    rows[200] = b'{"text":"\xff"}'
    whole = read(lines(*rows))
    for size in (1, 7, 64, 1000):
        parts = read(lines(*rows, block_bytes=size))
        assert parts.table.equals(whole.table) and parts.bad == whole.bad


def test_fetch(lines, read):
    rows = [orjson.dumps({"id": n, "text": f"t{n}"}) for n in range(50)]
    rows[3] = b"bad"
    source = lines(*rows, block_bytes=64)
    read(source)
    got = source.fetch([40, 3, 2, 40], WantedColumns())
    assert got.column("id").to_pylist() == ["40", "2", "40"]
    assert source.fetch([], WantedColumns()).num_rows == 0
    with pytest.raises(InputChanged):
        source.fetch([50], WantedColumns())


def test_fingerprint(lines, read):
    source = lines(b'{"text":"a"}', b'{"text":"b"}')
    raw = b'{"text":"a"}\n{"text":"b"}\n'
    expected = {"name": "in.jsonl", "bytes": len(raw), "blake2b": hashlib.blake2b(raw, digest_size=16).hexdigest()}
    assert source.fingerprint() == expected
    read(source)
    assert source.fingerprint() == expected
    next(source.documents(WantedColumns(), []))
    assert source.fingerprint() == expected


@pytest.mark.parametrize("what", ["split", "annotate", "fetch"])
@pytest.mark.parametrize("how", ["longer", "touched", "gone"])
def test_a_file_that_changed(tmp_path, lines, read, what, how):
    source = lines(b'{"text":"a"}')
    read(source)
    path = tmp_path / "in.jsonl"
    if how == "longer":
        path.write_bytes(path.read_bytes() * 2)
    elif how == "touched":
        os.utime(path, ns=(1, 1))
    else:
        path.unlink()
    acts = {
        "split": lambda: source.split(np.zeros(1, np.uint8), tmp_path / "k", None),
        "annotate": lambda: source.annotate(pa.table({"a": ["x"]}), tmp_path / "k"),
        "fetch": lambda: source.fetch([0], WantedColumns()),
    }
    with pytest.raises(InputChanged, match="again"):
        acts[what]()


def test_fates_of_another_file(tmp_path, lines, read):
    source = lines(b'{"text":"a"}', b'{"text":"a"}')
    for count in (0, 1, 3):
        with pytest.raises(InputChanged, match="2 records"):
            source.split(np.zeros(count, np.uint8), tmp_path / "k", tmp_path / "r")


@pytest.mark.parametrize(("suffix", "codec"), [("", None), (".gz", "gzip"), (".zst", "zstd"), (".bz2", "bz2")])
@pytest.mark.parametrize("last", [b"\n", b""])
def test_kept_and_removed_are_the_input(tmp_path, read, suffix, codec, last):
    rows = [
        orjson.dumps({"id": n, "text": f"文本 {n}" * 9}) + b"\r\n" * (n % 3 == 0) + b"\n" * (n % 3 > 0)
        for n in range(99)
    ]
    rows.append(b'{"text": "last"}' + last)
    path = tmp_path / f"in.jsonl{suffix}"
    with pa.output_stream(str(path), compression=codec) as file:
        file.write(b"".join(rows))
    source = JsonLines(path, path.name, f".jsonl{suffix}", codec, 500)
    assert read(source).table.num_rows == 100
    raw = path.read_bytes()
    assert source.fingerprint()["blake2b"] == hashlib.blake2b(raw, digest_size=16).hexdigest()
    fate = np.random.default_rng(1).integers(0, 3, 100).astype(np.uint8)
    kept, removed = tmp_path / "deep" / "er" / f"kept.jsonl{suffix}", tmp_path / f"removed.jsonl{suffix}"
    source.split(fate, kept, removed)
    for side, value in ((kept, KEEP), (removed, REMOVE)):
        with pa.input_stream(str(side), compression=codec) as file:
            assert file.read() == b"".join(row for row, one in zip(rows, fate, strict=True) if one == value)
    again = tmp_path / f"again{suffix}"
    source.split(fate, again, None)
    assert again.read_bytes() == kept.read_bytes()


def test_compressed_files_of_several_members(tmp_path, read):
    one, two = b'{"text":"a"}\n{"te', b'xt":"b"}\n'
    packers = ((".gz", "gzip", gzip.compress), (".bz2", "bz2", bz2.compress), (".xz", "xz", lzma.compress))
    for suffix, codec, pack in packers:
        path = tmp_path / f"in.jsonl{suffix}"
        path.write_bytes(pack(one) + pack(two))
        assert read(JsonLines(path, "in", suffix, codec)).texts == ["a", "b"]


@pytest.mark.parametrize(("suffix", "codec"), [(".gz", "gzip"), (".zst", "zstd"), (".bz2", "bz2")])
def test_damaged_compressed_files(tmp_path, read, suffix, codec):
    path = tmp_path / f"in.jsonl{suffix}"
    path.write_bytes(b'{"text":"this was never packed"}\n' * 50)
    with pytest.raises(InputError, match=r"in\.jsonl.*cannot be read"):
        read(JsonLines(path, "in", suffix, codec))
    with pa.output_stream(str(path), compression=codec) as file:
        file.write(os.urandom(3000).hex().encode())
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(InputError, match=r"in\.jsonl.*cannot be read"):
        read(JsonLines(path, "in", suffix, codec))


def test_xz(tmp_path, read):
    path, raw = tmp_path / "in.jsonl.xz", b'{"text":"a"}\n{"text":"b"}\n'
    path.write_bytes(lzma.compress(raw))
    (source,) = open_inputs([path])
    assert read(source).texts == ["a", "b"] and source.expected() == 2
    source.split(np.array([KEEP, REMOVE], np.uint8), tmp_path / "kept.jsonl.xz", None)
    assert lzma.decompress((tmp_path / "kept.jsonl.xz").read_bytes()) == b'{"text":"a"}\n'
    for damaged in (path.read_bytes()[:-20], b"\xfd7zXZ\0" + b"x" * 80):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"in\.jsonl\.xz cannot be read"):
            read(open_inputs([path])[0])
    large = b"".join(b'{"text":"%d"}\n' % (number**7) for number in range(90_000))
    path.write_bytes(lzma.compress(large, preset=0)[:-20])
    with pytest.raises(InputError, match=r"in\.jsonl\.xz cannot be read"):
        read(open_inputs([path])[0])
    (tmp_path / "in.jsonl").write_bytes(lzma.compress(raw))
    with pytest.raises(InputError, match="is xz data, not jsonl"):
        open_inputs([tmp_path / "in.jsonl"])


def test_annotate(tmp_path, lines, read):
    source = lines(b'{"text":"a" , "id":1 } ', b"", b"{}", b'  {"text":"b"}', b'{"text":"c"}\r', block_bytes=20)
    read(source)
    notes = pa.table({"of": ["x", None, "\"'", None], "score": [0.5, None, None, 1.0]})
    source.annotate(notes, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == (
        b'{"text":"a" , "id":1 ,"of":"x","score":0.5} \n'
        b'  {"text":"b","of":"\\"\'","score":null}\n'
        b'{"text":"c","of":null,"score":1.0}\r\n'
    )
    fresh = lines(b'{"text":"a"}', b"bad", b'{"text":"b"}')
    fresh.annotate(pa.table({"n": [1, None, 2]}), tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == b'{"text":"a","n":1}\n{"text":"b","n":2}\n'
    with pytest.raises(InputChanged):
        fresh.annotate(pa.table({"n": [1]}), tmp_path / "out.jsonl")


def test_annotate_an_empty_object(tmp_path, lines):
    lines(b"{ }").annotate(pa.table({"n": ["v"]}), tmp_path / "out")
    assert json.loads((tmp_path / "out").read_bytes()) == {"n": "v"}


@pytest.mark.parametrize("broken", [False, True])
def test_one_line_longer_than_many_blocks(tmp_path, read, broken):
    path = tmp_path / "in.jsonl"
    long = '{"id":"long","text":"' + "长文本" * 3_400_000 + '"}'
    with path.open("wb") as file:
        file.write(b'{"id":"1","text":"a"}\n' + long.encode() + b"}" * broken + b'\n{"id":"3","text":"c"}\n')
    source = JsonLines(path, "in", ".jsonl", None, 1 << 20)
    got = read(source)
    assert got.ids == (["1", "3"] if broken else ["1", "long", "3"])
    assert [one.line for one in got.bad] == [2] * broken
    source.split(np.array([KEEP, BAD if broken else KEEP, KEEP], np.uint8), tmp_path / "k", None)
    if not broken:
        assert (tmp_path / "k").read_bytes() == path.read_bytes()


def test_a_record_too_long_for_arrow_is_read_alone(lines, read, monkeypatch):
    monkeypatch.setattr(json_reader, "_ALONE_BYTES", 100)
    assert read(lines(orjson.dumps({"id": 4, "text": "长" * 90}))).texts == ["长" * 90]


piece = st.sampled_from(
    [b'{"text":"a"}', b'{"id":1,"text":"b"}', b'{"id":"x","text":"\xe4\xbd\xa0"}', b"{", b"}", b'"', b" ", b"\r", b"\t",
     b"\0", b"\xff", b"[]", b"null", b'{"text":null}', b'{"text":1}', b"\xef\xbb\xbf", b'{"a":{}', b'{"te']
)  # fmt: skip
any_line = st.one_of(
    st.lists(piece, max_size=3).map(b"".join), st.binary(max_size=12).map(lambda b: b.replace(b"\n", b""))
)


@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(any_line, max_size=12), last=st.booleans(), size=st.sampled_from([1, 5, 30, 1 << 24]), data=st.data()
)
def test_every_line_is_covered_once_and_splits_exactly(tmp_path_factory, rows, last, size, data):
    raw = b"\n".join(rows) + b"\n" * (last and bool(rows))
    path = tmp_path_factory.mktemp("any") / "in.jsonl"
    path.write_bytes(raw)
    source, bad = JsonLines(path, "in", ".jsonl", None, size), []
    mark = b"\xef\xbb\xbf" * raw.startswith(b"\xef\xbb\xbf")
    records = [line + b"\n" for line in raw[len(mark) :].split(b"\n")]
    records[-1] = records[-1][:-1]
    numbered = [(number, line) for number, line in enumerate(records, 1) if line.strip(b" \t\r\n")]
    try:
        good = [row for batch in source.documents(WantedColumns(), bad) for row in batch.column("row").to_pylist()]
    except InputError as error:
        assert "text='KEY'" in str(error) or "UTF-16" in str(error)
        return
    assert sorted(good + [one.row for one in bad]) == list(range(len(numbered)))
    for one in bad:
        number, line = numbered[one.row]
        assert (one.line, one.raw) == (number, line.removesuffix(b"\n").removesuffix(b"\r"))
    for row in good:
        line = numbered[row][1]
        assert isinstance(json.loads(line), dict)
    fate = data.draw(st.lists(st.integers(0, 2), min_size=len(numbered), max_size=len(numbered)))
    kept, removed = path.with_name("k"), path.with_name("r")
    source.split(np.array(fate, np.uint8), kept, removed)
    for side, value in ((kept, KEEP), (removed, REMOVE)):
        chosen = [line for one, (_, line) in zip(fate, numbered, strict=True) if one == value]
        assert side.read_bytes() == mark + b"".join(chosen)


def test_memory_of_a_long_line(tmp_path, read):
    """A record of 60 MB costs about four times itself, however small the blocks are."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"text":"' + "长".encode() * 20_000_000 + b'"}\n')
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert read(JsonLines(path, "in", ".jsonl", None, 1 << 20)).table.num_rows == 1
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) * 1024 < 4.5 * path.stat().st_size


def test_a_machine_without_another_thread_reads_all_the_same(lines, read, monkeypatch):
    def no_thread(*_args, **_options):
        raise pa.ArrowException("Unknown error: Failed to launch worker thread: Resource temporarily unavailable")

    rows = (b'{"id":"a","text":"one"}', b'{"id":"b","text":2}', b'{"id":"c","text":"three"}')
    before = read(lines(*rows))
    monkeypatch.setattr(json_reader.pj, "read_json", no_thread)
    got = read(lines(*rows))
    assert (got.rows, got.ids, got.texts, got.bad) == (before.rows, before.ids, before.texts, before.bad)
    assert got.ids == ["a", "c"]


def test_a_line_there_is_no_memory_for_is_no_bad_record(lines, read, monkeypatch):
    def no_memory(_raw):
        raise orjson.JSONDecodeError("Not enough memory to allocate buffer for parsing", "", 0)

    monkeypatch.setattr(json_values.orjson, "loads", no_memory)
    with pytest.raises(MemoryError, match="Not enough memory"):
        read(lines(b'{"id":"a","text":"one"}', b'{"id":"b","text":2}'))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([b'{"id":1,"text":"a","t":"x"}', b'{"id":"z","text":"b"}', b"bad", b'{"id":2,"text":5}', b""]),
        max_size=9,
    ),
    st.integers(1, 4),
)
def test_records_read_one_by_one_some_at_a_time_are_the_same(tmp_path_factory, rows, piece):
    """Half a million small records of a block are not all objects of Python at once."""
    path = tmp_path_factory.mktemp("pieces") / "in.jsonl"
    path.write_bytes(b"".join(row + b"\n" for row in [*rows, b'{"id":7,"text":"last"}', b"bad"]))
    found = []
    for size in (piece, 1 << 14):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reader, "PIECE", size)
            bad = []
            batches = list(JsonLines(path, "in.jsonl", ".jsonl").documents(WantedColumns(id="id", extra=("t",)), bad))
        found.append(([(batch.to_pylist(), batch.schema.to_string()) for batch in batches], bad))
    assert found[0] == found[1]
