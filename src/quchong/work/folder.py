"""What a run has done so far, stage by stage, in a folder beside its output: a run that is stopped goes on there.

Beside a place PARENT/NAME the hidden folder PARENT/.NAME.quchong-work, or one of such a name in a folder the user gave, holds
`work.json`, which says what work it is, and one file a value (`quchong.work.values`). It stays when the run is stopped, and goes when
the run has ended well. Only one run at a time writes a place, so only one has its work open.

Its name can be guessed, and it may lie in a folder that others may write. So it is made for its user alone, is taken up only if it
belongs to that user and nobody else may write it, and is looked at only through its descriptor (`quchong.outputs.own_folder`).
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from quchong.errors import OutputError
from quchong.outputs import UNFINISHED, OwnFolder
from quchong.work.parts import Damaged
from quchong.work.tree import NO_KINDS, Kinds
from quchong.work.values import read_value, write_value

T = TypeVar("T")
ABOUT = "work.json"
FORMAT = 2
_VALUE = re.compile(r"[a-z0-9-]+\.value(\.part)?|work\.json(\.part)?")
_NAME = re.compile(r"[a-z0-9-]+")
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def work_folder(out: Path, within: Path | None = None) -> Path:
    """Where the work of an output lies: hidden beside it, or in a folder that was given, under a name no other output has."""
    place = Path(os.path.realpath(out))
    if within is None:
        return place.with_name(f".{place.name[:50]}.quchong-work")
    digest = hashlib.blake2b(os.fsencode(place), digest_size=4).hexdigest()
    return Path(os.path.realpath(within)) / f".{place.name[:50]}.{digest}.quchong-work"


def about_work(folder: Path) -> dict[str, Any] | None:
    """Return what `work.json` of a folder says; None where there is no such work.

    Raises:
        OutputError: the folder is a link, belongs to another user, or others may write it.
    """
    try:
        return _about(OwnFolder.opened(folder))
    except OSError:
        return None


def _about(folder: OwnFolder) -> dict[str, Any] | None:
    """Return what `work.json` of an opened folder says; None where there is none."""
    with suppress(OSError, ValueError, RecursionError), folder.open(ABOUT) as file:
        about = json.loads(file.read().decode("utf-8", "surrogatepass"))
        if isinstance(about, dict) and isinstance(about.get("key"), str):
            return about
    return None


class Work:
    """The values of a run's stages, kept in a folder or, without one, nowhere.

    Args:
        folder: opened; None where nothing is kept.
        found: see there.
        out: the place of the run.
        kinds: the classes whose objects values may hold.

    Attributes:
        found: names of the stages that were found done when the work was opened.
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
        """The work of a run in its folder, made where it is missing.

        Args:
            folder: see `work_folder`.
            key: what tells one run from another: work of another key, or of another version, is removed and begun anew.
            about: what `work.json` says beside the key.
            fresh: begin anew in any case.
            kinds: the classes whose objects values may hold.

        Raises:
            OutputError: the folder cannot be made or written, holds what quchong did not write, is a link, belongs to another user,
                or others may write it.
        """
        try:
            try:
                opened = OwnFolder.opened(folder)
            except FileNotFoundError:
                opened = OwnFolder.made(folder)
            known = _about(opened)
            if known is None and (other := _foreign(opened)):
                raise OutputError("{} holds {}, which quchong did not write: move it elsewhere", folder, other)
            goes_on = known is not None and not fresh and (known["key"], known.get("format")) == (key, FORMAT)
            if not goes_on:
                _empty(opened)
                with opened.open(f"{ABOUT}.part", "xb") as file:
                    told = json.dumps({"format": FORMAT, "key": key, **about}, ensure_ascii=False)
                    file.write(told.encode("utf-8", "surrogatepass"))
                opened.rename(f"{ABOUT}.part", ABOUT)
            names = [name.removesuffix(".value") for name in opened.names() if name.endswith(".value")]
        except OSError as error:
            raise OutputError("{} cannot hold the work of a run: {}", folder, error.strerror or error) from error
        UNFINISHED.append(Path(about.get("out", folder)))
        return Work(opened, names, UNFINISHED[-1], kinds)

    @property
    def folder(self) -> Path | None:
        """The folder; None where nothing is kept."""
        return None if self._folder is None else self._folder.path

    @property
    def kept(self) -> bool:
        """Is anything kept?"""
        return self._folder is not None

    def stage(
        self, name: str, make: Callable[[], T], *, frees: Sequence[str] = (), check: Callable[[Any], None] | None = None
    ) -> T:
        """The value of a stage: read where an earlier process left it, else made, and written where work is kept.

        What comes back is mapped from the file then, whether it was just made or not, so that both go on alike.

        Args:
            name: of small letters, digits and hyphens.
            make: gives the value.
            frees: values that nobody needs once this one is there; a trailing hyphen stands for all that begin so.
            check: see `get`.
        """
        if self._folder is None:
            return make()
        found = self.get(name, check)
        if found is None:
            found = (self.put(name, make()),)
        for other in frees:
            self.forget(other)
        value: T = found[0]
        return value

    def get(self, name: str, check: Callable[[Any], None] | None = None) -> tuple[Any] | None:
        """The value of a name in a tuple; None where there is none, or none that is whole.

        Args:
            name: as of `stage`.
            check: raises Damaged for a value that is none of this stage; it is removed then.
        """
        if self._folder is None or not _NAME.fullmatch(name):
            return None
        try:
            value = read_value(self._folder, f"{name}.value", self._kinds, self._named)
            if check is not None:
                check(value)
            return (value,)
        except FileNotFoundError:
            return None
        except (Damaged, OSError):
            with suppress(OSError):
                self._folder.remove(f"{name}.value")
            return None

    def put(self, name: str, value: T) -> T:
        """Writes a value and gives it back, mapped.

        Raises:
            OutputError: there is no room.
            Unencodable: it holds what no file takes.
        """
        if self._folder is None:
            return value
        file = f"{name}.value"
        try:
            self.written += write_value(self._folder, file, value, self._kinds, self._names)
            kept: T = read_value(self._folder, file, self._kinds, self._named, own=True)
        except OSError as error:
            with suppress(OSError):
                self._folder.remove(f"{file}.part")
            full = error.errno in _NO_ROOM
            raise OutputError(
                "{} has no room for the work of this run: make room and give the same command again, it goes on where it was "
                "stopped; or name a folder on another disk with --work"
                if full
                else "{} ({}) cannot hold the work of this run: make room and give the same command again, it goes on where it "
                "was stopped; or name a folder on another disk with --work",
                self._folder.path.parent,
                *([] if full else [error.strerror or error]),
            ) from error
        return kept

    def share(self, name: str, values: Sequence[T]) -> list[T]:
        """Writes values that other values refer to, and gives them back, mapped: they are written once."""
        if self._folder is None:
            return list(values)
        return self.remember(name, self.put(name, list(values)))

    def shared(self, name: str) -> list[Any]:
        """Values that `share` wrote under a name.

        Raises:
            Damaged: they are not there, or not whole.
        """
        if name not in self._shared and name in self._lent:
            self.remember(name, self._lent[name]())
        if name not in self._shared:
            found = self.get(name)
            if found is None:
                raise Damaged(f"{name} is not there")
            self.remember(name, found[0])
        return self._shared[name]

    def _named(self, key: tuple[str, int]) -> Any:
        """A value that was shared, by the name it was shared under and its number there."""
        return self.shared(key[0])[key[1]]

    def lend(self, name: str, load: Callable[[], list[Any]]) -> None:
        """Values that stand elsewhere, under a name: what refers to them is written without them, and finds them again by `load`."""
        self._lent[name] = load

    def remember(self, name: str, values: list[T]) -> list[T]:
        """From here on values that are written name these in place of holding them."""
        self._shared[name] = values
        self._names.update({id(value): (name, i) for i, value in enumerate(values)})
        return values

    def forget(self, name: str) -> None:
        """Removes a value, or with a trailing hyphen all whose names begin so. What is mapped of them stays."""
        if self._folder is None:
            return
        for file in self._folder.names():
            if file.endswith(".value") and (file.startswith(name) if name.endswith("-") else file == f"{name}.value"):
                self._folder.remove(file)

    def end(self) -> None:
        """Removes the work: the run has ended well."""
        if self._folder is not None:
            UNFINISHED[:] = [out for out in UNFINISHED if out is not self._out]
            with suppress(OSError):
                _empty(self._folder)
                self._folder.path.rmdir()
            self._folder.close()

    def let_go(self) -> None:
        """Removes the work, and keeps nothing from here on."""
        self.end()
        self._folder = None


def _foreign(folder: OwnFolder) -> str | None:
    return min((name for name in folder.names() if not _VALUE.fullmatch(name)), default=None)


def _empty(folder: OwnFolder) -> None:
    """Removes what quchong wrote in a folder of work, `work.json` last."""
    ours = [name for name in folder.names() if _VALUE.fullmatch(name)]
    for name in sorted(ours, key=lambda name: name == ABOUT):
        with suppress(IsADirectoryError, PermissionError):  # a folder of such a name, as the system tells it
            folder.remove(name)
