"""Source of one file: its changes between two passes are noticed, and its bytes identify it."""

from __future__ import annotations

from pathlib import Path

from quchong.errors import InputChanged
from quchong.io.files.input_file import File, InputFile
from quchong.io.source import Source


class FileSource(Source):
    """Base class of a source of one file.

    Attributes:
        path: the file; files: the same, alone.
    """

    path: Path
    _file: InputFile

    def _set_file(self, file: File) -> None:
        """Set the file of the source."""
        self._file = InputFile.from_path(file)
        self.path = self._file.path
        self.files = (self.path,)

    def check(self, records: int | None = None, seen: int | None = None) -> None:
        """Raise InputChanged if the source is no longer the one that `documents` read; see Source.check."""
        self._file.check()
        if seen is not None and seen != records:
            raise InputChanged(
                "{} contains {} records, but contained {} at the first reading; run again", self.path, seen, records
            )

    def fingerprint(self) -> dict[str, object]:
        """Return name, size and digest of the source, as run.json lists them; see Source.fingerprint."""
        return self._file.fingerprint(self.name)
