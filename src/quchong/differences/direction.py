"""Direction in which something passes at an edit: 借给乙 and 向乙借, rented to and rented from."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from quchong.differences.edits import ANCHORED, WORD_TOKEN, Edits
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.sorting import among, distinct
from quchong.kernels.text import TextTables, word_hash

LONGEST = 8
"""Most tokens of either side of an edit that turns a direction."""
_EITHER, _GIVES, _TAKES = "借租贷赊赁", "卖送还赠付汇转捐供售交让退发寄递", "买要讨收取索骗购募领"
"""Verbs of one character that go either way, and those of who gives and who gets."""
_WHO = "[\u4e00-\u9fffA-Za-z0-9·]"
_TO = re.compile(f"(?P<verb>[{_EITHER}{_GIVES}])给(?:了)?(?P<who>{_WHO}{{1,8}})")
_BESIDE = re.compile(
    f"(?P<link>[向从跟问找])(?P<who>{_WHO}{{1,8}}?)(?:处|那里|这里|那儿|这儿|手里|手中|手上)?(?P<verb>[{_EITHER}{_GIVES}{_TAKES}])(?!给)"
)
_AGENT = 2
"""Characters before the words of a direction that must be the same: who gives or takes."""
_NO_WAY = frozenset(
    "different differ differs differed differing separate separated averse due similar prior apart away far".split()
)
"""English words behind which from and to say the same, or neither says where something goes."""
_WORD_BEFORE = re.compile(r"([a-z]+)[^a-z]*$")


def directed_otherwise(left: Window, right: Window) -> bool:
    """Return True if what passes to somebody on one side passes from the same one on the other.

    Example:
        >>> directed_otherwise(Window("老王借给老李一万元", 2, 4), Window("老王向老李借一万元", 2, 3))
        True
        >>> directed_otherwise(Window("he rented it to a student", 13, 15), Window("he rented it from a student", 13, 17))
        True
    """
    mine, theirs = left.stretch.strip(), right.stretch.strip()
    if {mine, theirs} == {"to", "from"}:
        before = _WORD_BEFORE.search(left.text[: left.start])
        return before is not None and before[1] not in _NO_WAY
    return any(_turned(one, other) for one, other in ((left, right), (right, left)))


def _turned(to: Window, other: Window) -> bool:
    """Return True if one side gives to somebody (V给乙), and the same one takes from him on the other side (向乙V)."""
    for gives in _TO.finditer(to.text):
        if not to.touches(gives.start(), gives.start("who")):
            continue
        for takes in _BESIDE.finditer(other.text):
            if takes["verb"] in _GIVES or not other.touches(takes.start(), takes.end()):
                continue
            agents = (side.text[max(0, at.start() - _AGENT) : at.start()] for side, at in ((to, gives), (other, takes)))
            if gives["who"].startswith(takes["who"]) and len(set(agents)) == 1:
                return True
    return False


@cache
def _marks(tables: TextTables) -> np.ndarray:
    """Return the tokens of which an edit that turns a direction has one, sorted."""
    return np.array(
        sorted((*map(ord, "给向从跟问找"), *(word_hash(tables, word) | WORD_TOKEN for word in ("to", "from")))),
        np.uint32,
    )


def may_direct(hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, tables: TextTables) -> np.ndarray:
    """Return a mask of the short replacements that have a word of direction on both sides, by their tokens alone.

    Args:
        hashed: tokens of the documents as hashes of their letters.

    Cost: linear in the tokens of such edits.
    """
    out = np.zeros(len(edits.pair), bool)
    some = (
        (np.minimum(edits.a, edits.b) > 0) & (np.maximum(edits.a, edits.b) <= LONGEST)
        & (edits.before + edits.after >= ANCHORED)
    ).nonzero()[0]  # fmt: skip
    for side, column, sizes in ((left, 0, edits.a), (right, 2, edits.b)):
        places = places_of(hashed.offsets[side[edits.pair[some]]] + edits.places[some, column], sizes[some])
        some = distinct(np.repeat(some, sizes[some])[among(hashed.tokens[places], _marks(tables))])
    out[some] = True
    return out
