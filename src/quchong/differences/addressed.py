"""Surnames by which somebody is called at an edit: 老张 and 老王, 张总 and 王总, 张某 and 王某."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.dictionaries import words
from quchong.differences.edit_tokens import CALLS, EditTokens
from quchong.differences.edits import Edits
from quchong.differences.names import surnames
from quchong.differences.synonyms import is_listed
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import among
from quchong.patterns import lazy_pattern
from quchong.text.words import is_known_word

_COMMON = 100
"""Surnames, the most common first, with which a name that no dictionary has may begin."""
_CALLED = lazy_pattern("[老小阿]$")
_ADDRESS = lazy_pattern(
    "[某×]|氏|总(?![统理裁局书部会体是额量数和共之而有务行编])|老(?![师板人虎鼠家年龄])|家(?=[的里人在和与老大小])"
)
"""Text behind a surname that makes it somebody."""


def surname_in_frame(window: Window) -> str | None:
    """Return the differing text as a surname if 老, 小 or 阿 precedes it, or 某, 总, 老, 氏 or 家 follows it; else None.

    A surname that makes another word with its neighbour is none: 小米, 老板, 主张.
    """
    name = window.stretch
    double, single = surnames()
    if name not in double and name not in single:
        return None
    before = window.text[max(0, window.start - 1) : window.start]
    if _CALLED.fullmatch(before):
        behind = window.text[window.end : window.end + 1]
        return None if is_listed(before + name) or (behind and is_listed(name + behind)) else name
    if _ADDRESS.match(window.text, window.end) and not (before and is_known_word(before + name)):
        return name
    return None


GIVEN = frozenset(
    "芳丽红强军刚伟英华玲燕敏静娟霞萍莉娜婷雪梅兰娥珍琴琳颖慧倩洁莹蓉菲媛薇蕾珊娇妮玉凤秀艳菊桂香翠莲彩云芬芸勇杰涛辉鹏斌波磊超浩宇俊峰龙虎亮飞明东林松柏"
    "海涛洋晨晓宁安康健平建国志文武斌彬鑫欣欢乐喜福贵宝德祥瑞"
)
"""Characters of which many given names are made."""
_GIVEN_BEHIND = lazy_pattern("[㐀-鿿]")


def given_in_frame(window: Window) -> str | None:
    """Return the differing text as a given name if 小 or 阿 precedes it and it is a character of given names; else None: 小芳, 阿珍.

    One that makes another word with a neighbour is none: 小康, 小军阀.
    """
    name, before = window.stretch, window.text[max(0, window.start - 1) : window.start]
    if name not in GIVEN or before not in ("小", "阿") or is_listed(before + name):
        return None
    behind = window.text[window.end : window.end + 1]
    if _GIVEN_BEHIND.match(behind) and (is_listed(name + behind) or is_known_word(before + name + behind)):
        return None
    return name


_CALLING = np.array(sorted(map(ord, "小阿")), np.uint32)
GIVEN_TOKENS = np.array(sorted(map(ord, GIVEN)), np.uint32)


def may_call(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, listed: EditTokens) -> np.ndarray:
    """Return a mask of the edits that replace one character of given names by another behind 小 or 阿, by their tokens alone.

    Cost: linear in the edits of one token on either side.
    """
    out = np.zeros(len(edits.pair), bool)
    if not listed.every & CALLS:
        return out
    some = (listed.on_both_sides(CALLS) & (edits.a == 1) & (edits.b == 1) & (edits.before > 0)).nonzero()[0]
    for side, column in ((left, 0), (right, 2)):
        start = docs.offsets[side[edits.pair[some]]]
        first = start + edits.places[some, column]
        some = some[(first > start) & among(docs.tokens[np.maximum(first, 1) - 1], _CALLING)]
    out[some] = True
    return out


def shaped_as_name(window: Window) -> str | None:
    """Return the differing text if it looks like a Chinese name (a common surname and one or two characters) and is no word; else None.

    That is a person only where the other side has a certain one.
    """
    name = window.stretch
    if not 2 <= len(name) <= 3 or name[0] not in _common() or not all("\u3400" <= c <= "\u9fff" for c in name):
        return None
    return None if _GRAMMAR & set(name[1:]) or is_known_word(name) else name


_GRAMMAR = frozenset(
    "的了着过吗呢吧啊在是不也就都又将会要把被对和与及或但而以为于从到向说称们性化度者党省市县区部局厅署社院校这那其他有人"
)
"""Characters that given names never or seldom contain."""


@cache
def _common() -> frozenset[str]:
    """Return the most common surnames of one character."""
    return frozenset(max(words("surnames"), key=len)[:_COMMON])
