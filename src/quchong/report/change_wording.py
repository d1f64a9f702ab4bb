"""Wording of the changes that a copy made to its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quchong.languages import Language
from quchong.report.differing import Difference, in_words, length_of
from quchong.report.visible import Shown

STRETCH = 24
"""Minimum length, in characters, from which an addition or omission is counted instead of quoted."""
_LAST = ("boilerplate", "noise")


def changes_in_words(changes: Sequence[Difference], language: Language = "en", most: int = 3) -> Shown:
    """Describe changes in one line: facts in conflict first, then other words, then totals of added and omitted text.

    Without changes, the line says that the words are the same. Control characters are escaped.

    Args:
        changes: differences; `left` is the source, `right` the copy.
        language: "en" or "zh".
        most: maximum number of changes listed one by one.

    >>> one = Difference("figure", True, "120", "130", 3, 6, 3, 6)
    >>> two = Difference("wording", False, "a" * 200, "", 9, 209, 9, 9)
    >>> print(changes_in_words([one, two]))
    figure 120 → 130; leaves out 200 characters in 1 place
    >>> print(changes_in_words([one, two], "zh"))
    数字 120 → 130；删去1处共200字
    """
    chinese = language == "zh"
    more = {}  # characters that the copy has more than the source, by place
    for c in changes:
        places = (c.left_start, c.left_end, c.right_start, c.right_end)
        left, right = " ".join(c.left.split()), " ".join(c.right.split())
        unseen = [
            length_of(words, *place) - len(words) for words, place in ((c.left, places[:2]), (c.right, places[2:]))
        ]
        more[places] = len(right) + unseen[1] - len(left) - unseen[0]
    changes = [replace(c, left=" ".join(c.left.split()), right=" ".join(c.right.split())) for c in changes]
    changes = [c for c in changes if c.left != c.right]
    longer = {id(c): more[c.left_start, c.left_end, c.right_start, c.right_end] for c in changes}
    added = [c for c in changes if longer[id(c)] >= STRETCH and not c.conflict]
    cut = [c for c in changes if -longer[id(c)] >= STRETCH and not c.conflict]
    long = {id(c) for c in (*added, *cut)}
    short = {
        (c.kind, c.conflict, c.left, c.right): c for c in changes if id(c) not in long
    }  # what is done often is told once
    words = sorted(short.values(), key=lambda c: c.kind in _LAST)
    told: list[str] = [in_words(words, language, most)] if words else []
    for some, english, chinese_word in ((added, "adds", "增加"), (cut, "leaves out", "删去")):
        if not some:
            continue
        letters = sum(abs(longer[id(c)]) for c in some)
        if chinese:
            told.append(f"{chinese_word}{len(some)}处共{letters}字")
        else:
            told.append(f"{english} {letters:,} characters in {len(some):,} place{'s' if len(some) > 1 else ''}")
    if not told:
        return Shown("文字未改" if chinese else "the words are the same")
    return Shown(("；" if chinese else "; ").join(told))
