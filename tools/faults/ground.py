"""A folder to try a situation in: files, commands, mounts of its own, and what was wrong."""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import child
import corpus
import shim
from answers import Answer, answer, differences

_NEW_NAMESPACE, _PRIVATE, _REMOUNT, _READ_ONLY, _DETACH = 0x20000, 1 << 18 | 1 << 14, 32, 1, 2
QUIET = ("--recall-sample", "0", "-q")


class Ground:
    """Where one situation is tried.

    Attributes:
        folder: an empty folder at first; commands run in it.
        wrong: what did not hold.
        code: the exit code of the command that mattered.
    """

    def __init__(self, work: Path) -> None:
        self.folder, self.scratch = work / "box", work / "said"
        for folder in (self.folder, self.scratch):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        self.wrong: list[str] = []
        self.code = 0
        self._mounts: list[Path] = []

    def write(
        self, kind: str = "jsonl", first: int = 0, count: int = corpus.ROWS, name: str = "in", under: str = ""
    ) -> str:
        """Writes rows of the sample; returns the path from the folder."""
        (self.folder / under).mkdir(parents=True, exist_ok=True)
        return str(Path(under) / corpus.write(self.folder / under, kind, corpus.rows(first, count), name))

    def run(self, *argv: str, **more: object) -> child.Ended:
        """A command."""
        done = child.run(argv, self.folder, self.scratch, **more)
        if "Traceback" in done.err:
            self.wrong.append(f"{argv[0]}: a traceback: {done.told}")
        return done

    def good(self, *argv: str, **more: object) -> child.Ended:
        """A command that must do its work."""
        done = self.run(*argv, **more)
        self.demand(done.code == 0, f"{' '.join(argv)}: exit code {done.code}: {done.told}")
        return done

    def start(self, *argv: str, **more: object) -> child.Child:
        """A command that goes on by itself; only its calls are counted."""
        return child.Child(argv, self.folder, self.scratch, root=self.folder, **more)

    def demand(self, holds: bool, otherwise: str) -> None:
        """Sets down what does not hold."""
        if not holds:
            self.wrong.append(otherwise)

    def same(self, path: str, before: Answer, what: str) -> None:
        """What stands at a path is as it was."""
        now = answer(self.folder / path)
        self.demand(now == before, f"{what}: {differences(now, before)}")

    def at(self, path: str) -> Answer:
        """What stands at a path."""
        return answer(self.folder / path)

    def disk(self, name: str = "disk", size: str = "8m") -> Path:
        """A file system of its own below the folder."""
        place = self.folder / name
        place.mkdir()
        self._mount(place, 0, f"size={size}")
        self._mounts.append(place)
        return place

    def read_only(self, place: Path) -> None:
        """From here on it cannot be written."""
        self._mount(place, _REMOUNT | _READ_ONLY, "")

    def _mount(self, place: Path, flags: int, options: str) -> None:
        if _libc().mount(b"tmpfs", str(place).encode(), b"tmpfs", flags, options.encode()):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(place))

    def close(self) -> None:
        """Takes the mounts away."""
        for place in self._mounts:
            _libc().umount2(str(place).encode(), _DETACH)


def fill(place: Path, free: int) -> None:
    """Fills a disk but for so many bytes."""
    found = os.statvfs(place)
    with (place / "ballast").open("wb") as file:
        file.truncate(0)
        file.write(bytes(max(found.f_bavail * found.f_frsize - free, 0)))


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


@cache
def can_mount() -> bool:
    """May this process have mounts that nobody else sees?"""
    libc = _libc()
    return libc.unshare(_NEW_NAMESPACE) == 0 and libc.mount(b"none", b"/", None, _PRIVATE, None) == 0


Situation = Callable[[Ground], None]


def stopping(kind: int, at: int) -> dict[str, object]:
    """Arguments of `Ground.start`: it stands still before that call."""
    return {"fault": shim.Fault(shim.SIGNAL_BEFORE, 19, kind, False, ()), "at": at}


def options(argv: Sequence[str]) -> tuple[str, ...]:
    """Words of a command."""
    return tuple(argv)
