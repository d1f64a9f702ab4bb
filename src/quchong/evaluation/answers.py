"""Answers of a person about pairs, appended to a file of labels one by one."""

from __future__ import annotations

import json
import os
from pathlib import Path

from quchong.errors import OutputError, Param, UsageError
from quchong.evaluation.labels import Truth
from quchong.evaluation.reading import COLUMNS, read_truth
from quchong.outputs import appended, check_in_no_run, local


class Answers:
    """A file of labels of pairs as JSON lines, which only grows: every answer is on the disk before the next question.

    A file that was cut within its last line is gone on with on a line of its own.

    Attributes:
        path: of the file. added: the pairs that were answered here.
    """

    def __init__(self, path: Path) -> None:
        """Of a file that is there, or will be made with the first answer.

        Raises:
            UsageError: another suffix, or labels that are none of pairs.
            OutputError: it lies in the folder of a run, or where nothing can be written.
        """
        self.path, self.added = path, set[tuple[str, str]]()
        if path.suffix.lower() not in (".jsonl", ".ndjson"):
            raise UsageError(
                "{} has to end in .jsonl: answers are appended to it as JSON lines", Param("truth", str(path))
            )
        (place,) = local([path], "truth")
        check_in_no_run(place)
        if not path.parent.is_dir():
            raise OutputError("cannot write {}: there is no folder {}", path, path.parent)
        if path.exists() and not path.is_file():
            raise OutputError("cannot write {}: it is no file", path)
        if (known := self.read()) is not None and known.kind != "pairs":
            raise UsageError(
                "{} holds labels of clusters; answers are about pairs: name another file", Param("truth", str(path))
            )

    def read(self) -> Truth | None:
        """The labels so far; None where there are none."""
        if not self.path.exists() or not self.path.stat().st_size:
            return None
        return read_truth(self.path)

    def add(self, left: str, right: str, label: str) -> None:
        """Appends an answer, and sees that it is on the disk.

        Raises:
            OutputError: it cannot be written.
        """
        row = {COLUMNS["left"]: left, COLUMNS["right"]: right, COLUMNS["label"]: label}
        line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        try:
            with self.path.open("ab+") as file:
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    line = line if file.read(1) == b"\n" else b"\n" + line
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError("cannot write {}: {}", self.path, error.strerror or error) from error
        self.added.add((left, right))
        appended(self.path)
