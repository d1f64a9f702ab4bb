"""Pairs of documents side by side: measures, shared passages and differences, with offsets in the excerpts shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from quchong.engines.local.compare import aligned
from quchong.findings import differences_of
from quchong.tables import DIFFERENCES
from quchong.views.cut import Excerpt

PASSAGES, DIFFERING = 400, 300
"""Maximum numbers of passages and differences shown of a pair, in the order of the left text."""
Numbers = Callable[[int], int]


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
    sides = [excerpt.places([p[k] for p in passages]) for k, excerpt in enumerate((left, right))]
    spans = [[*a, *b, int(p[2])] for a, b, p in zip(*sides, passages, strict=True) if a and b][:PASSAGES]
    sides = [excerpt.places([d[2 + k] for d in differences]) for k, excerpt in enumerate((left, right))]
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
