"""Staging on this machine: outputs are written beside their place and renamed when they are whole (`quchong.outputs.protocol`).

The mark is locked while its process lives, and what takes the place is on the disk first. A process may end between any two steps.
Who next reads or writes the place finds either the place there (what was staged goes: nothing has happened, or all has) or not, with
old and new staged (new takes the place). Where single files go into a folder that stays, `commit` lists their moves: with it they
are made, without it nothing has happened.

Only folders with such a name and such a mark are ever removed, and only when their process has ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from quchong.outputs.disk import sync, sync_all, sync_folder, unmake
from quchong.outputs.owner import Mark, lock, turn
from quchong.outputs.protocol import (
    COMMIT,
    NEW,
    OLD,
    OWNER,
    Busy,
    Next,
    after_stop,
    busy_place,
    check_ended,
    clearing,
    half_swapped,
    prefix_for,
    token_of,
)

PLACED: list[Path] = []
"""What this process has put at its place so far."""
_IMPATIENT = 20
"""How often Ctrl-C may be pressed while a staging folder is cleared away before it is left to the next run."""


class Staging:
    """A staging folder of this process.

    Attributes:
        place: what is to be written
        folder: the staging folder
        new, old: in it
    """

    def __init__(self, place: Path, folder: Path, descriptor: int | None) -> None:
        self.place, self.folder = place, folder
        self.new, self.old = folder / NEW, folder / OLD
        self._descriptor = descriptor
        self._parents: list[Path] = []
        self._putting = False

    @classmethod
    def begin(cls, place: Path, busy: Busy = busy_place) -> Staging:
        """Clears what killed processes left of this place, and makes a folder; that of the place is made when missing.

        Raises:
            OutputError: another process is writing the place (`busy` with its owner).
            OSError: as the file system has it.
        """
        parents = [p for p in (place.parent, *place.parent.parents) if not p.exists()]
        folder: Path | None = None
        staging: Staging | None = None
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with turn(place.parent):
                settle(place, busy)
                token = secrets.token_hex(4)
                folder = place.with_name(prefix_for(place.name) + token)
                staging = cls(place, folder, None)
                folder.mkdir()
                staging._descriptor = os.open(folder / OWNER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
                lock(staging._descriptor)
                os.write(staging._descriptor, Mark.mine(token, place.name).text().encode())
        except BaseException as error:
            if staging is not None and not isinstance(error, FileExistsError):
                staging.drop()
            unmake(parents)
            raise
        staging._parents = parents
        return staging

    def put(self) -> None:
        """Gives what is in `new` the name of the place; a folder there goes, a file there keeps its mode.

        Raises:
            OSError: it stays where it is, and what was at the place too.
        """
        sync_all(self.new)
        self._putting = True
        if self.place.is_dir():
            if any(self.place.iterdir()):
                self.place.rename(self.old)
        elif self.place.exists():
            self.new.chmod(self.place.stat().st_mode & 0o777)
        try:
            self.new.replace(self.place)
        except OSError:
            self.undo()
            raise
        sync_folder(self.place.parent)

    def undo(self) -> bool:
        """After a stop at any moment: gives the place back to what was there, unless the new already has it.

        Returns whether the new has it.
        """
        if self._putting and not os.path.lexists(self.new):
            return True
        if os.path.lexists(self.old) and not os.path.lexists(self.place):
            with contextlib.suppress(OSError):  # who comes next finishes it
                self.old.rename(self.place)
        return False

    def decide(self, last: str) -> None:
        """Sets down that every file in `new` goes beside the place, `last` last; all are on the disk then.

        Raises:
            OSError: nothing is decided.
        """
        files = sorted(path.relative_to(self.new).as_posix() for path in self.new.rglob("*") if path.is_file())
        sync_all(self.new)
        written = self.folder / f"{COMMIT}.new"
        written.write_text(json.dumps(sorted(files, key=lambda name: name == last)), encoding="utf-8")
        sync(written)
        written.replace(self.folder / COMMIT)
        sync_folder(self.folder)

    def finish(self) -> None:
        """Makes the moves that were decided and not made yet. To be stopped it is too late: an interruption waits.

        Raises:
            OSError: the rest is made by whoever comes next.
        """
        for _ in range(_IMPATIENT):
            try:
                self._moves()
                break
            except KeyboardInterrupt:
                continue
        else:
            raise KeyboardInterrupt
        PLACED.append(self.place.parent)

    def _moves(self) -> None:
        base = self.place.parent
        places = [
            (self.new / name, base / name) for name in json.loads((self.folder / COMMIT).read_text(encoding="utf-8"))
        ]
        for new, place in places:
            if new.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                new.replace(place)
        for folder in {place.parent for _, place in places}:
            sync_folder(folder)

    def release(self) -> None:
        """Lets go of the folder and leaves what is in it to whoever comes next."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def drop(self, *, failed: bool = False) -> None:
        """Ends the staging: what is still in it goes, but for a half-made swap. Cannot fail: the next run tries again.

        An interruption waits until all is cleared away, and so do those of an impatient user.
        """
        stop: KeyboardInterrupt | None = None
        for _ in range(_IMPATIENT):
            try:
                self._clear()
                break
            except KeyboardInterrupt as error:
                stop = error
        self.release()
        if failed:
            unmake(self._parents)
        if stop is not None:
            raise stop

    def _clear(self) -> None:
        with contextlib.suppress(OSError):
            (self.folder / COMMIT).unlink(missing_ok=True)
            if not half_swapped(self.names()):
                _remove(self.folder)

    def names(self) -> list[str]:
        """What is staged."""
        return [entry.name for entry in self.folder.iterdir()]


