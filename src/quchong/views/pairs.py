"""Pairs of documents side by side: measures, shared passages and differences, with offsets in the excerpts shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from quchong.engines.local.compare import aligned
from quchong.findings import differences_of
from quchong.tables import DIFFERENCES
from quchong.views.cut import Excerpt

PASSAGES, DIFFERING = 400, 300
"""Maximum numbers of passages and differences shown of a pair, in the order of the left text."""
Numbers = Callable[[int], int]
Span = tuple[int, int]
Passage = tuple[Span, Span, bool]
Listed = tuple[str, bool, Span | None, Span | None, str, str]
"""Difference as listed: kind, conflict, both stretches (None on a side that has none), both texts."""
Cut = Callable[[int, int, int], str]
_COVERED, _LEAST = 20, 2
"""Least number of shared characters that split a difference of wording, and of letters in what is left of it."""


def of_removal(row: Mapping[str, Any], places: tuple[int, int], excerpts: Mapping[int, Excerpt]) -> dict[str, Any]:
    """Return the pair of a row of the ledger, with the removed document on the left."""
    passages = [
        ((p["start"], p["end"]), (p["survivor_start"], p["survivor_end"]), p["kind"] == "exact")
        for p in row["passages"]
    ]
    differences = [
        (d.kind, d.conflict, (d.left_start, d.left_end), (d.right_start, d.right_end), d.left, d.right)
        for d in differences_of(row)
    ]
    measures = (row["jaccard"], row["containment"], row["survivor_containment"])
    return _placed(row, measures, passages, differences, places, excerpts)


def of_listed(
    row: Mapping[str, Any], places: tuple[int, int], texts: tuple[str, str], excerpts: Mapping[int, Excerpt]
) -> dict[str, Any]:
    """Return the pair of a row of PAIRS of which both documents were kept; their shared passages are computed now."""
    passages = [((p.start, p.end), (p.survivor_start, p.survivor_end), p.kind == "exact") for p in aligned(*texts)]
    differences = [
        (
            d["kind"],
            d["conflict"],
            (d["left_start"], d["left_end"]),
            (d["right_start"], d["right_end"]),
            d["left"],
            d["right"],
        )
        for d in row["differences"] or ()
    ]
    measures = (row["jaccard"], row["containment_left"], row["containment_right"])
    return _placed(row, measures, passages, differences, places, excerpts)


def _placed(
    row: Mapping[str, Any], measures: tuple[float | None, ...], passages: list[Any], differences: list[Any],
    places: tuple[int, int], excerpts: Mapping[int, Excerpt],
) -> dict[str, Any]:  # fmt: skip
    """Return the pair with offsets in the excerpts; `passages_out` and `differences_out` count those left out."""
    left, right = (excerpts[i] for i in places)

    def cut(side: int, start: int, end: int) -> str:
        return (left, right)[side].cut(start, end)

    differences = [one for d in differences for one in outside_passages(d, passages, cut)]
    sides = [excerpt.places([p[k] for p in passages]) for k, excerpt in enumerate((left, right))]
    spans = [[*a, *b, int(p[2])] for a, b, p in zip(*sides, passages, strict=True) if a and b][:PASSAGES]
    sides = [_places_of(excerpt, [d[2 + k] for d in differences]) for k, excerpt in enumerate((left, right))]
    told = [
        [
            DIFFERENCES.index(d[0]) if d[0] in DIFFERENCES else -1,
            int(d[1]),
            *(a or (-1, -1)),
            *(b or (-1, -1)),
            d[4][:200],
            d[5][:200],
        ]
        for a, b, d in zip(*sides, differences, strict=True)
    ]
    told.sort(key=lambda d: not d[1])
    return {
        "measures": [None if m is None else round(m, 4) for m in measures],
        "evidence": row["evidence"],
        "passages": spans,
        "passages_out": len(passages) - len(spans),
        "differences": told[:DIFFERING],
        "differences_out": max(0, len(told) - DIFFERING),
        "newer": row.get("supersedes"),
    }


def outside_passages(difference: Listed, passages: Iterable[Passage], cut: Cut) -> list[Listed]:
    """Return the parts of a wording difference outside of shared passages; other differences as they are.

    Where a document is contained in another, the alignment of both can end in one difference as long as the texts. What both
    share is no difference, so only the parts that one of them has alone are listed.

    Args:
        cut: returns a stretch of the left text (0) or the right one (1).

    >>> texts = "a" * 30, "b" * 10 + "a" * 30 + "c" * 5
    >>> shared, whole = [((0, 30), (10, 40), True)], ("wording", False, (0, 30), (0, 45), *texts)
    >>> outside_passages(whole, shared, lambda side, start, end: texts[side][start:end])
    [('wording', False, None, (0, 10), '', 'bbbbbbbbbb'), ('wording', False, None, (40, 45), '', 'ccccc')]
    """
    kind, conflict, left, right, *_ = difference
    if kind != "wording" or conflict or left is None or right is None:
        return [difference]
    out: list[Listed] = []
    covered = 0
    for k, span in enumerate((left, right)):
        shared = sorted(p[1] if k else p[0] for p in passages if p[2] and _overlap(span, p[1] if k else p[0]))
        covered = max(covered, sum(_overlap(span, one) for one in shared))
        at = span[0]
        for start, end in [*shared, (span[1], span[1])]:
            part = cut(k, at, start)
            if sum(c.isalnum() for c in part) >= _LEAST:
                found = (at, start)
                out.append((kind, conflict, None, found, "", part) if k else (kind, conflict, found, None, part, ""))
            at = max(at, end)
    return out if covered >= _COVERED else [difference]


def _overlap(one: Span, other: Span) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


def _places_of(excerpt: Excerpt, spans: list[Span | None]) -> list[Span | None]:
    """Return the offsets of character ranges in the excerpt; None stays None."""
    found = iter(excerpt.places([span for span in spans if span is not None]))
    return [None if span is None else next(found) for span in spans]
