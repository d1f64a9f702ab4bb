"""Labels that a person gives for pairs, appended to a file one by one."""

from __future__ import annotations

import json
import os
from pathlib import Path

from quchong.errors import OutputError, Param, UsageError, reason_of
from quchong.evaluation.label_reader import COLUMNS, read_truth
from quchong.evaluation.labels import Truth
from quchong.outputs import appended, check_in_no_run, local


class Answers:
    """File of labels of pairs as JSON lines, only appended to: each answer is on the disk before the next question.

    If a file was cut within its last line, the next answer starts on a new line.

    Attributes:
        path: the file. added: pairs of ids answered through this object.
    """

    def __init__(self, path: Path) -> None:
        """Open an existing file, or a new one that is created with the first answer.

        Raises:
            UsageError: the suffix is not .jsonl or .ndjson, or the file has labels of clusters.
            OutputError: the file is in a run folder, or cannot be written.
        """
        self.path, self.added = path, set[tuple[str, str]]()
        if path.suffix.lower() not in (".jsonl", ".ndjson"):
            raise UsageError(
                "{} must end in .jsonl, because answers are appended to it as JSON lines", Param("truth", str(path))
            )
        (place,) = local([path], "truth")
        check_in_no_run(place)
        if not path.parent.is_dir():
            raise OutputError("cannot write {}: there is no folder {}", path, path.parent)
        if path.exists() and not path.is_file():
            raise OutputError("cannot write {}: it is not a file", path)
        if (known := self.read()) is not None and known.kind != "pairs":
            raise UsageError(
                "{} contains labels of clusters, but answers are labels of pairs: name another file",
                Param("truth", str(path)),
            )

    def read(self) -> Truth | None:
        """Return the labels so far; None if there are none."""
        if not self.path.exists() or not self.path.stat().st_size:
            return None
        return read_truth(self.path)

    def add(self, left: str, right: str, label: str) -> None:
        """Append an answer and flush it to the disk.

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
            raise OutputError("cannot write {}: {}", self.path, reason_of(error)) from error
        self.added.add((left, right))
        appended(self.path)
