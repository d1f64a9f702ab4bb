"""Edits that turn a statement round: one negation, one word for its opposite. Both texts must stay."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from anatomy import Word, spliced, words
from draw import Both, Draw

WORDS = Path(__file__).parent / "words"
VERBS = frozenset("通过 影响 要求 希望 建议 完成 明确 发现 支持 需要 参加 获得 改变 宣布 接受 实现".split())
"""Words that are turned only where nothing but a verb fits."""
TURNED_ALREADY = "不没未无非否别"
BEFORE_NOUN = ("的", "了", "和", "与", "、")


@cache
def negated() -> dict[str, str]:
    """Words and what says the contrary."""
    return dict(line.split() for line in (WORDS / "negations.txt").read_text("utf-8").splitlines())


def _turnable(at: int, all_words: tuple[Word, ...]) -> bool:
    """Does a negation at this word turn the statement, and nothing else?"""
    word = all_words[at]
    before = all_words[at - 1].text if at else "，"
    after = all_words[at + 1].text if at + 1 < len(all_words) else "。"
    if word.text not in negated() or before[-1] in TURNED_ALREADY or after[0] in TURNED_ALREADY or after[0] in "否没":
        return False
    if word.text in ("不得", "不可", "不再") and after[0] in "不而":
        return False
    if word.text == "将":  # before a verb, not for 把
        return (
            after in ("于", "在", "继续", "进一步", "从", "会") or all_words[min(at + 1, len(all_words) - 1)].tag == "v"
        )
    if word.text in ("有", "是", "会", "能", "未", "已"):
        return (
            word.tag in ("v", "d")
            and before[-1] not in "还就都只而于若但所各惟只最如凡总"
            and after[0] not in "些关所的待来"
        )
    if word.text in VERBS:
        return word.tag == "v" and before[-1] in "，。将已并也曾；会者方们他她" and after not in BEFORE_NOUN
    return before != "的" and after != "的"


def negation(text: str, draw: Draw) -> Both | None:
    """One statement says the contrary: 是 → 不是, 将 → 将不, 没有 → 有."""
    all_words = words(text)
    places = [w for i, w in enumerate(all_words) if _turnable(i, all_words)]
    if not places:
        return None
    one = draw.rng.choice(places)
    return text, spliced(text, [(one.start, one.end, negated()[one.text])])


@cache
def opposites() -> dict[str, str]:
    """Words and their opposites, either way."""
    lines = (WORDS / "opposites.txt").read_text("utf-8").splitlines()
    pairs = [line.split() for line in lines]
    return {b: a for a, b in reversed(pairs)} | {a: b for a, b in reversed(pairs)}


def opposite(text: str, draw: Draw) -> Both | None:
    """One word is its opposite: 上涨 → 下跌, 支持 → 反对."""
    all_words = words(text)
    places = [
        w for i, w in enumerate(all_words)
        if w.text in opposites() and not (i and all_words[i - 1].text[-1] in TURNED_ALREADY)
        and not (w.text == "通过" and (i + 1 == len(all_words) or all_words[i + 1].text not in "，。；了、"))
        and not (w.text in ("支持", "参加", "进入") and (i + 1 == len(all_words) or all_words[i + 1].tag == "x"))
    ]  # fmt: skip
    if not places:
        return None
    one = draw.rng.choice(places)
    return text, spliced(text, [(one.start, one.end, opposites()[one.text])])
