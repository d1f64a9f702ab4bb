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
from quchong.runs.table_checks import check_known, check_values, unlike_a_run
from quchong.runs.unknown_ids import id_advice
from quchong.tables import REFERENCE_PREFIX, UNIT_DOCUMENTS, UNITS, as_id

_TOLD = {
    "copy": ("copies", "documents", "kept_id", "kept_unit"), "repeat": ("copies", "documents", "kept_id", "kept_unit"),
    "common": ("copies", "documents"), "floor": (),
}  # fmt: skip
"""Columns of the table of units that have a value where a unit was cut or kept for a reason."""
REASONS = tuple(_TOLD)


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
        """Read the folder of a run by units, and check it.

        Raises:
            RunError: it is not the folder of a run by units, or it is damaged.
        """
        manifest: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError):
            manifest = manifest_of(folder)
        version = manifest.get("format", 0) if isinstance(manifest, dict) else None
        if not isinstance(version, int):
            raise unlike_a_run(folder / MANIFEST, "format")
        if version > FORMAT:
            raise RunError(
                "{} was written by a later version of quchong ({}): upgrade quchong", folder, manifest.get("quchong")
            )
        _check(manifest, folder)
        documents, units = _table(folder, "documents", UNIT_DOCUMENTS), _table(folder, "units", UNITS)
        _check_tables(folder, manifest, documents, units)
        return cls(folder, manifest, documents, units)

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
            raise UsageError("no document has the id {!r}: {}", missing, id_advice(missing, column.to_pylist()))
        return np.unique(found.to_numpy()).astype(np.int64)

    def files(self, source: str) -> tuple[str, str]:
        """Return the names of the files of kept and of removed rows of an input."""
        sides = self.manifest["files"][source]
        return sides["kept"], sides["removed"]


def _check(manifest: Mapping[str, Any], folder: Path) -> None:
    """Raise RunError if run.json of a run by units has an invalid field that is read."""
    files, counts, inputs = manifest.get("files"), manifest.get("counts"), manifest.get("inputs")
    text = manifest.get("config", {}).get("text") if isinstance(manifest.get("config"), dict) else None
    sound = (
        manifest.get("mode") == "units" and isinstance(files, dict) and isinstance(counts, dict) and isinstance(inputs, list)
        and isinstance(text, list) and len(text) == 1 and isinstance(text[0], str)
        and all(isinstance(one, dict) and isinstance(one.get("encoding"), str | None) for one in inputs)
        and isinstance(manifest.get("units"), dict) and manifest["units"].get("unit") in ("line", "paragraph")
        and isinstance(manifest.get("restored", []), list)
        and all(isinstance(counts.get(name), int) for name in ("read", "kept", "removed", "changed", "cut", "words", "cut_words"))
        and all(
            isinstance(sides, dict) and all(is_rows_name(str(sides.get(side)), side) for side in ("kept", "removed"))
            for sides in files.values()
        )
    )  # fmt: skip
    if not sound:
        raise RunError("{} differs from what a run writes: {}", folder / MANIFEST, DAMAGED)


def _table(folder: Path, name: str, schema: pa.Schema) -> pa.Table:
    path = folder / f"{name}.parquet"
    try:
        found = read_part(folder, path.name)
        found.validate(full=True)
    except (OSError, ValueError, pa.ArrowException, MemoryError) as error:
        raise RunError("{} cannot be read ({}): {}", path, reason_of(error), DAMAGED) from error
    for field in schema:
        there = found.schema.field(field.name).type if field.name in found.column_names else None
        if there != field.type and (field.name not in ("id", "kept_id") or there != pa.int64()):
            raise unlike_a_run(path, field.name)
    return found


def _check_tables(folder: Path, manifest: Mapping[str, Any], documents: pa.Table, units: pa.Table) -> None:
    """Raise RunError for values that no run by units writes: nulls, unknown reasons, or ids and sources that are nowhere else."""
    path = folder / "documents.parquet"
    # An id may be a number, and then below 0.
    check_values(path, documents, pa.schema([one for one in UNIT_DOCUMENTS if one.name != "id"]))
    if documents["id"].null_count:
        raise unlike_a_run(path, "id")
    check_known(path, documents, ["source"], pa.table({"source": pa.array(list(manifest["files"]), pa.string())}))
    path = folder / "units.parquet"
    check_values(
        path, units, pa.schema([one for one in UNITS if one.name not in ("id", "kept_id")]), {"reason": REASONS}
    )
    own = units
    if manifest.get("against") and not pa.types.is_integer(
        units["kept_id"].type
    ):  # what the reference corpus keeps is in no table
        own = units.filter(pc.invert(pc.fill_null(pc.starts_with(units["kept_id"], REFERENCE_PREFIX), False)))
    check_known(path, units, ["id"], documents.select(["id"]))
    check_known(path, own, ["kept_id"], documents.select(["id"]))
    for reason, needed in _TOLD.items():
        some = units.filter(pc.equal(units["reason"], reason))
        for name in ("id", *needed):
            if some[name].null_count:
                raise unlike_a_run(path, name)
