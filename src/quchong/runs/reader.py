"""Checks the files of a run folder, which may be damaged or foreign."""

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
from quchong.io import Bad, FileBeneath, read_skipped
from quchong.languages import Message
from quchong.outputs import MANIFEST, is_folder_beneath, names_beneath, stands_beneath
from quchong.runs.manifest import DAMAGED
from quchong.tables import CLUSTERS, FATES, IDS, LEDGER, PAIRS, PART, RELATIONS

LATER = {"pairs": ("size_ratio",)}
"""Columns that were added to tables of runs; they may be null."""
TABLES = {"ledger": LEDGER, "pairs": PAIRS, "clusters": CLUSTERS, "documents": FATES}
"""The tables of a run folder by name."""
_ORDER = {"ledger": ("id",), "pairs": ("left_id", "right_id"), "clusters": ("id",)}
"""By which ids a table is sorted; documents stand in the order of the input."""

_ROWS_A_BYTE = 100
"""A table with more rows to the byte is none of a run: each row has an id or two."""


def encoding_of(manifest: Mapping[str, Any], file: str) -> str | None:
    """The encoding of a file of rows in a run folder, where its input was in another than UTF-8 or was said to be in one."""
    of = next((name for name, sides in manifest["files"].items() if file in sides.values()), None)
    return next((one.get("encoding") for one in manifest["inputs"] if one.get("name") == of), None)


@contextmanager
def own_files(folder: Path, names: Iterable[str | None], consequence: str = "") -> Iterator[list[FileBeneath]]:
    """Yields the files of rows that a run wrote, and turns what goes wrong in reading them into a RunError; `consequence` ends the
    message.

    Args:
        names: of the files in the folder; None for one that run.json does not name.

    Raises:
        RunError: one is missing, a link or no regular file, or cannot be read as the run wrote it.
    """
    files = []
    for name in names:
        if name is None:
            raise RunError("{} does not tell where the rows are: {}{}", folder / MANIFEST, DAMAGED, consequence)
        if not stands_beneath(folder, name):
            raise RunError("{}, which the run wrote, is gone: {}{}", folder / name, DAMAGED, consequence)
        files.append(FileBeneath(folder, name))
    try:
        yield files
    except InputError as error:
        raise RunError(
            "{}; the files of a run must stay as it wrote them: {}{}", error, DAMAGED, consequence
        ) from error


def skipped_in(folder: Path) -> list[Bad]:
    """The records that a run could not read: of one file, or of the parts that Spark writes.

    Raises:
        RunError: a file of them is damaged, a link or no regular file.
    """
    parts = [f"skipped/{one}" for one in names_beneath(folder, "skipped") if re.fullmatch(r"part-.*\.jsonl", one)]
    names = [name for name in ("skipped.jsonl", *parts) if stands_beneath(folder, name)]
    try:
        return [one for name in names for one in read_skipped(FileBeneath(folder, name))]
    except InputError as error:
        raise RunError("{}: {}", error, DAMAGED) from error


def parts_of(folder: Path, name: str) -> list[str]:
    """The files of a table by their names in the folder of the run: one, or the parts of a folder, in order.

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
    """One table of a run folder, with the columns and types of its schema, and in its order.

    Args:
        folder, name: of the run, of the table.
        parts: how many the run wrote, where the table is a folder of parts.

    Raises:
        RunError: it is missing, damaged or another, or a part of it is
    """
    files, schema = parts_of(folder, name), TABLES[name]
    split = files != [f"{name}.parquet"]
    if split and (not files or len(files) != parts):
        raise RunError(
            "{} holds {} parts, and the run wrote {}: {}", folder / f"{name}.parquet", len(files), parts, DAMAGED
        )
    tables = []
    for file in files:
        path = folder / file
        try:
            found = _later(read_part(folder, file), name)
            found.validate(full=True)
            tables.append(_typed(found, schema) if split else found)
            wrong = _unlike(tables[-1], schema)
        except (OSError, ValueError, pa.ArrowException, MemoryError) as error:
            raise RunError("{} cannot be read ({}): {}", path, reason_of(error), DAMAGED) from error
        if wrong:
            raise RunError("{} is not as a run writes it ({}): {}", path, wrong, DAMAGED)
    if not split:
        return tables[0]
    whole = pa.concat_tables([_typed(table, schema, strict=True) for table in tables])
    if name not in _ORDER:
        return whole
    keys = {key: whole[key].cast(pa.large_string()) for key in _ORDER[name]}
    return whole.take(pc.sort_indices(pa.table(keys), [(key, "ascending") for key in keys]))


def read_part(folder: Path, name: str) -> pa.Table:
    """A Parquet file of a run folder as it is, opened without following a link.

    Raises:
        RunError: it is a link, or no regular file.
        OSError, ValueError, ArrowException: it cannot be read.
    """
    file = FileBeneath(folder, name)
    size = file.about().st_size
    with file.native() as raw, pq.ParquetFile(raw) as opened:
        if opened.metadata.num_rows > 10_000 + _ROWS_A_BYTE * size:
            raise ValueError(f"{opened.metadata.num_rows:,} rows in {size:,} bytes")
        return opened.read()


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
