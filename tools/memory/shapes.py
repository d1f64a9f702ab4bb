"""Inputs that may take more memory than their size lets expect. Each is made by its number of rows, or of bytes, from one seed."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

HAN = [chr(0x4E00 + i) for i in range(4000)]
SEED = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of input.

    Attributes:
        make: writes it; given a folder and a size, gives back what the command reads.
        quick, half, full: sizes of a quick run, and two of which the second is twice the first, so that growth can be told.
        unit: what a size counts.
        family: held by the memory of families of near-equal texts.
        command: the command of quchong that reads it, with its options.
    """

    make: Callable[[Path, int], Path]
    quick: int
    half: int
    full: int
    unit: str = "rows"
    family: bool = False
    command: tuple[str, ...] = ("dedup",)


def _text(random_: random.Random, length: int) -> str:
    return "".join(random_.choices(HAN, k=length))


def _jsonl(folder: Path, rows: Iterable[dict[str, object] | str]) -> Path:
    """Rows as JSON lines; a text becomes a row with a number for its id."""
    path = folder / "in.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, row in enumerate(rows):
            one = {"id": str(number), "text": row} if isinstance(row, str) else row
            file.write(json.dumps(one, ensure_ascii=False) + "\n")
    return path


def _texts(rows: Callable[[random.Random, int], Iterable[dict[str, object] | str]]) -> Callable[[Path, int], Path]:
    return lambda folder, size: _jsonl(folder, rows(random.Random(SEED), size))


def _near(r: random.Random, n: int) -> Iterator[str]:
    base = _text(r, 60)
    for _ in range(n):
        one = list(base)
        for _ in range(r.randint(1, 4)):
            one[r.randrange(60)] = r.choice(HAN)
        yield "".join(one)


def _near_families(r: random.Random, n: int) -> Iterator[str]:
    for _ in range(max(n // 100, 1)):
        yield from _near(r, 100)


def _notices(r: random.Random, n: int) -> Iterator[str]:
    """Notices of 46 characters on one template, each with another code and place, none a copy of another."""
    places = [_text(r, 2) for _ in range(50)]
    return (
        f"您的快递已到达{places[i % 50]}小区南门驿站，取件码{code:08d}，请于今晚九点前领取，逾期将退回寄件人。"
        for i, code in enumerate(r.sample(range(10**8), n))
    )


def _beginnings(r: random.Random, n: int) -> Iterator[str]:
    """Each text is the beginning of the next, by 90 characters."""
    whole = _text(r, 90 * n)
    return (whole[: 90 * i] for i in range(1, n + 1))


def _boilerplate(r: random.Random, n: int) -> Iterator[str]:
    head = _text(r, 40)
    return (head + _text(r, 20) for _ in range(n))


def _growing(r: random.Random, n: int) -> Iterator[str]:
    """One text, to which every row adds another sentence."""
    base = _text(r, 300)
    return (base + _text(r, 200) for _ in range(n))


def _shared_passages(r: random.Random, n: int) -> Iterator[str]:
    """Texts of 1,500 characters; a third of each stands in the one before it."""
    before = _text(r, 1_500)
    for _ in range(n):
        before = _text(r, 500) + before[1_000:] + _text(r, 500)
        yield before


def _one_id(_r: random.Random, n: int) -> Iterator[dict[str, object]]:
    return ({"id": "same", "text": str(i)} for i in range(n))


def _one_id_one_text(r: random.Random, n: int) -> Iterator[dict[str, object]]:
    text = _text(r, 40)
    return ({"id": "same", "text": text, "source": f"s{i % 7}"} for i in range(n))


def _distinct(r: random.Random, n: int) -> Iterator[str]:
    return (_text(r, 40) for _ in range(n))


def _wide(r: random.Random, n: int) -> Iterator[dict[str, object]]:
    other = _text(r, 20_000)
    return ({"id": i, "text": _text(r, 40), "other": other} for i in range(n))


def _many_columns(r: random.Random, n: int) -> Iterator[dict[str, object]]:
    names = [f"column_{i}" for i in range(2_000)]
    return ({"id": i, "text": _text(r, 40)} | dict.fromkeys(names, i) for i in range(n))


def _long_words(r: random.Random, n: int) -> Iterator[str]:
    return ("".join(r.choices("abcdefghij", k=20_000)) for _ in range(n))


def _bad_rows(folder: Path, n: int) -> Path:
    path = folder / "in.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for i in range(n):
            file.write(
                '{"id": 1, "text": "unfinished\n' if i % 2 else json.dumps({"id": i, "text": f"text {i}"}) + "\n"
            )
    return path


def _deep(folder: Path, n: int) -> Path:
    """Lines of nested lists, a hundred thousand deep."""
    path = folder / "in.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for i in range(n):
            file.write(f'{{"id": {i}, "text": "text {i}", "x": {"[" * 100_000}{"]" * 100_000}}}\n')
    return path


def _many_values(folder: Path, mb: int) -> Path:
    """A line of empty lists, and one of bad JSON, which makes its block be read line by line."""
    path = folder / "in.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.write('{"id": 1, "text": "values", "x": [' + "[]," * (mb * 350_000) + "[]]}\nbad\n")
        file.write('{"id": 2, "text": "the last"}\n')
    return path


