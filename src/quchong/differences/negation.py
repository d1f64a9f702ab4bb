"""Negation at an edit: does one side deny what the other says."""

from __future__ import annotations

import re
from functools import cache

from quchong.differences.dictionaries import base_forms, negations
from quchong.differences.numerals import WORDS
from quchong.differences.windows import Window


@cache
def _english() -> re.Pattern[str]:
    """Words and phrases that negate, and those that only look so."""
    both = {w for some in negations() for w in some if w.isascii()} - {"n't"}
    every = "|".join(sorted((re.escape(w) for w in both), key=len, reverse=True))
    return re.compile(rf"\b(?:{every}|\w+n't)(?![a-z'])")


@cache
def _harmless() -> frozenset[str]:
    return negations()[1]


_CHARACTERS = frozenset("不没未无非否别勿莫毋甭")
WORD = 5
"""Characters of the longest Chinese word that negates, or only looks so."""
_HINTS = _CHARACTERS | frozenset("禁难忌休")


def negates(window: Window) -> int:
    """How many negations the stretch makes. A word that only holds such a character counts as none (不断).

    Of a longer word the stretch must have the character that negates: 不具备 and 不拥有 both keep theirs.
    """
    text = window.text
    if window.stretch.isascii():
        if not window.stretch.strip():
            return 0
        found = [m for m in _english().finditer(text) if window.touches(*m.span())]
        return sum(m.group() not in _harmless() for m in found)
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
ENGLISH = 8
"""Words of such a stretch in English."""
AFFIRMED = frozenset(
    "已 已经 早已 是 有 能 会 可 可以 必 必须 必将 曾 曾经 正 正在 将 将要 均 全 都 应 应该 应当 要 需 需要 允许 准许 准 得 许 仍 仍然 "
    "还 也 就 才 且 确 确实 完全 十分 很 非常 极 能够 愿 愿意 肯 敢 想 多".split()
)
"""What stands in a negation's place: one of these against it is no slip, alike as the two may look (已, 未)."""
EMPTY = frozenset(
    "will can is are was were be been am do does did has have had should would could must may might shall to a an the any some all "
    "every each both either always ever yet longer already still also just now soon finally indeed even of them us it at least "
    "somebody someone something everybody everyone everything anybody anyone anything many much most several plenty "
    "with there here".split()
) | frozenset(WORDS)
"""English words that say nothing of their own beside a negation, and those that affirm in its place."""


def _repeats(window: Window) -> bool:
    """Does the stretch repeat a negation that stands right before it (不许进，不许出)?"""
    stretch = window.stretch.strip()
    return len(stretch) > 1 and stretch in window.text[max(0, window.start - 6) : window.start]


def negated(left: Window, right: Window) -> bool:
    """Does one side negate what the other says?

    Either it puts a negation in, or in the place of a word that affirms; or it says what the other says, and negates it.
    """
    if (left.stretch + right.stretch).isascii() and (_latin(left) or _latin(right)):
        return _negated_in_english(*_whole_words(left, right))
    if max(len(left.stretch), len(right.stretch)) > NEGATED or (negates(left) - negates(right)) % 2 == 0:
        return False
    says, other = (left, right) if negates(left) > negates(right) else (right, left)
    plain = negations()[0]
    rest = "" if says.stretch in plain else "".join(c for c in says.stretch if c not in _CHARACTERS).strip()
    if _repeats(says):
        return False
    if not rest:
        return not other.stretch.strip() or other.stretch.strip() in AFFIRMED
    return any(c in other.stretch for c in rest) or (len(rest) == 1 and not other.stretch)


def _latin(window: Window) -> bool:
    return any(c.isalpha() for c in window.stretch)


_LETTER = re.compile("[a-z']")
_BEFORE, _BEHIND = re.compile(r"[a-z']*$"), re.compile(r"[a-z']*")


def _whole_words(left: Window, right: Window) -> tuple[Window, Window]:
    """The same with whole words, where what differs begins or ends within one: of can and can't only the end differs."""
    both = [w for w in (left, right) if w.stretch]
    first = any(_LETTER.match(w.stretch) and _LETTER.match(w.text[w.start - 1 : w.start]) for w in both)
    last = any(_LETTER.match(w.stretch[-1]) and _LETTER.match(w.text[w.end : w.end + 1]) for w in both)
    out = []
    for w in (left, right):
        before, behind = _BEFORE.search(w.text[: w.start]), _BEHIND.match(w.text, w.end)
        out.append(
            Window(w.text, before.start() if first and before else w.start, behind.end() if last and behind else w.end)
        )
    return out[0], out[1]


def _negated_in_english(left: Window, right: Window) -> bool:
    """Of two stretches that are alike but for negations, auxiliaries and endings: does one of them deny?"""
    count = negates(left), negates(right)
    if (count[0] - count[1]) % 2 == 0 or max(len(w.stretch.split()) for w in (left, right)) > ENGLISH:
        return False
    says, other = (left, right) if count[0] > count[1] else (right, left)
    if _repeats(says):
        return False
    rest, said = (
        [base_forms().get(w, w) for w in _WORDS.findall(_english().sub(" ", w.stretch)) if w not in EMPTY]
        for w in (says, other)
    )
    return len(rest) == len(said) and all(_stem(a) == _stem(b) for a, b in zip(rest, said, strict=True))


_WORDS = re.compile(r"[a-z]+|\d+")
_ENDINGS = re.compile(r"(?:ied|ies|ying|ing|ed|es|s|e|y)$")


def _stem(word: str) -> str:
    """A verb without its ending: plan of plans, planned and planning."""
    short = _ENDINGS.sub("", word) if len(word) > 3 else word
    return short[:-1] if len(short) > 3 and short[-1] == short[-2] else short
