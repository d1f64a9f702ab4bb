"""YAP3: greedy string tiling, which finds moved blocks (贪婪串铺盖, RKR-GST).

Source: Wise 1996 (YAP3); Wise 1993 (running Karp-Rabin matching); Karp 1987.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.set_join import capped_note
from quchong.features.feature_sets import in_batches
from quchong.features.located_features import shingles_placed
from quchong.features.passage_characters import joined_runs, spans_of
from quchong.kernels.arrays import FeatureSets, Names, Ragged, Texts
from quchong.kernels.offsets import prefix_sums
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.parameters import CAP, MOST, THRESHOLD, TOKENS, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, JoinLimits, Meetings, Sight, Spans, Traits
from quchong.similarity.coverage import share
from quchong.text import form

HAN_SHORTEST, WORD_SHORTEST = 8, 4
START = 20


@dataclass(frozen=True, slots=True)
class Yap3(OverlapMethod):
    """Method on tiles (greedy string tiling): equal passages, each token in one tile at most, the longest first.

    Among equal lengths the first one in the shorter text is taken, then the first in the other, so that a score does not depend on which
    text is the left one.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest value of 2 * coverage / (tokens of both) at which two texts are duplicates."
    )

    cap: int = CAP(
        256,
        "maximum number of documents with the same passage that are compared with others; the policy chooses "
        "which. A passage that more documents have is boilerplate; copies also share other passages.",
    )
    most: int = MOST(128)
    mml: int | None = parameter(
        None,
        "minimum number of tokens of a tile. Default: 8 if at least half of the tokens of either text are "
        "single characters of a script without spaces, else 4.",
        least=1,
        most=63,
    )
    tokens: str = TOKENS("auto")

    name: ClassVar[str] = "yap3"
    usual: ClassVar[float] = 0.8
    traits: ClassVar[Traits] = Traits(
        title="greedy tiles of equal runs (RKR-GST): coverage with exact passages; moved blocks are counted too",
        paper="Wise 1996 (YAP3)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time per pair grows almost linearly with the lengths of both texts, or as n^1.5 log n if a text "
            "repeats itself. Each document is compared with at most 128 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def _han(self, singles: np.ndarray, docs: Ragged | Names) -> np.ndarray:
        """Return a mask of the documents of which at least half the tokens are single characters; True for all if `tokens` is "char"."""
        mask: np.ndarray = (self.tokens == "char") | (2 * singles.astype(np.int64) >= docs.lengths)
        return mask

    def _runs(self, documents: Documents, mml: int, workers: int | None, *, words_only: bool) -> FeatureSets:
        """Return the multiset of shingles of `mml` tokens of each document; none for shorter ones, nor with `words_only` for Chinese."""

        def made(piece: Texts) -> FeatureSets:
            docs, singles, _, _ = kernels.text.names(form(self.normalise, self.tokens), piece, workers=workers)
            sets = kernels.sets.feature_sets(
                *kernels.features.ragged_shingles(docs, mml, workers), weighted=True, workers=workers
            )
            keep = docs.lengths >= mml
            if words_only:
                keep &= ~self._han(singles, docs)
            return sets.select_values(np.repeat(keep, sets.lengths))

        return in_batches(documents.texts, made)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find all pairs whose coverage may reach the floor, by the shingles of mml tokens that they share.

        t tiles of at least mml tokens that cover c >= t * mml tokens contain c - t * (mml - 1) >= c / mml shingles of mml tokens, none
        twice. A listed pair has c >= floor * the tokens of the shorter document, which has fewer such shingles than tokens: it shares floor
        / mml of them.
        """
        left, right = np.zeros(0, np.int64), np.zeros(0, np.int64)
        capped = largest = bounded = 0
        unseen = np.ones(len(documents), bool)
        kinds = [(HAN_SHORTEST, False), (WORD_SHORTEST, True)] if self.mml is None else [(self.mml, False)]
        for mml, words_only in kinds:
            sets = self._runs(documents, mml, workers, words_only=words_only)
            met = kernels.sets.meet_sets(
                sets,
                self.floor / mml,
                cap=self.cap,
                scope=scope,
                references=references,
                most=self.most,
                workers=workers,
            )
            left, right = np.concatenate([left, met.left]), np.concatenate([right, met.right])
            unseen &= sets.lengths == 0
            capped, largest, bounded = capped + met.capped, max(largest, met.largest), max(bounded, met.bounded)
        right, left = np.unique(np.stack([right, left], axis=1), axis=0).T
        notes = capped_note(capped, largest, self.cap) + JoinLimits(self.cap, most=self.most).notes(bounded)
        return Meetings(left, right, notes, unseen)

    def _tiles(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None, *, places: bool
    ) -> tuple[kernels.text.Tokenised, np.ndarray, np.ndarray, np.ndarray]:
        """Return tokens, the least tile length of each pair, offsets of pairs, and tiles."""
        found = kernels.text.tokenise(
            form(self.normalise, self.tokens), documents.texts, places=places, workers=workers
        )
        if self.mml is None:
            han = self._han(found.singles, found.docs)
            shortest = np.where(han[left] | han[right], HAN_SHORTEST, WORD_SHORTEST)
        else:
            shortest = np.full(len(left), self.mml)
        # Of ties the first in one text decides: that text is the shorter one, so that both ways give the same tiles.
        digest = kernels.text.fingerprints(
            form(self.normalise, self.tokens), documents.texts, anchors=False, workers=workers
        ).high
        size = found.docs.lengths
        swap = (size[left] > size[right]) | ((size[left] == size[right]) & (digest[left] > digest[right]))
        first, second = np.where(swap, right, left), np.where(swap, left, right)
        offsets, tiles = kernels.runs.tiles(found.docs, first, second, shortest, start=START, workers=workers)
        pair = np.repeat(np.arange(len(left)), np.diff(offsets))
        tiles = np.where(swap[pair][:, None], tiles[:, [1, 0, 2]], tiles)
        return found, shortest, offsets, tiles[np.lexsort((tiles[:, 0], pair))]

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return coverage: twice the tokens in tiles over the tokens of both, and the share of each document.

        `features_left` and `features_right` are its tokens, 0 for a document too short for a tile.
        """
        found, shortest, offsets, tiles = self._tiles(documents, left, right, workers, places=False)
        total = prefix_sums(tiles[:, 2])
        coverage = total[offsets[1:]] - total[offsets[:-1]]
        a, b = found.docs.lengths[left], found.docs.lengths[right]
        return {
            "evidence": share(2 * coverage, a + b),
            "covered_left": share(coverage, a),
            "covered_right": share(coverage, b),
            "features_left": np.where(a >= shortest, a, 0).astype(np.float64),
            "features_right": np.where(b >= shortest, b, 0).astype(np.float64),
        }

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Spans:
        """Return the tiles; tiles that continue each other in both texts are merged."""
        found, _, offsets, tiles = self._tiles(documents, left, right, workers, places=True)
        return spans_of(found, left, right, *joined_runs(offsets, tiles))

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the shingles of the least tile length; the tiles themselves are the passages."""
        docs, singles = documents.tokenised(form(self.normalise, self.tokens), workers)
        width = self.mml or (HAN_SHORTEST if self._han(singles, docs).any() else WORD_SHORTEST)
        return (shingles_placed("runs", form(self.normalise, self.tokens), documents, width, workers),)
