"""Inspection of documents by the method of an index: stored documents by id, and other texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quchong.api.comparison import one_source
from quchong.api.inspection import Inspection
from quchong.engines.index.joined_documents import columns_of
from quchong.engines.index.opening import readable
from quchong.engines.local.inspection import inspect_documents
from quchong.errors import UsageError
from quchong.outputs import local
from quchong.plan.request import method_of
from quchong.plan.sources import Spool
from quchong.seam import Method

if TYPE_CHECKING:
    from quchong.api.index import Index
    from quchong.engines.index.answers import Id


def inspect_indexed(
    index: Index, documents: Sequence[tuple[str, Id | None, str | Path]], method: str | Method | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Inspection:  # fmt: skip
    """Show what the method of an index sees in one or two documents, with the statistics of the index, and how it decides about two.

    Args:
        index: an open index.
        documents: of each its display name, and its id in the index or None for a document that is given: a text or a file.
        method, parameters: another method, or other parameters; what it counts on a corpus is then counted on these documents.

    Raises:
        UsageError: the index keeps no texts, or the method or a parameter is unknown.
        InputError: a document cannot be read.
    """
    stored = index._open
    plan = stored.settings.plan
    if method is not None or parameters:
        plan = replace(plan, method=method_of(plan.method.name if method is None else method, parameters or {}))
    plan = replace(plan, id=None, id_given=False)
    given = [document if id is None else _record(index, id, plan.text[0]) for _, id, document in documents]
    files = [one for one in given if isinstance(one, Path)]
    spool = Spool() if files else None
    sides = ("left", "right")[: len(given)]
    sources = [one_source(side, one, plan, spool) for side, one in zip(sides, given, strict=True)]
    return Inspection(inspect_documents(sources, plan, [name for name, _, _ in documents]), local(files))


def _record(index: Index, id: Id, key: str) -> dict[str, Any]:
    """Return a document of an index as a record: its text under the first text column, and its other columns."""
    text = index.text(id)
    if text is None:
        raise UsageError("the index stores no texts, so {!r} cannot be inspected: give its text", id)
    with readable(index.folder):
        return {**columns_of(index._open.row(id)), key: text}
