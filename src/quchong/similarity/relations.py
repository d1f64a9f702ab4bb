"""Decision of a pair's relation from its measures: the order of tests, and the guards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE, PARTIAL, RELATIONS, VARIANT
from quchong.similarity.few_relations import few_codes
from quchong.similarity.guards import names_conflict, near_by_shares, numbers_conflict
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
    CONTAINED_TOKENS,
    FEW,
    LIKE_SIZE,
    TINY_TOKENS,
    Thresholds,
)
from quchong.tables import FACTS, FIELD, SAME_FIELDS, SAME_PAYLOAD, SHARED_HEADER, TERM

EVERY_FACT = (1 << len(FACTS)) - 1
"""Bit mask of all kinds of facts; bit k is FACTS[k]."""
USUAL_FACTS = EVERY_FACT & ~TERM
"""Bit mask of the kinds of facts that count where nothing else is asked for."""


def decide(
    measures: Mapping[str, np.ndarray], thresholds: Thresholds, *, guards: bool = True, strict: bool = False,
    facts: int = USUAL_FACTS, brief_facts: int = 0, removes_variants: bool = False,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return the relation of left to right for each pair, and the name of the rule that decided it.

    The order of tests: contained_in or contains (the larger containment reaches its threshold, the smaller does not), duplicate (Jaccard
    reaches its threshold, or both containments do, or an alignment covers nearly all of both), else partial. Facts that contradict turn any
    of these into variant, a guard a duplicate, or a containment between texts of like size. If the measures have `told`, a pair whose
    differences were not determined is not accepted, but if a shared header alone makes it near, the rule says so. Exact pairs are not
    decided here.

    Below 25 tokens a duplicate differs by few insertions only. With `strict` nothing so short is a duplicate: what would be
    one, and what reaches a threshold, is a variant; and below 60 tokens any figure that differs makes a variant.

    Args:
        facts: the kinds of facts that count, as bits.
        brief_facts: kinds that count besides if the shorter text has fewer than LOOSE_TOKENS tokens.
        removes_variants: True if a run removes variants. Then two records on one template that fill a slot otherwise are partial, and not
            variants: a different record is no version of the other that may be missed.

    Returns:
        Two arrays of str (object dtype), aligned with the measures.
    """
    relation, rule = decide_codes(
        measures, thresholds, guards=guards, strict=strict, facts=facts, brief_facts=brief_facts,
        removes_variants=removes_variants,
    )  # fmt: skip
    return _RELATION_NAMES[relation], _RULE_NAMES[rule]


