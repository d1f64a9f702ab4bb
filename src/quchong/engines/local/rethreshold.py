"""Decides a run again from its pairs, with other thresholds or relations and without its texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from quchong.decision.alarms import UNCONFIRMED
from quchong.engines.local.candidates import cut
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.ledger import clusters, ledger
from quchong.engines.local.pairs import DocumentPairs, codes_of, fates, to_table
from quchong.engines.local.run import Outcome
from quchong.errors import UsageError
from quchong.plan.plan import Plan
from quchong.progress import Silent
from quchong.similarity import UNSEEN
from quchong.tables import PAIRS

_MEASURED = [f.name for f in PAIRS if f.name not in ("left_id", "right_id", "relation", "rule")]


def from_table(table: pa.Table, index: dict[str, int]) -> DocumentPairs:
    """Pairs of a saved table; `index` gives each id's document."""
    left = np.array([index[i] for i in table["left_id"].to_pylist()], np.int64)
    right = np.array([index[i] for i in table["right_id"].to_pylist()], np.int64)
    measures = {
        name: table[name].to_numpy() for name in _MEASURED if name in table.column_names and name != "name_swap"
    }
    measures["name_swap"] = table["name_swap"].cast(pa.int8()).fill_null(UNSEEN).to_numpy()
    relation = np.array(table["relation"].to_pylist(), object)
    return DocumentPairs(left, right, codes_of(relation), np.array(table["rule"].to_pylist(), object), measures)


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
    before = outcome.plan.method
    if why := before.lacks(plan.method):
        raise UsageError(why)
    asked = plan.method.settings().get("threshold")
    if asked is not None and asked < outcome.plan.method.complete_from:
        raise UsageError(
            f"candidates were looked for from Jaccard {outcome.plan.method.complete_from} on: "
            f"a threshold of {asked} needs a new run"
        )
    corpus = outcome.corpus
    index = {name: i for i, name in enumerate(corpus.named(np.arange(len(corpus))).to_pylist())}
    pairs = from_table(outcome.pairs, index)
    near = np.flatnonzero(pairs.rule != "equal normal form")
    pairs = _looked_at(corpus, plan, pairs, near)
    near_measures = {k: v[near] for k, v in pairs.measures.items()}
    relation, rule = plan.method.decide(near_measures)
    codes, rules = pairs.relation.copy(), pairs.rule.copy()
    codes[near], rules[near] = codes_of(relation), rule
    stays = np.ones(len(pairs), bool)
    stays[near] = plan.method.above_floor(near_measures)
    pairs = DocumentPairs(
        pairs.left[stays],
        pairs.right[stays],
        codes[stays],
        rules[stays],
        {k: v[stays] for k, v in pairs.measures.items()},
    )
    reference = np.arange(len(corpus)) < corpus.references
    preference = plan.policy.preference(corpus.columns, corpus.features.tokens)
    fate = fates(
        pairs, outcome.priority, reference, outcome.protected, plan.relations, outcome.fate.unconfirmed, preference
    )
    table = ledger(corpus, plan, pairs, fate, Silent())
    removed = int(fate.removed.sum())
    names = table["relation"].to_pylist()
    by_relation = {r: names.count(r) for r in sorted(set(names), key=lambda r: (-names.count(r), r))}
    counts = outcome.counts | {
        "kept": outcome.counts["read"] - removed, "removed": removed, "removed_by_relation": by_relation,
        **fate.policy_counts,
        "pairs": len(pairs),
    }  # fmt: skip
    return replace(
        outcome, plan=plan, fate=fate, pairs=to_table(corpus, pairs), ledger=table,
        clusters=clusters(corpus, fate), counts=counts, recall=None,
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
        swap[piece] = method.score(corpus.documents(docs, method.traits.needs), a, b, plan.workers)["name_swap"]
    return replace(pairs, measures=pairs.measures | {"name_swap": swap})
