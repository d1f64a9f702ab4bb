"""What must hold of any input: an error of ours, or every record in exactly one place, as it stood.

`CHECKS` gives each sort of input its share and its check. A check raises one of quchong's errors where the input is refused, and
`Lost` (or whatever should not have been raised) where something is wrong.
"""

from __future__ import annotations

import bz2
import gzip
import json
import random
import shutil
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import arrow_inputs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import reader_inputs as made
from reader_inputs import Samples

import quchong as qc
from quchong.errors import QuchongError
from quchong.features.statistics import FeatureStatistics
from quchong.filters.bloom import Bloom, PrintedBloom
from quchong.filters.confirmed import Confirmed
from quchong.filters.digit_trie import DigestSet, DigitTrie
from quchong.filters.first_seen import FirstSeenFilter
from quchong.io import BAD, KEEP, REMOVE, Bad, Source, WantedColumns, from_object, open_inputs
from quchong.io.array_checks import as_bytes
from quchong.io.encodings import is_wide
from quchong.io.merge import restore_rows
from quchong.pages import read_page
from quchong.pages.page import UnreadablePage

WHOLE_RUNS, WOVEN = 0.02, 0.15
"""Shares of the inputs that go through a whole run, and of those whose two sides are woven together again."""


class Lost(Exception):
    """A record is nowhere, twice, or not as it stood."""


@dataclass
class Bench:
    """What a check works with.

    Args:
        dice: of this input
        folder: empty, for this input
        samples: real files
        data: the file to look at instead of a made one, when a finding is made smaller
    """

    dice: random.Random
    folder: Path
    samples: Samples
    data: bytes | None = None

    def file(self, name: str, data: bytes) -> Path:
        """The input as a file; kept, so that a finding can be."""
        if self.data is not None:
            data = self.data
        self.data = data
        path = self.folder / name
        path.write_bytes(data)
        return path


def _wanted(dice: random.Random) -> WantedColumns:
    extra = tuple(name for name in ("time", "n", "标题") if dice.random() < 0.2)
    return WantedColumns(extra=extra, id_required=dice.random() < 0.1, instead="html" if dice.random() < 0.5 else None)


def _read(source: Source, wanted: WantedColumns, lose: bool = True) -> tuple[dict[int, str], list[Bad], np.ndarray]:
    """Texts by row, bad records, and a side for every record."""
    bad: list[Bad] = []
    texts: dict[int, str] = {}
    for batch in source.documents(wanted, bad):
        for column in batch.columns:
            # of a union values that no row has, of decimals and times values out of their range are let through
            column.validate(full=as_bytes(column.type) == column.type or column.type == pa.large_string())
        for row, text in zip(batch.column("row").to_pylist(), batch.column("text").to_pylist(), strict=True):
            if row in texts or text is None:
                raise Lost(f"row {row} came twice or without a text")
            texts[row] = text
    rows = sorted([*texts, *(one.row for one in bad)])
    if rows != list(range(len(rows))):
        raise Lost(f"documents and bad records are rows {rows[:20]}")
    return texts, bad, np.array([KEEP if row in texts else BAD for row in range(len(rows))], np.uint8)


def _parted(bench: Bench, source: Source, fate: np.ndarray) -> tuple[Path, Path]:
    good = np.flatnonzero(fate == KEEP)
    fate[good[[bench.dice.random() < 0.4 for _ in good]]] = REMOVE
    kept, removed = bench.folder / f"kept{source.suffix}", bench.folder / f"removed{source.suffix}"
    source.split(fate, kept, removed)
    return kept, removed


def _run(bench: Bench, path: Any) -> None:
    """A whole run, sometimes saved: what was read is kept, removed or skipped."""
    result = qc.dedup(path, recall_sample=0, workers=1)
    counts = result.counts
    if counts["read"] != counts["kept"] + counts["removed"]:
        raise Lost(f"a run says {counts}")
    kept, removed = result.kept.num_rows, result.removed.num_rows
    if removed != counts["removed"] or kept < counts["kept"]:
        raise Lost(f"a run has {kept} kept and {removed} removed rows, and says {counts}")
    if bench.dice.random() < 0.3:
        saved = qc.load(result.save(bench.folder / "run"))
        for name in saved.tables["documents"]["id"].to_pylist()[:2]:
            saved.explain(name)


