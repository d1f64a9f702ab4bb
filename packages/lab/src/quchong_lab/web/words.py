"""Words of the generated news (`quchong_lab.web.news`, `english_news`), from which every place, name and site is made.

They were written for this project; the files are lab/web/words.zh.txt and words.en.txt. A `Lexicon` also has the rules of a
language: the gap between sentences, the pattern of a word, and synonyms that an editor may use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Literal, NamedTuple, TypeAlias

Language: TypeAlias = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")


class Field(NamedTuple):
    """Field of news: channel of a site, subjects, and actions."""

    channel: str
    things: tuple[str, ...]
    acts: tuple[str, ...]


class Lexicon(NamedTuple):
    """Words of one language, and the rules by which its texts are cut and joined.

    `gap` separates two sentences of a paragraph; `ellipsis` ends a cut text; `word` finds a word that may be replaced, of about
    `letters` characters; `common` are characters for edits letter by letter; `synonyms` maps words to their replacements, and
    `known` finds these words. `marked` are formats of titles as a copyist marks them.
    """

    gap: str
    ellipsis: str
    word: re.Pattern[str]
    letters: int
    known: re.Pattern[str]
    marked: tuple[str, ...]
    modifiers: Sequence[str]
    heads: Sequence[str]
    verbs: Sequence[str]
    adverbs: Sequence[str]
    openings: Sequence[str]
    links: Sequence[str]
    said: Sequence[str]
    roles: Sequence[str]
    earnest: Sequence[str]
    reasons: Sequence[str]
    trends: Sequence[str]
    units: Sequence[str]
    agencies: Sequence[str]
    surnames: Sequence[str]
    given: Sequence[str]
    place_first: Sequence[str]
    place_second: Sequence[str]
    common: str
    synonyms: Mapping[str, str]
    fields: tuple[Field, ...]


def _sections(language: Language) -> dict[str, str]:
    text = files("quchong_lab.web").joinpath(f"words.{language}.txt").read_text("utf-8")
    parts = (part.partition("]") for part in text.split("\n[")[1:])
    return {name: body.strip() for name, _, body in parts}


def _list(text: str, comma: str | None) -> tuple[str, ...]:
    """Split a section into words, at blanks if `comma` is None, else at commas."""
    if comma is None:
        return tuple(text.split())
    return tuple(word for part in text.split(comma) if (word := " ".join(part.split())))


_LISTS = ("modifiers", "heads", "verbs", "adverbs", "openings", "links", "said", "roles", "earnest", "reasons", "trends", "units",
          "agencies")  # fmt: skip
_NAMES = ("surnames", "given", "place_first", "place_second")


def _lexicon(language: Language, gap: str, ellipsis: str, word: str, letters: int, marked: tuple[str, ...]) -> Lexicon:
    read = _sections(language)
    comma = None if language == "zh" else ","
    edge = "" if language == "zh" else r"\b"
    fields = []
    for name, body in read.items():
        if name.startswith("field "):
            things, _, acts = body.partition("/")
            fields.append(Field(name.removeprefix("field "), _list(things, comma), _list(acts, comma)))
    pairs = (pair.partition("=") for pair in _list(read["synonyms"], comma))
    synonyms = {one: other for one, _, other in pairs}
    # of Chinese names each character is one
    names = {n: "".join(read[n].split()) if comma is None else _list(read[n], comma) for n in _NAMES}
    return Lexicon(
        gap=gap, ellipsis=ellipsis, word=re.compile(word), letters=letters,
        known=re.compile(edge + "(?:" + "|".join(synonyms) + ")" + edge), marked=marked,
        **{n: _list(read[n], comma) for n in _LISTS}, **names, common="".join(read["common"].split()),
        synonyms=synonyms, fields=tuple(fields),
    )  # fmt: skip


ZH = _lexicon("zh", "", "……", "[一-鿿]{2}", 2, ("{}（图）", "组图：{}", "[转载]{}"))
EN = _lexicon("en", " ", "...", r"\b[a-z]{3,}\b", 6, ("{} (photo)", "Photos: {}", "[Repost] {}"))
LEXICONS: dict[Language, Lexicon] = {"zh": ZH, "en": EN}

PLACE_KINDS = ("市", "市", "县", "县", "区", "镇", "新区", "乡")
MONEYS = ("万元", "万元", "亿元", "元")
