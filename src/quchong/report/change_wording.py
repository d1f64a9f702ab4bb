"""Wording of the changes that a copy made to its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quchong.findings import Difference
from quchong.languages import Language, Message, page_word
from quchong.report.differing import count_in_words, in_words, length_of
from quchong.report.visible import Shown, compose_word

STRETCH = 24
"""Minimum length, in characters, from which an addition or omission is counted instead of quoted."""
WORDS = {
    "adds.one": "adds {} characters in {} place",
    "adds": "adds {} characters in {} places",
    "leaves out.one": "leaves out {} characters in {} place",
    "leaves out": "leaves out {} characters in {} places",
    "same": "the words are the same",
    "between": Message("; ", context="differences"),
}
"""Words of a line of changes."""
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
    for some, one, many in ((added, "adds.one", "adds"), (cut, "leaves out.one", "leaves out")):
        if some:
            letters = sum(abs(longer[id(c)]) for c in some)
            counts = (count_in_words(n, language) for n in (letters, len(some)))
            told.append(compose_word(language, WORDS[many if len(some) > 1 else one], *counts))
    if not told:
        return compose_word(language, WORDS["same"])
    return Shown(page_word(language, WORDS["between"]).join(told))