def lines(bench: Bench, suffix: str, data: bytes) -> None:
    """JSON lines: every line that is not blank is kept, removed or skipped, byte for byte."""
    path = bench.file(f"a{suffix}", data)
    plain = _unpacked(path)
    if bench.dice.random() < WHOLE_RUNS:
        _run(bench, path)
    source, wanted = open_inputs([path])[0], _wanted(bench.dice)
    texts, bad, fate = _read(source, wanted)
    kept, removed = _parted(bench, source, fate)
    if plain is not None:
        encoding = str(getattr(source, "encoding", ""))
        wide = encoding if is_wide(encoding) else "utf-8"
        mark = "\ufeff".encode(wide)
        head = plain[: len(mark)] if plain.startswith(mark) else b""
        feed, carriage = "\n".encode(wide), "\r".encode(wide)
        every = _lines_of(plain[len(head) :], feed)
        records = [line for line in every if not _is_blank(line, wide)]
        ended = _is_blank(every[-1], wide)
        if len(records) != len(fate):
            raise Lost(f"{len(records)} lines, {len(fate)} records")
        for value, side in ((KEEP, kept), (REMOVE, removed)):
            whole = b"".join(line + feed for line, one in zip(records, fate, strict=True) if one == value)
            if not ended and len(fate) and fate[-1] == value:
                whole = whole[: -len(feed)]
            if _unpacked(side) != head + whole:
                raise Lost(f"{side.name} is not the lines of its rows")
        for one in bad:
            if one.raw != records[one.row].removesuffix(carriage):
                raise Lost(f"bad record {one.row} is not its line")
    _again(bench, source, wanted, texts, fate, kept, removed)


def _lines_of(data: bytes, feed: bytes) -> list[bytes]:
    """Lines of a file, without the line feeds, of one byte or of one unit of UTF-16."""
    if len(feed) == 1:
        return data.split(feed)
    units = [data[at : at + 2] for at in range(0, len(data), 2)]
    lines: list[bytes] = [b""]
    for unit in units:
        if unit == feed:
            lines.append(b"")
        else:
            lines[-1] += unit
    return lines


def _is_blank(line: bytes, encoding: str) -> bool:
    """Whether a line has nothing but blanks, tabs and carriage returns."""
    blanks = {sign.encode(encoding) for sign in " \t\r"}
    size = len(min(blanks))
    return all(line[at : at + size] in blanks for at in range(0, len(line), size))


def array(bench: Bench, data: bytes) -> None:
    """A JSON array: every value is kept, removed or skipped, and stands as it stood; what lies between is white space and marks."""
    path = bench.file("a.json", data)
    if bench.dice.random() < WHOLE_RUNS:
        _run(bench, path)
    source, wanted = open_inputs([path])[0], _wanted(bench.dice)
    texts, bad, fate = _read(source, wanted)
    kept, removed = _parted(bench, source, fate)
    if type(source).__name__ == "JsonArray":
        mark = b"\xef\xbb\xbf"
        sides = [one.raw for one in bad] + [side.read_bytes().removeprefix(mark) for side in (kept, removed)]
        here, there = len(_signs(data.removeprefix(mark))), sum(map(len, map(_signs, sides)))
        if here != there:
            raise Lost(f"{here} signs, {there} of them in records")
    _again(bench, source, wanted, texts, fate, kept, removed)


def _signs(raw: bytes) -> bytes:
    """The bytes that are more than the form of an array."""
    return raw.translate(None, b" \t\r\n,[]")


def table_lines(bench: Bench, suffix: str, data: bytes) -> None:
    """CSV and TSV: every line that is not blank is in one record, which is kept, removed or skipped, and stands as it stood."""
    path = bench.file(f"a{suffix}", data)
    plain = _unpacked(path)
    if bench.dice.random() < WHOLE_RUNS:
        _run(bench, path)
    said = bench.dice.choice([None] * 9 + ["gb18030", "cp1252", "utf-16-le"])
    source, wanted = open_inputs([path], encoding=said)[0], _wanted(bench.dice)
    texts, bad, fate = _read(source, wanted)
    kept, removed = _parted(bench, source, fate)
    encoding: str = source.encoding  # type: ignore[attr-defined]
    if plain is not None:
        head: bytes = source._head  # type: ignore[attr-defined]
        plain = _narrow(plain, encoding)
        sides = [_narrow(_unpacked(side) or b"", encoding) for side in (kept, removed)]
        if not all(part.startswith(head) for part in sides):
            raise Lost("the header is not on both sides")
        here = _lines(plain[plain.index(head) + len(head) :])
        there = sum(
            [_lines(part[len(head) :]) for part in sides] + [_lines(_narrow(one.raw, encoding)) for one in bad],
            Counter(),
        )
        if here != there:
            raise Lost(
                f"lines of the file alone: {list(here - there)[:3]}, of the outputs alone: {list(there - here)[:3]}"
            )
    _again(bench, source, wanted, texts, fate, kept, removed)


