"""Makes the ledger: one row for each removed document, with the passages it shares with its survivor."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.engines.local.candidates import cut
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.pairs import DocumentPairs, Fate, mirrored
from quchong.plan.plan import Plan
from quchong.progress import Progress
from quchong.seam import Documents, Measures, Method, Spans
from quchong.tables import CLUSTERS, CONTAINED_IN, EXACT, LEDGER, PASSAGE, RELATIONS, table_of
from quchong.text import Edit

SHORTEST = 8
"""Tokens a passage has at least; a quarter of the shorter text where that is less, but 2 or more."""


def clusters(corpus: Corpus, fate: Fate) -> pa.Table:
    """CLUSTERS: every survivor that something went for, and what went. Reference documents only as survivors."""
    removed = np.flatnonzero(fate.removed & ~fate.unconfirmed)
    docs = np.unique(np.concatenate([removed, fate.survivor[removed]]))
    docs = docs[np.argsort(corpus.id_rank[docs])]
    survivor = corpus.named(fate.survivor[docs])
    return table_of({"id": corpus.named(docs), "cluster_id": survivor, "survivor_id": survivor}, CLUSTERS)


def find_passages(
    method: Method, documents: Documents, left: np.ndarray, right: np.ndarray, tokens: np.ndarray, same: np.ndarray,
    workers: int | None,
) -> Spans:  # fmt: skip
    """Passages of pairs: those a method knows, else equal runs.

    Args:
        tokens: of the shorter text of each pair. Equal runs have at least 8, or less where it has little.
        same: mask of the pairs with equal normal forms: they are one passage, whatever a method counts.
    """
    own, whole = np.flatnonzero(~same), np.flatnonzero(same)
    found = method.passages(documents, left[own], right[own], workers)
    if found is not None:
        if not len(whole):
            return found
        equal = _equal_runs(method.form, documents, left[whole], right[whole], tokens[whole], workers)
        return _merged(len(left), (own, found), (whole, equal))
    return _equal_runs(method.form, documents, left, right, tokens, workers)


def _equal_runs(
    form: kernels.text.Form | None, documents: Documents, left: np.ndarray, right: np.ndarray, tokens: np.ndarray,
    workers: int | None,
) -> Spans:  # fmt: skip
    if form is None:
        return Spans.of(np.zeros(len(left) + 1, np.int64), np.zeros((0, 4), np.int64))
    shortest = np.clip(tokens // 4, 2, SHORTEST).astype(np.uint32)
    width = np.where(tokens >= 3 * SHORTEST, 5, 2).astype(np.uint8)
    return Spans.of(*kernels.align.passages(form, documents.texts, left, right, width, shortest, workers))


def _merged(pairs: int, *parts: tuple[np.ndarray, Spans]) -> Spans:
    """Spans of some pairs each, as those of all `pairs`."""
    pair = np.concatenate([index[spans.pair] for index, spans in parts])
    order = np.argsort(pair, kind="stable")
    counts = np.bincount(pair, minlength=pairs)
    return Spans(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([spans.places for _, spans in parts])[order],
        np.concatenate([spans.exact for _, spans in parts])[order],
    )


def ledger(corpus: Corpus, plan: Plan, pairs: DocumentPairs, fate: Fate, progress: Progress) -> pa.Table:
    """LEDGER of a decided run, sorted by id."""
    lost = np.flatnonzero(fate.unconfirmed)
    removed = gone(corpus, fate)
    passages = _passages(corpus, plan, removed, fate.survivor[removed], progress)
    table = _confirmed(corpus, plan, pairs, fate, removed, passages)
    if not len(lost):
        return table
    table = pa.concat_tables([table, _unconfirmed(corpus, plan, lost)])
    return table.take(pc.sort_indices(table["id"].cast(pa.large_string()))).combine_chunks()


def _unconfirmed(corpus: Corpus, plan: Plan, lost: np.ndarray) -> pa.Table:
    """LEDGER of what a filter removed though nothing equal came before: no survivor, no figures."""
    n = len(lost)
    rule = plan.method.unconfirmed
    known = {
        "id": corpus.named(lost, own=True),
        "survivor_id": pa.nulls(n, corpus.named(lost).type),
        "relation": pa.array([EXACT] * n),
        "passages": pa.array([[]] * n, pa.list_(PASSAGE)),
        "rule": pa.array([rule] * n),
        "method": pa.array([plan.method.name] * n),
        "config_hash": pa.array([plan.config_hash()] * n),
    }
    return table_of({f.name: known.get(f.name, pa.nulls(n, f.type)) for f in LEDGER}, LEDGER)


def gone(corpus: Corpus, fate: Fate) -> np.ndarray:
    """What went for a survivor's sake, by id."""
    removed = np.flatnonzero(fate.removed & ~fate.unconfirmed)
    return removed[np.argsort(corpus.id_rank[removed])]


