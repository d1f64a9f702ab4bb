"""HTML of a text in which shared stretches and differences are marked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from quchong.findings import Difference
from quchong.languages import Language
from quchong.report.differing import kind_in_words
from quchong.report.markup import Html, coloured, escaped, join_html, markup
from quchong.report.terminal_marks import LEAD
from quchong.report.words import format_message

WHOLE = 2000
"""Maximum length, in characters, of a text shown in full; a longer text is cut to SHOWN characters."""
SHOWN = 1200
MARKED = 60
"""Maximum number of characters of a difference in the title of a mark and in a list."""
GROUPS = {
    "code": "figure", "person": "name", "place": "name", "organisation": "name", "field": "name", "opposite": "negation",
    "symbol": "figure", "modality": "negation", "term": "wording",
    "title words": "wording",
    "boilerplate": "noise",
}  # fmt: skip
"""Kinds of differences that share the colour of another kind."""


class Stretch(NamedTuple):
    """Shared part of a text, as character range; `exact` is True if it is equal in normal form in both texts."""

    start: int
    end: int
    exact: bool


def short(text: str, language: Language) -> Html:
    """Return one side of a difference as HTML, cut to MARKED characters; an empty side becomes the word for "nothing"."""
    if not text:
        return markup("<i>{}</i>", format_message(language, "nothing"))
    return markup("{}", text if len(text) <= MARKED else text[:MARKED] + "…")


def difference_told(one: Difference, language: Language) -> Html:
    """Describe a difference in words: its kind, the word "conflict" if facts conflict, and both sides."""
    kind = markup("{}", kind_in_words(one.kind, language))
    if one.conflict:
        kind = markup("{} · {}", kind, format_message(language, "conflict"))
    return format_message(
        language, "difference", markup("<b>{}</b>", kind), short(one.left, language), short(one.right, language)
    )


def style_of(one: Difference) -> Html:
    """Return the CSS declaration for the colour of a difference's kind."""
    return coloured(GROUPS.get(one.kind, one.kind))


def text_marked(text: str, shared: Sequence[Stretch], differences: Sequence[Difference], language: Language) -> Html:
    """Return a text as HTML with shared parts and differences marked; this text is the left side of the differences.

    A long text is cut to a part that begins shortly before the first mark. Marks are elements with a title for screen
    readers; a caret marks missing words. O(text shown).
    """
    if not text:
        return markup('<div class="q-text"><i>{}</i></div>', format_message(language, "empty"))
    begin, end = _window(text, shared, differences)
    width = end - begin
    passage: list[int] = [0] * width
    for one in shared:
        for k in range(max(one.start - begin, 0), min(one.end - begin, width)):
            passage[k] = 2 if one.exact else 1
    differs: list[int] = [-1] * width
    carets: dict[int, list[int]] = {}
    for number, found in enumerate(differences):
        if found.left_start == found.left_end and begin <= found.left_start <= end:
            carets.setdefault(found.left_start - begin, []).append(number)
        for k in range(max(found.left_start - begin, 0), min(found.left_end - begin, width)):
            differs[k] = number
    carets_before = accumulate(k in carets for k in range(width))
    runs = list(zip(passage, differs, carets_before, strict=True))
    parts = [format_message(language, "before", begin)] if begin else []
    for (same, number, _), run in groupby(range(width), key=runs.__getitem__):
        places = list(run)
        parts += [_marked(differences[n], Html("‸"), language) for n in carets.pop(places[0], ())]
        piece = escaped(text[begin + places[0] : begin + places[-1] + 1])
        if number >= 0:
            piece = _marked(differences[number], piece, language)
        if same:
            piece = markup("<mark{}>{}</mark>", Html("" if same > 1 else ' class="q-near"'), piece)
        parts.append(piece)
    parts += [_marked(differences[n], Html("‸"), language) for left in carets.values() for n in left]
    if end < len(text):
        parts.append(format_message(language, "after", len(text) - end))
    return markup('<div class="q-text" dir="auto">{}</div>', join_html(parts))


def _window(text: str, shared: Sequence[Stretch], differences: Sequence[Difference]) -> tuple[int, int]:
    """Return the range of the text to show: all of a short text, else a part around the first mark."""
    if len(text) <= WHOLE:
        return 0, len(text)
    conflicts = [d.left_start for d in differences if d.conflict]
    first = min(conflicts or [one.start for one in shared] or [0])
    begin = max(0, first - LEAD) if first > SHOWN // 2 else 0
    return begin, min(len(text), begin + SHOWN)


def _marked(one: Difference, piece: Html, language: Language) -> Html:
    kind = markup("{}", kind_in_words(one.kind, language))
    said = format_message(language, "difference", kind, one.left[:MARKED] or format_message(language, "nothing"),
                one.right[:MARKED] or format_message(language, "nothing"))  # fmt: skip
    conflict = Html(" q-conflict" if one.conflict else "")
    return markup('<ins class="q-diff{}" style="{}" title="{}">{}</ins>', conflict, style_of(one), said, piece)