def _narrow(data: bytes, encoding: str) -> bytes:
    """UTF-16 as UTF-8, half characters and an odd byte included, so that it can be cut into lines; else the bytes."""
    if not encoding.startswith("utf-16"):
        return data
    end = len(data) // 2 * 2
    return data[:end].decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass") + data[end:]


def _lines(data: bytes) -> Counter[bytes]:
    """How often each line stands there, blank ones left out."""
    return Counter(line for line in (line.strip(b"\r") for line in data.split(b"\n")) if line)


def _unpacked(path: Path) -> bytes | None:
    """What is in a file, by other unpackers than quchong's where there are any; None where they refuse it."""
    data = path.read_bytes()
    try:
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        elif path.suffix == ".bz2":
            data = bz2.decompress(data)
        elif path.suffix == ".zst":
            with pa.input_stream(pa.BufferReader(data), compression="zstd") as stream:
                data = bytes(stream.read())
    except (OSError, EOFError, ValueError, zlib.error, pa.ArrowException):
        return None
    return data


def _again(
    bench: Bench,
    source: Source,
    wanted: WantedColumns,
    texts: dict[int, str],
    fate: np.ndarray,
    kept: Path,
    removed: Path,
) -> None:
    """The rows once more: by place, as a table, and woven together."""
    if texts and bench.dice.random() < 0.3:
        row = bench.dice.choice(list(texts))
        if source.fetch([row], wanted)["text"].to_pylist() != [texts[row]]:
            raise Lost(f"row {row} has another text when it is fetched")
    if bench.dice.random() < 0.2:
        mask = fate == KEEP
        if source.table_of(mask).num_rows != int(mask.sum()):
            raise Lost("a table has other rows than were chosen")
    if (fate == REMOVE).any() and bench.dice.random() < WOVEN:
        before = fate[fate != BAD] == REMOVE
        together, nothing = (bench.folder / f"{name}{source.suffix}" for name in ("together", "nothing"))
        encoding = getattr(source, "encoding", None)
        restore_rows(kept, removed, before, np.zeros(len(before), bool), together, nothing, encoding)
        again, worse, _ = _read(open_inputs([together], encoding=encoding)[0], wanted)
        if list(again.values()) != [texts[row] for row in sorted(texts)] or worse:
            raise Lost("the two sides do not make the whole")


def columns(bench: Bench, suffix: str, data: bytes) -> None:
    """Parquet and Arrow: as many rows go out as came in."""
    path = bench.file(f"a{suffix}", data)
    if bench.dice.random() < WHOLE_RUNS:
        _run(bench, path)
    source, wanted = open_inputs([path])[0], _wanted(bench.dice)
    source.expected()
    texts, bad, fate = _read(source, wanted)
    kept, removed = _parted(bench, source, fate)
    for value, side in ((KEEP, kept), (REMOVE, removed)):
        rows = int((fate == value).sum())
        if open_inputs([side])[0].table_of(np.ones(rows, bool)).num_rows != rows:
            raise Lost(f"{side.name} has other rows")
    if len(list(source.whole_records([one.row for one in bad]))) != len(bad):  # type: ignore[attr-defined]
        raise Lost("bad records are gone")
    _again(bench, source, wanted, texts, fate, kept, removed)


def memory(bench: Bench) -> None:
    """Tables in memory: whole ones of every type in chunks and slices, and ones whose buffers lie."""
    dice = bench.dice
    if dice.random() < 0.4:
        table, spoil = made.spoiled(dice)
        spoil()
    else:
        table = made.table(dice)
        if len(table) and dice.random() < 0.5:
            at = dice.randrange(len(table))
            table = pa.concat_tables([table.slice(at), table.slice(0, at)])
        if dice.random() < 0.3:
            table = table.slice(dice.randrange(len(table) + 1))
    given: Any = pa.RecordBatchReader.from_stream(table) if dice.random() < 0.3 else table
    source, wanted = from_object(given, WantedColumns()), _wanted(dice)
    texts, bad, fate = _read(source, wanted)
    if dice.random() < 0.3:
        kept, removed = _parted(bench, source, fate)
        if pq.read_metadata(kept).num_rows + pq.read_metadata(removed).num_rows + len(bad) != len(fate):
            raise Lost("rows went missing on the way to Parquet")
    list(source.whole_records([one.row for one in bad]))  # type: ignore[attr-defined]
    if texts and source.fetch([max(texts)], wanted)["text"].to_pylist() != [texts[max(texts)]]:
        raise Lost("another text when it is fetched")
    if dice.random() < WHOLE_RUNS:
        _run(bench, table)


