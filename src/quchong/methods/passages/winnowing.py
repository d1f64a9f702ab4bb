"""Winnowing, as MOSS does it: the least hash of every window of k-grams is a fingerprint (指纹筛选).

Source: Schleimer 2003 (MOSS).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.features.feature_sets import concatenate_sets
from quchong.features.feature_sets import places as cut
from quchong.features.located_features import runs_placed, tokens_placed
from quchong.features.passage_characters import spans_of
from quchong.features.winnowed import by_mask
from quchong.kernels.arrays import FeatureSets, Names
from quchong.kernels.offsets import prefix_sums
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.papers import BySets
from quchong.parameters import NGRAM_SIZE, THRESHOLD, TOKENS, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, JoinLimits, Sight, Spans, Traits
from quchong.similarity.coverage import set_coverage
from quchong.text import form

HAN, WORDS = (10, 11), (5, 4)
"""Tokens of a k-gram and k-grams of a window: for texts mostly of single characters, and for others."""


@dataclass(frozen=True, slots=True)
class Winnowing(BySets, OverlapMethod):
    """Method on winnowed fingerprints: the share of each document's fingerprints found in the other.

    Guarantee: a run of ngram_size + window - 1 tokens that two texts of one kind share is noticed, and nothing shorter than ngram_size ever
    is. By default that is 20 and 10 characters in Chinese texts (at least half of whose tokens are single characters of a script without
    spaces), 8 and 5 words in others. Texts of fewer than ngram_size tokens are not compared, nor texts of different kinds if their widths
    differ.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest Jaccard of the fingerprint sets at which two texts are duplicates."
    )

    ngram_size: int | None = NGRAM_SIZE(
        None, "k, the number of tokens in a k-gram; the default is 10 in Chinese texts, 5 in others."
    )
    window: int | None = parameter(
        None, "w, the number of k-grams in a window; by default 11 in Chinese texts, 4 in others.", least=1, most=10_000
    )
    tokens: str = TOKENS("auto")

    name: ClassVar[str] = "winnowing"
    usual: ClassVar[float] = 0.6
    traits: ClassVar[Traits] = Traits(
        title=(
            "winnowed fingerprints, compared by their share of each document; every equal run that is long "
            "enough is found"
        ),
        paper="Schleimer 2003 (MOSS)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths, but each document is compared with at most 1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def _widths(self, usual: tuple[int, int]) -> tuple[int, int]:
        return self.ngram_size or usual[0], self.window or usual[1]

    def _fingerprints(
        self, docs: Names, singles: np.ndarray, workers: int | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the fingerprints: hashes, positions, offsets of documents, and the shingle width of each document."""
        han = (self.tokens == "char") | (2 * singles.astype(np.int64) >= docs.lengths)
        kinds = [self._widths(HAN), self._widths(WORDS)]
        made = [kernels.features.window_minima(docs, ngram, window, workers) for ngram, window in kinds]
        offsets, (values, places) = by_mask(han, *[(o, (v, p)) for v, p, o in made])
        return values, places, offsets, np.where(han, kinds[0][0], kinds[1][0])

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the distinct fingerprints of each document."""
        parts = []
        for index in cut(documents.texts):
            found = kernels.text.names(form(self.normalise, self.tokens), documents.texts.take(index), workers=workers)
            values, _, offsets, _ = self._fingerprints(found.docs, found.singles, workers)
            parts.append(kernels.sets.feature_sets(values, offsets, workers=workers))
        return concatenate_sets(parts)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of the document with fewer fingerprints, which bounds the Jaccard."""
        return JoinLimits(self.cap, 1, self.floor, self.most)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the Jaccard of the fingerprint sets, and the share of each set found in the other."""
        return set_coverage(self.sets_of(documents, workers), left, right, jaccard=True, workers=workers)

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Spans:
        """Return the maximal passages around the fingerprints that both documents have."""
        found = kernels.text.tokenise(form(self.normalise, self.tokens), documents.texts, places=True, workers=workers)
        named = kernels.text.names(form(self.normalise, self.tokens), documents.texts, workers=workers)
        values, places, offsets, width = self._fingerprints(named.docs, named.singles, workers)
        _, number = np.unique(values, return_inverse=True)

        def prints_of(side: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            """Return the pair and the index of each common fingerprint of one side."""
            count = np.diff(offsets)[side]
            pair = np.repeat(np.arange(len(side)), count)
            first = prefix_sums(count)[:-1]
            return pair, np.arange(len(pair)) - first[pair] + offsets[side][pair]

        (pair, at), (other, there) = prints_of(left), prints_of(right)
        base = len(number) + 1
        matched = np.isin(pair * base + number[at], other * base + number[there])
        pair, place = pair[matched], places[at[matched]].astype(np.int64)

        least = int(min(self._widths(HAN)[0], self._widths(WORDS)[0]))
        shared = kernels.runs.shared_runs(found.docs, left, right, least, workers=workers)
        owner = np.repeat(np.arange(len(left)), np.diff(shared.offsets))
        start, length = shared.runs[:, 0].astype(np.int64), shared.runs[:, 2].astype(np.int64)
        key = np.append(pair << 32 | place, np.iinfo(np.int64).max)
        first = key[
            np.searchsorted(key, owner << 32 | start)
        ]  # the first fingerprint found from where the run begins on
        keep = (first >> 32 == owner) & ((first & 0xFFFFFFFF) + width[left[owner]] <= start + length)
        counts = np.bincount(owner[keep], minlength=len(left))
        kept = prefix_sums(counts)
        return spans_of(found, left, right, kept, shared.runs[keep])

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the fingerprints that winnowing selects."""
        found = tokens_placed(form(self.normalise, self.tokens), documents, workers)
        values, at, offsets, width = self._fingerprints(found.docs, found.singles, workers)
        document = np.repeat(np.arange(len(documents)), np.diff(offsets))
        return (runs_placed("fingerprints", found, values, offsets, at, width[document]),)
