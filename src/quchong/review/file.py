"""The decisions file: JSON lines, one an act, added at the end and never changed.

An act is on the disk before `add` returns. Several threads and processes may add at once: each line is written in one piece, under a
lock, behind the lines of the others, which are read first. What a crash tore is a last line without an end: it is left out and told
of, and the next act begins on a line of its own.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from quchong.errors import InputError, OutputError
from quchong.io.files.disk import DiskFile
from quchong.outputs import check_in_no_run, check_regular, local
from quchong.review.acts import Act, act_of, line_of

try:
    import fcntl
except ImportError:  # Windows: one process at a time
    fcntl = None  # type: ignore[assignment]

_BEGINNING = b'{"act"'
"""How each of our lines begins: what is torn and begins so is ours."""


class DecisionsFile:
    """A decisions file that acts are added to. Made when the first act is added.

    Args:
        path: of the file.

    Attributes:
        acts: all that were read and added, in the order of the file.
        torn: numbers of lines that a crash tore, from 1.

    Raises:
        InputError: the file is no decisions file, or cannot be read.
        OutputError: it lies in the folder of a run, or there is no folder for it.

    >>> import tempfile
    >>> from quchong.review import DecisionsFile, Label
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
            raise OutputError("cannot write {}: it is no file; choose another place", path)
        self.refresh()

    def refresh(self) -> list[Act]:
        """Reads what others added since; the new acts. Cost: a look at the file's size where nothing was.

        Raises:
            InputError: the file became shorter, or a line in it is no act.
        """
        with self._turn:
            try:
                size = self.path.stat().st_size
                if size == self._read_to:
                    return []
                if size < self._read_to:
                    raise InputError("{} is shorter than it was: acts were taken out; start again", self.path)
                with self.path.open("rb") as file:
                    file.seek(self._read_to)
                    return self._take(file.read(size - self._read_to))
            except FileNotFoundError:
                if self._read_to:
                    raise InputError("{} is gone; put it back, or start again", self.path) from None
                return []
            except OSError as error:
                raise InputError("{} cannot be read: {}", self.path, error.strerror or error) from error

    def _take(self, read: bytes) -> list[Act]:
        """Takes whole lines; a last one without an end is left for later."""
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
        """Does the file end in a line that a crash tore?"""
        with contextlib.suppress(OSError):
            return self.path.stat().st_size > self._read_to
        return False

    def add(self, act: Act) -> None:
        """Adds an act; it is on the disk when this returns.

        Raises:
            OutputError: it cannot be written; the file is as it was.
            InputError: what others added meanwhile is no act.
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
        """Writes a line in one piece, or not at all, and waits for the disk."""
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
        return OutputError("cannot write {}: {}; nothing was added to it", self.path, error.strerror or error)


def read_acts(file: Path | DiskFile) -> tuple[list[Act], list[int]]:
    """The acts of a decisions file, and the numbers of the lines that a crash tore.

    Raises:
        InputError: it cannot be read, or is no decisions file.
        RunError: it is beneath a run folder, and no regular file there.
    """
    opened = DiskFile.of(file)
    path = opened.path
    try:
        if not isinstance(file, DiskFile):
            check_regular(path)
        with opened.raw() as content:
            read = content.readall()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
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
    """Writes acts to a new file.

    Raises:
        OutputError: it cannot be written.
    """
    try:
        path.write_bytes(b"".join(line_of(act) for act in acts))
    except OSError as error:
        raise OutputError(
            "cannot write {}: {}; make room or choose another place", path, error.strerror or error
        ) from error


def _read(line: bytes, path: Path, number: int) -> Act | None:
    """The act of a line; None of a torn one.

    Raises:
        InputError: it was never an act of ours.
    """
    if not line.strip(b"\0 \t\r"):  # what some file systems leave of a line after a power cut
        return None
    try:
        return act_of(line)
    except ValueError as error:
        whole = line.rstrip().endswith(b"}")
        if not whole and (line.startswith(_BEGINNING) or _BEGINNING.startswith(line)):
            return None
        why = "it is no JSON" if type(error) is not ValueError else error  # JSON's own errors are a kind of ValueError
        raise InputError(
            "{}:{} is no line of a decisions file ({}): give the file that review wrote", path, number, why
        ) from error


@contextlib.contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    """One process at a time; where the file system knows no locks, lines are still written in one piece."""
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
