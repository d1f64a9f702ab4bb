"""Ledger of a run: one row a removed document, with the passages that it shares with its survivor and their differences."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa

from quchong.decision import ledger as rows
from quchong.decision.differing import gather_lists, no_lists, of_ledger, removed_differences
from quchong.decision.pairs import DocumentPairs
from quchong.decision.passages import find_passages, original, passage_lists
from quchong.decision.survivors import Fate
from quchong.engines.local.background import Background, Deferred
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.scores import cut, pair_batches
from quchong.kernels.arrays import places_of
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sorting import ordered
from quchong.plan.plan import Plan
from quchong.progress import Progress
from quchong.relation_codes import EQUALS
from quchong.seam import active_differences


def ledger(corpus: Corpus, plan: Plan, pairs: DocumentPairs, fate: Fate, progress: Progress) -> pa.Table:
    """Return the LEDGER table of a decided run, sorted by id."""
    table = ledger_of(corpus, plan, pairs, fate, rows.removed_documents(corpus.documents, fate), progress)
    return rows.with_unconfirmed(table, corpus.documents, plan, fate)


def ledger_of(
    corpus: Corpus, plan: Plan, pairs: DocumentPairs, fate: Fate, removed: np.ndarray, progress: Progress
) -> pa.Table:
    """Return the LEDGER rows of the documents `removed`, each of which has a survivor, in the order given."""
    # Differences are found by much Python, passages by a kernel: with several workers, at the same time.
    differing = partial(_differences_of, corpus, plan, pairs, fate, removed)
    with (Deferred if plan.workers == 1 else Background)(lambda _: differing()) as differences:
        passages = passage_lists(*passages_of(corpus, plan, removed, fate.survivor[removed], progress))
        return rows.confirmed(corpus.documents, plan, pairs, fate, removed, passages, differences.result())


def _differences_of(corpus: Corpus, plan: Plan, pairs: DocumentPairs, fate: Fate, removed: np.ndarray) -> pa.Array:
    """Return the list of differences between each removed document and its survivor.

    The list is that of their pair. If the pair has none, because other copies of the two were compared, the two texts are aligned.
    """
    survivor, pair = fate.survivor[removed], fate.pair[removed]
    if pairs.differences is None or active_differences(plan.method) is None:
        return of_ledger(no_lists(len(removed)))
    # Lists of the pairs; null ones of pairs that are not exact copies must be made from the texts. Of a pair whose left document
    # is not the removed one the list is flipped.
    known = pairs.differences.at(pair).column()
    null = known.is_null().to_numpy(zero_copy_only=False)
    open_ = np.flatnonzero(null & ~EQUALS[pairs.relation[pair]])
    parts, place, flip = [known], np.arange(len(pair)), pairs.left[pair] != removed
    place[open_], flip[open_] = len(pair) + np.arange(len(open_)), False
    rank = corpus.documents.rank
    for piece, docs, documents, a, b in pair_batches(corpus, plan, removed, survivor, open_):
        turn = rank[removed[piece]] > rank[survivor[piece]]
        parts.append(removed_differences(plan.method, documents, a, b, turn, plan.workers, corpus.edits, docs))
    return of_ledger(gather_lists(parts, place, flip))


def passages_of(
    corpus: Corpus, plan: Plan, left: np.ndarray, right: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the passages of pairs of documents; return offsets, places and exact flags as in `Spans`, in characters of the originals.

    Pairs with one right document are searched one after another, so that it is normalised once.
    """
    counts = np.zeros(len(left), np.int64)
    places: list[np.ndarray] = [np.zeros((0, 4), np.int64)]
    exact: list[np.ndarray] = [np.zeros(0, bool)]
    order = ordered(right)
    for piece in cut(order, corpus.texts.bytes[left] + corpus.texts.bytes[right]):
        docs, index = np.unique(np.concatenate([left[piece], right[piece]]), return_inverse=True)
        tokens = np.minimum(corpus.documents.tokens[left[piece]], corpus.documents.tokens[right[piece]])
        documents = corpus.take(docs, plan.method.traits.needs)
        a, b = index[: len(piece)], index[len(piece) :]
        spans = find_passages(
            plan.method, documents, a, b, tokens, corpus.documents.same(left[piece], right[piece]), plan.workers
        )
        counts[piece] = np.diff(spans.offsets)
        places.append(original(corpus.edits, left[piece], right[piece], spans.offsets, spans.places))
        exact.append(spans.exact)
        progress.advance(len(piece))
    # Back in the order of the pairs.
    offsets, found = prefix_sums(counts), prefix_sums(counts[order])[:-1]
    start = np.empty_like(found)
    start[order] = found
    where = places_of(start, counts)
    return offsets, np.concatenate(places)[where], np.concatenate(exact)[where]
