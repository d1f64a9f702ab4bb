"""Listed tokens that short edits have: several questions look for tokens of a list, which one look at the edits finds for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from quchong.differences.edits import ANCHORED, READ, Edits
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.sorting import distinct

ASKS, CHOOSES, DIRECTS, DENIES, RANKS, TURNS, CALLS, PASSIVE, PHRASES, QUESTIONS = (1 << k for k in range(10))
"""Lists of tokens as bits, one for each question that looks for them."""


@dataclass(frozen=True, slots=True)
class TokenLists:
    """Tokens of several lists, uint32, ascending and distinct; and the lists that each is in, uint16, as bits."""

    tokens: np.ndarray
    lists: np.ndarray

    @staticmethod
    def from_lists(listed: Mapping[int, np.ndarray]) -> TokenLists:
        """Return the distinct tokens of lists, each with the lists that it is in; the keys are powers of two."""
        tokens = distinct(np.concatenate([some.astype(np.uint32) for some in listed.values()]))
        lists = np.zeros(len(tokens), np.uint16)
        for bit, some in listed.items():
            lists[np.searchsorted(tokens, some)] |= np.uint16(bit)
        return TokenLists(tokens, lists)


@dataclass(frozen=True, slots=True)
class EditTokens:
    """Lists of which the edits have a token.

    Attributes:
        left, right: uint16, lists of the tokens of each edit on that side, as bits; 0 for an edit longer than READ tokens, or not anchored.
        every: lists of the tokens of all edits.
    """

    left: np.ndarray
    right: np.ndarray
    every: int

    def on_either_side(self, bit: int) -> np.ndarray:
        """Return a mask of the edits that have a token of a list on one side at least."""
        mask: np.ndarray = ((self.left | self.right) & np.uint16(bit)) != 0
        return mask

    def on_both_sides(self, bit: int) -> np.ndarray:
        """Return a mask of the edits that have tokens of a list on both sides."""
        mask: np.ndarray = (self.left & self.right & np.uint16(bit)) != 0
        return mask


def edit_tokens(hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, known: TokenLists) -> EditTokens:
    """Return which listed tokens the short, anchored edits have.

    Args:
        hashed: tokens of the documents as hashes of their letters. left, right: documents of each pair.
        known: the lists.

    Cost: linear in the tokens of such edits, one binary search each.
    """
    count = len(edits.pair)
    found = np.zeros((2, count), np.uint16)
    some = ((np.maximum(edits.a, edits.b) <= READ) & (edits.before + edits.after >= ANCHORED)).nonzero()[0]
    if not len(some):
        return EditTokens(found[0], found[1], 0)
    pair, places = edits.pair[some], edits.places[some]
    first = np.concatenate([hashed.offsets[left[pair]] + places[:, 0], hashed.offsets[right[pair]] + places[:, 2]])
    sizes = np.concatenate([edits.a[some], edits.b[some]])
    tokens = hashed.tokens[places_of(first, sizes)]
    at = np.minimum(known.tokens.searchsorted(tokens), len(known.tokens) - 1)
    which = (known.tokens[at] == tokens).nonzero()[0]
    if len(which):
        lists = known.lists[at[which]]
        sides = np.concatenate([some, some + count]).repeat(sizes)[which]
        np.bitwise_or.at(found.reshape(-1), sides, lists)
        return EditTokens(found[0], found[1], int(np.bitwise_or.reduce(lists)))
    return EditTokens(found[0], found[1], 0)
