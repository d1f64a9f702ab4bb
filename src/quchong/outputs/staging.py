"""Staging on this machine: outputs are written beside their place and renamed when they are whole (`quchong.outputs.protocol`).

The mark is locked while its process lives, and what takes the place is on the disk first. A process may end between any two steps.
Who next reads or writes the place finds either the place there (what was staged goes: nothing has happened, or all has) or not, with
old and new staged (new takes the place). Where single files go into a folder that stays, `commit` lists their moves: with it they
are made, without it nothing has happened.

Only folders with such a name and such a mark are ever removed, and only when their process has ended. A staging folder is this
user's alone: it is made with mode 0700, opened before it is used, and refused where it is another's or others may write it
(`quchong.outputs.own_folder`). What `commit` lists is data: a name that the command does not write is refused, and files are moved
from the opened folder to the opened place, without following links.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from quchong.errors import OutputError
from quchong.outputs.disk import sync_all, sync_folder, unmake
from quchong.outputs.moves import Moves, make_moves, write_moves
from quchong.outputs.own_folder import OwnFolder
from quchong.outputs.owner import MARK_BYTES, Mark, lock, turn
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

    def __init__(self, place: Path, own: OwnFolder, moves: Moves | None = None) -> None:
        self.place, self.folder = place, own.path
        self.new, self.old = own.path / NEW, own.path / OLD
        self._own, self._moved = own, moves
        self._mark: BinaryIO | None = None
        self._parents: list[Path] = []
        self._putting = False

    @classmethod
    def begin(cls, place: Path, busy: Busy = busy_place, moves: Moves | None = None) -> Staging:
        """Clears what killed processes left of this place, and makes a folder; that of the place is made when missing.

        Args:
            place: what is to be written.
            busy: what is said where another process is writing it.
            moves: which names may stand in the list of moves, where single files go beside the place.

        Raises:
            OutputError: another process is writing the place (`busy` with its owner), or what it left is another user's.
            OSError: as the file system has it.
        """
        parents = [p for p in (place.parent, *place.parent.parents) if not p.exists()]
        staging: Staging | None = None
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with turn(place.parent):
                settle(place, busy, moves)
                token = secrets.token_hex(4)
                staging = cls(place, OwnFolder.made(place.with_name(prefix_for(place.name) + token)), moves)
                staging._mark = staging._own.open(OWNER, "xb")
                lock(staging._mark.fileno())
                os.write(staging._mark.fileno(), Mark.mine(token, place.name).text().encode())
        except BaseException:
            if staging is not None:
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
        write_moves(self._own, sorted(files, key=lambda name: name == last))
        sync_folder(self.folder)

    def finish(self) -> None:
        """Makes the moves that were decided and not made yet. To be stopped it is too late: an interruption waits.

        Raises:
            OSError: the rest is made by whoever comes next.
        """
        for _ in range(_IMPATIENT):
            try:
                make_moves(self._own, self.place.parent, self._moved)
                break
            except KeyboardInterrupt:
                continue
        else:
            raise KeyboardInterrupt
        PLACED.append(self.place.parent)

    def release(self) -> None:
        """Lets go of the folder and leaves what is in it to whoever comes next."""
        mark, self._mark = self._mark, None
        with contextlib.suppress(OSError):
            if mark is not None:
                mark.close()
        self._own.close()

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
            self._own.remove(COMMIT)
            if not half_swapped(self.names()):
                _remove(self._own)

    def names(self) -> list[str]:
        """What is staged."""
        return self._own.names()

    def take_place(self) -> None:
        """Gives what is in `new` the name of the place, after a stop between two names.

        Raises:
            OutputError: it is neither a file nor a folder.
            OSError: as the file system has it.
        """
        if not (stat.S_ISREG(mode := self.new.lstat().st_mode) or stat.S_ISDIR(mode)):
            raise OutputError("{} is neither a file nor a folder, and is not used: delete {}", self.new, self.folder)
        self.new.replace(self.place)
        sync_folder(self.place.parent)


def settle(place: Path, busy: Busy = busy_place, moves: Moves | None = None) -> None:
    """Finishes, or clears away, what killed processes left of a place. For commands that write the place, and no others.

    Args:
        place, busy, moves: as of `Staging.begin`.

    Raises:
        OutputError: a process that lives is writing it; or what was left is another user's, or lists moves that are not among
            `moves`.
        OSError: as the file system has it.
    """
    for folder, token in folders_of(place):
        left = _taken(place, folder, token, busy, moves)
        if left is None:
            continue
        try:
            match after_stop(os.path.lexists(place), left.names()):
                case Next.MOVE:
                    left.finish()
                case Next.PLACE:
                    left.take_place()
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
    except OSError:  # nothing can stand there, or whoever opens it says why
        return
    for name in found:
        if (token := token_of(name, place.name)) is not None:
            yield place.with_name(name), token


def _taken(place: Path, folder: Path, token: str, busy: Busy, moves: Moves | None) -> Staging | None:
    """A staging folder whose process has ended, now held by this one; None where it is not of this place."""
    left = Staging(place, OwnFolder.opened(folder), moves)
    keep = False
    try:
        with contextlib.suppress(OSError):  # no such file; a link or a pipe: no mark of ours
            left._mark = left._own.open(OWNER, "r+b")
        mark = None if left._mark is None else Mark.read(left._mark.read(MARK_BYTES).decode(errors="replace"))
        if mark is None:
            if set(left.names()) - {OWNER}:
                return None  # not one of ours
        elif (mark.token, mark.place) != (token, place.name):
            return None
        held = None if left._mark is None else lock(left._mark.fileno())
        if held is not None or mark is not None:
            check_ended(mark, mark.gone if held is None and mark else held, str(place), str(folder), busy)
        keep = True
        return left
    finally:
        if not keep:
            left.release()


def _remove(own: OwnFolder) -> None:
    """A staging folder, its mark last: what is left of it after a stop is still known for what it is."""
    for name in clearing(own.names()):
        if (entry := own.path / name).is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            own.remove(name)
    own.path.rmdir()
