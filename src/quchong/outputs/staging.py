"""Staging on this machine: outputs are written in a hidden folder next to their path and renamed when complete
(`quchong.outputs.protocol`).

The owner record is locked while its process lives, and the output is flushed to the disk before it is renamed. A process may end
between any two steps. The next process that writes the output then finds one of two states. If the output exists, either nothing or
all has happened, and the staged files are removed. If it does not, old and new are staged, and new is renamed to the output. If single
files are moved into an existing folder, the file `commit` lists the moves: with it they are completed, without it nothing has happened.

Only folders with such a name and owner record are ever removed, and only after their process has ended. A staging folder belongs to
this user alone: it is made with mode 0700, opened before it is used, and refused if another user owns it or may write it
(`quchong.outputs.private_folder`). The contents of `commit` are not trusted: a name that the command does not write is refused, and files
are moved from the opened staging folder to the opened target folder, without following links.
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
from quchong.outputs.owner import MARK_BYTES, Mark, lock, turn
from quchong.outputs.private_folder import OwnFolder
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
"""Outputs that this process has completed so far."""
_IMPATIENT = 20
"""Number of times that Ctrl-C may be pressed while a staging folder is removed, before its removal is left to the next run."""


class Staging:
    """Staging folder of this process.

    Attributes:
        place: path of the output.
        folder: the staging folder.
        new, old: paths in it of the new output and of the one it replaces.
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
        """Recover from interrupted processes that wrote this output, and make a staging folder; the parent folder is made if missing.

        Args:
            place: path of the output.
            busy: function that returns the message if another process is writing it.
            moves: function that accepts names in the list of moves, if single files are moved into a folder.

        Raises:
            OutputError: another process is writing the output (message `busy`), or its staging folder belongs to another user.
            OSError: an error of the file system.
        """
        parents = [p for p in (place.parent, *place.parent.parents) if not p.exists()]
        staging: Staging | None = None
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            # One process at a time: recover first, then make a folder, so that no other can take it for a rest before
            # it is marked.
            with turn(place.parent):
                settle(place, busy, moves)
                token = secrets.token_hex(4)
                staging = cls(place, OwnFolder.made(place.with_name(prefix_for(place.name) + token)), moves)
                staging._mark = staging._own.open(OWNER, "xb")
                lock(staging._mark.fileno())
                os.write(staging._mark.fileno(), Mark.for_this_process(token, place.name).text().encode())
        except BaseException:
            if staging is not None:
                staging.drop()
            unmake(parents)
            raise
        staging._parents = parents
        return staging

    def replace_output(self) -> None:
        """Rename `new` to the output; an existing folder is moved aside, an existing file is replaced and keeps its mode.

        Raises:
            OSError: the rename failed, and neither `new` nor the existing output was moved.
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
        """After an interruption, move the old output back unless the new one is in place; return True if the new one is.

        Returns whether the new has it.
        """
        if self._putting and not os.path.lexists(self.new):
            return True
        if os.path.lexists(self.old) and not os.path.lexists(self.place):
            with contextlib.suppress(OSError):  # the next process completes it
                self.old.rename(self.place)
        return False

    def decide(self, last: str) -> None:
        """Write and flush the list of moves of every file in `new` into the target folder, `last` at the end.

        Raises:
            OSError: the list was not written.
        """
        files = sorted(path.relative_to(self.new).as_posix() for path in self.new.rglob("*") if path.is_file())
        sync_all(self.new)
        write_moves(self._own, sorted(files, key=lambda name: name == last))
        sync_folder(self.folder)

    def finish(self) -> None:
        """Make the moves that were decided and are not made yet; an interruption waits until they are.

        Raises:
            OSError: a move failed; the next process that writes here makes the rest.
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
        """Close the staging folder and leave its contents to the next process."""
        mark, self._mark = self._mark, None
        with contextlib.suppress(OSError):
            if mark is not None:
                mark.close()
        self._own.close()

    def drop(self, *, failed: bool = False) -> None:
        """End the staging and remove its contents, unless a swap is half finished. Does not fail: the next run tries again.

        Interruptions, also repeated ones, wait until all is removed.
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
        """Return the names of the staged entries."""
        return self._own.names()

    def take_place(self) -> None:
        """Rename `new` to the output, after an interruption between two renames.

        Raises:
            OutputError: `new` is neither a file nor a folder.
            OSError: an error of the file system.
        """
        if not (stat.S_ISREG(mode := self.new.lstat().st_mode) or stat.S_ISDIR(mode)):
            raise OutputError(
                "{} is not used, because it is neither a file nor a folder: delete {}", self.new, self.folder
            )
        self.new.replace(self.place)
        sync_folder(self.place.parent)


def settle(place: Path, busy: Busy = busy_place, moves: Moves | None = None) -> None:
    """Recover from interrupted processes that wrote an output: complete what they committed, remove the rest.

    Only commands that write this output may call it.

    Args:
        place, busy, moves: as in `Staging.begin`.

    Raises:
        OutputError: a live process is writing the output; or a staging folder belongs to another user, or lists moves that `moves`
            does not accept.
        OSError: an error of the file system.
    """
    for folder, token in folders_of(place):
        left = _take_over_staging(place, folder, token, busy, moves)
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
    """Iterate over folders (with token) that are named as the staging folders of this output."""
    prefix = prefix_for(place.name)
    try:
        with os.scandir(place.parent) as entries:
            found = sorted(e.name for e in entries if e.name.startswith(prefix) and e.is_dir(follow_symlinks=False))
    except OSError:  # there can be no folder, or the caller that opens it reports why
        return
    for name in found:
        if (token := token_of(name, place.name)) is not None:
            yield place.with_name(name), token


def _take_over_staging(place: Path, folder: Path, token: str, busy: Busy, moves: Moves | None) -> Staging | None:
    """Take over a staging folder whose process has ended; return None if it does not belong to this output."""
    left = Staging(place, OwnFolder.open_path(folder), moves)
    keep = False
    try:
        with contextlib.suppress(OSError):  # no such file, or a link or a pipe: no owner record
            left._mark = left._own.open(OWNER, "r+b")
        mark = None if left._mark is None else Mark.read(left._mark.read(MARK_BYTES).decode(errors="replace"))
        if mark is None:
            if set(left.names()) - {OWNER}:
                return None  # not a staging folder of quchong
        elif (mark.token, mark.place) != (token, place.name):
            return None
        held = None if left._mark is None else lock(left._mark.fileno())
        if held is not None or mark is not None:
            check_ended(mark, mark.has_ended if held is None and mark else held, str(place), str(folder), busy)
        keep = True
        return left
    finally:
        if not keep:
            left.release()


def _remove(own: OwnFolder) -> None:
    """Remove a staging folder, its owner record last, so that a partly removed folder is still recognised."""
    for name in clearing(own.names()):
        if (entry := own.path / name).is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            own.remove(name)
    own.path.rmdir()
