"""Turns measures into a relation: the order of tests, and the guards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from quchong.similarity.guards import names_conflict, near_by_shares, numbers_conflict
from quchong.similarity.thresholds import (
    BRIEF_TOKENS,
    CONTAINED_SHINGLES,
    CONTAINED_TOKENS,
    LIKE_SIZE,
    TINY_TOKENS,
    Thresholds,
)
from quchong.tables import CONTAINED_IN, CONTAINS, DUPLICATE, FACTS, PARTIAL, RELATIONS, VARIANT

EVERY_FACT = (1 << len(FACTS)) - 1
"""All kinds of facts, as bits: bit k stands for FACTS[k]."""


def decide(
    measures: Mapping[str, np.ndarray], thresholds: Thresholds, *, guards: bool = True, strict: bool = False,
    facts: int = EVERY_FACT,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Relation of left to right, and the rule that named it.

    The order of tests: contained_in or contains (the larger containment reaches its threshold, the smaller does not),
    duplicate (Jaccard reaches its threshold, or both containments do, or an alignment covers nearly all of both), else partial.
    Facts that contradict turn any of these into variant, a guard a duplicate, or a containment between texts of like size.
    Where the measures have `told`, no pair is accepted whose differences were not told. Exact pairs are not decided here.

    Below 25 tokens a duplicate differs by few insertions only. With `strict` nothing so short is a duplicate: what would be
    one, and what reaches a threshold, is a variant; and below 60 tokens any figure that differs makes a variant.

    Args:
        facts: the kinds of facts that count, as bits.

    Returns:
        Two arrays of str (object dtype), aligned with the measures.
    """
    n_left, n_right = measures["tokens_left"].astype(np.int64), measures["tokens_right"].astype(np.int64)
    shorter, longer = np.minimum(n_left, n_right), np.maximum(n_left, n_right)
    han, jaccard = measures["han"], measures["jaccard"]
    left, right = measures["containment_left"], measures["containment_right"]
    least = thresholds.containment_for(han)
    big_enough = (shorter >= CONTAINED_TOKENS) & ((shorter >= TINY_TOKENS) | (longer >= LIKE_SIZE * shorter))
    left_in, right_in = left >= least, right >= least
    pairs = len(jaccard)
    sides = [np.nan_to_num(measures.get(f"aligned_{side}", np.zeros(pairs))) for side in ("left", "right")]
    word_for_word = ((left >= WHOLE) & (sides[0] >= WHOLE)) | ((right >= WHOLE) & (sides[1] >= WHOLE))
    big_enough |= word_for_word & (shorter >= WHOLE_TOKENS) & (2 * shorter >= longer) & (guards and not strict)
    # What is accepted by its shares was aligned and asked for facts: `worth_aligning` begins with the same mask.
    near = near_by_shares(measures, thresholds)
    told = measures.get("told", np.ones(pairs, bool)) | np.bool_(not guards)
    contained = big_enough & (left_in ^ right_in) & (_contained_shingles(measures, left_in) >= CONTAINED_SHINGLES)
    contained &= near & told
    by_jaccard = jaccard >= thresholds.jaccard_for(shorter, han)
    both = left_in & right_in
    tiny = shorter < TINY_TOKENS
    few_added = measures["edits_only_added"] & (jaccard >= thresholds.tiny_jaccard)
    duplicate = ~contained & np.where(tiny, few_added, by_jaccard | both) & near & told
    aligned = np.minimum(*sides)
    unexplained = measures.get("unexplained", np.zeros(pairs, np.uint32))
    slips = (aligned >= WHOLE) & (unexplained == 0)  # nothing differs but slips, or the order of clauses
    too_short = ~contained & tiny & (few_added | by_jaccard | both) & strict & ~slips
    duplicate &= ~too_short
    stated = (measures.get("facts", np.zeros(pairs, np.uint16)) & np.uint16(facts)) != 0
    stated &= guards
    by_alignment = (
        np.bool_(thresholds.aligned < 1)
        & ~contained
        & ~duplicate
        & ~too_short
        & (aligned >= thresholds.aligned)
        & told
        & (~tiny | (unexplained == 0))
    )
    loose = (
        duplicate
        & han
        & (jaccard < (LOOSE_BIGRAMS if strict else LOOSE_JACCARD))
        & (shorter < LOOSE_TOKENS)
        & (unexplained > 0)
        & guards
    )
    at_most = np.where(strict | (shorter < BRIEF_TOKENS), LOOSE_TOKENS, 0)
    loose |= duplicate & han & (jaccard < OTHER_JACCARD) & (shorter < at_most) & (5 * unexplained > shorter) & guards
    duplicate = (duplicate & ~loose) | (by_alignment & ~(tiny & strict & ~slips))
    # What is aligned is told by its facts, but where much is rewritten; of short texts any word that stands for another says enough.
    unread = (aligned == 0) | (REWRITTEN * unexplained > shorter)
    unread |= np.bool_(strict) & (shorter < BRIEF_TOKENS) & (unexplained > 0)
    conflict = numbers_conflict(measures, strict=strict) & guards & unread
    swap = names_conflict(measures) & guards & unread
    like_size = longer < LIKE_SIZE * shorter
    every_figure = np.bool_(strict) & (shorter < BRIEF_TOKENS)
    guarded = (conflict | swap) & (duplicate | (contained & (like_size | every_figure)))
    guarded |= stated & (duplicate | contained)

    relation, rule = np.full(pairs, RELATIONS.index(PARTIAL), np.uint8), np.zeros(pairs, np.uint8)
    relation[contained & left_in], relation[contained & right_in] = (
        RELATIONS.index(CONTAINED_IN),
        RELATIONS.index(CONTAINS),
    )
    rule[contained] = RULES.index("containment")
    relation[duplicate] = RELATIONS.index(DUPLICATE)
    named = _chosen(["aligned", "short, only added", "jaccard", "both containments"], [by_alignment, tiny, by_jaccard])
    rule[duplicate] = named[duplicate]
    rule[loose] = RULES.index("other words")
    relation[too_short], rule[too_short] = RELATIONS.index(VARIANT), RULES.index("short, other words")
    relation[guarded] = RELATIONS.index(VARIANT)
    rule[guarded] = _chosen(["facts differ", "numbers differ", "name swapped"], [stated, conflict])[guarded]
    return np.array(RELATIONS, object)[relation], np.array(RULES, object)[rule]


