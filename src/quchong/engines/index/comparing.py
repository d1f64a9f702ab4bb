"""Comparison of documents with those found for them, as a run compares candidate pairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np

from quchong.decision.differing import examine_differences, fact_names, plain_differences
from quchong.decision.headers import looks_for_headers, rests_of_pairs
from quchong.decision.hypotheses import decided
from quchong.decision.pairs import EQUAL
from quchong.engines.index.document_store import StoredPair, unpacked_differences
from quchong.engines.index.frame_teller import FrameTeller
from quchong.engines.index.joined_documents import Together
from quchong.engines.index.told_later import DescribedOnce, DifferencesLater
from quchong.findings import Difference
from quchong.plan.plan import Plan
from quchong.relation_codes import code_of
from quchong.relations import EXACT
from quchong.seam import Differences, active_differences
from quchong.tables import FIELD, SAME_FIELDS
from quchong.text import Edit

RESTS = ("rest_left", "rest_right")
SHARES = ("containment_left", "containment_right")
"""Measures of a pair: the share of the left and of the right document that is found in the other."""
_PLAIN = itemgetter("kind", "conflict", "left", "right", "left_start", "left_end", "right_start", "right_end")
_TURNED = itemgetter("kind", "conflict", "right", "left", "right_start", "right_end", "left_start", "left_end")


@dataclass(frozen=True, slots=True)
class ComparedPairs:
    """Pairs at or above the floor, with relation, measures and differences.

    Attributes:
        left, right: int64, places in a list of documents; the left one has the smaller id.
        relation: uint8, codes of the relation of left to right. rule: object, name of the rule that gave each.
        measures: columns of PAIRS, by name.
        differences: for each pair its differences, which are described when they are looked at (`DifferencesLater`), or None.
    """

    left: np.ndarray
    right: np.ndarray
    relation: np.ndarray
    rule: np.ndarray
    measures: dict[str, np.ndarray]
    differences: list[Any]

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True)
class Comparer:
    """Comparison of pairs by the method of a plan.

    Attributes:
        plan: the plan, whose method has all statistics.
        headers: uint64, shingles of the headers that many documents of the corpus share, ascending; empty for none.
        workers: threads.
        reads_texts: False if the index keeps no texts: pairs are then decided by their shares alone, and no differences are found.
        teller: tells records on one template apart; None without templates.
    """

    plan: Plan
    headers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))
    workers: int | None = None
    reads_texts: bool = True
    teller: FrameTeller | None = None

    def compared(
        self, together: Together, left: np.ndarray, right: np.ndarray, equal: np.ndarray | None = None
    ) -> ComparedPairs:
        """Return the pairs that reach the floor, with relation, measures and differences.

        Args:
            together: the documents.
            left, right: int64, places in their list; of each pair the left one has the smaller id.
            equal: mask of the pairs of equal texts, which are exact copies; None for no such pairs.
        """
        method, documents, workers = self.plan.method, together.documents, self.workers
        one, other = left.astype(np.uint32), right.astype(np.uint32)
        if self.reads_texts and method.form is not None and active_differences(method) is not None:
            # Whose tokens differ is asked next: with their places kept, no text is normalised a second time.
            documents.tokenised(method.form, workers, places=True)
        return self.decided(together, left, right, dict(method.score(documents, one, other, workers)), equal)

    def decided(
        self, together: Together | None, left: np.ndarray, right: np.ndarray, measures: dict[str, np.ndarray],
        equal: np.ndarray | None = None,
    ) -> ComparedPairs:  # fmt: skip
        """Return the pairs that reach the floor by their measures, with relation and differences; arguments are those of `compared`."""
        method, workers = self.plan.method, self.workers
        one, other = left.astype(np.uint32), right.astype(np.uint32)
        equal = np.zeros(len(left), bool) if equal is None else equal
        listed = np.flatnonzero(method.rule.floor(measures) | equal)
        if not len(listed):
            return ComparedPairs(listed, listed, np.zeros(0, np.uint8), np.zeros(0, object), {}, [])
        left, right, one, other = left[listed], right[listed], one[listed], other[listed]
        measures = {name: values[listed] for name, values in measures.items()}
        told: list[Any] = [None] * len(left)
        if together is not None and self.reads_texts:
            documents = together.documents
            if looks_for_headers(method.rule):
                measures |= self._rests(documents, one, other, measures)
            if self.teller is not None:
                by_templates = self.teller.facts(documents, len(documents) - len(together.place), left, right)
                if by_templates.any():
                    measures["facts"] = by_templates & np.uint16(SAME_FIELDS)
            measures, found = examine_differences(method, documents, one, other, measures, workers)
            if found is not None:
                told = _told_later(found, together.edits, left, right)
            if self.teller is not None:
                apart = np.flatnonzero(by_templates & np.uint16(FIELD))
                measures = _told_apart(measures, apart)
                for k in apart.tolist():
                    told[k] = None
        relation, rule = decided(method.rule, measures)
        if (same := equal[listed]).any():
            relation[same], rule[same] = code_of(EXACT), EQUAL
            for name in ("jaccard", "containment_left", "containment_right"):
                measures[name] = np.where(same, 1.0, measures[name])
        return ComparedPairs(left, right, relation, rule, measures, told)

    def _rests(
        self, documents: Any, left: np.ndarray, right: np.ndarray, measures: dict[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        if not len(self.headers):
            return {name: np.full(len(left), np.nan) for name in RESTS}
        return rests_of_pairs(self.plan.method, documents, self.headers, left, right, measures, self.workers)


def _told_later(
    found: Differences, edits: dict[int, Edit], left: np.ndarray, right: np.ndarray
) -> list[DifferencesLater | None]:
    """Return for each pair its differences as a value that describes them on first use; None for pairs that were not examined."""
    once = DescribedOnce(lambda: plain_differences(found, found.told, edits, left, right))
    return [DifferencesLater(once, k) if some else None for k, some in enumerate(found.told.tolist())]


def _told_apart(measures: dict[str, np.ndarray], apart: np.ndarray) -> dict[str, np.ndarray]:
    """Return the measures in which the pairs `apart` are marked as records with different facts (`decision.templates.settled`)."""
    if not len(apart):
        return measures
    measures = dict(measures)
    for name, values in Differences.none(len(apart)).measures.items():
        measures[name] = measures[name].copy()
        measures[name][apart] = values
    measures["told"][apart], measures["facts"][apart] = True, FIELD
    return measures


@lru_cache(16)
def _described(told: str) -> np.dtype[Any]:
    """Return the NumPy type that a text of `MeasureCodec.describe` stands for."""
    return np.dtype([(str(a), str(b)) for a, b in json.loads(told)])


class MeasureCodec:
    """Codec between the measures of pairs and bytes; names and types are those of the first stored pair.

    Args:
        told: description that `describe` returned; None before any pair was stored.
    """

    def __init__(self, told: str | None = None) -> None:
        self.type: np.dtype[Any] | None = None if told is None else _described(told)

    def describe(self) -> str:
        """Return names and types as JSON."""
        assert self.type is not None
        return json.dumps([(name, self.type[name].str) for name in self.type.names or ()])

    def pack(self, measures: dict[str, np.ndarray]) -> list[bytes]:
        """Return the measures of each pair as bytes."""
        if self.type is None:
            self.type = np.dtype([(name, values.dtype.str) for name, values in measures.items()])
        out = np.empty(len(next(iter(measures.values()))), self.type)
        for name in self.type.names or ():
            out[name] = measures[name]
        return [row.tobytes() for row in out]

    def unpack(self, stored: list[bytes]) -> dict[str, np.ndarray]:
        """Return the measures of pairs from their stored bytes, by name.

        Raises:
            ValueError: the bytes are no measures.
        """
        if self.type is None:
            return {}
        rows = self._rows(stored)
        return {name: np.ascontiguousarray(rows[name]) for name in self.type.names or ()}

    def columns(self, stored: list[bytes], names: Sequence[str]) -> list[list[Any]]:
        """Return the measures `names` of pairs from their stored bytes, each as a list; zeros for a measure that was not stored.

        Raises:
            ValueError: the bytes are no measures.
        """
        rows = self._rows(stored)
        known = rows.dtype.names or ()
        return [rows[name].tolist() if name in known else [0] * len(stored) for name in names]

    def _rows(self, stored: list[bytes]) -> np.ndarray:
        if self.type is None:  # no pair was stored yet, or the index is damaged
            if stored:
                raise ValueError("the measures of pairs have no type")
            return np.zeros(0, [])
        size = self.type.itemsize
        if any(len(one) != size for one in stored):
            raise ValueError("measures of a pair are damaged")
        return np.frombuffer(b"".join(stored), self.type)


def stored_pairs(pairs: ComparedPairs, numbers: np.ndarray, codec: MeasureCodec) -> list[StoredPair]:
    """Return pairs as the catalogue stores them; `numbers` has the document number for each index in the pairs."""
    if not len(pairs):
        return []
    packed = codec.pack(pairs.measures)
    ends = zip(numbers[pairs.left].tolist(), numbers[pairs.right].tolist(), strict=True)
    return [
        StoredPair(a, b, relation, rule, measures, differences)
        for (a, b), relation, rule, measures, differences in zip(
            ends, pairs.relation.tolist(), pairs.rule.tolist(), packed, pairs.differences, strict=True
        )
    ]


def differences_of(told: bytes | DifferencesLater | None, *, turned: bool) -> tuple[Difference, ...] | DifferencesLater:
    """Return the differences of a pair, unpacked or described later; with `turned` left and right are exchanged."""
    if told is None:
        return ()
    if isinstance(told, DifferencesLater):
        return told.turned_if(turned=turned)
    values = _TURNED if turned else _PLAIN
    return tuple(Difference(*values(one)) for one in unpacked_differences(told))


@lru_cache(1024)
def names_of_facts(bits: int) -> tuple[str, ...]:
    """Return the names of the kinds of facts whose bits are set."""
    return tuple(fact_names(np.array([bits], np.uint16))[0].as_py())
