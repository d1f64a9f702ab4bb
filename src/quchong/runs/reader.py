"""Checks the files of a run folder, which may be damaged or foreign."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from quchong.errors import InputError, RunError
from quchong.languages import Message
from quchong.tables import CLUSTERS, FATES, IDS, LEDGER, PAIRS, PART, RELATIONS

LATER = {"pairs": ("size_ratio",)}
"""Columns that were added to tables of runs; they may be null."""
TABLES = {"ledger": LEDGER, "pairs": PAIRS, "clusters": CLUSTERS, "documents": FATES}
"""The tables of a run folder by name."""
_ORDER = {"ledger": ("id",), "pairs": ("left_id", "right_id"), "clusters": ("id",)}
"""By which ids a table is sorted; documents stand in the order of the input."""

_DAMAGED = Message("run the deduplication again, or restore a copy")


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
        right = right and all(
            isinstance(one.get(key, ""), str) for one in places for key in ("name", "path", "format", "encoding")
        )
    parts = manifest.get("parts", {})
    right = right and isinstance(parts, dict) and all(isinstance(number, int) for number in parts.values())
    right = right and isinstance(files, dict) and all(isinstance(sides, dict) for sides in files.values())
    if not right:
        raise RunError("{} is not as a run writes it: {}", path, _DAMAGED)
    for side in (side for sides in manifest["files"].values() for side in sides.values()):
        if not isinstance(side, str) or not _inside(side):
            raise RunError("{} names a file outside its folder, {!r}: no run writes that", path, side)
    return manifest


def encoding_of(manifest: Mapping[str, Any], file: str) -> str | None:
    """The encoding of a file of rows in a run folder, where its input was in another than UTF-8 or was said to be in one."""
    of = next((name for name, sides in manifest["files"].items() if file in sides.values()), None)
    return next((one.get("encoding") for one in manifest["inputs"] if one.get("name") == of), None)


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
            raise RunError("{} does not tell where the rows are: {}{}", folder / "run.json", _DAMAGED, consequence)
        if not (folder / name).is_file():
            raise RunError("{}, which the run wrote, is gone: {}{}", folder / name, _DAMAGED, consequence)
    try:
        yield
    except InputError as error:
        raise RunError(
            "{}; the files of a run must stay as it wrote them: {}{}", error, _DAMAGED, consequence
        ) from error


def parts_of(path: Path) -> list[Path]:
    """The files of a table: itself, or the parts of a folder, in order."""
    return sorted(path.glob("part-*.parquet")) if path.is_dir() else [path]


def table_in(folder: Path, name: str, parts: int | None = None) -> pa.Table:
    """One table of a run folder, with the columns and types of its schema, and in its order.

    Args:
        folder, name: of the run, of the table.
        parts: how many the run wrote, where the table is a folder of parts.

    Raises:
        RunError: it is missing, damaged or another, or a part of it is
    """
    path = folder / f"{name}.parquet"
    files, schema = parts_of(path), TABLES[name]
    if path.is_dir() and len(files) != parts:
        raise RunError("{} holds {} parts, and the run wrote {}: {}", path, len(files), parts, _DAMAGED)
    tables = []
    for file in files:
        try:
            with pa.OSFile(os.fsencode(file)) as opened:
                found = _later(pq.read_table(opened), name)
            found.validate(full=True)
            tables.append(_typed(found, schema) if path.is_dir() else found)
            wrong = _unlike(tables[-1], schema)
        except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
            raise RunError("{} cannot be read ({}): {}", file, error, _DAMAGED) from error
        if wrong:
            raise RunError("{} is not as a run writes it ({}): {}", file, wrong, _DAMAGED)
    if not path.is_dir():
        return tables[0]
    whole = pa.concat_tables([_typed(table, schema, strict=True) for table in tables])
    if name not in _ORDER:
        return whole
    keys = {key: whole[key].cast(pa.large_string()) for key in _ORDER[name]}
    return whole.take(pc.sort_indices(pa.table(keys), [(key, "ascending") for key in keys]))


def _later(found: pa.Table, name: str) -> pa.Table:
    """The table with the columns that runs of older versions lack, as nulls, where its schema has them."""
    for column in LATER.get(name, ()):
        if column not in found.column_names:
            place = TABLES[name].get_field_index(column)
            found = found.add_column(
                place, TABLES[name].field(column), pa.nulls(len(found), TABLES[name].field(column).type)
            )
    return found


def _typed(part: pa.Table, schema: pa.Schema, *, strict: bool = False) -> pa.Table:
    """A part as Spark wrote it, in the types of the schema: Spark has no unsigned numbers, and everything may be null. `strict`:
    nothing may be null any more that the schema says may not be.
    """
    fields = []
    for field in part.schema:
        known = schema.field(field.name) if schema.get_field_index(field.name) >= 0 else field
        kind = field.type if field.name in IDS and pa.types.is_integer(field.type) else known.type
        fields.append(known.with_type(kind).with_nullable(known.nullable or not strict))
    return part.cast(pa.schema(fields))


def _unlike(found: pa.Table, schema: pa.Schema) -> str:
    """What is wrong with a table that should be of this schema; ids may be strings or whole numbers."""
    for field in schema:
        if found.column_names.count(field.name) != 1:
            return Message("not one column {!r}", field.name)
        column = found[field.name]
        kinds = (field.type, pa.int64()) if field.name in IDS else (field.type,)
        if not any(column.type.equals(kind) for kind in kinds):
            return f"column {field.name!r} is {column.type}"
        if not field.nullable and column.null_count:
            return Message("column {!r} has nulls", field.name)
        if field.name == "relation" and not pc.all(pc.is_in(column, pa.array(RELATIONS))).as_py() and len(column):
            return Message("an unknown relation")
        if field.name == "row" and len(column) and pc.min(column).as_py() < 0:
            return "a negative row"
    return _unlike_parts(found) if schema is FATES else ""


def _unlike_parts(found: pa.Table) -> str:
    """What is wrong with the column of parts, where there is one."""
    if PART not in found.column_names:
        return ""
    part = found[PART] if found.column_names.count(PART) == 1 else pa.nulls(1)
    right = pa.types.is_integer(part.type) and not part.null_count
    return "" if right else Message("column {!r} holds no numbers of parts", PART)
