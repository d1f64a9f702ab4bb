"""Web pages and texts that input paths name, found as on one machine."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from quchong.engines.spark.hadoop import Hadoop, local_path
from quchong.engines.spark.rows import File
from quchong.errors import InputError
from quchong.io import open_inputs
from quchong.io.folder import PAGES, TextFolder
from quchong.io.formats import ACCEPTED, FILES, suffix_for, suffix_of
from quchong.languages import Message

MIXED = Message("{} is neither a web page nor a text, but other inputs are: all must have one format")
MOST_BYTES = 1 << 30
"""Most bytes of a text that is passed through Spark as one value."""


@dataclass(frozen=True, slots=True)
class TextFiles:
    """One source of files that are a document each: a folder with all below it, or files that were named one by one.

    Attributes:
        name: name of the source in run.json.
        path: path of the folder, or of a file that was named alone.
        root: the folder that `files` are relative to; a URI of Hadoop if only Hadoop reaches it.
        files: paths below the root, in order.
        sizes: bytes of each file; 0 if unknown.
        here: True if executors open the files under these paths.
        form: as in `TextFolder`: ".html" if all are pages, ".txt" if all are texts, None to decide by suffix.
        places: paths to list in order to find the files: the root, or the files themselves.
    """

    name: str
    path: str
    root: str
    files: tuple[str, ...]
    sizes: tuple[int, ...]
    is_local: bool
    form: str | None
    places: tuple[str, ...] = ()

    @property
    def run_entry(self) -> File:
        """Entry for this source in run.json."""
        return File(self.name, self.path, len(self.files), sum(self.sizes), self.form and self.form[1:])


def text_files(hadoop: Hadoop, paths: Sequence[str], format: str | None) -> list[TextFiles]:
    """Return the sources that paths name: files, folders with all files below them, or patterns.

    A local file system is read as by `quchong.io.open_inputs`. On others, names that begin with . or _ are ignored.

    Raises:
        InputError: there is no such file, a file is neither page nor text, or a text that only Hadoop reaches has more than
            `MOST_BYTES`.
    """
    form = None if format is None else suffix_for(format)
    named = [hadoop.qualified(path) for path in paths]
    plain = [local_path(path) for path in named]
    if not all(path is not None for path in plain):
        return _elsewhere(hadoop, named, form)
    out = []
    for source in open_inputs([str(path) for path in plain], format):
        if not isinstance(source, TextFolder):
            raise InputError(MIXED, source.path)
        root = str(source.path.parent if source.path in source.files else source.path)
        files = tuple(os.path.relpath(path, root) for path in source.files)
        out.append(TextFiles(source.name, str(source.path), root, files, tuple(map(_size, source.files)), True, form))
    return out


def literal(path: str) -> str:
    """Escape a path, so that as a pattern it matches only itself."""
    return re.sub(r"([\[\]{}*?\\])", r"\\\1", path)


def _size(path: os.PathLike[str]) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116 - a million files may be looked at
    except OSError:  # reported when it is read
        return 0


def _elsewhere(hadoop: Hadoop, paths: Sequence[str], form: str | None) -> list[TextFiles]:
    """Return the sources of files that only Hadoop reaches: one for each folder, and one for all files named one by one."""
    # Files by source and size. A pattern is looked up once, in the order in which the user named it.
    sources: dict[str, dict[str, int]] = {}
    for path in dict.fromkeys(paths):
        matched = {match: dict(hadoop.below(literal(match))) for match in hadoop.matches(path)}
        files = {match: found for match, found in matched.items() if list(found) == [match]}
        for match, found in (files or matched).items():  # a pattern means folders if it matches no file
            folder = "" if files else match  # "" collects all files that are named, at the position of the first
            sources.setdefault(folder, {}).update(_select_files(match, found, form))
    out = []
    for folder, sizes in sources.items():
        for uri, size in sizes.items():
            if size > MOST_BYTES and (form or suffix_of(uri)) not in PAGES:
                raise InputError(
                    "{} has {:,} bytes, but Spark reads a text through Hadoop only up to {:,} bytes: mount the file "
                    "system on every executor and write the address as file:///..., or split the text",
                    uri,
                    size,
                    MOST_BYTES,
                )
        # Paths relative to the folder of the source become the ids, as on one machine.
        uris = sorted(sizes)
        root = folder or _folder_of(uris)
        path = uris[0] if not folder and len(uris) == 1 else root
        below, places = tuple(uri.removeprefix(f"{root}/") for uri in uris), (root,) if folder else tuple(uris)
        out.append(TextFiles("", path, root, below, tuple(sizes[uri] for uri in uris), False, form, places))
    above = _folder_of([one.path for one in out])
    return [replace(one, name=one.path.removeprefix(f"{above}/")) for one in out]


def _folder_of(uris: Sequence[str]) -> str:
    """Return the innermost folder that contains all URIs."""
    same = posixpath.commonprefix([f"{posixpath.dirname(uri)}/" for uri in uris])
    return same[: same.rfind("/")]


def _select_files(place: str, found: Mapping[str, int], form: str | None) -> dict[str, int]:
    """Select the files that are pages or texts, with their sizes.

    Raises:
        InputError: there is no page or text, or there are data files among them.
    """
    kinds = {uri: form or suffix_of(posixpath.basename(uri)) for uri in found}
    mine = {uri: size for uri, size in found.items() if kinds[uri] in FILES}
    if not mine:
        raise InputError("{} has no file that can be read; accepted are {}", place, ACCEPTED)
    if data := [uri for uri, kind in kinds.items() if kind is not None and kind not in FILES]:
        raise InputError(MIXED, data[0])
    return mine
