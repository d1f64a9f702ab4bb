"""Checks the files of a run folder, which may be damaged or foreign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from quchong.errors import InputError, RunError
from quchong.tables import CLUSTERS, FATES, IDS, LEDGER, PAIRS, RELATIONS

TABLES = {"ledger": LEDGER, "pairs": PAIRS, "clusters": CLUSTERS, "documents": FATES}
"""The tables of a run folder by name."""

_DAMAGED = "run the deduplication again, or restore a copy"


def check_manifest(manifest: dict[str, Any], path: Path) -> dict[str, Any]:
    """The manifest, if it has what readers of a run ask for, and names no file outside its folder.

    Raises:
        RunError: it has not
    """
    config, files = manifest.get("config"), manifest.get("files")
    asked = config.get("text") if isinstance(config, dict) else None
    right = isinstance(asked, list) and asked and all(isinstance(name, str) for name in asked)
    right = right and isinstance(config, dict)
    right = right and all(isinstance(config.get(name, ""), str | None) for name in ("html", "body"))  # type: ignore[union-attr]
    right = right and isinstance(manifest.get("mode"), str) and isinstance(manifest.get("counts"), dict)
    right = right and isinstance(manifest.get("id", "id"), str) and isinstance(manifest.get("restored", []), list)
    for name in ("inputs", "against"):
        places = manifest.get(name, [])
        right = right and isinstance(places, list) and all(isinstance(one, dict) for one in places)
        right = right and all(isinstance(one.get(key, ""), str) for one in places for key in ("name", "path"))
    right = right and isinstance(files, dict) and all(isinstance(sides, dict) for sides in files.values())
    if not right:
        raise RunError(f"{path} is not as a run writes it: {_DAMAGED}")
    for side in (side for sides in manifest["files"].values() for side in sides.values()):
        if not isinstance(side, str) or not _inside(side):
            raise RunError(f"{path} names a file outside its folder, {side!r}: no run writes that")
    return manifest


def _inside(name: str) -> bool:
    place = PurePath(name)
    return bool(place.parts) and not place.is_absolute() and ".." not in place.parts and "\0" not in name


@contextmanager
def own_files(folder: Path, names: Iterable[str | None], consequence: str = "") -> Iterator[None]:
    """Turns what goes wrong in reading files of rows that a run wrote into a RunError; `consequence` ends the message.

    Args:
        names: of the files in the folder; None for one that run.json does not name.

    Raises:
        RunError: one is missing, or cannot be read as the run wrote it.
    """
    for name in names:
        if name is None:
            raise RunError(f"{folder / 'run.json'} does not tell where the rows are: {_DAMAGED}{consequence}")
        if not (folder / name).is_file():
            raise RunError(f"{folder / name}, which the run wrote, is gone: {_DAMAGED}{consequence}")
    try:
        yield
    except InputError as error:
        raise RunError(f"{error}; the files of a run must stay as it wrote them: {_DAMAGED}{consequence}") from error


def table_in(folder: Path, name: str) -> pa.Table:
    """One table of a run folder, with the columns and types it was written with.

    Raises:
        RunError: it is missing, damaged or another
    """
    path = folder / f"{name}.parquet"
    try:
        found = pq.read_table(path)
        found.validate(full=True)
        wrong = _unlike(found, TABLES[name])
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
        raise RunError(f"{path} cannot be read ({error}): {_DAMAGED}") from error
    if wrong:
        raise RunError(f"{path} is not as a run writes it ({wrong}): {_DAMAGED}")
    return found


def _unlike(found: pa.Table, schema: pa.Schema) -> str:
    """What is wrong with a table that should be of this schema; ids may be strings or whole numbers."""
    for field in schema:
        if found.column_names.count(field.name) != 1:
            return f"not one column {field.name!r}"
        column = found[field.name]
        kinds = (field.type, pa.int64()) if field.name in IDS else (field.type,)
        if not any(column.type.equals(kind) for kind in kinds):
            return f"column {field.name!r} is {column.type}"
        if not field.nullable and column.null_count:
            return f"column {field.name!r} has nulls"
        if field.name == "relation" and not pc.all(pc.is_in(column, pa.array(RELATIONS))).as_py() and len(column):
            return "an unknown relation"
        if field.name == "row" and len(column) and pc.min(column).as_py() < 0:
            return "a negative row"
    return ""
