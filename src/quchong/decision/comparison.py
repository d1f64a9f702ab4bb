"""Comparison of two documents, whoever read them: relation, measures, shared passages and differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from quchong.decision.differing import fact_names, looked_at
from quchong.decision.pairs import EQUAL
from quchong.decision.passages import find_passages, original
from quchong.findings import Difference, Passage
from quchong.languages import Language
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.parameters.truth_values import NoTruthValue
from quchong.relations import EXACT
from quchong.report import in_words
from quchong.seam import Documents, KeyJoin, Measures, Method, Spans
from quchong.similarity import UNSEEN
from quchong.text import Edit


@explains_arguments
@dataclass(frozen=True, slots=True)
class Comparison(NoTruthValue, SuggestsNames):
    """Result of comparing two texts: their relation, measures, shared passages and differences.

    Attributes:
        relation: of left to right, as a run over the two finds it; "none" below the floor, and for a pair that no run would compare.
        rule: the decision rule that gave the relation.
        relation_if_found: of a pair that a run would not compare, as the two have no key in common by which they would be found: the
            relation that their texts would have; None of all others.
        jaccard, containment_left, containment_right: exact counts; containment_left is the share of left in right.
        facts: the kinds of facts in which they conflict, in the order of `quchong.tables.FACTS`.
        measures: the other columns of PAIRS.
        passages: shared stretches in characters of both texts; start and end in left, survivor_* in right.
        differences: differing stretches, in characters of both texts; empty if the texts have little in common.
        texts: the compared texts, left and right; of a page its extracted text.
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "relation": "result label is_duplicate duplicate verdict kind is_copy",
            "jaccard": "similarity score ratio similarity_score",
            "passages": "matches shared overlap spans",
            "differences": "diff changes diffs",
        }
    )

    _ASKED = "comparison.relation != 'none', comparison.jaccard >= 0.8"
    _MEASURE = "comparison.jaccard"

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
    relation_if_found: str | None = None

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


@dataclass(frozen=True, slots=True)
class JoinOutcome:
    """Outcome of the join of a run over two documents.

    Attributes:
        found: True if they become a candidate pair.
        keys: number of distinct keys in common; None if the method does not join by keys.
    """

    found: bool
    keys: int | None = None

    @property
    def why_not(self) -> str:
        """Return the reason for which the two are no candidate pair, as the rule of a comparison."""
        return "too few keys in common" if self.keys else "no key in common" if self.keys == 0 else "no candidate pair"


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
        met: whether and by how many keys a run over the two finds the pair; None if the pair is equal or unscored.
    """

    comparison: Comparison
    method: Method
    documents: Documents
    measures: Measures
    same: bool
    unscored: bool
    met: JoinOutcome | None = None


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two documents to be compared.

    Attributes:
        documents: both, prepared, with the columns that the method needs; left first.
        texts: the original texts.
        edits: for each text that preparation changed, by 0 or 1, the map of offsets to the original.
        tokens: number of tokens of the shorter one.
        same: True if both are equal in normal form.
        unscored: True if one is too short to be compared beyond equality.
    """

    documents: Documents
    texts: tuple[str, str]
    edits: Mapping[int, Edit]
    tokens: int
    same: bool
    unscored: bool


def judge(
    method: Method, pair: TextPair, meet: Callable[[Documents], JoinOutcome], workers: int | None = None
) -> ComparedPair:
    """Compare two documents by a method with its statistics, as a run decides them: equality first, then the floor, then the rule.

    Args:
        meet: tells whether the method's join finds two documents.
    """
    a, b, both = np.array([0], np.uint32), np.array([1], np.uint32), np.arange(2)
    documents, same = pair.documents, pair.same
    left_out = not isinstance(method.candidates, KeyJoin) and pair.unscored
    met = None if same or left_out else meet(documents)
    measures, lists = dict(method.score(documents, a, b, workers)), None
    if same:
        relation, rule = EXACT, EQUAL
        measures |= dict.fromkeys(("jaccard", "containment_left", "containment_right"), np.ones(1))
    elif left_out:
        relation, rule = "none", "too short to be compared, except for equality"
    elif not method.rule.floor(measures)[0]:
        relation, rule = "none", "below the floor"
    else:
        measures, lists = looked_at(method, documents, a, b, measures, workers, pair.edits, both)
        relation, rule = (str(x[0]) for x in method.rule.decide(measures))
    # A run decides only pairs that its join finds.
    if_found = None
    if met is not None and not met.found and relation != "none":
        relation, rule, if_found = "none", met.why_not, relation
    # Find the shared passages, and lead them back from the prepared texts to the originals.
    places: tuple[Passage, ...] = ()
    if pair.tokens and (same or not left_out):
        tokens = np.array([pair.tokens], np.uint32)
        places = shared_passages(find_passages(method, documents, a, b, tokens, np.array([same]), workers), pair.edits)
    # Turn arrays of one value into plain values; the shares and facts have fields of their own.
    values = {k: v[0].item() for k, v in measures.items()}
    values["name_swap"] = None if values["name_swap"] == UNSEEN else values["name_swap"] == 1
    shares = (values.pop("jaccard"), values.pop("containment_left"), values.pop("containment_right"))
    values.pop("told", None)
    facts = tuple(fact_names(np.array([values.pop("facts", 0)], np.uint16))[0].as_py())
    listed = (lists[0].as_py() or []) if lists is not None else []
    differences = tuple(Difference(**one) for one in listed)
    found = Comparison(relation, rule, *shares, values, places, pair.texts, facts, differences, if_found)
    return ComparedPair(found, method, documents, measures, same, left_out, met)


def shared_passages(spans: Spans, edits: Mapping[int, Edit]) -> tuple[Passage, ...]:
    """Convert the spans of one pair of texts, 0 and 1, to passages in characters of the originals."""
    left, right = np.split(np.arange(2), 2)
    places = original(edits, left, right, spans.offsets, spans.places)
    return tuple(
        Passage(a, b, c, d, "exact" if exact else "near")
        for (a, b, c, d), exact in zip(places.tolist(), spans.exact.tolist(), strict=True)
    )
