"""Wording of the changes that a copy made to its source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from quchong.findings import Difference
from quchong.languages import Language, Message, page_word
from quchong.report.clauses import clauses
from quchong.report.date_words import dates_alone
from quchong.report.differing import count_in_words, in_words, length_of
from quchong.report.visible import Shown, compose_word, shown_name

STRETCH = 24
"""Minimum length, in characters, from which an addition or omission is counted instead of quoted."""
FRAGMENT = 2
"""Maximum length, in characters, of an addition or omission that is only counted, unless nothing else changed."""
QUOTED = 60
"""Maximum length, in characters, of a clause that is quoted."""
WORDS = {
    "added": Message("added “{}”", context="changes"),
    "removed": Message("removed “{}”", context="changes"),
    "replaced": Message("“{}” → “{}”", context="changes"),
    "again": "the same in {} more place",
    "agains": "the same in {} more places",
    "more": Message("and {} more", context="differences"),
    "adds.letter": "adds one character",
    "adds.one": "adds {} characters in {} place",
    "adds": "adds {} characters in {} places",
    "leaves out.letter": "leaves out one character",
    "leaves out.one": "leaves out {} characters in {} place",
    "leaves out": "leaves out {} characters in {} places",
    "rewrites.letter": "rewrites one character",
    "rewrites.one": "rewrites {} characters in {} place",
    "rewrites": "rewrites {} characters in {} places",
    "same": "the words are the same",
    "between": Message("; ", context="differences"),
}
"""Words of a line of changes."""
_OWN = ("wording", "boilerplate")
"""Kinds told by their clauses alone: their names tell a reader nothing."""


def changes_in_words(
    changes: Sequence[Difference], language: Language = "en", most: int = 3, texts: tuple[str, str] | None = None
) -> Shown:
    """Return changes as one line: facts in conflict first, then whole clauses, then totals of added and omitted text.

    Without changes, the line says that the words are the same. Control characters are escaped.

    Args:
        changes: differences; `left` is the source, `right` the copy.
        language: "en" or "zh".
        most: maximum number of changes listed one by one.
        texts: source and copy, from which the clauses around changes are taken; None quotes the changes alone.

    >>> one = Difference("figure", True, "120", "130", 3, 6, 3, 6)
    >>> two = Difference("wording", False, "a" * 200, "", 9, 209, 9, 9)
    >>> print(changes_in_words([one, two]))
    figure 120 → 130; leaves out 200 characters in 1 place
    >>> print(changes_in_words([one, two], "zh"))
    数字 120 → 130；删去1处共200字
    """
    changes = [c for c in changes if " ".join(c.left.split()) != " ".join(c.right.split())]
    told = {
        (c.kind, c.conflict, c.left, c.right): c for c in map(_in_line, changes) if c.conflict or c.kind not in _OWN
    }
    # what has no kind that tells a reader something is told by its clauses
    rest = [c for c in changes if not c.conflict and c.kind in _OWN]
    facts = [c for c in told.values() if c.conflict or abs(_longer(c)) < STRETCH]
    totals = _Totals()
    totals.take(c for c in told.values() if not c.conflict and abs(_longer(c)) >= STRETCH)
    quoted = _quoted(rest, texts, totals, language)
    listed = [
        *((c.kind == "noise", c.conflict, in_words([dates_alone(c)], language)) for c in facts),
        *((False, False, q) for q in quoted),
    ]
    listed.sort(key=lambda one: (one[0], not one[1]))
    lines = [line for *_, line in listed[:most]]
    if len(listed) > most:
        lines.append(compose_word(language, WORDS["more"], count_in_words(len(listed) - most, language)))
    lines += totals.in_words(language)
    return Shown(page_word(language, WORDS["between"]).join(lines)) if lines else compose_word(language, WORDS["same"])


class _Totals:
    """Totals of text that is counted instead of quoted: characters and numbers of places."""

    def __init__(self) -> None:
        self.counts = {"adds": [0, 0], "leaves out": [0, 0], "rewrites": [0, 0]}

    def add(self, name: str, letters: int) -> None:
        if letters:
            self.counts[name][0] += letters
            self.counts[name][1] += 1

    def take(self, changes: Iterable[Difference]) -> None:
        """Add each of the changes to the totals, with the number of characters by which one side is longer."""
        for c in changes:
            self.add("adds" if _longer(c) > 0 else "leaves out", abs(_longer(c)))

    def in_words(self, language: Language) -> list[Shown]:
        return [
            compose_word(
                language, WORDS[name if places > 1 else name + ".one"], *(count_in_words(n, language) for n in (letters, places))
            )
            if letters > 1
            else Shown(page_word(language, WORDS[name + ".letter"]))
            for name, (letters, places) in self.counts.items()
            if places
        ]  # fmt: skip


def _quoted(
    changes: Sequence[Difference], texts: tuple[str, str] | None, totals: _Totals, language: Language
) -> list[Shown]:
    """Return quotations of changes; add those too long or too short for quoting to `totals`."""
    long = [c for c in changes if abs(_longer(c)) >= STRETCH]
    totals.take(long)
    short = [c for c in changes if abs(_longer(c)) < STRETCH]
    fragments = [
        c for c in short if max(len(c.left.strip()), len(c.right.strip())) <= FRAGMENT and not (c.left and c.right)
    ]
    if len(fragments) < len(changes):
        for c in fragments:
            totals.add("adds" if c.right else "leaves out", len((c.right or c.left).strip()))
        short = [c for c in short if c not in fragments]
    # what is done often is told once
    first = {(c.left, c.right): c for c in reversed([*map(_in_line, short)])}
    again = len(short) - len(first)
    out: dict[Shown, None] = {}
    for left, right, added, cut in _stretches([c for c in short if first[_sides(c)] == _in_line(c)], texts):
        if max(len(left), len(right)) > QUOTED:
            totals.add("rewrites" if added and cut else "adds" if added else "leaves out", added or cut)
        elif left != right:
            sides = (left, right) if left and right else (left or right,)
            name = "replaced" if left and right else "removed" if left else "added"
            out[compose_word(language, WORDS[name], *(shown_name(side) for side in sides))] = None
    if out and again:
        out[compose_word(language, WORDS["again" if again == 1 else "agains"], count_in_words(again, language))] = None
    return list(out)


def _sides(c: Difference) -> tuple[str, str]:
    return " ".join(c.left.split()), " ".join(c.right.split())


def _stretches(changes: Sequence[Difference], texts: tuple[str, str] | None) -> list[tuple[str, str, int, int]]:
    """Return for each change the words on both sides, and the numbers of characters added and omitted."""
    if texts is not None:
        return [(one.left, one.right, one.added, one.cut) for one in clauses(changes, *texts)]
    lines = map(_in_line, changes)
    return [(c.left, c.right, len(c.right), len(c.left)) for c in lines]


def _in_line(c: Difference) -> Difference:
    """Return a difference with its words in one line."""
    return replace(c, left=" ".join(c.left.split()), right=" ".join(c.right.split()))


def _longer(c: Difference) -> int:
    """Return how many characters longer the right side of a difference is than the left side; negative if shorter."""
    sides = ((c.left, c.left_start, c.left_end), (c.right, c.right_start, c.right_end))
    left, right = (len(" ".join(words.split())) + length_of(words, *place) - len(words) for words, *place in sides)
    return right - left
