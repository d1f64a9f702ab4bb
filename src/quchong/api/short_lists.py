"""A short list without copies, in milliseconds: `distinct`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack

from quchong.api.public_calls import public
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.short_list import decide_rows
from quchong.errors import UsageError
from quchong.io import from_object
from quchong.io.data_advice import advice_on_data
from quchong.io.single_rows import check_no_row
from quchong.languages import Message
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.plan.catalogue import DEFAULT
from quchong.plan.column_choice import ColumnChoice
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.mistaken_data import check_no_file_names, content_advice
from quchong.plan.request import Body, EqualTexts, Roundups, Templated, make_plan
from quchong.relations import DEFAULT_REMOVED
from quchong.seam import Method


@explains_arguments
@dataclass(frozen=True, slots=True)
class RemovedRecord(SuggestsNames):
    """Record of a list that is a copy of another one.

    Attributes:
        position: its position in the list, from 0.
        survivor: position of the record that is kept instead; None if a filter removed it without naming one (two-stage without
            `confirm`).
        relation: its relation to that record: exact, duplicate, contained_in, and variant if these are removed.
    """

    position: int
    survivor: int | None
    relation: str


@explains_arguments
@dataclass(frozen=True, slots=True)
class DistinctRecords(SuggestsNames):
    """Decision on a list of records.

    Attributes:
        kept: positions of the records that are kept, ascending. Records without text are kept, because nothing is known of them.
        removed: the other records, by position.
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "kept": "unique result results texts records items kept_rows kept_texts to_list",
            "removed": "duplicates dropped removed_rows dups",
        }
    )
    _LOOPED = "found.kept, found.removed"

    kept: tuple[int, ...]
    removed: tuple[RemovedRecord, ...]

    def copies(self, position: int) -> list[RemovedRecord]:
        """Return the records that were removed for the record at a position; an empty list if there are none."""
        return [one for one in self.removed if one.survivor == position]


@public("tokens")
def distinct(
    records: Sequence[str | Mapping[str, Any]],
    *,
    method: str | Method = DEFAULT,
    keep: str | Iterable[str] | None = "first",
    relations: str | Iterable[str] = DEFAULT_REMOVED,
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    html: str | None = "html",
    body: Body = "main",
    within: str | None = None,
    per: str | None = None,
    same_site: bool = False,
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: str | Path | Sequence[str | Path] = (),
    templates: Templated = "keep",
    roundups: Roundups | None = None,
    exact: EqualTexts = "strict",
    keep_per_cluster: int = 1,
    workers: int | None = 1,
    storage_options: Mapping[str, Any] | None = None,
    **parameters: Unpack[MethodParameters],
) -> DistinctRecords:
    """Decide which records of a short list are kept, such as the hits of a search, as `dedup` does but in a fraction of the time.

    Only the decisions are made: no passages, no tables, no alarms, no measure of recall. The list is compared with itself alone. For
    documents that arrive one at a time use `Index`; for a corpus, or to see why a record was removed, use `dedup`.

    Args:
        records: texts (str) or records (dict) in memory.
        method, relations, text, id, time, source, html, body, within, per, same_site, strip, social, boilerplate, templates, roundups,
        exact, keep_per_cluster, storage_options (for files of lines that are not compared, and statistics), **parameters: as for `dedup`.
        keep: as for `dedup`; by default the record that comes first in the list, as hits are listed by rank. A record that is contained in
            a later one is removed for that.
        workers: threads; None for all processors. One is the fastest for a hundred records.

    Returns:
        Positions of the kept and of the removed records.

    Raises:
        UsageError: a parameter cannot be used, or `records` is no list of texts and records.
        InputError: no record has the text column.

    >>> import quchong as qc
    >>> opening = "The bridge opens in March, and drivers pay less toll."
    >>> hits = [opening, "Rain is expected in the north today.", opening.replace(",", "")]
    >>> found = qc.distinct(hits)
    >>> found.kept, found.copies(0)
    ((0, 1), [RemovedRecord(position=2, survivor=0, relation='exact')])
    """
    check_no_row(records)
    if not isinstance(records, list | tuple):
        remedy = Message("use {}", "dedup")
        if isinstance(records, Iterator | Set):
            remedy = Message("convert the data to a list: {}", "list(records)")
        elif records is None or isinstance(records, bytes):
            remedy = advice_on_data(records)
        elif isinstance(records, str) and (content := content_advice(records)) is not None:
            remedy = content
        raise UsageError("distinct() takes a list of texts or records, but got {}: {}", type(records).__name__, remedy)
    plan = make_plan(
        method=method, keep=keep, relations=relations, text=text, id=id, time=time, source=source, html=html, body=body,
        within=within, per=per, same_site=same_site, strip=strip, social=social, boilerplate=boilerplate, templates=templates,
        roundups=roundups, exact=exact, keep_per_cluster=keep_per_cluster, recall_sample=0, workers=workers, **parameters,
    )  # fmt: skip
    if not records:
        return DistinctRecords((), ())
    check_no_file_names(records)
    choice = ColumnChoice(plan)
    opened = from_object(list(records), plan.wanted_columns, plan.max_record, choice.choose)
    found = decide_rows(RunInputs([opened]), choice.plan)
    removed = tuple(RemovedRecord(one.row, one.survivor, one.relation) for one in found.removed)
    gone = {one.position for one in removed}
    return DistinctRecords(tuple(one for one in range(len(records)) if one not in gone), removed)
