"""Comparison of texts block by block: confirmation of exact copies, and scoring of candidate pairs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from quchong import kernels
from quchong.decision.classes import Classes
from quchong.decision.difference_lists import DifferenceLists
from quchong.decision.differing import looked_at
from quchong.decision.expansion import ClassPairs
from quchong.engines.local.background import in_order
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.stage_checks import of_blocks
from quchong.engines.local.text_store import FoundKeeper
from quchong.kernels.sorting import ordered
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import Measures, active_differences
from quchong.work import Work

Block = tuple[np.ndarray, np.ndarray, Measures, DifferenceLists | None]
"""Listed pairs: left and right classes, measures, and lists of differences or None."""
BLOCK_BYTES = 12 << 20
"""Bytes of text scored at once; their tokens take about 1.4 times as much memory in addition."""
BLOCK_PAIRS = 1 << 14
"""Pairs scored at once: aligning them takes up to 2 KB each meanwhile."""
KEPT_BLOCKS, KEPT_PAIRS = 32, 1 << 19
"""Maximum blocks and pairs of one stored file; an interruption costs the scoring of one file, and one file is held until written."""


def equal_texts(corpus: Corpus, plan: Plan, members: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    """Return a mask of the members whose normal form equals that of their class's first document (`quchong.decision.classes.Equal`).

    Args:
        members, firsts: int64, documents and the first document of the class of each.
    """
    equal = np.ones(len(members), bool)
    form = plan.method.form
    spoken = np.flatnonzero(corpus.documents.tokens[members] > 0)  # the others were grouped by their strict form
    if form is None or not len(spoken):
        return equal
    spoken = spoken[ordered(firsts[spoken])]  # in order of storage: copies are mostly near each other
    size = corpus.texts.bytes[members] + corpus.texts.bytes[firsts]
    for piece in cut(spoken, size):
        docs, index = np.unique(np.concatenate([members[piece], firsts[piece]]), return_inverse=True)
        left, right = index[: len(piece)], index[len(piece) :]
        equal[piece] = kernels.text.equal_forms(form, corpus.texts.take(docs), left, right, plan.workers) != 0
    return equal


def cut(index: np.ndarray, size: np.ndarray) -> Iterator[np.ndarray]:
    """Split an index into consecutive batches of about BLOCK_BYTES each by the sizes `size[index]`; yield nothing for an empty index."""
    if not len(index):
        return
    piece = np.cumsum(size[index]) // BLOCK_BYTES
    yield from np.split(index, np.flatnonzero(np.diff(piece)) + 1)


def score(
    corpus: Corpus, plan: Plan, classes: Classes, candidates: Candidates, stages: Stages, work: Work | None = None,
    name: str = "scored", keeper: FoundKeeper | None = None,
) -> ClassPairs:  # fmt: skip
    """Score candidate pairs in blocks that keep related documents together, so that most texts are read once.

    Blocks are stored in `work` under `name`, up to KEPT_BLOCKS in a file, and reused after an interruption. Lists of differences are
    written once, to files of their own to which values of later stages refer. Without work they are stored by `keeper`.
    """
    work = work or Work()
    left, right = candidates.left, candidates.right
    method = plan.method
    with stages.stage("verify", len(left), "pairs") as progress:
        # Sort pairs by connected component, so that pairs that share documents fall into one block.
        label = kernels.graph.components(len(classes.first), left, right)
        place = np.empty_like(label)  # of each class among those of all components
        place[ordered(label)] = np.arange(len(label))
        order = ordered(place[left], right)
        left, right = left[order], right[order]
        found: list[Block] = []

        def scored(bounds: tuple[int, int]) -> Block:
            here, there = left[slice(*bounds)], right[slice(*bounds)]
            docs, index = np.unique(np.concatenate([here, there]), return_inverse=True)
            documents = corpus.take(classes.first[docs], method.traits.needs)
            one, other = index[: len(here)].astype(np.uint32), index[len(here) :].astype(np.uint32)
            measures = method.score(documents, one, other, plan.workers)
            listed = np.flatnonzero(method.rule.floor(measures))
            some = {k: v[listed] for k, v in measures.items()}
            names = classes.first[docs]
            measures, lists = looked_at(
                method, documents, one[listed], other[listed], some, plan.workers, corpus.edits, names
            )
            return here[listed], there[listed], measures, None if lists is None else DifferenceLists.packed(lists)

        # Score group by group: a group is one stored file, its blocks are scored by one or two threads.
        blocks = list(_blocks(left, right, corpus.texts.bytes[classes.first]))
        groups = _groups(blocks) if work.stores_values else [blocks]
        at_once = (
            2 if active_differences(method) is not None and plan.workers != 1 else 1
        )  # one is read while kernels work on the other
        for number, group in enumerate(groups):

            def scores(group: list[tuple[int, int]] = group, number: int = number) -> list[Block]:
                some: list[Block] = []
                for (a, b), block in zip(group, in_order(scored, group, at_once), strict=True):
                    some.append(block if keeper is None or work.stores_values else _store_lists(block, keeper))
                    progress.advance(b - a)
                told = [(i, block[3]) for i, block in enumerate(some) if block[3] is not None]
                shared = work.share(f"differences-{name}-{number:05}", [lists for _, lists in told])
                for (i, _), lists in zip(told, shared, strict=True):
                    some[i] = (*some[i][:3], lists)
                return some

            found += work.stage(f"{name}-{number:05}", scores, check=of_blocks(len(classes.first)))
        # Without candidates, score no pair once: the names and types of the measures are needed all the same.
        if not found:
            none, empty = np.zeros(0, np.uint32), corpus.take(left[:0])
            measures = method.score(empty, none, none, 1)
            measures, nothing = looked_at(method, empty, none, none, measures, 1, {}, left[:0])
            found = [(left[:0], right[:0], measures, None if nothing is None else DifferenceLists.packed(nothing))]
        lists = [f[3] for f in found if f[3] is not None]
        return ClassPairs(
            np.concatenate([f[0] for f in found]),
            np.concatenate([f[1] for f in found]),
            {k: np.concatenate([f[2][k] for f in found]) for k in found[0][2]},
            len(left),
            candidates.capped_keys,
            candidates.largest_key,
            candidates.bounded,
            lists or None,
        )


def _store_lists(block: Block, keeper: FoundKeeper) -> Block:
    """Return the block with its lists of differences stored by the keeper, in memory or mapped."""
    lists = block[3]
    return (*block[:3], lists if lists is None else DifferenceLists.of_arrays(keeper.arrays(lists.arrays())))


def _groups(blocks: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Group consecutive blocks that are stored in one file: at most KEPT_BLOCKS, and about KEPT_PAIRS pairs."""
    groups: list[list[tuple[int, int]]] = []
    for block in blocks:
        if not groups or len(groups[-1]) == KEPT_BLOCKS or block[1] - groups[-1][0][0] > KEPT_PAIRS:
            groups.append([])
        groups[-1].append(block)
    return groups


def _blocks(left: np.ndarray, right: np.ndarray, size: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield blocks of consecutive pairs as (start, end): about BLOCK_BYTES of texts that are new in them, at most BLOCK_PAIRS pairs."""
    if not len(left):
        return
    both = np.stack([left, right], 1).reshape(-1)
    first = np.full(len(size), -1)
    first[both[::-1]] = np.arange(len(both))[::-1]  # in reverse, so that first occurrences remain
    first = first[first >= 0]
    new = np.zeros(len(both), np.int64)
    new[first] = size[both[first]]
    total = np.cumsum(new)[1::2]
    piece = total // BLOCK_BYTES + np.arange(len(left)) // BLOCK_PAIRS
    cuts = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), len(left)]
    yield from pairwise(cuts)
