"""What two texts differ in, in words: facts first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from quchong.errors import Param, UsageError
from quchong.languages import Language
from quchong.report.visible import Shown, compose, named

MOST = 5
"""Differences that are told one by one."""
LONGEST = 60
"""Characters of each side that are shown whole."""
CUT = 200
"""Characters of words from which on they may be a beginning: of what is longer a run tells the first 200 tokens, and the place."""


def length_of(words: str, start: int, end: int) -> int:
    """Characters that stand on one side of a difference, of which `words` may be the beginning."""
    return max(len(words), end - start) if len(words) >= CUT else len(words)


_PLURAL = {"date": "dates", "figure": "figures", "person": "persons", "place": "places", "organisation": "organisations",
           "code": "codes", "negation": "negations", "opposite": "opposites"}  # fmt: skip
_CHINESE = {
    "figure": "数字", "date": "日期", "person": "人名", "place": "地名", "organisation": "机构", "code": "编号", "negation": "否定",
    "opposite": "反义", "title words": "职务称谓", "wording": "措辞", "noise": "错字", "boilerplate": "模板文字",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing two texts differ in, with its place in both originals in characters, half open.

    `kind` is one of `quchong.tables.DIFFERENCES`; with `conflict` both state a fact, and not the same one. `left` and `right` are
    what stands there, empty where nothing does; of a document that is explained, `left` is its own.
    """

    kind: str
    conflict: bool
    left: str
    right: str
    left_start: int
    left_end: int
    right_start: int
    right_end: int

    @property
    def turned(self) -> Difference:
        """The same seen from the other text."""
        return Difference(
            self.kind, self.conflict, self.right, self.left, self.right_start, self.right_end, self.left_start,
            self.left_end,
        )  # fmt: skip


def differences_of(row: Mapping[str, Any]) -> tuple[Difference, ...]:
    """The differences of a row of LEDGER, from the document that went."""
    sides = ("text", "survivor_text", "start", "end", "survivor_start", "survivor_end")
    return tuple(
        Difference(d["kind"], d["conflict"], *(d[side] for side in sides)) for d in row.get("differences") or ()
    )


def in_words(differences: Sequence[Difference], language: Language = "en", most: int = MOST) -> Shown:
    """Differences as one line: facts in conflict first, then as they stand in the text; of more than `most` the number of the rest.

    Control characters are shown harmless (`quchong.report.visible`).

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
    """
    if language not in get_args(Language):
        raise UsageError("{} is none of these: en, zh", Param("language", language))
    chinese = language == "zh"
    ordered = sorted(differences, key=lambda d: not d.conflict)
    nothing = Shown("（空）" if chinese else "nothing")
    told = [
        compose("{} {} → {}", kind_in_words(d.kind, language),
                _side(d.left, length_of(d.left, d.left_start, d.left_end), nothing, chinese),
                _side(d.right, length_of(d.right, d.right_start, d.right_end), nothing, chinese))
        for d in ordered[:most]
    ]  # fmt: skip
    if rest := len(ordered) - most if len(ordered) > most else 0:
        told.append(Shown(f"另有{rest}处" if chinese else f"and {rest:,} more"))
    return Shown(("；" if chinese else "; ").join(told))


def _side(words: str, length: int, nothing: Shown, chinese: bool) -> Shown:
    """What stands on one side: of what is known by its beginning alone that, and how much more there is."""
    if length == len(words):
        return named(words, LONGEST) if words else nothing
    head, more = named(words[: LONGEST // 2]), length - LONGEST // 2
    return Shown(f"{head}…（另有{more:,}字）" if chinese else f"{head}… (and {more:,} more characters)")


def facts_in_words(kinds: Iterable[str], language: Language = "en") -> Shown:
    """Kinds of facts, one after another: figure, date."""
    if language == "zh":
        return Shown("、".join(named(kind_in_words(kind, "zh")) for kind in kinds))
    return Shown(", ".join(map(named, kinds)))


def kind_in_words(kind: str, language: Language = "en") -> str:
    """A kind of differences; one that is not known as it stands."""
    return _CHINESE.get(kind, kind) if language == "zh" else kind


def counted_in_words(counts: Mapping[str, int], language: Language = "en") -> str:
    """How many differ in each kind of fact: in figures 3, dates 1.

    >>> counted_in_words({"figure": 3, "date": 1})
    'in figures 3, dates 1'
    >>> counted_in_words({"figure": 3, "date": 1}, "zh")
    '数字 3，日期 1'
    """
    if language == "zh":
        return "，".join(f"{_CHINESE.get(kind, kind)} {n:,}" for kind, n in counts.items())
    told = ", ".join(f"{_PLURAL.get(kind, kind)} {n:,}" for kind, n in counts.items())
    return f"in {told}" if told else ""
