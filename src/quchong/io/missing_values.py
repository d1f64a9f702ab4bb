"""Missing values of data frames in lists of Python: NaN, NaT and NA, by which pandas marks an empty cell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def is_missing(value: Any) -> bool:
    """Return True for None and for the values by which pandas marks an empty cell.

    >>> [is_missing(one) for one in (None, float("nan"), 0.0, "", "nan")]
    [True, True, False, False, False]
    """
    if value is None:
        return True
    if isinstance(value, float | np.floating | np.datetime64):  # NaT of NumPy differs from itself too
        return bool(value != value)
    kind = type(value)
    return kind.__name__ in ("NAType", "NaTType") and kind.__module__.startswith("pandas.")


def with_none(values: Iterable[Any]) -> list[Any]:
    """Return values with None in place of every missing one.

    >>> with_none(["a", float("nan"), None])
    ['a', None, None]
    """
    return [value if type(value) is str or not is_missing(value) else None for value in values]
