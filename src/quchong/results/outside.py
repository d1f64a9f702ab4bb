"""What a run names outside of its folder: texts that are files of their own, pages in WARC files, the corpus it was compared with.

run.json and the lists of paths in a run folder may have been written by anybody, so they choose no file that is opened. A text outside
the folder is read where it lies beneath a folder that the user named; else only where run.json has the seal of this user
(`quchong.runs.seal`), so that this user named the place to the run, and all that the run read from there is still what it read, by
the digest in run.json. What is left alone is told (decisions 0112 and 0122).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from quchong.engines.local.ids import REFERENCE_PREFIX
from quchong.errors import Param, QuchongError, RunError
from quchong.io import Source, is_text_format, open_file, texts_at
from quchong.languages import Message
from quchong.outputs import MANIFEST, is_hollow, is_plain_name, read_beneath, read_path
from quchong.runs.reader import skipped_in
from quchong.runs.seal import is_own
from quchong.runs.stretches import stretches

_LIST_BYTES = 1 << 30
"""A list of paths of more bytes is not read."""

Entry = Mapping[str, Any]
"""An input, or a corpus that was compared with, as run.json tells of it: `name`, `path`, perhaps `format` and `encoding`, and what
the run found there."""


class Outside:
    """The places outside of a run folder that its run.json names.

    Args:
        folder, manifest, tables: of the run.
        named: folders and files that the user named: what lies there is read as it is.
        trusted: the run was made by this process, so that all its places were named by the user.

    Attributes:
        left: why a place was left alone, by the name of the input.
    """

    def __init__(
        self, folder: Path, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table],
        named: Sequence[Path] = (), trusted: bool = False,
    ) -> None:  # fmt: skip
        self._folder, self._manifest, self._tables, self._trusted = folder, manifest, tables, trusted
        self._named = [Path(os.path.realpath(one)) for one in named]
        self._allowed: dict[tuple[str, bool], Source | None] = {}
        self._lists: dict[str, list[str]] | None = None
        self._unread: dict[str, set[str]] = {}
        self.left: dict[str, Message] = {}

    @cached_property
    def _own(self) -> bool:
        """Did a run of this user write run.json?"""
        return is_own(self._manifest)

    def entry(self, name: str, reference: bool) -> Entry | None:
        """What run.json tells of the input, or the corpus compared with, of that name; None where it tells no path."""
        places = self._manifest["against" if reference else "inputs"]
        return next((one for one in places if one["name"] == name and "path" in one), None)

    def source(self, name: str, reference: bool) -> Source:
        """The source at a place, as the run read it; its rows are those of the table of documents. Once a place, it is held.

        Raises:
            RunError: it is not to be read, and `left` says why; or it is gone.
        """
        key = name, reference
        if key not in self._allowed:
            self._allowed[key] = self._checked(name, reference)
        found = self._allowed[key]
        if found is None:
            raise RunError("{}: {}", name, self.left[name])
        return found

    def unchecked(self, entry: Entry, reference: bool) -> Source:
        """The source at a place that may be read, whatever stands there: for a caller that holds it to the digest in run.json before
        anything of it is shown. Only regular files are opened; what the run could not read may be anything.

        Raises:
            RunError: nobody but run.json names it, it is gone, or no regular file.
        """
        path = entry["path"]
        if not (self._trusted or self._is_named(Path(read_path(path))) or self._own):
            raise RunError(
                "its texts are outside of the run folder, at {}, and run.json does not prove that your own run named that place, so "
                "they are left alone; to read them, name the folder with {}",
                path,
                Param("texts", path),
            )
        source = self._opened(entry, reference)
        source.name = entry["name"]
        return source

    def _checked(self, name: str, reference: bool) -> Source | None:
        entry = self.entry(name, reference)
        if entry is None:
            self.left[name] = Message("{} does not tell where it was read", self._folder / MANIFEST)
            return None
        try:
            source = self.unchecked(entry, reference)
            if self._trusted or self._is_named(Path(read_path(entry["path"]))) or self._is_as_read(source, entry):
                return source
        except QuchongError as error:
            self.left[name] = error.message
            return None
        self.left[name] = Message(
            "its texts stand outside of the run folder, at {}, and are not those that the run read, so they are left alone; "
            "to read what is there, name the folder with {}",
            entry["path"],
            Param("texts", entry["path"]),
        )
        return None

    def _is_named(self, path: Path) -> bool:
        """Does it lie beneath a folder that the user named?"""
        real = Path(os.path.realpath(path))
        return any(real == one or one in real.parents for one in self._named)

    def _is_as_read(self, source: Source, entry: Entry) -> bool:
        """Is what stands there, all of it, what the run read?

        Cost: one reading of all of it, but for what has another size.
        """
        if "blake2b" not in entry or "bytes" not in entry:
            return False
        path, least, most = Path(read_path(entry["path"])), 0, 0
        root = path if path.is_dir() else path.parent
        unread = {root / name for name in self._unread.get(entry["name"], ())}
        for file in source.files:
            if file in unread and not _is_regular(file):
                continue
            about = file.stat()
            most += about.st_size
            if file in unread:  # of which the run read nothing, or the beginning
                continue
            if is_hollow(about):
                return False
            least += about.st_size
        return bool(least <= entry["bytes"] <= most and source.fingerprint().get("blake2b") == entry["blake2b"])

    def _opened(self, entry: Entry, reference: bool) -> Source:
        path, kind, encoding = Path(read_path(entry["path"])), entry.get("format"), entry.get("encoding")
        most = self._manifest["config"]["max_record"]
        try:
            about = path.stat()
        except (OSError, ValueError) as error:
            raise _gone(entry, self._folder) from error
        if stat.S_ISREG(about.st_mode) and not is_text_format(path, kind):
            return open_file(path, kind, encoding, max_record=most)
        if not (stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)):
            raise RunError("{} is neither a file nor a folder, and is not opened", path)
        root = path if stat.S_ISDIR(about.st_mode) else path.parent
        names = self._names(entry["name"], reference)
        if not names or not all(map(is_plain_name, names)):
            raise RunError("the run folder does not tell which files of {} it read", path)
        files = [root / name for name in names]
        inside = [Path(os.path.realpath(file)) for file in files] if self._is_named(path) else []
        if not all(self._is_named(file) for file in inside):
            raise RunError("{} holds links that lead out of it, and is not read", root)
        unread = set() if reference else self._unread.get(entry["name"], set())
        shown = self._trusted or self._is_named(path)  # there what is left is shown without what is gone
        there = [
            file
            for name, file in zip(names, files, strict=True)
            if name not in unread and not (shown and not os.path.lexists(file))
        ]
        if not all(map(_is_regular, there)):
            raise _gone(entry, self._folder)
        return texts_at(path if path in files else root, files, kind, encoding, most)

    def _names(self, name: str, reference: bool) -> list[str]:
        """Names of the files of a source of texts, those of records that could not be read among them, in the order of rows."""
        documents = self._tables["documents"]
        mine = documents.filter(
            pc.and_(pc.equal(documents["source"], name), pc.equal(documents["reference"], reference))
        )
        if reference:
            ids = mine.sort_by("row")["id"].to_pylist()
            return [read_path(str(one).removeprefix(REFERENCE_PREFIX)) for one in ids]
        if self._lists is None:
            self._lists = self._listed()
        return self._lists.get(name, [])

    def _listed(self) -> dict[str, list[str]]:
        """By input, the names in the lists of paths, and of the files that could not be read, which `_unread` then has alone."""
        documents, found = self._tables["documents"], dict[str, dict[int, str]]()
        split = all("annotated" not in sides for sides in self._manifest["files"].values())
        if not split:  # the ids are the names
            own = documents.filter(pc.invert(documents["reference"])).select(["source", "row", "id"])
            for one in own.to_pylist():
                found.setdefault(one["source"], {})[one["row"]] = read_path(str(one["id"]))
        for stretch in stretches(self._manifest, documents) if split else ():
            for file, gone in ((stretch.kept, False), (stretch.removed, True)):
                mine = documents.take(pa.array(stretch.documents[stretch.gone == gone]))
                lines = listed_paths(self._folder, file) if file.endswith(".txt") and len(mine) else []
                for source, row, line in zip(mine["source"].to_pylist(), mine["row"].to_pylist(), lines, strict=False):
                    found.setdefault(source, {})[row] = read_path(line)
        for one in skipped_in(self._folder) if found else ():
            rows = found.get(one.source)
            if rows is not None and (name := self._skipped_name(one.source, one.reason)) is not None:
                rows[one.row] = name
                self._unread.setdefault(one.source, set()).add(name)
        return {name: [rows[row] for row in sorted(rows)] for name, rows in found.items()}

    def _skipped_name(self, source: str, reason: str) -> str | None:
        """The name of a file that could not be read, with which the reason begins."""
        entry = self.entry(source, False)
        if entry is None:
            return None
        parts = reason.split(": ")
        names = [read_path(": ".join(parts[:k])) for k in range(1, len(parts))]
        root = Path(read_path(entry["path"]))
        return next((one for one in names if is_plain_name(one) and os.path.lexists(root / one)), None)


def listed_paths(folder: Path, name: str) -> list[str]:
    """The names in a list of paths of a run folder, as they are spelt there.

    Raises:
        RunError: it cannot be read.
    """
    try:
        return read_beneath(folder, name, _LIST_BYTES).decode().split("\n")[:-1]  # a name may hold other line ends
    except (OSError, ValueError) as error:
        raise RunError("{} cannot be read: {}", folder / name, error) from error


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _gone(entry: Entry, folder: Path) -> RunError:
    return RunError("{}, which {} was made from, is no longer there: run again", entry["name"], folder)
