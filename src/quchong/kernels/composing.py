"""NFKC in linear time, whatever the text; twin: tests/twins/text.py."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

LONG = 64
"""Least number of successive marks that are sorted before normalisation."""
_PLANES = 0x20000  # all marks are in the first two planes of Unicode


def nfkc(text: str) -> str:
    """Return `unicodedata.normalize("NFKC", text)` at a cost of O(n log n).

    The library brings the marks after a character into canonical order by insertion, which is quadratic in a run of marks: a text of a
    million marks takes minutes. Long runs are sorted here first, which leaves it nothing to move.
    """
    return unicodedata.normalize("NFKC", _long_runs().sub(_in_order, text))


def _in_order(run: re.Match[str]) -> str:
    marks = "".join(unicodedata.normalize("NFKD", c) for c in run.group())
    return "".join(sorted(marks, key=unicodedata.combining))  # stable, as canonical order is


@cache
def _long_runs() -> re.Pattern[str]:
    """Return the pattern of long runs of characters that decompose into marks only (of a combining class other than 0)."""
    marks = (chr(c) for c in range(0x300, _PLANES))
    return re.compile("[" + "".join(c for c in marks if is_mark(c)) + f"]{{{LONG},}}")


def is_mark(character: str) -> bool:
    """Return True if a character decomposes into marks alone, so that its order among other marks is canonical."""
    if not (unicodedata.combining(character) or unicodedata.decomposition(character)):
        return False
    return all(map(unicodedata.combining, unicodedata.normalize("NFKD", character)))
