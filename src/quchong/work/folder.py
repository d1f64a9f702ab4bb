"""Intermediate results of a run, stored stage by stage in a folder next to its output, from which an interrupted run continues.

The work of an output PARENT/NAME is the hidden folder PARENT/.NAME.quchong-work, or one with a similar name in a folder that the user
gave. It contains `work.json`, which identifies the run, and one file for each value (`quchong.work.values`). It stays if the run is
interrupted, and is removed when the run ends well. Only one run at a time writes an output, so only one has its work open.

Its name can be guessed, and it may be in a folder that others may write. So it is made for its user alone, is opened only if it
belongs to that user and nobody else may write it, and is read only through its descriptor (`quchong.outputs.private_folder`).
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from quchong.errors import OutputError, reason_of
from quchong.outputs import UNFINISHED, OwnFolder
from quchong.patterns import lazy_pattern
from quchong.work.tree import NO_KINDS, Kinds
from quchong.work.value_parts import Damaged
from quchong.work.values import read_value, write_value

T = TypeVar("T")
ABOUT = "work.json"
FORMAT = 2
_VALUE = lazy_pattern(r"[a-z0-9-]+\.value(\.part)?|work\.json(\.part)?")
_PART = lazy_pattern(r"[0-9]+-of-[0-9]+")
_NAME = lazy_pattern(r"[a-z0-9-]+")
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def work_folder(out: Path, within: Path | None = None) -> Path:
    """Return the folder for the work of an output: hidden next to it, or in a given folder under a name that no other output has."""
    place = Path(os.path.realpath(out))
    if within is None:
        return place.parent / f".{place.name[:50]}.quchong-work"  # of the root folder too, which has no name
    digest = hashlib.blake2b(os.fsencode(place), digest_size=4).hexdigest()
    return Path(os.path.realpath(within)) / f".{place.name[:50]}.{digest}.quchong-work"


def part_folder(out: Path, number: int, count: int, within: Path | None = None) -> Path:
    """Return the work folder of a part of a run, next to that of the whole run (`work_folder`)."""
    whole = work_folder(out, within)
    return whole.with_name(f"{whole.name.removesuffix('-work')}-part-{number}-of-{count}")


def part_folders(out: Path, within: Path | None = None) -> list[Path]:
    """Return the folders for the work of parts of runs to an output that exist, of any number of parts, in order of their names."""
    one = part_folder(out, 1, 1, within)
    begin = one.name.removesuffix("1-of-1")
    with suppress(OSError):
        return sorted(path for path in one.parent.iterdir() if _PART.fullmatch(path.name.removeprefix(begin)))
    return []


def about_work(folder: Path) -> dict[str, Any] | None:
    """Return the contents of `work.json` in a folder, or None if the folder has no such work.

    Raises:
        OutputError: the folder is a link, belongs to another user, or others may write it.
    """
    try:
        return _read_description(OwnFolder.open_path(folder))
    except OSError:
        return None


def _read_description(folder: OwnFolder) -> dict[str, Any] | None:
    """Return the contents of `work.json` in an opened folder, or None if it is missing or damaged."""
    with suppress(OSError, ValueError, RecursionError), folder.open(ABOUT) as file:
        about = json.loads(file.read().decode("utf-8", "surrogatepass"))
        if isinstance(about, dict) and isinstance(about.get("key"), str):
            return about
    return None


class Work:
    """Values of a run's stages, stored in a folder or, without one, not stored.

    Args:
        folder: the opened folder; None to store nothing.
        found: see below.
        out: path of the run's output.
        kinds: classes whose objects values may contain.

    Attributes:
        found: names of the stages that were complete when the work was opened.
        written: bytes written by this process.
    """

    def __init__(
        self,
        folder: OwnFolder | None = None,
        found: Sequence[str] = (),
        out: Path | None = None,
        kinds: Kinds = NO_KINDS,
    ) -> None:
        self._folder, self.found, self.written, self._out, self._kinds = folder, tuple(found), 0, out, kinds
        self._names: dict[int, tuple[str, int]] = {}
        self._shared: dict[str, list[Any]] = {}
        self._lent: dict[str, Callable[[], list[Any]]] = {}

    @staticmethod
    def open(folder: Path, key: str, about: Mapping[str, Any], *, fresh: bool = False, kinds: Kinds = NO_KINDS) -> Work:
        """Open the work of a run in its folder, or make it.

        Args:
            folder: see `work_folder`.
            key: identity of the run; work with another key, or of another version, is removed and started over.
            about: contents of `work.json` besides the key.
            fresh: start over in any case.
            kinds: classes whose objects values may contain.

        Raises:
            OutputError: the folder cannot be made or written, contains a file that quchong did not write, is a link, belongs to
                another user, or others may write it.
        """
        try:
            try:
                opened = OwnFolder.open_path(folder)
            except FileNotFoundError:
                opened = OwnFolder.made(folder)
            # A folder without work.json that contains other files is not ours; one with another key is emptied.
            known = _read_description(opened)
            if known is None and (other := _foreign(opened)):
                raise OutputError(
                    "{} contains {}, which quchong did not write: move that file elsewhere", folder, other
                )
            goes_on = known is not None and not fresh and (known["key"], known.get("format")) == (key, FORMAT)
            if not goes_on:
                _empty(opened)
                with opened.open(f"{ABOUT}.part", "xb") as file:
                    told = json.dumps({"format": FORMAT, "key": key, **about}, ensure_ascii=False)
                    file.write(told.encode("utf-8", "surrogatepass"))
                opened.rename(f"{ABOUT}.part", ABOUT)
            names = [name.removesuffix(".value") for name in opened.names() if name.endswith(".value")]
        except OSError as error:
            raise OutputError("the work of a run cannot be stored in {}: {}", folder, reason_of(error)) from error
        UNFINISHED.append(Path(about.get("out", folder)))
        return Work(opened, names, UNFINISHED[-1], kinds)

    @property
    def folder(self) -> Path | None:
        """Path of the folder; None if nothing is stored."""
        return None if self._folder is None else self._folder.path

    @property
    def stores_values(self) -> bool:
        """True if values are stored."""
        return self._folder is not None

    def stage(
        self, name: str, make: Callable[[], T], *, frees: Sequence[str] = (), check: Callable[[Any], None] | None = None
    ) -> T:
        """Return the value of a stage: read if an earlier process stored it, else made, and stored if there is a folder.

        A stored value is returned mapped from its file, whether it was just made or not, so that both cases continue alike.

        Args:
            name: name of the stage, of small letters, digits and hyphens.
            make: returns the value.
            frees: values to remove once this one is stored; a trailing hyphen means all names with this beginning.
            check: see `get`.
        """
        if self._folder is None:
            return make()
        found = self.get(name, check)
        if found is None:
            found = (self.store(name, make()),)
        for other in frees:
            self.forget(other)
        value: T = found[0]
        return value

    def get(self, name: str, check: Callable[[Any], None] | None = None) -> tuple[Any] | None:
        """Return the stored value of a name in a tuple, or None if it is missing or damaged.

        Args:
            name: as in `stage`.
            check: raises Damaged for a value that does not belong to this stage; the value is then removed.
        """
        if self._folder is None or not _NAME.fullmatch(name):
            return None
        try:
            value = read_value(self._folder, f"{name}.value", self._kinds, self._shared_value)
            if check is not None:
                check(value)
            return (value,)
        except FileNotFoundError:
            return None
        except (Damaged, OSError):
            with suppress(OSError):
                self._folder.remove(f"{name}.value")
            return None

    def store(self, name: str, value: T) -> T:
        """Store a value and return it, mapped from its file.

        Raises:
            OutputError: there is no room.
            Unencodable: the value contains an object that cannot be stored.
        """
        if self._folder is None:
            return value
        file = f"{name}.value"
        try:
            self.written += write_value(self._folder, file, value, self._kinds, self._names)
            # Reading back maps the file, so the memory of the value can be released.
            kept: T = read_value(self._folder, file, self._kinds, self._shared_value, own=True)
        except OSError as error:
            with suppress(OSError):
                self._folder.remove(f"{file}.part")
            full = error.errno in _NO_ROOM
            raise OutputError(
                "{} has no room for the work of this run: make room, and give the same command again to "
                "continue; or name a folder on another disk with --work"
                if full
                else "{} ({}) cannot store the work of this run: make room, and give the same command again to "
                "continue; or name a folder on another disk with --work",
                self._folder.path.parent,
                *([] if full else [reason_of(error)]),
            ) from error
        return kept

    def share(self, name: str, values: Sequence[T]) -> list[T]:
        """Store values that other values refer to, and return them mapped, so that each is stored only once."""
        if self._folder is None:
            return list(values)
        return self.remember(name, self.store(name, list(values)))

    def shared(self, name: str) -> list[Any]:
        """Return the values that `share` stored under a name, from memory or else from the folder.

        Raises:
            Damaged: the values are missing or not intact.
        """
        if name not in self._shared and name in self._lent:
            self.remember(name, self._lent[name]())
        if name not in self._shared:
            found = self.get(name)
            if found is None:
                raise Damaged(f"{name} is not there")
            self.remember(name, found[0])
        return self._shared[name]

    def _shared_value(self, key: tuple[str, int]) -> Any:
        """Return one shared value, given the name it was shared under and its index among the values of that name."""
        return self.shared(key[0])[key[1]]

    def lend(self, name: str, load: Callable[[], list[Any]]) -> None:
        """Register values stored elsewhere under a name, which `load` returns; values that refer to them are stored without them."""
        self._lent[name] = load

    def remember(self, name: str, values: list[T]) -> list[T]:
        """Return `values`; values stored from now on refer to them by name and number."""
        self._shared[name] = values
        self._names.update({id(value): (name, i) for i, value in enumerate(values)})
        return values

    def forget(self, name: str) -> None:
        """Remove a stored value, or with a trailing hyphen all whose names begin so; mapped contents remain usable."""
        if self._folder is None:
            return
        for file in self._folder.names():
            if file.endswith(".value") and (file.startswith(name) if name.endswith("-") else file == f"{name}.value"):
                self._folder.remove(file)

    def end(self) -> None:
        """Remove the work, because the run has ended well."""
        if self._folder is not None:
            UNFINISHED[:] = [out for out in UNFINISHED if out is not self._out]
            with suppress(OSError):
                _empty(self._folder)
                self._folder.path.rmdir()
            self._folder.close()

    def close(self) -> None:
        """Close the folder, and leave what is stored there; mapped values remain usable."""
        if self._folder is not None:
            self._folder.close()

    def let_go(self) -> None:
        """Remove the stored work, and store nothing any more."""
        self.end()
        self._folder = None


def _foreign(folder: OwnFolder) -> str | None:
    return min((name for name in folder.names() if not _VALUE.fullmatch(name)), default=None)


def _empty(folder: OwnFolder) -> None:
    """Remove the files that quchong wrote in a folder of work, `work.json` last."""
    ours = [name for name in folder.names() if _VALUE.fullmatch(name)]
    for name in sorted(ours, key=lambda name: name == ABOUT):
        with suppress(IsADirectoryError, PermissionError):  # a folder of such a name; the error depends on the system
            folder.remove(name)
