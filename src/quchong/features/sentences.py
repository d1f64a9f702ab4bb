"""Sentences as flat arrays: offsets, lengths, first terms and hashes.

Source: Feng 2015a (SL+ST, 句长序列); Wang 2009 (SL); Zhang 2010.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from quchong import kernels
from quchong.errors import UsageError
from quchong.features.feature_sets import among, batches
from quchong.features.stopwords import tokens_of, words_of
from quchong.features.text_offsets import pieces_of, place_keys
from quchong.kernels.arrays import AnyTexts, Texts
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.text import Form, TokenNames

BATCH_BYTES = 2 << 20
"""Bytes of text processed at once, because processing takes about 200 bytes a token."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences of texts, those without a term left out; text i owns the sentences offsets[i]:offsets[i + 1].

    Attributes:
        offsets: int64, one more than there are texts.
        start, end: uint32: its range in characters of its text.
        number: uint32: its number among the sentences of its text that have a token; a sentence without a term leaves a gap.
        length: uint32: number of its terms.
        first: uint64: hash of its first terms; sentences that have fewer agree only with such.
        whole: uint64: hash of its normal form, stop words included; equal for equal sentences.
    """

    offsets: np.ndarray
    start: np.ndarray
    end: np.ndarray
    number: np.ndarray
    length: np.ndarray
    first: np.ndarray
    whole: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """Number of sentences of each text, int64."""
        return np.diff(self.offsets)

    @property
    def document(self) -> np.ndarray:
        """Number of the text of each sentence, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)

    def select(self, keep: np.ndarray) -> Sentences:
        """Return the sentences selected by a bool mask; the offsets of texts are adapted."""
        kept = prefix_sums(keep)
        rest = (getattr(self, f.name)[keep] for f in fields(self) if f.name != "offsets")
        return Sentences(kept[self.offsets], *rest)

    @staticmethod
    def join_batches(parts: list[Sentences]) -> Sentences:
        """Concatenate the sentences of batches."""
        if len(parts) == 1:
            return parts[0]
        base = np.cumsum([0, *(len(p.start) for p in parts)])
        offsets = np.concatenate([[0], *(p.offsets[1:] + b for p, b in zip(parts, base[:-1], strict=True))])
        rest = (np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Sentences) if f.name != "offsets")
        return Sentences(offsets.astype(np.int64), *rest)


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of texts in order: `value` (uint64 hashes) and `sentence` (int64), the sentence of each, ascending."""

    value: np.ndarray
    sentence: np.ndarray

    def select(self, keep: np.ndarray) -> Terms:
        """Return the terms of the sentences selected by a mask; sentences are renumbered."""
        stays = keep[self.sentence]
        return Terms(self.value[stays], (np.cumsum(keep) - 1)[self.sentence[stays]])


@dataclass(frozen=True, slots=True)
class SentenceTerms:
    """Settings by which texts become sentences of terms.

    Args:
        form: how texts become tokens.
        cut: mask of the tokens that begin a term (`quchong.text.words.word_starts`); None: every token is a term.
        stop_words: words that are no terms, see `quchong.features.stopwords`; "none" keeps all. Where every token is a term,
            only words of one token can be.
        first: terms a sentence is checked by.
    """

    form: Form
    cut: Callable[[TokenNames], np.ndarray] | None = None
    stop_words: str = "standard"
    first: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.first <= 1000:
            raise UsageError("n_terms must be 1 to 1000, got {}", self.first)
        words_of(self.stop_words, "stop_words")

    def split_sentences(self, texts: AnyTexts, workers: int | None = None) -> Sentences:
        """Split texts into sentences and return these, without their terms.

        Cost: linear, and that of `cut`. Memory: 32 bytes a sentence, and what a batch of text takes on the way.
        """
        return Sentences.join_batches([s for s, _ in self.pieces(texts, workers)])

    def pieces(self, texts: AnyTexts, workers: int | None = None) -> Iterator[tuple[Sentences, Terms]]:
        """Split texts into sentences; yield the sentences and their terms for one batch of consecutive texts after the other."""
        stop = self._stop_words()
        for piece in batches(texts, BATCH_BYTES):
            yield self._made(piece, stop, workers)

    def sentences_and_terms(self, texts: AnyTexts, workers: int | None = None) -> tuple[Sentences, Terms]:
        """Split texts into sentences; return these and all their terms. Memory: 16 bytes a term more than `split_sentences`."""
        found = list(self.pieces(texts, workers))
        before = np.cumsum([0, *(len(s.start) for s, _ in found)])
        sentence = [t.sentence + b for (_, t), b in zip(found, before[:-1], strict=True)]
        terms = Terms(np.concatenate([t.value for _, t in found]), np.concatenate(sentence).astype(np.int64))
        return Sentences.join_batches([s for s, _ in found]), terms

    def _stop_words(self) -> np.ndarray:
        """Return the hashes of stop words as terms, ascending."""
        return np.unique(self.hashes(words_of(self.stop_words, "stop_words")))

    def hashes(self, words: tuple[str, ...]) -> np.ndarray:
        """Return the hash (uint64) of each word as a term of a sentence; a word without letter or digit has none."""
        tokens = tokens_of(self.form, words)
        flat = np.array([t for w in tokens for t in w], np.uint64)
        return _hashed(flat, np.cumsum([0, *map(len, tokens)]))

    def _made(self, texts: Texts, stop: np.ndarray, workers: int | None) -> tuple[Sentences, Terms]:
        found = kernels.text.names(self.form, texts, places=True, workers=workers)
        start, end, offsets = kernels.text.sentence_places(texts, workers)
        sentence = _sentence_of(found, start, offsets)
        begins = first_of_runs(sentence)
        heads = begins | self.cut(found) if self.cut is not None else np.ones(len(sentence), bool)
        at = np.flatnonzero(heads)
        terms = _hashed(found.docs.tokens, np.append(at, len(heads)))
        kept = ~among(terms, stop)
        length = np.bincount(sentence[at][kept], minlength=len(start))
        said = length > 0
        before = prefix_sums(said)  # sentences without a term go
        owner, value = before[sentence[at][kept]], terms[kept]
        spoken = said[sentence]
        worded = np.zeros(len(start) + 1, np.int64)
        worded[1 + sentence[begins]] = 1
        worded = np.cumsum(worded)
        number = worded[:-1] - np.repeat(worded[offsets[:-1]], np.diff(offsets))
        whole = sequence_hashes(found.docs.tokens[spoken], before[sentence[spoken]])
        first = sequence_hashes(value, owner, self.first)
        return (
            Sentences(
                before[offsets], start[said], end[said], number[said].astype(np.uint32),
                length[said].astype(np.uint32), first, whole,
            ),
            Terms(value, owner),
        )  # fmt: skip


def _sentence_of(found: TokenNames, start: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return for each token the number of the sentence in which it begins, int64."""
    return pieces_of(place_keys(start, np.diff(offsets)), place_keys(found.start, found.docs.lengths))


