"""Relations of a few pairs, decided over plain values as `quchong.similarity.relations.decide_codes` decides over columns.

An index decides one pair at a time. Over arrays that takes some ninety small steps; over plain values it takes a tenth of the time. What is
rare (texts of a few words, figures that count as no fact) is left to the columns. `tests/properties/test_few_relations.py` holds both to
the same relations and rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, nan
from typing import Any

import numpy as np

from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE, PARTIAL, RELATIONS, VARIANT
from quchong.similarity.guards import SWAP_JACCARD, counts_conflict
from quchong.similarity.relation_rules import (
    ALIKE,
    FIGURE,
    LIKE_REST,
    LOOSE_TOKENS,
    REWRITTEN,
    RULES,
    SAME,
    is_loose,
)
from quchong.similarity.thresholds import (
    BRIEF_TOKENS,
    CONTAINED_SHINGLES,
    LIKE_SIZE,
    LONG_TOKENS,
    TINY_TOKENS,
    Thresholds,
    levels_of,
)
from quchong.tables import FIELD, SAME_FIELDS, SAME_PAYLOAD, SHARED_HEADER

_NAMES = ("tokens_left", "tokens_right", "han", "jaccard", "containment_left", "containment_right")
"""Measures that every pair has."""
_SHARES = (
    "jaccard", "containment_left", "containment_right", "aligned_left", "aligned_right", "rest_left", "rest_right", "number_overlap",
)  # fmt: skip
_PARTIAL, _VARIANT, _DUPLICATE, _IN, _CONTAINS = map(
    RELATIONS.index, (PARTIAL, VARIANT, DUPLICATE, CONTAINED_IN, CONTAINS)
)
_RULE = {name: code for code, name in enumerate(RULES)}


def few_codes(
    measures: Mapping[str, np.ndarray], thresholds: Thresholds, *, guards: bool, strict: bool, facts: int, brief_facts: int,
    removes_variants: bool,
) -> tuple[np.ndarray, np.ndarray] | None:  # fmt: skip
    """Return the codes of relation and rule of a few pairs, uint8, as `decide_codes`; None if columns must be used."""
    if guards and not (facts | brief_facts) & FIGURE and "facts" in measures:
        return None
    rows = _usual_rows(measures)
    if rows is None:
        return None
    pairs, levels = len(rows), levels_of(thresholds)
    relation, rule = np.empty(pairs, np.uint8), np.empty(pairs, np.uint8)
    # Measures that a pair may lack, with the value that decides nothing.
    known = measures.get("facts")
    kinds = [0] * pairs if known is None else known.tolist()
    told_of = measures["told"].tolist() if guards and "told" in measures else [True] * pairs
    shares = [_values(measures, f"aligned_{side}", 0.0, pairs) for side in ("left", "right")]
    others = _values(measures, "unexplained", 0, pairs)
    rests = [_values(measures, f"rest_{side}", nan, pairs) for side in ("left", "right")] if guards else None
    for i, (n_left, n_right, han, jaccard, left, right) in enumerate(rows):
        shorter, longer = (n_left, n_right) if n_left < n_right else (n_right, n_left)
        told, unexplained = bool(told_of[i]), others[i]
        one, two = (nan, nan) if rests is None else (rests[0][i], rests[1][i])
        read = told or one == one or two == two  # whether a header makes it near
        aligned = min(0.0 if share[i] != share[i] else share[i] for share in shares)
        # (1) Containment: exactly one share reaches its threshold, and the contained text has enough different shingles.
        least = thresholds.containment if han else thresholds.latin_containment
        left_in, right_in = left >= least, right >= least
        by_jaccard = jaccard >= (levels[min(shorter, LONG_TOKENS)] if han else thresholds.latin_jaccard)
        near = read and (left_in or right_in or by_jaccard)
        contained = near and left_in != right_in
        if contained:
            mine, theirs, other = (left, right, n_right) if left_in else (right, left, n_left)
            width = int(measures["ngram_size"][i])
            contained = max(other - width + 1.0, 1.0) * theirs / max(mine, 1e-9) >= CONTAINED_SHINGLES
        # (2) Duplicate by shares, and (3) by alignment.
        duplicate = near and not contained and (by_jaccard or (left_in and right_in))
        by_alignment = (
            thresholds.aligned < 1 and not (contained or duplicate) and aligned >= thresholds.aligned and read
        )
        # (4) No duplicate after all: words are replaced in a short text, or nearly all is a shared header.
        loose = guards and duplicate and han and is_loose(jaccard, shorter, unexplained, strict=strict)
        duplicate = (duplicate and not loose) or by_alignment
        headed = False
        if rests is not None:
            headed = (contained and ((left_in and one < least) or (right_in and two < least))) or (
                duplicate and one < LIKE_REST and two < LIKE_REST
            )
            contained, duplicate, loose = (
                is_so and told for is_so in (contained and not headed, duplicate and not headed, loose)
            )
        # (5) Facts in conflict, and guards where no alignment judged them.
        accepted = duplicate or contained
        stated = guards and (kinds[i] & facts or (shorter < LOOSE_TOKENS and kinds[i] & brief_facts)) != 0
        guarded, conflict = stated and accepted, False
        unread = (
            aligned == 0 or REWRITTEN * unexplained > shorter or (strict and shorter < BRIEF_TOKENS and unexplained > 0)
        )
        if guards and accepted and unread:
            conflicts, shared = (int(measures[f"{which}_numbers"][i]) for which in ("conflicting", "shared"))
            overlap = float(measures["number_overlap"][i])
            conflict = counts_conflict(conflicts, max(shared, 1), overlap, shorter, jaccard, strict=strict)
            swap = int(measures["name_swap"][i]) == 1 and jaccard < SWAP_JACCARD
            meant = duplicate or longer < LIKE_SIZE * shorter or (strict and shorter < BRIEF_TOKENS)
            guarded = guarded or ((conflict or swap) and meant)
        # (6) Relation and rule; later lines overrule earlier ones.
        code, name = _PARTIAL, "below the thresholds"
        if contained:
            code, name = (_IN if left_in else _CONTAINS), "containment"
        if duplicate:
            code, name = _DUPLICATE, "aligned" if by_alignment else "jaccard" if by_jaccard else "both containments"
        if loose:
            name = "other words"
        if headed:
            name = SHARED_HEADER
        if guarded:
            code, name = _VARIANT, "facts differ" if stated else "numbers differ" if conflict else "name swapped"
        if guards and kinds[i] & SAME_FIELDS and told and not stated and not headed:
            code, name = _DUPLICATE, ALIKE
        if guards and kinds[i] & facts & FIELD:
            code, name = _PARTIAL if removes_variants else _VARIANT, "fields differ"
        if kinds[i] & SAME_PAYLOAD:
            code, name = _DUPLICATE, SAME
        relation[i], rule[i] = code, _RULE[name]
    return relation, rule


def _usual_rows(measures: Mapping[str, np.ndarray]) -> list[tuple[int, int, bool, float, float, float]] | None:
    """Return the measures `_NAMES` of each pair as tuples; None if a text is very short or a value unusual."""
    # Columns of 32 bits are compared with thresholds of 32 bits.
    if any((known := measures.get(name)) is not None and known.dtype != np.float64 for name in _SHARES):
        return None
    rows = [*zip(*(measures[name].tolist() for name in _NAMES), strict=True)]
    for n_left, n_right, _, jaccard, left, right in rows:
        if n_left < TINY_TOKENS or n_right < TINY_TOKENS or isnan(jaccard + left + right):
            return None
    return rows


def _values(measures: Mapping[str, np.ndarray], name: str, nothing: float, pairs: int) -> Sequence[Any]:
    """Return a measure as a list with one value per pair; `nothing` if the pairs lack it."""
    found = measures.get(name)
    return [nothing] * pairs if found is None else found.tolist()
