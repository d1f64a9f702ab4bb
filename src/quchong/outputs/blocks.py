"""Blocks of code that write: what they write takes its place when they end well, and else nothing has happened."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from quchong.errors import OutputError, RunError
from quchong.languages import Message
from quchong.outputs.apart import check_in_no_run, local
from quchong.outputs.moves import Moves
from quchong.outputs.owner import turn
from quchong.outputs.protocol import Busy, half_swapped
from quchong.outputs.staging import PLACED, Staging, folders_of, settle


def settled(path: Path) -> None:
    """What a command that writes a place calls first: a run that was stopped between two names is put there. Costs nothing else.

    Args:
        path: what is to be written, or something in it

    Raises:
        OutputError: a process is writing it, or it cannot be put there.
    """
    place = _missing(path)
    if place is None:
        return
    try:
        if any(folders_of(place)):
            with turn(place.parent):
                settle(place)
    except OSError as error:
        why = Message("cannot put the run back at {}: {}", place, error.strerror or error)
        raise OutputError("{}; it is in a hidden folder beside that place", why) from error


def check_settled(path: Path) -> None:
    """What whoever reads a place calls first: where a run that replaced it was stopped between two names, it is not there, and
    says so. Nothing is changed: the command that was stopped goes on when it is given again.

    Args:
        path: what is to be read, or something in it

    Raises:
        RunError: it is being replaced; names the folder where the old and the new are.
    """
    place = _missing(path)
    if place is None:
        return
    for folder, _ in folders_of(place):
        with contextlib.suppress(OSError):
            if half_swapped([entry.name for entry in folder.iterdir()]):
                raise RunError(
                    "{} is being replaced, or a run that replaced it was stopped: wait for it, or give its command again; until then "
                    "the old and the new are in {}",
                    place,
                    folder,
                )


def _missing(path: Path) -> Path | None:
    """The topmost part of a path that does not exist; None where all of it does, or it cannot be a path."""
    try:
        place = Path(os.path.realpath(path))
        if place.exists():
            return None
    except (OSError, ValueError):  # no name that a file can have: whoever reads it says so
        return None
    while not place.parent.exists():
        place = place.parent
    return place


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
            raise OutputError("cannot write {}: {}; {}", place, error.strerror or error, remedy) from error
        if not (placed and isinstance(error, KeyboardInterrupt)):  # too late to be stopped: it is all there
            raise
    finally:
        if placed:
            PLACED.append(place)
        if staging is not None:
            try:
                staging.drop(failed=not placed)
            except KeyboardInterrupt:
                if not placed:
                    raise


def placed_here() -> tuple[Path, ...]:
    """What this process has put at its place so far: a command that is stopped must not say that it wrote nothing."""
    return tuple(PLACED)


def appended(path: Path) -> None:
    """Notes a file that was appended to, without staging, among what this process has put at its place."""
    if path not in PLACED:
        PLACED.append(path)


@contextlib.contextmanager
def staged_file(
    path: str | os.PathLike[str], remedy: str = Message("make room or choose another place")
) -> Iterator[Path]:
    """Where to write a file that takes the name `path` when the block ends well; a file of that name is replaced.

    Raises:
        OutputError: as `staged`; or the place lies in the folder of a run.
    """
    try:
        place = Path(os.path.realpath(path))
    except ValueError as error:  # a NUL, half a character
        raise OutputError("{!r} cannot be the name of a file ({}); choose another", os.fspath(path), error) from error

    def check() -> None:
        if not place.parent.is_dir():
            raise OutputError("cannot write {}: there is no folder {}; {}", path, place.parent, remedy)
        if place.is_dir():
            raise OutputError("cannot write {}: it is a folder; {}", path, remedy)

    (output,) = local([path])
    check_in_no_run(output)
    with staged(place, check, remedy) as new:
        yield new


@contextlib.contextmanager
def staged_files(folder: Path, last: str, remedy: str, moves: Moves) -> Iterator[Path]:
    """Where to write files that go into a folder, made when missing, when the block ends well; other files there stay.

    Args:
        folder: no link
        last: the file that goes last
        remedy: ends the message of an error
        moves: is this a name of a file that is written? Of what a stop left, nothing else is moved

    Raises:
        OutputError: another process is writing them, or they cannot be written: then none goes, or who next writes there
            goes on.
    """
    staging: Staging | None = None
    decided = False
    try:
        staging = Staging.begin(folder / "files", moves=moves)
        staging.new.mkdir()
        yield staging.new
        staging.decide(last)
        decided = True
        staging.finish()
        decided = False
    except OSError as error:
        raise OutputError("cannot write {}: {}; {}", folder, error.strerror or error, remedy) from error
    finally:
        if staging is not None and decided:
            staging.release()
        elif staging is not None:
            staging.drop(failed=True)


@contextlib.contextmanager
def only_one(path: Path, busy: Busy) -> Iterator[None]:
    """Keeps other processes that ask the same out for as long as the block takes; a process that is killed lets go.

    Args:
        path: what is used; it need not exist, and may be replaced meanwhile
        busy: what is said where another has it, of its owner

    Raises:
        OutputError: another has it, or its folder cannot be written.
    """
    place = Path(os.path.realpath(path))
    try:
        staging = Staging.begin(place.with_name(f"{place.name}.lock"), busy)
    except OSError as error:
        raise OutputError("cannot write beside {}: {}", path, error.strerror or error) from error
    try:
        yield
    finally:
        staging.drop()