def _hashed(tokens: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return the hash of each sequence of tokens tokens[edges[k]:edges[k + 1]], uint64; no sequence is empty."""
    n = np.diff(edges)
    return sequence_hashes(tokens[: edges[-1]], np.repeat(np.arange(len(n)), n))


def sequence_keys(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return a number (uint64) for each sequence values[offsets[i]:offsets[i + 1]], equal only for equal sequences.

    Of two sequences the one with the lesser number is compared as the left, so that a result does not depend on which is which.
    """
    place = (positions_in_items(np.diff(offsets)) + 1).astype(np.uint64)
    with np.errstate(over="ignore"):
        total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mix64(values + place * GOLDEN), dtype=np.uint64)])
        out: np.ndarray = total[offsets[1:]] - total[offsets[:-1]]
    return out


def sequence_hashes(values: np.ndarray, owner: np.ndarray, most: int | None = None) -> np.ndarray:
    """Return the hash of the first `most` values (None: all) of each owner in order, uint64; owners are 0, 1, 2, ...

    Each owner has at least one value.
    """
    if not len(owner):
        return np.zeros(0, np.uint64)
    edges = np.flatnonzero(first_of_runs(owner))
    place = np.arange(len(owner)) - edges[owner]
    if most is not None:
        values, place = values[place < most], place[place < most]
        edges = np.flatnonzero(place == 0)
    n = np.diff(np.append(edges, len(values))).astype(np.uint64)
    with np.errstate(over="ignore"):
        hashed = mix64(values.astype(np.uint64) + (place + 1).astype(np.uint64) * GOLDEN)
        return mix64(np.add.reduceat(hashed, edges) + n)
