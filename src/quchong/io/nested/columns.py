"""Columns of a run that are within the columns of a table: their types, what has to be read for them, and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from quchong.io.arrays import is_text, opened_type
from quchong.io.nested.arrays import LARGE, column_at, may_be_text, type_at
from quchong.io.nested.path import Step, parse_path
from quchong.io.nested.values import KINDS, Mismatched
from quchong.languages import Message

_COMPUTED = "\0"
"""Begins the names of computed columns, which no column of a file has."""
_REASONS = "\0reasons"


@dataclass(frozen=True, slots=True)
class _Inner:
    """Column to compute: its root, the steps to its values, whether they are texts, and its type."""

    root: str
    steps: tuple[Step, ...]
    as_text: bool
    type: pa.DataType


@dataclass(frozen=True, slots=True)
class NestedColumns:
    """Wanted columns that are no columns of a table: values within them, and texts of lists.

    Attributes:
        schema: schema of the table with these columns.
    """

    schema: pa.Schema
    _inner: Mapping[str, _Inner] = field(default_factory=dict)

    @classmethod
    def from_schema(cls, schema: pa.Schema, texts: Sequence[str], others: Sequence[str]) -> NestedColumns:
        """Find the wanted columns within those of a schema; a column of the very name is no such column, unless it is a list of texts.

        Args:
            texts: names of wanted texts.
            others: names of other wanted columns.
        """
        found: dict[str, _Inner] = {}
        names = set(schema.names)
        for name in dict.fromkeys([*texts, *others]):
            as_text = name in texts
            if name in names and not (parse_path(name) and pa.types.is_null(schema.field(name).type)):
                if as_text and schema.names.count(name) == 1 and _is_list_of_texts(schema.field(name).type):
                    found[name] = _Inner(name, (), True, LARGE)
                continue
            path = parse_path(name)
            if path is None or schema.names.count(path.root) != 1:
                continue
            kind = type_at(schema.field(path.root).type, path.steps)
            if kind is None:
                continue
            if (as_text and may_be_text(kind)) or (path.is_many and not as_text):
                kind = LARGE
            found[name] = _Inner(path.root, path.steps, as_text, opened_type(kind))
        if not found:
            return cls(schema)
        fields = [one.with_type(found[one.name].type) if one.name in found else one for one in schema]
        added = [pa.field(name, one.type) for name, one in found.items() if name not in names]
        return cls(pa.schema([*fields, *added], schema.metadata), found)

    def stored(self, present: Sequence[str]) -> tuple[str, ...]:
        """Return the stored columns needed for the wanted columns `present`, each once."""
        return tuple(dict.fromkeys(self._inner[name].root if name in self._inner else name for name in present))

    def column_name(self, name: str) -> str:
        """Return the name that a wanted column has in the batches of `computed`."""
        return _COMPUTED + name if name in self._inner else name

    def computed(self, batch: pa.RecordBatch, present: Sequence[str]) -> pa.RecordBatch:
        """Return a batch of the stored columns with the columns computed from them, and reasons of rows that cannot be read."""
        if not self._inner:
            return batch
        names, columns, reasons = list(batch.schema.names), list(batch.columns), dict[int, list[list[str]]]()
        for name in present:
            if name not in self._inner:
                continue
            one = self._inner[name]
            values, wrong = column_at(batch.column(one.root), one.steps, name, one.as_text)
            for row, error in wrong.items():
                reasons.setdefault(row, []).append(_written(name, error))
            names.append(self.column_name(name))
            columns.append(values if values.type == one.type else values.cast(one.type))
        if reasons:
            names.append(_REASONS)
            told = [reasons.get(row) for row in range(batch.num_rows)]
            columns.append(pa.array([None if one is None else orjson.dumps(one).decode() for one in told], pa.string()))
        return pa.RecordBatch.from_arrays(columns, names)


def original(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch of `NestedColumns.computed` with its stored columns only."""
    kept = [place for place, name in enumerate(batch.schema.names) if not name.startswith(_COMPUTED)]
    return batch if len(kept) == batch.num_columns else batch.select(kept)


def reasons_of(batch: pa.RecordBatch, names: Sequence[str]) -> dict[int, Message]:
    """Return by row the reasons why one of some columns cannot be read, from a batch of `NestedColumns.computed`."""
    place = batch.schema.get_field_index(_REASONS)
    if place < 0:
        return {}
    column, out = batch.column(place), dict[int, Message]()
    for row in np.flatnonzero(np.asarray(column.is_valid())).tolist():
        for name, shown, kind, wanted in orjson.loads(column[row].as_py()):
            if name in names:
                out.setdefault(row, _read(shown, kind, wanted))
    return out


_TYPES: Mapping[str, type[Any]] = {kind.__name__: kind for kind in KINDS}


def _written(name: str, error: Mismatched) -> list[str]:
    return [name, error.name, error.kind.__name__, error.wanted.__name__]


def _read(name: str, kind: str, wanted: str) -> Message:
    return Mismatched(name, _TYPES.get(kind, type(kind, (), {})), _TYPES[wanted]).reason


def _is_list_of_texts(kind: pa.DataType) -> bool:
    kind = opened_type(kind)
    return may_be_text(kind) and not (is_text(kind) or pa.types.is_null(kind))
