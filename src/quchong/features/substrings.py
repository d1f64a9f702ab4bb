"""Character substrings as fingerprints, as sif and KOALA select them.

Source: Manber 1994 (sif); Heintze 1996 (KOALA). Twin: `tests/twins/features.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.features.feature_sets import in_batches
from quchong.features.winnowed import Parts, by_mask
from quchong.kernels.arrays import AnyTexts, FeatureSets, Names, Texts
from quchong.kernels.hashing import mix64
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Form

FIRST_EASTERN = 0x2E80
"""First character (Han, kana, hangul) that counts as Chinese when texts are classified."""
VOWELS = np.array([ord(c) for c in "aeiou"], np.uint64)


def mostly_han(docs: Names) -> np.ndarray:
    """Return a mask of the documents of which at least half of the characters are Chinese (or kana or hangul); empty ones are included."""
    return 2 * _per_document(docs.tokens >= FIRST_EASTERN, docs.offsets) >= docs.lengths


def without_vowels(docs: Names, words: np.ndarray) -> Names:
    """Remove a, e, i, o and u from the documents that the mask `words` selects (texts in alphabets)."""
    drop = np.isin(docs.tokens, VOWELS) & np.repeat(words, docs.lengths)
    return Names(docs.tokens[~drop], _offsets(_per_document(~drop, docs.offsets)))


def windows(docs: Names, size: int, workers: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the hashes (uint64) of all substrings of `size` characters of each document in order, and int64 offsets of documents.

    A shorter document has none.
    """
    values, offsets = kernels.features.ragged_shingles(docs, size, workers)
    counts = np.diff(offsets)
    enough = docs.lengths >= size
    return values[np.repeat(enough, counts)], _offsets(np.where(enough, counts, 0))


def _shift_positions(offsets: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Move positions of values from `offsets` (one range per document) to an array where documents begin at `starts`."""
    place: np.ndarray = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], np.diff(offsets))
    return place


def anchor_tokens(form: Form, anchors: str) -> list[np.ndarray]:
    """Split a string at commas into anchors; return the characters of each in the form of the texts. Empty ones are left out."""
    parts = pa.array([a for a in anchors.split(",") if a.strip()], pa.large_string())
    docs = kernels.text.names(form, parts, workers=1).docs
    return [t for t in np.split(docs.tokens, docs.offsets[1:-1]) if len(t)] if len(parts) else []


def begins(tokens: np.ndarray, anchors: list[np.ndarray]) -> np.ndarray:
    """Return a mask of the positions in `tokens` at which one of the anchors, given as arrays of characters, begins."""
    out = np.zeros(len(tokens), bool)
    for anchor in anchors:
        n = len(tokens) - len(anchor) + 1
        if n > 0:
            out[:n] |= np.logical_and.reduce([tokens[k : k + n] == c for k, c in enumerate(anchor.tolist())])
    return out


@dataclass(frozen=True, slots=True)
class SubstringRule:
    """Rule by which sif selects substrings: `bits` low bits of the hash are 0, or, with anchors, the substring begins with one.

    `han` and `words` are the characters of a substring in Chinese texts and in others.
    """

    han: int
    words: int
    bits: int
    anchors: str | None = None

    def sets(self, form: Form, texts: AnyTexts, workers: int | None = None) -> FeatureSets:
        """Return the distinct selected substrings of each text. Cost: O(characters * length of a substring)."""
        anchors = None if self.anchors is None else anchor_tokens(form, self.anchors)

        def made(piece: Texts) -> FeatureSets:
            docs = kernels.text.names(form, piece, workers=workers).docs
            chinese = mostly_han(docs)
            han, words = (windows(docs, size, workers) for size in (self.han, self.words))
            offsets, (values,) = by_mask(chinese, (han[1], (han[0],)), (words[1], (words[0],)))
            if anchors is None:
                keep: np.ndarray = (values & np.uint64((1 << self.bits) - 1)) == 0
            else:
                keep = begins(docs.tokens, anchors)[_shift_positions(offsets, docs.offsets[:-1])]
            kept = prefix_sums(keep)
            return kernels.sets.feature_sets(values[keep], kept[offsets], workers=workers)

        return in_batches(texts, made)


@dataclass(frozen=True, slots=True)
class Selection:
    """Lengths of KOALA's substrings and their prefixes: (alpha, prefix) characters in Chinese texts, and in others.

    In others vowels are dropped first.
    """

    han: tuple[int, int]
    words: tuple[int, int]

    def substrings(
        self, form: Form, texts: AnyTexts, workers: int | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return every substring that KOALA takes of each text, in order, and its prefix: two uint64 arrays of hashes, int64 offsets."""
        docs = kernels.text.names(form, texts, workers=workers).docs
        chinese = mostly_han(docs)
        docs = without_vowels(docs, ~chinese)
        parts: list[Parts] = []
        for alpha, prefix in (self.han, self.words):
            values, offsets = windows(docs, alpha, workers)
            heads, begin = windows(docs, prefix, workers)
            parts.append((offsets, (values, heads[_shift_positions(offsets, begin[:-1])])))
        offsets, (value, head) = by_mask(chinese, *parts)
        return value, head, offsets

    def prefixes(self, form: Form, texts: AnyTexts, workers: int | None = None) -> FeatureSets:
        """Return the prefixes of all substrings of each text as sets; KOALA counts from these how many texts have each prefix."""

        def made(piece: Texts) -> FeatureSets:
            _, head, offsets = self.substrings(form, piece, workers)
            return kernels.sets.feature_sets(head, offsets, workers=workers)

        return in_batches(texts, made)


def drawn(values: np.ndarray, offsets: np.ndarray, salt: int) -> np.ndarray:
    """Return keys (uint64) that order each document's substrings at random, differently for another document or salt."""
    with np.errstate(over="ignore"):
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])
        own = mix64(sums[offsets[1:]] - sums[offsets[:-1]] + np.uint64(salt))
        salted: np.ndarray = np.repeat(own, np.diff(offsets)) ^ values
        return mix64(salted)


def _per_document(mask: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    total = prefix_sums(mask)
    counts: np.ndarray = total[offsets[1:]] - total[offsets[:-1]]
    return counts


def _offsets(counts: np.ndarray) -> np.ndarray:
    return prefix_sums(counts)
