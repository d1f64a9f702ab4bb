"""Negation at an edit: whether one side denies what the other states."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from quchong.differences.denials import chinese_statements, english_denials, english_statements, negating_prefixes
from quchong.differences.dictionaries import base_forms, negations
from quchong.differences.numerals import WORDS
from quchong.differences.slips import CERTAIN, slip
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern
from quchong.text.words import is_known_word


@cache
def _english() -> re.Pattern[str]:
    """Return the pattern of English words and phrases that negate, or only look so, and of verbs that negate the verb behind them."""
    every = "|".join(sorted(map(re.escape, _english_words()), key=len, reverse=True))
    prefixes = "|".join(negating_prefixes())
    return re.compile(rf"\b(?:(?:{every}|\w+n't|{english_denials()})(?![a-z'])|(?:{prefixes})(?=-[a-z]))")


def _english_words() -> set[str]:
    """Return the English words and phrases that negate or look like it, except n't."""
    return {w for some in negations() for w in some if w.isascii()} - {"n't"}


_BEGINNING = lazy_pattern(r"(?<!\w)(?:(?=\w+n't)\w+|([a-z]+))")
"""Beginning of a word: of one with n't, or its letters, as group 1."""


@cache
def _beginnings() -> frozenset[str]:
    """Return the letters with which English negations may begin."""
    first = {m[0] for w in _english_words() if (m := re.match("[a-z]+", w))}
    return frozenset(
        first.union(re.findall("[a-z]+", re.sub(r"\\[a-z]", " ", english_denials())), _DENY, negating_prefixes())
    )


_DENY = "deny", "denied", "denies"


@lru_cache(256)
def _english_negations(window: Window) -> tuple[re.Match[str], ...]:
    """Return the matches of the English pattern that overlap the differing text.

    The pattern is tried only where a word begins that can begin a negation: that takes a tenth of the time of a search in the whole text.
    """
    text, out, free, known = window.text, list[re.Match[str]](), 0, _beginnings()
    for word in _BEGINNING.finditer(text):
        at = word.start()
        if at >= window.end:
            break
        if at < free or (word[1] is not None and word[1] not in known):
            continue
        if (found := _english().match(text, at)) is not None:
            free = found.end()
            if window.touches(at, free):
                out.append(found)
    return tuple(out)


@cache
def _harmless() -> frozenset[str]:
    return negations()[1]


_CHARACTERS = frozenset("不没未无非否别勿莫毋甭")
WORD = 5
"""Most characters of a Chinese word that negates, or only looks so."""
_HINTS = _CHARACTERS | frozenset("禁难忌休")
DUTY = lazy_pattern(
    "非(?:得|要)?(?P<done>[^，。；！？、,.;!?不]{1,12}?)(?P<end>不可|不行|不成)(?=$|[^\u3400-\u9fff]|[的了吧啊呢])"
)
"""Frame that states a duty by two negations: 非去不可."""


def of_duty(text: str, at: int) -> bool:
    """Return True if a negating character belongs to a frame that states a duty: 非 and 不 of 非去不可, which is 必须去."""
    if text[at] not in "非不":
        return False
    return any(at in (found.start(), found.start("end")) for found in DUTY.finditer(text))


def negates(window: Window) -> int:
    """Return the number of negations in the differing text; a word that merely contains a negating character (不断) does not count.

    A negating word counts only if the stretch includes its negating character: if 不具备 becomes 不拥有, 不 is outside the stretch.
    """
    text = window.text
    if window.stretch.isascii():
        if not window.stretch.strip():
            return 0
        return sum(m.group() not in _harmless() for m in _english_negations(window))
    plain, other = negations()
    total, behind = 0, 0
    # For each negating character take the longest listed word around it; harmless words (不断) count as none.
    for i in range(window.start, window.end):
        if text[i] not in _HINTS or i < behind:
            continue
        spans = [
            (a, b) for a in range(max(0, i - WORD + 1), i + 1) for b in range(min(len(text), a + WORD), i, -1)
            if text[a:b] in plain or text[a:b] in other
        ]  # fmt: skip
        if spans and not of_duty(text, i):
            a, b = max(spans, key=lambda ab: ab[1] - ab[0])
            # 是非会员: 非 belongs to what it denies, and makes 是非 by chance.
            chance = text[a:b] == "是非" and i == window.start == window.end - 1 and is_known_word(text[b : b + 2])
            total, behind = total + (chance or text[a:b] not in other), b
    return total


NEGATED = 6
"""Most characters of a stretch that merely negates the other side; a longer one states something else."""
ENGLISH = 8
"""Most words of such a stretch in English."""
AFFIRMED = frozenset(
    "已 已经 早已 是 有 能 会 可 可以 必 必须 必将 曾 曾经 正 正在 将 将要 均 全 都 应 应该 应当 要 需 需要 允许 准许 准 得 许 仍 仍然 "
    "还 也 就 才 且 确 确实 系 属 属于 均系 均属 确系 确属 实为 实属 完全 十分 很 非常 极 能够 愿 愿意 肯 敢 想 多".split()
)
"""Affirming words that may replace a negation; such a replacement is no slip, however similar the words look (已, 未)."""
EMPTY = frozenset(
    "will can is are was were be been am do does did has have had should would could must may might shall to a an the any some all "
    "every each both either always ever yet longer already still also just now soon finally indeed even of them us it at least "
    "somebody someone something everybody everyone everything anybody anyone anything many much most several plenty "
    "with there here that he she they having".split()
) | frozenset(WORDS)
"""English words without content next to a negation, and words that affirm in its place."""


