"""Ranges of rows in the files of a run folder: which documents a file contains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import RunError
from quchong.languages import Message
from quchong.tables import PART


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows stored in one file of kept rows and one of removed rows: all rows of an input, or a part of them (a shard).

    Attributes:
        kept, removed: names of the files in the run folder. If a part has no row on a side, that file may be missing.
        documents: int64, index of each row's document in documents.parquet, in the order of the input.
        gone: bool, aligned with `documents`: True if the row is in `removed`.
    """

    kept: str
    removed: str
    documents: np.ndarray
    gone: np.ndarray

    @property
    def counts(self) -> tuple[int, int]:
        """Number of rows kept, and removed."""
        removed = int(self.gone.sum())
        return len(self.gone) - removed, removed

    @property
    def sides(self) -> list[str]:
        """Names of the files that must exist."""
        return [file for file, count in zip((self.kept, self.removed), self.counts, strict=True) if count]


def stretches(manifest: Mapping[str, Any], documents: pa.Table) -> list[Stretch]:
    """Return the stretches of a run (pairs of kept and removed files), in the order of the input.

    Raises:
        RunError: run.json does not name the files of rows.
    """
    removed = _bools(documents["removed"])
    if PART in documents.column_names:
        parts = documents[PART].to_numpy()
        return [
            _part_stretch(manifest, number, np.flatnonzero(parts == number), removed)
            for number in np.unique(parts).tolist()
            if number >= 0  # references are in no part
        ]
    return [_input(manifest, name, documents, removed) for name in manifest["files"]]


def stretch_of(manifest: Mapping[str, Any], documents: pa.Table, index: int) -> Stretch:
    """Return the stretch (pair of files) with the row of the document at `index`.

    Raises:
        RunError: as `stretches`.
    """
    removed = _bools(documents["removed"])
    if PART not in documents.column_names:
        return _input(manifest, documents["source"][index].as_py(), documents, removed)
    number = documents[PART][index].as_py()
    return _part_stretch(manifest, number, np.flatnonzero(documents[PART].to_numpy() == number), removed)


def annotated_files(manifest: Mapping[str, Any], documents: pa.Table) -> list[tuple[str, np.ndarray]]:
    """Return the files of a run that wrote all rows to one side, each with its documents in the order of its rows.

    Raises:
        RunError: run.json does not name the files of rows.
    """
    if PART not in documents.column_names:
        return [(_annotated(manifest, name), documents_of(documents, name)) for name in manifest["files"]]
    parts = documents[PART].to_numpy()
    pattern = _annotated(manifest, next(iter(manifest["files"]), ""))
    return [
        (pattern.replace("*", f"part-{number:05d}"), np.flatnonzero(parts == number))
        for number in np.unique(parts[parts >= 0]).tolist()
    ]


def check_inputs_named(manifest: Mapping[str, Any], documents: pa.Table) -> None:
    """Raise RunError if run.json names no files for an input that has documents."""
    if PART in documents.column_names:
        return
    for name in documents.filter(pc.invert(documents["reference"]))["source"].unique().drop_null().to_pylist():
        if name not in manifest["files"]:
            raise _unnamed(Message("kept"), name)


def _unnamed(rows: Message, name: str) -> RunError:
    return RunError("run.json does not say where the {} rows of {} are: run the deduplication again", rows, name)


def _annotated(manifest: Mapping[str, Any], name: str) -> str:
    file = manifest["files"].get(name, {}).get("annotated")
    if not isinstance(file, str):
        raise RunError("run.json does not say where the rows of {} are: run the deduplication again", name)
    return file


def documents_of(documents: pa.Table, name: str) -> np.ndarray:
    """Return the documents of an input, int64, in the order of its rows."""
    mine = np.flatnonzero(_bools(pc.and_(pc.equal(documents["source"], name), pc.invert(documents["reference"]))))
    return mine[np.argsort(documents["row"].to_numpy()[mine], kind="stable")]


def _input(manifest: Mapping[str, Any], name: str, documents: pa.Table, removed: np.ndarray) -> Stretch:
    mine = documents_of(documents, name)
    files = manifest["files"].get(name, {})
    kept, gone = _file_patterns(files, name)
    return Stretch(kept, gone, mine, removed[mine])


def _part_stretch(manifest: Mapping[str, Any], number: int, mine: np.ndarray, removed: np.ndarray) -> Stretch:
    files: Mapping[str, str] = next(iter(manifest["files"].values()), {})
    kept, gone = (file.replace("*", f"part-{number:05d}") for file in _file_patterns(files, "parts"))
    return Stretch(kept, gone, mine, removed[mine])


def _file_patterns(files: Mapping[str, str], of: str) -> list[str]:
    for side in ("kept", "removed"):
        if side not in files:
            rows = Message("kept") if side == "kept" else Message("removed")
            raise _unnamed(rows, of)
    return [files["kept"], files["removed"]]


def _bools(column: pa.ChunkedArray) -> np.ndarray:
    return np.asarray(column.to_numpy(zero_copy_only=False)).astype(bool)
