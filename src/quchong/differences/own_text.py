"""Text of a document without the sentences that others have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quchong.differences.passage_cutting import unwrapped, whole_pieces, without
from quchong.text import sentences


@dataclass(frozen=True, slots=True)
class OwnText:
    """Text of a removed roundup without the sentences that others have.

    Attributes:
        text: what is left; "" if it has no letter or digit.
        cut: number of characters that were cut out.
    """

    text: str
    cut: int


def own_text(text: str, spans: Sequence[tuple[int, int]]) -> OwnText:
    """Return a text without the sentences that are within one of the spans (offsets start and end)."""
    left: str = without(text, whole_pieces(text, spans, unwrapped(text, sentences(text))))
    if not any(c.isalnum() for c in left):
        left = ""
    return OwnText(left, len(text) - len(left))
