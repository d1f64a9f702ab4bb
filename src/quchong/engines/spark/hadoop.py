"""File systems that Spark reaches."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError

from quchong.errors import InputError, OutputError
from quchong.languages import Message

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REMEDY = Message("make room or choose another place")


def local_path(path: str) -> Path | None:
    """Convert a Hadoop path to a local path, or None if it is on another file system.

    Hadoop writes paths without escapes: a space, % or # in a name is that character, not a percent escape as in a URI.
    """
    rest = path.removeprefix("file:").removeprefix("//")
    return Path(rest) if rest.startswith("/") else None


class Hadoop:
    """File systems of a session, addressed by URI.

    Every method raises OutputError if the file system cannot be reached or refuses.
    """

    def __init__(self, session: SparkSession) -> None:
        jvm: Any = session._jvm
        self._path, self._conf = jvm.org.apache.hadoop.fs.Path, session._jsc.hadoopConfiguration()

    def _on(self, path: str) -> tuple[Any, Any]:
        where = self._path(path)
        return where.getFileSystem(self._conf), where

    def resolved(self, path: str) -> str:
        """Return the path with scheme and authority, with mounts and links resolved as far as the path exists."""
        with _hadoop_errors(path):
            system, where = self._on(path)
            where, missing = system.makeQualified(where), []
            while not system.exists(where) and where.getParent() is not None:
                missing.append(where.getName())
                where = where.getParent()
            return "/".join([str(system.resolvePath(where)).rstrip("/"), *reversed(missing)])

    def matches(self, path: str) -> list[str]:
        """Return the paths that match a pattern, or the pattern itself if none does."""
        with _hadoop_errors(path):
            system, where = self._on(path)
            return [str(status.getPath()) for status in system.globStatus(where) or []] or [path]

    def files(self, patterns: Iterable[str]) -> list[tuple[str, int]]:
        """Return URI and bytes of the files that Spark reads for patterns.

        These are the files that match, and the files in folders that match, each once, in the order of the patterns,
        then by path. Hidden files are left out.
        """
        found: dict[str, int] = {}
        for pattern in dict.fromkeys(patterns):
            with _hadoop_errors(pattern):
                system, where = self._on(pattern)
                for status in list(system.globStatus(where) or []):
                    for one in self._below(system, status):
                        found.setdefault(str(one.getPath().toUri()), int(one.getLen()))
        return list(found.items())

    def _below(self, system: Any, status: Any) -> list[Any]:
        """Return the files in a folder and in its folders of column values (`name=value`), by path; for a file, the file itself."""
        if not status.isDirectory():
            return [status]
        named = [(one.getPath().getName(), one) for one in system.listStatus(status.getPath())]
        inside = [
            one for name, one in named if not name.startswith(("_", ".")) and (not one.isDirectory() or "=" in name)
        ]
        found = [file for one in inside for file in self._below(system, one)]
        return sorted(found, key=lambda one: str(one.getPath()))

    def qualified(self, path: str) -> str:
        """Return the path with the scheme and authority of its file system; patterns are left unexpanded."""
        with _hadoop_errors(path):
            system, where = self._on(path)
            return str(system.makeQualified(where))

    def below(self, pattern: str) -> list[tuple[str, int]]:
        """Return URI and bytes of the files that match a pattern and of all files below matching folders, by path; no hidden ones."""
        return sorted(self.walked(pattern))

    def walked(self, pattern: str) -> Iterator[tuple[str, int]]:
        """Iterate over URI and bytes of the same files as `below`, in no order."""

        def files(status: Any) -> Iterator[tuple[str, int]]:
            if not status.isDirectory():
                yield str(status.getPath()), int(status.getLen())
                return
            for one in system.listStatus(status.getPath()):
                if not one.getPath().getName().startswith(("_", ".")):
                    yield from files(one)

        with _hadoop_errors(pattern):
            system, where = self._on(pattern)
            for status in system.globStatus(where) or []:
                yield from files(status)

    def match_files(self, pattern: str) -> list[str]:
        """Return the names of files that match a pattern, and of entries of matching folders; hidden ones are left out."""
        with _hadoop_errors(pattern):
            system, where = self._on(pattern)
            found = list(system.globStatus(where) or [])
            inside = [s for status in found if status.isDirectory() for s in system.listStatus(status.getPath())]
            names = [s.getPath().getName() for s in [*(f for f in found if not f.isDirectory()), *inside]]
            return [name for name in names if not name.startswith(("_", "."))]

    def created(self, path: str) -> Any:
        """Open a new file for writing; the stream has `write` (takes a bytearray) and `close`."""
        with _hadoop_errors(path):
            system, where = self._on(path)
            return system.create(where, True)

    def exists(self, path: str) -> bool:
        """Return True if the path exists."""
        with _hadoop_errors(path):
            system, where = self._on(path)
            return bool(system.exists(where))

    def names(self, folder: str) -> list[str]:
        """Return the sorted names of the entries of a folder; an empty list if it does not exist."""
        with _hadoop_errors(folder):
            system, where = self._on(folder)
            if not system.exists(where):
                return []
            return sorted(status.getPath().getName() for status in system.listStatus(where))

    def read(self, path: str) -> str:
        """Read a small file as text; invalid UTF-8 is replaced."""
        with _hadoop_errors(path):
            system, where = self._on(path)
            stream = system.open(where)
            try:
                return bytes(stream.readAllBytes()).decode(errors="replace")
            finally:
                stream.close()

    def write(self, path: str, text: str) -> None:
        """Write text to a small file, replacing it."""
        with _hadoop_errors(path):
            system, where = self._on(path)
            stream = system.create(where, True)
            stream.write(bytearray(text, "utf-8"))
            stream.close()

    def upload(self, file: Path, to: str) -> None:
        """Move a file of this machine to a path, replacing what is there."""
        with _hadoop_errors(to):
            system, where = self._on(to)
            system.copyFromLocalFile(True, True, self._path(f"file://{file.absolute()}"), where)

    def move(self, path: str, to: str) -> None:
        """Rename a path; the new name must not exist, because an existing folder would receive it as an entry."""
        with _hadoop_errors(to):
            system, where = self._on(path)
            if system.exists(self._path(to)) or not system.rename(where, self._path(to)):
                raise OutputError("cannot write {}: the finished output cannot be renamed to that name; {}", to, REMEDY)

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all its contents."""
        with _hadoop_errors(path):
            system, where = self._on(path)
            system.delete(where, True)


@contextlib.contextmanager
def _hadoop_errors(path: str) -> Iterator[None]:
    try:
        yield
    except Py4JError as error:
        words = java_words(str(error))
        if "No FileSystem for scheme" in words:
            raise InputError(
                "{}: Spark does not know this kind of address: use s3a://, gs://, abfss:// or hdfs://, and "
                "install its connector, such as {}",
                path,
                "--spark-conf spark.jars.packages=org.apache.hadoop:hadoop-aws:VERSION",
            ) from error
        raise OutputError("{} cannot be reached: {}", path, words) from error


def java_words(told: str) -> str:
    """Return the words of an error of Java: those of its first cause, without the names of classes and the stack."""
    lines = [line.strip() for line in told.splitlines() if line.strip() and not re.match(r"\s*(at |\.\.\. \d)", line)]
    causes = [line for line in lines if line.startswith("Caused by: ")] or [
        line for line in lines if line.startswith(": ")
    ]
    words = (causes or lines or [told])[-1]
    return re.sub(r"^(?:Caused by: |: )?(?:[\w$]+\.)+[\w$]+: ?", "", words) or words
