"""Texts outside of a run folder that the run refers to: files of their own, pages in WARC files, the reference corpus.

run.json and the lists of paths in a run folder may have been written by anybody, so they must not choose which files are opened. A text
outside the folder is read if it is in a folder that the user named. Otherwise it is read only if run.json has the seal of this user
(`quchong.runs.seal`), which proves that this user named the location to the run, and if the whole source is unchanged by the digest in
run.json. Texts that are not read are reported (decision 0123).
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

from quchong.errors import InputError, NoSuchFile, Param, QuchongError, RunError, reason_of
from quchong.io import Source, is_text_format, open_file, texts_at
from quchong.io.files.addresses import address_of, here_among, path_of
from quchong.io.files.input_file import reading
from quchong.io.files.location import location_of
from quchong.io.files.similar_path import missing_advice
from quchong.io.renamed_columns import RenamedColumns
from quchong.languages import Message
from quchong.outputs import MANIFEST, Place, is_hollow, is_plain_name, local, read_beneath, read_path
from quchong.outputs.protocol import NEW, SIGN
from quchong.plan.sources import TEMPORARY
from quchong.results.refusals import check_regular_outside, kind_of, refused, stat_outside
from quchong.runs.reader import skipped_in
from quchong.runs.row_ranges import stretches
from quchong.runs.seal import is_own
from quchong.tables import REFERENCE_PREFIX

_LIST_BYTES = 1 << 30
"""Most bytes of a list of paths that is read."""

COPIES = ("stdin", "against")
"""Folders in that of a run in progress with copies of its reference corpus."""

Entry = Mapping[str, Any]
"""Entry of run.json about an input or a reference corpus: `name`, `path`, possibly `format` and `encoding`, and the run's findings."""


def _is_copy_of_index(path: Path) -> bool:
    """Return True if a path is a temporary copy of an index's documents, made for one run (`quchong.results.against`).

    Copies are in the folder of the run in progress, or in a temporary one (`quchong.plan.sources.Spool`) if that folder is elsewhere.
    """
    parts = path.parts[-5:-1]
    beside = len(parts) == 4 and parts[1:] == (NEW, *COPIES) and SIGN in parts[0]
    aside = len(parts) > 1 and parts[-1] == COPIES[-1] and parts[-2].startswith(TEMPORARY)
    return path.suffix == ".parquet" and (beside or aside) and not path.exists()


