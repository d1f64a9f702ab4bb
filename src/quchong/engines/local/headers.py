"""Headers that many documents share: found among the scored pairs, and what is left of each text without them measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from quchong.decision.classes import Classes
from quchong.decision.expansion import ClassPairs
from quchong.decision.headers import header_suspects, inside_pairs, least_inside, looks_for_headers
from quchong.engines.local.background import in_order
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.scores import BLOCK_BYTES, cut
from quchong.kernels.graph import components
from quchong.kernels.offsets import batches_by_cost, first_of_runs
from quchong.kernels.sorting import distinct, ordered
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.similarity.counted_headers import CountedHeaders, together
from quchong.similarity.header_counting import count_headers
from quchong.similarity.headers import Headed, measure_rests, with_headers


def with_rests(corpus: Corpus, plan: Plan, classes: Classes, found: ClassPairs, stages: Stages) -> ClassPairs:
    """Return the scored pairs with `headers`, and with the measures `rest_left` and `rest_right` where headers cover much of a text."""
    if not looks_for_headers(plan.method.rule):
        return found
    with stages.stage("headers"):
        headers = _find_headers(corpus, plan, classes, found)
    return with_rests_of(corpus, plan, classes, found, headers, stages)


def with_rests_of(
    corpus: Corpus, plan: Plan, classes: Classes, found: ClassPairs, headers: np.ndarray | None, stages: Stages
) -> ClassPairs:
    """Return what `with_rests` returns, for `headers` that are known (uint64, ascending); the pairs as they are for None."""
    if headers is None:
        return found
    with stages.stage("headers"):
        rests = _rests(corpus, plan, classes, found, headers)
    return replace(found, measures=found.measures | rests, headers=headers)


def _find_headers(corpus: Corpus, plan: Plan, classes: Classes, found: ClassPairs) -> np.ndarray:
    """Return the shingles of the headers found in a corpus, uint64, ascending, distinct."""
    rank = corpus.documents.id_rank[classes.first]
    suspect, carrier = header_suspects(found, rank, least_inside(plan.method))

    def counted(piece: np.ndarray) -> CountedHeaders:
        docs, index = np.unique(np.concatenate([suspect[piece], carrier[piece]]), return_inverse=True)
        one, other = np.split(index, 2)
        made = count_headers(plan.method.form, corpus.take(classes.first[docs]), one, other, plan.workers)
        return replace(made, suspect=docs[made.suspect])

    # The words of notices are looked for in Python: one batch is counted while another one's words are.
    pieces = _whole_groups(suspect, corpus.texts.bytes[classes.first[carrier]])
    parts = in_order(counted, pieces, 1 if plan.workers == 1 else 2)
    return together(parts).known_shingles()


def _whole_groups(suspect: np.ndarray, size: np.ndarray) -> Iterator[np.ndarray]:
    """Yield indices of pairs in batches with about `BLOCK_BYTES` of carrier texts; pairs of one suspect stay in one batch."""
    if not len(suspect):
        return
    group = np.cumsum(first_of_runs(suspect)) - 1
    total = np.bincount(group, size).astype(np.int64)
    for groups in cut(np.arange(len(total)), total):
        yield np.flatnonzero((group >= groups[0]) & (group <= groups[-1]))


def _near_batches(left: np.ndarray, right: np.ndarray, size: np.ndarray) -> Iterator[np.ndarray]:
    """Yield indices of pairs in batches of about `BLOCK_BYTES` of text, so that most texts are read once.

    Documents of connected pairs have numbers beside each other, and these are cut into groups: pairs of two groups follow each other. In
    a family in which each is paired with others anywhere, a text would be read in nearly every batch otherwise.

    Args:
        left, right: documents of each pair. size: bytes of each document.
    """
    place = np.empty(len(size), np.int64)
    place[by_component := ordered(components(len(size), left, right))] = np.arange(len(size))
    group = np.empty(len(size), np.int64)
    used = np.zeros(len(size), bool)
    used[left] = used[right] = True
    group[by_component] = np.cumsum(np.where(used, size, 0)[by_component]) // (BLOCK_BYTES // 2)
    one, other = group[left], group[right]
    tile = np.minimum(one, other) * (int(group.max(initial=0)) + 1) + np.maximum(one, other)
    order = ordered(tile, place[left], place[right])
    read = np.zeros(len(order), np.int64)
    for side in (left[order], right[order]):  # where a text is new in a tile
        by_text = ordered(tile[order], side)
        new = by_text[first_of_runs(tile[order][by_text], side[by_text])]
        read[new] += size[side[new]]
    yield from (order[batch] for batch in batches_by_cost(read, BLOCK_BYTES))


def _rests(
    corpus: Corpus, plan: Plan, classes: Classes, found: ClassPairs, headers: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the measures `rest_left` and `rest_right` of all pairs; NaN where headers cover little of both texts."""
    pairs = len(found.left)
    out = {name: np.full(pairs, np.nan) for name in ("rest_left", "rest_right")}
    if not len(headers):
        return out
    form, first, least = plan.method.form, classes.first, least_inside(plan.method)
    left_in, right_in = inside_pairs(found.measures, least)
    headed = np.zeros(len(first), bool)
    docs = distinct(np.concatenate([found.left[left_in], found.right[right_in]]))
    for piece in cut(docs, corpus.texts.bytes[first]):
        headed[piece] = with_headers(form, corpus.take(first[piece]), headers, plan.workers)
    some = np.flatnonzero((headed[found.left] & left_in) | (headed[found.right] & right_in))
    for piece in _near_batches(found.left[some], found.right[some], corpus.texts.bytes[first]):
        piece = some[piece]
        docs, index = np.unique(np.concatenate([found.left[piece], found.right[piece]]), return_inverse=True)
        one, other = np.split(index, 2)
        measures = {name: values[piece] for name, values in found.measures.items()}
        documents = corpus.take(first[docs])
        mine = Headed(headers, headed[docs], least)
        told = measure_rests(form, documents, mine, one, other, measures, plan.workers)
        for name, values in told.items():
            out[name][piece] = values
    return out