def confirmed(corpus: Corpus, plan: Plan, pairs: DocumentPairs, fate: Fate, passages: pa.Array) -> pa.Table:
    """LEDGER of what went for a survivor's sake, sorted by id; `passages` in that order."""
    return _confirmed(corpus, plan, pairs, fate, gone(corpus, fate), passages)


def _confirmed(
    corpus: Corpus, plan: Plan, pairs: DocumentPairs, fate: Fate, removed: np.ndarray, passages: pa.Array
) -> pa.Table:
    survivor, pair = fate.survivor[removed], fate.pair[removed]
    flip = pairs.left[pair] != removed
    relation = np.array(RELATIONS, object)[mirrored(pairs.relation[pair], flip)]
    m = pairs.measures
    mine = np.where(flip, m["containment_right"][pair], m["containment_left"][pair])
    other = np.where(flip, m["containment_left"][pair], m["containment_right"][pair])
    config_hash = plan.config_hash()
    threshold = plan.method.threshold_used({k: v[pair] for k, v in m.items()}, pairs.rule[pair])
    columns = {
        "id": corpus.named(removed, own=True),
        "survivor_id": corpus.named(survivor),
        "relation": pa.array(relation, pa.string()),
        "jaccard": pa.array(m["jaccard"][pair]),
        "containment": pa.array(mine),
        "survivor_containment": pa.array(other),
        "passages": passages,
        "rule": pa.array(pairs.rule[pair], pa.string()),
        "evidence": _evidence(m, pair, flip, relation, threshold),
        "threshold": pa.array(threshold),
        "method": pa.array([plan.method.name] * len(removed), pa.string()),
        "config_hash": pa.array([config_hash] * len(removed), pa.string()),
    }
    return table_of(columns, LEDGER)


def _evidence(
    m: Measures, pair: np.ndarray, flip: np.ndarray, relation: np.ndarray, threshold: np.ndarray
) -> pa.Array:  # fmt: skip
    """What each removal's threshold was compared with: where passages decide, the share of the contained one they cover, or
    of the less covered of two duplicates where the one figure for both was not what decided.
    """
    if "evidence" not in m:
        return pa.nulls(len(pair), pa.float64())
    figure = m["evidence"][pair]
    if "covered_left" in m:
        left, right = m["covered_left"][pair], m["covered_right"][pair]
        mine = np.where(flip, right, left)
        by_both = np.where(figure >= threshold, figure, np.minimum(left, right))
        known = ~np.isnan(figure) & ~np.isnan(mine)
        figure = np.where(known, np.where(relation == CONTAINED_IN, mine, by_both), figure)
    return pa.array(figure, from_pandas=True)