def decide_codes(
    measures: Mapping[str, np.ndarray], thresholds: Thresholds, *, guards: bool = True, strict: bool = False,
    facts: int = USUAL_FACTS, brief_facts: int = 0, removes_variants: bool = False,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return what `decide` returns as codes, uint8: indices in RELATIONS and in RULES.

    A few pairs are decided over plain values (`quchong.similarity.few_relations`), to the same codes.
    """
    few = len(measures["jaccard"]) <= FEW
    found = few_codes(
        measures, thresholds, guards=guards, strict=strict, facts=facts, brief_facts=brief_facts, removes_variants=removes_variants,
    ) if few else None  # fmt: skip
    return found or _codes_of_columns(measures, thresholds, guards, strict, facts, brief_facts, removes_variants)


def _codes_of_columns(
    measures: Mapping[str, np.ndarray], thresholds: Thresholds, guards: bool, strict: bool, facts: int, brief_facts: int,
    removes_variants: bool,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return what `decide_codes` returns, decided over columns."""
    n_left, n_right = measures["tokens_left"].astype(np.int64), measures["tokens_right"].astype(np.int64)
    shorter, longer = np.minimum(n_left, n_right), np.maximum(n_left, n_right)
    han, jaccard = measures["han"], measures["jaccard"]
    left, right = measures["containment_left"], measures["containment_right"]
    pairs = len(jaccard)
    # Steps about few pairs are left out where there is none of them: an index decides one pair at a time.
    nothing, none = np.zeros(pairs), np.zeros(pairs, bool)
    sides = [measures.get(f"aligned_{side}", nothing) for side in ("left", "right")]
    sides = [np.where(np.isnan(share), 0.0, share) for share in sides]
    # (1) Containment: exactly one share reaches its threshold. If both do, the pair is a duplicate, see (2).
    least = thresholds.containment_for(han)
    left_in, right_in = left >= least, right >= least
    # Accept by shares only pairs whose differences are known, so that no conflict of facts is overlooked: `worth_aligning` has the pairs of
    # the same mask aligned (docs/decisions/0120).
    near = near_by_shares(measures, thresholds)
    told = measures["told"].astype(bool) if guards and "told" in measures else ~none
    tiny = shorter < TINY_TOKENS
    # Of a pair whose differences are not known it is looked at whether a header makes it near.
    read = told
    if guards and "rest_left" in measures and not told.all():
        read = told | (rests_known(measures) & ~tiny)
    near &= read
    contained = near & (left_in ^ right_in)
    whole = none
    if guards and not strict and np.count_nonzero(tiny):
        whole = tiny & _word_for_word(measures, sides)
        # Of a brief text with a line added both shares may reach the threshold although too much was added for a duplicate.
        both = near & left_in & right_in & whole & ~measures["edits_only_added"]
        left_in, right_in = left_in & ~(both & (n_left > n_right)), right_in & ~(both & (n_left < n_right))
        contained |= both & (n_left != n_right)
    if np.count_nonzero(contained):
        contained &= _long_enough(measures, left_in) | whole
    # (2) Duplicate by shares: the Jaccard or both containments reach their thresholds. Below TINY_TOKENS one word changes the shares too
    # much, so that a duplicate may only have a few tokens more or less.
    by_jaccard = jaccard >= thresholds.jaccard_for(shorter, han)
    enough = by_jaccard | (left_in & right_in)
    few_added = none
    duplicate = enough
    if np.count_nonzero(tiny):
        few_added = measures["edits_only_added"] & (jaccard >= thresholds.tiny_jaccard)
        duplicate = np.where(tiny, few_added, enough)
    duplicate = duplicate & near & ~contained
    aligned = np.minimum(*sides)
    unexplained = measures.get("unexplained", np.zeros(pairs, np.uint32))
    if guards and not (facts | brief_facts) & FIGURE and "facts" in measures:
        # Another figure is no other word where the run counts figures as no fact.
        figured = (measures["facts"] & np.uint16(FIGURE)) != 0
        told_by_figures = np.where(figured, measures.get("conflicting_numbers", nothing), 0).astype(np.int64)
        unexplained = np.maximum(unexplained.astype(np.int64) - told_by_figures, 0)
        aligned = np.where(aligned > 0, np.minimum(1.0, aligned + told_by_figures / np.maximum(longer, 1)), 0.0)
    replaced = unexplained > 0
    # With `strict` a short pair that would be a duplicate by any test becomes a variant, unless it differs in slips only: the alignment
    # covers both texts wholly, counting look-alike characters, and no content is left unexplained.
    too_short, beyond_slips = none, none
    if strict:
        beyond_slips = tiny & ((aligned < WHOLE) | replaced)
        too_short = ~contained & (few_added | enough) & beyond_slips
        duplicate &= ~too_short
    # Facts in conflict, of the kinds that count.
    stated = counted_conflicts(measures, facts, brief_facts) != 0 if guards else none
    # (3) Duplicate by alignment: noise and light rewording break many shingles but keep the order of the text. Short texts must have no
    # unexplained content.
    by_alignment = none
    if thresholds.aligned < 1:
        by_alignment = ~(contained | duplicate | too_short) & (aligned >= thresholds.aligned) & read
        by_alignment &= ~(tiny & replaced)
    # (4) No duplicate after all: short Chinese texts of a series share a Jaccard this low with one another, so that a replaced word
    # (unexplained content) tells them apart (docs/decisions/0011).
    loose = none
    if guards and np.count_nonzero(duplicate & han & replaced):
        loose = duplicate & han & is_loose(jaccard, shorter, unexplained, strict=strict)
    duplicate = (duplicate & ~loose) | (by_alignment & ~beyond_slips)
    # What is nearly all a header that many documents share is no copy for it: what is left decides (docs/decisions/0316).
    headed = none
    if guards and "rest_left" in measures:
        rests = measures["rest_left"], measures["rest_right"]
        headed = contained & ((left_in & (rests[0] < least)) | (right_in & (rests[1] < least)))
        headed |= duplicate & (rests[0] < LIKE_REST) & (rests[1] < LIKE_REST)
        contained, duplicate, loose = contained & ~headed & told, duplicate & ~headed & told, loose & told
    # (5) Guards. An aligned pair was judged by its facts already; the guards count figures and names only if the pair was not aligned, if
    # every tenth word is replaced, or with `strict` if any word of a brief text is.
    accepted = duplicate | contained
    guarded, conflict = stated & accepted, none
    unread = (aligned == 0) | (REWRITTEN * unexplained > shorter)
    if strict:
        unread |= (shorter < BRIEF_TOKENS) & replaced
    unread &= accepted
    if guards and np.count_nonzero(unread):
        conflict = numbers_conflict(measures, strict=strict) & unread
        swap = names_conflict(measures) & unread
        # Guards and facts make a variant of a duplicate. A guard makes one of a containment only at like size, because a longer text has
        # more figures of its own; with `strict` also in brief texts.
        meant = longer < LIKE_SIZE * shorter
        if strict:
            meant |= shorter < BRIEF_TOKENS
        guarded |= (conflict | swap) & (duplicate | meant)

    # (6) Write the relation and the rule; later lines overrule earlier ones.
    relation, rule = np.full(pairs, RELATIONS.index(PARTIAL), np.uint8), np.zeros(pairs, np.uint8)
    relation[contained & left_in] = RELATIONS.index(CONTAINED_IN)
    relation[contained & right_in] = RELATIONS.index(CONTAINS)
    rule[contained] = RULES.index("containment")
    relation[duplicate] = RELATIONS.index(DUPLICATE)
    _put_first(
        rule, duplicate, [("aligned", by_alignment), ("short, only added", tiny), ("jaccard", by_jaccard)], "both containments"
    )  # fmt: skip
    rule[loose] = RULES.index("other words")
    rule[headed] = RULES.index(SHARED_HEADER)
    relation[too_short], rule[too_short] = RELATIONS.index(VARIANT), RULES.index("short, other words")
    relation[guarded] = RELATIONS.index(VARIANT)
    _put_first(rule, guarded, [("facts differ", stated), ("numbers differ", conflict)], "name swapped")
    if (known := measures.get("facts")) is None:
        return relation, rule
    if guards:
        # Two records on one template that fill all slots alike, with slips elsewhere, are copies, however few shingles slips leave; what is
        # nearly all a header does not count.
        alike = ((known & np.uint16(SAME_FIELDS)) != 0) & told & ~stated & ~headed
        relation[alike], rule[alike] = RELATIONS.index(DUPLICATE), RULES.index(ALIKE)
        # Two records on one template that fill a slot otherwise are none, whatever they share.
        apart = (known & np.uint16(facts & FIELD)) != 0
        relation[apart] = RELATIONS.index(PARTIAL if removes_variants else VARIANT)
        rule[apart] = RULES.index("fields differ")
    # Two records that say the same in the slots of different templates are copies, whatever else they share.
    same = (known & np.uint16(SAME_PAYLOAD)) != 0
    relation[same], rule[same] = RELATIONS.index(DUPLICATE), RULES.index(SAME)
    return relation, rule


_RELATION_NAMES, _RULE_NAMES = np.array(RELATIONS, object), np.array(RULES, object)


def _put_first(rule: np.ndarray, pairs: np.ndarray, masks: Sequence[tuple[str, np.ndarray]], other: str) -> None:
    """Set in `rule`, for the pairs of a mask, the name of the first mask that is True, or `other` if none is."""
    rule[pairs] = RULES.index(other)
    for name, mask in reversed(masks):
        rule[pairs & mask] = RULES.index(name)


def rests_known(measures: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return a mask of the pairs whose `rest_left` or `rest_right` was measured."""
    mask: np.ndarray = ~(np.isnan(measures["rest_left"]) & np.isnan(measures["rest_right"]))
    return mask


WHOLE, WHOLE_TOKENS, WHOLE_WORDS = 0.999, 12, 8
"""Aligned and contained share that counts as word for word, and least tokens of such a text that is contained in one of like size: Chinese
characters, and words of other scripts.
"""


def counted_conflicts(measures: Mapping[str, np.ndarray], facts: int, brief_facts: int = 0) -> np.ndarray:
    """Return the kinds of facts in conflict that count in each pair, uint16 bits: those of `facts`, and in short texts `brief_facts`."""
    shorter = np.minimum(measures["tokens_left"], measures["tokens_right"])
    known = measures.get("facts")
    if known is None:
        return np.zeros(len(shorter), np.uint16)
    out: np.ndarray = known & np.uint16(facts)
    if brief_facts:
        out |= np.where(shorter < LOOSE_TOKENS, known & np.uint16(brief_facts), np.uint16(0))
    return out


def _long_enough(measures: Mapping[str, np.ndarray], left_in: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs whose contained text is long enough to count as contained, in tokens and distinct shingles.

    Args:
        left_in: mask of the pairs whose left text is contained.
    """
    n_left, n_right = measures["tokens_left"].astype(np.int64), measures["tokens_right"].astype(np.int64)
    shorter, longer = np.minimum(n_left, n_right), np.maximum(n_left, n_right)
    out: np.ndarray = (shorter >= CONTAINED_TOKENS) & ((shorter >= TINY_TOKENS) | (longer >= LIKE_SIZE * shorter))
    out &= _contained_shingles(measures, left_in) >= CONTAINED_SHINGLES
    return out


def _word_for_word(measures: Mapping[str, np.ndarray], aligned: Sequence[np.ndarray]) -> np.ndarray:
    """Return a mask of the pairs whose shorter text is in the longer one word for word, which is at most twice as long.

    All its shingles are shared, the alignment covers it, and it has WHOLE_TOKENS tokens, or WHOLE_WORDS where a token is a word.

    Its shingles must be different ones, CONTAINED_SHINGLES of a text that has more, so that no text is meant that only repeats itself.

    Args:
        aligned: shares of the left and the right texts that the alignment covers.
    """
    n_left, n_right = measures["tokens_left"].astype(np.int64), measures["tokens_right"].astype(np.int64)
    shorter, longer = np.minimum(n_left, n_right), np.maximum(n_left, n_right)
    left, right = (
        (measures[f"containment_{side}"] >= WHOLE) & (share >= WHOLE) for side, share in zip(("left", "right"), aligned, strict=True)
    )  # fmt: skip
    least = np.where(measures["han"], WHOLE_TOKENS, WHOLE_WORDS)
    out: np.ndarray = (
        ((left & (n_left <= n_right)) | (right & (n_right <= n_left))) & (shorter >= least) & (2 * shorter >= longer)
    )
    some = np.flatnonzero(out)
    if len(some):
        mine = {name: values[some] for name, values in measures.items() if name in _SHINGLED}
        shingles = np.minimum(CONTAINED_SHINGLES, shorter[some] - mine["ngram_size"] + 1.0)
        out[some] = (
            _contained_shingles(mine, n_left[some] <= n_right[some]) >= shingles - 0.5
        )  # a quotient is no whole number
    return out


_SHINGLED = frozenset({"tokens_left", "tokens_right", "containment_left", "containment_right", "ngram_size"})
"""Measures from which the shingles of a contained text are counted."""


def _contained_shingles(measures: Mapping[str, np.ndarray], left_in: np.ndarray) -> np.ndarray:
    """Return an upper bound of the number of distinct shingles of the contained text.

    It follows from the longer text's length and both containments. A text that repeats itself (laughter, one emoji twenty times) has few
    distinct shingles, and many texts contain them.
    """
    other = np.where(left_in, measures["tokens_right"], measures["tokens_left"]).astype(np.int64)
    mine, theirs = (
        np.where(left_in, measures[f"containment_{a}"], measures[f"containment_{b}"])
        for a, b in (("left", "right"), ("right", "left"))
    )
    out: np.ndarray = np.maximum(other - measures["ngram_size"] + 1.0, 1.0) * theirs / np.maximum(mine, 1e-9)
    return out


def threshold_used(measures: Mapping[str, np.ndarray], rule: np.ndarray, thresholds: Thresholds) -> np.ndarray:
    """Return the threshold that each pair's rule required, float64; it depends on length and script."""
    shorter = np.minimum(measures["tokens_left"], measures["tokens_right"]).astype(np.int64)
    by_jaccard, by_containment = (
        thresholds.jaccard_for(shorter, measures["han"]),
        thresholds.containment_for(measures["han"]),
    )
    contained = (rule == "containment") | (rule == "both containments")
    tiny = np.where(rule == "short, only added", thresholds.tiny_jaccard, by_jaccard)
    out = np.where(contained, by_containment, np.where(rule == "aligned", thresholds.aligned, tiny))
    return np.where((rule == "equal normal form") | (rule == SAME) | (rule == ALIKE), 1.0, out)
