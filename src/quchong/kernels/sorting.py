"""Sort order by several keys, and distinct values, by NumPy's sort of single numbers, which is its fastest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

_HALF = 1 << 32


def ordered(*keys: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the order by the first key, ties by the next key, and so on; the sort is stable.

    Args:
        keys: numbers, at least one key, each as long as the first; no NaN in the first.

    Returns:
        int64, as `np.lexsort` gives it of the keys in reverse.

    Deterministic. Cost: a sort of single numbers (the first two keys packed into one where both are whole numbers in a range of
    2**32), and a slow one of those that are equal there. Where the place of a number fits beside it, or the numbers differ in their
    first bits as digests do, a number costs the same however many there are.

    Example:
        >>> ordered(np.array([2, 1, 2]), np.array([0, 5, -1])).tolist()
        [1, 2, 0]
    """
    lead = _packed(keys[0], keys[1]) if len(keys) > 1 else keys[0]
    order, same, decided = _sorted_places(lead)
    if decided and len(keys) == (1 if lead is keys[0] else 2):
        return order
    if same.any():
        tied = np.zeros(len(order), bool)
        tied[1:] |= same
        tied[:-1] |= same
        some = np.sort(order[tied])
        order[tied] = some[np.lexsort([key[some] for key in (*reversed(keys), lead)])]
    return order


def distinct(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the distinct values, ascending, as `np.unique` does.

    `np.unique` puts whole numbers into a hash table first, which takes a hundred times as long as sorting them.

    Args:
        values: numbers, one dimension; no NaN.

    Returns:
        The values in their type; empty for no values.

    Deterministic. Cost: a sort; a mark for each value if they are ascending, of one byte, or whole numbers in a range of DENSE times their
    number, such as indices of documents.

    Example:
        >>> distinct(np.array([3, 1, 3])).tolist()
        [1, 3]
    """
    if values.dtype.itemsize == 1 and values.dtype.kind in "ub":
        return np.flatnonzero(np.bincount(values.view(np.uint8), minlength=1)).astype(values.dtype)
    if len(values) <= _SOME and values.dtype.kind in "iu":
        return np.array(sorted({*values.tolist()}), values.dtype)
    if len(values) < _FEW:
        inside = np.sort(values)
    elif _is_ascending(values):
        inside = values
    elif (marked := _marked(values)) is not None:
        return marked
    else:
        inside = np.sort(values)
    new = np.ones(len(inside), bool)
    np.not_equal(inside[1:], inside[:-1], out=new[1:])
    return inside[new]


DENSE = 4
"""Numbers in the range of whole numbers, for each of these, up to which marking all of the range takes less time than sorting."""
_SOME = 16
"""Values of which a set of Python is made in the time of a call of NumPy."""
_FEW = 64
"""Values that are sorted in the time of a look at them."""


def _is_ascending(values: npt.NDArray[Any]) -> bool:
    """Return True if no value is less than the one before."""
    return bool((values[1:] >= values[:-1]).all())


def _marked(values: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
    """Return the distinct values, ascending, found by marks in an array over their range; None if the range is too wide."""
    if values.dtype.kind not in "iu":
        return None
    least, most = int(values.min()), int(values.max())
    if most - least >= DENSE * len(values):
        return None
    # Of narrow types the difference of two values may not fit.
    wide = values if values.dtype.itemsize == 8 else values.astype(np.int64)
    start, marks = wide.dtype.type(least), np.zeros(most - least + 1, bool)
    marks[wide - start] = True
    return (np.flatnonzero(marks).astype(wide.dtype) + start).astype(values.dtype, copy=False)


_MANY = 1 << 16
"""Values beyond which they do not fit the caches of a processor."""


def among(values: npt.NDArray[Any], known: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return a mask of the values that are among the known ones, as `np.isin` does.

    `np.isin` finds the distinct values of both first, by the hash table that `np.unique` has (`distinct`).

    Args:
        values: numbers, one dimension.
        known: numbers of the same type, ascending; they may repeat.

    Deterministic. Cost: a binary search for each value. Many values are searched in ascending order: the searches of neighbours share most
    of their way, so that they do not wait for memory, which takes more time than sorting (half of it for a million among a million).

    Example:
        >>> among(np.array([3, 1, 5]), np.array([1, 2, 3, 3])).tolist()
        [True, True, False]
    """
    if not (len(known) and len(values)):
        return np.zeros(len(values), bool)
    if min(len(values), len(known)) >= _MANY and not _is_ascending(values):
        # The order is that of the first bits where places take the room of the last ones: near enough to share the way.
        order, there = _sorted_places(values)[0], np.empty(len(values), bool)
        there[order] = _searched(values[order], known)
        return there
    return _searched(values, known)


def _searched(values: npt.NDArray[Any], known: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return a mask of the values found by binary search in `known` (ascending, not empty)."""
    mask: npt.NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, values), len(known) - 1)] == values
    return mask


def code_table(codes: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Return a mask indexed by byte value, True for the bytes in `codes`.

    It takes a twentieth of the time of `np.isin` on few values.

    >>> code_table([1, 3])[np.array([3, 2], np.uint8)].tolist()
    [True, False]
    """
    table = np.zeros(256, bool)
    table[list(codes)] = True
    return table


def _sorted_places(lead: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_], bool]:
    """Return the order of one key's values, a mask of neighbours that may be equal, and True if equal values keep their order.

    Whole numbers are sorted together with their places, the place in the lowest bits: sorting numbers costs the same a number however
    many there are, sorting places by numbers elsewhere costs more and more. Of numbers that leave no room for the place the lowest bits
    are left out; neighbours that agree in the others may be equal.
    """
    n = len(lead)
    if n >= _FEW and _is_ascending(lead):
        return np.arange(n), lead[1:] == lead[:-1], True
    if n and lead.dtype.kind in "iu":
        least, width = int(lead.min()), n.bit_length()
        wide = (int(lead.max()) - least).bit_length()
        rest = max(0, wide + width - 64)
        if rest <= wide // 2:
            put = lead.astype(np.uint64)
            put -= np.uint64(least % (1 << 64))
            put >>= np.uint64(rest)
            put <<= np.uint64(width)
            put |= np.arange(n, dtype=np.uint64)
            put.sort()
            order = (put & np.uint64((1 << width) - 1)).astype(np.int64)
            put >>= np.uint64(width)
            same = put[1:] == put[:-1]
            if rest == 0 or 2 * np.count_nonzero(same) < n:
                return order, same, rest == 0
    order = np.argsort(lead)
    inside = lead[order]
    return order, inside[1:] == inside[:-1], False


def _packed(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return both keys packed into one number; the first key alone if they do not fit."""
    if not len(first) or first.dtype.kind not in "iub" or second.dtype.kind not in "iub":
        return first
    least, lower = int(first.min()), int(second.min())
    wide = (int(second.max()) - lower).bit_length()
    if int(first.max()) - least >= _HALF or wide > 32:
        return first
    high, low = (
        key.astype(np.uint64) - np.uint64(start % (1 << 64)) for key, start in ((first, least), (second, lower))
    )
    return (high << np.uint64(wide)) | low
