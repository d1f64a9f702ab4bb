"""What the fuzzer of readers throws: files of every format, made or taken from samples and then damaged, and tables in memory.

Everything follows from the seed of a `random.Random` and the samples, so an input is told by seed and number.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

WORDS = [
    "今天天气很好，", "我们去公园散步。", "網頁去重與軟體", "abc ", "Hello, http://a.example. ", "3.5%", "−5", "é", "e\u0301",
    "\u0301" * 9, "😀", "𠮷",
    "\u202e", "\x1b[31m", "\u2028", "\x0b", "\ufeff", "\x00", "\r", "\n", "\t", ",", '"', '""', "'", ";", "\\", "x" * 300, " ", "　", "",
]  # fmt: skip
VALUES = [
    "[" * 50 + "]" * 50, '"' + "长" * 40 + '"',
    "null", "true", "1", "-0", "1.5", "1e300", "1e999", "NaN", "-Infinity", "12345678901234567890123", "9007199254740993", "[]",
    "{}",
    '[[["a"]]]', '{"a":{"b":[1,2.5,null]}}', '"\\ud800"', '"\\u0000"', '"2026-03-05"', '"99999-01-01"',
]  # fmt: skip
KEYS = ["id", "text", "html", "url", "time", "source", "n", "", "text", "标题", "a\\u0062", "title"]
LARGE = [0, 1, -1, 2, 7, 2**15, 2**16 - 1, 2**31 - 1, -(2**31), 2**31, 2**32 - 1, 2**40, 2**60, 2**63 - 1, -(2**63)]


@dataclass
class Samples:
    """Real files to begin from beside the made ones; empty where there are none."""

    lines: list[bytes] = field(default_factory=list)
    pages: list[bytes] = field(default_factory=list)
    warcs: list[bytes] = field(default_factory=list)

    @classmethod
    def of(cls, *folders: Path | None) -> Samples:
        """Short records, pages and archives below these folders, the same on every machine that has them."""
        found = cls()
        for folder in folders:
            if folder is None:
                continue
            for path in sorted(folder.rglob("*")):
                if path.name.endswith(".jsonl"):
                    with path.open("rb") as file:
                        found.lines += [line for _, line in zip(range(40), file, strict=False) if len(line) < 1500]
                elif path.name.endswith("pages.jsonl.gz"):
                    with gzip.open(path) as packed:
                        records = [json.loads(line) for _, line in zip(range(20), packed, strict=False)]
                    pages = [str(one.get("html", "")).encode() for one in records]
                    found.pages += [page for page in pages if 0 < len(page) < 30_000]
                elif path.suffix in (".html", ".htm") and path.stat().st_size < 30_000:
                    found.pages.append(path.read_bytes())
                elif ".warc" in path.name and path.stat().st_size < 30_000:
                    found.warcs.append(path.read_bytes())
        return found


def words(dice: random.Random, most: int = 6) -> str:
    """A short text of pieces that matter to some reader."""
    return "".join(dice.choices(WORDS, k=dice.randrange(most + 1)))


def damaged(dice: random.Random, data: bytes, pieces: Sequence[bytes] = ()) -> bytes:
    """The bytes with some changed, cut, doubled, or pieces of the format put between them."""
    out = bytearray(data)
    for _ in range(dice.choice([1, 1, 1, 2, 3, 8])):
        at, what = dice.randrange(len(out) + 1), dice.randrange(8)
        if what == 0:
            out[at : at + 1] = bytes([dice.randrange(256)])
        elif what == 1 and at < len(out):
            out[at] ^= 1 << dice.randrange(8)
        elif what == 2:
            width = dice.choice([2, 4, 8])
            out[at : at + width] = (dice.choice([*LARGE, len(out)]) & (256**width - 1)).to_bytes(width, "little")
        elif what == 3:
            del out[at : at + dice.choice([1, 2, 5, 40, 400])]
        elif what == 4:
            out[at:at] = out[at : at + dice.choice([1, 8, 60, 300])]
        elif what == 5 and dice.random() < 0.3:
            del out[at:]
        elif pieces:
            out[at:at] = dice.choice(pieces)
        else:
            out[at:at] = dice.randbytes(dice.randrange(1, 9))
    return bytes(out)


def json_array(dice: random.Random, samples: Samples) -> bytes:
    """Lines of JSON as an array, on one line or several, damaged or not."""
    rows = [line for line in json_lines(dice, samples).splitlines() if line.strip()][: dice.randrange(1, 40)]
    between = dice.choice([b",", b", ", b",\n", b",\r\n  "])
    data = (
        dice.choice([b"[", b"[\n  ", b"\xef\xbb\xbf["])
        + between.join(rows)
        + dice.choice([b"]", b"\n]\n", b"", b"] more"])
    )
    return damaged(dice, data) if dice.random() < 0.5 else data


def json_lines(dice: random.Random, samples: Samples) -> bytes:
    """Records, good and odd; mostly whole lines."""
    lines = []
    for row in range(dice.choice([0, 1, 2, 3, 5, 9])):
        if samples.lines and dice.random() < 0.2:
            lines.append(dice.choice(samples.lines).rstrip(b"\n"))
            continue
        cells = [f'"text":{json.dumps(words(dice), ensure_ascii=dice.random() < 0.3)}', f'"id":{json.dumps(f"d{row}")}']
        for _ in range(dice.choice([0, 0, 1, 2])):
            cells.insert(dice.randrange(3), f'"{dice.choice(KEYS)}":{dice.choice(VALUES)}')
        lines.append(("{" + ", ".join(cells) + "}").encode("utf-8", "surrogatepass"))
    end = dice.choice([b"\n", b"\n", b"\n", b"\r\n", b"\n\n", b"\r"])
    data = dice.choice([b"", b"", b"", b"\xef\xbb\xbf", b"\n"]) + end.join(lines) + dice.choice([end, b"", b" ", b"\n"])
    if dice.random() < 0.6:
        data = damaged(
            dice,
            data,
            [b"\n", b"\r\n", b"{", b"}", b'"', b"null", b"\xff", b"\xed\xa0\x80", b"\\ud800", b"NaN", b"\0", b","],
        )
    if dice.random() < 0.02:
        data = data.decode("utf-8", "replace").encode(
            dice.choice(["utf-16", "gb18030", "utf-16-le", "big5"]), "replace"
        )
    return data


def cells(dice: random.Random, delimiter: str) -> bytes:
    """A header and records, quoted in right and in wrong ways."""
    names = dice.choice(
        [["id", "text"], ["text"], ["id", "text", "n", "n"], ["text", "html", "time"], ["a", "b"], ['"te""xt"', "text"]]
    )
    delimiter = dice.choice([delimiter] * 8 + [";", "\t", "|"])
    rows = [names]
    for _ in range(dice.choice([0, 1, 2, 3, 6])):
        row = [words(dice, 3) for _ in names]
        how = dice.random()
        row = [
            f'"{c.replace(chr(34), chr(34) * 2)}"' if how < 0.5 or (any(s in c for s in '",\r\n') and how < 0.95) else c
            for c in row
        ]
        rows.append(row + ["x"] * dice.choice([0] * 12 + [1, 2]))
    end = dice.choice(["\n", "\n", "\r\n", "\n\n", "\r"])
    data = (
        dice.choice(["", "", "", "\ufeff", "\n"])
        + end.join(delimiter.join(row) for row in rows)
        + dice.choice([end, ""])
    ).encode()
    if dice.random() < 0.6:
        data = damaged(
            dice, data, [b'"', b'""', b"\n", b"\r", b"\r\n", delimiter.encode(), b"\xff", b'"' * 3, b"\0", b'\n"']
        )
    if dice.random() < 0.3:
        data = elsewhere(dice, data.decode("utf-8", "replace"))
    return data


def elsewhere(dice: random.Random, text: str) -> bytes:
    """The same in another encoding, or some of it, whole or damaged."""
    encoding = dice.choice(["gb18030", "gbk", "gbk", "big5", "utf-16", "utf-16-be", "utf-16-le", "cp1252", "utf-32"])
    data = text.encode(encoding, "replace")
    if encoding == "utf-16-be":
        data = b"\xfe\xff" + data
    if dice.random() < 0.2:
        at = dice.randrange(len(text) + 1)
        data = text[:at].encode(encoding, "replace") + text[at:].encode("utf-8", "replace")
    if dice.random() < 0.5:
        data = damaged(
            dice, data, [b"\xff", b"\x81", b"\n", b"\r\n", b'"', b",", b"\0", b"\x00\xd8", "文字编码".encode()]
        )
    return data


def packed(dice: random.Random, data: bytes, packing: str) -> bytes:
    """Packed, in one member or several, whole or clipped, once or twice, or a bomb."""
    if dice.random() < 0.01:
        data += dice.choice([b"\n" * 3_000_000, b" " * 30_000_000, b'{"text": "a"}\n' * 100_000, b"a" * 3_000_000])

    def pack(piece: bytes) -> bytes:
        if packing == "gz":
            return gzip.compress(piece, 1, mtime=0)
        return bz2.compress(piece, 1) if packing == "bz2" else pa.compress(piece, "zstd", asbytes=True)

    at = dice.randrange(len(data) + 1)
    out = pack(data[:at]) + pack(data[at:]) if dice.random() < 0.3 else pack(data)
    if dice.random() < 0.05:
        out = pack(out)
    how = dice.random()
    if how < 0.2:
        out = out[: dice.randrange(len(out) + 1)]
    return damaged(dice, out) if how > 0.6 else out


def texts_of(dice: random.Random, size: int) -> pa.Array:
    """Strings of some layout, with nulls or without."""
    values = [None if dice.random() < 0.1 else words(dice, 3) for _ in range(size)]
    plain = pa.array(values, dice.choice([pa.string(), pa.string(), pa.large_string(), pa.string_view()]))
    return wrapped(dice, plain)


def wrapped(dice: random.Random, plain: pa.Array) -> pa.Array:
    """The values in a dictionary, runs, an extension, or as they are."""
    how, size = dice.randrange(8), len(plain)
    if how == 0:
        indices = [None if dice.random() < 0.1 else dice.randrange(size) for _ in range(size)] if size else []
        kind = dice.choice([pa.int8(), pa.uint16(), pa.int32(), pa.uint64()])
        return pa.DictionaryArray.from_arrays(pa.array(indices, kind), plain)
    if how == 1 and size:
        return pa.RunEndEncodedArray.from_arrays(
            pa.array(range(1, size + 1), dice.choice([pa.int16(), pa.int32(), pa.int64()])), plain
        )
    if how == 2:
        return pa.ExtensionArray.from_storage(pa.opaque(plain.type, "a", "b"), plain)
    return plain


COLUMNS: list[Callable[[random.Random, int], pa.Array]] = [
    lambda dice, n: pa.array([[words(dice, 1)] * dice.randrange(3) for _ in range(n)], pa.list_(pa.string())),
    lambda dice, n: pa.array([[words(dice, 1)] * dice.randrange(3) for _ in range(n)], pa.list_view(pa.string_view())),
    lambda dice, n: pa.array(
        [{"a": i % 9, "b": words(dice, 1)} for i in range(n)], pa.struct([("a", pa.int8()), ("b", pa.string_view())])
    ),
    lambda dice, n: pa.array([[("k", i)] for i in range(n)], pa.map_(pa.string(), pa.int16())),
    lambda dice, n: pa.array(
        [dice.choice(LARGE) for _ in range(n)],
        pa.timestamp(dice.choice(["s", "ms", "us", "ns"]), dice.choice([None, "Asia/Shanghai", "Mars/Olympus"])),
    ),
    lambda dice, n: pa.array([dice.choice([0, 2**31 - 1, -(2**31), 20000]) for _ in range(n)], pa.date32()),
    lambda dice, n: pa.array(
        [words(dice, 1).encode() for _ in range(n)], dice.choice([pa.binary(), pa.large_binary(), pa.binary_view()])
    ),
    lambda dice, n: pa.array(np.arange(n), dice.choice([pa.int64(), pa.uint8(), pa.float64(), pa.int32()])),
    lambda dice, n: pa.nulls(n),
    lambda dice, n: pa.UnionArray.from_sparse(
        pa.array([i % 2 for i in range(n)], pa.int8()),
        [pa.array(range(n)), pa.array([words(dice, 1) for _ in range(n)], pa.string())],
    ),
    lambda dice, n: pa.array([b"%016d" % i for i in range(n)], pa.uuid()),
    lambda dice, n: pa.array([(1, 2, 3)] * n, pa.month_day_nano_interval()),
    lambda dice, n: pc.run_end_encode(pa.array([i // 3 for i in range(n)], pa.int64())),
    texts_of,
]
"""Makers of columns of almost any type."""


def table(dice: random.Random, size: int | None = None) -> pa.Table:
    """A table with a text in it, most of the time."""
    size = dice.choice([0, 1, 3, 7, 20]) if size is None else size
    columns = [("text", texts_of(dice, size))]
    for name in dice.choices(["id", "n", "html", "time", "n", "标题", "text"], k=dice.randrange(4)):
        columns.insert(dice.randrange(len(columns) + 1), (name, dice.choice(COLUMNS)(dice, size)))
    if dice.random() < 0.03:
        columns = columns[1:]
    return pa.table([values for _, values in columns], names=[name for name, _ in columns])


def arrow(dice: random.Random, container: str) -> bytes:
    """An Arrow file or stream of several batches, whole or damaged."""
    return _damaged_mostly(dice, arrow_sample(dice.randrange(300), container))


@cache
def arrow_sample(number: int, container: str) -> bytes:
    """One of the whole files that damage begins from."""
    dice, sink = random.Random(f"arrow {number}"), io.BytesIO()
    given = table(dice, dice.choice([1, 3, 7, 20]))
    options = pa.ipc.IpcWriteOptions(compression=dice.choice([None, None, "lz4", "zstd"]))
    with (pa.ipc.new_file if container == "file" else pa.ipc.new_stream)(sink, given.schema, options=options) as writer:
        for batch in given.to_batches(max_chunksize=dice.choice([2, 100])):
            writer.write_batch(batch)
    return sink.getvalue()


def parquet(dice: random.Random) -> bytes:
    """A Parquet file, whole or damaged, most often in its footer."""
    data = parquet_sample(dice.randrange(300))
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    if dice.random() < 0.5:
        return data[:footer] + _damaged_mostly(dice, data[footer:])
    return _damaged_mostly(dice, data)


@cache
def parquet_sample(number: int) -> bytes:
    """One of the whole files that damage begins from."""
    for turn in range(50):
        dice, sink = random.Random(f"parquet {number} {turn}"), io.BytesIO()
        given = table(dice, dice.choice([1, 3, 7, 20]))
        try:
            pq.write_table(
                given,
                sink,
                row_group_size=dice.choice([2, 100]),
                compression=dice.choice(["none", "snappy", "zstd", "gzip"]),
                use_dictionary=dice.random() < 0.5,
                version=dice.choice(["1.0", "2.6"]),
                data_page_version=dice.choice(["1.0", "2.0"]),
                write_page_index=dice.random() < 0.3,
            )
        except (pa.ArrowException, ValueError):  # a type that Parquet has no word for
            continue
        return sink.getvalue()
    raise AssertionError("no table that Parquet takes")


def _damaged_mostly(dice: random.Random, data: bytes) -> bytes:
    return data if dice.random() < 0.05 else damaged(dice, data)


def spoiled(dice: random.Random) -> tuple[pa.Table, Callable[[], None]]:
    """A table over memory that is ours, and what makes a number in one of its buffers another behind Arrow's back.

    The last offset of a column is left alone: a table handed over as pointers tells no size of a buffer but by it.
    """
    size = dice.choice([2, 5, 9])
    text = [words(dice, 2).encode() or b"a" for _ in range(size)]
    wide = dice.random() < 0.5
    offsets = np.cumsum([0, *map(len, text)]).astype(np.int64 if wide else np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(text))]
    plain = pa.Array.from_buffers(pa.large_string() if wide else pa.string(), size, buffers)
    held: Any = offsets[:-1]
    how, column = dice.randrange(4), plain
    if how == 1:
        held = np.arange(size, dtype=np.int32)
        column = pa.DictionaryArray.from_arrays(
            pa.Array.from_buffers(pa.int32(), size, [None, pa.py_buffer(held)]), plain
        )
    elif how == 2:
        held = np.arange(1, size + 1, dtype=np.int32)
        column = pa.RunEndEncodedArray.from_arrays(
            pa.Array.from_buffers(pa.int32(), size, [None, pa.py_buffer(held)]), plain
        )
    elif how == 3:
        column = pa.StructArray.from_arrays([plain], ["inner"])
    spoken = pa.table({"text": column} if how < 3 else {"text": ["a"] * size, "other": column})

    def spoil() -> None:
        wrong = dice.choice([-1, 1, 2**31 - 1, -(2**31), 1000, 0])
        held[dice.randrange(len(held))] = wrong

    return spoken, spoil


def warc(dice: random.Random, samples: Samples) -> bytes:
    """Records of every sort, packed one by one or not, whole or damaged."""
    if samples.warcs and dice.random() < 0.2:
        return damaged(dice, dice.choice(samples.warcs))
    records = [_record(dice, samples, number) for number in range(dice.randrange(1, 5))]
    if dice.random() < 0.5:
        records = [gzip.compress(damaged(dice, one) if dice.random() < 0.15 else one, 1, mtime=0) for one in records]
    data = b"".join(records)
    tokens = [
        b"WARC/1.0\r\n",
        b"\r\n\r\n",
        b"Content-Length: 9999999999999\r\n",
        b"HTTP/1.1 200 OK\r\n",
        b"\0",
        b"Transfer-Encoding: chunked\r\n",
    ]
    return damaged(dice, data, tokens) if dice.random() < 0.7 else data


def _record(dice: random.Random, samples: Samples, number: int) -> bytes:
    body = page(dice, samples)[:4000]
    coding = dice.choice(["", "", "", "gzip", "br", "deflate", "x"])
    if coding == "gzip":
        body = gzip.compress(body, 1, mtime=0)
    if dice.random() < 0.2:
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        coding += "\r\nTransfer-Encoding: chunked"
    kind = dice.choice(
        ["response", "response", "response", "request", "metadata", "resource", "warcinfo", "revisit", "conversion"]
    )
    status = dice.choice(["200 OK", "200", "404 Not Found", "301"])
    sort = dice.choice(["text/html", "text/html; charset=gbk", "image/png"])
    head = f"HTTP/1.1 {status}\r\nContent-Type: {sort}\r\nContent-Encoding: {coding}\r\n\r\n"
    block = (head.encode() if kind == "response" else b"") + body
    told = len(block) + dice.choice([0] * 12 + [1, -1, 10**6, 2**62])
    version = dice.choice(["1.0", "1.1", "0.18"])
    named = f"WARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Date: 2026-03-05T00:00:00Z\r\nWARC-Target-URI: http://a.example/{number}"
    about = f"{named}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {told}"
    return f"WARC/{version}\r\nWARC-Type: {kind}\r\n{about}\r\n\r\n".encode() + block + b"\r\n\r\n"


TAGS = [
    b"<div>", b"</div>", b"<p class=a>", b"<h1>", b"<script>", b"</script>", b"<!--", b"-->", b"<title>",
    b"<table><tr><td>", b"<a href='", b"<", b"&amp;", b"&#x110000;", b"<meta charset=gb2312>", b"<meta charset='x-none'>",
    b"<svg>", b"</", b"<style>", b"\0", b"\xff\xfe", b"<![CDATA[", b"<plaintext>", b"<select><option>", b"<template>",
    b"<b><i></b></i>", b"\xe4\xbd", "正文".encode("gb18030"), "正文".encode("utf-16"),
]  # fmt: skip


def page(dice: random.Random, samples: Samples) -> bytes:
    """A web page, damaged."""
    if samples.pages and dice.random() < 0.3:
        return damaged(dice, dice.choice(samples.pages), TAGS)
    pieces = [
        dice.choice(TAGS) if dice.random() < 0.5 else words(dice).encode(dice.choice(["utf-8", "gb18030"]), "replace")
        for _ in range(dice.randrange(30))
    ]
    return (b"<" + dice.choice([b"div>", b"b>", b"table>", b"p "])) * dice.choice([0] * 9 + [3000]) + b"".join(pieces)


def plain_text(dice: random.Random) -> bytes:
    """A text, in the right encoding or another."""
    data = words(dice, 30).encode(
        dice.choice(["utf-8", "utf-8", "utf-8", "utf-16", "gb18030", "big5", "utf-8-sig"]), "replace"
    )
    return damaged(dice, data) if dice.random() < 0.5 else data


def state(dice: random.Random, whole: bytes) -> bytes:
    """A state file, damaged; its checksum made right again most of the time, so that what is in it is looked at."""
    body = whole[:-16]
    length = int.from_bytes(body[12:16], "little")
    head, rest = body[16 : 16 + length], body[16 + length :]
    how = dice.random()
    if how < 0.6:
        told = json.loads(head)
        place: Any = told
        while isinstance(place, dict | list) and place:
            key = dice.choice(list(place)) if isinstance(place, dict) else dice.randrange(len(place))
            if not isinstance(place[key], dict | list) or not place[key] or dice.random() < 0.3:
                place[key] = dice.choice(
                    [None, -1, 0, 2**40, 2**60, 2**64, 1.5, float("nan"), float("inf"), "x", [], {}, [[]], "<u8", True]
                )
                break
            place = place[key]
        head = json.dumps(told).encode()
        body = (
            body[:12] + len(head).to_bytes(4, "little") + head + (damaged(dice, rest) if dice.random() < 0.2 else rest)
        )
    else:
        body = damaged(dice, body)
    return body + (hashlib.blake2b(body, digest_size=16).digest() if dice.random() < 0.85 else whole[-16:])
