"""Figures at an edit that state no fact: item numbers of a list, and figures that a scan damaged."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quchong.differences.counting import measured
from quchong.differences.figures import Mention
from quchong.differences.units import UNITS
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_ITEM = lazy_pattern(r"(?:^|[。；;!?:\n])\s*$"), lazy_pattern(r"[、.)](?!\d)|\s(?=[\u4e00-\u9fff])")
"""Text before and after an item number, in normal form."""
_DAMAGE = lazy_pattern(
    rf"(?<=[\d.])[\u4e00-\u9fff](?=[\d.%]|(?:[日号月年万亿]|{'|'.join(re.escape(u) for u in UNITS if len(u) == 1 and not u.isascii())}))"
)
"""A character between digits, or between a digit and the unit after it."""
_COUNTING = frozenset("零〇一二两三四五六七八九十百千万亿半成余多第点分年月日号时秒比至到之和与及") | frozenset(
    "".join(unit for unit in UNITS if not unit.isascii())
)
"""Characters that regularly follow a digit."""
FIGURE = 16
"""Most characters of a figure, including a % that the scanned figure may lack."""


def next_item(left: Window, right: Window, mine: Sequence[Mention], theirs: Sequence[Mention]) -> bool:
    """Return True if both figures number list items and differ by one (。9 副驾驶, 。8 副驾驶).

    Items are renumbered after an item that one side lacks.
    """
    if len(mine) != 1 or len(theirs) != 1 or abs(mine[0].value.written - theirs[0].value.written) != 1:
        return False
    return _numbering(left.text, mine[0]) and _numbering(right.text, theirs[0])


def _numbering(text: str, mention: Mention) -> bool:
    """Return True if a bare figure is the number of a list item."""
    bare = not mention.value.unit and text[mention.start : mention.end].isdigit()
    behind = _ITEM[1].match(text, mention.end) if bare else None
    return bool(behind and _ITEM[0].search(text[: mention.start]) and not measured(text, behind.end()))


def damaged(left: Window, right: Window) -> bool:
    """Return True if one side is the other's figure with one digit replaced by a character: 11月2黄日. It states no other figure."""
    lengths = (len(left.stretch), len(right.stretch))
    size = max(lengths)
    if size > FIGURE or size - min(lengths) > 1:
        return False
    # The two sides must differ in exactly one character of a short figure.
    mine, theirs = (side.text[side.start : side.start + size] for side in (left, right))
    other = [i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b]
    if len(mine) != len(theirs) or len(other) != 1:
        return False
    # Either side may be the damaged one: a digit there, here a character that no digit is regularly followed by.
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
