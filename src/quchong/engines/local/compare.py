"""Comparison of two documents without a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.decision.differing import fact_names, looked_at
from quchong.decision.pairs import EQUAL
from quchong.decision.passages import find_passages, original
from quchong.differences.passage_alignment import align
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.scores import equal_texts
from quchong.errors import InputError, Param, UsageError
from quchong.io.source import Bad, Source
from quchong.languages import Language
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.relations import EXACT
from quchong.report import Difference, Passage, in_words
from quchong.seam import Documents, KeyJoin, Measures, Method, Spans, with_statistics
from quchong.similarity import UNSEEN
from quchong.text import Edit, Preparer, form

QUOTE = 12
"""Minimum length, in words or Chinese characters, of an equal stretch that is listed though it is too short to be aligned."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of comparing two texts: their relation, measures, shared passages and differences.

    Attributes:
        relation: of left to right; "none" below the floor.
        rule: the decision rule that gave the relation.
        jaccard, containment_left, containment_right: exact counts; containment_left is the share of left in right.
        facts: the kinds of facts in which they conflict, in the order of `quchong.tables.FACTS`.
        measures: the other columns of PAIRS.
        passages: shared stretches in characters of both texts; start and end in left, survivor_* in right.
        differences: differing stretches, in characters of both texts; empty if the texts have little in common.
        texts: the compared texts, left and right; of a page its extracted text.
    """

    relation: str
    rule: str
    jaccard: float
    containment_left: float
    containment_right: float
    measures: dict[str, Any]
    passages: tuple[Passage, ...]
    texts: tuple[str, str] = field(repr=False)
    facts: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as a dictionary for JSON, without the texts."""
        out = asdict(self)
        del out["texts"]
        out["passages"] = [
            {
                "left_start": p.start,
                "left_end": p.end,
                "right_start": p.survivor_start,
                "right_end": p.survivor_end,
                "kind": p.kind,
            }
            for p in self.passages
        ]
        return out

    def differing(self, language: Language = "en") -> str:
        """Return the differences of the two texts in words, facts first, in the language "en" or "zh"; empty without differences.

        >>> import quchong
        >>> one = "云河市召开会议，共有2人参加，会议持续三天，讨论了城市轨道交通建设、教育改革和医疗保障等多个议题。"
        >>> print(quchong.compare(one, one.replace("2", "3")).differing())
        figure 2 → 3
        """
        return in_words(self.differences, language)


def compare_documents(sources: Sequence[Source], plan: Plan) -> Comparison:
    """Compare two documents exactly as a run over both would, even if that run would not make them a candidate pair.

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
        raise InputError("compare wants two documents, and there are {}: for more use dedup", len(corpus))
    return compare_pair(corpus, plan, np.arange(2)).comparison


def read_documents(sources: Sequence[Source], plan: Plan) -> Corpus:
    """Read a few documents as a run reads them, and return them as a corpus.

    Raises:
        InputError: a document cannot be read.
    """
    bad = list[Bad]()
    corpus, _ = load(sources, [], plan, bad, Stages())
    if bad:
        reason = bad[0].reason.removeprefix(f"{Path(bad[0].source).name}: ")  # files name themselves
        raise InputError("{}: {}", bad[0].source, reason)
    return corpus


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Comparison of one pair, with the fitted method and the measures that led to it.

    Attributes:
        comparison: the result.
        method: the method with the statistics that it counted.
        documents: the two documents, as the method sees them.
        measures: of the pair, one value each; without the measures of differences if the pair is equal, unscored or below the floor.
        same: True if the two texts are equal in normal form.
        unscored: True if a text is too short to be compared beyond equality.
    """

    comparison: Comparison
    method: Method
    documents: Documents
    measures: Measures
    same: bool
    unscored: bool


def compare_pair(corpus: Corpus, plan: Plan, both: np.ndarray, counted: Documents | None = None) -> ComparedPair:
    """Compare two documents of a corpus, given by their indices.

    Args:
        both: the indices of the two documents, left first.
        counted: the documents on which the method counts its statistics; None for the two documents themselves.
    """
    a, b = np.array([0], np.uint32), np.array([1], np.uint32)
    one, two = both[:1].astype(np.uint32), both[1:].astype(np.uint32)
    known = corpus.documents
    # Equal digests are confirmed by comparing the normal forms themselves.
    same = bool(known.same(one, two)[0] and equal_texts(corpus, plan, one, two)[0])
    method, documents = plan.method, corpus.take(both, plan.method.traits.needs)
    left_out = not isinstance(method.candidates, KeyJoin) and bool(known.unscored[both].any())
    if counted is None:
        counted = documents.take(np.arange(1)) if same else documents
    # Measure the pair, and decide as a run does: equality first, then the floor, then the method's own rule.
    method = with_statistics(method, counted, plan.workers)
    measures, lists = dict(method.score(documents, a, b, plan.workers)), None
    if same:
        relation, rule = EXACT, EQUAL
        measures |= dict.fromkeys(("jaccard", "containment_left", "containment_right"), np.ones(1))
    elif left_out:
        relation, rule = "none", "too short to be compared beyond equality"
    elif not method.rule.floor(measures)[0]:
        relation, rule = "none", "below the floor"
    else:
        measures, lists = looked_at(method, documents, a, b, measures, plan.workers, corpus.edits, both)
        relation, rule = (str(x[0]) for x in method.rule.decide(measures))
    # Find the shared passages, and lead them back from the prepared texts to the originals.
    tokens = known.tokens[both].min(keepdims=True).astype(np.uint32)
    places: tuple[Passage, ...] = ()
    if tokens[0] and (same or not left_out):
        spans = find_passages(method, documents, a, b, tokens, np.array([same]), plan.workers)
        places = _passages(spans, corpus.edits, both)
    # Turn arrays of one value into plain values; the shares and facts have fields of their own.
    values = {k: v[0].item() for k, v in measures.items()}
    values["name_swap"] = None if values["name_swap"] == UNSEEN else values["name_swap"] == 1
    shares = (values.pop("jaccard"), values.pop("containment_left"), values.pop("containment_right"))
    values.pop("told", None)
    facts = tuple(fact_names(np.array([values.pop("facts", 0)], np.uint16))[0].as_py())
    listed = (lists[0].as_py() or []) if lists is not None else []
    differences = tuple(Difference(**one) for one in listed)
    left, right = texts_at(corpus, plan, both)
    found = Comparison(relation, rule, *shares, values, places, (left, right), facts, differences)
    return ComparedPair(found, method, documents, measures, same, left_out)


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
    found = list(_passages(wide, prepared.edits))
    for run in _passages(Spans.of(offsets, runs), prepared.edits):
        inside = any(p.start <= run.start and run.end <= p.end for p in found)
        if not inside and min(run.end - run.start, run.survivor_end - run.survivor_start) >= (min_chars or 0):
            found.append(run)
    return tuple(sorted(found, key=lambda p: (p.start, p.end, p.survivor_start)))


def _passages(spans: Spans, edits: Mapping[int, Edit], both: np.ndarray | None = None) -> tuple[Passage, ...]:
    """Convert the spans of one pair of texts (0 and 1, or the indices in `both`) to passages in characters of the originals."""
    left, right = np.split(np.arange(2) if both is None else both, 2)
    places = original(edits, left, right, spans.offsets, spans.places)
    return tuple(
        Passage(a, b, c, d, "exact" if exact else "near")
        for (a, b, c, d), exact in zip(places.tolist(), spans.exact.tolist(), strict=True)
    )
