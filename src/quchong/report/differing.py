"""Differences of two texts, and their wording: facts first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from quchong.errors import Param, UsageError
from quchong.findings import Difference
from quchong.languages import Language, Message, page_word
from quchong.report.visible import Shown, compose, compose_word, shown_name

MOST = 5
"""Maximum number of differences listed one by one."""
LONGEST = 60
"""Maximum length, in characters, of a side that is shown in full."""
CUT = 200
"""Length, in characters, from which the words of a side may be only its beginning.

A run stores the first 200 tokens of a longer side, and its offsets.
"""


def length_of(words: str, start: int, end: int) -> int:
    """Return the full length in characters of one side of a difference; `words` may be only its stored beginning."""
    return max(len(words), end - start) if len(words) >= CUT else len(words)


WORDS = {
    "added": Message("added “{}”", context="changes"),
    "left out": Message("left out “{}”", context="changes"),
    "more": Message("and {} more", context="differences"),
    "between": Message("; ", context="differences"),
    "cut": "{}… (and {:,} more characters)",
    "facts": Message(", ", context="kinds of facts"),
    "in": Message("in {}", context="kinds of facts"),
    "between kinds": Message(", ", context="counts of kinds"),
}
"""Words around the names of kinds."""
PLURAL = {"date": "dates", "figure": "figures", "person": "persons", "place": "places", "organisation": "organisations",
           "code": "codes", "negation": "negations", "opposite": "opposites",
           "modality": "modality", "symbol": "symbols", "field": "fields", "term": "other terms"}  # fmt: skip


def in_words(differences: Sequence[Difference], language: Language = "en", most: int = MOST) -> Shown:
    """Return differences as one line: facts in conflict first, then the others in text order.

    After `most` differences, the line ends with the number of those left out. Control characters are escaped
    (`quchong.report.visible`).

    Raises:
        UsageError: another language than "en" or "zh".

    >>> one = Difference("figure", True, "120", "130", 3, 6, 3, 6)
    >>> two = Difference("date", True, "3月5日", "3月6日", 9, 13, 9, 13)
    >>> print(in_words([one, two]))
    figure 120 → 130; date 3月5日 → 3月6日
    >>> print(in_words([one, two], "zh"))
    数字 120 → 130；日期 3月5日 → 3月6日
    >>> print(in_words([one, two], most=1))
    figure 120 → 130; and 1 more
    >>> print(in_words([Difference("wording", False, "", "也", 3, 3, 3, 4)]))
    added “也”
    """
    if language not in get_args(Language):
        raise UsageError("{} is not a language of messages: use en or zh", Param("language", language))
    ordered = sorted(differences, key=lambda d: not d.conflict)
    told = [_one(d, language) for d in ordered[:most]]
    if rest := len(ordered) - most if len(ordered) > most else 0:
        told.append(compose_word(language, WORDS["more"], count_in_words(rest, language)))
    return Shown(page_word(language, WORDS["between"]).join(told))


def _one(d: Difference, language: Language) -> Shown:
    """Return one difference in words: both sides, or the only side that has text, with its kind unless that is "wording"."""
    kind = kind_in_words(d.kind, language)
    left = _side(d.left, length_of(d.left, d.left_start, d.left_end), language)
    right = _side(d.right, length_of(d.right, d.right_start, d.right_end), language)
    if d.left and d.right:
        return compose("{} {} → {}", kind, left, right)
    said = compose_word(language, WORDS["left out" if d.left else "added"], left if d.left else right)
    return said if d.kind == "wording" else compose("{} {}", kind, said)


def count_in_words(n: int, language: Language) -> Shown:
    """Return a number as tables of chains store it: with separators of thousands in English only."""
    return Shown(f"{n}" if language == "zh" else f"{n:,}")


def _side(words: str, length: int, language: Language) -> Shown:
    """Format one side of a difference; a long side is cut, with the number of characters left out."""
    if length == len(words):
        return shown_name(words, LONGEST)
    head, more = shown_name(words[: LONGEST // 2]), length - LONGEST // 2
    return compose_word(language, WORDS["cut"], head, more)


def facts_in_words(kinds: Iterable[str], language: Language = "en") -> Shown:
    """Return the names of kinds of facts as a list in one line, such as "figure, date"."""
    return Shown(page_word(language, WORDS["facts"]).join(shown_name(kind_in_words(kind, language)) for kind in kinds))


def kind_in_words(kind: str, language: Language = "en") -> str:
    """Return the name of a kind of difference in a language; a kind that the catalogue does not have is returned unchanged."""
    return page_word(language, kind)


def counted_in_words(counts: Mapping[str, int], language: Language = "en") -> str:
    """Describe how many pairs differ in each kind of fact: "in figures 3, dates 1".

    >>> counted_in_words({"figure": 3, "date": 1})
    'in figures 3, dates 1'
    >>> counted_in_words({"figure": 3, "date": 1}, "zh")
    '数字 3，日期 1'
    """
    told = [f"{page_word(language, PLURAL.get(kind, kind))} {n:,}" for kind, n in counts.items()]
    return (
        page_word(language, WORDS["in"]).format(page_word(language, WORDS["between kinds"]).join(told)) if told else ""
    )
