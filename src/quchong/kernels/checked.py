"""Checks of every argument passed to native code.

Kernels read flat memory and trust its description. Arguments that could lead them outside of it, or into endless work, are refused here:
wrong dimensions or types, numbers that do not fit, offsets that decrease or end outside, indices that do not exist, columns that differ in
length, options out of range, NaN. Checks are a few vectorised passes over the description of the data (offsets, pairs), and over the data
itself only if a type must change or a kernel trusts the order.

All raise `ValueError` for a value and `TypeError` for a type that cannot be used; `threads_of` raises `UsageError`.
"""

from __future__ import annotations

import math
import operator
import os
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from quchong.errors import Param, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    U8 = NDArray[np.uint8]
    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]
    I64 = NDArray[np.int64]
    F64 = NDArray[np.float64]
    Ints = NDArray[np.integer[Any]]

Scalar = TypeVar("Scalar", bound=np.generic)
_I64 = np.dtype(np.int64)

MAX_NGRAM = 63  # the last coefficient marks texts shorter than a shingle
MOST_WORKERS = 1024
_ALWAYS = 16  # threads that any machine starts if they are asked for
_SHORT = 32
"""Values that are looked at faster as numbers of Python than by a reduction of NumPy."""
MOST_U32 = 2**32 - 1
MOST_I32 = 2**31 - 1


def threads_of(workers: int | None) -> int:
    """Return the number of threads to use; None means the processors this process may run on.

    More than four a processor are never started (16 on small machines): nothing would be faster for them.

    Raises:
        UsageError: not a whole number from 1 to `MOST_WORKERS`.
    """
    if type(workers) is int and 1 <= workers <= _ALWAYS:
        return workers
    affinity = getattr(os, "sched_getaffinity", None)
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    if workers is None:
        return processors
    try:
        wanted = operator.index(workers)
    except TypeError:
        wanted = 0
    if not 1 <= wanted <= MOST_WORKERS:
        raise UsageError(
            "{} must be a whole number from 1 to {}, or None for all processors, got {!r}",
            Param("workers"),
            MOST_WORKERS,
            workers,
        )
    return min(wanted, max(_ALWAYS, 4 * processors))


def number(value: int, low: int, high: int, name: str) -> int:
    """Return a whole number after checking its two bounds."""
    try:
        n = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None
    if not low <= n <= high:
        raise ValueError(f"{name} must be {low} to {high}, got {n}")
    return n


def ngram_of(value: int, name: str = "ngram") -> int:
    """Return a shingle width in tokens if it is 1 to MAX_NGRAM; raise ValueError, which names it `name`, otherwise."""
    return number(value, 1, MAX_NGRAM, name)


def widths_of(values: object, length: int, least: int = 1) -> U8:
    """Return a column of shingle widths in tokens if it has `length` values from `least` to MAX_NGRAM, uint8; else raise ValueError."""
    widths = u8(values, "ngram", length)
    if len(widths) and not least <= least_of(widths) <= _bounds(widths)[1] <= MAX_NGRAM:
        raise ValueError(f"ngram must be {least} to {MAX_NGRAM}")
    return widths


def real(value: float, name: str, low: float = -math.inf, high: float = math.inf) -> float:
    """Return a finite number after checking its two bounds, which are included."""
    try:
        x = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {value!r}") from None
    if not (math.isfinite(x) and low <= x <= high):
        raise ValueError(f"{name} must be a number from {low} to {high}, got {value!r}")
    return x


def share(value: float, name: str = "threshold") -> float:
    """Return a number after checking that it is above 0 and at most 1."""
    x = real(value, name, 0, 1)
    if x == 0:
        raise ValueError(f"{name} must be above 0 and at most 1, got {value!r}")
    return x


def cap_of(value: int | None) -> int:
    """Return a bound of at least 1 as kernels take it: 0 for None, which means no bound."""
    return 0 if value is None else number(value, 1, MOST_U32, "cap")


