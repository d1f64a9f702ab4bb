"""Inspection of one or two documents: the features that a method sees, and every test on the way to its decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from quchong.decision.classes import find_classes, parted
from quchong.decision.comparison import Comparison, JoinOutcome
from quchong.engines.local.compare import compare_pair, read_documents, texts_at
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.scores import equal_texts
from quchong.errors import InputError
from quchong.io.source import Source
from quchong.methods.bases.join_sights import seen_by_join
from quchong.plan.plan import Plan
from quchong.seam import (
    Documents,
    Gate,
    Marks,
    Measures,
    Method,
    Sight,
    active_differences,
    settings_of,
    with_statistics,
)
from quchong.similarity.gates import floor_gates, relation_gates

MOST_CHARACTERS = 2_000_000
"""Maximum number of characters of a text that can be inspected; a longer file is taken for a corpus."""


@dataclass(frozen=True, slots=True)
class MethodSights:
    """Features that a method sees in one or two documents, and the tests of the pair.

    Attributes:
        method, parameters: name and settings of the method.
        names, texts: of the one or two documents; the original texts, before preparing.
        sights: features that the method sees, with offsets in characters of `texts`.
        gates: the tests of the pair, in their order; () for one document.
        comparison: the result, as `compare` returns it; None for one document.
        counted: "run" if frequencies and noise were counted by a run, "shown" if they were counted on these documents alone;
            None if the method counts nothing, or was given the counts.
    """

    method: str
    parameters: dict[str, Any]
    names: tuple[str, ...]
    texts: tuple[str, ...]
    sights: tuple[Sight, ...]
    gates: tuple[Gate, ...] = ()
    comparison: Comparison | None = None
    counted: str | None = None


def inspect_documents(sources: Sequence[Source], plan: Plan, names: Sequence[str]) -> MethodSights:
    """Inspect the documents of the sources, one or two in all, with the plan's method.

    Statistics that the method counts on a corpus and was not given are counted on these documents, as by `compare`.

    Raises:
        InputError: a document cannot be read; there are more than two documents, or none.
        UsageError: as a run.
    """
    corpus = read_documents(sources, plan)
    if not 1 <= len(corpus) <= 2:
        raise InputError(
            "inspect takes one or two documents, but the input has {}: give one or two files of a single text or page",
            len(corpus),
        )
    return inspect_places(corpus, plan, np.arange(len(corpus)), names)


def inspect_places(
    corpus: Corpus, plan: Plan, places: np.ndarray, names: Sequence[str], *, of_run: bool = False
) -> MethodSights:
    """Inspect one or two documents of a corpus, given by their indices, with the plan's method.

    Args:
        of_run: True if the plan's method has the statistics of a run (`counted_on`); otherwise they are counted on these documents.

    Raises:
        InputError: a text is longer than MOST_CHARACTERS.
    """
    for name, length in zip(names, corpus.texts.bytes[places].tolist(), strict=True):
        if length > 4 * MOST_CHARACTERS:
            raise InputError("{} has over {:,} characters, too many for inspect: shorten it", name, MOST_CHARACTERS)
    texts = tuple(texts_at(corpus, plan, places))
    counted = "shown" if _counts(plan.method) else "run" if of_run and _holds(plan.method) else None
    if len(places) == 1:
        documents = corpus.take(places, plan.method.traits.needs)
        method = with_statistics(plan.method, documents, plan.workers)
        sights = _led_back(_sights(method, documents, plan.workers), corpus, places)
        return MethodSights(method.name, settings_of(method), tuple(names), texts, sights, counted=counted)
    pair = compare_pair(corpus, plan, places)
    sights = _led_back(_sights(pair.method, pair.documents, plan.workers), corpus, places)
    gates = [Gate("equal", None, None, pair.same)]
    if pair.unscored and not pair.same:
        gates.append(Gate("compared", None, None, False))
    elif not pair.same:
        gates += _candidate_gate(pair.met)
        gates += _gates(pair.method, pair.documents, pair.measures, plan.workers)
    return MethodSights(
        pair.method.name, settings_of(pair.method), tuple(names), texts, sights, tuple(gates), pair.comparison, counted
    )


def _sights(method: Method, documents: Documents, workers: int | None) -> tuple[Sight, ...]:
    """Return the features that a method shows of documents; without such a display its candidate keys."""
    sights = method.extras.sights
    return seen_by_join(method, documents, workers) if sights is None else sights(documents, workers)


def _gates(method: Method, documents: Documents, measures: Measures, workers: int | None) -> tuple[Gate, ...]:
    """Return the tests of a pair's decision, those of the method or else of the default floor and rule."""
    gates, test = method.extras.gates, method.rule.test
    if gates is not None:
        return gates(documents, measures, workers)
    guards = active_differences(method) is not None
    return (*floor_gates(measures, test), *relation_gates(measures, test, guards=guards))


def _counts(method: Method) -> bool:
    """Return True if the method needs statistics that were not counted yet."""
    statistics = method.candidates.statistics
    return statistics is not None and statistics.count is not None


def _holds(method: Method) -> bool:
    """Return True if the method already has document frequencies or noise values."""
    statistics = method.candidates.statistics
    return statistics is not None and statistics.frozen is not None


def counted_on(corpus: Corpus, plan: Plan) -> Plan:
    """Return the plan with its method fitted as in a run: on one document of each exact class, without texts too short to score."""
    known, method = corpus.documents, plan.method
    classes = find_classes(known, partial(equal_texts, corpus, plan), method.candidates.cap)
    parts = parted(known, corpus.columns, classes, method.traits.needs)
    docs = parts.first[~known.unscored[parts.first]]
    return replace(plan, method=with_statistics(method, corpus.take(docs, method.traits.needs), plan.workers))


def _candidate_gate(met: JoinOutcome | None) -> tuple[Gate, ...]:
    """Return the test whether the two documents are a candidate pair, with their number of common keys; empty without a join result."""
    if met is None:
        return ()
    return (
        Gate("met", None, None, met.found) if met.keys is None else Gate("met.keys", float(met.keys), None, met.found),
    )


def _led_back(sights: Sequence[Sight], corpus: Corpus, places: np.ndarray) -> tuple[Sight, ...]:
    """Return the features with offsets converted from prepared texts to the original texts."""
    out: list[Sight] = []
    for sight in sights:
        if isinstance(sight, Marks) and any(int(p) in corpus.edits for p in places):
            where = sight.places.copy()
            for i, place in enumerate(places.tolist()):
                if (edit := corpus.edits.get(place)) is not None:
                    mine = sight.rows_of(i)
                    where[mine] = [edit.back(a, b) for a, b in where[mine].tolist()] or where[mine]
            sight = replace(sight, places=where)
        out.append(sight)
    return tuple(out)
