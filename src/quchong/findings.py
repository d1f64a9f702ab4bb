"""Findings about two texts as data: the passages that they share, and their differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from quchong.languages import Message
from quchong.parameters.other_attributes import SuggestsNames

BORDER = "\u1160"
"""Letter without a shape (Hangul filler) between joined text columns: tokens and exact copies differ where columns end elsewhere."""
BETWEEN = f"\n{BORDER}\n"
"""Text between two columns that both have a letter or digit."""
LETTERED = r"[\p{L}\p{N}]"
"""Pattern (RE2 and Java) of a letter or digit; a text without any is compared by all its characters, so that no border stands beside it."""


@dataclass(frozen=True, slots=True)
class Passage(SuggestsNames):
    """A shared passage of two texts, with its offsets in both original texts, in characters, half open.

    `kind` is "exact" if both sides are equal in normal form from end to end, else "near".
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "start": "begin left left_start offset",
            "end": "stop left_end",
            "survivor_start": "right right_start",
            "survivor_end": "right_end",
            "kind": "type label",
        }
    )

    start: int
    end: int
    survivor_start: int
    survivor_end: int
    kind: str = "exact"

    def _advice_about(self, name: str) -> Message | None:
        """Return how the words of a passage are taken from a text, for an attribute that asks for them; None for others."""
        if name not in ("text", "texts", "words", "content", "string", "left_text", "right_text"):
            return None
        return Message("a passage has only offsets; to get its text, write {}", "text[passage.start:passage.end]")


@dataclass(frozen=True, slots=True)
class Difference(SuggestsNames):
    """One difference between two texts, with its offsets in both original texts: in characters, the end exclusive.

    `kind` is one of `quchong.tables.DIFFERENCES`. `conflict` is True if both texts state a fact and the facts differ.
    `left` and `right` are the words of either side, empty if nothing is there. For an explained document, `left` is
    its own side.
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "kind": "type label name",
            "left": "before old a text",
            "right": "after new b survivor_text",
            "conflict": "is_fact fact conflicting",
        }
    )

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
        """Difference seen from the other text: left and right are exchanged."""
        return Difference(
            self.kind, self.conflict, self.right, self.left, self.right_start, self.right_end, self.left_start,
            self.left_end,
        )  # fmt: skip


def differences_of(row: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the differences in a row of LEDGER; `left` is the removed document."""
    sides = ("text", "survivor_text", "start", "end", "survivor_start", "survivor_end")
    return tuple(
        Difference(d["kind"], d["conflict"], *(d[side] for side in sides)) for d in row.get("differences") or ()
    )


def merge_passages(passages: Sequence[Passage], gap: int, text: str, other: str) -> tuple[Passage, ...]:
    """Merge passages that follow each other in both texts with a gap of at most `gap` characters; return all in order.

    A merged passage is exact if its parts are exact and only punctuation and spaces separate them, else near.
    """
    out: list[Passage] = []
    for p in sorted(passages, key=lambda p: (p.start, p.end, p.survivor_start)):
        last = out[-1] if out else None
        if last and 0 <= p.start - last.end <= gap and 0 <= p.survivor_start - last.survivor_end <= gap:
            between = text[last.end : p.start] + other[last.survivor_end : p.survivor_start]
            exact = last.kind == p.kind == "exact" and not any(c.isalnum() for c in between)
            out[-1] = Passage(last.start, p.end, last.survivor_start, p.survivor_end, "exact" if exact else "near")
        else:
            out.append(p)
    return tuple(out)
