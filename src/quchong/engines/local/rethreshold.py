"""Decides a run again from its pairs, with other thresholds or relations and without its texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from quchong.decision.alarms import UNCONFIRMED
from quchong.decision.classes import find_classes, parted
from quchong.decision.clusters import clusters, counts
from quchong.decision.differing import FIGURES, looked_at
from quchong.decision.pairs import EQUAL, DocumentPairs, codes_of, from_table, to_table
from quchong.decision.survivors import Fate, fates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.ledger import ledger
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.scores import cut
from quchong.errors import UsageError
from quchong.plan.plan import Plan
from quchong.progress import Silent
from quchong.seam import Documents, Method
from quchong.similarity import UNSEEN, worth_aligning


def again(outcome: Outcome, plan: Plan) -> Outcome:
    """The same run under another plan that differs in thresholds or relations only.

    Its tables are those of a new run; of `minhash`, whose bands are chosen for the threshold, they hold no fewer pairs.

    Raises:
        UsageError: what the pairs at hand cannot tell, such as a threshold below the floor they were kept at.
    """
    check_again(outcome, plan)
    corpus = outcome.corpus
    pairs, fate = decided_again(outcome, plan, from_table(corpus.documents, outcome.pairs))
    table, pairs_table = ledger(corpus, plan, pairs, fate, Silent()), to_table(corpus.documents, pairs)
    return replace(
        outcome, plan=plan, fate=fate, pairs=pairs_table, ledger=table,
        clusters=clusters(corpus.documents, fate),
        counts=outcome.counts | counts(corpus.documents, fate, table, pairs_table) | {"pairs": len(pairs)}, recall=None,
        alarms=[a for a in outcome.alarms if a.kind == UNCONFIRMED],
    )  # fmt: skip


def check_again(outcome: Outcome, plan: Plan) -> None:
    """Raises UsageError where the pairs at hand cannot tell what a run under this plan would find."""
    check_method(outcome.plan.method, plan.method)


def check_method(found_by: Method, method: Method) -> None:
    """Raises UsageError where pairs found by one method cannot tell what another would find."""
    old, new = found_by.thresholds, method.thresholds
    if (
        new is not None
        and old is not None
        and (new.floor_jaccard < old.floor_jaccard or new.floor_containment < old.floor_containment)
    ):
        raise UsageError(
            "pairs were kept from Jaccard {} or containment {} on: a lower threshold needs a new run",
            old.floor_jaccard,
            old.floor_containment,
        )
    if why := found_by.lacks(method):
        raise UsageError("{}", why)


def decided_again(outcome: Outcome, plan: Plan, pairs: DocumentPairs) -> tuple[DocumentPairs, Fate]:
    """The pairs under a plan that passed `check_again`, those it lists, and what becomes of every document.

    Args:
        pairs: all pairs of the run; they stay as they are.

    Raises:
        UsageError: names have to be looked at in texts that are no longer at hand.
    """
    near = np.flatnonzero(pairs.rule != EQUAL)
    pairs = looked_where_decisive(outcome, plan, pairs)
    pairs = replace(pairs, relation=pairs.relation.copy(), rule=pairs.rule.copy())
    near_measures = {k: v[near] for k, v in pairs.measures.items()}
    relation, rule = plan.method.decide(near_measures)
    pairs.relation[near], pairs.rule[near] = codes_of(relation), rule
    stays = np.ones(len(pairs), bool)
    stays[near] = plan.method.above_floor(near_measures)
    pairs = pairs.where(stays)
    return pairs, fates(outcome.corpus.documents, pairs, plan.removing, outcome.fate.unconfirmed)


def looked_where_decisive(outcome: Outcome, plan: Plan, pairs: DocumentPairs) -> DocumentPairs:
    """The pairs with their names and differences looked at where that decides now: no threshold of the first run could call them copies
    then.

    Raises:
        UsageError: there are such pairs, and their texts are no longer at hand.
    """
    return _told(outcome, plan, _named(outcome.corpus, plan, pairs))


def _named(corpus: Corpus, plan: Plan, pairs: DocumentPairs) -> DocumentPairs:
    """The pairs with their names looked at where the decision hangs on them."""
    method, swap = plan.method, pairs.measures["name_swap"]
    unseen = np.flatnonzero((pairs.rule != EQUAL) & (swap == UNSEEN))
    here = {k: v[unseen] for k, v in pairs.measures.items()}
    here |= {"told": np.ones(len(unseen), bool)}
    answers = [method.decide(here | {"name_swap": np.full(len(unseen), s, np.int8)}) for s in (0, 1)]
    open_ = unseen[(answers[0][0] != answers[1][0]) | (answers[0][1] != answers[1][1])]
    if not len(open_):
        return pairs
    _check_at_hand(corpus, len(open_))
    swap = swap.copy()
    for piece, documents, a, b in _pieces(corpus, plan, pairs, open_):
        swap[piece] = method.score(documents, a, b, plan.workers)["name_swap"]
    return pairs.measured(name_swap=swap)


def _told(outcome: Outcome, plan: Plan, pairs: DocumentPairs) -> DocumentPairs:
    """The pairs with their differences told as a run under this plan tells them.

    What a run tells beside alignments that cover nearly all hangs on thresholds alone (`worth_aligning`): pairs are asked again
    where the two plans do not agree on that.
    """
    corpus, method, limits, before = outcome.corpus, plan.method, plan.method.thresholds, outcome.plan.method.thresholds
    if not method.tells_differences or limits is None or before is None:
        return pairs
    told = pairs.measures["told"]
    wanted, had = (worth_aligning(pairs.measures, some)[1] for some in (limits, before))
    open_ = np.flatnonzero((pairs.rule != EQUAL) & ((wanted & ~told) | (~wanted & had & told)))
    if not len(open_):
        return pairs
    if len(corpus.texts) != len(corpus):
        # Without texts what was told stays told, and what was not told may not decide.
        here = {k: v[open_] for k, v in pairs.measures.items()}
        answers = [method.decide(here | {"told": np.full(len(open_), s)}) for s in (False, True)]
        _check_at_hand(corpus, int((answers[0][0] != answers[1][0]).sum()))
        return pairs
    figures = {name: pairs.measures[name].copy() for name in (*FIGURES, "told")}
    lists, stand = pairs.differences, _standing(corpus, method)
    for piece, documents, a, b in _pieces(corpus, plan, pairs, open_):
        measures = {k: v[piece] for k, v in pairs.measures.items()}
        docs = np.unique(np.concatenate([pairs.left[piece], pairs.right[piece]]))
        made, found = looked_at(method, documents, a, b, measures, plan.workers, corpus.edits, docs)
        for name, values in figures.items():
            values[piece] = made[name]
        if lists is not None and found is not None:
            both = stand[pairs.left[piece]] & stand[pairs.right[piece]]
            lists = lists.replaced(piece[both], found.filter(pa.array(both)))
    return replace(pairs.measured(**figures), differences=lists)


def _standing(corpus: Corpus, method: Method) -> np.ndarray:
    """Mask of the documents that a run compares, each for all its exact copies: their differences are told, those of copies are not."""
    found = find_classes(corpus.documents, lambda left, right: np.ones(len(left), bool), 0)
    out = np.zeros(len(corpus), bool)
    out[parted(corpus.documents, corpus.columns, found, method.traits.needs).first] = True
    return out


def _check_at_hand(corpus: Corpus, some: int) -> None:
    """Raises UsageError where some pairs have to be looked at and the texts are no longer at hand."""
    if some and len(corpus.texts) != len(corpus):
        raise UsageError(
            "{:,} pairs are copies by these thresholds and were not by any when they were found, so that "
            "nobody looked whether their names or facts differ: that needs a new run",
            some,
        )


def _pieces(
    corpus: Corpus, plan: Plan, pairs: DocumentPairs, some: np.ndarray
) -> Iterator[tuple[np.ndarray, Documents, np.ndarray, np.ndarray]]:
    """Some pairs in pieces, each with its documents and where left and right stand among them."""
    for piece in cut(some, corpus.texts.bytes[pairs.left] + corpus.texts.bytes[pairs.right]):
        docs, index = np.unique(np.concatenate([pairs.left[piece], pairs.right[piece]]), return_inverse=True)
        a, b = index[: len(piece)].astype(np.uint32), index[len(piece) :].astype(np.uint32)
        yield piece, corpus.take(docs, plan.method.traits.needs), a, b
