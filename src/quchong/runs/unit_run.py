"""Folder of a run by units, read again: run.json and its tables, which may be damaged or foreign."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import RunError, UsageError, reason_of
from quchong.outputs import manifest_of
from quchong.runs.layout import FORMAT, MANIFEST, is_run
from quchong.runs.manifest import DAMAGED, is_rows_name
from quchong.runs.reader import read_part
from quchong.tables import UNIT_DOCUMENTS, UNITS, as_id


def is_unit_run(folder: Path) -> bool:
    """Return True if this is the finished folder of a run by units."""
    return is_run(folder, "units")


@dataclass(frozen=True, slots=True)
class UnitFolder:
    """Folder of a run by units.

    Attributes:
        folder, manifest: the folder, and its run.json.
        documents, units: the tables UNIT_DOCUMENTS and UNITS.
    """

    folder: Path
    manifest: Mapping[str, Any]
    documents: pa.Table
    units: pa.Table

    @classmethod
    def read(cls, folder: Path) -> UnitFolder:
        """Read and check the folder.

        Raises:
            RunError: it is not the folder of a run by units, or it is damaged.
        """
        manifest: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError):
            manifest = manifest_of(folder)
        if manifest.get("format", 0) > FORMAT:
            raise RunError(
                "{} was written by a later version of quchong ({}): upgrade", folder, manifest.get("quchong")
            )
        _check(manifest, folder)
        documents = _table(folder, "documents", UNIT_DOCUMENTS)
        return cls(folder, manifest, documents, _table(folder, "units", UNITS))

    def places(self, ids: list[str]) -> np.ndarray:
        """Return the indices of documents by id, int64, in the order of the input.

        Raises:
            UsageError: an id is of no document.
        """
        column = self.documents["id"]
        known = [as_id(one, column.type) for one in ids]
        found = pc.index_in(pa.array(known, column.type), column.combine_chunks())
        if found.null_count:
            missing = ids[pc.index(found.is_null(), True).as_py()]
            raise UsageError("{} is the id of no document: see documents.parquet for the ids", missing)
        return np.unique(found.to_numpy()).astype(np.int64)

    def files(self, source: str) -> tuple[str, str]:
        """Return the names of the files of kept and of removed rows of an input."""
        sides = self.manifest["files"][source]
        return sides["kept"], sides["removed"]


def _check(manifest: Mapping[str, Any], folder: Path) -> None:
    """Raise RunError for a run.json that a run by units does not write, as far as it is read."""
    files, counts, inputs = manifest.get("files"), manifest.get("counts"), manifest.get("inputs")
    text = manifest.get("config", {}).get("text") if isinstance(manifest.get("config"), dict) else None
    sound = (
        manifest.get("mode") == "units" and isinstance(files, dict) and isinstance(counts, dict) and isinstance(inputs, list)
        and isinstance(text, list) and len(text) == 1 and isinstance(text[0], str)
        and all(isinstance(one, dict) for one in inputs)
        and all(isinstance(counts.get(name), int) for name in ("read", "kept", "removed", "changed", "cut", "words", "cut_words"))
        and all(
            isinstance(sides, dict) and all(is_rows_name(str(sides.get(side)), side) for side in ("kept", "removed"))
            for sides in files.values()
        )
    )  # fmt: skip
    if not sound:
        raise RunError("{} is not as a run writes it: {}", folder / MANIFEST, DAMAGED)


def _table(folder: Path, name: str, schema: pa.Schema) -> pa.Table:
    path = folder / f"{name}.parquet"
    try:
        found = read_part(folder, path.name)
        found.validate(full=True)
    except (OSError, ValueError, pa.ArrowException, MemoryError) as error:
        raise RunError("{} cannot be read ({}): {}", path, reason_of(error), DAMAGED) from error
    for field in schema:
        there = found.schema.field(field.name).type if field.name in found.column_names else None
        fits = there == field.type or (field.name in ("id", "kept_id") and there == pa.int64())
        if not fits or (not field.nullable and found[field.name].null_count):
            raise RunError("{} is not as a run writes it ({}): {}", path, field.name, DAMAGED)
    return found
