"""The ledger: one row for each removed document, with its survivor and the rule and measures that decided."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.differing import fact_names
from quchong.decision.documents import DocumentColumns
from quchong.decision.pairs import DocumentPairs
from quchong.decision.roundups import WHOLLY
from quchong.decision.survivors import Fate
from quchong.plan.plan import Plan
from quchong.relation_codes import CONFLICTS, EQUALS, INSIDE, NAMES, codes_in, mirrored
from quchong.relations import EXACT
from quchong.seam import Measures
from quchong.tables import LEDGER, LEDGER_DIFFERENCE, PASSAGE, ROUNDUP, table_of

ALIGNED = "aligned"
"""Name of the rule by which an alignment decides a pair."""


def removed_documents(documents: DocumentColumns, fate: Fate) -> np.ndarray:
    """Return the removed documents that have a survivor, in id order, int64; the ledger lists their passages."""
    removed = np.flatnonzero(fate.removed & ~fate.unconfirmed)
    return removed[np.argsort(documents.id_rank[removed])]


def ledger(
    documents: DocumentColumns, plan: Plan, pairs: DocumentPairs, fate: Fate, passages: pa.Array, differences: pa.Array
) -> pa.Table:
    """Build the table LEDGER, sorted by id.

    `passages` and `differences` are in the order of `gone`, null if they are computed later.
    """
    table = confirmed(documents, plan, pairs, fate, removed_documents(documents, fate), passages, differences)
    return with_unconfirmed(table, documents, plan, fate)


def with_unconfirmed(table: pa.Table, documents: DocumentColumns, plan: Plan, fate: Fate) -> pa.Table:
    """Return a LEDGER with rows added for documents that an unconfirmed filter removed without a survivor, sorted by id."""
    lost = np.flatnonzero(fate.unconfirmed)
    if not len(lost):
        return table
    table = pa.concat_tables([table, _unconfirmed(documents, plan, lost)])
    return table.take(pc.sort_indices(table["id"].cast(pa.large_string()))).combine_chunks()


def _unconfirmed(documents: DocumentColumns, plan: Plan, lost: np.ndarray) -> pa.Table:
    """Build the LEDGER of documents that a filter removed although no equal text came before: no survivor, no measures."""
    n = len(lost)
    rule = plan.method.extras.unconfirmed
    known = {
        "id": documents.shown_ids(lost, own=True),
        "survivor_id": pa.nulls(n, documents.shown_ids(lost).type),
        "relation": pa.array([EXACT] * n),
        "passages": pa.array([[]] * n, pa.list_(PASSAGE)),
        "facts": pa.array([[]] * n, pa.list_(pa.string())),
        "differences": pa.array([[]] * n, pa.list_(LEDGER_DIFFERENCE)),
        "rule": pa.array([rule] * n),
        "method": pa.array([plan.method.name] * n),
        "config_hash": pa.array([plan.config_hash()] * n),
    }
    return table_of({f.name: known.get(f.name, pa.nulls(n, f.type)) for f in LEDGER}, LEDGER)


def confirmed(
    documents: DocumentColumns,
    plan: Plan,
    pairs: DocumentPairs,
    fate: Fate,
    removed: np.ndarray,
    passages: pa.Array,
    differences: pa.Array,
) -> pa.Table:
    """Build the LEDGER of some removed documents that have a survivor, in the order given."""
    survivor, pair = fate.survivor[removed], fate.pair[removed]
    # The ledger shows a pair from the removed document's side: exchange what the pair has the other way round.
    flip = pairs.left[pair] != removed
    relation = mirrored(pairs.relation[pair], flip)
    m = pairs.measures
    mine = np.where(flip, m["containment_right"][pair], m["containment_left"][pair])
    other = np.where(flip, m["containment_left"][pair], m["containment_right"][pair])
    config_hash = plan.config_hash()
    threshold = plan.method.rule.threshold_used({k: v[pair] for k, v in m.items()}, pairs.rule[pair])
    rule, evidence = pairs.rule[pair], _evidence(m, pair, flip, relation, pairs.rule[pair], threshold)
    if fate.held is not None and fate.roundup is not None and fate.roundup[removed].any():
        # Of a roundup the share that all its originals have decided, and not that of the one that is named as its survivor.
        mask, held = fate.roundup[removed], fate.held[removed]
        rule = np.where(mask, ROUNDUP, rule)
        evidence = pc.if_else(pa.array(mask), pa.array(held), evidence)
        threshold = np.where(mask, WHOLLY if plan.roundups == "remove" else 0.0, threshold)
    columns = {
        "id": documents.shown_ids(removed, own=True),
        "survivor_id": documents.shown_ids(survivor),
        "relation": pa.array(NAMES[relation], pa.string()),
        "jaccard": pa.array(m["jaccard"][pair]),
        "containment": pa.array(mine),
        "survivor_containment": pa.array(other),
        "passages": passages,
        "rule": pa.array(rule, pa.string()),
        "evidence": evidence,
        "threshold": pa.array(threshold),
        "method": pa.array([plan.method.name] * len(removed), pa.string()),
        "config_hash": pa.array([config_hash] * len(removed), pa.string()),
        "facts": fact_names(m["facts"][pair] if "facts" in m else np.zeros(len(pair), np.uint16)),
        "differences": differences,
        "supersedes": _supersedes(documents, removed, survivor, relation),
    }
    return table_of(columns, LEDGER)


def _supersedes(
    documents: DocumentColumns, removed: np.ndarray, survivor: np.ndarray, relation: np.ndarray
) -> pa.Array:
    """Return True for a removed variant newer than its survivor, False if older; null if unknown or no variant."""
    out = np.full(len(removed), None, object)
    some = np.flatnonzero(CONFLICTS[relation])
    later = documents.later(removed[some], survivor[some])
    known = ~np.isnan(later) & (later != 0)
    out[some[known]] = later[known] > 0
    return pa.array(out, pa.bool_())


def _evidence(
    m: Measures, pair: np.ndarray, flip: np.ndarray, relation: np.ndarray, rule: np.ndarray, threshold: np.ndarray
) -> pa.Array:  # fmt: skip
    """Return for each removal the value that was compared with its threshold, null if its rule compares none.

    If passages decide: the share of the contained document that they cover; for duplicates the evidence for both, or, if that does not
    reach the threshold, the lesser share of the two. If an alignment decided: the lesser aligned share of the two texts.
    """
    # Methods without evidence: only an alignment has a value to compare.
    if "evidence" not in m:
        if "aligned_left" not in m:
            return pa.nulls(len(pair), pa.float64())
        covered = np.minimum(m["aligned_left"][pair], m["aligned_right"][pair])
        return pa.array(np.where(rule == ALIGNED, covered, np.nan), from_pandas=True)
    figure = m["evidence"][pair]
    # Passage methods: containment is decided by the removed document's share, a duplicate by the evidence or by the lesser share.
    if "covered_left" in m:
        left, right = m["covered_left"][pair], m["covered_right"][pair]
        mine = np.where(flip, right, left)
        by_both = np.where(figure >= threshold, figure, np.minimum(left, right))
        known = ~np.isnan(figure) & ~np.isnan(mine)
        figure = np.where(known, np.where(INSIDE[relation] > 0, mine, by_both), figure)
    return pa.array(figure, from_pandas=True)


def nearest(table: pa.Table, n: int) -> pa.Table:
    """Return the `n` rows of a LEDGER whose measure is nearest to the threshold that decided.

    The measure is the one that the row's rule compares: `evidence` for the rule of a paper (bits of two-stage), else containment, the
    lesser of both containments, or Jaccard. At equal distance the least similar come first (max of Jaccard and containment), then by id.
    Exact copies come last, because no threshold decided them. Rows without measures, removed by an unconfirmed filter, are left out.
    """
    table = table.filter(pc.is_valid(table["jaccard"]))
    jaccard, mine = (table[name].to_numpy() for name in ("jaccard", "containment"))
    keys = pa.table({"distance": threshold_distances(table), "score": np.maximum(jaccard, mine), "id": table["id"]})
    order = pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names])
    return table.take(order.slice(0, n))


def threshold_distances(table: pa.Table) -> np.ndarray:
    """Return how far the measure of each row of a LEDGER is from the threshold that decided, as `nearest` says; float64.

    Infinite for exact copies, which no threshold decided, and for rows without measures.
    """
    jaccard, mine, other, threshold = (
        table[name].to_numpy() for name in ("jaccard", "containment", "survivor_containment", "threshold")
    )
    evidence = table["evidence"].cast(pa.float64()).fill_null(np.nan).to_numpy()
    rule = table["rule"].to_numpy(zero_copy_only=False)
    # The measure that the row's rule compares; evidence takes precedence, because a paper's rule decided then.
    figure = np.where(
        rule == "containment", mine, np.where(rule == "both containments", np.minimum(mine, other), jaccard)
    )
    figure = np.where(np.isnan(evidence), figure, evidence)
    # Exact copies have no threshold: they sort last, at infinite distance.
    distance: np.ndarray = np.where(EQUALS[codes_in(table["relation"])], np.inf, np.abs(figure - threshold))
    return np.where(np.isnan(distance), np.inf, distance)