def _repeats(window: Window) -> bool:
    """Return True if the differing text repeats text from right before it, such as a negation (不许进，不许出)."""
    stretch = window.stretch.strip()
    return len(stretch) > 1 and stretch in window.text[max(0, window.start - 6) : window.start]


def negated(left: Window, right: Window) -> bool:
    """Return True if one side negates what the other states.

    Either it inserts a negation or replaces an affirming word by one; or it repeats the other side's words with a negation.
    """
    # English is compared word by word, Chinese character by character.
    if (left.stretch + right.stretch).isascii() and (_latin(left) or _latin(right)):
        return _negated_in_english(*_whole_words(left, right))
    if max(left.end - left.start, right.end - right.start) > NEGATED:
        return False
    count = negates(left), negates(right)
    if (count[0] - count[1]) % 2 == 0:
        return False
    # The side with more negations denies; compare the rest of its stretch with the other side.
    says, other = (left, right) if count[0] > count[1] else (right, left)
    plain = negations()[0]
    rest = "" if says.stretch in plain else "".join(c for c in says.stretch if c not in _CHARACTERS).strip()
    if _repeats(says):
        return False
    # A pure negation must be inserted, or replace an affirming word; else the other side must share its words.
    if not rest:
        affirmed = other.stretch.strip()
        return not affirmed or affirmed in AFFIRMED or affirmed in chinese_statements()
    return any(c in other.stretch for c in rest) or (len(rest) == 1 and not other.stretch)


def _latin(window: Window) -> bool:
    return any(c.isalpha() for c in window.stretch)


_LETTER = lazy_pattern("[a-z']")
_BEFORE, _BEHIND = lazy_pattern(r"[a-z']*$"), lazy_pattern(r"[a-z']*")


def _whole_words(left: Window, right: Window) -> tuple[Window, Window]:
    """Extend both windows to whole words if the difference begins or ends inside a word, as with can and can't."""
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
    """Return True if one differing text negates the other, and they differ only in negations, auxiliaries and endings."""
    count = negates(left), negates(right)
    if (count[0] - count[1]) % 2 == 0 or max(len(w.stretch.split()) for w in (left, right)) > ENGLISH:
        return False
    says, other = (left, right) if count[0] > count[1] else (right, left)
    if _repeats(says):
        return False
    rest, said = (
        [_base(w) for w in _WORDS.findall(_without_negations(side)) if w not in EMPTY] for side in (says, other)
    )
    # A verb that states the one behind it stands in the place of the negation: plans to sell, refuses to sell.
    if not rest and said and english_statements().issuperset(_WORDS.findall(_without_negations(other))):
        return True
    # A word beside a negation may have a slip in it, as in scans.
    return len(rest) == len(said) and all(
        _stem(a) == _stem(b) or slip(a, b) == CERTAIN for a, b in zip(rest, said, strict=True)
    )


def negates_alike(left: Window, right: Window) -> bool:
    """Return True if both differing texts negate and say the same otherwise: wouldn't and would not, failed to and did not, 没有 and 未.

    Example:
        >>> one, other = "they wouldn't go", "they would not go"
        >>> negates_alike(Window(one, 5, 13), Window(other, 5, 14))
        True
    """
    if (left.stretch + right.stretch).isascii():
        if not (_latin(left) and _latin(right)):
            return False
        left, right = _whole_words(left, right)
        if negates(left) % 2 == 0 or negates(right) % 2 == 0:
            return False
        rest = [
            [_stem(_base(w)) for w in _WORDS.findall(_without_negations(side)) if w not in EMPTY]
            for side in (left, right)
        ]
        return rest[0] == rest[1]
    plain = negations()[0]
    return left.stretch in plain and right.stretch in plain and negates(left) % 2 == negates(right) % 2 == 1


def _without_negations(window: Window) -> str:
    """Return the differing text without the negations that reach into it: against of decided against is a part of one."""
    out = list(window.text[: window.end])
    for found in _english_negations(window):
        out[found.start() : min(found.end(), window.end)] = " " * max(0, min(found.end(), window.end) - found.start())
    return "".join(out[window.start :])


def stems_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the stem of each English word, of irregular verbs too: plan for planned, find for found."""
    return tuple(_stem(_base(word)) for word in words)


@cache
def stem_set(words: frozenset[str]) -> frozenset[str]:
    """Return the stems of a set of English words."""
    return frozenset(stems_of(words))


_PREFIX = lazy_pattern("(?:re|over|under|out|mis|un|with)(?=[a-z]{3})")


def _base(word: str) -> str:
    """Return the base form of an irregular English verb, also behind a prefix: pay for paid, repay for repaid; other words as they are."""
    if (found := base_forms().get(word)) is not None:
        return found
    prefix = _PREFIX.match(word)
    rest = base_forms().get(word[prefix.end() :]) if prefix else None
    return word if prefix is None or rest is None else prefix.group() + rest


_WORDS = lazy_pattern(r"[a-z]+|\d+")
_ENDINGS = lazy_pattern(r"(?:ied|ies|ying|ing|ed|es|s|e|y)$")
_BRIEF = lazy_pattern(r"(?:(?:ed|es|s|e)|(?<=[^aeiou])y)$")
"""Endings of verbs of up to four letters: sue and sued, die and dies, try."""


def _stem(word: str) -> str:
    """Return a verb without its ending: plan for plans, planned and planning; su for sue and sued."""
    short = (_ENDINGS if len(word) > 4 else _BRIEF).sub("", word) if len(word) > 2 else word
    return short[:-1] if len(short) > 3 and short[-1] == short[-2] else short
