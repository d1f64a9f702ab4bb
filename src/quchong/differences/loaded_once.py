"""Tables that are loaded once, even where several threads ask for one first at the same time."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from threading import RLock
from typing import TypeVar

T = TypeVar("T")
_loading = RLock()
"""Held while a table is loaded: one lock for all, because a table may need another one, and Python loads one at a time anyway."""


def loaded_once(load: Callable[..., T]) -> Callable[..., T]:
    """Return a function that loads its value once per arguments, even if several threads ask at the same time."""
    kept = cache(load)

    @cache
    def value(*args: Hashable) -> T:
        with _loading:
            return kept(*args)

    return value
