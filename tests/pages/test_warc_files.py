"""Covers: WARC files as sources: records, packings, what is broken, copies byte for byte. Run: pytest tests/pages/test_warc_files.py."""

import gzip
import io
import random
import zlib
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from fastwarc.warc import ArchiveIterator
from page_files import answer, crawl, info, members, packed, page, record, request

from quchong.errors import InputChanged, InputError
from quchong.io import KEEP, REMOVE, WantedColumns, open_inputs
from quchong.io.warc import records as warc_records
from quchong.io.warc.file import RAW_BYTES
from quchong.io.warc.http_body import PAGE_BYTES

WANTED = WantedColumns(extra=("url", "content_type", "crawl_time", "record_id", "title"), instead="html")
URL = "http://example.com/a"


@pytest.fixture
def opened(tmp_path):
    def opened(data, name="x.warc"):
        (tmp_path / name).write_bytes(data)
        return open_inputs([tmp_path / name])[0]

    return opened


def brotli(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "brotli") as pack:
        pack.write(data)
    return sink.getvalue().to_pybytes()


def framed(records, codec):
    out = []
    for one in records:
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, codec) as pack:
            pack.write(one)
        out.append(sink.getvalue().to_pybytes())
    return b"".join(out)


def chunked(body, size=100):
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


PACKINGS = {
    ".warc": b"".join,
    ".warc.gz": packed,
    ".warc.zst": lambda records: framed(records, "zstd"),
    ".warc.lz4": lambda records: framed(records, "lz4"),
}


@pytest.mark.parametrize("suffix", PACKINGS)
def test_pages_of_a_crawl(opened, read, suffix):
    source = opened(PACKINGS[suffix](crawl()), "x" + suffix)
    rows, bad = read(source, WANTED)
    assert not bad and source.suffix == suffix
    assert [row["id"] for row in rows] == [f"http://site{n % 2}.example.com/{n}.html" for n in range(6)]
    assert [row["html"] for row in rows] == [page(1 if n % 3 == 1 else n) for n in range(6)]
    first = rows[0] | {"html": b""}
    assert first == {
        "row": 0, "id": "http://site0.example.com/0.html", "text": "", "url": "http://site0.example.com/0.html", "title": None,
        "content_type": "text/html; charset=utf-8", "crawl_time": "2026-03-01T00:00:00Z",
        "record_id": "<urn:uuid:00000000000000000000000000000000>", "html": b"",
    }  # fmt: skip


