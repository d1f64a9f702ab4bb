"""Edits of symbols: another grade, operator, check mark, rating or picture, and decoration, which says nothing."""

from __future__ import annotations

import re

from anatomy import sentences
from draw import Both, Draw

_SAYS = {
    "tune": (
        ("本期债券信用等级为{}。", "AA+", "AA-"), ("网友给出的评分是{}。", "★★★★★", "★★"), ("复查结果为阳性({})。", "+", "-"),
        ("后台程序用{}编写。", "C++", "C"), ("判断条件是n {} 100。", ">=", "<="), ("本市当日报价{}0.35元。", "↑", "↓"),
        ("群众代表的态度是{}。", "👍", "👎"), ("该项审查{}。", "✓", "✗"), ("验算的式子是12 {} 34。", "+", "×"),
        ("溶液中检出Fe{}。", "²⁺", "³⁺"), ("参加人数{}200。", "≥", "≤"), ("表格此栏填(●)者以(●)为准，另栏为({})。", "○", "●"),
    ),
    "held": (
        ("学生成绩评定为{}。", "B+", "B-"), ("酒店挂牌{}级。", "☆☆☆☆", "☆☆☆"), ("血型Rh因子({})。", "-", "+"),
        ("招聘熟悉{}的人员。", "C#", "C"), ("温度须{} 38。", "<", ">"), ("收盘价较前日{}1.2%。", "▲", "▼"),
        ("留言只有一个{}。", "😊", "😡"), ("是否同意：{}。", "☑", "☒"), ("计算步骤为81 {} 9。", "÷", "-"),
        ("样品含CO{}。", "", "₂"), ("若a {} b则报警。", "==", "!="), ("转速偏差{}5。", "±", "≥"),
    ),
}  # fmt: skip
"""Sentences with a symbol and with another one, for each half its own."""
_ENGLISH = {
    "tune": (
        ("The agency rated the bonds {}.", "AA+", "AA-"), ("Readers gave the service {} in total.", "★★★★★", "★★"),
        ("The test came back ({}) today.", "+", "-"), ("The tool was written in {}.", "C++", "C"),
        ("The alarm sounds when x {} 5.", ">=", "<="), ("The quote was {} 0.35 by noon.", "↑", "↓"),
        ("The answer was {} on the whole.", "👍", "👎"), ("The inspection ended with {}.", "✓", "✗"),
    ),
    "held": (
        ("Her essay was graded {}.", "B+", "B-"), ("The hotel shows {} on its door.", "☆☆☆☆", "☆☆☆"),
        ("The Rh factor is ({}).", "-", "+"), ("They want people who know {}.", "C#", "C"),
        ("Keep it where t {} 38.", "<", ">"), ("The index closed {} 1.2%.", "▲", "▼"),
        ("The only reply was {}.", "😊", "😡"), ("The rule fires if a {} b.", "==", "!="),
    ),
}  # fmt: skip
_FRAMES = (
    "■{}",
    "★ {}",
    "▲{}",
    "{}■",
    "{}◆",
    "**{}**",
    "<b>{}</b>",
    "> {}",
    "● {}",
    "《{}》",
    "“{}”",
    "# {}",
    "——{}——",
    "=== {} ===",
    "{} ©",
)
"""Decoration around a sentence."""


def _said(text: str, draw: Draw, says: dict[str, tuple[tuple[str, str, str], ...]], space: str) -> Both:
    """A sentence with a symbol stands in both texts, and in the copy it has another one."""
    parts = sentences(text)
    at = draw.rng.randint(0, len(parts))
    frame, *both = says[draw.half][draw.number % len(says[draw.half])]
    if draw.rng.random() < 0.5:
        both.reverse()
    one, other = (space.join(["".join(parts[:at]).rstrip(), frame.format(it), "".join(parts[at:])]) for it in both)
    return one.strip(), other.strip()


def symbol(text: str, draw: Draw) -> Both | None:
    """Another symbol in a sentence: AA+ → AA-, ★★★★★ → ★★, 👍 → 👎."""
    return _said(text, draw, _SAYS, "")


def english_symbol(text: str, draw: Draw) -> Both | None:
    """Another symbol in an English sentence."""
    return _said(text, draw, _ENGLISH, " ")


def decoration(text: str, draw: Draw) -> Both | None:
    """Bullets, rules, quotes and marks of markup stand around a sentence of the copy."""
    parts = sentences(text)
    at = draw.rng.randrange(len(parts))
    body = parts[at].strip()
    if not body or re.search(r"[<>=*#]", body):
        return None
    return text, "".join([*parts[:at], _FRAMES[draw.number % len(_FRAMES)].format(body), *parts[at + 1 :]])