def handed_over(bench: Bench, make: Callable[[random.Random], Any]) -> None:
    """Arrow data in memory that lies: refused, or read like any other; sometimes by a whole call."""
    dice = bench.dice
    try:
        given = make(dice)
    except (pa.ArrowException, OSError, ValueError, TypeError, OverflowError) as error:  # by PyArrow, before we see it
        raise QuchongError("made by nobody: {}", error) from error
    try:
        _looked_at(bench, given)
    except MemoryError as error:
        if not isinstance(given, arrow_inputs.Wrapper | arrow_inputs.LyingStream):
            raise
        # a stream tells no sizes: one that claims hundreds of MB finds them where an allocator holds so many
        raise QuchongError("claims more than there is room for") from error


def _looked_at(bench: Bench, given: Any) -> None:
    dice = bench.dice
    if dice.random() < WHOLE_RUNS / 4:
        call = dice.choice([qc.dedup, qc.passages, lambda one: qc.dedup(["a b c"], protect=one)])
        call(given)
        return
    source, wanted = from_object(given, WantedColumns()), _wanted(dice)
    texts, bad, fate = _read(source, wanted)
    list(source.whole_records([one.row for one in bad]))  # type: ignore[attr-defined]
    if texts and dice.random() < 0.2:
        _parted(bench, source, fate)


def archives(bench: Bench) -> None:
    """WARC: pages and broken records are counted, and go to one side each."""
    path = bench.file("a.warc.gz" if bench.dice.random() < 0.5 else "a.warc", made.warc(bench.dice, bench.samples))
    source, wanted = open_inputs([path])[0], WantedColumns(extra=("url",), instead="html")
    bad: list[Bad] = []
    rows = [row for batch in source.documents(wanted, bad) for row in batch.column("row").to_pylist()]
    every = sorted([*rows, *(one.row for one in bad)])
    if every != list(range(len(every))):
        raise Lost(f"pages and bad records are rows {every[:20]}")
    fate = np.array([KEEP if row in set(rows) else BAD for row in range(len(every))], np.uint8)
    kept, removed = _parted(bench, source, fate)
    list(source.whole_records([one.row for one in bad]))  # type: ignore[attr-defined]
    for value, side in ((KEEP, kept), (REMOVE, removed)):
        pages = int((fate == value).sum())
        if not pages and side.stat().st_size == 0:
            continue
        found: list[Bad] = []
        if sum(map(len, open_inputs([side])[0].documents(wanted, found))) != pages or (found and not bad):
            raise Lost(f"{side.name} has other pages")


def pages(bench: Bench) -> None:
    """A page is read, or said to be none."""
    data = bench.file("a.html", made.page(bench.dice, bench.samples)).read_bytes()
    kind = bench.dice.choice([None, "text/html", "text/html; charset=gbk", "text/html; charset=" + "x" * 50, "\0"])
    try:
        read_page(data, bench.dice.choice(["main", "all"]), kind)
    except UnreadablePage:
        return


def folder(bench: Bench) -> None:
    """Files of a folder: each is a document or a bad record, and listed on one side."""
    place = bench.folder / "in"
    place.mkdir()
    names = bench.dice.sample(["a.txt", "b\u2028.txt", "c\n.md", "d\x85.txt", "e.html"], bench.dice.randrange(1, 4))
    for name in names:
        (place / name).write_bytes(made.plain_text(bench.dice))
    source, wanted = open_inputs([place])[0], WantedColumns(instead=bench.dice.choice([None, "html"]))
    _, bad, fate = _read(source, wanted)
    kept, removed = _parted(bench, source, fate)
    listed = [one for side in (kept, removed) for one in side.read_text(encoding="utf-8").split("\n")[:-1]]
    if len(listed) + len(bad) != len(names):
        raise Lost("files are not listed once each")


@cache
def _filters() -> list[tuple[type[FirstSeenFilter], bytes]]:
    """Small filters of every kind with a few texts in them, as files."""
    import tempfile

    made_: list[FirstSeenFilter] = [
        Bloom(50, 0.01),
        PrintedBloom(500),
        DigitTrie(),
        DigestSet(),
        Confirmed(Bloom(50, 0.01)),
    ]
    out = []
    with tempfile.TemporaryDirectory() as place:
        for filter_ in made_:
            filter_.seen_before([str(n) for n in range(120)])
            filter_.save(Path(place) / "s")
            out.append((type(filter_), (Path(place) / "s").read_bytes()))
    return out


