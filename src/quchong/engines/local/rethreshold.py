"""Decides a run again from its pairs, with other thresholds or relations and without its texts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from quchong.decision.alarms import UNCONFIRMED
from quchong.decision.classes import find_classes, parted
from quchong.decision.clusters import clusters, counts
from quchong.decision.differing import looks, removed_differences, worth_listing
from quchong.decision.pairs import EQUAL, DocumentPairs, codes_of, from_table, to_table
from quchong.decision.survivors import fates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.ledger import ledger
from quchong.engines.local.run import Outcome
from quchong.engines.local.scores import cut, equal_texts
from quchong.errors import UsageError
from quchong.plan.plan import Plan
from quchong.progress import Silent
from quchong.seam import KeyJoin
from quchong.similarity import UNSEEN
from quchong.tables import RELATIONS


def again(outcome: Outcome, plan: Plan) -> Outcome:
    """The same run under another plan that differs in thresholds or relations only.

    Its tables are those of a new run; of `minhash`, whose bands are chosen for the threshold, they hold no fewer pairs.

    Raises:
        UsageError: what the pairs at hand cannot tell, such as a threshold below the floor they were kept at.
    """
    new = plan.method.thresholds
    old = outcome.plan.method.thresholds
    if (
        new is not None
        and old is not None
        and (new.floor_jaccard < old.floor_jaccard or new.floor_containment < old.floor_containment)
    ):
        raise UsageError(
            f"pairs were kept from Jaccard {old.floor_jaccard} or containment {old.floor_containment} on: "
            "a lower threshold needs a new run"
        )
    if why := outcome.plan.method.lacks(plan.method):
        raise UsageError(why)
    corpus = outcome.corpus
    pairs = from_table(corpus.documents, outcome.pairs)
    near = np.flatnonzero(pairs.rule != EQUAL)
    pairs = _looked_at(corpus, plan, pairs, near)
    near_measures = {k: v[near] for k, v in pairs.measures.items()}
    relation, rule = plan.method.decide(near_measures)
    pairs.relation[near], pairs.rule[near] = codes_of(relation), rule
    stays = np.ones(len(pairs), bool)
    stays[near] = plan.method.above_floor(near_measures)
    pairs = _listed(corpus, plan, pairs.where(stays))
    fate = fates(corpus.documents, pairs, plan.removing, outcome.fate.unconfirmed)
    table, pairs_table = ledger(corpus, plan, pairs, fate, Silent()), to_table(corpus.documents, pairs)
    return replace(
        outcome, plan=plan, fate=fate, pairs=pairs_table, ledger=table,
        clusters=clusters(corpus.documents, fate),
        counts=outcome.counts | counts(corpus.documents, fate, table, pairs_table) | {"pairs": len(pairs)}, recall=None,
        alarms=[a for a in outcome.alarms if a.kind == UNCONFIRMED],
    )  # fmt: skip


def _looked_at(corpus: Corpus, plan: Plan, pairs: DocumentPairs, near: np.ndarray) -> DocumentPairs:
    """The pairs with their names looked at where that decides now: no threshold of the first run could call them copies then.

    Raises:
        UsageError: there are such pairs, and their texts are no longer at hand.
    """
    method, swap = plan.method, pairs.measures["name_swap"]
    unseen = near[swap[near] == UNSEEN]
    here = {k: v[unseen] for k, v in pairs.measures.items()}
    answers = [method.decide(here | {"name_swap": np.full(len(unseen), s, np.int8)}) for s in (0, 1)]
    open_ = unseen[(answers[0][0] != answers[1][0]) | (answers[0][1] != answers[1][1])]
    if not len(open_):
        return pairs
    if len(corpus.texts) != len(corpus):
        raise UsageError(
            f"{len(open_):,} pairs are copies by these thresholds and were not by any when they were found, so that nobody looked "
            "whether their names differ: that needs a new run"
        )
    swap = swap.copy()
    for piece in cut(open_, corpus.texts.bytes[pairs.left] + corpus.texts.bytes[pairs.right]):
        docs, index = np.unique(np.concatenate([pairs.left[piece], pairs.right[piece]]), return_inverse=True)
        a, b = index[: len(piece)].astype(np.uint32), index[len(piece) :].astype(np.uint32)
        swap[piece] = method.score(corpus.take(docs, method.traits.needs), a, b, plan.workers)["name_swap"]
    return pairs.measured(name_swap=swap)


def _listed(corpus: Corpus, plan: Plan, pairs: DocumentPairs) -> DocumentPairs:
    """The pairs with lists of what they differ in where a new run has them: looked for in the texts where none was worth listing
    then, and let go where none is now.

    Raises:
        UsageError: there are pairs to look at, and their texts are no longer at hand.
    """
    method, lists = plan.method, pairs.differences
    if lists is None or not looks(method) or not len(pairs):
        return pairs
    names, near = np.array(RELATIONS, object)[pairs.relation], pairs.rule != EQUAL
    worth = near & worth_listing(names, pairs.measures)
    null = lists.is_null().to_numpy(zero_copy_only=False)
    if (null & worth).any():
        heads = _compared(corpus, plan)
        open_ = np.flatnonzero(null & worth & heads[pairs.left] & heads[pairs.right])
    else:
        open_ = np.zeros(0, np.int64)
    parts, place = [lists], np.arange(len(pairs))
    place[open_] = len(pairs) + np.arange(len(open_))
    _at_hand(corpus, len(open_), "what they differ in was not listed")
    rank = corpus.documents.rank
    for piece in cut(open_, corpus.texts.bytes[pairs.left] + corpus.texts.bytes[pairs.right]):
        one, other = pairs.left[piece], pairs.right[piece]
        docs, index = np.unique(np.concatenate([one, other]), return_inverse=True)
        documents = corpus.take(docs, method.traits.needs)
        a, b = index[: len(piece)].astype(np.uint32), index[len(piece) :].astype(np.uint32)
        turn = rank[one] > rank[other]
        parts.append(removed_differences(method, documents, a, b, turn, plan.workers, corpus.edits, docs))
    whole = pa.concat_arrays(parts).take(pa.array(place, mask=~worth))
    return replace(pairs, differences=whole)


def _compared(corpus: Corpus, plan: Plan) -> np.ndarray:
    """Mask of the documents that a run compares: the first of each exact class."""
    join = plan.method.candidates
    classes = find_classes(corpus.documents, partial(equal_texts, corpus, plan), join.cap)
    if not isinstance(join, KeyJoin):
        classes = parted(corpus.documents, corpus.columns, classes, plan.method.traits.needs)
    mask = np.zeros(len(corpus), bool)
    mask[classes.first] = True
    return mask


def _at_hand(corpus: Corpus, pairs: int, why: str) -> None:
    """Raises UsageError where pairs are to be looked at and there are no texts."""
    if pairs and len(corpus.texts) != len(corpus):
        raise UsageError(
            f"{pairs:,} pairs are related in another way by these thresholds than by any when they were found, so that {why}: that "
            "needs a new run"
        )
