"""The file systems Spark reaches."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError

from quchong.errors import OutputError
from quchong.languages import Message

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REMEDY = Message("make room or choose another place")


def here(path: str) -> Path | None:
    """The path on this machine that a path as Hadoop has it stands for; None of other file systems.

    Hadoop spells paths as they are: a space, % or # in a name is that sign, not written in percents as in a URI.
    """
    rest = path.removeprefix("file:").removeprefix("//")
    return Path(rest) if rest.startswith("/") else None


class Hadoop:
    """The file systems of a session, by URI.

    Every call raises OutputError where a file system cannot be reached or will not do it.
    """

    def __init__(self, session: SparkSession) -> None:
        jvm: Any = session._jvm
        self._path, self._conf = jvm.org.apache.hadoop.fs.Path, session._jsc.hadoopConfiguration()

    def _on(self, path: str) -> tuple[Any, Any]:
        where = self._path(path)
        return where.getFileSystem(self._conf), where

    def resolved(self, path: str) -> str:
        """The path with scheme and authority, through mounts and links, as far as it is there."""
        with _told(path):
            system, where = self._on(path)
            where, missing = system.makeQualified(where), []
            while not system.exists(where) and where.getParent() is not None:
                missing.append(where.getName())
                where = where.getParent()
            return "/".join([str(system.resolvePath(where)).rstrip("/"), *reversed(missing)])

    def matches(self, path: str) -> list[str]:
        """What a pattern stands for; itself where there is nothing."""
        with _told(path):
            system, where = self._on(path)
            return [str(status.getPath()) for status in system.globStatus(where) or []] or [path]

    def files(self, patterns: Iterable[str]) -> list[tuple[str, int]]:
        """URI and bytes of the files that Spark reads for patterns: those named, and those in folders, once each, in the order of
        the patterns, then by path. Hidden ones are none.
        """
        found: dict[str, int] = {}
        for pattern in dict.fromkeys(patterns):
            with _told(pattern):
                system, where = self._on(pattern)
                for status in list(system.globStatus(where) or []):
                    for one in self._below(system, status):
                        found.setdefault(str(one.getPath().toUri()), int(one.getLen()))
        return list(found.items())

    def _below(self, system: Any, status: Any) -> list[Any]:
        """The files of a folder and of folders in it that Spark takes for values of a column, by path; a file itself."""
        if not status.isDirectory():
            return [status]
        named = [(one.getPath().getName(), one) for one in system.listStatus(status.getPath())]
        inside = [
            one for name, one in named if not name.startswith(("_", ".")) and (not one.isDirectory() or "=" in name)
        ]
        found = [file for one in inside for file in self._below(system, one)]
        return sorted(found, key=lambda one: str(one.getPath()))

    def qualified(self, path: str) -> str:
        """The path with the scheme and authority of its file system; a pattern stays one."""
        with _told(path):
            system, where = self._on(path)
            return str(system.makeQualified(where))

    def below(self, pattern: str) -> list[tuple[str, int]]:
        """URI and bytes of the files a pattern stands for and of all below folders, by path; hidden ones are none."""
        return sorted(self.walked(pattern))

    def walked(self, pattern: str) -> Iterator[tuple[str, int]]:
        """The same as they are found, in no order."""

        def files(status: Any) -> Iterator[tuple[str, int]]:
            if not status.isDirectory():
                yield str(status.getPath()), int(status.getLen())
                return
            for one in system.listStatus(status.getPath()):
                if not one.getPath().getName().startswith(("_", ".")):
                    yield from files(one)

        with _told(pattern):
            system, where = self._on(pattern)
            for status in system.globStatus(where) or []:
                yield from files(status)

    def within(self, pattern: str) -> list[str]:
        """Names of what a pattern stands for, and of what is in its folders; hidden ones left out."""
        with _told(pattern):
            system, where = self._on(pattern)
            found = list(system.globStatus(where) or [])
            inside = [s for status in found if status.isDirectory() for s in system.listStatus(status.getPath())]
            names = [s.getPath().getName() for s in [*(f for f in found if not f.isDirectory()), *inside]]
            return [name for name in names if not name.startswith(("_", "."))]

    def created(self, path: str) -> Any:
        """A stream to a new file: `write` takes a bytearray, `close` ends it."""
        with _told(path):
            system, where = self._on(path)
            return system.create(where, True)

    def exists(self, path: str) -> bool:
        """Is there anything?"""
        with _told(path):
            system, where = self._on(path)
            return bool(system.exists(where))

    def names(self, folder: str) -> list[str]:
        """What is in a folder; nothing where there is none."""
        with _told(folder):
            system, where = self._on(folder)
            if not system.exists(where):
                return []
            return sorted(status.getPath().getName() for status in system.listStatus(where))

    def read(self, path: str) -> str:
        """A small file."""
        with _told(path):
            system, where = self._on(path)
            stream = system.open(where)
            try:
                return bytes(stream.readAllBytes()).decode(errors="replace")
            finally:
                stream.close()

    def write(self, path: str, text: str) -> None:
        """A small file."""
        with _told(path):
            system, where = self._on(path)
            stream = system.create(where, True)
            stream.write(bytearray(text, "utf-8"))
            stream.close()

    def move(self, path: str, to: str) -> None:
        """Another name; nothing may have it yet, for a folder would take it in."""
        with _told(to):
            system, where = self._on(path)
            if system.exists(self._path(to)) or not system.rename(where, self._path(to)):
                raise OutputError("cannot write {}: the finished output cannot be renamed to it; {}", to, REMEDY)

    def remove(self, path: str) -> None:
        """A file, or a folder with all in it."""
        with _told(path):
            system, where = self._on(path)
            system.delete(where, True)


@contextlib.contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except Py4JError as error:
        raise OutputError("{} cannot be reached: {}", path, str(error).splitlines()[-1]) from error
