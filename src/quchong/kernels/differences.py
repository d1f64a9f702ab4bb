"""Reasons to read edits, from the marks of their tokens.

The twin is in tests/twins/differences.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import Ragged, ragged_columns
from quchong.kernels.checked import MOST_I32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import U8, Ints


class MarkTables(NamedTuple):
    """Tables of the marks of tokens, by which edits are classified without reading the text.

    Attributes:
        characters: uint8 (65,536): marks of each character of the basic plane, as bits of `quchong.differences.marks`.
        listed: uint8 (2**20): lists that contain a token, or two successive ones, and whether a Latin word negates or states a figure or a
            date, as bits, by `quchong.differences.marks.slot`.
    """

    characters: U8
    listed: U8


class ReasonLimits(NamedTuple):
    """Limits of what is read, as in `quchong.differences.kinds`."""

    read: int
    anchored: int
    unit: int
    name: int
    scattered: int
    negated: int


def reasons(
    docs: Ragged, hashed: Ragged, left: Ints, right: Ints, pair: Ints, places: Ints, around: Ints, slip: U8, tables: MarkTables,
    limits: ReasonLimits, workers: int | None = None,
) -> U8:  # fmt: skip
    """Return the reasons to read each edit, as bits of `quchong.differences.kinds`; 0 for an edit that can state no fact.

    Args:
        docs: tokens. left, right: pairs as indices into them.
        hashed: the same tokens as hashes of their letters, by which lists of words are looked up. Two words of one hash look alike
            there, so that at worst an edit is read for nothing.
        pair: pair of each edit; the edits of one pair are adjacent. places: (n, 4), as `edits` returns them.
        around: equal tokens before and after each edit together. slip: 1 for an edit that is only a misspelling.

    Cost: O(tokens that differ).
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    which = checked.indices(pair, len(a), "pair")
    n, spots = len(which), checked.u32(np.asarray(places).reshape(-1), "places", 4 * len(np.asarray(pair)))
    ends = spots.reshape(-1, 4)
    lengths = np.stack([docs.lengths[a[which]], docs.lengths[b[which]]], 1)
    if n and (np.any(ends[:, ::2] > ends[:, 1::2]) or np.any(ends[:, 1::2] > lengths)):
        raise ValueError("places end before they begin, or beyond their documents")
    if np.any(which[1:] < which[:-1]):
        raise ValueError("pair must not decrease: edits of one pair stand side by side")
    characters, listed = (
        checked.u8(tables.characters, "characters", 1 << 16),
        checked.u8(tables.listed, "listed", 1 << 20),
    )
    numbers = [checked.number(value, 0, MOST_I32, name) for name, value in limits._asdict().items()]
    numbers.append(threads_of(workers))
    tokens, offsets = ragged_columns(docs)
    words = checked.u32(hashed.tokens, "hashed", len(tokens))
    return _quchong.edit_reasons(
        tokens, words, offsets, a, b, which, spots, checked.u32(around, "around", n), checked.u8(slip, "slip", n),
        characters, listed, *numbers,
    )  # fmt: skip
