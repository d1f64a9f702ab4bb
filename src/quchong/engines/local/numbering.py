"""Common numbers for the words of several batches of tokens: in all batches equal numbers mean equal words.

Each batch has a list of its distinct words (`quchong.kernels.text.KeptWords`). Words of two batches are equal if their hashes and
their names of 128 bits are equal. The probability that two different ones of 2,000,000 words agree in both is below 10**-26.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from quchong.kernels.offsets import first_of_runs
from quchong.kernels.text import KeptWords, MovedWords

TOKEN_HASH = np.uint32(0x3FFFFFFF)
"""A word's token without its mark, as in cpp/text/text.hpp."""


@dataclass(frozen=True, slots=True)
class Numbering:
    """Renumbering of the tokens of each batch.

    Attributes:
        moved: the words whose new token differs from their hash.
        changed: for batch b the tokens that change (uint32, ascending) and their new values; batches without changes are left out.
    """

    moved: MovedWords
    changed: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def renumbered(self, tokens: np.ndarray, batch: int) -> np.ndarray:
        """Return the tokens of a batch translated to the numbers that all batches share."""
        if batch not in self.changed:
            return tokens
        before, after = self.changed[batch]
        at = np.minimum(np.searchsorted(before, tokens), len(before) - 1)
        out: np.ndarray = np.where(before[at] == tokens, after[at], tokens)
        return out


def number_words(batches: Sequence[KeptWords]) -> Numbering:
    """Give the distinct words of several batches common numbers; return the translation for each batch.

    Of words with one hash the first, in order of the batches, keeps the hash as its number. The others get the least unused numbers,
    with the mark of their token. Cost: a sort of the words.
    """
    if len(batches) == 1:
        only = batches[0]
        some = only.numbers != only.hashes
        return Numbering(MovedWords(only.numbers[some], only.hashes[some]))
    if not batches:
        return Numbering(MovedWords.none())
    # Group the rows of all batches by word, which is its hash with its 128-bit name.
    numbers, hashes, high, low = (np.concatenate(column) for column in zip(*batches, strict=True))
    batch = np.repeat(np.arange(len(batches)), [len(words.numbers) for words in batches])
    order = np.lexsort((numbers, numbers != hashes, batch, low, high, hashes))  # each word's first occurrence first
    h = hashes[order]
    first = first_of_runs(h, high[order], low[order])
    word = np.empty(len(order), np.int64)
    word[order] = np.cumsum(first) - 1
    leader = order[first]  # of each different word the row where it occurs first
    final = hashes[leader].copy()
    bare = final & TOKEN_HASH
    # Of one hash the earliest word first: it keeps the hash.
    own = np.lexsort((numbers[leader], numbers[leader] != final, batch[leader], bare))
    later = own[1:][bare[own][1:] == bare[own][:-1]]
    if not len(later):
        return Numbering(MovedWords.none())
    later = later[np.lexsort((numbers[leader[later]], batch[leader[later]]))]
    # Words that come later with a used hash get the least unused numbers, in the order of the batches.
    taken = set(bare.tolist())
    free = (n for n in count() if n not in taken)
    for k in later.tolist():
        final[k] = (final[k] & ~TOKEN_HASH) | np.uint32(next(free))
    moved = later[np.argsort(final[later])]
    # Collect for each batch the tokens whose number changes.
    changed = {}
    becomes = final[word]
    for b in np.unique(batch[becomes != numbers]).tolist():
        rows = np.flatnonzero((batch == b) & (becomes != numbers))
        rows = rows[np.argsort(numbers[rows])]
        changed[b] = numbers[rows], becomes[rows]
    return Numbering(MovedWords(final[moved], hashes[leader[moved]]), changed)