def settle(place: Path, busy: Busy = busy_place) -> None:
    """Finishes, or clears away, what killed processes left of a place.

    Raises:
        OutputError: a process that lives is writing it.
        OSError: as the file system has it.
    """
    for folder, token in folders_of(place):
        left = _taken(place, folder, token, busy)
        if left is None:
            continue
        try:
            match after_stop(os.path.lexists(place), left.names()):
                case Next.MOVE:
                    left.finish()
                case Next.PLACE:
                    left.new.replace(place)
                    sync_folder(place.parent)
        except BaseException:
            left.release()
            raise
        left.drop()


def folders_of(place: Path) -> Iterator[tuple[Path, str]]:
    """Folders beside a place that are named as its staging folders are."""
    prefix = prefix_for(place.name)
    try:
        with os.scandir(place.parent) as entries:
            found = sorted(e.name for e in entries if e.name.startswith(prefix) and e.is_dir(follow_symlinks=False))
    except (FileNotFoundError, PermissionError):
        return
    for name in found:
        if (token := token_of(name, place.name)) is not None:
            yield place.with_name(name), token


def _taken(place: Path, folder: Path, token: str, busy: Busy) -> Staging | None:
    """A staging folder whose process has ended, now held by this one; None where it is not of this place."""
    descriptor: int | None = None
    with contextlib.suppress(FileNotFoundError):
        descriptor = os.open(folder / OWNER, os.O_RDWR)
    left = Staging(place, folder, descriptor)
    keep = False
    try:
        mark = None if descriptor is None else Mark.read(os.read(descriptor, 1 << 16).decode(errors="replace"))
        if mark is None:
            if {entry.name for entry in folder.iterdir()} - {OWNER}:
                return None  # not one of ours
        elif (mark.token, mark.place) != (token, place.name):
            return None
        held = None if descriptor is None else lock(descriptor)
        if held is not None or mark is not None:
            check_ended(mark, mark.gone if held is None and mark else held, str(place), str(folder), busy)
        keep = True
        return left
    finally:
        if not keep and descriptor is not None:
            os.close(descriptor)


def _remove(folder: Path) -> None:
    """A staging folder, its mark last: what is left of it after a stop is still known for what it is."""
    for name in clearing(entry.name for entry in folder.iterdir()):
        entry = folder / name
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    folder.rmdir()
