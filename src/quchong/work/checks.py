"""Checks of values read from files: types and lengths of arrays, offsets, ranges of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from quchong.work.value_parts import Damaged


def check_array(values: Any, dtype: type[np.generic], length: int | None = None) -> None:
    """Raise Damaged unless the value is a one-dimensional array of this type, and of this length if one is given."""
    if type(values) is not np.ndarray or values.dtype != np.dtype(dtype) or values.ndim != 1:
        raise Damaged(f"an array of {np.dtype(dtype).name} is missing")
    if length is not None and len(values) != length:
        raise Damaged(f"an array of {len(values)} in place of {length}")


def check_within(values: np.ndarray, low: int, end: int) -> None:
    """Raise Damaged unless all numbers are at least `low` and below `end`. Cost: one pass."""
    if len(values) and not (int(values.min()) >= low and int(values.max()) < end):
        raise Damaged(f"a number that is not from {low} to {end - 1}")


def check_offsets(offsets: Any, items: int, length: int) -> None:
    """Raise Damaged unless the int64 offsets of `items` items begin at 0, never decrease and end at `length`. Cost: one pass."""
    check_array(offsets, np.int64, items + 1)
    if offsets[0] != 0 or offsets[-1] != length or (offsets[1:] < offsets[:-1]).any():
        raise Damaged("offsets that fall or end elsewhere")


def check_type(value: Any, *kinds: type) -> None:
    """Raise Damaged unless the class of the value is one of these; subclasses are refused."""
    if type(value) not in kinds:
        raise Damaged(f"{type(value).__name__} in place of {kinds[0].__name__}")
