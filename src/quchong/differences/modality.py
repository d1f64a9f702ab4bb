"""Modality at an edit: whether one side must do what the other may do, will do or has done."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from quchong.differences.dictionaries import modalities
from quchong.differences.negation import DUTY, of_duty, stems_of
from quchong.differences.synonyms import is_listed
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern
from quchong.text.words import is_known_word

_APART = frozenset(
    frozenset(both.split())
    for both in (
        "must exempt", "ought exempt", "exempt forbidden", "must forbidden", "may forbidden", "must may", "must possible",
        "must plan", "must done", "may done", "may certain", "possible certain", "possible future", "possible done",
        "certain plan", "certain done", "future done", "future now", "plan done", "plan now", "now done",
    )
)  # fmt: skip
"""Classes of modality that exclude each other. Future and plan do not (将, 拟), nor plan and possible: editors change one for the other."""
_FILLERS = r"[于在从对向由的地了过并也还就都又再全均]|会|要|完成|成功|顺利|正式|全部|全面|基本|自行|尽快|如期"
"""Chinese words that may stand beside a word of modality: 拟 becomes 已完成."""
LONGEST = 4
"""Most characters of a Chinese word of modality."""
_EMPTY = frozenset(
    "is are was were be been being am to also now the it they he she that soon still do does did not yet".split()
)
"""English words beside those of modality that say nothing of their own."""
_EXEMPT = lazy_pattern(
    r"\bneed(?:n't|\snot)\b"
    r"|(?:\b(?:do|does|did|will|would|is|are|was|were|be|been|has|have|had)(?:\snot|n't)(?:\sbe|\sbeen)?|\bno\slonger|\bnot|\bnever)"
    r"\s(?:have|need|required|obliged|obligated|forced|compelled|supposed)(?:\sto\b|$)"
    r"|\bno\s(?:need|obligation|duty)\sto\b|\bexempt(?:ed)?\sfrom\b"
)
"""English words that say that there is no duty."""
_FORBIDS = lazy_pattern(r"\b(?:(?:must|shall|can|(?P<may>may))(?:n't|\snot)|cannot)\b")
"""English words that forbid; may not also says that something is possible not to be."""
_OBLIGED, _TO = lazy_pattern(r"\b(?:has|have|had|having|needs?|needed) to\b"), lazy_pattern(r" ?(to|not)\b")
_STEM = 5
"""Least letters of a stem with which a longer word begins."""
_VERB = 5
"""Most characters of a Chinese verb behind words of modality, with what says that it is completed."""
_COMPLETED = lazy_pattern("完毕|完成|完工|结束|好了?|完了?|了")
_MOST = 8
"""Most words of an English stretch that is read."""
_WORDS = lazy_pattern(r"[a-z]+")


def modality_differs(left: Window, right: Window) -> bool:
    """Return True if a word of modality replaces one that excludes it, with the same verb: 必须 and 可以, will and may.

    A stretch that says more than a modality is a rewritten clause, in which nothing conflicts.
    """
    return _same_verb_with(_exclude, left, right)


_AGREE = frozenset("must exempt forbidden may possible certain".split())
"""Classes of modality of which one word says what another does; one may plan what the other hopes for."""


def modality_agrees(left: Window, right: Window) -> bool:
    """Return True if both differing texts are words of one modality, with the same verb: must and have to, 不必 and 无需.

    Example:
        >>> must, has = "they must go", "they have to go"
        >>> modality_agrees(Window(must, 5, 9), Window(has, 5, 12))
        True
    """
    return _same_verb_with(_agree, left, right)


def _same_verb_with(related: Callable[[frozenset[str], frozenset[str]], bool], left: Window, right: Window) -> bool:
    """Return True if both differing texts are modalities with the same verb, and `related` is True of their classes."""
    mine, theirs = left.stretch, right.stretch
    latin = any(c.isascii() and c.isalpha() for c in mine + theirs)
    # Nearly always: one of two Chinese stretches has no character of a word of modality.
    if not latin and not (may_have_modality(mine) and may_have_modality(theirs)):
        return False
    if "非" in mine or "非" in theirs:
        left, right = _plainly(left, right)
        right, left = _plainly(right, left)
        latin = any(c.isascii() and c.isalpha() for c in left.stretch + right.stretch)
    classes = _english if latin else _chinese
    if (one := classes(left)) is None or (other := classes(right)) is None or not related(one[0], other[0]):
        return False
    verbs = (one[1], other[1]) if latin else (_verb_of(one[1], left), _verb_of(other[1], right))
    return _same_verbs(*verbs) if latin or one[1] or other[1] else True


def may_have_modality(stretch: str) -> bool:
    """Return True if a stretch has a character of a Chinese word of modality: no other Chinese stretch is one."""
    return not _characters().isdisjoint(stretch)


def _verb_of(verb: tuple[str, ...], window: Window) -> tuple[str, ...]:
    """Return the Chinese verb of a differing text, or else the two characters behind it."""
    return verb or (window.text[window.end : window.end + 2],)


def _plainly(window: Window, other: Window) -> tuple[Window, Window]:
    """Return both windows with 非去不可 in the first one written as 必须去, and without the end that both differing texts then share."""
    found = DUTY.fullmatch(window.text, window.start, window.end)
    if found is None:
        return window, other
    plain = "必须" + found["done"]
    same = 0
    while same < min(len(found["done"]), len(other.stretch)) and plain[-1 - same] == other.stretch[-1 - same]:
        same += 1
    text = window.text[: window.start] + plain + window.text[window.end :]
    return Window(text, window.start, window.start + len(plain) - same), Window(
        other.text, other.start, other.end - same
    )


def _same_verbs(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Return True if two lists of words have the same stems, or noun and verb of one stem; Chinese verbs need one common character."""
    if not "".join(mine + theirs).isascii():
        return bool(set("".join(mine)) & set("".join(theirs)))
    return len(mine) == len(theirs) and all(
        a == b or (min(len(a), len(b)) >= _STEM and (a.startswith(b) or b.startswith(a)))
        for a, b in zip(mine, theirs, strict=True)
    )


