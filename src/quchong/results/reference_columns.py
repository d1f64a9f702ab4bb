"""Columns of a reference corpus that has other names of columns than the data that is compared with it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quchong.errors import InputError
from quchong.io import Source, WantedColumns
from quchong.io.missing_columns import QUOTED, column_list
from quchong.io.nested.path import root_of
from quchong.io.renamed_columns import RenamedColumns, by_own_names
from quchong.io.usual_columns import usual_columns
from quchong.languages import Message, join_names
from quchong.plan.earlier_columns import Earlier
from quchong.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """Column names of a reference corpus that differ from those of the data.

    Attributes:
        names: its name of a column by the name in the data, without columns of the text.
        text: its columns of the text; () for those of the data.
    """

    names: Mapping[str, str]
    text: tuple[str, ...]

    def wanted_columns(self, wanted: WantedColumns) -> WantedColumns:
        """Return the wanted columns under the names that the reference has."""
        return by_own_names(wanted, self.names, self.text)


def own_columns(columns: Sequence[str], plan: Plan, earlier: Earlier, shown: object) -> OwnColumns:
    """Return the names that a reference corpus has for the columns of the data.

    A column of the very name is read as it is. Else it is the column that the run read whose kept rows these are, else the only one with
    a usual name. The text of a source with web pages is not looked for.

    Args:
        columns: names of the columns of the reference.
        plan: plan with the columns of the data.
        earlier: columns of the run whose kept rows the reference has.
        shown: file or other origin, for the error.

    Raises:
        InputError: several columns may be the text.
    """
    text: tuple[str, ...] = ()
    if not any(root_of(name) in columns for name in plan.text):
        text = _of_run("text", earlier, columns) or (() if plan.pages in columns else _usual_text(shown, columns))
    asked = {"id": plan.id, "time": plan.time_key, "source": plan.source_key}
    names: dict[str, str] = {}
    taken = {*(text or plan.text), *(name for name in asked.values() if name in columns)}
    for role, name in asked.items():
        if name is None or root_of(name) in columns:
            continue
        known = _of_run(role, earlier, columns)
        found = known or [one for one in usual_columns(role, columns) if one not in taken]
        if len(found) == 1:
            names[name] = found[0]
            taken.add(found[0])
    return OwnColumns(names, text)


def with_own_columns(source: Source, plan: Plan, runs: Mapping[Path, Earlier]) -> Source:
    """Return a source of a reference corpus that is read under its own column names (`own_columns`).

    One whose columns are not known before it is read is returned as it is.

    Args:
        plan: plan with the columns of the data.
        runs: columns of the earlier runs among the references, by folder.

    Raises:
        InputError: several columns may be the text.
    """
    columns = source.column_names()
    if not columns:
        return source
    earlier: Earlier = next((known for run, known in runs.items() if _lies_below(source.path, run)), {})
    own = own_columns(columns, plan, earlier, source.name)
    return RenamedColumns(source, own.names, own.text) if own.names or own.text else source


def columns_of_references(sources: Sequence[Source]) -> list[Message]:
    """Return a remark for each source of `with_own_columns` that is read by its own names of columns."""
    told = []
    for source in sources:
        if isinstance(source, RenamedColumns):
            names = [*source.text, *source.names.values()]
            told.append(
                Message("{}: its column names differ, so these columns are read: {}", source.name, join_names(names))
            )
    return told


def _lies_below(path: Path | None, folder: Path) -> bool:
    return path is not None and Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents


def _of_run(role: str, earlier: Earlier, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that an earlier run read for a role such as text, if the source has them."""
    known = earlier.get(role, ())
    return known if all(root_of(name) in columns for name in known) else ()


def _usual_text(shown: object, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the usual text column of a source; () if there is none, which reading reports."""
    found = usual_columns("text", columns)
    if len(found) > 1:
        raise InputError(
            "{}: each of these columns may be the text: {}; rename the right one to the name of the text column "
            "in the data, or to {}",
            shown, column_list(found), QUOTED.holding("text"),
        )  # fmt: skip
    return tuple(found)
