"""NFKC in linear time, whatever the text; the twin stands in tests/twins/text.py."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

LONG = 64
"""Marks one behind another from which they are put in order first."""
_PLANES = 0x20000  # all marks stand in the first two planes of Unicode


def nfkc(text: str) -> str:
    """`unicodedata.normalize("NFKC", text)`, at a cost of O(n log n).

    The library puts the marks behind a character into their canonical order by insertion: quadratic in a run of marks, so that
    a text of a million of them takes minutes. Long runs are sorted here first, which leaves it nothing to move.
    """
    return unicodedata.normalize("NFKC", _long_runs().sub(_in_order, text))


def _in_order(run: re.Match[str]) -> str:
    marks = "".join(unicodedata.normalize("NFKD", c) for c in run.group())
    return "".join(sorted(marks, key=unicodedata.combining))  # stable, as canonical order is


@cache
def _long_runs() -> re.Pattern[str]:
    """Long runs of characters that decompose into nothing but marks (of a combining class other than 0)."""
    marks = (chr(c) for c in range(0x300, _PLANES))
    return re.compile("[" + "".join(c for c in marks if is_mark(c)) + f"]{{{LONG},}}")


def is_mark(character: str) -> bool:
    """Does it decompose into marks alone, those whose order among themselves is canonical?"""
    if not (unicodedata.combining(character) or unicodedata.decomposition(character)):
        return False
    return all(map(unicodedata.combining, unicodedata.normalize("NFKD", character)))
