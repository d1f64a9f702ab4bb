"""Source of a folder of texts and pages, one document a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged, UsageError
from quchong.io.bad_records import bad_rows
from quchong.io.columnar.portions import TEXT_BYTES
from quchong.io.documents import assemble
from quchong.io.encodings import UTF8, marked
from quchong.io.file_contents import FileContent, page_content, text_content
from quchong.io.files.input_file import DIGEST_BYTES, changed_bytes
from quchong.io.files.location import Location, location_of
from quchong.io.files.notes import NotesWriter, named_notes
from quchong.io.files.streams import Output
from quchong.io.limits import LARGEST
from quchong.io.records.blocks import RecordWriter
from quchong.io.records.lines import BOM
from quchong.io.row_changes import among
from quchong.io.row_copies import Block, BlockWriter, Mask, Rows, RowSet, Whole
from quchong.io.source import Bad, Documents, Source, WantedColumns
from quchong.languages import Message
from quchong.outputs import read_path, spell_path
from quchong.pages.charset import charset_of_text

_BATCH_FILES = 1 << 16
NAMED = 1000
"""Maximum number of files that are listed by name for each encoding; all files are counted."""

Stamp = tuple[int, int, tuple[int, int] | None] | None
"""Size, modification time and identity of one file, so that another one in its place is noticed; None if they cannot be read."""


PAGES = (".html", ".htm", ".xhtml", ".shtml")
"""Suffixes of files that are web pages."""


class TextFolder(Source):
    """Source with one document a file, in order of path; the id is the path relative to the root, with forward slashes.

    `split` writes lists of these paths, one a line. The keys of text and extra columns are ignored: the text is the content of the
    file without a byte order mark, extra columns are null. The encoding of each file is detected (`charset.charset_of_text`). The
    bytes of a page are in the fallback column (`WantedColumns.instead`), in their own encoding, and its text is empty; without a fallback
    column pages are read as texts.

    Args:
        root: the folder, or the one file
        files: the files, below the root
        name: see Source
        form: ".html" if all files are pages, ".txt" if none is, None to go by their suffixes
        encoding: of the texts, by the name `encodings.codec_name` gives; None to find that of each
        most: bytes of a file; a larger one is a bad record, of which only the beginning is read

    Attributes:
        marks: list to which `documents` appends the mark of each file (`mark_of`), in order; None to collect none.
    """

    FOUND: ClassVar[tuple[str, ...]] = ("_stamps", "_digest", "_bad_rows", "_found")
    """Attributes that `documents` sets, see `quchong.io.found_properties`."""

    def __init__(
        self, root: Path, files: Sequence[Path], name: str, form: str | None = None, encoding: str | None = None,
        most: int = LARGEST,
    ) -> None:  # fmt: skip
        self.name, self._form, self._most = name, form, most
        self.suffix, self.annotated_suffix = ".txt", ".csv"
        self._said = encoding
        self._found: dict[int, str] = {}
        self.path: Path | None = root
        self._files = sorted(files, key=lambda file: file.as_posix())
        base = root.parent if root in self._files else root
        self._ids = [spell_path(file.relative_to(base).as_posix()) for file in self._files]
        self._locations = [location_of(file) for file in self._files]
        self._pages = [(form or file.suffix.lower()) in PAGES for file in self._files]
        self._stamps: list[Stamp] | None = None
        self._digest: tuple[int, str] | None = None
        self.marks: list[bytes] | None = None
        self.files = tuple(self._files)

    def expected(self) -> int | None:
        """Return the number of files, because each is a document."""
        return len(self._files)

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents; files that are unreadable, not UTF-8, with NUL bytes or above the limit are bad records."""
        if rows is not None:
            yield self._documents_at(wanted, rows)
            return
        self._stamps, self._digest = [_stamp(one) for one in self._locations], None
        self._found = {}
        marks, count, before = Marks(), 0, len(bad)
        mine: list[int] = []
        texts: list[bytes] = []
        gathered = 0
        for row in range(len(self._files)):
            raw, text, reason, encoding = self._content(row, wanted)
            mark = mark_of(self._ids[row], raw)
            marks.add(mark)
            if self.marks is not None:
                self.marks.append(mark)
            if reason:
                bad.append(Bad(self.name, row, None, Message("{}: {}", self._ids[row], reason), raw))
                continue
            if encoding != UTF8:
                self._found[row] = encoding
            mine.append(row)
            texts.append(text)
            gathered += len(text)
            if gathered >= TEXT_BYTES or len(mine) >= _BATCH_FILES:
                count += 1
                yield self._batch(wanted, mine, texts)
                mine, texts, gathered = [], [], 0
        if mine or not count:
            yield self._batch(wanted, mine, texts)
        self._digest = marks.size_and_digest()
        self._bad_rows = bad_rows(bad, before, self.name)

    def records(self, rows: RowSet | None = None) -> Iterator[tuple[slice, PathBlock]]:
        """See Source.records: the paths of all files."""
        yield slice(0, len(self._ids)), PathBlock(self._ids)

    def writer(self, path: Path, notes: pa.Schema | None = None) -> BlockWriter:
        """See Source.writer: a list of paths, or with `notes` a CSV file of `path` and the notes."""
        if notes is not None:
            return NotesWriter(path, pa.schema([("path", pa.large_string()), *notes]))
        return RecordWriter(Output(path))

    def table_from(self, values: list[str]) -> pa.Table:
        """See Source.table_from: one column, `path`."""
        return pa.table({"path": pa.array(values, pa.large_string())})

    def check(self, records: int | None = None, seen: int | None = None) -> None:
        """Raise InputChanged if the source is no longer the one that `documents` read; see Source.check."""
        self._check(range(len(self._files)))
        if records not in (None, len(self._files)):
            raise InputChanged(
                "{} contains {} files, but contained {} at the first reading; run again",
                self.name,
                len(self._files),
                records,
            )

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path, without: RowSet | None = None) -> None:
        """See Source.rewrite: a folder of text files under their names."""
        self._check(range(len(self._files)))
        pages = [row for row in texts if self._pages[row]]
        if pages:
            raise UsageError("{} is a web page, but passages can be cut out of texts only", self._ids[pages[0]])
        base = out.with_suffix("")
        out_of_it = among(self._bad_rows, 0, len(self._ids)) | among(without, 0, len(self._ids))
        for row, name in enumerate(self._ids):
            if out_of_it[row]:
                continue
            with Output(base / read_path(name)) as output:
                with self._locations[row].open() as file:
                    raw = file.readall()
                mark = BOM if raw.startswith(BOM) else b""
                encoding = UTF8 if row not in texts or mark else self._said or charset_of_text(raw)
                output.write(mark + marked(texts[row], encoding) if row in texts else raw)

    def _documents_at(self, wanted: WantedColumns, rows: npt.NDArray[np.int64]) -> pa.RecordBatch:
        asked = rows.tolist()
        if asked and asked[-1] >= len(self._files):
            raise InputChanged(
                "{} has {} files, but no file with the number {} (counted from 0); run again",
                self.name,
                len(self._files),
                asked[-1],
            )
        self._check(asked)
        found = [(row, self._content(row, wanted)) for row in asked]
        good = [(row, one.text) for row, one in found if not one.reason]
        return self._batch(wanted, [row for row, _ in good], [text for _, text in good])

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """Yield nothing: a record is its text, and the raw bytes of a bad record are already stored with it."""
        return iter(())

    def check_bytes(self, digest: tuple[int, str] | None) -> None:
        """Raise InputChanged unless the files have these bytes and this digest together; all of them are read for it."""
        marks = Marks()
        for row, name in enumerate(self._ids if digest is not None else ()):
            marks.add(mark_of(name, self._content(row, None).raw))
        if digest is not None and marks.size_and_digest() != tuple(digest):
            assert self.path is not None
            raise changed_bytes(self.path)

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint: total bytes, one digest of paths, sizes and contents, and the encodings other than UTF-8."""
        if self._digest is None:
            marks = Marks()
            for row, name in enumerate(self._ids):
                raw, _, reason, encoding = self._content(row, None)
                if not reason and encoding != UTF8:
                    self._found[row] = encoding
                marks.add(mark_of(name, raw))
            self._digest = marks.size_and_digest()
        said = {} if self._said is None else {"encoding": self._said}
        said |= {} if self._form is None else {"format": self._form[1:]}
        about = {"name": self.name, "bytes": self._digest[0], "blake2b": self._digest[1]}
        return about | said | ({"encodings": self._encodings()} if self._found else {})

    def _encodings(self) -> dict[str, object]:
        rows: dict[str, list[int]] = {}
        for row, encoding in sorted(self._found.items()):
            rows.setdefault(encoding, []).append(row)
        return {
            encoding: {"files": len(mine), "names": [self._ids[row] for row in mine[:NAMED]]}
            for encoding, mine in sorted(rows.items())
        }

    def _batch(self, wanted: WantedColumns, rows: list[int], texts: list[bytes]) -> pa.RecordBatch:
        named = [None if wanted.id is None else self._ids[row] for row in rows]
        extra: list[pa.Array] = [pa.nulls(len(rows), pa.large_string()) for _ in wanted.extra]
        if wanted.instead is not None:
            page = [self._pages[row] for row in rows]
            raws = zip(texts, page, strict=True)
            extra[-1] = pa.array([raw if here else None for raw, here in raws], pa.large_binary())
            texts = [b"" if here else raw for raw, here in zip(texts, page, strict=True)]
        text = pa.array([raw.removeprefix(BOM) for raw in texts], pa.large_binary()).cast(pa.large_string())
        return assemble(wanted, np.array(rows, np.int64), pa.array(named, pa.large_string()), text, extra)

    def _content(self, row: int, wanted: WantedColumns | None) -> FileContent:
        page = self._pages[row] and (wanted is None or wanted.instead is not None)
        if page:
            return page_content(self._locations[row], self._most)
        return text_content(self._locations[row], self._said, self._most)

    def _check(self, rows: Iterable[int]) -> None:
        """Raise InputChanged if one of these files has changed since `documents` read it."""
        if self._stamps is None:
            self._stamps = [_stamp(one) for one in self._locations]
        for row in rows:
            if _stamp(self._locations[row]) != self._stamps[row]:
                raise InputChanged(
                    "{} changed while the run read it; run again when no program writes to it",
                    self._files[row],
                )


class PathBlock(Block):
    """Block of the paths of files, whose pieces are lines."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def slice(self, start: int, end: int) -> PathBlock:
        """Return the records from index `start` to `end`, without `end`; see Block."""
        return PathBlock(self._paths[start:end])

    def piece(self, mask: Mask | None = None, others: bool = True) -> bytes:
        """Return the piece with all records, or with those that a mask chooses; None if there is nothing to write (see Block)."""
        paths = self._paths if mask is None else self.values(mask)
        return "".join(f"{path}\n" for path in paths).encode("utf-8", "surrogateescape")

    def noted(self, notes: pa.Table, mask: Mask) -> pa.Table:
        """Return the piece with the chosen records and their notes; see Block."""
        return named_notes({"path": self._paths}, notes).filter(pa.array(mask))

    def values(self, mask: Mask) -> list[str]:
        """Return the paths of the rows that a mask chooses."""
        return [self._paths[row] for row in np.flatnonzero(mask).tolist()]


def mark_of(name: str, raw: bytes) -> bytes:
    """Return the mark of a file: its path, size and a digest of its bytes.

    The digest is personalised, because a plain digest of the bytes may be known to people who do not have the file.
    """
    digest = hashlib.blake2b(raw, digest_size=DIGEST_BYTES, person=b"quchong text").digest()
    return f"{name}\0{len(raw)}\0".encode() + digest


class Marks:
    """Digest of many files, made of the marks of the files in order, so that several machines can compute it."""

    def __init__(self) -> None:
        self._state, self._bytes = hashlib.blake2b(digest_size=DIGEST_BYTES), 0

    def add(self, mark: bytes) -> None:
        """Add the mark of the next file."""
        self._state.update(mark)
        self._bytes += int(mark.split(b"\0", 2)[1])

    def size_and_digest(self) -> tuple[int, str]:
        """Return the total bytes of the files, and the digest in hexadecimal."""
        return self._bytes, self._state.hexdigest()


def _stamp(file: Location) -> Stamp:
    try:
        state = file.state()
    except OSError:
        return None
    return state.size, state.version, state.identity
