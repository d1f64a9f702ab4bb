"""One side of edits: its tokens, and what marks they have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from quchong.differences import marks
from quchong.differences.meaning import LISTS, lexicon
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import word_hash

_BITS = 20
_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))


@dataclass(frozen=True, slots=True)
class Side:
    """Stretches of tokens, each of one document: tokens[first:last], the document from `least` to `most`.

    `own` are the marks that some token of each has.
    """

    tokens: np.ndarray
    first: np.ndarray
    last: np.ndarray
    least: np.ndarray
    most: np.ndarray
    own: np.ndarray

    @staticmethod
    def of(docs: Ragged, document: np.ndarray, first: np.ndarray, last: np.ndarray) -> Side:
        """Tokens first to last (half open) of these documents."""
        start = docs.offsets[document]
        a, b = start + first, start + last
        return Side(docs.tokens, a, b, start, docs.offsets[document + 1], marks.either(docs.tokens, a, b))

    def beside(self, n: int) -> np.ndarray:
        """The marks of the n tokens before each stretch and of those behind it."""
        out: np.ndarray = self.before(n) | self.behind(n)
        return out

    def before(self, n: int) -> np.ndarray:
        """The marks of the n tokens before each stretch."""
        return marks.either(self.tokens, np.maximum(self.first - n, self.least), self.first)

    def behind(self, n: int) -> np.ndarray:
        """The marks of the n tokens behind each stretch."""
        return marks.either(self.tokens, self.last, np.minimum(self.last + n, self.most))

    def nameable(self) -> np.ndarray:
        """Mask of the stretches that may be of a name: with or behind a surname, in letters of foreign names, before a suffix."""
        inside = marks.SURNAME | marks.FOREIGN | marks.SUFFIX
        before, behind = self.before(1) & marks.SURNAME, self.behind(2) & marks.SUFFIX
        out: np.ndarray = ((self.own & inside) | before | behind) > 0
        return out

    def listed(self) -> np.ndarray:
        """The lists of which the stretches may have a part in a word, uint8: bit k stands for LISTS[k], and is set wherever one has."""
        first, last = np.maximum(self.first - 1, self.least), np.minimum(self.last + 1, self.most)
        lengths = np.maximum(last - first, 0)
        out = np.zeros(len(first), np.uint8)
        some = np.flatnonzero(lengths)
        if not len(some):
            return out
        starts = np.concatenate([[0], np.cumsum(lengths[some])[:-1]])
        index = np.arange(int(lengths[some].sum())) - np.repeat(starts - first[some], lengths[some])
        tokens = self.tokens[index]
        hit = _table()[
            _slot(tokens, np.zeros(len(tokens), np.uint32))
        ]  # words of one token, which stand in the stretch itself
        hit[
            (index < np.repeat(self.first[some], lengths[some])) | (index >= np.repeat(self.last[some], lengths[some]))
        ] = 0
        pair = np.zeros(len(tokens), np.uint8)
        pair[:-1] = _table()[_slot(tokens[:-1], tokens[1:])]
        pair[(starts + lengths[some] - 1)] = 0  # the last token of a stretch has its follower in another one
        out[some] = np.bitwise_or.reduceat(hit | pair, starts)
        return out


def _slot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    mixed = a.astype(np.uint64) * _FACTORS[0] + b.astype(np.uint64) * _FACTORS[1]
    out: np.ndarray = (mixed >> np.uint64(64 - _BITS)).astype(np.int64)
    return out


@cache
def _table() -> np.ndarray:
    """The lists whose words tokens, and pairs of tokens, stand in, as bits, by their hash."""
    table = np.zeros(1 << _BITS, np.uint8)
    for k, name in enumerate(LISTS):
        singles, pairs = [], []
        for word in (word for word, lists in lexicon()[0].items() if name in lists):
            if word[0].isascii():
                singles += [word_hash(part) | 0x80000000 for part in word.replace("'", " ").replace("-", " ").split()]
            elif len(word) == 1:
                singles.append(ord(word))
            else:
                pairs += [(ord(a), ord(b)) for a, b in pairwise(word)]
        one = np.array(singles, np.uint32)
        table[_slot(one, np.zeros(len(one), np.uint32))] |= 1 << k
        two = np.array(pairs, np.uint32).reshape(-1, 2)
        table[_slot(two[:, 0], two[:, 1])] |= 1 << k
    return table
