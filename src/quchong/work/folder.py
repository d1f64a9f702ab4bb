"""What a run has done so far, stage by stage, in a folder beside its output: a run that is stopped goes on there.

Beside a place PARENT/NAME the hidden folder PARENT/.NAME.quchong-work, or one of such a name in a folder the user gave, holds
`work.json`, which says what work it is, and one file a value (`quchong.work.values`). It stays when the run is stopped, and goes when
the run has ended well. Only one run at a time writes a place, so only one has its work open.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import pickle
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from quchong.errors import OutputError
from quchong.work.values import Damaged, read_value, remove, write_value

T = TypeVar("T")
OPEN: list[Path] = []
"""Places whose runs this process has begun, with work that is kept, and not ended."""
ABOUT = "work.json"
FORMAT = 1
_VALUE = re.compile(r"[a-z0-9-]+\.value(\.part)?|work\.json(\.part)?")
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def work_folder(out: Path, within: Path | None = None) -> Path:
    """Where the work of an output lies: hidden beside it, or in a folder that was given, under a name no other output has."""
    place = Path(os.path.realpath(out))
    if within is None:
        return place.with_name(f".{place.name[:50]}.quchong-work")
    digest = hashlib.blake2b(os.fsencode(place), digest_size=4).hexdigest()
    return Path(os.path.realpath(within)) / f".{place.name[:50]}.{digest}.quchong-work"


def about_work(folder: Path) -> dict[str, Any] | None:
    """What `work.json` of a folder says; None where there is no such work."""
    with suppress(OSError, ValueError):
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if isinstance(about, dict) and isinstance(about.get("key"), str):
            return about
    return None


class Work:
    """The values of a run's stages, kept in a folder or, without one, nowhere.

    Attributes:
        folder: None where nothing is kept.
        found: names of the stages that were found done when the work was opened.
        written: bytes written by this process.
    """

    def __init__(self, folder: Path | None = None, found: Sequence[str] = (), out: Path | None = None) -> None:
        self.folder, self.found, self.written, self._out = folder, tuple(found), 0, out
        self._names: dict[int, tuple[str, int]] = {}
        self._shared: dict[str, list[Any]] = {}
        self._lent: dict[str, Callable[[], list[Any]]] = {}

    @staticmethod
    def open(folder: Path, key: str, about: Mapping[str, Any], *, fresh: bool = False) -> Work:
        """The work of a run in its folder, made where it is missing.

        Args:
            folder: see `work_folder`.
            key: what tells one run from another: work of another key, or of another version, is removed and begun anew.
            about: what `work.json` says beside the key.
            fresh: begin anew in any case.

        Raises:
            OutputError: the folder cannot be made or written, or holds what quchong did not write.
        """
        try:
            known = about_work(folder)
            if folder.exists() and known is None and (other := _foreign(folder)):
                raise OutputError("{} holds {}, which quchong did not write: move it elsewhere", folder, other)
            goes_on = known is not None and not fresh and (known["key"], known.get("format")) == (key, FORMAT)
            if not goes_on:
                _empty(folder)
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                part = folder / f"{ABOUT}.part"
                part.write_text(json.dumps({"format": FORMAT, "key": key, **about}), "utf-8")
                part.replace(folder / ABOUT)
            names = sorted(path.stem for path in folder.glob("*.value"))
        except OSError as error:
            raise OutputError("{} cannot hold the work of a run: {}", folder, error.strerror or error) from error
        OPEN.append(Path(about.get("out", folder)))
        return Work(folder, names, OPEN[-1])

    @property
    def kept(self) -> bool:
        """Is anything kept?"""
        return self.folder is not None

    def stage(self, name: str, make: Callable[[], T], *, frees: Sequence[str] = ()) -> T:
        """The value of a stage: read where an earlier process left it, else made, and written where work is kept.

        What comes back is mapped from the file then, whether it was just made or not, so that both go on alike.

        Args:
            name: of small letters, digits and hyphens.
            make: gives the value.
            frees: values that nobody needs once this one is there; a trailing hyphen stands for all that begin so.
        """
        if self.folder is None:
            return make()
        found = self.get(name)
        if found is None:
            found = (self.put(name, make()),)
        for other in frees:
            self.forget(other)
        value: T = found[0]
        return value

    def get(self, name: str) -> tuple[Any] | None:
        """The value of a name in a tuple; None where there is none, or none that is whole."""
        if self.folder is None:
            return None
        path = self.folder / f"{name}.value"
        try:
            return (read_value(path, self._named),)
        except FileNotFoundError:
            return None
        except (Damaged, OSError):
            remove(path)
            return None

    def put(self, name: str, value: T) -> T:
        """Writes a value and gives it back, mapped.

        Raises:
            OutputError: there is no room.
        """
        if self.folder is None:
            return value
        path = self.folder / f"{name}.value"
        try:
            self.written += write_value(path, value, self._names)
            kept: T = read_value(path, self._named, own=True)
        except OSError as error:
            remove(path.with_name(path.name + ".part"))
            full = error.errno in _NO_ROOM
            raise OutputError(
                "{} has no room for the work of this run: make room and give the same command again, it goes on where it was "
                "stopped; or name a folder on another disk with --work"
                if full
                else "{} ({}) cannot hold the work of this run: make room and give the same command again, it goes on where it "
                "was stopped; or name a folder on another disk with --work",
                self.folder.parent,
                *([] if full else [error.strerror or error]),
            ) from error
        return kept

    def share(self, name: str, values: Sequence[T]) -> list[T]:
        """Writes values that other values refer to, and gives them back, mapped: they are written once."""
        if self.folder is None:
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
        if self.folder is not None:
            for path in self.folder.glob(f"{name}*.value" if name.endswith("-") else f"{name}.value"):
                remove(path)

    def end(self) -> None:
        """Removes the work: the run has ended well."""
        if self.folder is not None:
            OPEN[:] = [out for out in OPEN if out is not self._out]
            with suppress(OSError):
                _empty(self.folder)
                self.folder.rmdir()


def stopped_here() -> tuple[Path, ...]:
    """Outputs of runs this process began and did not end, and that go on with what they have kept when they are called again."""
    return tuple(OPEN)


UNWRITABLE = (pickle.PicklingError, TypeError, AttributeError)
"""What `Work.put` raises of a value that cannot be written, such as a method with a function of its own."""


def _foreign(folder: Path) -> str | None:
    return min((entry.name for entry in folder.iterdir() if not _VALUE.fullmatch(entry.name)), default=None)


def _empty(folder: Path) -> None:
    """Removes what quchong wrote in a folder of work, `work.json` last."""
    if folder.is_dir():
        ours = [entry for entry in folder.iterdir() if _VALUE.fullmatch(entry.name) and not entry.is_dir()]
        for entry in sorted(ours, key=lambda entry: entry.name == ABOUT):
            remove(entry)
