"""Merging of passages that are separated by small gaps."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.report.explanation import Passage


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
