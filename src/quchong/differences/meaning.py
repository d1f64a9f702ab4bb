"""Negation, opposites, places and titles at an edit: what words say there, and whether they contradict."""

from __future__ import annotations

import re
from functools import cache

from quchong.differences.dictionaries import negations, opposites, words
from quchong.differences.windows import Window

LONGEST = 8
"""Characters of the longest word that is looked for at an edit."""


@cache
def _negating() -> tuple[re.Pattern[str], frozenset[str]]:
    plain, other = negations()
    every = sorted(plain | other, key=lambda w: (-len(w), w))
    han = "|".join(re.escape(w) for w in every if not w.isascii())
    english = "|".join(re.escape(w.replace("_", " ")) for w in every if w.isascii() and w != "n't")
    return re.compile(rf"{han}|\b(?:{english}|\w+n't)\b"), other


_CHARACTERS = frozenset("不没未无非否别勿莫毋甭")


def negates(window: Window) -> int:
    """How many negations the stretch makes. A word that only holds such a character counts as none (不断).

    Of a longer word the stretch must have the character that negates: 不具备 and 不拥有 both keep theirs.
    """
    pattern, other = _negating()
    total = 0
    for m in pattern.finditer(window.text):
        if m.group() in other or not window.touches(*m.span()):
            continue
        at = [i for i in range(*m.span()) if window.text[i] in _CHARACTERS]
        total += not at or any(window.start <= i < window.end for i in at)
    return total


NEGATED = 6
"""Characters of a stretch that only negates what the other side says; a longer one says something else."""
AFFIRMED = frozenset(
    "已 已经 早已 是 有 能 会 可 可以 必 必须 必将 曾 曾经 正 正在 将 将要 均 全 都 应 应该 应当 要 需 需要 允许 准许 准 得 许 仍 仍然 "
    "还 也 就 才 且 确 确实 完全 十分 很 非常 极 能够 愿 愿意 肯 敢 想".split()
)
"""What stands in a negation's place: one of these against it is no slip, alike as the two may look (已, 未)."""


def negated(left: Window, right: Window) -> bool:
    """Does one side negate what the other says?

    Either it puts a negation in, or in the place of a word that affirms; or it says what the other says, and negates it.
    """
    if max(len(left.stretch), len(right.stretch)) > NEGATED or (negates(left) - negates(right)) % 2 == 0:
        return False
    says, other = (left, right) if negates(left) > negates(right) else (right, left)
    rest = _negating()[0].sub("", says.stretch)
    rest = "".join(c for c in rest if c not in _CHARACTERS).strip()
    if not rest:
        return not other.stretch.strip() or other.stretch.strip() in AFFIRMED
    return any(c in other.stretch for c in rest) or (
        not says.stretch.isascii() and len(rest) == 1 and not other.stretch
    )


def words_at(window: Window, vocabulary: frozenset[str]) -> set[str]:
    """Words of a vocabulary that the stretch has a part in; of those within another the longest alone.

    A word of one Chinese character counts only where it is the whole stretch: elsewhere it may be a part of another word.
    """
    text, found = window.text, []
    for a in range(max(0, window.start - LONGEST + 1), window.end + (window.start == window.end)):
        for b in range(min(len(text), a + LONGEST), a, -1):
            alone = b - a == 1 and text[a] > "\u2e80" and (a, b) != (window.start, window.end)
            if text[a:b] in vocabulary and window.touches(a, b) and _whole(text, a, b) and not alone:
                found.append((a, b))
                break
    return {text[a:b] for a, b in found if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in found)}


def _whole(text: str, a: int, b: int) -> bool:
    """Is text[a:b] no part of a longer Latin word?"""
    if not text[a].isascii():
        return True
    return not (a > 0 and text[a - 1].isascii() and text[a - 1].isalnum()) and not (
        b < len(text) and text[b].isascii() and text[b].isalnum()
    )


@cache
def _opposed() -> frozenset[str]:
    return frozenset(opposites())


def opposed(left: Window, right: Window) -> bool:
    """Does one side say the opposite of what the other says in its place?"""
    theirs = words_at(right, _opposed())
    if not theirs:
        return False
    mine = words_at(left, _opposed())
    known = opposites()
    return not mine & theirs and any(known[w] & theirs for w in mine)


def differing(left: Window, right: Window, name: str) -> bool:
    """Do both sides hold words of a list there, and none of them is, or stands within, one of the other side's?"""
    mine, theirs = (
        {w for w in words_at(side, words(name)) if 2 * len(w) >= side.end - side.start} for side in (left, right)
    )
    return apart(mine, theirs)


def apart(mine: set[str], theirs: set[str]) -> bool:
    """Are there words on both sides, and none is, or stands within, one of the other side's?"""
    return bool(mine and theirs) and not any(a in b or b in a for a in mine for b in theirs)
