"""Comparison of texts block by block: confirmation of exact copies, and scoring of candidate pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from quchong import kernels
from quchong.decision.classes import Classes
from quchong.decision.difference_lists import DifferenceLists
from quchong.decision.differing import looked_at
from quchong.decision.equality import equal_letters
from quchong.decision.examination import examined_later
from quchong.decision.expansion import ClassPairs
from quchong.engines.local.background import in_order
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.group_scores import GroupScores
from quchong.engines.local.stage_checks import of_blocks
from quchong.engines.local.text_store import FoundKeeper
from quchong.kernels.offsets import batches_by_cost
from quchong.kernels.sorting import ordered
from quchong.plan.plan import Plan
from quchong.progress import Progress, Stages
from quchong.seam import Differences, Documents, Measures, active_differences
from quchong.work import Work

Block = tuple[np.ndarray, np.ndarray, Measures, DifferenceLists | None]
"""Listed pairs: left and right classes, measures, and lists of differences or None."""
Compare = Callable[[Documents, np.ndarray, np.ndarray, np.ndarray, slice], Block]
"""Function that compares a block of pairs, see `Blocks.compared`."""
OPEN = "open"
"""Name of the mask of `examined_later` among the measures of a scored block."""
BLOCK_BYTES = 12 << 20
"""Bytes of text scored at once; their tokens take about 1.4 times as much memory in addition."""
BLOCK_PAIRS = 1 << 14
"""Pairs scored at once: aligning them takes up to 2 KB each meanwhile."""
LEAST_PAIRS = 512
"""Least pairs of a block that is made smaller so that every processor has one; each block takes some milliseconds by itself."""
KEPT_BLOCKS, KEPT_PAIRS = 32, 1 << 19
"""Maximum blocks and pairs of one stored file; an interruption costs the scoring of one file, and one file is held until written."""

SHARED_GROUPS = 4096
"""Groups that parts of a run have at least, where there are as many blocks."""


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
        equal[piece] = equal_letters(plan.exact, form, corpus.texts.take(docs), left, right, plan.workers)
    return equal


def cut(index: np.ndarray, size: np.ndarray) -> Iterator[np.ndarray]:
    """Split indices into consecutive batches of about BLOCK_BYTES by their sizes `size[index]`; yield nothing for an empty index."""
    yield from (index[batch] for batch in batches_by_cost(size[index], BLOCK_BYTES))


def pair_batches(
    corpus: Corpus, plan: Plan, left: np.ndarray, right: np.ndarray, some: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, Documents, np.ndarray, np.ndarray]]:
    """Yield the pairs `some` in batches of about BLOCK_BYTES of text: their indices, their documents, the texts, and both sides in these.

    Yields:
        The indices of its pairs, the documents of these, ascending, the same as methods read them, and where left and right (uint32)
        are among them.
    """
    for piece in cut(some, corpus.texts.bytes[left] + corpus.texts.bytes[right]):
        docs, index = np.unique(np.concatenate([left[piece], right[piece]]), return_inverse=True)
        a, b = index[: len(piece)].astype(np.uint32), index[len(piece) :].astype(np.uint32)
        yield piece, docs, corpus.take(docs, plan.method.traits.needs), a, b


def score(  # noqa: PLR0913 - what is compared, and where it is stored
    corpus: Corpus, plan: Plan, classes: Classes, candidates: Candidates, stages: Stages, work: Work | None = None,
    name: str = "scored", keeper: FoundKeeper | None = None, facts: int = 0, scores: GroupScores | None = None,
) -> ClassPairs:  # fmt: skip
    """Score candidate pairs in blocks that keep related documents together, so that most texts are read once.

    With `plan.differences` of "deciding" no differences are examined yet: pairs whose relation may depend on them are `ClassPairs.open`.

    Blocks are stored in `work` under `name`, up to KEPT_BLOCKS in a file, and reused after an interruption. Lists of differences are
    written once, to files of their own to which values of later stages refer. Without work they are stored by `keeper`. Groups of blocks
    whose scores `scores` has are not compared. With `facts`, bits of BY_TEMPLATES that all these pairs have, pairs below the floor are
    listed too.
    """
    left, right, method = candidates.left, candidates.right, plan.method
    with stages.stage("verify", len(left), "pairs") as progress:
        # Sort pairs by connected component, so that pairs that share documents fall into one block.
        label = kernels.graph.components(len(classes.first), left, right)
        place = np.empty_like(label)  # of each class among those of all components
        place[ordered(label)] = np.arange(len(label))
        order = ordered(place[left], right)
        left, right = left[order], right[order]

        def scored(documents: Documents, one: np.ndarray, other: np.ndarray, names: np.ndarray, where: slice) -> Block:
            measures = method.score(documents, one, other, plan.workers)
            listed = np.flatnonzero(method.rule.floor(measures)) if not facts else np.arange(len(one))
            some = {k: v[listed] for k, v in measures.items()}
            known = {"facts": np.full(len(listed), facts, np.uint16)} if facts else {}
            some |= known
            here, there = left[where][listed], right[where][listed]
            if (may := examined_later(plan, some)) is not None:
                nothing = {k: v.copy() for k, v in Differences.none(len(listed)).measures.items()}
                return here, there, some | nothing | known | {OPEN: may}, None
            found, lists = looked_at(
                method, documents, one[listed], other[listed], some, plan.workers, corpus.edits, names
            )
            return here, there, found, None if lists is None else DifferenceLists.packed(lists)

        blocks = Blocks(corpus, plan, classes, work or Work(), keeper, scores)
        found = blocks.compared(left, right, scored, name, progress)
        return _class_pairs(found, len(left), candidates)


def _class_pairs(found: list[Block], compared: int, candidates: Candidates) -> ClassPairs:
    """Join blocks of scored pairs into ClassPairs; the measure OPEN becomes its mask `open`."""
    measures = {k: np.concatenate([f[2][k] for f in found]) for k in found[0][2]}
    lists = [f[3] for f in found if f[3] is not None]
    open_ = measures.pop(OPEN, None)
    return ClassPairs(
        np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found]), measures, compared, candidates.capped_keys,
        candidates.largest_key, candidates.bounded, lists or None, open=open_,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Blocks:
    """Comparison of pairs of classes block by block; blocks that keep related documents together read most texts once.

    Attributes:
        corpus, plan, classes: what is compared, and how.
        work: where compared blocks are stored.
        keeper: storage of lists of differences of a run that stores no work; None for memory.
        scores: scores that parts of the run have stored; None without parts.
        beside: number of processes that compare blocks too.
        size: bytes of text in a block, about.
        pieces: least number of blocks, where each has LEAST_PAIRS pairs. It does not depend on the number of workers, so that a stored
            block has the same pairs for any.
    """

    corpus: Corpus
    plan: Plan
    classes: Classes
    work: Work
    keeper: FoundKeeper | None
    scores: GroupScores | None = None
    beside: int = 0
    size: int = BLOCK_BYTES
    pieces: int = 1

    def compared(
        self, left: np.ndarray, right: np.ndarray, compare: Compare, name: str, progress: Progress
    ) -> list[Block]:
        """Return the blocks of all pairs, compared in groups: a group is one stored file, `name` and its number.

        Without pairs, no pair is compared once: the names and types of the measures are needed all the same.

        Args:
            left, right: classes of each pair; pairs that share documents stand together.
            compare: called with the documents of a block, left and right as indices into them, their names, and the places of
                the block among the pairs.
        """
        corpus, work, keeper, firsts = self.corpus, self.work, self.keeper, self.classes.first
        needs = self.plan.method.traits.needs

        def block_of(bounds: tuple[int, int]) -> Block:
            where = slice(*bounds)
            docs, index = np.unique(np.concatenate([left[where], right[where]]), return_inverse=True)
            documents = corpus.take(firsts[docs], needs)
            count = bounds[1] - bounds[0]
            one, other = index[:count].astype(np.uint32), index[count:].astype(np.uint32)
            return compare(documents, one, other, firsts[docs], where)

        # Where differences are examined, one block is read while kernels work on the other.
        reads = active_differences(self.plan.method) is not None and self.plan.workers != 1
        at_once = max(2 if reads else 1, 1 + self.beside)
        blocks = _blocks(left, right, corpus.texts.bytes[firsts], self.size, self.pieces)
        found: list[Block] = []
        # Groups that parts share are small, so that each part has some.
        most = KEPT_BLOCKS if self.scores is None else min(1 + len(blocks) // SHARED_GROUPS, KEPT_BLOCKS)
        groups = _groups(blocks, most) if work.stores_values or self.scores is not None else [blocks]
        check = of_blocks(len(firsts))
        for number, group in enumerate(groups):
            stored = None if self.scores is None else self.scores.group(number, len(left), len(groups), check)
            if stored is not None:
                progress.advance(group[-1][1] - group[0][0])
                found += stored
                continue

            def made(group: list[tuple[int, int]] = group, number: int = number) -> list[Block]:
                some: list[Block] = []
                for (a, b), block in zip(group, in_order(block_of, group, at_once), strict=True):
                    some.append(block if keeper is None or work.stores_values else _store_lists(block, keeper))
                    progress.advance(b - a)
                told = [(i, block[3]) for i, block in enumerate(some) if block[3] is not None]
                shared = work.share(f"differences-{name}-{number:05}", [lists for _, lists in told])
                for (i, _), lists in zip(told, shared, strict=True):
                    some[i] = (*some[i][:3], lists)
                return some

            found += work.stage(f"{name}-{number:05}", made, check=check)
        if not found:
            none = np.zeros(0, np.uint32)
            found = [compare(corpus.take(left[:0], needs), none, none, left[:0], slice(0, 0))]
        return found


def _store_lists(block: Block, keeper: FoundKeeper) -> Block:
    """Return the block with its lists of differences stored by the keeper, in memory or mapped."""
    lists = block[3]
    return (*block[:3], lists if lists is None else DifferenceLists.of_arrays(keeper.arrays(lists.arrays())))


def _groups(blocks: list[tuple[int, int]], most: int) -> list[list[tuple[int, int]]]:
    """Group consecutive blocks for one file each: at most `most` blocks, and about KEPT_PAIRS pairs."""
    groups: list[list[tuple[int, int]]] = []
    for block in blocks:
        if not groups or len(groups[-1]) == most or block[1] - groups[-1][0][0] > KEPT_PAIRS:
            groups.append([])
        groups[-1].append(block)
    return groups


def _blocks(left: np.ndarray, right: np.ndarray, size: np.ndarray, most: int, pieces: int) -> list[tuple[int, int]]:
    """Return ranges (start, end) of consecutive pairs, each with about `most` bytes of new texts and at most BLOCK_PAIRS pairs.

    There are at least `pieces` of them where each has LEAST_PAIRS pairs.
    """
    n = len(left)
    if not n:
        return []
    both = np.stack([left, right], 1).reshape(-1)
    first = np.full(len(size), -1)
    first[both[::-1]] = np.arange(len(both))[::-1]  # in reverse, so that first occurrences remain
    first = first[first >= 0]
    new = np.zeros(len(both), np.int64)
    new[first] = size[both[first]]
    piece = np.cumsum(new)[1::2] // most + np.arange(n) // BLOCK_PAIRS
    pieces = min(pieces, n // LEAST_PAIRS)
    if np.count_nonzero(np.diff(piece)) + 1 < pieces:
        piece += np.arange(n) * pieces // n
    return [*pairwise([0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), n])]