def nearest(table: pa.Table, n: int) -> pa.Table:
    """The n removals nearest to the line: rows of a LEDGER by the distance of what was measured to the threshold that decided.

    What was measured is what the row's rule compares: `evidence` where a paper's rule decided (bits of two-stage), else
    containment, the lesser of both containments, or Jaccard. At one distance the least alike come first (max of Jaccard and
    containment), then by id. Exact copies come last, for no threshold decided them; what a filter removed unconfirmed has no
    figures and is left out.
    """
    table = table.filter(pc.is_valid(table["jaccard"]))
    jaccard, mine, other, threshold = (
        table[name].to_numpy() for name in ("jaccard", "containment", "survivor_containment", "threshold")
    )
    evidence = table["evidence"].cast(pa.float64()).fill_null(np.nan).to_numpy()
    rule = table["rule"].to_numpy(zero_copy_only=False)
    figure = np.where(
        rule == "containment", mine, np.where(rule == "both containments", np.minimum(mine, other), jaccard)
    )
    figure = np.where(np.isnan(evidence), figure, evidence)
    distance = np.where(table["relation"].to_numpy(zero_copy_only=False) == EXACT, np.inf, np.abs(figure - threshold))
    keys = pa.table({"distance": distance, "score": np.maximum(jaccard, mine), "id": table["id"]})
    order = pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names])
    return table.take(order.slice(0, n))


def _passages(corpus: Corpus, plan: Plan, removed: np.ndarray, survivor: np.ndarray, progress: Progress) -> pa.Array:
    """A list of PASSAGE per removed document, in characters of the original texts."""
    return passage_lists(*passages_of(corpus, plan, removed, survivor, progress))


def kinds(exact: np.ndarray) -> pa.Array:
    """The kind of passages by name: exact or near."""
    return pa.DictionaryArray.from_arrays(pa.array(np.where(exact, 0, 1), pa.int8()), ["exact", "near"]).cast(
        pa.string()
    )


def passages_of(
    corpus: Corpus, plan: Plan, left: np.ndarray, right: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Passages of pairs of a corpus's documents, as in `Spans`, in characters of the original texts."""
    counts = np.zeros(len(left), np.int64)
    places: list[np.ndarray] = [np.zeros((0, 4), np.int64)]
    exact: list[np.ndarray] = [np.zeros(0, bool)]
    size = corpus.texts.bytes[left] + corpus.texts.bytes[right]
    for piece in cut(np.arange(len(left)), size):
        docs, index = np.unique(np.concatenate([left[piece], right[piece]]), return_inverse=True)
        tokens = np.minimum(corpus.features.tokens[left[piece]], corpus.features.tokens[right[piece]])
        documents = corpus.documents(docs, plan.method.traits.needs)
        a, b = index[: len(piece)], index[len(piece) :]
        spans = find_passages(
            plan.method, documents, a, b, tokens, corpus.same(left[piece], right[piece]), plan.workers
        )
        counts[piece] = np.diff(spans.offsets)
        places.append(original(corpus.edits, left[piece], right[piece], spans.offsets, spans.places))
        exact.append(spans.exact)
        progress.advance(len(piece))
    return np.concatenate([[0], np.cumsum(counts)]), np.concatenate(places), np.concatenate(exact)


def original(
    edits: Mapping[int, Edit], left: np.ndarray, right: np.ndarray, offsets: np.ndarray, places: np.ndarray
) -> np.ndarray:
    """Places led back to the originals of texts that preparing changed; `edits` is by document, as left and right are."""
    if not edits:
        return places
    out = places.copy()
    for docs, columns in ((left, slice(0, 2)), (right, slice(2, 4))):
        for i in np.flatnonzero(np.isin(docs, np.fromiter(edits, np.int64))).tolist():
            edit = edits[int(docs[i])]
            for k in range(int(offsets[i]), int(offsets[i + 1])):
                out[k, columns] = edit.back(int(places[k, columns][0]), int(places[k, columns][1]))
    return out


def passage_lists(offsets: np.ndarray, places: np.ndarray, exact: np.ndarray) -> pa.Array:
    """The ledger's column of passages: a list of PASSAGE for each pair."""
    columns = [pa.array(places[:, k]) for k in range(4)] + [kinds(exact)]
    struct = pa.StructArray.from_arrays(columns, fields=list(PASSAGE))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), struct, type=pa.list_(PASSAGE))
