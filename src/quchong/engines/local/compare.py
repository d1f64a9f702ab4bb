"""Comparison of two documents without a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.decision.comparison import ComparedPair, Comparison, JoinOutcome, TextPair, judge, shared_passages
from quchong.differences.passage_alignment import align
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.joins import meet
from quchong.engines.local.scores import equal_texts
from quchong.errors import InputError, Param, UsageError
from quchong.findings import Passage
from quchong.io.source import Bad, Source
from quchong.languages import Stored
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import Documents, KeyJoin, Method, Spans, with_statistics
from quchong.text import Preparer, form

QUOTE = 12
"""Minimum length, in words or Chinese characters, of an equal stretch that is listed though it is too short to be aligned."""


def compare_documents(sources: Sequence[Source], plan: Plan) -> Comparison:
    """Compare two documents as a run over both would; a pair that such a run would miss gets the relation it would have.

    Both documents are read and prepared as in a run, with title, blocks, address and site. Statistics that the method counts on a
    corpus and was not given are counted on the two documents. Two texts too short to be compared beyond equality are "none" if a
    run would not compare them.

    Args:
        sources: sources that hold two documents in all, the left one first.
        plan: how the documents are read and scored; policy, relations and scope do not matter.

    Raises:
        InputError: a document cannot be read, or there are more or fewer than two.
        UsageError: as a run.
    """
    corpus = read_documents(sources, plan)
    if len(corpus) != 2:
        raise InputError("compare takes two documents, but {} were given: to compare more, use dedup", len(corpus))
    return compare_pair(corpus, plan, np.arange(2)).comparison


def read_documents(sources: Sequence[Source], plan: Plan) -> Corpus:
    """Read a few documents as a run reads them, and return them as a corpus.

    Raises:
        InputError: a document cannot be read.
    """
    bad = list[Bad]()
    corpus, _ = load(RunInputs(sources), plan, bad, Stages())
    if bad:
        text = str.__str__(bad[0].reason)
        reason = Stored(text.removeprefix(f"{Path(bad[0].source).name}: "))  # files name themselves
        raise InputError("{}: {}", bad[0].source, reason)
    return corpus


def compare_pair(corpus: Corpus, plan: Plan, both: np.ndarray, counted: Documents | None = None) -> ComparedPair:
    """Compare two documents of a corpus, given by their indices.

    Args:
        both: the indices of the two documents, left first.
        counted: the documents on which the method counts its statistics; None for the two documents themselves.
    """
    one, two = both[:1].astype(np.uint32), both[1:].astype(np.uint32)
    known = corpus.documents
    # Equal digests are confirmed by comparing the normal forms themselves.
    same = bool(known.same(one, two)[0] and equal_texts(corpus, plan, one, two)[0])
    method, documents = plan.method, corpus.take(both, plan.method.traits.needs)
    if counted is None:
        counted = documents.take(np.arange(1)) if same else documents
    left, right = texts_at(corpus, plan, both)
    edits = {i: corpus.edits[place] for i, place in enumerate(both.tolist()) if place in corpus.edits}
    pair = TextPair(
        documents, (left, right), edits, int(known.tokens[both].min()), same, bool(known.unscored[both].any())
    )
    fitted = with_statistics(method, counted, plan.workers)
    return judge(fitted, pair, partial(meet_two, fitted, workers=plan.workers), plan.workers)


def meet_two(method: Method, documents: Documents, workers: int | None = None) -> JoinOutcome:
    """Return whether two documents become a candidate pair in a run over both, with their common keys."""
    join = method.candidates
    if not isinstance(join, KeyJoin):
        return JoinOutcome(bool(len(meet(join, documents, workers=workers).left)))
    keys, limits = join.keys(method.represent(documents.texts, workers)), join.limits
    met = kernels.join.join_keys(
        keys.values, keys.offsets, size=keys.size, window=keys.window, cap=limits.cap, min_shared=limits.min_shared,
        share=limits.share, most=limits.most, workers=workers,
    )  # fmt: skip
    left, right = (keys.values[keys.offsets[i] : keys.offsets[i + 1]] for i in (0, 1))
    return JoinOutcome(bool(len(met.left)), len(np.intersect1d(left, right)))


def texts_at(corpus: Corpus, plan: Plan, places: np.ndarray) -> list[str]:
    """Return the original texts of the documents at these indices, read again from their sources."""
    rows = zip(corpus.source[places].tolist(), corpus.row[places].tolist(), strict=True)
    return [str(corpus.sources[s].fetch([row], plan.wanted_columns)["text"][0].as_py()) for s, row in rows]


def aligned(left: str, right: str, min_chars: int | None = None, workers: int | None = 1) -> tuple[Passage, ...]:
    """Return the passages that two texts share, copied or reworked, in the order of the left text.

    The search is that of `quchong.differences.passage_alignment`.

    The passages include equal stretches that are too short to be aligned but have QUOTE tokens or more. With `min_chars` they
    include all equal stretches of at least `min_chars` characters on both sides.
    """
    if min_chars is not None and min_chars < 1:
        raise UsageError("{} must be at least 1, got {}", Param("min_chars"), min_chars)
    prepared = Preparer().prepare(pa.array([left, right], pa.large_string()), 1)
    a, b = np.array([0]), np.array([1])
    wide = align(form(), prepared.texts, a, b, min_chars=min_chars, workers=workers)
    shortest = np.array([QUOTE if min_chars is None else 2], np.uint32)
    offsets, runs = kernels.align.passages(form(), prepared.texts, a, b, np.array([2], np.uint8), shortest, workers)
    found = list(shared_passages(wide, prepared.edits))
    for run in shared_passages(Spans.from_offsets(offsets, runs), prepared.edits):
        inside = any(p.start <= run.start and run.end <= p.end for p in found)
        if not inside and min(run.end - run.start, run.survivor_end - run.survivor_start) >= (min_chars or 0):
            found.append(run)
    return tuple(sorted(found, key=lambda p: (p.start, p.end, p.survivor_start)))
