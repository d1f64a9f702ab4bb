"""Decisions file: JSON lines with one act each, appended and never changed.

An act is on the disk before `add` returns. Several threads and processes may add at once: each line is written by one
call, under a lock, after the lines of the others, which are read first. After a crash the last line may be
incomplete: it is skipped and reported, and the next act begins on a new line.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from quchong.errors import InputError, OutputError, reason_of
from quchong.io.files.addresses import address_of
from quchong.io.files.location import Location, location_of
from quchong.languages import Message
from quchong.outputs import check_in_no_run, check_regular, local
from quchong.runs.acts import Act, act_of, line_of

try:
    import fcntl
except ImportError:  # Windows: one process at a time
    fcntl = None  # type: ignore[assignment]

_BEGINNING = b'{"act"'
"""Beginning of every line; an incomplete line with this beginning was torn by a crash."""


class DecisionsFile:
    """Decisions file to which acts are appended; it is created with the first act.

    Args:
        path: path of the file.

    Attributes:
        acts: all acts read and added, in the order of the file.
        torn: numbers, from 1, of lines that a crash left incomplete.

    Raises:
        InputError: the file is no decisions file, or cannot be read.
        OutputError: the file is in a run folder, or its folder does not exist.

    >>> import tempfile
    >>> from quchong.runs.decisions_file import DecisionsFile; from quchong.runs.acts import Label
    >>> book = DecisionsFile(Path(tempfile.mkdtemp()) / "news.decisions.jsonl")
    >>> book.add(Label("a", "b", "same"))
    >>> [act.label for act in DecisionsFile(book.path).acts]
    ['same']
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.acts: list[Act] = []
        self.torn: list[int] = []
        self._turn = threading.RLock()
        self._read_to, self._lines = 0, 0
        (place,) = local([path])
        check_in_no_run(place)
        folder = Path(os.path.realpath(path)).parent
        if not folder.is_dir():
            raise OutputError("cannot write {}: there is no folder {}; make it, or choose another place", path, folder)
        if path.exists() and not path.is_file():
            raise OutputError("cannot write {}: it is not a file; choose another place", path)
        self.refresh()

    def refresh(self) -> list[Act]:
        """Read the acts that others added, and return them; if there are none, it only reads the file's size.

        Raises:
            InputError: the file became shorter, or a new line is no act.
        """
        with self._turn:
            try:
                size = self.path.stat().st_size
                if size == self._read_to:
                    return []
                if size < self._read_to:
                    raise InputError(
                        "{} is shorter than before, so decisions were removed from it: run the command again", self.path
                    )
                with self.path.open("rb") as file:
                    file.seek(self._read_to)
                    return self._take(file.read(size - self._read_to))
            except FileNotFoundError:
                if self._read_to:
                    raise InputError("{} is missing: put it back, or run the command again", self.path) from None
                return []
            except OSError as error:
                raise InputError("{} cannot be read: {}", self.path, reason_of(error)) from error

    def _take(self, read: bytes) -> list[Act]:
        """Parse complete lines and return their acts; an incomplete last line is left for the next call."""
        whole = read.rfind(b"\n") + 1
        found, torn = [], []
        for number, line in enumerate(read[:whole].split(b"\n")[:-1], self._lines + 1):
            act = _read(line, self.path, number)
            if act is None:
                torn.append(number)
            else:
                found.append(act)
        self._read_to += whole
        self._lines += read.count(b"\n", 0, whole)
        self.acts += found
        self.torn += torn
        return found

    @property
    def unfinished(self) -> bool:
        """True if the file ends in a line that a crash left incomplete."""
        with contextlib.suppress(OSError):
            return self.path.stat().st_size > self._read_to
        return False

    def add(self, act: Act) -> None:
        """Append an act; it is on the disk when this returns.

        Raises:
            OutputError: the act cannot be written; the file is unchanged.
            InputError: a line that others added meanwhile is no act.
        """
        line = line_of(act)
        with self._turn:
            try:
                new = not self.path.exists()
                descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            except OSError as error:
                raise self._unwritten(error) from error
            try:
                with _locked(descriptor):
                    self.refresh()
                    self._append(descriptor, line)
                    self.refresh()
            except OSError as error:
                raise self._unwritten(error) from error
            finally:
                os.close(descriptor)
            if new:
                _sync_folder(self.path.parent)

    def _append(self, descriptor: int, line: bytes) -> None:
        """Write a line by one call and flush it to the disk; on an error, restore the file's size."""
        before = os.fstat(descriptor).st_size
        torn = before > self._read_to
        line = b"\n" + line if torn else line
        try:
            written = os.write(descriptor, line)
            while written < len(line):  # a disk that is nearly full: the rest says so
                written += os.write(descriptor, line[written:])
            os.fsync(descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, before)
            raise

    def _unwritten(self, error: OSError) -> OutputError:
        return OutputError("cannot write {}: {}; no decision was added", self.path, reason_of(error))


def read_acts(file: Path | Location) -> tuple[list[Act], list[int]]:
    """Return the acts of a decisions file, and the numbers of the lines that a crash left incomplete.

    Raises:
        InputError: the file cannot be read, or is no decisions file.
        RunError: the file is inside a run folder and no regular file.
    """
    location = location_of(file)
    path = location.path
    try:
        if not isinstance(file, Location) and address_of(file) is None:
            check_regular(path)
        with location.open() as content:
            read = content.readall()
    except FileNotFoundError as error:
        raise InputError(
            "there is no decisions file {}: check the path, or decide something first, with {}",
            path,
            "quchong review run/",
        ) from error
    except (OSError, ValueError) as error:
        why = reason_of(error)
        raise InputError("decisions file {} cannot be read: {}; give the file that review wrote", path, why) from error
    acts, torn = [], []
    for number, line in enumerate(read.split(b"\n"), 1):
        if not line:
            continue
        act = _read(line, path, number)
        if act is None:
            torn.append(number)
        else:
            acts.append(act)
    return acts, torn


def write_acts(acts: Iterable[Act], path: Path) -> None:
    """Write acts to a new file.

    Raises:
        OutputError: the file cannot be written.
    """
    try:
        path.write_bytes(b"".join(line_of(act) for act in acts))
    except OSError as error:
        raise OutputError("cannot write {}: {}; make room or choose another place", path, reason_of(error)) from error


def _read(line: bytes, path: Path, number: int) -> Act | None:
    """Parse a line; return None if a crash left it incomplete.

    Raises:
        InputError: the line is no act and not incomplete.
    """
    if not line.strip(b"\0 \t\r"):  # what some file systems leave of a line after a power cut
        return None
    try:
        return act_of(line)
    except ValueError as error:
        whole = line.rstrip().endswith(b"}")
        if not whole and (line.startswith(_BEGINNING) or _BEGINNING.startswith(line)):
            return None
        own = type(error) is ValueError  # JSON's own errors are a kind of it
        why = error.args[0] if own else Message("the line is not JSON")
        raise InputError(
            "{}:{} is not a line of a decisions file ({}): give the file that review wrote", path, number, why
        ) from error


@contextlib.contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    """Lock the file for one process; without support for locks, lines are still written by one call each."""
    if fcntl is None:
        yield
        return
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield  # closing the file lets go


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
