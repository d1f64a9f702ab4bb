"""Edits of modality: what must be may be, what will be has been. And the same modality in another word, after which one can go."""

from __future__ import annotations

import random
import re

from anatomy import Word, spliced, words
from draw import Both, Draw

OTHERWISE = {
    "必须": "可以", "须": "可", "可以": "必须", "可能": "必然", "必然": "可能", "将": "已", "将要": "已经", "已经": "即将", "已": "拟",
    "拟": "已", "有望": "已经", "计划": "已经", "即将": "已经", "应当": "可以", "必定": "或许", "也许": "必定", "业已": "将要",
    "务必": "可以", "正在": "已经", "必将": "可能", "势必": "可能", "打算": "已经", "早已": "即将", "能够": "必须",
}  # fmt: skip
"""Words of modality, and another one."""
ALIKE = {
    "必须": "务必", "已经": "业已", "已": "已经", "将": "将会", "将会": "将", "可以": "能够", "也许": "或许", "应该": "应当",
    "应当": "应该",    "即将": "将要", "正在": "正", "可能": "或许", "计划": "打算", "必将": "势必", "能够": "可以", "将要": "即将",
}  # fmt: skip
"""Words of modality, and one that says the same."""
_VERBS = ("v", "vn", "p", "d", "ad", "b")
_BOUND = "不没未无非否别"


def _free(text: str, at: int, found: tuple[Word, ...], listed: dict[str, str]) -> bool:
    """Is this word a modality of the verb behind it: neither denied nor a noun, and no 将 that stands for 把?"""
    word = found[at]
    if word.text not in listed or at + 1 >= len(found):
        return False
    after = found[at + 1]
    if (at and found[at - 1].text[-1] in _BOUND) or after.text[0] in _BOUND or after.text[0] in "的性，。":
        return False
    if word.text == "计划" and word.tag != "v":
        return False
    return after.tag in _VERBS and not (
        word.text == "将" and after.tag == "p" and after.text not in ("于", "在", "从", "对")
    )


def _turned(text: str, listed: dict[str, str], rng: random.Random) -> Both | None:
    found = words(text)
    places = [w for i, w in enumerate(found) if _free(text, i, found, listed)]
    if not places:
        return None
    one = rng.choice(places)
    return text, spliced(text, [(one.start, one.end, listed[one.text])])


def modality(text: str, draw: Draw) -> Both | None:
    """One statement is obliged, allowed, possible, certain, planned or done instead: 必须 → 可以, 拟 → 已."""
    return _turned(text, OTHERWISE, draw.rng)


def same_modality(text: str, draw: Draw) -> Both | None:
    """The same modality in another word: 已 → 已经."""
    return _turned(text, ALIKE, draw.rng)


ENGLISH = (
    (r"\bmust (?!have)", "may "), (r"\bmay (?=[a-z])", "must "), (r"\bwill (?=[a-z])", "may "), (r"\bmight (?=[a-z])", "will "),
    (r"\bexpected to\b", "forced to"), (r"\bexpects to\b", "has to"), (r"\brequired to\b", "allowed to"), (r"\ballowed to\b", "obliged to"),
    (r"\bplans to\b", "has to"), (r"\bcould (?=[a-z])", "must "), (r"\bhas (?=[a-z]+ed\b)", "may have "),
    (r"\blikely to\b", "certain to"), (r"\bcan (?=[a-z])", "must "), (r"\bwould (?=[a-z])", "could "),
)  # fmt: skip
ENGLISH_ALIKE = (
    (r"\bwill (?=[a-z])", "is going to "), (r"\bexpected to\b", "likely to"), (r"\brequired to\b", "obliged to"),
    (r"\bwould (?=[a-z])", "will "), (r"\bmay (?=[a-z])", "might "), (r"\ballowed to\b", "permitted to"), (r"\bplans to\b",
    "intends to"), (r"\bcould (?=[a-z])", "might "),
    (r"\bhas (?=[a-z]+ed\b)", "had "), (r"\bhave (?=[a-z]+ed\b)", "had "), (r"\bcan (?=[a-z])", "may "),
)  # fmt: skip


def _english(text: str, listed: tuple[tuple[str, str], ...], rng: random.Random) -> Both | None:
    places = [(m, new) for pattern, new in listed for m in re.finditer(pattern, text)]
    places = [(m, new) for m, new in places if not re.match(r"(?:not|be able)\b", text[m.end() :])]
    if not places:
        return None
    one, new = rng.choice(places)
    return text, text[: one.start()] + new + text[one.end() :]


def english_modality(text: str, draw: Draw) -> Both | None:
    """One statement has another modality: will → may, expected to → forced to."""
    return _english(text, ENGLISH, draw.rng)


def english_same_modality(text: str, draw: Draw) -> Both | None:
    """The same modality in other words: expected to → likely to."""
    return _english(text, ENGLISH_ALIKE, draw.rng)