RULES = (
    "below the thresholds", "containment", "aligned", "short, only added", "jaccard", "both containments", "other words",
    "short, other words", "facts differ", "numbers differ", "name swapped",
)  # fmt: skip


def _chosen(rules: Sequence[str], masks: Sequence[np.ndarray]) -> np.ndarray:
    """Of each pair the rule of the first mask it is in, as its place in RULES; the last rule where it is in none."""
    out: np.ndarray = np.select(
        masks, [np.uint8(RULES.index(rule)) for rule in rules[:-1]], np.uint8(RULES.index(rules[-1]))
    )
    return out


WHOLE, WHOLE_TOKENS = 0.999, 12
"""From so many tokens on a text may be contained in one of about its size, if it stands there word for word."""
REWRITTEN = 10
"""From one word in so many on that stands for another, the guards look at figures and names wherever they stand."""
LOOSE_JACCARD, LOOSE_BIGRAMS, OTHER_JACCARD, LOOSE_TOKENS = 0.6, 0.72, 0.75, 150
"""Below this Jaccard a short text is a duplicate only where no word stands for another: its siblings share as much."""


def _contained_shingles(measures: Mapping[str, np.ndarray], left_in: np.ndarray) -> np.ndarray:
    """At most so many distinct shingles the contained text has, from the larger one's length and both shares.

    A text that repeats itself (laughter, one emoji twenty times) has few, and they stand in many a text.
    """
    other = np.where(left_in, measures["tokens_right"], measures["tokens_left"]).astype(np.int64)
    mine, theirs = (
        np.where(left_in, measures[f"containment_{a}"], measures[f"containment_{b}"])
        for a, b in (("left", "right"), ("right", "left"))
    )
    out: np.ndarray = np.maximum(other - measures["ngram_size"] + 1.0, 1.0) * theirs / np.maximum(mine, 1e-9)
    return out


def threshold_used(measures: Mapping[str, np.ndarray], rule: np.ndarray, thresholds: Thresholds) -> np.ndarray:
    """The threshold each pair was held to by its rule, float64: it depends on length and script."""
    shorter = np.minimum(measures["tokens_left"], measures["tokens_right"]).astype(np.int64)
    by_jaccard, by_containment = (
        thresholds.jaccard_for(shorter, measures["han"]),
        thresholds.containment_for(measures["han"]),
    )
    contained = (rule == "containment") | (rule == "both containments")
    tiny = np.where(rule == "short, only added", thresholds.tiny_jaccard, by_jaccard)
    out = np.where(contained, by_containment, np.where(rule == "aligned", thresholds.aligned, tiny))
    return np.where(rule == "equal normal form", 1.0, out)
