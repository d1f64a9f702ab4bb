"""Examination of differences only where they decide which documents are kept.

A document goes for a kept winner that accepts it, so the differences of a pair of two removed documents decide nothing. Which documents
are kept is known step by step: every pair whose differences are not examined yet is an open arc, which may turn out not to exist, and the
kernel tells which documents are kept, removed, or not known while arcs are open. In rounds, the open pairs that matter are examined.

The documents removed, their survivors and the pair of each are those of a run that examines every pair (docs/decisions/0151).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from quchong.candidates.nearest import places_among
from quchong.decision.classes import Classes
from quchong.decision.difference_lists import ChosenLists, Part
from quchong.decision.differing import fills_otherwise, says_the_same
from quchong.decision.documents import DocumentColumns, pair_codes
from quchong.decision.expansion import ClassPairs, document_pairs, numbers_of_lists
from quchong.decision.hypotheses import decided, possible_relations, relation_codes
from quchong.decision.roundups import Roundups, find_roundups
from quchong.decision.templates import settled
from quchong.kernels import graph
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import distinct, ordered
from quchong.plan.plan import Plan
from quchong.policy.survivors import arcs
from quchong.relation_codes import INSIDE, RANK, code_of, removing
from quchong.relations import EXACT, PARTIAL
from quchong.seam import Differences, Measures, active_differences, may_decide
from quchong.similarity.relations import rests_known
from quchong.tables import SAME_FIELDS, SAME_PAYLOAD, SHARED_HEADER

NO_RANK = np.uint8(255)
"""Rank of an arc that no outcome makes."""
EAGER = 4
"""Round from which pairs with documents of which nothing is known yet are examined too, so that chains of documents end soon."""


@dataclass(frozen=True, slots=True)
class Examined:
    """Result of examining pairs: their differences, and what these decide.

    Attributes:
        measures: `Differences.measures` of the pairs.
        lists: lists of DIFFERENCE of the pairs, in order, in several parts.
    """

    measures: Measures
    lists: Sequence[Part]


Examine = Callable[[np.ndarray], Examined]
"""Function that examines the differences of pairs of classes, given by their indices, int64 ascending."""


def examined_later(plan: Plan, measures: Measures) -> np.ndarray | None:
    """Return a mask of the pairs whose differences are examined after scoring because they may decide; None if all are examined at once."""
    steps = active_differences(plan.method)
    return None if plan.differences == "all" or steps is None else may_decide(steps, measures)


def examine_deciding(
    documents: DocumentColumns, plan: Plan, classes: Classes, parts: Classes, found: ClassPairs, examine: Examine,
    *, fates_only: bool = False,
) -> ClassPairs:  # fmt: skip
    """Examine the open pairs on which a document's fate depends; return the pairs with the results, of which fewer are open.

    Args:
        documents, plan, classes, parts, found: as in `expand`.
        examine: called several times, never twice for one pair.
        fates_only: True if it suffices to know who is removed for whom; pairs that are only told of stay open.

    Deterministic; the pairs examined of a connected component do not depend on other components.
    Cost: at most some fifteen rounds of O(document pairs).
    """
    if found.open is None or not found.open.any():
        return found
    state = _Examination(documents, plan, classes, parts, found, examine)
    state.examine(state.on_cycles())
    # (1) Until the fate of every document is known: each undecided one asks its best winners first, twice as many in each round.
    number = 0
    while len(arc := state.asked_by_undecided(1 << number, eager=number >= EAGER)):
        state.examine(state.unit[state.pair[arc]])
        number += 1
    # (2) Until the survivor of every removed document is known: no open pair with a kept winner may be better than the best examined one.
    number = 0
    while len(arc := state.better_survivors(1 << number)):
        state.examine(state.unit[state.pair[arc]])
        number += 1
    if fates_only:
        return state.found
    # (3) Documents that time protects are told as such: for that their containment must be known. What two kept documents are to each other
    # is reported, also where such a relation removes nothing.
    state.examine(state.protected_by_time())
    state.examine(state.both_kept())
    return state.found


def left_open(plan: Plan, measures: Measures, pairs: int) -> np.ndarray:
    """Return a mask of the pairs whose differences neither scoring nor templates have decided, so that they are to be examined.

    Args:
        measures: of the pairs. pairs: their number.
    """
    may = examined_later(plan, measures)
    if may is None:
        return np.zeros(pairs, bool)
    mask: np.ndarray = may & ~fills_otherwise(measures, pairs) & ~says_the_same(measures, pairs)
    return mask


def only_deciding(
    documents: DocumentColumns, plan: Plan, classes: Classes, parts: Classes, found: ClassPairs
) -> ClassPairs:
    """Return fully examined pairs with only those results kept that a run would have that examines deciding pairs alone.

    Args:
        documents, plan, classes, parts, found: as in `expand`.
    """
    n = len(found.left)
    same = says_the_same(found.measures, n)
    found = settled(settled(found, fills_otherwise(found.measures, n)), same, SAME_PAYLOAD)
    may = left_open(plan, found.measures, n)
    if not may.any():
        return found
    names, lists = Differences.none(0).measures, numbers_of_lists(found)
    measures = dict(found.measures)
    for name in names:
        known = found.measures[name] & np.uint16(SAME_FIELDS) if name == "facts" else 0
        measures[name] = np.where(may, known, found.measures[name]).astype(found.measures[name].dtype)
    hidden = replace(found, measures=measures, list_of=np.where(may, -1, lists), open=may)

    def examine(pairs: np.ndarray) -> Examined:
        known = ChosenLists(found.differences or (), lists[pairs], np.zeros(len(pairs), bool))
        return Examined({name: found.measures[name][pairs] for name in names}, [known.column()])

    return examine_deciding(documents, plan, classes, parts, hidden, examine)


def only_headers(plan: Plan, measures: Measures, some: np.ndarray) -> np.ndarray:
    """Return a mask over `some` (int64 indices of pairs): True for a pair that is near because of a shared header alone.

    Their differences are told where they are asked for (`quchong.decision.reexamination`): families with one header have very many such
    pairs, all between documents that are kept.
    """
    out = np.zeros(len(some), bool)
    if "rest_left" not in measures:
        return out
    known = np.flatnonzero(rests_known({name: measures[name][some] for name in ("rest_left", "rest_right")}))
    if not len(known):
        return out
    here = {name: values[some[known]] for name, values in measures.items()}
    known = known[decided(plan.method.rule, here)[1] == SHARED_HEADER]
    out[known] = possible_relations(plan, measures, some[known]) == 1 << code_of(PARTIAL)
    return out


def in_components(classes: int, found: ClassPairs, some: np.ndarray) -> np.ndarray:
    """Return a mask of the classes in a connected component of the pairs that has one of the classes of the mask `some`."""
    label = graph.components(classes, found.left, found.right)
    inside = np.zeros(classes, bool)
    inside[label[some]] = True
    mask: np.ndarray = inside[label]
    return mask


def with_answers(found: ClassPairs, pairs: np.ndarray, told: Examined) -> ClassPairs:
    """Return the pairs of classes, those at the indices `pairs` (int64) with the results `told` of an examination, and no longer open."""
    assert found.open is not None
    open_, lists = found.open.copy(), list(found.differences or ())
    list_of = numbers_of_lists(found).copy()
    measures = dict(found.measures)
    for name, values in told.measures.items():
        measures[name] = measures[name].copy()
        measures[name][pairs] = values
    list_of[pairs], open_[pairs] = sum(map(len, lists)) + np.arange(len(pairs)), False
    return replace(found, measures=measures, differences=[*lists, *told.lists], list_of=list_of, open=open_)


class _Examination:
    """State of an examination: which pairs of classes are open, and the arcs that they and the known pairs make possible."""

    def __init__(
        self,
        documents: DocumentColumns,
        plan: Plan,
        classes: Classes,
        parts: Classes,
        found: ClassPairs,
        examine: Examine,
    ) -> None:
        self.documents, self.plan, self._examine = documents, plan, examine
        self.found = found
        _, _, index, left, right = document_pairs(documents, classes, parts, found)
        equal = len(left) - len(index)
        # A pair of documents is oriented as its pair of classes here; `compared` drops those that no run compares.
        some = np.flatnonzero(documents.compared(left, right, plan.only_against))
        self.left, self.right = left[some], right[some]
        self.unit = np.concatenate([index, np.full(equal, -1)])[some]
        self.apart = np.append(fills_otherwise(found.measures, len(found.left)), False)[self.unit]
        self.roundups = self._roundups()
        self._make_arcs()
        self.component = graph.components(len(documents), self.loser, self.winner)
        self.fate = np.full(len(documents), graph.KEPT, np.uint8)
        self.fate[self.loser] = graph.UNDECIDED

    @property
    def open(self) -> np.ndarray:
        """Mask of the pairs of documents whose differences are still to be examined."""
        assert self.found.open is not None
        mask: np.ndarray = (self.unit >= 0) & self.found.open[self.unit]
        return mask

    def _roundups(self) -> Roundups | None:
        """Return the roundups, for which no original is removed; None if the plan lets roundups remove originals."""
        if self.plan.roundups == "whole":
            return None
        # The last value is that of exact pairs, whose unit is -1.
        share_left, share_right = (
            np.append(self.found.measures[f"containment_{side}"], 1.0)[self.unit] for side in ("left", "right")
        )
        rule, treatment = self.plan.method.rule, self.plan.roundups
        return find_roundups(
            self.documents, rule, treatment, self.left, self.right, share_left, share_right, self.apart
        )

    def _make_arcs(self) -> None:
        """List the arcs from loser to winner that each pair makes under some outcome, with the best rank it may have."""
        found, rule = self.found, self.plan.method.rule
        assert found.open is not None
        # Relations of each pair as bits by code: of an open pair all that it may have.
        unseen, waits = np.flatnonzero(found.open), self.open
        bits = np.left_shift(1, relation_codes(rule, found.measures)).astype(np.uint8)
        bits[unseen] = possible_relations(self.plan, found.measures, unseen)
        of_pair = np.where(self.unit >= 0, bits[self.unit], 1 << code_of(EXACT)).astype(np.uint8)
        # Of each pair, for its left document as the loser and for its right one: the best rank, and by which relations.
        best = np.full((2, len(self.left)), NO_RANK)
        by = np.zeros((2, len(self.left)), np.uint8)
        for code in np.flatnonzero(removing(self.plan.removing)).tolist():
            some = np.flatnonzero(of_pair & (1 << code))
            loser, _, pair, rank = self._arcs_of(some, np.full(len(some), code, np.uint8))
            side = (loser != self.left[pair]).astype(np.int64)
            best[side, pair] = np.minimum(best[side, pair], rank)
            by[side, pair] |= np.uint8(1 << code)
        side, self.pair = np.nonzero(best != NO_RANK)
        self.rank = best[side, self.pair]
        self.certain = waits[self.pair] & (by[side, self.pair] == of_pair[self.pair])
        self.loser, self.winner = self._ends(side == 0, self.pair)
        self.containment = self._containment(side == 0, self.pair)

    def _ends(self, left_loses: np.ndarray, pair: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the losing and the winning document of each arc, uint32."""
        left, right = self.left[pair], self.right[pair]
        return np.where(left_loses, left, right).astype(np.uint32), np.where(left_loses, right, left).astype(np.uint32)

    def _containment(self, left_loses: np.ndarray, pair: np.ndarray) -> np.ndarray:
        """Return for each arc the share of the loser's text that the winner contains; 1 for exact pairs."""
        unit, measures = self.unit[pair], self.found.measures
        share = np.where(left_loses, measures["containment_left"][unit], measures["containment_right"][unit])
        return np.where(unit >= 0, share, 1.0)

    def _arcs_of(self, some: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return loser, winner, pair and rank of the arcs of the pairs `some` with these relations."""
        documents, found = self.documents, self.roundups
        masks = (None, None) if found is None else (found.spared[some], found.turned[some])
        loser, winner, which = arcs(
            self.left[some], self.right[some], codes, documents.priority, frozenset(self.plan.removing),
            documents.reference, documents.preference.published, *masks,
        )  # fmt: skip
        free = ~documents.protected[loser] & ~self.apart[some[which]]
        if documents.apart is not None:
            free &= ~np.isin(pair_codes(loser, winner, len(documents)), documents.apart)
        return loser[free], winner[free], some[which[free]], RANK[codes[which[free]]]

    def examine(self, units: np.ndarray) -> None:
        """Examine the pairs of classes `units` that are still open, and close them."""
        found = self.found
        assert found.open is not None
        units = distinct(units[units >= 0])
        units = units[found.open[units]]
        if not len(units):
            return
        found = self.found = with_answers(found, units, self._examine(units))
        # Replace the possible arcs of these pairs by those they have.
        touched = np.zeros(len(found.left), bool)
        touched[units] = True
        mine = (self.unit >= 0) & touched[self.unit]
        some = np.flatnonzero(mine)
        place = np.zeros(len(found.left), np.int64)
        place[units] = np.arange(len(units))
        codes = relation_codes(self.plan.method.rule, {name: values[units] for name, values in found.measures.items()})
        loser, winner, pair, rank = self._arcs_of(some, codes[place[self.unit[some]]])
        keep = ~mine[self.pair]
        self.loser, self.winner = np.append(self.loser[keep], loser), np.append(self.winner[keep], winner)
        self.containment = np.append(self.containment[keep], self._containment(loser == self.left[pair], pair))
        self.pair, self.rank = np.append(self.pair[keep], pair), np.append(self.rank[keep], rank)
        self.certain = np.append(self.certain[keep], np.zeros(len(loser), bool))

    def on_cycles(self) -> np.ndarray:
        """Return the indices of the open pairs of classes whose two documents are on one cycle of possible arcs, int64.

        Among them are those of which either document may lose.
        """
        component = graph.strong_components(len(self.documents), self.loser, self.winner)
        inside = self.open[self.pair] & (component[self.loser] == component[self.winner])
        units: np.ndarray = self.unit[self.pair[inside]]
        return units

    def _decide(self) -> None:
        """Set the fate of each document: REMOVED, KEPT, or UNDECIDED while it depends on open arcs."""
        # Components that are decided are done with: the kernel is given the others, which are few after the first round.
        waits = np.zeros(len(self.fate), bool)
        waits[self.component[self.fate == graph.UNDECIDED]] = True
        some = np.flatnonzero(waits[self.component[self.loser]])
        docs = distinct(np.concatenate([self.loser[some], self.winner[some]]))
        place = np.zeros(len(self.documents), np.uint32)
        place[docs] = np.arange(len(docs))
        self.fate[waits[self.component]] = graph.KEPT  # also those whose last possible arc an examination took away
        documents = self.documents
        forced = (documents.protected | documents.reference)[docs].astype(np.uint8)
        unsure = (self.open[self.pair[some]] & ~self.certain[some]).astype(np.uint8)
        self.fate[docs] = graph.survivors(
            place[self.loser[some]], place[self.winner[some]], documents.priority[docs], forced, unsure
        )

    def asked_by_undecided(self, most: int, *, eager: bool) -> np.ndarray:
        """Return the arcs to examine next: for each undecided document at most `most` open arcs, to the best winners.

        Winners are kept documents; with `eager` also those of which nothing is known.
        """
        self._decide()
        open_ = self.open[self.pair] & (self.fate[self.loser] == graph.UNDECIDED)
        of_winner = self.fate[self.winner]
        able = of_winner != graph.REMOVED if eager else of_winner == graph.KEPT
        return self._best(np.flatnonzero(open_ & able), most)

    def better_survivors(self, most: int) -> np.ndarray:
        """Return the open arcs that may lead to better survivors, for each removed document at most `most`."""
        fate = self.fate
        able = np.flatnonzero((fate[self.loser] == graph.REMOVED) & (fate[self.winner] == graph.KEPT))
        able = able[self._by_preference(able)]
        # Of each document, the open arcs before its first known one.
        known = ~self.open[self.pair[able]]
        start = np.flatnonzero(first_of_runs(self.loser[able])) if len(able) else able
        counts = np.diff(np.append(start, len(able)))
        before = np.cumsum(known) - known
        ahead = ~known & (before == np.repeat(before[start], counts))
        return self._best(able[ahead], most)

    def _best(self, some: np.ndarray, most: int) -> np.ndarray:
        """Return for each loser at most `most` of the arcs `some`, the best first; int64 indices of arcs."""
        some = some[self._by_preference(some)]
        place, _ = places_among(np.arange(len(some)), self.loser[some])
        return some[place < most]

    def _by_preference(self, some: np.ndarray) -> np.ndarray:
        """Return the order of the arcs `some` by loser, then as survivors are chosen (`quchong.policy.survivors.decide`)."""
        winner = self.winner[some]
        return ordered(
            self.loser[some], self.rank[some], -self.containment[some], self.documents.priority[winner], winner
        )

    def both_kept(self) -> np.ndarray:
        """Return the indices of the open pairs of classes with two kept documents, int64, without those near by a shared header alone."""
        kept = self.fate == graph.KEPT
        units = distinct(self.unit[self.open & kept[self.left] & kept[self.right]])
        asked: np.ndarray = units[~only_headers(self.plan, self.found.measures, units)]
        return asked

    def protected_by_time(self) -> np.ndarray:
        """Return the indices of the open pairs of classes in which a kept document may be contained in a later one, int64."""
        documents = self.documents
        published, found = documents.preference.published, self.found
        assert found.open is not None
        if published is None or not found.open.any():
            return np.zeros(0, np.int64)
        units = np.flatnonzero(found.open)
        which = np.where(removing(self.plan.relations), INSIDE, 0)
        possible = possible_relations(self.plan, found.measures, units)
        left_in, right_in = (
            (possible & int(np.left_shift(1, np.flatnonzero(which == side)).sum())) != 0 for side in (1, -1)
        )
        place = np.full(len(found.left), -1)
        place[units] = np.arange(len(units))
        some = np.flatnonzero(self.open)
        kept = self.fate == graph.KEPT
        out = [np.zeros(0, np.int64)]
        for mask, inside, outside in (
            (left_in, self.left[some], self.right[some]),
            (right_in, self.right[some], self.left[some]),
        ):
            asked = mask[place[self.unit[some]]] & kept[inside] & (published[inside] < published[outside])
            out.append(self.unit[some[asked & ~documents.reference[outside]]])
        return np.concatenate(out)
