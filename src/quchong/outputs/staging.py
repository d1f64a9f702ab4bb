"""Staging: outputs are written beside their place and renamed when they are whole.

Beside a place PARENT/NAME a hidden folder PARENT/.NAME.quchong-TOKEN holds `owner`, the mark of the process, locked while
it lives; `new`, what is being written; and for a moment `old`, what `new` replaces:

    new is whole and on the disk  ->  PARENT/NAME becomes old  ->  new becomes PARENT/NAME  ->  the folder goes

A process may end between any two steps. Who next reads or writes the place finds either the place there (what was
staged goes: nothing has happened, or all has) or not, with old and new staged (new takes the place). Where single files go into a folder
that stays, `commit` lists their moves: with it they are made, without it nothing has happened.

Only folders with such a name and such a mark are ever removed, and only when their process has ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from quchong.errors import OutputError
from quchong.outputs.apart import check_in_no_run, local
from quchong.outputs.owner import Mark, lock, turn

SIGN = ".quchong-"
OWNER, NEW, OLD, COMMIT = "owner", "new", "old", "commit"
_TOKEN = re.compile("[0-9a-f]{8}")
_SHOWN = 50
"""Characters of a name that stand in that of its staging folder: four bytes each still fit."""
_placed: list[Path] = []
_IMPATIENT = 20
"""How often Ctrl-C may be pressed while a staging folder is cleared away before it is left to the next run."""
BUSY = "another run ({owner}) is writing {place}: wait for it, or choose another place"


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
    def begin(cls, place: Path, busy: str = BUSY) -> Staging:
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
                folder = place.with_name(f".{place.name[:_SHOWN]}{SIGN}{token}")
                staging = cls(place, folder, None)
                folder.mkdir()
                staging._descriptor = os.open(folder / OWNER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
                lock(staging._descriptor)
                os.write(staging._descriptor, Mark.mine(token, place.name).text().encode())
        except BaseException as error:
            if staging is not None and not isinstance(error, FileExistsError):
                staging.drop()
            _unmake(parents)
            raise
        staging._parents = parents
        return staging

    def put(self) -> None:
        """Gives what is in `new` the name of the place; a folder there goes, a file there keeps its mode.

        Raises:
            OSError: it stays where it is, and what was at the place too.
        """
        _sync_all(self.new)
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
        _sync_folder(self.place.parent)

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
        _sync_all(self.new)
        written = self.folder / f"{COMMIT}.new"
        written.write_text(
            json.dumps(sorted(files, key=lambda name: name == last), ensure_ascii=False), encoding="utf-8"
        )
        _sync(written)
        written.replace(self.folder / COMMIT)
        _sync_folder(self.folder)

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
        _placed.append(self.place.parent)

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
            _sync_folder(folder)

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
            _unmake(self._parents)
        if stop is not None:
            raise stop

    def _clear(self) -> None:
        with contextlib.suppress(OSError):
            (self.folder / COMMIT).unlink(missing_ok=True)
            if not (os.path.lexists(self.old) and os.path.lexists(self.new)):
                _remove(self.folder)


def settle(place: Path, busy: str = BUSY) -> None:
    """Finishes, or clears away, what killed processes left of a place.

    Raises:
        OutputError: a process that lives is writing it.
        OSError: as the file system has it.
    """
    for folder, token in _staged(place):
        left = _taken(place, folder, token, busy)
        if left is None:
            continue
        try:
            if (folder / COMMIT).exists():
                left.finish()
            elif os.path.lexists(left.new) and os.path.lexists(left.old) and not os.path.lexists(place):
                left.new.replace(place)
                _sync_folder(place.parent)
        except BaseException:
            left.release()
            raise
        left.drop()


def settled(path: Path) -> None:
    """What whoever reads calls first: a run that was stopped between two names is put at its place. Costs nothing else.

    Args:
        path: what is to be read, or something in it

    Raises:
        OutputError: a process is writing it, or it cannot be put there.
    """
    try:
        place = Path(os.path.realpath(path))
        if place.exists():
            return
    except (OSError, ValueError):  # no name that a file can have: whoever reads it says so
        return
    while not place.parent.exists():
        place = place.parent
    try:
        if any(_staged(place)):
            with turn(place.parent):
                settle(place)
    except OSError as error:
        why = f"cannot put the run back at {place}: {error.strerror or error}"
        raise OutputError(f"{why}; it stands in a hidden folder beside it") from error


@contextlib.contextmanager
def staged(place: Path, check: Callable[[], None], remedy: str) -> Iterator[Path]:
    """Where to write a file or folder that takes its place when the block ends well; else all is as it was.

    Args:
        place: no link
        check: raises where what is at the place may not be replaced; called before and after
        remedy: ends the message of an error

    Raises:
        OutputError: another process is writing the place, or it cannot be written.
    """
    staging: Staging | None = None
    placed = False
    try:
        settled(place)
        check()
        staging = Staging.begin(place)
        check()
        yield staging.new
        check()
        staging.put()
        placed = True
    except BaseException as error:
        placed = staging is not None and staging.undo()
        if isinstance(error, OSError):
            raise OutputError(f"cannot write {place}: {error.strerror or error}; {remedy}") from error
        if not (placed and isinstance(error, KeyboardInterrupt)):  # too late to be stopped: it is all there
            raise
    finally:
        if placed:
            _placed.append(place)
        if staging is not None:
            try:
                staging.drop(failed=not placed)
            except KeyboardInterrupt:
                if not placed:
                    raise


def placed_here() -> tuple[Path, ...]:
    """What this process has put at its place so far: a command that is stopped must not say that it wrote nothing."""
    return tuple(_placed)


@contextlib.contextmanager
def staged_file(path: str | os.PathLike[str], remedy: str = "make room or choose another place") -> Iterator[Path]:
    """Where to write a file that takes the name `path` when the block ends well; a file of that name is replaced.

    Raises:
        OutputError: as `staged`; or the place lies in the folder of a run.
    """
    place = Path(os.path.realpath(path))

    def check() -> None:
        if not place.parent.is_dir():
            raise OutputError(f"cannot write {path}: there is no folder {place.parent}; {remedy}")
        if place.is_dir():
            raise OutputError(f"cannot write {path}: it is a folder; {remedy}")

    (output,) = local([path])
    check_in_no_run(output)
    with staged(place, check, remedy) as new:
        yield new


@contextlib.contextmanager
def staged_files(folder: Path, last: str, remedy: str) -> Iterator[Path]:
    """Where to write files that go into a folder, made when missing, when the block ends well; other files there stay.

    Args:
        folder: no link
        last: the file that goes last
        remedy: ends the message of an error

    Raises:
        OutputError: another process is writing them, or they cannot be written: then none goes, or who next writes there
            goes on.
    """
    staging: Staging | None = None
    decided = False
    try:
        staging = Staging.begin(folder / "files")
        staging.new.mkdir()
        yield staging.new
        staging.decide(last)
        decided = True
        staging.finish()
        decided = False
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror or error}; {remedy}") from error
    finally:
        if staging is not None and decided:
            staging.release()
        elif staging is not None:
            staging.drop(failed=True)


@contextlib.contextmanager
def only_one(path: Path, busy: str) -> Iterator[None]:
    """Keeps other processes that ask the same out for as long as the block takes; a process that is killed lets go.

    Args:
        path: what is used; it need not exist, and may be replaced meanwhile
        busy: what is said where another has it, with {owner} in it

    Raises:
        OutputError: another has it, or its folder cannot be written.
    """
    place = Path(os.path.realpath(path))
    try:
        staging = Staging.begin(place.with_name(f"{place.name}.lock"), busy)
    except OSError as error:
        raise OutputError(f"cannot write beside {path}: {error.strerror or error}") from error
    try:
        yield
    finally:
        staging.drop()


def _staged(place: Path) -> Iterator[tuple[Path, str]]:
    """Folders beside a place that are named as its staging folders are."""
    prefix = f".{place.name[:_SHOWN]}{SIGN}"
    try:
        with os.scandir(place.parent) as entries:
            found = sorted(e.name for e in entries if e.name.startswith(prefix) and e.is_dir(follow_symlinks=False))
    except (FileNotFoundError, PermissionError):
        return
    for name in found:
        if _TOKEN.fullmatch(token := name.removeprefix(prefix)):
            yield place.with_name(name), token


def _taken(place: Path, folder: Path, token: str, busy: str) -> Staging | None:
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
        if held is None and mark is not None:
            if mark.gone is None:
                raise OutputError(
                    f"{mark} was writing {place}, and this machine cannot tell whether it still is: "
                    f"if it is not, delete {folder}"
                )
            held = mark.gone
        if held is False:
            raise OutputError(busy.replace("{owner}", str(mark or "a process")).replace("{place}", str(place)))
        keep = True
        return left
    finally:
        if not keep and descriptor is not None:
            os.close(descriptor)


def _remove(folder: Path) -> None:
    """A staging folder, its mark last: what is left of it after a stop is still known for what it is."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry.name != OWNER:
            entry.unlink()
    (folder / OWNER).unlink(missing_ok=True)
    folder.rmdir()


def _unmake(parents: list[Path]) -> None:
    """Folders that were made for a run that came to nothing."""
    with contextlib.suppress(OSError):
        for folder in parents:
            folder.rmdir()


def _sync_all(path: Path) -> None:
    """What was written to a file, or to all files in a folder, is on the disk afterwards."""
    if not path.is_dir():
        _sync(path)
        return
    for base, _, names in os.walk(path):
        for name in names:
            _sync(Path(base, name))
        _sync_folder(Path(base))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """New names in a folder are on the disk, where the file system can be asked for that."""
    with contextlib.suppress(OSError):
        _sync(folder)
