"""Direction in which something passes at an edit: 借给乙 and 向乙借, 把牛卖给乙 and 从乙买牛, taught to and learned from."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.edit_tokens import DIRECTS, EditTokens
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.negation import stem_set, stems_of
from quchong.differences.windows import Window
from quchong.kernels.text import TextTables, word_hash
from quchong.patterns import lazy_pattern

LONGEST = 14
"""Most tokens of either side of an edit that turns a direction: 把牛卖给了邻村的老吴."""
_EITHER, _GIVES, _TAKES = "借租贷赊赁", "卖送还赠付汇转捐供售交让退发寄递教", "买要讨收取索骗购募领受拿接学听"
"""Last characters of verbs that go either way, and of those of who gives and who gets."""
_WHO = "[\u4e00-\u9fffA-Za-z0-9·]"
_THING = f"(?:[把将]{_WHO}{{1,10}}?)?"
"""Pattern of the thing that is handed over, before the verb: 把牛."""
_TO = lazy_pattern(
    f"{_THING}(?:(?P<verb>[{_EITHER}{_GIVES}])给了?(?P<who>{_WHO}{{1,8}})"
    "|(?:告诉了?|通知了?|教会?(?![会师育学练授室堂材程皇训员科条义改职务派宗龄具])|(?<![赠归偿退])[送赠还])"
    f"(?P<whom>{_WHO}{{1,8}}))"
)
"""Who gets something: 卖给乙, 把牛卖给乙; 教乙, 送乙, 告诉乙."""
_BESIDE = lazy_pattern(
    f"{_THING}(?P<link>[向从跟问找])(?P<who>{_WHO}{{1,8}}?)(?:处|那里|这里|那儿|这儿|手里|手中|手上)?"
    f"(?P<verb>[{_EITHER}{_GIVES}{_TAKES}])(?!给)"
)
_AGENT = 2
"""Characters before the words of a direction that must be the same: who gives or takes."""
_NO_WAY = frozenset(
    "different differ differs differed differing separate separated averse due similar prior apart away far".split()
)
"""English words behind which from and to say the same, or neither says where something goes."""
_WORD_BEFORE = lazy_pattern(r"([a-z]+)[^a-z]*$")


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
    sides = (left, right), (right, left)
    if mine.isascii() and theirs.isascii():
        return any(_taken_for_given(one.stretch, other.stretch) for one, other in sides)
    return any(_turned(one, other) for one, other in sides)


_GIVING = frozenset(
    "award bring deliver donate feed give grant hand lease lend lose pay present rent return sell send serve ship show submit supply "
    "teach tell transfer".split()
)
_TAKING = frozenset(
    "accept borrow buy collect demand earn gather get hear hire inherit lease learn obtain order purchase receive rent seize "
    "steal take win".split()
)
"""English verbs before to and from: what is given and what is got."""


def _taken_for_given(one: str, other: str) -> bool:
    """Return True if one English text gives something to somebody, and the other gets it from the same: taught to, learned from."""
    gives, takes = one.split(), other.split()
    if min(len(gives), len(takes)) < 2 or (gives[-1], takes[-1]) != ("to", "from"):
        return False
    return stems_of(gives[:1])[0] in stem_set(_GIVING) and stems_of(takes[:1])[0] in stem_set(_TAKING)


def _turned(to: Window, other: Window) -> bool:
    """Return True if one side gives to somebody (V给乙, 教乙), and the same one takes from him on the other side (向乙V)."""
    for gives in _TO.finditer(to.text):
        if not to.touches(gives.start(), gives.end()):
            continue
        for takes in _BESIDE.finditer(other.text):
            if takes["verb"] in _GIVES or not other.touches(takes.start(), takes.end()):
                continue
            who = gives["who"] or gives["whom"]
            agents = (side.text[max(0, at.start() - _AGENT) : at.start()] for side, at in ((to, gives), (other, takes)))
            if who.startswith(takes["who"]) and len(set(agents)) == 1:
                return True
    return False


@cache
def directing_tokens(tables: TextTables) -> np.ndarray:
    """Return the sorted tokens of words of direction, such as 给; an edit without any of them cannot reverse a direction."""
    return np.array(
        sorted(
            (*map(ord, "给教送赠还告通向从跟问找"), *(word_hash(tables, word) | WORD_TOKEN for word in ("to", "from")))
        ),
        np.uint32,
    )


def may_direct(edits: Edits, listed: EditTokens) -> np.ndarray:
    """Return a mask of the short replacements that have a word of direction on both sides, by their tokens alone."""
    mask: np.ndarray = listed.on_both_sides(DIRECTS) & (np.maximum(edits.a, edits.b) <= LONGEST)
    return mask