def states(bench: Bench) -> None:
    """A damaged state is refused, or answers."""
    kind, whole = bench.dice.choice(_filters())
    path = bench.file("s.state", made.state(bench.dice, whole))
    loaded = kind.load(path)
    loaded.seen_before(["a", "b", "7"])
    _ = loaded.count, loaded.memory_bytes


@cache
def _statistics() -> bytes:
    import tempfile

    found = FeatureStatistics(
        9, np.arange(1, 20, dtype=np.uint64) ** 3, np.arange(1, 20, dtype=np.uint32), 2, {"form": "x"}
    )
    with tempfile.TemporaryDirectory() as place:
        return found.save(Path(place) / "s.parquet").read_bytes()


def statistics(bench: Bench) -> None:
    """Damaged statistics are refused, or the same as they were."""
    path = bench.file("s.parquet", made.damaged(bench.dice, _statistics()))
    _ = FeatureStatistics.load(path).table


@cache
def _saved_run() -> Path:
    """One run folder, made once by each worker; the system clears its temporary folder."""
    import atexit
    import tempfile

    place = Path(tempfile.mkdtemp(prefix="quchong-fuzz-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    texts = [
        "今天天气很好，我们去公园散步看花",
        "今天天气很好，我们去公园散步看花。",
        "another text with words of its own",
    ]
    (place / "a.jsonl").write_text(
        "".join(json.dumps({"id": f"d{n}", "text": text}) + "\n" for n, text in enumerate(texts))
    )
    return qc.dedup(place / "a.jsonl", recall_sample=0, workers=1).save(place / "run")


def run_folders(bench: Bench) -> None:
    """One file of a run is damaged: the run is refused, or explains and puts back what it holds, and touches nothing outside."""
    run = shutil.copytree(_saved_run(), bench.folder / "run")
    name = bench.dice.choice(sorted(path.name for path in run.iterdir() if path.is_file()))
    data = (run / name).read_bytes()
    if name == "run.json" and bench.dice.random() < 0.7:
        told = json.loads(data)
        place: Any = told
        while isinstance(place, dict | list) and place:
            key = bench.dice.choice(list(place)) if isinstance(place, dict) else bench.dice.randrange(len(place))
            if not isinstance(place[key], dict | list) or not place[key] or bench.dice.random() < 0.3:
                place[key] = bench.dice.choice([None, -1, 2**70, 1.5, "x", "../x", "/x", [], {}, [[]], {"a": 1}, True])
                break
            place = place[key]
        data = json.dumps(told).encode()
    else:
        data = made.damaged(bench.dice, data)
    (run / name).write_bytes(data)
    saved = qc.load(run)
    for one in ("d0", "d1", "none"):
        try:
            saved.explain(one)
        except QuchongError:
            continue
    if bench.dice.random() < 0.5:
        saved.restore(everything=True)


def _packed(bench: Bench) -> None:
    packing = bench.dice.choice(["gz", "zst", "bz2"])
    if bench.dice.random() < 0.6:
        plain = made.json_lines(bench.dice, bench.samples)
        lines(bench, f".jsonl.{packing}", made.packed(bench.dice, plain, packing))
    else:
        plain = made.cells(bench.dice, ",")
        table_lines(bench, f".csv.{packing}", made.packed(bench.dice, plain, packing))


CHECKS: dict[str, tuple[float, Callable[[Bench], None]]] = {
    "array": (10, lambda bench: array(bench, made.json_array(bench.dice, bench.samples))),
    "jsonl": (26, lambda bench: lines(bench, ".jsonl", made.json_lines(bench.dice, bench.samples))),
    "csv": (14, lambda bench: table_lines(bench, ".csv", made.cells(bench.dice, ","))),
    "tsv": (4, lambda bench: table_lines(bench, ".tsv", made.cells(bench.dice, "\t"))),
    "packed": (7, _packed),
    "parquet": (8, lambda bench: columns(bench, ".parquet", made.parquet(bench.dice))),
    "arrow file": (8, lambda bench: columns(bench, ".arrow", made.arrow(bench.dice, "file"))),
    "arrow stream": (8, lambda bench: columns(bench, ".arrow", made.arrow(bench.dice, "stream"))),
    "memory": (8, memory),
    "reader": (8, lambda bench: handed_over(bench, arrow_inputs.stream)),
    "arrays": (8, lambda bench: handed_over(bench, arrow_inputs.arrays)),
    "warc": (6, archives),
    "page": (5, pages),
    "folder": (3, folder),
    "state": (2, states),
    "statistics": (1, statistics),
    "run folder": (0.5, run_folders),
}
"""The share of each sort of input, and what looks at one."""
