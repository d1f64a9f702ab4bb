"""Cells of an experiment: steps that are measured and stored one by one, so that an interrupted run continues after the last complete one.

An experiment calls `cell` around each step. Inside `keeping` values are files of a `quchong.work.Work`; outside nothing is stored.
In both cases a value is converted to JSON and back, so that an interrupted run and a complete one give equal figures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np

from quchong.work import Work

T = TypeVar("T")
_WORK: ContextVar[Work | None] = ContextVar("work of an experiment", default=None)


@contextmanager
def keeping(work: Work) -> Iterator[None]:
    """Store the cells of the block in this work, and read those that it has already."""
    before = _WORK.set(work)
    try:
        yield
    finally:
        _WORK.reset(before)


def cell(name: str, make: Callable[..., T], /, *values: Any, **named: Any) -> T:
    """Return `make(*values, **named)`, or the value that an interrupted run stored for this cell.

    Args:
        name: name of the cell, unique in its experiment.
        make: returns dicts, lists, strings, numbers, truth values and None; NumPy scalars become Python's, tuples become lists.

    Raises:
        OutputError: there is no room to store the value.
    """
    work = _WORK.get() or Work()
    digest = hashlib.blake2b(name.encode(), digest_size=12).hexdigest()
    text = work.stage(f"cell-{digest}", lambda: json.dumps(make(*values, **named), default=_as_python))
    value: T = json.loads(text)
    return value


def _as_python(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a cell cannot hold {type(value).__name__}")