NO_PAGES = {
    "redirect": answer(b"<html>", URL, status=301),
    "not found": answer(b"<html>", URL, status=404),
    "picture": answer(b"\x89PNG", URL, media="image/png"),
    "plain text": answer(b"text", URL, media="text/plain"),
    "no type, no page": answer(b"%PDF-1.4", URL, media=None),
    "resource": record("resource", b"\x89PNG", URL, media="image/png"),
    "revisit": record("revisit", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", URL),
    "dns": record("response", b"20260301\r\nexample.com. 1 IN A 1.2.3.4\r\n", "dns:example.com", media="text/dns"),
    "unknown": record("strange", b"<html>", URL, media="text/html"),
    "empty": record("metadata", b"", URL),
}


@pytest.mark.parametrize("name", NO_PAGES)
def test_records_that_are_no_documents_are_counted_nowhere_and_kept(opened, read, tmp_path, name):
    data = packed([NO_PAGES[name]])
    source = opened(data, "x.warc.gz")
    assert read(source) == ([], [])
    source.split(np.zeros(0, np.uint8), tmp_path / "kept.warc.gz", tmp_path / "removed.warc.gz")
    assert (tmp_path / "kept.warc.gz").read_bytes() == data
    assert (tmp_path / "removed.warc.gz").read_bytes() == b""


BODIES = {
    "plain": ("", lambda b: b),
    "gzip": ("Content-Encoding: gzip\r\n", gzip.compress),
    "x-gzip, members": ("Content-Encoding: x-gzip\r\n", lambda b: gzip.compress(b[:99]) + gzip.compress(b[99:])),
    "deflate": ("Content-Encoding: deflate\r\n", zlib.compress),
    "raw deflate": ("Content-Encoding: deflate\r\n", lambda b: zlib.compress(b)[2:-4]),
    "brotli": ("Content-Encoding: br\r\n", brotli),
    "zstd": ("Content-Encoding: zstd\r\n", lambda b: framed([b], "zstd")),
    "twice": ("Content-Encoding: deflate, gzip\r\n", lambda b: gzip.compress(zlib.compress(b))),
    "chunked": ("Transfer-Encoding: chunked\r\n", chunked),
    "chunked gzip": ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", lambda b: chunked(gzip.compress(b))),
    "chunks without the last": ("Transfer-Encoding: chunked\r\n", lambda b: chunked(b)[:-5]),
    "said to be gzip": ("Content-Encoding: gzip\r\n", lambda b: b),
    "said to be deflate": ("Content-Encoding: deflate\r\n", lambda b: b),
    "said to be brotli": ("Content-Encoding: br\r\n", lambda b: b),
    "said to be chunked": ("Transfer-Encoding: chunked\r\n", lambda b: b),
    "UTF-8 as an encoding": ("Content-Encoding: UTF-8\r\n", lambda b: b),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies_are_unpacked(opened, read, name):
    headers, pack = BODIES[name]
    rows, bad = read(opened(answer(pack(page(1)), URL, headers=headers)))
    assert [row["html"] for row in rows] == [page(1)] and not bad


def test_pages_that_do_not_say_so(opened, read):
    data = [answer(page(1), URL, media=None), record("resource", page(2), "file:///b", 1, media="text/html"),
            answer("﻿<!-- x --><HTML>".encode(), URL, 2, media=None), answer(page(3), URL, 3, media="application/xhtml+xml")]  # fmt: skip
    rows, bad = read(opened(b"".join(data)))
    assert [row["id"] for row in rows] == [URL, "file:///b", URL, URL] and not bad


def test_line_ends_folded_fields_and_addresses_as_they_are_met_with(opened, read):
    block = b"HTTP/1.1 200 OK\nContent-Type:\n text/html\nX: y\n\n" + page(1)
    head = f"WARC/0.18\nwarc-type: Response\nWARC-Target-URI: <{URL}>\nContent-Length: {len(block)}\n\n".encode()
    rows, bad = read(opened(head + block + b"\n" + b"\r\n" * 5 + info()))
    assert [(row["id"], row["html"]) for row in rows] == [(URL, page(1))] and not bad
    rows, _ = read(opened(answer(page(1), None, 7)), WANTED)
    assert [(row["id"], row["url"]) for row in rows] == [("<urn:uuid:00000000000000000000000000000007>", None)]


BOMB = b"<html>" + b"a" * (PAGE_BYTES + 1)
BROKEN = {
    "gzip bomb": (lambda: answer(gzip.compress(BOMB), URL, headers="Content-Encoding: gzip\r\n"), "would have more than 64 MiB"),
    "deflate bomb": (lambda: answer(zlib.compress(BOMB), URL, headers="Content-Encoding: deflate\r\n"), "would have more than 64 MiB"),
    "brotli bomb": (lambda: answer(brotli(BOMB), URL, headers="Content-Encoding: br\r\n"), "would have more than 64 MiB"),
    "bomb in a bomb": (
        lambda: answer(gzip.compress(gzip.compress(BOMB)), URL, headers="Content-Encoding: gzip, gzip\r\n"),
        "would have more than 64 MiB",
    ),
    "large page": (lambda: answer(BOMB, URL), "larger than 64 MiB are not read"),
    "broken gzip": (
        lambda: answer(gzip.compress(page(1))[:40] + b"x" * 400, URL, headers="Content-Encoding: gzip\r\n"),
        "damaged gzip",
    ),
    "clipped gzip": (lambda: answer(gzip.compress(page(1), mtime=0)[:-99], URL, headers="Content-Encoding: gzip\r\n"), "truncated gzip"),
    "damaged brotli": (lambda: answer(b"\xff" * 99, URL, headers="Content-Encoding: br\r\n"), "damaged brotli"),
    "broken chunks": (lambda: answer(chunked(page(1))[:150] + b"?", URL, headers="Transfer-Encoding: chunked\r\n"), "broken chunks"),
    "unknown encoding": (lambda: answer(b"\x01\x02", URL, headers="Content-Encoding: sdch\r\n"), "'sdch' is not supported"),
    "no head": (lambda: record("response", b"<html>", URL), "without an HTTP head"),
}  # fmt: skip


@pytest.mark.parametrize("suffix", [".warc", ".warc.gz"])
@pytest.mark.parametrize("name", BROKEN)
def test_a_page_that_cannot_be_read_costs_only_itself_in_bounded_work(opened, read, tmp_path, work, name, suffix):
    make, reason = BROKEN[name]
    before, broken, after = answer(page(1), URL + "1"), make(), answer(page(2), URL + "2", 2)
    pack = PACKINGS[suffix]
    source = opened(pack([before, broken, after]), "x" + suffix)
    with work() as done:
        rows, bad = read(source)
    assert done.calls < 1_000_000  # 220,000 with what is imported; a bomb read byte by byte takes 67 million
    assert [row["row"] for row in rows] == [0, 2]
    assert [one.row for one in bad] == [1] and reason in bad[0].reason and bad[0].reason.startswith(URL)
    [(row, line, raw)] = source.whole_records([1])
    assert (row, line) == (1, None)
    assert raw == (pack([broken]) if len(pack([broken])) <= RAW_BYTES else b"")
    source.split(np.array([KEEP, 2, REMOVE], np.uint8), tmp_path / "k", tmp_path / "r")
    assert (tmp_path / "k").read_bytes() == pack([before])
    assert (tmp_path / "r").read_bytes() == pack([after])


def test_the_crawler_says_that_it_stopped(opened, read):
    cut = gzip.compress(page(1, title="一" * 3000 + "".join(map(chr, range(0x4E00, 0x5E00)))))[:2000]
    clipped = "WARC-Truncated: length\r\n"
    data = [answer(cut, URL, headers="Content-Encoding: gzip\r\n", more=clipped),
            answer(chunked(page(1), 300)[:250], URL, 1, headers="Transfer-Encoding: chunked\r\n", more=clipped)]  # fmt: skip
    rows, bad = read(opened(b"".join(data)))
    assert [row["html"][:20] for row in rows] == [page(1)[:20]] * 2 and not bad
    assert len(rows[1]["html"]) < 250


def damage(data, at, how):
    if how == "flipped":
        return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
    return data[:at] + (b"garbage" * 30 if how == "inserted" else b"") + data[at + (40 if how == "cut" else 0) :]


@pytest.mark.parametrize("how", ["flipped", "inserted", "cut"])
@pytest.mark.parametrize("suffix", [".warc.gz", ".warc.zst", ".warc.lz4"])
def test_damaged_members_cost_only_themselves(opened, read, tmp_path, suffix, how):
    """Wherever a member is damaged, all others come out, and nothing is lost."""
    records = [answer(page(n), f"{URL}{n}", n) for n in range(5)]
    parts = [PACKINGS[suffix]([one]) for one in records]
    starts = np.cumsum([0, *map(len, parts)])
    rng = random.Random(1)
    whole = b"".join(parts)
    for _ in range(12):
        at = rng.randrange(int(starts[2]) + 8, int(starts[3]) - 48)
        data = damage(whole, at, how)
        source = opened(data, "x" + suffix)
        rows, bad = read(source)
        ids = [row["id"] for row in rows]
        others = [f"{URL}{n}" for n in (0, 1, 3, 4)]
        assert [one for one in ids if one in others] == others, (at, bad)
        pieces = {row: raw for row, _, raw in source.whole_records(range(len(rows) + len(bad)))}
        assert b"".join(pieces[row] for row in sorted(pieces)) == data
        fate = np.full(len(pieces), KEEP, np.uint8)
        source.split(fate, tmp_path / "k", tmp_path / "r")
        assert (tmp_path / "k").read_bytes() == b"".join(pieces[row["row"]] for row in rows)


@pytest.mark.parametrize("how", ["too long", "too short", "none", "no number", "huge", "negative"])
@pytest.mark.parametrize("suffix", PACKINGS)
def test_wrong_lengths_cost_only_themselves(opened, read, suffix, how):
    wrong = {
        "too long": b"99999",
        "too short": b"50",
        "none": b"",
        "no number": b"12x",
        "huge": b"9" * 30,
        "negative": b"-5",
    }[how]
    records = [answer(page(n), f"{URL}{n}", n) for n in range(4)]
    head, _, rest = records[1].partition(b"Content-Length: ")
    records[1] = head + (b"Content-Length: " + wrong if wrong else b"X: 1") + rest[rest.index(b"\r\n") :]
    source = opened(PACKINGS[suffix](records), "x" + suffix)
    rows, bad = read(source)
    assert [row["id"] for row in rows] == [f"{URL}{n}" for n in (0, 2, 3)]
    assert [one.row for one in bad] == [1] and bad[0].reason.startswith(f"{URL}1: ")
    assert [raw for *_, raw in source.whole_records([1])] == [PACKINGS[suffix]([records[1]])]


@pytest.mark.parametrize(("many", "one_member"), [(4_000, False), (200, True), (4_000, True)])
def test_many_broken_records_cost_no_more_than_their_number(opened, read, work, many, one_member):
    """Whether their head is broken, or their length leads to the end of the file; in one member at most so many are looked behind."""
    wrong = [
        record("response", b"x", f"{URL}{n}").replace(
            b"Content-Length: 1", (b"Content-Length: 1x", b"Content-Length: 99999999")[n % 2]
        )
        for n in range(many)
    ]
    data = [*wrong[: many // 2], answer(page(1), URL), *wrong[many // 2 :]]
    source = opened(gzip.compress(b"".join(data)) if one_member else packed(data), "x.warc.gz")
    with work() as done:
        rows, bad = read(source)
    assert done.calls < 500 * many + 10_000
    if not one_member or many < 1000:
        assert [row["row"] for row in rows] == [many // 2] and len(bad) == many
    else:
        assert 100 < len(bad) <= many


@pytest.mark.parametrize("suffix", PACKINGS)
def test_clipped_anywhere(opened, read, suffix):
    """A file that ends anywhere has the pages before, and at most one broken record."""
    records = [answer(page(n, title="x"), f"{URL}{n}", n) for n in range(3)]
    parts = [PACKINGS[suffix]([one]) for one in records]
    data, ends = b"".join(parts), np.cumsum([len(part) for part in parts])
    for size in [*range(0, 60), *range(60, len(data), 37)]:
        source = opened(data[:size], "x" + suffix)
        if 0 < size < 60:
            try:
                read(source)
            except InputError as error:
                assert "is not a WARC file" in str(error)
            continue
        rows, bad = read(source)
        whole = int((ends <= size).sum())
        assert len(rows) - whole in (0, 1)  # a plain one may lack nothing but the blank lines after it
        assert len(bad) <= 1
        assert len(rows) + len(bad) >= whole


def test_garbage_between_records(opened, read):
    data = answer(page(1), URL + "1") + b"what is this?\r\n" + answer(page(2), URL + "2")
    rows, bad = read(opened(data))
    assert [row["id"] for row in rows] == [
        URL + "2"
    ] and "the next record does not begin where this record ends by its Content-Length" in bad[0].reason
    rows, bad = read(opened(b"junk\n" + answer(page(1), URL)))
    assert [row["id"] for row in rows] == [URL] and "no WARC record begins at this byte" in bad[0].reason
    for n, gap in enumerate([b"\0" * 5000, b"\r\n" * 3]):
        rows, bad = read(opened(packed([answer(page(1), URL)]) + (gap if not n else gzip.compress(gap)), "x.warc.gz"))
        assert len(rows) == 1 and not bad


def test_a_record_of_nearly_nothing_packed(opened, read, work, tmp_path, monkeypatch):
    """Of 256 MiB of zeros in 256 kB, 16 are unpacked, and they are not held; no page, they are kept byte for byte."""
    monkeypatch.setattr(warc_records, "SKIPPED", 16 << 20)
    size = 256 << 20
    pack, parts = zlib.compressobj(9, zlib.DEFLATED, 31), []
    for kind in (b"text/html", b"image/png"):
        pack = zlib.compressobj(1, zlib.DEFLATED, 31)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n" % kind
        out = [pack.compress(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://bomb/\r\nContent-Type: application/http\r\n"
                             b"Content-Length: %d\r\n\r\n%s" % (size, head))]  # fmt: skip
        block = b"\0" * (1 << 24)
        out += [pack.compress(block) for _ in range(size >> 24)]
        parts.append(b"".join([*out, pack.flush()]))
    source = opened(parts[0] + packed([answer(page(1), URL)]) + parts[1] + packed([answer(page(2), URL)]), "x.warc.gz")
    with work() as done:
        rows, bad = read(source)
    assert done.calls < 100_000
    assert [row["row"] for row in rows] == [1, 2]
    assert len(bad) == 1 and "compressed to almost nothing" in bad[0].reason
    source.split(np.array([2, KEEP, REMOVE], np.uint8), tmp_path / "k", None)
    assert (tmp_path / "k").read_bytes() == packed([answer(page(1), URL)]) + parts[1]


def test_split_writes_what_any_reader_reads(opened, read, tmp_path):
    records = crawl(12)
    data = packed(records)
    source = opened(data, "x.warc.gz")
    rows, _ = read(source)
    fate = np.array([REMOVE if n % 3 == 1 and n > 1 else KEEP for n in range(len(rows))], np.uint8)
    source.split(fate, tmp_path / "kept.warc.gz", tmp_path / "removed.warc.gz")
    kept, removed = ((tmp_path / f"{side}.warc.gz").read_bytes() for side in ("kept", "removed"))
    assert sorted(members(kept) + members(removed)) == sorted(members(data))
    gone = [packed([records[2 + 2 * n]]) for n in range(12) if fate[n] == REMOVE]
    assert members(removed) == gone and members(kept) == [one for one in members(data) if one not in gone]
    theirs = [record.headers.get("WARC-Target-URI") for record in ArchiveIterator(io.BytesIO(removed))]
    assert theirs == [row["id"] for row, how in zip(rows, fate, strict=True) if how == REMOVE]
    again, _ = read(open_inputs([tmp_path / "kept.warc.gz"])[0])
    assert [(row["id"], row["html"]) for row in again] == [
        (row["id"], row["html"]) for row, how in zip(rows, fate, strict=True) if how == KEEP
    ]
    assert source.table_of(fate == REMOVE)["url"].to_pylist() == theirs


@pytest.mark.parametrize("suffix", [".warc.gz", ".warc.zst", ".warc.lz4"])
def test_records_that_share_a_member_get_their_own(opened, read, tmp_path, suffix):
    """Also one that begins in one member and ends in the next."""
    flow = b"".join(crawl(9))
    cut = len(flow) // 2 + 7
    source = opened(PACKINGS[suffix]([flow[:cut], flow[cut:]]), "x" + suffix)
    rows, bad = read(source)
    assert len(rows) == 9 and not bad
    fate = np.array([n % 2 for n in range(9)], np.uint8)
    source.split(fate, tmp_path / ("k" + suffix), tmp_path / ("r" + suffix))
    for side, how in (("k", KEEP), ("r", REMOVE)):
        again, _ = read(open_inputs([tmp_path / (side + suffix)])[0])
        assert [row["id"] for row in again] == [row["id"] for row, one in zip(rows, fate, strict=True) if one == how]
    if suffix != ".warc.zst":  # which FastWARC reads only of late
        kept = io.BytesIO((tmp_path / ("k" + suffix)).read_bytes())
        theirs = [one.headers.get("WARC-Record-ID") for one in ArchiveIterator(kept, parse_http=False)]
        assert len(theirs) == 10 + 5
    assert source.fetch([7, 2], WANTED)["html"].to_pylist() == [rows[7]["html"], rows[2]["html"]]
    assert [raw for *_, raw in source.whole_records([3])] == [crawl(9)[8]]


def test_the_same_pages_as_fastwarc_finds(opened, read):
    source = opened(packed(crawl(20)), "x.warc.gz")
    theirs = [
        (record.headers.get("WARC-Target-URI"), record.reader.read())
        for record in ArchiveIterator(io.BytesIO(packed(crawl(20))))
        if record.http_headers is not None and getattr(record.http_headers, "status_code", None) == 200
    ]
    assert [(row["id"], row["html"]) for row in read(source)[0]] == theirs


def test_the_packing_is_told_by_the_bytes(opened, read):
    for data, name, suffix in ((packed(crawl()), "x.warc", ".warc.gz"), (b"".join(crawl()), "x.warc.gz", ".warc")):
        source = opened(data, name)
        assert source.suffix == suffix and len(read(source)[0]) == 6


def test_what_is_no_warc(opened, read, tmp_path):
    for data, name in ((b"<html>", "a.warc"), (gzip.compress(b"<html>"), "a.warc.gz"), (b"\xff" * 9999, "b.warc.gz")):
        with pytest.raises(InputError, match=r"is not a WARC file"):
            read(opened(data, name))
    assert read(opened(b"", "empty.warc")) == ([], [])
    with pytest.raises(InputError, match=r"is an ARC file.*warcio recompress c\.arc\.gz c\.warc\.gz"):
        opened(b"filedesc://", "c.arc.gz")
    source = opened(b"\x5d\x2a\x4d\x18\0\0\0\0" + framed(crawl(), "zstd"), "d.warc.zst")
    with pytest.raises(InputError, match="the file is compressed with a zstd dictionary of its own"):
        read(source)


def test_ids(opened, read):
    source = opened(b"".join(crawl(2)))
    rows, _ = read(source, WantedColumns(id="record_id", id_required=True, instead="html"))
    assert [row["id"] for row in rows] == [f"<urn:uuid:{n:032d}>" for n in range(2)]
    with pytest.raises(InputError, match="no column 'nr'; it has these columns: id, url, record_id"):
        read(source, WantedColumns(id="nr", id_required=True, instead="html"))


def test_annotate(opened, read, tmp_path):
    source = opened(packed([*crawl(3), answer(b"\xff", URL, 9, headers="Content-Encoding: br\r\n")]), "x.warc.gz")
    read(source)
    source.annotate(pa.table({"note": ["a", "b", "c", "d"]}), tmp_path / "notes.csv")
    lines = (tmp_path / "notes.csv").read_text().splitlines()
    assert lines[0] == '"url","record_id","note"' and len(lines) == 4
    assert lines[1] == '"http://site0.example.com/0.html","<urn:uuid:00000000000000000000000000000000>","a"'


def test_a_file_that_changed(opened, read, tmp_path):
    source = opened(packed(crawl()), "x.warc.gz")
    read(source)
    with pytest.raises(InputChanged, match="contains 6 pages, but contained 5 at the first reading"):
        source.split(np.zeros(5, np.uint8), tmp_path / "k", None)
    (tmp_path / "x.warc.gz").write_bytes(packed(crawl(3)))
    for change in (
        lambda: source.split(np.zeros(6, np.uint8), tmp_path / "k", None),
        lambda: source.fetch([0], WANTED),
        lambda: source.annotate(pa.table({"n": range(6)}), tmp_path / "n.csv"),
    ):
        with pytest.raises(InputChanged):
            change()


def test_requests_are_kept_beside_a_removed_page(opened, read, tmp_path):
    records = [request(URL, 1), answer(page(1), URL, 2)]
    source = opened(b"".join(records))
    read(source)
    source.split(np.array([REMOVE], np.uint8), tmp_path / "k", tmp_path / "r")
    assert (tmp_path / "k").read_bytes() == records[0] and (tmp_path / "r").read_bytes() == records[1]


FLOW = b"".join(crawl(6))
WHOLE = {
    "plain": ("x.warc", FLOW),
    "gzip": ("x.warc.gz", packed(crawl(6))),
    "one member": ("x.warc.gz", gzip.compress(FLOW)),
    "two members": ("x.warc.gz", packed([FLOW[:3000], FLOW[3000:]])),
    "lz4": ("x.warc.lz4", framed(crawl(6), "lz4")),
    "zstd": ("x.warc.zst", framed(crawl(6), "zstd")),
}


@pytest.mark.parametrize("form", WHOLE)
def test_whatever_is_changed_nothing_is_lost(opened, read, tmp_path, form):
    """Bytes changed, left out, doubled, marks put in: records end where the next begins, and come out again as they were."""
    name, whole = WHOLE[form]
    rng = random.Random(form)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 6)):
            at, size = rng.randrange(len(data)), rng.randint(1, 300)
            marks = [b"\r\n\r\n", b"WARC/1.0", b"\nWARC/1.0\r\nA: b", b"99999999", b"\x1f\x8b\x08"]
            how = rng.choice(["byte", "less", "more", "mark"])
            if how == "byte":
                data[at] = rng.randrange(256)
            elif how == "less":
                del data[at : at + size]
            elif how == "more":
                data[at:at] = data[rng.randrange(len(data)) :][:size]
            else:
                data[at : at + 8] = rng.choice(marks)
        source = opened(bytes(data), name)
        try:
            rows, bad = read(source)
        except InputError as error:
            assert "is not a WARC file" in str(error)
            continue
        total = len(rows) + len(bad)
        assert sorted([row["row"] for row in rows] + [one.row for one in bad]) == list(range(total))
        assert len(list(source.whole_records(range(total)))) == total
        fate = np.array([n % 2 for n in range(total)], np.uint8)
        source.split(fate, tmp_path / "k", tmp_path / "r")
        again = source.fetch([row["row"] for row in rows], WantedColumns(instead="html"))
        assert again["html"].to_pylist() == [row["html"] for row in rows]
        places = [source._index.place(at) for at in range(len(source._index.row))]
        if places and all(place.alone for place in places):
            assert places[0].start == 0
            assert all(one.end == other.start for one, other in pairwise(places))
            assert not bytes(data[places[-1].end :]).strip(b"\0")
