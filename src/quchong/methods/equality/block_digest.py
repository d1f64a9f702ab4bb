"""Equal blocks of texts, by a log of their digests: paragraphs, content-defined chunks, or whole texts (数据块指纹).

Source: Kathpal 2011; Muthitacharoen 2001 for chunks cut by content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.block_log import BlockLog
from quchong.candidates.set_join import met_by
from quchong.features.blocks import Blocks, blocks_of
from quchong.features.feature_sets import places
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.hashing import mix64
from quchong.kernels.offsets import first_of_runs, positions_in_items
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.papers import BySets
from quchong.methods.bases.sentences import spans
from quchong.parameters import MOST, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, Join, JoinLimits, Marks, Meetings, SetJoin, Sight, Spans, Traits
from quchong.similarity.coverage import lesser, set_coverage
from quchong.text import form


@dataclass(frozen=True, slots=True)
class BlockDigest(BySets, OverlapMethod):
    """Method on equal blocks: the share of each document's letters and digits in blocks that both have, equal in normal form.

    Blocks are written to a log in the order of their digests, and later ones are merged into it. Only blocks that occur twice take part in
    the later steps.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest mutual coverage (the smaller of both shares) at which two texts are duplicates."
    )
    most: int = MOST(128)

    unit: str = parameter(
        "paragraph",
        'blocks of a text. "paragraph": a line. "chunk": a stretch of text whose end is set by its last '
        'tokens, independent of line ends. "document": the whole text, so that only equal texts are '
        "candidates.",
        choices=("paragraph", "chunk", "document"),
    )
    chunk: int = parameter(
        64,
        "average number of tokens in a chunk. A chunk has from a quarter of this number to four times as many.",
        least=16,
        most=1 << 20,
    )
    min_length: int = parameter(10, "blocks with fewer tokens than this are not used.", least=1)

    name: ClassVar[str] = "block-digest"
    usual: ClassVar[float] = 0.8
    inside: ClassVar[float] = 0.8
    worth: ClassVar[float] = 0.1
    traits: ClassVar[Traits] = Traits(
        title="share of equal paragraphs or chunks in either document; they are found in a log of 128-bit digests",
        paper="Kathpal 2011; Muthitacharoen 2001",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. The digests of each batch are sorted. The number of pairs "
            "grows with the sum of the squared posting-list lengths of equal blocks, but each document is "
            "compared with at most 128 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def blocks(self, documents: Documents, workers: int | None = None) -> Blocks:
        """Split documents into blocks (paragraphs, chunks or whole texts, by `unit`); return their offsets and 128-bit digests."""
        return blocks_of(documents.texts, form(self.normalise), self.unit, self.chunk, self.min_length, workers)

    @property
    def candidates(self) -> Join:
        """Join by equal blocks; on one machine `meet` finds the same pairs by the sorted log of all block digests."""
        return SetJoin(self.sets_of, self.join_limits(), meet=self.meet, statistics=self.statistics_used)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of its tokens that a candidate has in common blocks."""
        return JoinLimits(self.cap, 1, self.floor, self.most)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the blocks of each document, weighted by their tokens; a block that occurs twice weighs twice."""
        made = self.blocks(documents, workers)
        return _weighed(mix64(made.high ^ mix64(made.low)), made, workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the blocks of documents as marks."""
        made = self.blocks(documents, workers)
        places = np.stack([made.start, made.end], 1)
        values, counted = mix64(made.high ^ mix64(made.low)), np.ones(len(made.high), bool)
        return (Marks("blocks", made.offsets, places, values, counted, figures={"tokens": made.length}, listed=True),)

    def logged(self, documents: Documents, workers: int | None = None) -> tuple[Blocks, BlockLog]:
        """Return the blocks of documents and their block log (digests, sorted), built batch by batch and merged."""
        log, parts, first = BlockLog.from_blocks(np.zeros(0, np.uint64), np.zeros(0, np.uint64)), [], 0
        for index in places(documents.texts):
            made = self.blocks(documents.take(index), workers)
            log = log.merged(BlockLog.from_blocks(made.high, made.low, first))
            first += len(made.high)
            parts.append(made)
        return Blocks.join_batches(parts), log

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find the same candidate pairs as the join of the sets, for documents on one machine; only blocks that occur twice are compared.

        All other blocks of a document are replaced by one value of its own.
        """
        made, log = self.logged(documents, workers)
        oldest, count = log.canonical()
        alone = len(count) + made.document
        values = np.where(count > 1, oldest, alone).astype(np.uint64)
        return met_by(_weighed(values, made, workers), self.join_limits(), scope, references, workers)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: the share of each document's tokens in common blocks, the lesser share, and the tokens in blocks."""
        made = self.blocks(documents, workers)
        group = _numbered(made)
        out = set_coverage(_weighed(group.astype(np.uint64), made, workers), left, right, workers=workers)
        return out | {"evidence": lesser(out)}

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Spans:
        """Return the common blocks, each of the left document with the first equal one of the right."""
        made = self.blocks(documents, workers)
        group, counts = _numbered(made), np.diff(made.offsets)
        n = int(group.max(initial=-1)) + 1
        key = made.document * max(n, 1) + group
        known, first = np.unique(key, return_index=True)
        size = counts[left]
        pair = np.repeat(np.arange(len(left)), size)
        i = positions_in_items(size) + made.offsets[left[pair]]
        wanted = right[pair].astype(np.int64) * max(n, 1) + group[i]
        at = np.minimum(np.searchsorted(known, wanted), max(0, len(known) - 1))
        both = known[at] == wanted if len(known) else np.zeros(0, bool)
        i, j, pair = i[both], first[at[both]], pair[both]
        where = np.stack([made.start[i], made.end[i], made.start[j], made.end[j]], 1)
        return spans(len(left), pair, where, True)


def _numbered(made: Blocks) -> np.ndarray:
    """Return a number for each block, equal only for blocks whose digests are equal in all 128 bits."""
    log = BlockLog.from_blocks(made.high, made.low)
    out = np.empty(len(log.block), np.int64)
    out[log.block] = log.group
    return out


def _weighed(values: np.ndarray, made: Blocks, workers: int | None) -> FeatureSets:
    """Build a set of block values for each document, each weighted by the number of tokens of its blocks with that value."""
    order = np.lexsort((values, made.document))
    document, value = made.document[order], values[order]
    first = np.flatnonzero(first_of_runs(value, document))
    tokens = np.add.reduceat(made.length[order], first) if len(first) else first
    offsets = np.searchsorted(document[first], np.arange(len(made.offsets))).astype(np.int64)
    return kernels.sets.feature_sets(value[first], offsets, workers=workers).weighing(tokens.astype(np.uint32))
