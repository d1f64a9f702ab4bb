"""Rules by which a part of an item counts as found in a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quchong.errors import Param, UsageError

NGRAM8, NGRAM13, CONTAINMENT = "ngram8", "ngram13", "containment"
RULES = (CONTAINMENT, NGRAM8, NGRAM13)
WIDTHS = {CONTAINMENT: 5, NGRAM8: 8, NGRAM13: 13}
"""Tokens of the n-grams that are looked up; of containment they only propose where to compare."""
SHARES = {CONTAINMENT: 0.75, NGRAM8: 0.7, NGRAM13: 0.0}
"""Default least share of a part: of its tokens, of its 8-grams (PaLM), or any 13-gram (GPT-3, The Pile)."""
MIN_LENGTH = 16
"""Default least length of a part: Chinese characters, of which a word of other scripts counts as two."""
LONG_STEM = 32
"""Length at or above which a question that has choices is looked for without them: other items ask the same of other choices."""
FRAME = 10
"""An n-gram in more different parts than this is a frame of the test sets, such as a prompt, and counts for none of them."""
COVERED = 0.35
"""Share of a part's tokens that equal seeds must cover before it is aligned with a document."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Rule by which a document counts as containing a test item.

    Attributes:
        by: CONTAINMENT, NGRAM8 or NGRAM13.
        min_share: least share of a part; for NGRAM13 any common n-gram is enough.
        min_length: least length of a part, a Chinese character counting 1 and a word 2.
    """

    by: str = CONTAINMENT
    min_share: float = SHARES[CONTAINMENT]
    min_length: int = MIN_LENGTH

    @classmethod
    def of_call(cls, by: str, min_share: float | None, min_length: int | None) -> Rule:
        """Return the rule of a call; None takes the default.

        Raises:
            UsageError: a share for NGRAM13, which has none.
        """
        if by == NGRAM13 and min_share is not None:
            raise UsageError(
                "{}: under this rule, one common {}-gram is enough, so a share has no effect; leave out {}",
                Param("rule", by), WIDTHS[by], Param("min_share"),
            )  # fmt: skip
        share = SHARES[by] if min_share is None else min_share
        return cls(by, share, MIN_LENGTH if min_length is None else min_length)

    @property
    def width(self) -> int:
        """Tokens of an n-gram."""
        return WIDTHS[self.by]

    def describe(self) -> dict[str, Any]:
        """Return the rule for run.json."""
        return {"by": self.by, "min_share": self.min_share, "min_length": self.min_length, "width": self.width}
