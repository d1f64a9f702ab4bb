"""Reading of the files of a run folder, which may be damaged or foreign."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from quchong.errors import InputError, RunError, reason_of
from quchong.io import FileBeneath, read_skipped
from quchong.io.bad_records import BadRecords
from quchong.languages import Message
from quchong.outputs import MANIFEST, is_folder_beneath, names_beneath, stands_beneath
from quchong.patterns import lazy_pattern
from quchong.relations import RELATIONS
from quchong.runs.manifest import DAMAGED
from quchong.tables import CLUSTERS, FATES, IDS, LEDGER, PAIRS, PART, TEMPLATES

LATER = {"pairs": ("size_ratio", "rest_left", "rest_right")}
"""Columns that were added to tables of runs in later versions; they may be null."""
TABLES = {"ledger": LEDGER, "pairs": PAIRS, "clusters": CLUSTERS, "documents": FATES, "templates": TEMPLATES}
"""Schemas of the tables of a run folder by name."""
MAY_LACK = ("templates",)
"""Tables that earlier versions did not write; a run without one has no rows of it."""
_ORDER = {"ledger": ("id",), "pairs": ("left_id", "right_id"), "clusters": ("id",), "templates": ("template",)}
"""Id columns by which a table is sorted; documents are in the order of the input."""

PART_NAME = lazy_pattern(r"/part-\d+(?=\.)")
"""Name of a part in a folder of rows, without its suffix; run.json has a star in its place."""
_ROWS_A_BYTE = 100
"""Maximum rows per byte of a table. A run writes no table with more, because each row has an id or two."""


def encoding_of(manifest: Mapping[str, Any], file: str) -> str | None:
    """Return the encoding of a file of rows in a run folder if its input was in another than UTF-8 or an encoding was given, else None."""
    spelt = (file, PART_NAME.sub("/*", file))
    of = next((name for one in spelt for name, sides in manifest["files"].items() if one in sides.values()), None)
    return next((one.get("encoding") for one in manifest["inputs"] if one.get("name") == of), None)


@contextmanager
def own_files(folder: Path, names: Iterable[str | None], consequence: str = "") -> Iterator[list[FileBeneath]]:
    """Yield the files of rows that a run wrote, and turn errors in reading them into a RunError; `consequence` ends the message.

    Args:
        names: names of the files in the folder; None for one that run.json does not name.

    Raises:
        RunError: a file is missing, a link or no regular file, or cannot be read as the run wrote it.
    """
    files = []
    for name in names:
        if name is None:
            raise RunError("{} does not say which files have the rows: {}{}", folder / MANIFEST, DAMAGED, consequence)
        if not stands_beneath(folder, name):
            raise RunError("{}, which the run wrote, no longer exists: {}{}", folder / name, DAMAGED, consequence)
        files.append(FileBeneath(folder, name))
    try:
        yield files
    except InputError as error:
        raise RunError(
            "{}; the files of a run must not be changed after the run: {}{}", error, DAMAGED, consequence
        ) from error


def skipped_in(folder: Path) -> BadRecords:
    """Read the records that a run could not read, from one file or from the parts that Spark writes.

    Raises:
        RunError: a file of skipped records is damaged, a link or no regular file.
    """
    parts = [f"skipped/{one}" for one in names_beneath(folder, "skipped") if re.fullmatch(r"part-.*\.jsonl", one)]
    names = [name for name in ("skipped.jsonl", *parts) if stands_beneath(folder, name)]
    try:
        found = BadRecords()
        for name in names:
            found.extend(read_skipped(FileBeneath(folder, name)))
        return found
    except InputError as error:
        raise RunError("{}: {}", error, DAMAGED) from error


def parts_of(folder: Path, name: str) -> list[str]:
    """Return the names of the files of a table in the run folder: one file, or the parts of a folder in order.

    Raises:
        RunError: the folder is a link.
    """
    table = f"{name}.parquet"
    if not is_folder_beneath(folder, table):
        return [table]
    return [
        f"{table}/{one}" for one in names_beneath(folder, table) if one.startswith("part-") and one.endswith(".parquet")
    ]


def table_in(folder: Path, name: str, parts: int | None = None) -> pa.Table:
    """Read one table of a run folder, with the columns and types of its schema, and in its order.

    Args:
        folder, name: folder of the run, name of the table.
        parts: number of parts that the run wrote, if the table is a folder of parts.

    Raises:
        RunError: the table or a part of it is missing, damaged or of another schema.
    """
    files, schema = parts_of(folder, name), TABLES[name]
    if name in MAY_LACK and files == [f"{name}.parquet"] and not stands_beneath(folder, files[0]):
        return schema.empty_table()
    # A missing part would be a silent loss of rows, so their number must be that of the manifest.
    split = files != [f"{name}.parquet"]
    if split and (not files or len(files) != parts):
        raise RunError(
            "{} contains {} parts, but the run wrote {}: {}", folder / f"{name}.parquet", len(files), parts, DAMAGED
        )
    tables = []
    for file in files:
        path = folder / file
        try:
            # Full validation before any use: offsets in a damaged file may point anywhere.
            found = _later(read_part(folder, file), name)
            found.validate(full=True)
            tables.append(_typed(found, schema) if split else found)
            wrong = _unlike(tables[-1], schema)
        except (OSError, ValueError, pa.ArrowException, MemoryError) as error:
            raise RunError("{} cannot be read ({}): {}", path, reason_of(error), DAMAGED) from error
        if wrong:
            raise RunError("{} differs from what a run writes ({}): {}", path, wrong, DAMAGED)
    if not split:
        return tables[0]
    whole = pa.concat_tables([_typed(table, schema, strict=True) for table in tables])
    if name not in _ORDER:
        return whole
    # Parts of Spark are in no order; sort them as a local run does.
    keys = {key: whole[key].cast(pa.large_string()) if key in IDS else whole[key] for key in _ORDER[name]}
    return whole.take(pc.sort_indices(pa.table(keys), [(key, "ascending") for key in keys]))


def read_part(folder: Path, name: str) -> pa.Table:
    """Read a Parquet file of a run folder unchanged, opened without following a link.

    Raises:
        RunError: the file is a link, or no regular file.
        OSError, ValueError, ArrowException: the file cannot be read.
    """
    file = FileBeneath(folder, name)
    size = file.state().size
    with file.native() as raw, pq.ParquetFile(raw) as opened:
        if opened.metadata.num_rows > 10_000 + _ROWS_A_BYTE * size:
            raise ValueError(f"{opened.metadata.num_rows:,} rows in {size:,} bytes")
        return opened.read()


def _later(found: pa.Table, name: str) -> pa.Table:
    """Return a table with null columns added that runs of older versions lack."""
    for column in LATER.get(name, ()):
        if column not in found.column_names:
            place = TABLES[name].get_field_index(column)
            found = found.add_column(
                place, TABLES[name].field(column), pa.nulls(len(found), TABLES[name].field(column).type)
            )
    return found


def _typed(part: pa.Table, schema: pa.Schema, *, strict: bool = False) -> pa.Table:
    """Cast a part that Spark wrote to the types of the schema.

    Spark has no unsigned numbers, and all its columns may be null. If `strict`, nulls are refused where the schema
    refuses them.
    """
    fields = []
    for field in part.schema:
        known = schema.field(field.name) if schema.get_field_index(field.name) >= 0 else field
        kind = field.type if field.name in IDS and pa.types.is_integer(field.type) else known.type
        fields.append(known.with_type(kind).with_nullable(known.nullable or not strict))
    return part.cast(pa.schema(fields))


def _unlike(found: pa.Table, schema: pa.Schema) -> str:
    """Return the first deviation of a table from its schema, or ""; ids may be strings or whole numbers."""
    for field in schema:
        if found.column_names.count(field.name) != 1:
            return Message("there is no column {!r}, or several columns have this name", field.name)
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
    """Return the deviation of the column of parts, or "" if it is right or absent."""
    if PART not in found.column_names:
        return ""
    part = found[PART] if found.column_names.count(PART) == 1 else pa.nulls(1)
    right = pa.types.is_integer(part.type) and not part.null_count
    return "" if right else Message("column {!r} does not contain part numbers", PART)
