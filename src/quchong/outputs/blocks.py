"""Context managers for atomic writing: if the block ends without error, its output is renamed into place, else nothing is changed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from quchong.errors import OutputError, RunError, is_of_system, reason_of
from quchong.languages import Message
from quchong.outputs.moves import Moves
from quchong.outputs.overlap_check import check_in_no_run, local
from quchong.outputs.owner import turn
from quchong.outputs.protocol import Busy, half_swapped
from quchong.outputs.staging import PLACED, Staging, folders_of, settle


def settled(path: Path) -> None:
    """Complete an interrupted rename of a run before its path is written; otherwise do nothing.

    Args:
        path: path of the output, or of something in it.

    Raises:
        OutputError: a process is writing it, or the rename failed.
    """
    place = _missing(path)
    if place is None:
        return
    try:
        if any(folders_of(place)):
            with turn(place.parent):
                settle(place)
    except OSError as error:
        why = Message("cannot move the run back to {}: {}", place, reason_of(error))
        raise OutputError("{}; the result of the run is in a hidden folder next to that place", why) from error


def check_settled(path: Path) -> None:
    """Raise RunError if a path is missing because the run that replaces it was interrupted; must be called before reading.

    Args:
        path: path of the run to be read, or of something in it.

    Raises:
        RunError: the run is being replaced; the message names the folder that contains the old and the new one.
    """
    place = _missing(path)
    if place is None:
        return
    for folder, _ in folders_of(place):
        with contextlib.suppress(OSError):
            if half_swapped([entry.name for entry in folder.iterdir()]):
                raise RunError(
                    "{} is being replaced, or a run that replaced it was stopped: wait until the run ends, or "
                    "give its command again. Until then the old and the new result are in {}",
                    place,
                    folder,
                )


def _missing(path: Path) -> Path | None:
    """Return the topmost part of a path that does not exist; None if all parts exist, or it cannot be a path."""
    try:
        place = Path(os.path.realpath(path))
        if place.exists():
            return None
    except (OSError, ValueError):  # no possible file name: the reader will report it
        return None
    while not place.parent.exists():
        place = place.parent
    return place


@contextlib.contextmanager
def staged(place: Path, check: Callable[[], None], remedy: str) -> Iterator[Path]:
    """Yield the path at which to write a file or folder; it is renamed to `place` if the block ends without error, else removed.

    Args:
        place: target path, no link.
        check: raises an error if the target may not be replaced; called before and after the block.
        remedy: end of the message of an error.

    Raises:
        OutputError: another process is writing the target, or it cannot be written.
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
        staging.replace_output()
        placed = True
    except BaseException as error:
        placed = staging is not None and staging.undo()
        if isinstance(error, OSError) and is_of_system(error):
            raise OutputError("cannot write {}: {}; {}", place, reason_of(error), remedy) from error
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
    """Return the outputs that this process has completed so far, for the message of an interrupted command."""
    return tuple(PLACED)


def appended(path: Path) -> None:
    """Add a file that was appended to without staging to the completed outputs of this process."""
    if path not in PLACED:
        PLACED.append(path)


@contextlib.contextmanager
def staged_file(
    path: str | os.PathLike[str], remedy: str = Message("make room or choose another place"), *, of_index: bool = False
) -> Iterator[Path]:
    """Yield the path at which to write a file; it is renamed to `path`, replacing a file there, if the block ends without error.

    Args:
        path: path of the file. remedy: end of the message of an error.
        of_index: an index writes a file of its own; anybody else's is refused in its folder.

    Raises:
        OutputError: as `staged`; or `path` is inside a run folder or an index.
    """
    try:
        place = Path(os.path.realpath(path))
    except ValueError as error:  # a NUL, half a character
        raise OutputError(
            "{!r} cannot be the name of a file ({}); choose another name", os.fspath(path), error
        ) from error

    def check() -> None:
        if not place.parent.is_dir():
            raise OutputError(
                "cannot write {}: there is no folder {}; make it, or choose another place", path, place.parent
            )
        if place.is_dir():
            raise OutputError("cannot write {}: it is a folder; {}", path, remedy)

    (output,) = local([path])
    if not of_index:
        check_in_no_run(output)
    with staged(place, check, remedy) as new:
        yield new


@contextlib.contextmanager
def staged_files(folder: Path, last: str, remedy: str, moves: Moves) -> Iterator[Path]:
    """Yield a folder in which to write files; they are moved into `folder` if the block ends without error.

    The folder is made if missing; other files in it are kept.

    Args:
        folder: target folder, no link.
        last: name of the file that is moved last.
        remedy: end of the message of an error.
        moves: function that returns True for names of files that are written; after an interruption only these are moved.

    Raises:
        OutputError: another process is writing the files, or they cannot be written. Either no file is moved, or the next
            process that writes there completes the moves.
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
        if not is_of_system(error):
            raise
        raise OutputError("cannot write {}: {}; {}", folder, reason_of(error), remedy) from error
    finally:
        if staging is not None and decided:
            staging.release()
        elif staging is not None:
            staging.drop(failed=True)


@contextlib.contextmanager
def only_one(path: Path, busy: Busy) -> Iterator[None]:
    """Keep other processes that use the same path out during the block; the lock of a killed process is released.

    Args:
        path: the path that is used; it need not exist, and may be replaced during the block.
        busy: function from the owner to the message if another process uses it.

    Raises:
        OutputError: another process uses it, or its folder cannot be written.
    """
    place = Path(os.path.realpath(path))
    try:
        staging = Staging.begin(place.with_name(f"{place.name}.lock"), busy)
    except OSError as error:
        raise OutputError("cannot write next to {}: {}", path, reason_of(error)) from error
    try:
        yield
    finally:
        staging.drop()