class OutsideSources:
    """Sources outside of a run folder that its run.json names.

    Args:
        folder, manifest, tables: folder, manifest and tables of the run.
        named: folders and files that the user named: their texts are read as they are now.
        trusted: True if this process made the run, so that the user named all its inputs.

    Attributes:
        left: reasons why sources were not read, by the name of the input.
    """

    def __init__(
        self, folder: Path, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table],
        named: Sequence[Path] = (), trusted: bool = False,
    ) -> None:  # fmt: skip
        self._folder, self._manifest, self._tables, self._trusted = folder, manifest, tables, trusted
        self._named = [Path(os.path.realpath(one)) for one in named]
        there = map(os.path.exists, self._named)  # which never raises, for any name
        if missing := next((given for given, is_there in zip(named, there, strict=True) if not is_there), None):
            raise NoSuchFile("{}: no such file; {}", missing, missing_advice(missing))
        self._allowed: dict[tuple[str, bool], Source | None] = {}
        self._lists: dict[str, list[str]] | None = None
        self._unread: dict[str, set[str]] = {}
        self._read: list[Path] = []
        self.left: dict[str, Message] = {}

    @cached_property
    def _own(self) -> bool:
        """Return True if a run of this user wrote run.json."""
        return is_own(self._manifest)

    def entry(self, name: str, reference: bool) -> Entry | None:
        """Return the entry of run.json for the input, or the reference corpus, of this name; None if it has no path."""
        places = self._manifest["against" if reference else "inputs"]
        return next((one for one in places if one["name"] == name and "path" in one), None)

    def source(self, name: str, reference: bool) -> Source:
        """Return the source of this name as the run read it, with the rows of the table of documents; it is checked once.

        Raises:
            RunError: the source may not be read, for the reason in `left`, or it is missing.
        """
        key = name, reference
        if key not in self._allowed:
            self._allowed[key] = self._checked(name, reference)
            if (allowed := self._allowed[key]) is not None:
                self.note_read(allowed)
        found = self._allowed[key]
        if found is None:
            raise RunError("{}: {}", name, self.left[name])
        return found

    def unchecked(self, entry: Entry, reference: bool) -> Source:
        """Return the source of an entry without a check of its digest; the caller must compare it with run.json before showing anything.

        Only regular files are opened, except files that the run could not read, which may be anything.

        Raises:
            RunError: only run.json names the location, or the source is missing, or no regular file.
        """
        path = entry["path"]
        if not (self._trusted or self._is_named(Path(read_path(path))) or self._own):
            raise RunError(
                "its texts are at {}, outside the run folder. They were not read, because run.json does not "
                "prove that your own run named this location. To read the texts, give the folder with {}",
                path,
                Param("texts", path),
            )
        source = self._open_entry(entry, reference)
        source.name = entry["name"]
        names, text = entry.get("columns", {}), tuple(entry.get("text_columns", ()))
        return RenamedColumns(source, names, text) if names or text else source

    def note_read(self, source: Source) -> None:
        """Record that texts of a source are being read, see `places`; unreadable files are left out."""
        path = source.path or Path()
        root = path.parent if path in source.files else path
        unread = {root / name for name in self._unread.get(source.name, ())}
        self._read += [file for file in source.files if file not in unread]

    def places(self) -> list[Place]:
        """Return the places outside of the run folder that must not be written over.

        Paths in run.json do not decide where a user may write. Of a run that this process made they are the user's own; else only the
        files count whose texts were read so far.
        """
        if not self._trusted:
            return local(here_among(*self._read))
        entries = [*self._manifest["inputs"], *self._manifest["against"]]
        return local(here_among(*(Path(read_path(one["path"])) for one in entries if "path" in one)))

    def _checked(self, name: str, reference: bool) -> Source | None:
        entry = self.entry(name, reference)
        if entry is None:
            self.left[name] = Message("{} does not say where this input was read from", self._folder / MANIFEST)
            return None
        try:
            source = self.unchecked(entry, reference)
            # Three reasons to read a source, the cheapest first: the user named it, or it is unchanged by its digest.
            if self._trusted or self._is_named(Path(read_path(entry["path"]))) or self._is_as_read(source, entry):
                return source
        except QuchongError as error:
            self.left[name] = error.message
            return None
        self.left[name] = Message(
            "its texts are at {}, outside the run folder. They were not read, because they have changed since "
            "the run. To read the current texts, give the folder with {}",
            entry["path"],
            Param("texts", entry["path"]),
        )
        return None

    def _is_named(self, path: Path) -> bool:
        """Return True if the path is in a folder that the user named."""
        real = Path(os.path.realpath(path))
        return any(real == one or one in real.parents for one in self._named)

    def _is_as_read(self, source: Source, entry: Entry) -> bool:
        """Return True if the source is unchanged since the run read it.

        Cost: one reading of the whole source, none if its size differs.
        """
        if "blake2b" not in entry or "bytes" not in entry:
            return False
        path, least, most = Path(read_path(entry["path"])), 0, 0
        if address_of(path) is not None:
            return bool(source.fingerprint().get("blake2b") == entry["blake2b"])
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
                why = Message("the size of the file is {:,} bytes, but the file is almost empty", about.st_size)
                raise refused(entry["name"], self._folder, why)
            least += about.st_size
        return bool(least <= entry["bytes"] <= most and source.fingerprint().get("blake2b") == entry["blake2b"])

    def _open_entry(self, entry: Entry, reference: bool) -> Source:
        path, kind, encoding = Path(read_path(entry["path"])), entry.get("format"), entry.get("encoding")
        if address_of(path) is not None:
            return self._open_remote(path_of(path), entry, reference)
        if reference and _is_copy_of_index(path):
            raise RunError(
                "{} is the copy of an index that the run was compared with, and a run does not store texts of an "
                "index. To see the texts, write the index as a run with {}, and compare with that run",
                Path(entry["name"]).stem, "quchong index export",
            )  # fmt: skip
        about = stat_outside(path, entry["name"], self._folder)
        most = self._manifest["config"]["max_record"]
        if stat.S_ISREG(about.st_mode) and not is_text_format(path, kind):
            return open_file(path, kind, encoding, max_record=most)
        if not (stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)):
            raise refused(entry["name"], self._folder, kind_of(about.st_mode))
        root = path if stat.S_ISDIR(about.st_mode) else path.parent
        names = self._names(entry["name"], reference)
        if not names or not all(map(is_plain_name, names)):
            raise RunError("the run folder does not say which files of {} the run read", path)
        files = [root / name for name in names]
        # A folder that the user named allows no links to files elsewhere.
        inside = [Path(os.path.realpath(file)) for file in files] if self._is_named(path) else []
        if not all(self._is_named(file) for file in inside):
            raise RunError("{} is not read, because it contains links to files outside of it", root)
        unread = set() if reference else self._unread.get(entry["name"], set())
        shown = self._trusted or self._is_named(path)  # these may be read although some of their files are missing
        within = "" if path in files else f"{entry['name']}/"
        for name, file in zip(names, files, strict=True):
            if name not in unread and not (shown and not os.path.lexists(file)):
                check_regular_outside(file, f"{within}{name}", self._folder)
        return texts_at(path if path in files else root, files, kind, encoding, most)

    def _open_remote(self, path: Path, entry: Entry, reference: bool) -> Source:
        """Return the source of an entry whose location is an address; the caller has checked that the user named it."""
        kind, encoding, most = entry.get("format"), entry.get("encoding"), self._manifest["config"]["max_record"]
        try:
            with reading(path):
                is_folder = location_of(path).state().is_folder
        except InputError as error:  # such as one that only Spark reaches
            raise RunError(
                "{}, from which {} was made, no longer exists or cannot be read from this machine: {}",
                path,
                self._folder,
                error,
            ) from error
        if not is_folder and not is_text_format(path, kind):
            return open_file(path, kind, encoding, max_record=most)
        root = path if is_folder else path.parent
        names = self._names(entry["name"], reference)
        if not names or not all(map(is_plain_name, names)):
            raise RunError("the run folder does not say which files of {} the run read", path)
        files = [root / name for name in names]
        return texts_at(path if path in files else root, files, kind, encoding, most)

    def _names(self, name: str, reference: bool) -> list[str]:
        """Return the names of the files of a source of texts, in the order of rows, including files that could not be read."""
        documents = self._tables["documents"]
        mine = documents.filter(
            pc.and_(pc.equal(documents["source"], name), pc.equal(documents["reference"], reference))
        )
        if reference:
            ids = mine.sort_by("row")["id"].to_pylist()
            return [read_path(str(one).removeprefix(REFERENCE_PREFIX)) for one in ids]
        if self._lists is None:
            self._lists = self._listed_files()
        return self._lists.get(name, [])

    def _listed_files(self) -> dict[str, list[str]]:
        """Return the file names in the lists of paths and among skipped records, by input; skipped ones are added to `_unread`."""
        documents, found = self._tables["documents"], dict[str, dict[int, str]]()
        split = self._manifest["mode"] == "remove"
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
        """Return the name of a file that could not be read, with which the reason begins; None if no such file exists."""
        entry = self.entry(source, False)
        if entry is None:
            return None
        parts = reason.split(": ")
        names = [read_path(": ".join(parts[:k])) for k in range(1, len(parts))]
        root = Path(read_path(entry["path"]))
        return next((one for one in names if is_plain_name(one) and os.path.lexists(root / one)), None)


def listed_paths(folder: Path, name: str) -> list[str]:
    """Return the names in a list of paths of a run folder, spelt as in the list.

    Raises:
        RunError: the list cannot be read.
    """
    try:
        return read_beneath(folder, name, _LIST_BYTES).decode().split("\n")[:-1]  # a name may hold other line ends
    except (OSError, ValueError) as error:
        raise RunError("{} cannot be read: {}", folder / name, reason_of(error)) from error


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False
