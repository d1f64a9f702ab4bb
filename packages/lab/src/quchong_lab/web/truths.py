"""Three truths about the same pairs of generated pages; tables show all of them, because no measure is neutral.

- as made: duplicates and containments as `relations` counts them, characters of common origin over the smaller page; what is partial
  counts neither way. This is CCDet's own measure: it flatters CCDet, and every method that finds pages inside longer ones.
- duplicates only: the same without containments, which count neither way. No method is judged by pairs that it does not look for.
- Jaccard of origin: characters of common origin over those of both pages together, from LINE on; all else is different. This is
  what shingles estimate: it flatters Shingling and SpotSigs, and counts a page found inside a longer one as wrong.

The relation that a method names is ignored: a pair is found or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

from quchong.relations import DUPLICATE

Pair: TypeAlias = tuple[str, str]
LINE = 0.5
"""Jaccard of origin at or above which two pages count as the same."""
ENDINGS = {"": "as made", "_duplicates": "duplicates only", "_jaccard": "Jaccard of origin"}
"""Mapping from the ending of a table's columns to the truth they are counted by."""

READING = (
    "Three truths: columns without an ending count as made (CCDet's own measure, it flatters CCDet), _duplicates the duplicates only, "
    f"_jaccard every pair with a Jaccard of origin from {LINE} on and no other (it flatters Shingling and SpotSigs)."
)
"""Remark under every table of three truths."""


def jaccard_of(overlap: float, ratio: float) -> float:
    """Return the Jaccard of two pages (0 to 1) from the shared part of the smaller one and the ratio of their sizes."""
    shared = overlap * ratio
    return shared / (1 + ratio - shared)


def counted(
    found: Iterable[Pair], true: AbstractSet[Pair], undecided: AbstractSet[Pair], ending: str
) -> dict[str, Any]:
    """Return precision, recall and F1 of found pairs under one truth; None where there is nothing to count."""
    pairs = [pair for pair in found if pair not in undecided]
    right = sum(pair in true for pair in pairs)
    return {
        f"precision{ending}": right / len(pairs) if pairs else None,
        f"recall{ending}": right / len(true) if true else None,
        f"f1{ending}": 2 * right / (len(pairs) + len(true)) if pairs or true else None,
    }


def other_truths(
    found: Sequence[Pair], relation: Mapping[Pair, str], undecided: AbstractSet[Pair], jaccard: Mapping[Pair, float]
) -> dict[str, Any]:
    """Return precision, recall and F1 by duplicates only and by Jaccard of origin, in columns with these ENDINGS.

    Args:
        found: accepted pairs.
        relation, undecided: the truth as made.
        jaccard: Jaccard of origin of all pairs that share much; other pairs share too little to count.
    """
    duplicates = {pair for pair, said in relation.items() if said == DUPLICATE}
    same = {pair for pair, share in jaccard.items() if share >= LINE}
    return {
        **counted(found, duplicates, undecided | (relation.keys() - duplicates), "_duplicates"),
        **counted(found, same, frozenset(), "_jaccard"),
    }


def bests(rows: Sequence[Mapping[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """Return the best F1 of each group of rows (with equal `keys`) under each truth, and its threshold.

    Columns: the keys, then `f1` and `at` with each of ENDINGS. Of equal F1 the first row counts; groups come in their order.
    """
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in keys), []).append(row)
    out = []
    for values, group in groups.items():
        line = dict(zip(keys, values, strict=True))
        for ending in ENDINGS:
            top = max(group, key=lambda row: float(row[f"f1{ending}"] or 0))
            line |= {f"f1{ending}": top[f"f1{ending}"], f"at{ending}": top["threshold"]}
        out.append(line)
    return out
