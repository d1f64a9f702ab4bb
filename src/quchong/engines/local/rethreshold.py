"""Decides a run again from its pairs, with other thresholds or relations and without its texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quchong.decision.alarms import UNCONFIRMED
from quchong.decision.clusters import clusters, counts
from quchong.decision.pairs import EQUAL, DocumentPairs, codes_of, from_table, to_table
from quchong.decision.survivors import Fate, fates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.ledger import ledger
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.scores import cut
from quchong.errors import UsageError
from quchong.plan.plan import Plan
from quchong.progress import Silent
from quchong.seam import Method
from quchong.similarity import UNSEEN


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
    pairs = named_where_decisive(outcome.corpus, plan, pairs)
    pairs = replace(pairs, relation=pairs.relation.copy(), rule=pairs.rule.copy())
    near_measures = {k: v[near] for k, v in pairs.measures.items()}
    relation, rule = plan.method.decide(near_measures)
    pairs.relation[near], pairs.rule[near] = codes_of(relation), rule
    stays = np.ones(len(pairs), bool)
    stays[near] = plan.method.above_floor(near_measures)
    pairs = pairs.where(stays)
    return pairs, fates(outcome.corpus.documents, pairs, plan.removing, outcome.fate.unconfirmed)


def named_where_decisive(corpus: Corpus, plan: Plan, pairs: DocumentPairs) -> DocumentPairs:
    """The pairs with their names looked at where that decides now: no threshold of the first run could call them copies then.

    Raises:
        UsageError: there are such pairs, and their texts are no longer at hand.
    """
    method, swap = plan.method, pairs.measures["name_swap"]
    unseen = np.flatnonzero((pairs.rule != EQUAL) & (swap == UNSEEN))
    here = {k: v[unseen] for k, v in pairs.measures.items()}
    answers = [method.decide(here | {"name_swap": np.full(len(unseen), s, np.int8)}) for s in (0, 1)]
    open_ = unseen[(answers[0][0] != answers[1][0]) | (answers[0][1] != answers[1][1])]
    if not len(open_):
        return pairs
    if len(corpus.texts) != len(corpus):
        raise UsageError(
            "{:,} pairs are copies by these thresholds and were not by any when they were found, so that "
            "nobody looked whether their names differ: that needs a new run",
            len(open_),
        )
    swap = swap.copy()
    for piece in cut(open_, corpus.texts.bytes[pairs.left] + corpus.texts.bytes[pairs.right]):
        docs, index = np.unique(np.concatenate([pairs.left[piece], pairs.right[piece]]), return_inverse=True)
        a, b = index[: len(piece)].astype(np.uint32), index[len(piece) :].astype(np.uint32)
        swap[piece] = method.score(corpus.take(docs, method.traits.needs), a, b, plan.workers)["name_swap"]
    return pairs.measured(name_swap=swap)
