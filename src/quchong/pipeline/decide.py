"""Deciding a run again from its pairs: other thresholds or relations, no second look at the texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from quchong.errors import UsageError
from quchong.pipeline.alarms import UNCONFIRMED
from quchong.pipeline.ledger import clusters, ledger
from quchong.pipeline.local import Outcome
from quchong.pipeline.pairs import DocumentPairs, codes_of, fates, to_table
from quchong.pipeline.plan import Plan
from quchong.pipeline.progress import Silent
from quchong.seam import Finder
from quchong.tables import PAIRS

_MEASURED = [f.name for f in PAIRS if f.name not in ("left_id", "right_id", "relation", "rule")]


def from_table(table: pa.Table, index: dict[str, int]) -> DocumentPairs:
    """Pairs of a saved table; `index` gives each id's document."""
    left = np.array([index[i] for i in table["left_id"].to_pylist()], np.int64)
    right = np.array([index[i] for i in table["right_id"].to_pylist()], np.int64)
    measures = {name: table[name].to_numpy() for name in _MEASURED if name in table.column_names}
    relation = np.array(table["relation"].to_pylist(), object)
    return DocumentPairs(left, right, codes_of(relation), np.array(table["rule"].to_pylist(), object), measures)


def again(outcome: Outcome, plan: Plan) -> Outcome:
    """The same run under another plan that differs in thresholds or relations only.

    Raises:
        UsageError: a threshold below the floor the pairs were kept at: such pairs are not there.
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
    if isinstance(before, Finder) and (why := before.lacks(plan.method)):
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
    relation, rule = plan.method.decide({k: v[near] for k, v in pairs.measures.items()})
    codes, rules = pairs.relation.copy(), pairs.rule.copy()
    codes[near], rules[near] = codes_of(relation), rule
    pairs = DocumentPairs(pairs.left, pairs.right, codes, rules, pairs.measures)
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
    }  # fmt: skip
    return replace(
        outcome, plan=plan, fate=fate, pairs=to_table(corpus, pairs), ledger=table,
        clusters=clusters(corpus, fate), counts=counts, recall=None,
        alarms=[a for a in outcome.alarms if a.kind == UNCONFIRMED],
    )  # fmt: skip
