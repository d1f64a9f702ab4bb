"""Cells of an experiment: what is measured in one piece, and kept, so that a run that is stopped goes on behind the last whole one.

An experiment calls `cell` around each piece. Inside `keeping` the values are files of a `quchong.work.Work`; outside nothing is kept.
Both ways a value goes through JSON, so that a run that was stopped and one that was not give equal figures.
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
    """Cells inside are kept in this work, and read from it where it has them."""
    before = _WORK.set(work)
    try:
        yield
    finally:
        _WORK.reset(before)


def cell(name: str, make: Callable[..., T], /, *values: Any, **named: Any) -> T:
    """What `make(*values, **named)` gives: measured now, or by an earlier process that was stopped behind it.

    Args:
        name: tells the cell from the others of its experiment.
        make: gives dicts, lists, strings, numbers, truth values and None; scalars of NumPy become Python's, tuples lists.

    Raises:
        OutputError: there is no room to keep it.
    """
    work = _WORK.get() or Work()
    digest = hashlib.blake2b(name.encode(), digest_size=12).hexdigest()
    text = work.stage(f"cell-{digest}", lambda: json.dumps(make(*values, **named), default=_plain))
    value: T = json.loads(text)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a cell cannot hold {type(value).__name__}")
