"""Names of the rules that decide a pair, and their limits besides those of `quchong.similarity.thresholds`."""

from __future__ import annotations

from typing import Any

from quchong.similarity.thresholds import BRIEF_TOKENS
from quchong.tables import FACTS, SHARED_HEADER

FIGURE = 1 << FACTS.index("figure")
"""Bit of figures among the kinds of facts."""
SAME = "same payload"
"""Rule of records on different templates that say the same in their slots (`Plan.templates`)."""
ALIKE = "same fields"
"""Rule of records on one template that fill its slots alike and have slips elsewhere."""
RULES = (
    "below the thresholds", "containment", "aligned", "short, only added", "jaccard", "both containments", "other words",
    "short, other words", "facts differ", "numbers differ", "name swapped", SHARED_HEADER, "fields differ", SAME, ALIKE,
)  # fmt: skip

REWRITTEN = 10
"""If one word in this many is replaced, the guards compare figures and names wherever they are in the texts."""
LIKE_REST = 0.83
"""Share of what is left of two texts beside a shared header, below which for both they are no duplicates."""
LOOSE_JACCARD, LOOSE_BIGRAMS, OTHER_JACCARD, LOOSE_TOKENS = 0.6, 0.72, 0.75, 150
"""Jaccard below which a short Chinese text is a duplicate only if no word is replaced, because template siblings share as much: in
general, under `strict`, and if every fifth word is replaced; and the tokens at or above which a text is not short.
"""


def is_loose(jaccard: Any, shorter: Any, unexplained: Any, *, strict: bool) -> Any:
    """Return True (a mask for arrays) if one replaced word separates two short Chinese texts with a duplicate's shares.

    Of columns of pairs (arrays) a mask is returned, of one pair a bool.

    Args:
        jaccard: Jaccard of the pair.
        shorter: tokens of the shorter text.
        unexplained: replaced words that no known edit explains.
    """
    below = LOOSE_BIGRAMS if strict else LOOSE_JACCARD
    # The same up to a higher Jaccard, if every fifth word is replaced: below BRIEF_TOKENS, with `strict` below LOOSE_TOKENS.
    at_most = LOOSE_TOKENS if strict else BRIEF_TOKENS
    return ((jaccard < below) & (shorter < LOOSE_TOKENS) & (unexplained > 0)) | (
        (jaccard < OTHER_JACCARD) & (shorter < at_most) & (5 * unexplained > shorter)
    )
