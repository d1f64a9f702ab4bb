"""Removals of a run decided again from the texts alone, and kept documents that are worse than one removed for them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.decision.differing import looked_at
from quchong.decision.id_index import IdIndex
from quchong.decision.pairs import EQUAL
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.scores import equal_texts, pair_batches
from quchong.plan.plan import Plan
from quchong.relations import EXACT, MIRROR
from quchong.seam import Measures
from quchong.tables import ROUNDUP, SHARED_HEADER

SHARES = ("jaccard", "containment", "survivor_containment")
NO_ROW, REMOVED_ROW = "kept", "removed"
"""What the ledger, or the table of documents, says of a document."""
CLOSE = 1e-9
"""Largest difference of two equal shares."""
CORPUS_RULES = (SHARED_HEADER, "same payload", ROUNDUP)
"""Rules by which the corpus decides, not the two texts: of their removals only the shares are counted again."""
MISMATCH = pa.schema([
    ("id", pa.large_string()), ("survivor_id", pa.large_string()), ("field", pa.string()), ("stored", pa.string()), ("now", pa.string()),
])  # fmt: skip
"""Removals that are decided otherwise now: the column of the ledger, what it has, and what the texts give."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Result of deciding the removals of a run again: matches, mismatches and removals left out.

    Attributes:
        removals: rows of the ledger.
        replayed: those that were decided again.
        mismatches: table of MISMATCH, a row for each value that is another one now.
        left_out: numbers of removals that could not be decided again, by reason.
    """

    removals: int
    replayed: int
    mismatches: pa.Table
    left_out: dict[str, int]


def replayed(outcome: Outcome) -> Replay:
    """Decide every removal of a run again, from the texts of the two documents, and compare it with the ledger.

    Args:
        outcome: the run with its texts, read again, and its method with the statistics of the run.

    Deterministic. Cost: as verifying and examining as many pairs in a run.
    """
    corpus, plan, ledger = outcome.corpus, outcome.plan, outcome.ledger
    index = IdIndex(corpus.documents.ids)
    removed, survivor = index.places(ledger["id"]), index.places(ledger["survivor_id"])
    unconfirmed = survivor < 0
    some = np.flatnonzero(~unconfirmed)
    left_out = Counter({"removed by a filter, without a survivor": int(unconfirmed.sum())})
    found = [_rows_against_fates(outcome)]
    removed, survivor = removed[some], survivor[some]
    turned = (
        corpus.documents.rank[removed] > corpus.documents.rank[survivor]
    )  # the survivor is the left one of the pair
    left, right = np.where(turned, survivor, removed), np.where(turned, removed, survivor)
    for piece, docs, documents, a, b in pair_batches(corpus, plan, left, right, np.arange(len(some))):
        measures = dict(plan.method.score(documents, a, b, plan.workers))
        measures, _ = looked_at(plan.method, documents, a, b, measures, plan.workers, corpus.edits, docs)
        told = _decided(corpus, plan, left[piece], right[piece], turned[piece], measures)
        found.append(_compared(ledger, some[piece], *told))
    table = pa.concat_tables(found)
    return Replay(len(ledger), len(some), table.sort_by("id"), {why: n for why, n in left_out.items() if n})


def _rows_against_fates(outcome: Outcome) -> pa.Table:
    """Return removed documents without a row in the ledger, and ledger rows of documents that were not removed, as a table."""
    mine = ~outcome.corpus.documents.reference
    removed = set(outcome.corpus.documents.ids.filter(pa.array(outcome.fate.removed & mine)).to_pylist())
    listed = set(outcome.ledger["id"].cast(pa.large_string()).to_pylist())
    rows = [(id, REMOVED_ROW, NO_ROW) for id in sorted(removed - listed)]
    rows += [(id, NO_ROW, REMOVED_ROW) for id in sorted(listed - removed)]
    columns = [
        [id for id, _, _ in rows],
        [""] * len(rows),
        ["row"] * len(rows),
        [was for _, _, was in rows],
        [now for _, now, _ in rows],
    ]
    return pa.table(columns, schema=MISMATCH)


def _decided(
    corpus: Corpus, plan: Plan, left: np.ndarray, right: np.ndarray, turned: np.ndarray, measures: Measures
) -> tuple[Measures, np.ndarray, np.ndarray]:
    """Return shares as named in the ledger, and the relation and rule of each removed document to its survivor.

    Args:
        left, right: int64, the documents of each pair as a run orders them. turned: mask of those whose survivor is the left one.
        measures: of the pairs, those of their differences among them.
    """
    method = plan.method
    relation, rule = (np.array(one, object) for one in method.rule.decide(measures))
    relation[~np.asarray(method.rule.floor(measures), bool)] = "none"
    same = corpus.documents.same(left, right)
    same[same] &= equal_texts(corpus, plan, left[same], right[same])
    relation[same], rule[same] = EXACT, EQUAL
    shares = {
        name: np.where(same, 1.0, measures[name]) for name in ("jaccard", "containment_left", "containment_right")
    }
    mirrored = np.array([MIRROR.get(name, name) for name in relation], object)
    return (
        {
            "jaccard": shares["jaccard"],
            "containment": np.where(turned, shares["containment_right"], shares["containment_left"]),
            "survivor_containment": np.where(turned, shares["containment_left"], shares["containment_right"]),
        },
        np.where(turned, mirrored, relation),
        rule,
    )


def _compared(ledger: pa.Table, rows: np.ndarray, shares: Measures, relation: np.ndarray, rule: np.ndarray) -> pa.Table:
    """Return the ledger rows whose values differ from those decided now."""
    some = ledger.take(pa.array(rows))
    rules = some["rule"].to_pylist()
    stored = some["relation"].to_pylist()
    own = np.array([rule not in CORPUS_RULES for rule in rules])
    out: dict[str, list[str]] = {name: [] for name in MISMATCH.names}
    ids, survivors = (some[name].cast(pa.large_string()).to_pylist() for name in ("id", "survivor_id"))

    def note(i: int, field: str, was: object, now: object) -> None:
        for name, value in zip(MISMATCH.names, (ids[i], survivors[i], field, was, now), strict=True):
            out[name].append(str(value))

    for i in np.flatnonzero(own).tolist():
        if stored[i] != relation[i]:
            note(i, "relation", stored[i], relation[i])
        elif rules[i] != rule[i]:
            note(i, "rule", rules[i], rule[i])
    for name in SHARES:
        was = some[name].to_numpy(zero_copy_only=False)
        now = np.asarray(shares[name], float)
        other = ~(np.isclose(was, now, rtol=0, atol=CLOSE) | (np.isnan(was) & np.isnan(now)))
        for i in np.flatnonzero(other).tolist():
            note(i, name, was[i], now[i])
    return pa.table(out, schema=MISMATCH)