def column(values: object, dtype: type[Scalar], name: str = "values", length: int | None = None) -> NDArray[Scalar]:
    """Return an array of one dimension and this type, contiguous and aligned; the given array if it is so already.

    Whole numbers of other types are taken if they fit; nothing else is converted but whole numbers and bools to float64.

    Args:
        length: entries it must have.
    """
    wanted: np.dtype[Any] = np.dtype(dtype)
    if (
        type(values) is np.ndarray
        and values.dtype is wanted
        and values.ndim == 1
        and (length is None or len(values) == length)
    ):
        flags = values.flags  # the usual case, asked many times
        return values if flags.c_contiguous and flags.aligned else values.copy()
    a: NDArray[Any] = np.asarray(values)
    if a.dtype.kind in "fO" and wanted.kind in "iu" and isinstance(values, (list, tuple)):
        a = _integers(values, a, wanted, name)
    if a.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {a.shape}")
    if length is not None and len(a) != length:
        raise ValueError(f"{name} must have {length} entries, got {len(a)}")
    if a.dtype != wanted:
        a = _converted(a, wanted, name)
    flags = a.flags
    return a if flags.c_contiguous and flags.aligned else a.copy()


def _integers(values: Sequence[Any], a: np.ndarray, wanted: np.dtype[Any], name: str) -> np.ndarray:
    """Return a sequence of whole numbers as NumPy integers if NumPy made floats or objects of them, as from 2**63 on; else `a`."""
    if not values or not all(isinstance(v, (int, np.integer)) for v in values):
        return a
    _check_limits(min(values), max(values), wanted, name)  # NumPy 1 would wrap some of them
    return np.array(values, wanted)


def _check_limits(least: Any, most: Any, wanted: np.dtype[Any], name: str) -> None:
    limits = np.iinfo(wanted)
    if least < limits.min or most > limits.max:
        raise ValueError(f"{name} must be {limits.min} to {limits.max}, got {least if least < limits.min else most}")


def _converted(a: np.ndarray, wanted: np.dtype[Any], name: str) -> np.ndarray:
    if a.size == 0:
        return np.zeros(0, wanted)
    if not np.can_cast(a.dtype, wanted, "safe"):
        if a.dtype.kind not in "iu" or wanted.kind not in "iu":
            raise TypeError(f"{name} must be {wanted}, got {a.dtype}")
        if a.itemsize * wanted.itemsize < 64:  # not both of 64 bits, which would be compared as floats
            made = a.astype(wanted)
            if not np.count_nonzero(made != a):
                return made
        _check_limits(int(a.min()), int(a.max()), wanted, name)
    return a.astype(wanted)


def u8(values: object, name: str = "values", length: int | None = None) -> U8:
    """Return the values as a checked uint8 column."""
    return column(values, np.uint8, name, length)


def u32(values: object, name: str = "values", length: int | None = None) -> U32:
    """Return the values as a checked uint32 column."""
    return column(values, np.uint32, name, length)


def u64(values: object, name: str = "values", length: int | None = None) -> U64:
    """Return the values as a checked uint64 column."""
    return column(values, np.uint64, name, length)


def finite(values: object, name: str, length: int | None = None) -> F64:
    """Return the values as a float64 column, checked for NaN and infinities."""
    a: F64 = column(values, np.float64, name, length)
    if not np.isfinite(a).all():
        raise ValueError(f"{name} must be finite numbers")
    return a


def offsets_of(offsets: object, total: int, name: str = "offsets", *, whole: bool = True) -> I64:
    """Return checked offsets that rise from 0 to `total`; if not `whole`, that rise within 0 and `total`."""
    o: I64 = column(offsets, np.int64, name)
    if len(o) <= _SHORT:
        listed: list[int] = o.tolist()
        ends, falls = (listed[0], listed[-1]) if listed else (-1, 0), listed != sorted(listed)
    else:
        ends, falls = (int(o[0]), int(o[-1])), bool(np.count_nonzero(o[1:] < o[:-1]))
    if ends[0] < 0 or ends[1] > total or (whole and ends != (0, total)) or falls:
        how = f"rise from 0 and end with {total}" if whole else f"rise, from 0 on and to {total} at most"
        raise ValueError(f"{name} must {how}, the number of what they divide")
    return o


