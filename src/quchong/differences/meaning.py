"""Negation, opposites, places and titles at an edit: what words say there, and whether they contradict."""

from __future__ import annotations

import re
from functools import cache

from quchong.differences.dictionaries import negations, opposites, words
from quchong.differences.windows import Window

LONGEST = 16
"""Characters before a difference at which a word may begin that it has a part in."""


@cache
def _english() -> re.Pattern[str]:
    plain, _ = negations()
    every = "|".join(
        sorted((re.escape(w.replace("_", " ")) for w in plain if w.isascii() and w != "n't"), key=len, reverse=True)
    )
    return re.compile(rf"\b(?:{every}|\w+n't)\b")


_CHARACTERS = frozenset("不没未无非否别勿莫毋甭")
WORD = 5
"""Characters of the longest Chinese word that negates, or only looks so."""
_HINTS = _CHARACTERS | frozenset("禁难忌休")


def negates(window: Window) -> int:
    """How many negations the stretch makes. A word that only holds such a character counts as none (不断).

    Of a longer word the stretch must have the character that negates: 不具备 and 不拥有 both keep theirs.
    """
    text = window.text
    if text[window.start : window.end].isascii():
        if window.start == window.end or not window.stretch.strip():
            return 0
        return sum(window.touches(*m.span()) for m in _english().finditer(text))
    plain, other = negations()
    total, behind = 0, 0
    for i in range(window.start, window.end):
        if text[i] not in _HINTS or i < behind:
            continue
        spans = [
            (a, b) for a in range(max(0, i - WORD + 1), i + 1) for b in range(min(len(text), a + WORD), i, -1)
            if text[a:b] in plain or text[a:b] in other
        ]  # fmt: skip
        if spans:
            a, b = max(spans, key=lambda ab: ab[1] - ab[0])
            total, behind = total + (text[a:b] not in other), b
    return total


NEGATED = 6
"""Characters of a stretch that only negates what the other side says; a longer one says something else."""
AFFIRMED = frozenset(
    "已 已经 早已 是 有 能 会 可 可以 必 必须 必将 曾 曾经 正 正在 将 将要 均 全 都 应 应该 应当 要 需 需要 允许 准许 准 得 许 仍 仍然 "
    "还 也 就 才 且 确 确实 完全 十分 很 非常 极 能够 愿 愿意 肯 敢 想 "
    "will can is are was were do does did has have had should would could must may might a an the any some all every always ever".split()
)
"""What stands in a negation's place: one of these against it is no slip, alike as the two may look (已, 未)."""


def _repeats(window: Window) -> bool:
    """Does the stretch repeat a negation that stands right before it (不许进，不许出)?"""
    stretch = window.stretch.strip()
    return len(stretch) > 1 and stretch in window.text[max(0, window.start - 6) : window.start]


def negated(left: Window, right: Window) -> bool:
    """Does one side negate what the other says?

    Either it puts a negation in, or in the place of a word that affirms; or it says what the other says, and negates it.
    """
    if {left.stretch, right.stretch} == {"", "t"} or {left.stretch, right.stretch} == {"", "'t"}:  # can, can't
        says = left if left.stretch else right
        return says.text[: says.start + 1].rstrip("t").endswith("'")
    if max(len(left.stretch), len(right.stretch)) > NEGATED or (negates(left) - negates(right)) % 2 == 0:
        return False
    says, other = (left, right) if negates(left) > negates(right) else (right, left)
    plain = negations()[0]
    rest = "" if says.stretch in plain else "".join(c for c in says.stretch if c not in _CHARACTERS).strip()
    if rest and says.stretch.isascii():
        rest = _english().sub("", rest).strip() or rest.removesuffix("n't")
    if _repeats(says):
        return False
    if not rest:
        return not other.stretch.strip() or other.stretch.strip() in AFFIRMED
    return any(c in other.stretch for c in rest) or (
        not says.stretch.isascii() and len(rest) == 1 and not other.stretch
    )


LISTS = ("places", "bodies", "titles", "opposites")
"""Lists of words that can stand against one another."""


@cache
def lexicon() -> tuple[dict[str, frozenset[str]], dict[str, tuple[int, ...]]]:
    """Every word that can stand against another, with the lists it is on; and how long those are that begin with a character."""
    lists: dict[str, set[str]] = {}
    for name in LISTS:
        for word in opposites() if name == "opposites" else words(name):
            lists.setdefault(word, set()).add(name)
    lengths: dict[str, set[int]] = {}
    for word in lists:
        lengths.setdefault(word[0], set()).add(len(word))
    return (
        {word: frozenset(names) for word, names in lists.items()},
        {c: tuple(sorted(n, reverse=True)) for c, n in lengths.items()},
    )


def words_at(window: Window) -> dict[str, set[str]]:
    """Words of the lexicon that the stretch has a part in, by list; of those within another the longest alone.

    A word of one Chinese character counts only where it is the whole stretch: elsewhere it may be a part of another word.
    """
    text = window.text
    known, lengths = lexicon()
    found: list[tuple[int, int]] = []
    out: dict[str, set[str]] = {}
    for a in range(max(0, window.start - LONGEST), window.end + (window.start == window.end)):
        if a > 0 and text[a - 1 : a + 1].isascii() and text[a - 1 : a + 1].isalnum():
            continue  # within a Latin word
        for n in lengths.get(text[a : a + 1], ()):
            b = a + n
            if text[a:b] in known and window.touches(a, b) and _ends(text, a, b):
                alone = n == 1 and text[a] > "\u2e80" and (a, b) != (window.start, window.end)
                if not alone and not any(c <= a and b <= d for c, d in found):
                    found.append((a, b))
                    for name in known[text[a:b]]:
                        out.setdefault(name, set()).add(text[a:b])
                break
    return out


def _ends(text: str, a: int, b: int) -> bool:
    """Does text[a:b] not end within a Latin word?"""
    return not (text[a].isascii() and b < len(text) and text[b].isascii() and text[b].isalnum())


def opposed(mine: set[str], theirs: set[str]) -> bool:
    """Does one side say the opposite of what the other says in its place?"""
    known = opposites()
    return not mine & theirs and any(known[w] & theirs for w in mine)


def differing(left: Window, right: Window, mine: set[str], theirs: set[str]) -> bool:
    """Do both sides hold words of a list there, each half of what differs, and none of them is, or stands within, one of the other's?"""
    x, y = (
        {w for w in found if 2 * len(w) >= side.end - side.start} for side, found in ((left, mine), (right, theirs))
    )
    return apart(x, y)


def apart(mine: set[str], theirs: set[str]) -> bool:
    """Are there words on both sides, and none is, or stands within, one of the other side's?"""
    return bool(mine and theirs) and not any(a in b or b in a for a in mine for b in theirs)
