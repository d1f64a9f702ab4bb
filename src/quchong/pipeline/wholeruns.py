"""Where equal runs of letters stand in their texts: at whole characters, words and numbers, and equal in the house's form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quchong import kernels
from quchong.features.places import pieces_of, place_keys
from quchong.features.runs import ends_of_characters
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.pipeline.candidates import cut
from quchong.pipeline.corpus import Corpus
from quchong.text import form

ENDS = 64
"""Letters that one word, one number or one character may have where a passage ends; of longer ones nothing is left."""
_AT_ONCE = 1 << 14
"""Runs whose ends are looked at together: 64 places each."""
_BACK = np.uint64(pow(int(GOLDEN), -1, 1 << 64))


class _Read(NamedTuple):
    """Letters of some documents, which is the first of each run, and the tokens they are in."""

    side: int
    piece: np.ndarray
    known: kernels.Tokenised
    first: np.ndarray
    token: np.ndarray  # of each letter
    tokens: np.ndarray
    ends: np.ndarray  # before each letter, and behind the last: do a character and a token end there?


@dataclass(frozen=True, slots=True)
class Runs:
    """Equal runs of letters: documents, where each begins in both, and how many.

    Letters alone would make 3.5 of 35, 二十三 of 二十一 where the run ends behind 二十, and cut words in two.
    """

    corpus: Corpus
    form: kernels.Form
    left: np.ndarray
    right: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray
    workers: int | None

    def places(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places in characters of the texts compared, (n, 4) as in `Spans`, the letters of each, and a mask of the exact.

        What is part of a character, word or number at an end, in either text, is left out; 0 letters where nothing else is
        there. Exact are those of the same tokens on both sides; the others differ in a decimal point or the like.
        """
        n = len(self.left)
        out, lengths, starts = np.zeros((n, 4), np.int64), self.lengths.copy(), self.starts.copy()
        head, tail = (np.full(n, ~np.uint64(0)) for _ in range(2))  # a bit for each of the first and last ENDS places
        steps = np.arange(ENDS)
        for r in self._read(np.arange(n), starts):
            for some in np.split(np.arange(len(r.piece)), range(_AT_ONCE, len(r.piece), _AT_ONCE)):
                at, last = r.piece[some], lengths[r.piece[some]][:, None]
                first, within = r.first[some][:, None], np.minimum(steps, last)
                head[at] &= _bits(r.ends[first + within])
                tail[at] &= _bits(r.ends[first + last - within])
        front, back = _lowest(head), _lowest(tail)
        starts += front[:, None]
        lengths = np.where((head != 0) & (tail != 0), np.maximum(lengths - front - back, 0), 0)
        hashed, count = np.zeros((n, 2), np.uint64), np.zeros((n, 2), np.int64)
        for r in self._read(np.flatnonzero(lengths), starts):
            last = r.first + lengths[r.piece] - 1
            out[r.piece, 2 * r.side], out[r.piece, 2 * r.side + 1] = r.known.start[r.first], r.known.end[last]
            begin, end = r.token[r.first], r.token[last] + 1
            sums = _sums(r.tokens)
            hashed[r.piece, r.side] = (sums[end] - sums[begin]) * _powers(len(sums), _BACK)[begin]
            count[r.piece, r.side] = end - begin
        return out, lengths, (hashed[:, 0] == hashed[:, 1]) & (count[:, 0] == count[:, 1])

    def _read(self, some: np.ndarray, starts: np.ndarray) -> Iterator[_Read]:
        """These runs, by document, on either side."""
        for side, docs in enumerate((self.left, self.right)):
            order = some[np.argsort(docs[some], kind="stable")]
            size = np.zeros(len(docs), np.int64)
            size[order] = np.where(np.diff(docs[order], prepend=-1) != 0, self.corpus.texts.bytes[docs[order]], 0)
            for piece in cut(order, size):
                distinct, index = np.unique(docs[piece], return_inverse=True)
                texts = self.corpus.texts.take(distinct)
                letters, words = (
                    kernels.tokenise(f, texts, places=True, workers=self.workers) for f in (self.form, form())
                )
                token = _token_of(letters, words)
                ends = ends_of_characters(letters)
                ends[1:-1] &= np.diff(token) != 0
                ends[letters.docs.offsets] = True
                first = letters.docs.offsets[index] + starts[piece, side]
                yield _Read(side, piece, letters, first, token, words.docs.tokens, ends)


def _token_of(letters: kernels.Tokenised, words: kernels.Tokenised) -> np.ndarray:
    """The token each letter stands in, by their places; documents one after another."""
    begins, keys = (place_keys(known.start, known.docs.lengths) for known in (words, letters))
    out: np.ndarray = np.maximum(pieces_of(begins, keys), 0)
    return out


def _bits(mask: np.ndarray) -> np.ndarray:
    """Rows of 64 truth values as uint64, the first the lowest bit."""
    packed: np.ndarray = np.packbits(mask, axis=1, bitorder="little").view("<u8")[:, 0]
    return packed


def _lowest(bits: np.ndarray) -> np.ndarray:
    """Place of the lowest bit that is set, int64; 0 where none is."""
    low = bits & (~bits + np.uint64(1))
    place: np.ndarray = np.log2(np.maximum(low, np.uint64(1)).astype(np.float64)).astype(np.int64)
    return place


def _sums(tokens: np.ndarray) -> np.ndarray:
    """Sums of token hashes, each times GOLDEN to the power of its place, up to every token; uint64, one more."""
    terms = mix64(tokens.astype(np.uint64)) * _powers(len(tokens), GOLDEN)
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])


def _powers(n: int, step: np.uint64) -> np.ndarray:
    """1, step, step ** 2, ... modulo 2 ** 64; n of them."""
    out = np.full(max(n, 1), step, np.uint64)
    out[0] = 1
    with np.errstate(over="ignore"):
        np.multiply.accumulate(out, out=out)
    return out[:n]
