"""Rule about outputs: no output overlaps an input, and none is inside a run folder or an index."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from quchong.errors import OutputError, Param
from quchong.languages import Message
from quchong.outputs.beneath import read_beneath
from quchong.outputs.free_names import free_name
from quchong.patterns import lazy_pattern

MANIFEST = "run.json"
_OURS = lazy_pattern(rb'\s*\{\s*"format":\s*\d+,\s*("engine":\s*"\w+",\s*)?"quchong":')
"""Beginning of the manifest of a run, whichever command and engine wrote it."""
_BEGINNING = 200
_SETTINGS, _CATALOGUE = "index.json", "catalogue.sqlite"
_MOST_NAMES = 1_000
"""Most names in a folder that are looked at for those of an index, which has a few."""
_GENERATION = lazy_pattern(r"g[0-9]{6,12}")
"""Names by which the folder of an index is recognised: its settings, and the catalogue in a folder of contents."""
MANIFEST_BYTES = 1 << 28
"""Most bytes of a run.json that are read; those of a run over a million files have fewer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Location of a file or folder by its identity in the file system, independent of the path that names it.

    Args:
        said: name that the caller used, for messages.
        own: identity, equal for all names of one file (links, hard links, `..`, upper and lower case).
        above: identities of the folders that contain it.
        inside: path of the innermost of these folders on this machine, without links; "" for other machines.
        parameter: parameter of the caller, such as "against"; "" if messages need no name, as for inputs.
    """

    said: str
    own: Hashable
    above: frozenset[Hashable]
    inside: str = ""
    parameter: str = ""

    @property
    def shown_name(self) -> str | Param:
        """Name of the location for messages."""
        return Param(self.parameter, self.said) if self.parameter else self.said


def local(paths: Iterable[str | os.PathLike[str]], parameter: str = "") -> list[Place]:
    """Return the locations of paths on this machine, which need not exist; `parameter`, such as "against", names them in messages.

    Cost: a few system calls for each path; a folder that contains many of them is looked up once.
    """
    reals: dict[str, str] = {}
    above: dict[str, frozenset[Hashable]] = {}
    found = []
    for path in paths:
        folder, name = os.path.split(os.path.abspath(path) if _is_plain_path(path) else os.path.realpath(path))  # noqa: PTH100
        if folder not in reals:
            reals[folder] = os.path.realpath(folder)
        real = os.path.join(reals[folder], name)  # noqa: PTH118
        if os.path.islink(real):  # noqa: PTH114
            real = os.path.realpath(real)
        inside = str(Path(real).parent)
        if inside not in above:
            above[inside] = frozenset(_identity(str(one)) for one in (Path(inside), *Path(inside).parents))
        found.append(Place(os.fspath(path), _identity(real), above[inside], inside, parameter))
    return found


def _is_plain_path(path: str | os.PathLike[str]) -> bool:
    """Return True if the path contains no `..`, so that it can be cut at its last separator; behind a link, `..` is another folder."""
    return os.pardir not in Path(path).parts


def _identity(real: str) -> Hashable:
    """Return device and inode of a file, or its path if it does not exist yet."""
    try:
        about = os.stat(real)  # noqa: PTH116 - a million inputs may be looked at
    except (OSError, ValueError):
        return real
    return (about.st_dev, about.st_ino) if about.st_ino else real


def check_apart(inputs: Iterable[Place], outputs: Iterable[Place], *, makes_folder: bool = False) -> None:
    """Raise OutputError if an output is or overlaps an input, if two outputs are equal, or if an output is inside a run folder or an index.

    Cost: one lookup for each location; only the first bytes of a `run.json` above an output are read, and the names beside an `index.json`.

    Args:
        inputs, outputs: locations that are read and written.
        makes_folder: True if an output named "out" is a folder to be made, which is said of one that is a file.

    Raises:
        OutputError: an output is refused; the message names both locations and a remedy.
    """
    read: dict[Hashable, Place] = {}
    # Identities of inputs, and of all folders around them: each rule is then one lookup.
    around: dict[Hashable, Place] = {}
    for one in inputs:
        read.setdefault(one.own, one)
        for folder in one.above:
            around.setdefault(folder, one)
    written: dict[Hashable, Place] = {}
    for output in outputs:
        if makes_folder and output.own in read and output.parameter == "out" and Path(output.said).is_file():
            beside = free_name(os.path.splitext(output.said)[0])  # noqa: PTH122 - as it was typed
            raise OutputError("the output {} is the same as the input {}: the output is a new folder, such as {}",
                              output.shown_name, read[output.own].shown_name, Param("out", f"{beside.rstrip('/')}/"))  # fmt: skip
        if output.own in read:
            raise _refused(
                Message("the output {} is the same as the input {}: choose another output"),
                output,
                read[output.own],
            )
        # Several inputs may contain it: name the same one in every call.
        if inside := [read[folder] for folder in output.above if folder in read]:
            raise _refused(
                Message("the output {} is inside the input {}: choose another output"),
                output,
                min(inside, key=lambda one: (one.parameter, one.said)),
            )
        if output.own in around:
            raise _refused(
                Message("the output {} contains the input {}: choose another output"),
                output,
                around[output.own],
            )
        if output.own in written:
            raise OutputError(
                "{} and {} are the same: give each output a separate place",
                output.shown_name,
                written[output.own].shown_name,
            )
        written[output.own] = output
        check_in_no_run(output)


def check_in_no_run(output: Place) -> None:
    """Raise OutputError if an output is inside a run folder or an index, at any depth.

    Only `quchong restore` changes a run, and a later run that overwrites it would find a foreign file there.

    Raises:
        OutputError: the output is inside a run folder or an index; the message names both and a remedy.
    """
    inside = Path(output.inside) if output.inside else None
    for folder in () if inside is None else (inside, *inside.parents):
        manifest = folder / MANIFEST
        try:
            if not manifest.is_file():  # a pipe of that name would never answer
                continue
            with os.fdopen(os.open(manifest, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
                beginning = file.read(_BEGINNING)
        except (OSError, ValueError):
            continue
        if begins_run(beginning):
            raise in_a_run(output.shown_name, str(folder))
    for folder in () if inside is None else (inside, *inside.parents):
        if (folder / _SETTINGS).is_file() and has_index_contents(folder):
            raise OutputError("{} is inside the index {}: name another place", output.shown_name, str(folder))


def has_index_contents(folder: Path) -> bool:
    """Return True if a folder has the contents of an index, whether or not its settings are there. Nothing of them is read."""
    try:
        with os.scandir(folder) as entries:
            return any(
                _GENERATION.fullmatch(one.name) and Path(one, _CATALOGUE).is_file()
                for one in islice(entries, _MOST_NAMES)
            )
    except (OSError, ValueError):
        return False


def begins_run(manifest: bytes) -> bool:
    """Return True if these bytes begin the `run.json` of a run of quchong."""
    return bool(_OURS.match(manifest))


def manifest_of(folder: Path) -> dict[str, Any]:
    """Return the JSON object of run.json in a folder, opened without following a link.

    Raises:
        ValueError: the file contains no JSON object, or a number such as NaN.
        RunError: the file is a link, no regular file, or larger than any run writes it.
        OSError: the file cannot be read.
    """
    try:
        found = json.loads(read_beneath(folder, MANIFEST, MANIFEST_BYTES), parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(found, dict) or type(found.get("format", 0)) is not int:
        raise ValueError("no manifest")
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of a manifest")


def in_a_run(output: str | Param, folder: str) -> OutputError:
    """Return the error that an output is inside the run folder `folder`, where only `quchong restore` may change files."""
    return OutputError("{} is inside {}, a run of quchong: choose a place outside it", output, folder)


def unlinked(path: Path, parameter: str) -> Path:
    """Return a path that a command chooses next to a run folder of unknown origin; raise if a link is at that path.

    A link there would let whoever made the folder choose the file that is written. `parameter` names the file otherwise.

    Raises:
        OutputError: there is a link.
    """
    if path.is_symlink():
        raise OutputError(
            "{} is a link to another file: remove the link, or name the file to write with {}", path, Param(parameter)
        )
    return path


def _refused(why: Message, output: Place, read: Place) -> OutputError:
    return OutputError(why.holding(output.shown_name, read.shown_name))
