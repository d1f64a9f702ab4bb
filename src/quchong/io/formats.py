"""Chooses the reader that the suffix of a file stands for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quchong.errors import InputError, UsageError
from quchong.io.csvfile import CsvFile
from quchong.io.diskfile import DiskFile, reading
from quchong.io.folder import TextFolder
from quchong.io.ipc import ArrowFile
from quchong.io.jsonl import JsonLines
from quchong.io.lines import BOM
from quchong.io.parquet import ParquetFile
from quchong.io.source import Source
from quchong.io.streams import COMPRESSIONS, reader

LINES = (".jsonl", ".ndjson", ".json")
CELLS = (".csv", ".tsv")
ARROW = (".arrow", ".ipc", ".feather")
TEXTS = (".txt", ".md")

ACCEPTED = (
    ".jsonl, .ndjson, .json (one object per line), .csv, .tsv (each also .gz, .zst, .bz2), "
    ".parquet, .arrow, .ipc, .feather, .txt, .md"
)

_SNIFFED = 4096


def suffix_of(name: str) -> str | None:
    """The suffix by which a file of this name is read, compression included, in lower case; None if it is unknown."""
    path = Path(name.lower())
    packing = path.suffix if path.suffix in COMPRESSIONS else ""
    base = Path(path.stem).suffix if packing else path.suffix
    packable = base in LINES + CELLS
    whole = base == ".parquet" or base in ARROW + TEXTS
    return base + packing if packable or (whole and not packing) else None


def suffix_for(format: str) -> str:
    """The suffix that a format named by the user stands for: the same without its dot, "jsonl" or "csv.gz".

    Raises:
        UsageError: there is no such format
    """
    suffix = suffix_of(f"x.{format.removeprefix('.')}")
    if suffix is None:
        raise UsageError(f"unknown format {format!r}; accepted are the suffixes {ACCEPTED}, without the dot")
    return suffix


def check(path: Path, suffix: str) -> None:
    """Whether the file can be opened, and is lines where it says so.

    Raises:
        InputError: it cannot be read, or is a JSON array
    """
    with reading(path), path.open("rb"):
        pass
    if suffix.startswith(".json") and not suffix.startswith(".jsonl"):
        with reading(path), reader(DiskFile(path), COMPRESSIONS.get(Path(suffix).suffix)) as read:
            first = read(_SNIFFED).removeprefix(BOM).lstrip()
        if first.startswith(b"["):
            raise InputError(f"{path} is a JSON array; convert to one object per line, e.g. jq -c '.[]'")


def source(path: Path, suffix: str, name: str, files: Sequence[Path] = ()) -> Source:
    """The source for a data file, or for text `files` below the folder `path`."""
    base = Path(suffix).stem if Path(suffix).suffix in COMPRESSIONS else suffix
    compression = COMPRESSIONS.get(Path(suffix).suffix)
    if base in TEXTS:
        return TextFolder(path, files or (path,), name)
    if base in CELLS:
        return CsvFile(path, name, suffix, compression, delimiter=b"\t" if base == ".tsv" else b",")
    if base in LINES:
        return JsonLines(path, name, suffix, compression)
    return ParquetFile(path, name, suffix) if base == ".parquet" else ArrowFile(path, name, suffix)
