"""Choice of columns by usual names, when the columns of the data are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from quchong.io.columnar.ipc import SPLIT
from quchong.io.missing_columns import no_columns, several_texts
from quchong.io.nested.path import root_of
from quchong.io.source import Source, WantedColumns
from quchong.io.usual_columns import usual_columns
from quchong.languages import Message
from quchong.plan.columns_found import FoundColumns
from quchong.plan.earlier_columns import Earlier
from quchong.plan.plan import Plan

SITE, URL = "site", "url"
"""Columns of sites and addresses; a missing site is read from the address of the record."""
TEXTS = ".txt"
"""Suffix of a source in which each document is a file."""
_DATA = Message("the data given")


def with_usual_columns(
    plan: Plan, columns: Sequence[str], shown: object = _DATA, earlier: Earlier = MappingProxyType({})
) -> Plan:
    """Return the plan with usual column names in place of our names that the data lacks; unchanged if columns are named.

    A text is not looked for where the data has the column of web pages. The plan's `columns_found` says what was found. A column that
    the run read whose rows these are goes before usual names.

    Args:
        plan: the plan as it was asked for.
        shown: file or other origin of the data, for the error.
        columns: names of all columns of the data; nothing is looked for if there are none, or if the plan has found columns.
        earlier: columns of the runs whose folders the data are.

    Raises:
        InputError: two columns may be the text.
    """
    if not len(columns) or plan.columns_found != FoundColumns():
        return plan
    found: dict[str, str] = {}
    unsure: dict[str, tuple[str, ...]] = {}
    taken = {*plan.text, plan.id, plan.time_key, plan.source_key}
    for name, asked in (("text", plan.text), ("id", plan.id), ("time", plan.time_key), ("source", plan.source_key)):
        if asked not in (name, (name,)) or name in columns or (name == "text" and plan.html in columns):
            continue
        known = earlier.get(name, ())
        if len(known) == 1 and known[0] not in taken and root_of(known[0]) in columns:
            found[name] = known[0]
            continue
        usual = [column for column in usual_columns(name, columns) if column not in taken]
        if len(usual) > 1 and name == "text":
            raise several_texts(shown, usual)
        if not usual:
            usual = [column for column in _instead(name, columns) if column not in taken]
        if len(usual) == 1:
            found[name] = usual[0]
        elif usual:
            unsure[name] = tuple(usual)
    if not found and not unsure:
        return plan
    return replace(
        plan,
        text=(found["text"],) if "text" in found else plan.text,
        id=found.get("id", plan.id),
        time_key=found.get("time", plan.time_key),
        source_key=SITE if found.get("source") == URL else found.get("source", plan.source_key),
        columns_found=FoundColumns(tuple(found.items()), tuple(unsure.items())),
    )


def _instead(name: str, columns: Sequence[str]) -> Sequence[str]:
    """Return the columns that may stand in for a column without a usual name: split or site as source, url as id."""
    order = {"source": (SPLIT, URL), "id": (URL,)}.get(name, ())
    return [column for column in order if column in columns][:1]


def check_needs_columns(plan: Plan, sources: Sequence[Source]) -> None:
    """Raise UsageError if the plan names a column of text, page or id, and all sources are files of text or pages, without columns."""
    if all(source.suffix == TEXTS for source in sources):
        check_unnamed(plan, [source.name for source in sources])


def check_unnamed(plan: Plan, texts: Sequence[str]) -> None:
    """Raise UsageError if the plan names a column of text, page or id; the documents are files of text or pages, without columns.

    Args:
        texts: names of the sources of these files; nothing is raised if there are none.
    """
    named = (("text", plan.text != ("text",)), ("html", plan.html not in (None, "html")), ("id", plan.id_given))
    for parameter, is_named in named:
        if texts and is_named:
            raise no_columns(parameter, texts[0])


class ColumnChoice:
    """Plan whose columns are chosen when the columns of the data are known.

    Args:
        plan: the plan as it was asked for.
        shown: file or other origin of the data, for errors.
        earlier: columns of the runs whose folders the data are (`quchong.plan.earlier_columns`).

    Attributes:
        plan: the plan as it was asked for; once `choose` was called, with the columns found.
    """

    def __init__(self, plan: Plan, shown: object = _DATA, earlier: Earlier = MappingProxyType({})) -> None:
        self.plan, self._shown, self._earlier = plan, shown, earlier

    def choose(self, columns: Sequence[str]) -> WantedColumns:
        """Choose among the columns of the data; return those that the plan reads."""
        self.plan = with_usual_columns(self.plan, columns, self._shown, self._earlier)
        return self.plan.wanted_columns
