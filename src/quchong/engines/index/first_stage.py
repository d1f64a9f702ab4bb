"""First stage of an index: the filter of a method that lasts, through which every text passes in the order of its arrival.

A filter is made anew from the texts at any time, so its file is no source of truth: what it lacks is passed again when it is opened. The
number of texts that passed is in the file, and is that of the first document that has not passed yet.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.index.arriving import Arrived
from quchong.engines.index.document_store import REMOVED, Row
from quchong.engines.index.finder import with_keys_of
from quchong.errors import InputError, Param, UsageError
from quchong.filters import Bloom, DigestSet, FirstSeenFilter
from quchong.filters.state_file import write_state
from quchong.kernels.arrays import Texts
from quchong.kernels.elements import element_digests
from quchong.outputs import OwnFolder, is_file_beneath
from quchong.plan.plan import Plan

FILTER, DIGESTS = "first-stage", "first-stage-digests"
"""Names of the files: the filter, and the exact digests that tell its wrong hits."""


class FirstStage:
    """First stage of a method that removes texts without confirmation: its filter, and the digests of all texts seen.

    A hit whose digest is new is a mistake of the filter. As in a run that document is removed without a survivor, and compared with none.

    Args:
        folder: folder of the generation. plan: the plan. workers: threads.
    """

    def __init__(self, folder: OwnFolder, plan: Plan, workers: int | None = None) -> None:
        self._folder, self._plan, self._workers = folder, plan, workers
        self._lock = threading.Lock()
        self._filter, self._known = (
            self._open_filter(FILTER, self._empty()),
            self._open_filter(DIGESTS, DigestSet(self._empty().form)),
        )
        self._copy: Any = None
        self._saved = min(self._filter.tested, self._known.tested)

    @staticmethod
    def needed(plan: Plan) -> bool:
        """Return True if a method has a first stage whose hits are not confirmed."""
        extras = plan.method.extras
        return extras.first_stage is not None and extras.unconfirmed is not None

    def _empty(self) -> Any:
        make = self._plan.method.extras.first_stage
        assert make is not None
        return make()

    def _open_filter(self, name: str, empty: Any) -> Any:
        """Return a filter loaded from its file; `empty` if there is none, or it is damaged or has other settings."""
        if is_file_beneath(self._folder.path, name):
            with contextlib.suppress(InputError, UsageError):
                found: FirstSeenFilter = type(empty).load(self._folder.path / name, empty.form)
                if found.settings() == empty.settings():
                    return found
        return empty

    @classmethod
    def damaged(cls, folder: OwnFolder, plan: Plan) -> list[str]:
        """Return the names of the files that cannot be read; those that are missing are made again."""
        first = cls(folder, plan)
        return [
            name
            for name, one in ((FILTER, first._filter), (DIGESTS, first._known))
            if name in folder.names() and not one.tested
        ]

    @property
    def passed(self) -> int:
        """Number of documents, from the first, whose texts passed both filter and digests."""
        return int(min(self._filter.tested, self._known.tested))

    @property
    def saved(self) -> int:
        """Number of documents whose texts had passed when the files were last written."""
        return int(self._saved)

    def catch_up(self, count: int, texts_of: Callable[[int, int], pa.Array | Texts], at_once: int = 4_096) -> None:
        """Pass the texts of documents that were added since, `at_once` at a time.

        Args:
            count: number of documents. texts_of: function that returns the prepared texts from one number to another, "" for those that
                are not there any more.
        """
        for one in (self._filter, self._known):
            while one.tested < count:
                start = one.tested
                one.seen_before(texts_of(start, min(count, start + at_once)), self._workers)

    def mistakes(self, texts: Texts) -> np.ndarray:
        """Pass texts through the filter; return a mask of those that it reports as seen although they are new."""
        with self._lock:
            hits = self._filter.seen_before(texts, self._workers)
            if self._copy is not None:
                self._copy.seen_before(texts, self._workers)
            wrong: np.ndarray = hits & ~self._known.seen_before(texts, self._workers)
        return wrong

    def would_mistake(self, texts: Texts) -> np.ndarray:
        """Return a mask of the texts that `mistakes` would mark, without adding the texts to the filter.

        A filter adds what it is asked for, so a copy is asked. It has all that the filter has, and what was asked before: a text that
        it does not report as seen was not seen. Else a new copy decides.

        Cost: that of the filter; for a text that the copy reports as seen a copy of the filter, and a look through the digests.
        """
        asked = element_digests(self._known.form, texts, self._workers)
        _, first, index = np.unique(
            np.stack([asked.high, asked.low], 1), axis=0, return_index=True, return_inverse=True
        )
        wrong: np.ndarray = self._ask(texts.take(first))[
            index.reshape(-1)
        ]  # equal ones are asked once, as each is asked by itself
        wrong &= np.asarray(asked.empty) == 0
        return wrong

    def _ask(self, texts: Texts) -> np.ndarray:
        """Return a mask of the distinct texts that the filter would wrongly report as seen, without adding them."""
        with self._lock:
            if self._copy is None or _slices(self._copy) != _slices(self._filter):
                self._copy = self._copied()
            hits: np.ndarray = self._copy.seen_before(texts, self._workers)
            if not hits.any():
                return hits
            self._copy = self._copied()
            hits = self._copy.seen_before(texts, self._workers)
            some = np.flatnonzero(hits)
            if len(some):
                hits[some] = ~self._is_known(texts.take(some))
        return hits

    def _copied(self) -> Any:
        return type(self._filter).from_state(self._filter.state(), "the filter", self._filter.form)

    def _is_known(self, texts: Texts) -> np.ndarray:
        """Return a mask of the texts whose digests are known, that is, which were seen before."""
        asked = element_digests(self._known.form, texts, self._workers)
        passed = np.asarray(self._known.state().sections[0], np.uint64).reshape(-1, 2)
        pairs = zip(asked.high.tolist(), asked.low.tolist(), strict=True)
        return np.array([bool((passed == np.array(pair, np.uint64)).all(1).any()) for pair in pairs], bool)

    def save(self) -> None:
        """Write the filter and the digests to files, each atomically."""
        with self._lock:
            if self.passed > self._saved:
                write_state(self._filter.state(), self._folder.path / FILTER, of_index=True)
                write_state(self._known.state(), self._folder.path / DIGESTS, of_index=True)
                self._saved = self.passed

    def rebuild(self, count: int, texts_of: Callable[[int, int], pa.Array | Texts]) -> None:
        """Rebuild filter and digests from the documents that are not deleted."""
        with self._lock:
            self._filter, self._known, self._saved = self._empty(), DigestSet(self._empty().form), -1
            self._copy = None
            self.catch_up(count, texts_of)
        self.save()


def _slices(one: Any) -> int:
    """Return the number of slices of a growing Bloom filter, 1 for other filters; filters of unequal growth cannot be compared."""
    return len(one.slice_counts) if isinstance(one, Bloom) else 1


def check_stage(plan: Plan, store: str) -> None:
    """Raise UsageError if a method has a filter that could not be made again, because no texts are stored."""
    if FirstStage.needed(plan) and store != "text":
        raise UsageError(
            "after a crash, the filter of {} is rebuilt from stored texts: use {} or {}",
            Param("stage1", method=True), Param("store", "text"), Param("confirm", True, method=True),
        )  # fmt: skip


def set_apart(arrived: Arrived, wrong: np.ndarray | None) -> Arrived:
    """Return documents of which those in the mask have no keys and equal no other document, so that they match nothing."""
    if wrong is None or not wrong.any():
        return arrived
    high, low = arrived.features.high.copy(), arrived.features.low.copy()
    chance = np.frombuffer(secrets.token_bytes(16 * len(arrived)), np.uint64)
    high[wrong], low[wrong] = chance[: len(arrived)][wrong], chance[len(arrived) :][wrong]
    return replace(
        arrived, features=replace(arrived.features, high=high, low=low), known=with_keys_of(arrived.known, ~wrong)
    )


def is_mistake(plan: Plan, row: Row) -> bool:
    """Return True if a document was removed because the filter wrongly reported it as seen."""
    return (
        row.state == REMOVED
        and row.survivor is None
        and row.rule is not None
        and row.rule == plan.method.extras.unconfirmed
    )