def rising(values: np.ndarray, offsets: I64, name: str = "values") -> None:
    """Raise ValueError unless values strictly increase within each document."""
    flat = values[1:] <= values[:-1]
    starts = offsets[(offsets > 0) & (offsets < len(values))]
    flat[starts - 1] = False
    if flat.any():
        raise ValueError(f"{name} of a document must ascend, none twice")


def numbered(values: U32) -> tuple[U32, int]:
    """Return the numbers of a vocabulary and their count; sparse numbers are renumbered in order.

    Kernels keep a list for each number: one of 2**32 must not cost 2**32 lists.
    """
    count = int(values.max(initial=0)) + 1
    if count <= 4 * len(values) + 1024:
        return values, count
    known, dense = np.unique(values, return_inverse=True)
    return dense.astype(np.uint32), len(known)


def indices(values: object, below: int, name: str = "indices", *, what: str = "entry") -> U32:
    """Return whole numbers checked to be from 0 to `below` - 1, uint32."""
    a = _below(values, below, name, what)
    if type(a) is np.ndarray and a.dtype is _I64 and a.ndim == 1 and below <= MOST_U32:
        return a.astype(np.uint32)  # as all are below, none changes
    return u32(a, name)


def indices64(values: object, below: int, name: str = "indices", *, what: str = "entry") -> I64:
    """Return whole numbers checked to be from 0 to `below` - 1, int64, for indices over a whole corpus."""
    return column(_below(values, below, name, what), np.int64, name)


def _below(values: object, below: int, name: str, what: str) -> object:
    a = np.asarray(values)
    if a.size and a.dtype.kind in "iub":
        least, most = _bounds(a)
        if least < 0 or most >= below:
            raise ValueError(f"{name} names {what} {least if least < 0 else most}, beyond the {below} there are")
    return a


def least_of(values: np.ndarray) -> int:
    """Return the least of some whole numbers, at least one, of one dimension."""
    return min(values.tolist()) if len(values) <= _SHORT else int(values.min())


def _bounds(a: np.ndarray) -> tuple[int, int]:
    """Return a bound below some whole numbers or bools, which is the least of them or 0, and the greatest; 0 and 0 for none."""
    if a.size <= _SHORT and a.ndim == 1:
        listed: list[int] = a.tolist()
        return (int(min(listed)), int(max(listed))) if listed else (0, 0)
    return 0 if a.dtype.kind == "u" else int(a.min()), int(a.max())


def pairs(left: object, right: object, documents: int, what: str = "document") -> tuple[U32, U32]:
    """Return both sides of pairs, checked to be existing documents."""
    a, b = (indices(side, documents, name, what=what) for name, side in (("left", left), ("right", right)))
    if len(a) != len(b):
        raise ValueError(f"left and right differ in length: {len(a)} and {len(b)}")
    return a, b


def starts_of(starts: object, tokens: int, name: str = "starts") -> U8:
    """Return checked marks of tokens; an empty array for None, which kernels take as no marks."""
    return np.zeros(0, np.uint8) if starts is None else u8(starts, name, tokens)


def scope_of(scope: object, documents: int) -> U64:
    """Return a checked scope number for each document; an empty array for None, which kernels take as one scope for all."""
    return np.zeros(0, np.uint64) if scope is None else u64(scope, "scope", documents)


def ragged(values: object, offsets: object, name: str = "tokens", *, whole: bool = True) -> tuple[U32, I64]:
    """Return checked values of documents (uint32), concatenated, and the offsets that separate them."""
    flat = u32(values, name)
    return flat, offsets_of(offsets, len(flat), whole=whole)


def ragged64(values: object, offsets: object, name: str = "values", *, whole: bool = True) -> tuple[U64, I64]:
    """Return checked hashes of documents (uint64), concatenated, and the offsets that separate them."""
    flat = u64(values, name)
    return flat, offsets_of(offsets, len(flat), whole=whole)
