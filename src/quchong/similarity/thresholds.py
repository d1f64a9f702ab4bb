"""Thresholds of the default decision, and the three presets measured for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from quchong.errors import Param, UsageError, check_choice

LONG_TOKENS = 200
"""Least tokens of a Chinese text that is compared by 5-token shingles, and winnowed with the long window."""
SHORT_TOKENS = 120
BRIEF_TOKENS, FALLEN_TOKENS = 60, 80
"""Lengths in tokens between which the Jaccard threshold falls: up to 60 tokens forms and closing lines share half their shingles by their
wording alone.
"""
TINY_TOKENS = 25
"""Tokens below which a duplicate may differ by insertions and deletions only."""
LIKE_SIZE = 1.5
"""Ratio of lengths below which a containment may be between template siblings."""
CONTAINED_TOKENS = 20
"""Least tokens of a contained text."""
CONTAINED_SHINGLES = 10
"""Least distinct shingles of a contained text; a text that only repeats itself is contained in many others."""


FEW = 4
"""Most pairs that are decided over plain values, see `quchong.similarity.few_relations`."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds at or above which two texts are duplicates, or one is contained in the other.

    Attributes:
        jaccard: Jaccard of Chinese texts of at least 200 tokens (by the shorter one).
        mid_jaccard: reached at 200 tokens from below; between 120 and 200 tokens the threshold rises linearly.
        short_jaccard: Jaccard of Chinese texts of 80 to 120 tokens.
        brief_jaccard: Jaccard of Chinese texts up to 60 tokens; between 60 and 80 it falls to short_jaccard.
        latin_jaccard: Jaccard of other texts.
        containment: share of the contained text found in the other; also duplicates when both shares reach it.
        latin_containment: the same for other texts.
        aligned: share of both texts an alignment covers, at or above which they are one text with noise in it, or lightly reworded; 1 asks
            no alignment.
        tiny_jaccard: Jaccard a pair under 25 tokens must reach besides differing by insertions only.
        floor_jaccard, floor_containment: pairs below both are not listed.
    """

    jaccard: float = 0.68
    mid_jaccard: float = 0.70
    short_jaccard: float = 0.45
    brief_jaccard: float = 0.55
    latin_jaccard: float = 0.65
    containment: float = 0.85
    latin_containment: float = 0.80
    tiny_jaccard: float = 0.0
    floor_jaccard: float = 0.3
    floor_containment: float = 0.6
    aligned: float = 0.88

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise UsageError("{} must be from 0 to 1, got {}", name, value)

    def at(self, jaccard: float | None = None, containment: float | None = None) -> Thresholds:
        """Return the thresholds with one Jaccard and one containment threshold for texts of every length and script.

        With a Jaccard threshold t alone, containment is raised to at least 2t / (1 + t), which is what two texts of equal length have at
        that Jaccard; otherwise such pairs would be accepted by their containments. The alignment rule is then switched off.
        """
        for name, value in (("threshold", jaccard), ("containment", containment)):
            if value is not None and not (isinstance(value, int | float) and 0 <= value <= 1):
                raise UsageError("{} must be from 0 to 1, got {!r}", Param(name), value)
        out = self
        # Two texts of equal length with Jaccard t have both containments 2t / (1 + t): raise containment to it.
        if jaccard is not None and containment is None:
            same = 2 * jaccard / (1 + jaccard)
            out = replace(
                out, containment=max(out.containment, same), latin_containment=max(out.latin_containment, same)
            )
        if jaccard is not None:
            # The floor must not hide pairs that the new threshold accepts; aligned = 1 switches the alignment rule off.
            every = {name: jaccard for name in self.__slots__ if name.endswith("_jaccard") or name == "jaccard"}
            out = replace(out, **every | {"floor_jaccard": min(out.floor_jaccard, jaccard), "aligned": 1.0})
        if containment is not None:
            out = replace(out, containment=containment, latin_containment=containment,
                          floor_containment=min(out.floor_containment, containment))  # fmt: skip
        return out

    def jaccard_for(self, tokens: np.ndarray, han: np.ndarray) -> np.ndarray:
        """Return the Jaccard threshold of pairs by the number of tokens of the shorter text, and by script."""
        return np.where(han, _jaccard_by_length(self)[np.minimum(tokens, LONG_TOKENS)], self.latin_jaccard)

    def containment_for(self, han: np.ndarray) -> np.ndarray:
        """Return the containment threshold of each pair: one for Chinese pairs (mask `han`), one for others."""
        return np.where(han, self.containment, self.latin_containment)


@lru_cache(64)
def _jaccard_by_length(thresholds: Thresholds) -> np.ndarray:
    """Return the Jaccard threshold of Chinese pairs for each number of tokens, to LONG_TOKENS, at or above which all have one."""
    levels = (thresholds.brief_jaccard, thresholds.short_jaccard, thresholds.short_jaccard, thresholds.mid_jaccard)
    out = np.interp(np.arange(LONG_TOKENS + 1), (BRIEF_TOKENS, FALLEN_TOKENS, SHORT_TOKENS, LONG_TOKENS), levels)
    out[LONG_TOKENS] = thresholds.jaccard
    return out


@lru_cache(64)
def levels_of(thresholds: Thresholds) -> list[float]:
    """Return the Jaccard threshold of Chinese pairs by the number of tokens of the shorter text, as `Thresholds.jaccard_for` has it."""
    levels: list[float] = _jaccard_by_length(thresholds).tolist()
    return levels


PRESETS = {
    "strict": Thresholds(0.75, 0.80, 0.55, 0.65, 0.75, 0.90, 0.90, aligned=0.92),
    "balanced": Thresholds(),
    "lenient": Thresholds(0.60, 0.65, 0.40, 0.50, 0.60, 0.80, 0.78, aligned=0.85),
    "training": Thresholds(0.75, 0.80, 0.55, 0.65, 0.75, 0.90, 0.90, aligned=0.92),
}
"""strict: no originals lost. training: the same, and variants are removed. balanced: the default. lenient: press clipping, a review queue.
None removes a document for a roundup: of a digest and the three articles in it, all four are kept.
"""

BIGRAM = Thresholds(0.80, 0.78, 0.58, 0.66, 0.74, 0.90, 0.86, 0.0, 0.5, 0.8)
"""Thresholds for shingles of two tokens in short texts: the balanced ones at the same share of equal tokens, and a floor that lists pairs
that share half of their bigrams.
"""

GIVEN_WIDTH_JACCARD = 0.65
"""Value of `jaccard` in the balanced preset if the user sets the shingle width: 0.68 was measured at the default width."""


def preset(name: str) -> Thresholds:
    """Return the thresholds of a preset by name; an unknown name raises UsageError.

    Raises:
        UsageError: the name is no preset.
    """
    check_choice("preset", name, PRESETS)
    return PRESETS[name]
