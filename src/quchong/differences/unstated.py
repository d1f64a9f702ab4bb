"""Figures at an edit that state nothing: the number of an item in a list, and one that a scan damaged."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quchong.differences.counting import measured
from quchong.differences.figures import Mention
from quchong.differences.units import UNITS
from quchong.differences.windows import Window

_ITEM = re.compile(r"(?:^|[。；;!?:\n])\s*$"), re.compile(r"[、.)](?!\d)|\s(?=[\u4e00-\u9fff])")
"""Before and behind the number of an item, in normal form."""
_DAMAGE = re.compile(
    rf"(?<=[\d.])[\u4e00-\u9fff](?=[\d.%]|(?:[日号月年万亿]|{'|'.join(re.escape(u) for u in UNITS if len(u) == 1 and not u.isascii())}))"
)
"""A character between digits, or between a digit and what it counts."""
_COUNTING = frozenset("零〇一二两三四五六七八九十百千万亿半成余多第点分年月日号时秒比至到之和与及") | frozenset(
    "".join(unit for unit in UNITS if not unit.isascii())
)
"""Characters that stand behind a digit by right."""
FIGURE = 16
"""Characters a figure has at most; with % beside it, which the scanned one may lack."""


def next_item(left: Window, right: Window, mine: Sequence[Mention], theirs: Sequence[Mention]) -> bool:
    """Do both number items of a list, one further than the other (。9 副驾驶, 。8 副驾驶)? So they do behind an item that one lacks."""
    if len(mine) != 1 or len(theirs) != 1 or abs(mine[0].value.written - theirs[0].value.written) != 1:
        return False
    return _numbering(left.text, mine[0]) and _numbering(right.text, theirs[0])


def _numbering(text: str, mention: Mention) -> bool:
    """Does a bare figure number an item?"""
    bare = not mention.value.unit and text[mention.start : mention.end].isdigit()
    behind = _ITEM[1].match(text, mention.end) if bare else None
    return bool(behind and _ITEM[0].search(text[: mention.start]) and not measured(text, behind.end()))


def damaged(left: Window, right: Window) -> bool:
    """Is one side the figure of the other with a character in the place of one digit: 11月2黄日? It states no other figure."""
    lengths = (len(left.stretch), len(right.stretch))
    size = max(lengths)
    if size > FIGURE or size - min(lengths) > 1:
        return False
    mine, theirs = (side.text[side.start : side.start + size] for side in (left, right))
    other = [i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b]
    if len(mine) != len(theirs) or len(other) != 1:
        return False
    for one, scanned in ((left, right), (right, left)):
        digit, at = one.text[one.start + other[0]], scanned.start + other[0]
        here = _DAMAGE.match(scanned.text, at)
        if (
            here
            and digit.isdecimal()
            and (scanned.text[at - 1] == "." or not (here.group() in _COUNTING or measured(scanned.text, at)))
        ):
            return True
    return False
