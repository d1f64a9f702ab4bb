"""Formats of input files: suffixes, and the choice of a reader by suffix."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from pathlib import Path

from quchong.errors import InputError, Param, Remedy, UsageError, meant, shell_word
from quchong.io.columnar.ipc import ArrowFile
from quchong.io.columnar.parquet import ParquetFile
from quchong.io.columnar.sheets import SheetFile
from quchong.io.encodings import is_wide
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.streams import COMPRESSIONS, reader
from quchong.io.folder import PAGES, TextFolder
from quchong.io.limits import LARGEST
from quchong.io.records.csv_file import CsvFile
from quchong.io.records.json_array import JsonArray
from quchong.io.records.jsonl import JsonLines
from quchong.io.records.lines import BOM
from quchong.io.source import Source
from quchong.io.warc.file import WarcFile
from quchong.languages import OR, Message, join_messages

LINES = (".jsonl", ".ndjson", ".json")
CELLS = (".csv", ".tsv")
ARROW = (".arrow", ".ipc", ".feather")
SHEETS = (".xlsx",)
TEXTS = (".txt", ".md")
FILES = TEXTS + PAGES
"""Suffixes of files that are one document each."""
WARCS = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
ARCS = (".arc", ".arc.gz")

_NAMED = (*LINES, *CELLS, ".parquet", *ARROW, *SHEETS, *TEXTS, *PAGES, ".warc")
ACCEPTED = Message(
    ".jsonl, .ndjson, .json (one object per line, or an array of objects), .csv, .tsv (each also .gz, .zst, "
    ".bz2, .xz), .parquet, .arrow, .ipc, .feather, .xlsx, .txt, .md, .html (.htm, .xhtml, .shtml), .warc (also "
    ".gz, .zst, .lz4)"
)

_SNIFFED = 4096
_WIDE = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
_PACKED = (
    (b"\x1f\x8b", Message("gzip data"), ("jsonl.gz", "warc")),
    (b"\x28\xb5\x2f\xfd", Message("zstd data"), ("jsonl.zst",)),
    (b"BZh", Message("bzip2 data"), ("jsonl.bz2",)),
    (b"\xfd7zXZ\0", Message("xz data"), ("jsonl.xz",)),
    (b"WARC/", Message("a WARC file"), ("warc",)),
    (b"PAR1", Message("a Parquet file"), ("parquet",)),
)
"""First bytes of files that are not text lines, the name of their format, and the formats to suggest."""


_BEGINNINGS = {".parquet": (b"PAR1", Message("a Parquet file")), ".xlsx": (b"PK", Message("a workbook"))}
"""First bytes of files of a format, and its name."""
OLD_OFFICE = b"\xd0\xcf\x11\xe0"
"""First bytes of files of Excel before 2007, and of encrypted workbooks."""


def suffix_of(name: str) -> str | None:
    """Return the suffix by which a file of this name is read, with compression, in lower case; None if it is unknown."""
    whole = next((suffix for suffix in WARCS + ARCS if name.lower().endswith(suffix)), None)
    if whole is not None:
        return whole
    path = Path(name.lower())
    packing = path.suffix if path.suffix in COMPRESSIONS else ""
    base = Path(path.stem).suffix if packing else path.suffix
    packable = base in LINES + CELLS
    plain = base == ".parquet" or base in ARROW + SHEETS + FILES
    return base + packing if packable or (plain and not packing) else None


def takes_encoding(suffix: str) -> bool:
    """Return True if files with this suffix do not name their encoding themselves (text, CSV and JSON lines)."""
    return (Path(suffix).stem if Path(suffix).suffix in COMPRESSIONS else suffix) in CELLS + TEXTS + LINES


def suffix_for(format: str) -> str:
    """Return the suffix of a format that the user names without its dot, such as "jsonl" or "csv.gz".

    Raises:
        UsageError: there is no such format
    """
    suffix = suffix_of(f"x.{format.removeprefix('.')}")
    if suffix is None:
        near = meant(format.removeprefix("."), [one.removeprefix(".") for one in _NAMED])
        raise UsageError(
            "unknown format {!r}; known formats are these suffixes, without the dot: {}{}", format, ACCEPTED, near
        )
    return suffix


def check(file: File, suffix: str) -> None:
    """Raise InputError unless the file can be opened and its first bytes do not contradict its suffix.

    Raises:
        InputError: the file cannot be read, is an ARC file, or is compressed or binary though its suffix is that of text lines
    """
    opened = InputFile.from_path(file)
    path = opened.path
    if suffix in ARCS:
        raise InputError(
            "{} is an ARC file, the format before WARC; convert it, e.g. warcio recompress {} {}",
            path,
            shell_word(path.name),
            shell_word(f"{path.name[: -len(suffix)]}.warc.gz"),
        )
    with reading(path):
        if not opened.location.state().is_file:
            raise InputError(
                "{} is not a regular file: give it as an input of its own, or take it out of the folder", path
            )
        with opened.location.open() as raw:
            head = raw.read(8)
    begin, kind = _BEGINNINGS.get(suffix, (b"", Message("")))
    if (own := next((one for one, (first, _) in _BEGINNINGS.items() if head.startswith(first)), "")) and own != suffix:
        if suffix_of(path.name) == own:  # named by its suffix, and read as another format because the caller says so
            raise InputError(
                "the suffix of {} already says that it is {}, so {} is not needed: leave out the option",
                path,
                _BEGINNINGS[own][1],
                Param("format"),
            )
        if own == ".xlsx" and suffix in LINES + CELLS:
            raise InputError("{} is {}, not {}: change the suffix to match the contents{}", path, _BEGINNINGS[own][1], suffix[1:],
                             Remedy(", or name the format, such as {}", Param("format", own[1:])))  # fmt: skip
    if not head.startswith(begin):
        if head.startswith(OLD_OFFICE):
            raise InputError("{} is an old Excel file, or encrypted: save it in Excel as .xlsx or CSV", path)
        raise InputError(
            "{} cannot be read: {}; check that the file is complete and its suffix is right{}",
            path,
            Message("the file does not begin like {}", kind) if head else Message("the file is empty"),
            Remedy(", or name the format with {}", Param("format", "FORMAT")),
        )
    if Path(suffix).suffix not in COMPRESSIONS and suffix in LINES + CELLS:
        for magic, what, formats in _PACKED:
            if head.startswith(magic):
                named = join_messages([Message("{}", Param("format", one)) for one in formats], OR)
                raise InputError(
                    "{} is {}, not {}: change the suffix to match the contents{}", path, what, suffix[1:],
                    Remedy(", or name the format, such as {}", named),
                )  # fmt: skip


def source(
    file: File,
    suffix: str,
    name: str,
    files: Sequence[Path] = (),
    forced: bool = False,
    encoding: str | None = None,
    most: int = LARGEST,
) -> Source:
    """Return the source of a data file, or of the texts and pages `files` below the folder `file`.

    `forced` is True if the user named the suffix, which then applies whatever the file names are. `encoding` is the codec of texts, CSV
    and JSON lines, as `encodings.codec_name` returns it; other formats name theirs themselves. Records of more than `most` bytes are
    bad.
    """
    opened = InputFile.from_path(file)
    if suffix in WARCS:
        return WarcFile(opened, name, suffix, most)
    base = Path(suffix).stem if Path(suffix).suffix in COMPRESSIONS else suffix
    compression = COMPRESSIONS.get(Path(suffix).suffix)
    if base in FILES:
        return TextFolder(opened.path, files or (opened.path,), name, base if forced else None, encoding, most)
    if base in CELLS:
        delimiter = b"\t" if base == ".tsv" else b","
        return CsvFile(opened, name, suffix, compression, delimiter=delimiter, encoding=encoding, most=most)
    if base in LINES:
        if base == ".json" and _is_array(opened, compression, encoding):
            return JsonArray(opened, name, suffix, compression, most=most, encoding=encoding)
        return JsonLines(opened, name, suffix, compression, most=most, encoding=encoding)
    columns = {".parquet": ParquetFile, ".xlsx": SheetFile}.get(base, ArrowFile)
    return columns(opened, name, suffix, most)


def _is_array(file: InputFile, compression: str | None, encoding: str | None) -> bool:
    """Return True if the first character of a file, after white space, opens a JSON array."""
    with reading(file.path), reader(file, compression) as read:
        begin = read(_SNIFFED)
        if begin.startswith(_WIDE) or (encoding is not None and is_wide(encoding)):
            begin = begin.removeprefix(_WIDE[0]).removeprefix(_WIDE[1]).replace(b"\0", b"")
        return begin.removeprefix(BOM).lstrip().startswith(b"[")
