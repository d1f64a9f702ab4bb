"""Input of `quchong filter` as it arrives: blocks of a stream, and texts of a folder."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quchong.cli.stopping import Stop
from quchong.errors import UsageError, shell_word
from quchong.report.visible import Shown

if TYPE_CHECKING:
    from quchong.engines.stream import Decided, Stream

PIECE = 4 << 20
NO_STREAMS = (".xlsx", ".parquet", ".arrow", ".ipc", ".feather")


def pieces(path: str, stop: Stop) -> Iterator[bytes]:
    """Iterate over the bytes of an input as they arrive: all that is available, at most `PIECE`, without waiting for more."""
    from quchong.io.files.input_file import InputFile, reading
    from quchong.io.files.streams import COMPRESSIONS, reader

    if path == "-":
        number = sys.stdin.buffer.fileno()
        while True:
            with stop.listening():
                parts = [os.read(number, PIECE)]
                size = len(parts[0])
                while parts[-1] and size < PIECE and _more(number):
                    parts.append(os.read(number, PIECE - size))
                    size += len(parts[-1])
            if not size:
                return
            yield b"".join(parts)
            if not parts[-1]:
                return
    place = Path(path)
    if place.name.lower().endswith(NO_STREAMS):
        raise UsageError(
            "{} does not have one record on each line, which quchong filter requires: use quchong dedup", path
        )
    with reading(place), reader(InputFile(place), COMPRESSIONS.get(place.suffix)) as read:
        while True:
            with stop.listening():
                piece = read(PIECE)
            if not piece:
                return
            yield bytes(piece)


def _more(number: int) -> bool:
    """Return True if more can be read without waiting."""
    return os.name == "posix" and bool(select.select([number], [], [], 0)[0])


def is_one_text(path: str) -> bool:
    """Return True if the path is a folder or a single web page."""
    from quchong.io.folder import PAGES

    return path != "-" and (os.path.isdir(path) or Path(path).suffix.lower() in PAGES)


def folder_texts(stream: Stream, path: str, stop: Stop, most: int) -> Iterator[Decided]:
    """Decide by `stream` whether each text of a folder, or of one file, is new; yield the decisions."""
    from quchong.io import open_inputs
    from quchong.io.folder import TextFolder

    sources = open_inputs([path], max_record=most)
    if not all(isinstance(source, TextFolder) for source in sources):
        from quchong.runs.layout import is_run

        if is_run(Path(path)):
            raise UsageError(
                "{} is a run folder: give the file of the rows that it kept, {}", path, Shown(_kept_rows(Path(path)))
            )
        raise UsageError(
            "{} contains data files: give them by name, e.g. {}; see also quchong dedup",
            path,
            shell_word(f"{path}/*.jsonl"),
        )
    root = Path(path) if os.path.isdir(path) else Path(path).parent
    for source in sources:
        yield from _heard(stream.documents(source, lambda name: str(root / name)), stop)


def _heard(decided: Iterator[Decided], stop: Stop) -> Iterator[Decided]:
    """Yield decisions unchanged; a signal may interrupt between two of them."""
    for one in decided:
        yield one
        with stop.listening():
            pass


def _kept_rows(run: Path) -> str:
    """Return the file, or the pattern of the files, of the kept rows of a run folder."""
    found = sorted(one for one in run.glob("kept*") if one.suffix not in ("", ".parquet") or one.name == "kept.parquet")
    if len(found) == 1:
        return shell_word(found[0])
    return shell_word(run / "kept*" if found else run / "kept" / "*")
