"""Wording within page furniture, which the reading of a listed pair leaves as wording because it states no fact."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from quchong.differences.furniture import LONGEST, line_of_furniture
from quchong.kernels.arrays import Texts
from quchong.patterns import lazy_pattern
from quchong.seam import Differences
from quchong.tables import DIFFERENCES

_WORDING, _FURNITURE = DIFFERENCES.index("wording"), DIFFERENCES.index("boilerplate")
_NO_NAME = (
    "the|a|an|then|now|next|this|that|these|those|no|all|law|day|night|far|and|of|to|in|on|at|which|what|using|making"
)
_BYLINE = lazy_pattern(rf"\s*by (?:(?!(?:{_NO_NAME})\b)[^\W\d_][\w.\'’-]*\s?){{2,4}}\s*", re.IGNORECASE)
"""A line that names an author alone."""


def with_furniture(texts: Texts, left: np.ndarray, right: np.ndarray, found: Differences) -> Differences:
    """Return the differences with those in wording changed to furniture if both texts have them in lines of page furniture.

    Args:
        texts: each once. left, right: pairs as indices into the texts.
        found: their differences.

    Cost: O(differences); each reads the line in which it stands.
    """
    kind, of = found.kind.copy(), found.pair
    for at in np.flatnonzero((kind == _WORDING) & ~found.conflict).tolist():
        a, b, c, d = found.places[at].tolist()
        one, other = texts.text(int(left[of[at]])), texts.text(int(right[of[at]]))
        if _in_furniture(one, a, b) and _in_furniture(other, c, d):
            kind[at] = _FURNITURE
    return replace(found, kind=kind)


def _in_furniture(text: str, begin: int, end: int) -> bool:
    """Return True if text[begin:end] is within lines of furniture, or within a line that names an author."""
    if line_of_furniture(text, begin, end):
        return True
    first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
    line = text[first : len(text) if last < 0 else last]
    return len(line) <= LONGEST and len(line) < len(text) and _BYLINE.fullmatch(line) is not None