def _exclude(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Return True if the two sides have no class of modality in common, and a class of one side excludes a class of the other."""
    return not mine & theirs and any(frozenset((a, b)) in _APART for a in mine for b in theirs)


def _agree(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Return True if both sides have a class of _AGREE in common, and none that exclude each other."""
    return bool(mine & theirs & _AGREE) and not _exclude(mine, theirs)


@cache
def _phrase() -> re.Pattern[str]:
    """Return the pattern of a Chinese text that consists of words of modality and fillers alone."""
    return re.compile(f"({'|'.join(_chinese_words())})|{_FILLERS}")


@cache
def _chinese_words() -> tuple[str, ...]:
    """Return the Chinese words of modality, the longest first."""
    return tuple(sorted((w for w in modalities() if not w.isascii()), key=lambda w: (-len(w), w)))


@cache
def _characters() -> frozenset[str]:
    """Return the characters of the Chinese words of modality, and 非, with which a duty begins (非去不可)."""
    return frozenset("".join(_chinese_words()) + "非")


def _chinese(window: Window) -> tuple[frozenset[str], tuple[str, ...]] | None:
    """Return the classes of a differing text that is a modality and nothing else, extended to whole words, and no verbs; None otherwise."""
    text, start, end = window.text, window.start, window.end
    if start == end or end - start > 2 * LONGEST:
        return None
    if end - start == 1 and _within_word(text, start):
        return None
    if text[start] == "非" and window.stretch in ("非", "非得", "非要") and of_duty(text, start):
        return frozenset(["must"]), ()
    if (found := _classes(text, start, end)) is not None and text[start - 1 : start] not in ("不", "无", "没", "毋"):
        return found, ()
    first, last = start, end
    # The alignment may cut a word: of 可以 and 可能 only the second character differs.
    for a in range(max(0, start - LONGEST + 1), end):
        for b in range(min(len(text), a + LONGEST), max(start, a + 1), -1):
            if text[a:b] in modalities():
                first, last = min(first, a), max(last, b)
                break
    found = _classes(text, first, last) or _classes(text, start, end)
    return _with_verb(window) if found is None else (found, ())


def _within_word(text: str, at: int) -> bool:
    """Return True if the character at an offset begins a word that is no modality: 将 of 将来, but not of 将来访."""
    word, behind = text[at : at + 2], text[at + 1 : at + 3]
    return word not in modalities() and is_listed(word) and not (len(behind) == 2 and is_known_word(behind))


def _with_verb(window: Window) -> tuple[frozenset[str], tuple[str, ...]] | None:
    """Return the classes of a differing text that is words of modality and a verb, and the verb; None for any other differing text.

    The verb may go on behind the stretch.

    正在建设 and 已经建成 are about one verb.
    """
    text, start, end = window.text, window.start, window.end
    for last in range(end - 1, max(start, end - _VERB - 1), -1):
        verb = next(
            (text[last : last + n] for n in (3, 2) if last + n <= len(text) and is_known_word(text[last : last + n])),
            None,
        )
        rest = text[last + len(verb) : end] if verb else ""
        if verb and (not rest or _COMPLETED.fullmatch(rest)) and (found := _classes(text, start, last)):
            return found, (verb,)
    return None


def _classes(text: str, at: int, last: int) -> frozenset[str] | None:
    """Return the classes of text[at:last] if it consists of Chinese words of modality and fillers; else None."""
    known, found = modalities(), set[str]()
    while at < last:
        word = _phrase().match(text, at, last)
        if word is None:
            return None
        found |= known[word[1]] if word[1] else frozenset()
        at = word.end()
    return _resulting(found) if found else None


@cache
def _triggers() -> frozenset[str]:
    """Return the English words of which every text with a modality has at least one."""
    patterns = (re.sub(r"\\[a-z]", " ", one.pattern) for one in (_EXEMPT, _FORBIDS, _OBLIGED))
    return frozenset(word for word in modalities() if word.isascii()).union(*map(_WORDS.findall, patterns))


def _english(window: Window) -> tuple[frozenset[str], tuple[str, ...]] | None:
    """Return the classes of modality in a differing text, and the stems of its other words; None if it has no modality."""
    known = modalities()
    if _triggers().isdisjoint(_WORDS.findall(window.text, window.start, window.end)):  # nearly always
        return None
    # The last word of "has to" and "must not" may stand behind the stretch: plans to becomes has to.
    after = _TO.match(window.text, window.end)
    written = _EXEMPT.sub(" exempt ", window.stretch.strip() + (f" {after[1]}" if after else ""))
    written = _FORBIDS.sub(lambda m: " forbidden possible " if m["may"] else " forbidden ", written)
    written = _OBLIGED.sub(" must ", written)
    said = _WORDS.findall(written)
    some = [known[word] for word in said if word in known]
    if not some or len(said) > _MOST:
        return None
    found = frozenset[str]().union(*some)
    if not found:
        return None
    return _resulting(set(found)), stems_of(word for word in said if word not in known and word not in _EMPTY)


def _resulting(found: set[str]) -> frozenset[str]:
    """Return the classes that a chain of modal words amounts to: may have is possible, 已可以 is allowed, 将必须 is obliged."""
    for weak in ("done", "future", "now"):
        if len(found) > 1:
            found = found - {weak}
    return frozenset(found)
