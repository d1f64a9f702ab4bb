"""What stands where in a text: sentences, words with their tags, figures, dates, names, and what is no content at all."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import rjieba

Span = tuple[int, int]
SENTENCE = re.compile(r"[^。！？!?\n]*(?:[。！？!?]+[”’」』）)】]*\s*|\n\s*|$)")
DIGIT = "0-9０-９"
FIGURE = re.compile(
    rf"(?<![{DIGIT}.．A-Za-zＡ-Ｚａ-ｚ第年月/:：\-－—·])[{DIGIT}]+(?:[.．][{DIGIT}]+)?(?![{DIGIT}.．A-Za-zＡ-Ｚａ-ｚ年月日号时点分秒/:：世届·、)）\-－—])"
)
"""Amounts in digits: no part of a date, a time of day, a code or a number in a row."""
COUNT = re.compile(
    r"(?<![第一二三四五六七八九十百千万亿零两几数])[二三四五六七八九十百千]*[二三四五六七八九](?=万|亿|名|人[，。、]|元|吨|公里|米|岁|家|倍)"
)
"""Amounts in words: 三百二十元, 四家."""
DATE = re.compile(
    rf"(?:[{DIGIT}]{{2,4}}年)?[{DIGIT}]{{1,2}}月[{DIGIT}]{{1,2}}[日号]|[{DIGIT}]{{4}}年(?:[{DIGIT}]{{1,2}}月)?|[{DIGIT}]{{1,2}}月(?:份)?|"
    rf"[{DIGIT}]{{1,2}}日(?![元本])|[一二][九〇零][一二三四五六七八九〇零]{{2}}年|(?:星期|周)[一二三四五六日](?![个位家种年])"
)
HEAD = re.compile(r"^[^。！？\n]{0,40}?(?:日)?(?:电|讯|消息|报道)[ 　:：（(，]?")
BYLINE = re.compile(
    r"[（(【\[][^）)】\]]{0,40}?(?:记者|摄|通讯员|编辑|完|作者|来源)[^）)】\]]{0,40}[）)】\]]|(?:本报|本网)?记者[ 　]?[一-鿿]{2,4}"
)
KNOWN = re.compile("习近平|毛主席|周总理|总书记|台湾|香港|澳门|北京|中国|美国|日本")
"""Names the tagger may miss inside other words."""


class Word(NamedTuple):
    """A word, its tag (nr person, ns place, nt organisation, ...) and its place."""

    text: str
    tag: str
    start: int
    end: int


@cache
def _tagger() -> rjieba.Jieba:
    return rjieba.Jieba()


@cache
def words(text: str) -> tuple[Word, ...]:
    """All words of a text, in order."""
    found, at = [], 0
    for word, tag in _tagger().tag(text):
        start = text.index(word, at)
        at = start + len(word)
        found.append(Word(word, tag, start, at))
    return tuple(found)


def sentences(text: str) -> list[str]:
    """A text in sentences; put together they are the text."""
    return [part for part in SENTENCE.findall(text) if part]


def boilerplate(text: str) -> list[Span]:
    """Dateline and bylines: another name or day there changes no fact."""
    head = HEAD.match(text)
    return ([head.span()] if head else []) + [m.span() for m in BYLINE.finditer(text)]


def apart(found: Iterable[Span], forbidden: Sequence[Span]) -> list[Span]:
    """Those that touch none of the others."""
    return [s for s in found if all(s[1] <= a or b <= s[0] for a, b in forbidden)]


def figures(text: str) -> list[Span]:
    """Amounts, in digits or words, outside dates and boilerplate."""
    taken = boilerplate(text) + [m.span() for m in DATE.finditer(text)]
    return sorted(apart([m.span() for p in (FIGURE, COUNT) for m in p.finditer(text)], taken))


def dates(text: str) -> list[Span]:
    """Days, months, years and days of the week outside boilerplate."""
    return apart([m.span() for m in DATE.finditer(text)], boilerplate(text))


def facts(text: str) -> list[Span]:
    """Everything noise must leave alone: digits, dates, amounts, names, Latin words."""
    names = [(w.start, w.end) for w in words(text) if w.tag in ("nr", "ns", "nt", "nrt", "nz", "m", "mq", "t")]
    runs = [m.span() for p in (DATE, COUNT, KNOWN) for m in p.finditer(text)]
    return (
        boilerplate(text)
        + names
        + runs
        + [m.span() for m in re.finditer(rf"[{DIGIT}A-Za-zＡ-Ｚａ-ｚ.%％]+[一-鿿]?", text)]
    )


def spliced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The text with stretches replaced; they may not overlap."""
    parts, at = [], 0
    for start, end, new in sorted(changes):
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def inserted(text: str, sentence: str, rng: random.Random) -> str:
    """The text with a sentence more, behind one of its own."""
    return with_both(text, sentence, sentence, rng)[0]


def with_both(text: str, left: str, right: str, rng: random.Random) -> tuple[str, str]:
    """The text twice, with one sentence or the other at the same place."""
    parts = sentences(text)
    at = rng.randint(1, len(parts))
    head, tail = "".join(parts[:at]), "".join(parts[at:])
    return head + left + tail, head + right + tail
