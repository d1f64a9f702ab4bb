"""Shadow of an index: a second method or setting whose answers are compared with those of the first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.engines.index.answers import Answer, Id
from quchong.engines.index.settings import Settings
from quchong.engines.index.stored import StoredIndex
from quchong.errors import UsageError
from quchong.parameters import parameters_of
from quchong.plan.plan import Plan
from quchong.plan.request import method_of

SHADOW = "shadow"
"""Folder of the second index within the first."""
LOG = "shadow.jsonl"
"""File with a line for each document that the two decide otherwise."""
EARLIER_LOG = "shadow-earlier.jsonl"
"""The log before: a log that has reached `MOST_LOGGED` bytes gets this name, and the one that had it is removed."""
MOST_LOGGED = 64 << 20


def shadow_plan(plan: Plan, given: Mapping[str, Any]) -> Plan:
    """Return the plan with the shadow's method or parameters.

    Raises:
        UsageError: there is no such method or parameter.
    """
    changes = dict(given)
    name = changes.pop("method", plan.method.name)
    known: dict[str, Any] = {}
    if name == plan.method.name:
        known = {one: getattr(plan.method, one) for one in parameters_of(type(plan.method)) if one != "statistics"}
    return replace(plan, method=method_of(name, {**known, **changes}))


class Shadow:
    """Second index over the same documents, in a folder within the first. What it lacks after an interruption is added when it is opened.

    Args:
        folder: folder of the first index.
        first: the first index, open.
    """

    def __init__(self, folder: Path, first: StoredIndex) -> None:
        self._first, self._log = first, folder / LOG
        self._replaced: list[StoredIndex] = []
        self.index = StoredIndex(folder / SHADOW, writable=first.writable, workers=first.reader.workers)
        if first.writable and self.index.count() != first.count():
            self._catch_up()

    def _catch_up(self) -> None:
        """Add the documents that only the first index has, and delete those that only the shadow has."""
        first, own = self._first, self.index
        for rows in first.catalogue.all_documents():
            there = own.finder.numbers_of([row.id for row in rows if row.id is not None])
            if lacking := [row for row in rows if row.id not in there]:
                own.add_again(lacking)
        own.delete(set(own.ids()).difference(first.ids()))

    def added(self, batch: pa.RecordBatch, answers: Sequence[Answer]) -> list[Answer]:
        """Add documents to the shadow; return the first index's answers with the shadow's added, and log a line for each difference."""
        return self._with_log(answers, self.index.add(batch, ids=[one.id for one in answers]))

    def queried(self, batch: pa.RecordBatch, answers: Sequence[Answer]) -> list[Answer]:
        """Return the answers of the first index with the shadow's answers added; log nothing."""
        self._follow_writer()
        others = self.index.query(batch)
        return [replace(one, shadow=replace(other, id=one.id)) for one, other in zip(answers, others, strict=True)]

    def _follow_writer(self) -> None:
        """Bring an index that is open for reading to the state that another process has written meanwhile."""
        if self.index.writable:
            return
        with self.index.lock:
            known = self.index
            if known.is_replaced() or not known.follow():
                self._replaced.append(known)
                self.index = StoredIndex(known.folder, writable=False, workers=known.workers)

    def replace(self, index: StoredIndex) -> None:
        """Replace the shadow by a rebuilt index; the old one stays open for readers until `close`."""
        self._replaced.append(self.index)
        self.index = index

    def delete(self, ids: Iterable[Id]) -> None:
        """Delete documents."""
        self.index.delete(ids)

    def _with_log(self, answers: Sequence[Answer], others: Sequence[Answer]) -> list[Answer]:
        out: list[Answer] = []
        lines: list[str] = []
        for one, other in zip(answers, others, strict=True):
            out.append(replace(one, shadow=other))
            if (one.removed, one.relation) != (other.removed, other.relation):
                lines.append(
                    json.dumps({"id": one.id, "first": _fate_of(one), "shadow": _fate_of(other)}, ensure_ascii=False)
                )
        if lines:
            if self._log.exists() and self._log.stat().st_size >= MOST_LOGGED:
                self._log.replace(self._log.with_name(EARLIER_LOG))
            with self._log.open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
        return out

    def close(self) -> None:
        """Close the second index."""
        for one in (self.index, *self._replaced):
            one.close()
        self._replaced.clear()


def check_shadow(settings: Settings) -> None:
    """Raise UsageError for a shadow of an index that keeps no texts, from which the second one could not be made again."""
    if settings.shadow and settings.store != "text":
        raise UsageError("a shadow needs the texts of documents: set store to text")


def _fate_of(answer: Answer) -> dict[str, Any]:
    return {
        "removed": answer.removed,
        "survivor_id": answer.survivor_id,
        "relation": answer.relation,
        "rule": answer.rule,
    }
