"""Claims in the place of others about the same thing: is the capital, is the largest port; 是创始人, 是最大股东."""

from __future__ import annotations

from collections.abc import Set

from quchong.differences.english_terms import is_akin
from quchong.differences.names import short_form
from quchong.differences.synonyms import are_synonyms, is_listed
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_PREDICATE = lazy_pattern(
    r"\b(?:is|are|was|were|be|been|becomes?|became|remain(?:s|ed)?|as)\s(?:(?:also|now|still)\s)?"
    r"(?:(?:the|an?|its|his|her|their|our)\s)?(?:[a-z]+'s\s)?$"
)
"""English words after which a sentence says what its subject is; elsewhere the two may be names of one thing."""
_RANK = lazy_pattern(r"(?:(?:second|third|fourth)[\s-])?(?:[a-z]{3,}est|most\s[a-z]+|top)\s(?P<noun>[a-z]+)")
_ARTICLE = lazy_pattern(r"(?:the|an?|its|his|her|their|our)\s")
_OTHER = lazy_pattern("[a-z]+(?: [a-z]+)?")
_CHINESE_PREDICATE = lazy_pattern("(?:是|成为|系|作为|为)[^，。；！？、\\s]{0,8}$")
_CHINESE_RANK = lazy_pattern("(?:第[一二三四五]|最)[大高长深老多早富强](?:的)?(?P<noun>[\u4e00-\u9fff]{2,4})")
_NOUN = lazy_pattern("[\u4e00-\u9fff]{2,6}")


def claims_apart(left: Window, right: Window) -> bool:
    """Return True if one side says a rank with a noun (the largest bank), and the other another noun without a rank.

    Example:
        >>> text = "lagos is the country's {}."
        >>> claims_apart(Window(text.format("capital"), 23, 30), Window(text.format("largest port"), 23, 35))
        True
    """
    return any(_another_claim(one, other) for one, other in ((left, right), (right, left)))


def _another_claim(ranked: Window, plain: Window) -> bool:
    before = ranked.text[: ranked.start]
    if ranked.stretch.isascii():
        rank, other = (
            pattern.fullmatch(_ARTICLE.sub("", side.stretch.strip()))
            for pattern, side in ((_RANK, ranked), (_OTHER, plain))
        )
        if rank is None or other is None or _RANK.search(other.group()) or not _PREDICATE.search(before):
            return False
        words = other.group().split()
        return all(map(is_listed, (rank["noun"], *words))) and not any(is_akin(rank["noun"], word) for word in words)
    rank, other = _CHINESE_RANK.fullmatch(ranked.stretch), _NOUN.fullmatch(plain.stretch)
    if rank is None or other is None or "最" in plain.stretch or not _CHINESE_PREDICATE.search(before):
        return False
    return is_listed(plain.stretch) and not set(rank["noun"]) & set(plain.stretch)


_ENDS = lazy_pattern(r"[\s的]*(?:[，。；！？、,.;!?\n）)]|$)")
_TITLE_PREDICATE = lazy_pattern(r"(?:是|成为|系|作为|为|任|当选|当|做)[^，。；！？、\s]{0,8}$")


def titled_apart(left: Window, right: Window, mine: Set[str], theirs: Set[str]) -> bool:
    """Return True if both sides end a sentence by saying what somebody is, and say different things: 是创始人, 是最大股东.

    Args:
        mine, theirs: titles at the stretches. Two titles before a name (市长张三, 书记张三) are his, and no contradiction.

    Example:
        >>> text = "他是这家公司的{}。"
        >>> titled_apart(Window(text.format("创始人"), 7, 10), Window(text.format("股东"), 7, 9), {"创始人"}, {"股东"})
        True
    """
    # What stands behind the stretches is equal; the predicate is before both.
    if not _ENDS.match(left.text, left.end) or not _ENDS.match(right.text, right.end):
        return False
    predicate = _PREDICATE if left.stretch.isascii() else _TITLE_PREDICATE
    if not all(predicate.search(side.text[: side.start]) for side in (left, right)):
        return False
    return not any(_one_title(one, other) for one in mine for other in theirs)


def _one_title(one: str, other: str) -> bool:
    """Return True if two titles may be one: a longer and a shorter form, or synonyms."""
    return one in other or other in one or short_form(one, other) or are_synonyms(one, other)