def _endless(folder: Path, mb: int) -> Path:
    """One line of so many MB, packed to next to nothing."""
    path = folder / "in.jsonl.gz"
    with gzip.GzipFile(path, "wb", 6, mtime=0) as file:
        file.write(b'{"id":"a","text":"')
        for _ in range(mb):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n{"id":"b","text":"the last one"}\n')
    return path


def _sparse(name: str) -> Callable[[Path, int], Path]:
    def make(folder: Path, mb: int) -> Path:
        path = folder / name
        with path.open("wb") as file:
            file.truncate(mb * 1_000_000)
        return path

    return make


def _csv_field(folder: Path, mb: int) -> Path:
    """A quote that is never closed before a long file, and one field of many lines."""
    path = folder / "in.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write('id,text\na,"never closed\n')
        for i in range(mb * 10):
            file.write(f"{i},{'x' * 100_000}\n")
        file.write(f'z,"{"long line " * (mb * 100_000)}"\n')
    return path


def _csv_feeds(folder: Path, mb: int) -> Path:
    """Fields of nothing but line feeds and of nothing but quotes, a quote that is never closed, and empty lines."""
    path = folder / "in.csv"
    with path.open("wb") as file:
        file.write(b"id,text\n")
        for number in range(mb // 20):
            file.write(b'%d,"%b"\n%db,"%b"\n' % (number, b"\n" * 5_000_000, number, b'""' * 2_500_000))
            file.write(b'%dc,"never closed%b%dd,"closed"\n' % (number, b"\n" * 5_000_000, number))
            file.write(b"\r\n" * 2_500_000)
        file.write(b'z,"%b"\ny,"%b"\nx,the last one\n' % (b"\n" * (mb * 400_000), b"\n" * (mb * 600_000)))
    return path


def _feeds(folder: Path, mb: int) -> Path:
    """Empty lines, and lines of a letter, which are no JSON, between two good ones."""
    path = folder / "in.jsonl"
    with path.open("wb") as file:
        file.write(b'{"id": 1, "text": "first"}\n')
        for _ in range(mb):
            file.write(b"\n" * 500_000 + b" \n" * 249_000 + b"x\n" * 1_000)
        file.write(b'{"id": 2, "text": "last"}\n')
    return path


def _array_element(folder: Path, mb: int) -> Path:
    path = folder / "in.json"
    with path.open("w", encoding="utf-8") as file:
        file.write('[{"id": 1, "text": "first"},\n{"id": 2, "text": "')
        for _ in range(mb):
            file.write("x" * 1_000_000)
        file.write('"},\n{"id": 3, "text": "last"}]\n')
    return path


def _text_file(name: str) -> Callable[[Path, int], Path]:
    def make(folder: Path, mb: int) -> Path:
        texts = folder / "texts"
        texts.mkdir()
        (texts / "small.txt").write_text("a small text", encoding="utf-8")
        with (texts / name).open("w", encoding="utf-8") as file:
            file.write("<html><body>")
            for _ in range(mb):
                file.write("<p>" + "word " * 199_999 + "</p>")
        return texts

    return make


def _cell(mb: int) -> Iterator[str]:
    yield from ("before", "x" * (mb * 1_000_000), "after")


def _parquet(folder: Path, mb: int) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / "in.parquet"
    pq.write_table(pa.table({"id": ["a", "b", "c"], "text": list(_cell(mb))}), path)
    return path


def _arrow(folder: Path, mb: int) -> Path:
    import pyarrow as pa

    path = folder / "in.arrow"
    table = pa.table({"id": ["a", "b", "c"], "text": list(_cell(mb))})
    with pa.OSFile(str(path), "wb") as raw, pa.ipc.new_file(raw, table.schema) as file:
        file.write_table(table, max_chunksize=1)
    return path


def _warc(folder: Path, mb: int) -> Path:
    """A page between two others, larger than is read."""
    path = folder / "in.warc.gz"
    pages = [
        "<p>" + "small page " * 20 + "</p>",
        "<p>" + "word " * (mb * 200_000) + "</p>",
        "<p>" + "last page " * 20 + "</p>",
    ]
    with path.open("wb") as file:
        for number, page in enumerate(pages):
            http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>{page}</body></html>".encode()
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/{number}\r\n"
                f"Content-Type: application/http\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 1, mtime=0))
    return path


def _many_files(folder: Path, n: int) -> Path:
    texts = folder / "texts"
    texts.mkdir()
    for i in range(n):
        (texts / f"{i}.txt").write_text(f"the text of file {i}", encoding="utf-8")
    return texts


SHAPES: dict[str, Shape] = {
    "near": Shape(_texts(_near), 300, 5_000, 10_000, family=True),
    "near-families": Shape(_texts(_near_families), 1_000, 20_000, 40_000, family=True),
    "notices": Shape(_texts(_notices), 1_000, 20_000, 40_000, family=True),
    "beginnings": Shape(_texts(_beginnings), 40, 200, 400, family=True),
    "boilerplate": Shape(_texts(_boilerplate), 1_000, 50_000, 100_000, family=True),
    "growing": Shape(_texts(_growing), 200, 2_000, 4_000, family=True),
    "one-id": Shape(_texts(_one_id), 20_000, 1_000_000, 2_000_000),
    "one-id-one-text": Shape(_texts(_one_id_one_text), 20_000, 250_000, 500_000),
    "tiny": Shape(_texts(lambda _r, n: (str(i % (n // 2 + 1)) for i in range(n))), 20_000, 1_000_000, 2_000_000),
    "distinct": Shape(_texts(_distinct), 5_000, 200_000, 400_000),
    "equal": Shape(_texts(lambda r, n: (t for t in [_text(r, 40)] for _ in range(n))), 20_000, 500_000, 1_000_000),
    "empty": Shape(_texts(lambda _r, n: ("" for _ in range(n))), 20_000, 500_000, 1_000_000),
    "one-character": Shape(_texts(lambda _r, n: (HAN[i % 4000] for i in range(n))), 20_000, 500_000, 1_000_000),
    "long-words": Shape(_texts(_long_words), 100, 2_000, 4_000),
    "one-text": Shape(_texts(lambda r, n: [_text(r, n)]), 100_000, 10_000_000, 20_000_000, "characters"),
    "wide-rows": Shape(_texts(_wide), 100, 2_000, 4_000),
    "many-columns": Shape(_texts(_many_columns), 50, 2_000, 4_000),
    "bad-rows": Shape(_bad_rows, 10_000, 500_000, 1_000_000),
    "deep": Shape(_deep, 10, 250, 500),
    "many-values": Shape(_many_values, 2, 100, 200, "MB"),
    "endless-gz": Shape(_endless, 80, 1_000, 2_000, "MB"),
    "sparse-jsonl": Shape(_sparse("in.jsonl"), 80, 2_000, 4_000, "MB"),
    "sparse-txt": Shape(_sparse("in.txt"), 1_000, 20_000, 40_000, "MB"),
    "csv-field": Shape(_csv_field, 20, 200, 400, "MB"),
    "csv-feeds": Shape(_csv_feeds, 20, 100, 200, "MB"),
    "feeds": Shape(_feeds, 10, 100, 200, "MB"),
    "array-element": Shape(_array_element, 80, 120, 250, "MB"),
    "text-file": Shape(_text_file("large.txt"), 80, 500, 1_000, "MB"),
    "html-page": Shape(_text_file("large.html"), 10, 50, 100, "MB"),
    "parquet-cell": Shape(_parquet, 20, 60, 120, "MB"),
    "arrow-cell": Shape(_arrow, 20, 60, 120, "MB"),
    "warc-record": Shape(_warc, 10, 100, 200, "MB"),
    "passages": Shape(
        _texts(_shared_passages), 8_000, 60_000, 120_000, command=("passages", "--corpus", "--cut", "copies")
    ),
    "many-files": Shape(_many_files, 300, 10_000, 20_000, "files"),
}
