"""Two names of one person, place or body at an edit: aliases, transliterations, and polite words in the place of a given name."""

from __future__ import annotations

from functools import cache, lru_cache

from quchong.differences.dictionaries import aliases
from quchong.differences.transliterations import foreign_run, sound_alike
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_POLITE = lazy_pattern("某{1,2}人?|[氏总]|先生|女士|小姐|老师|师傅|主任")
"""Stretches that stand in the place of a given name: 王某, 王先生."""


def same_name(left: Window, right: Window) -> bool:
    """Return True if both differing texts name one thing: by the table of aliases, by the sound of a foreign name, or by a polite word.

    The names may reach beyond the stretches: 克罗[地]亚 and 克罗[埃西]亚.
    """
    if _POLITE.fullmatch(left.stretch) or _POLITE.fullmatch(right.stretch):
        return True
    mine = _aliases_at(left)
    if mine and mine & _aliases_at(right):
        return True
    return sound_alike(*(foreign_run(w.text, w.start, w.end) for w in (left, right)))


@cache
def _longest() -> int:
    return max(len(word) for word in aliases() if not word.isascii())


@lru_cache(1 << 12)
def _aliases_at(window: Window) -> frozenset[str]:
    """Return the first names of the groups of aliases of which a word overlaps the differing text and fills at least half of it."""
    text, start, end = window.text, window.start, window.end
    known, out = aliases(), set[str]()
    least = max(2, (end - start + 1) // 2)
    for first in range(max(0, start - _longest() + 1), end):
        for last in range(max(first + least, start + 1), min(first + _longest(), len(text)) + 1):
            if (name := known.get(text[first:last])) is not None:
                out.add(name)
    return frozenset(out)
