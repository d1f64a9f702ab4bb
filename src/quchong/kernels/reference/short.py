"""Keys of short documents, and what is replaced in a pair of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from quchong.kernels.reference.hashing import COEFFICIENTS, M64, mix64, shingle_hashes
from quchong.kernels.reference.pairs import replacements
from quchong.kernels.reference.text import NUMBER_TOKEN, WORD_TOKEN

PAIRED = 5


def bigram_order(tokens: Sequence[int], common: Collection[int]) -> list[int]:
    """Distinct bigrams by their hashes: those with fewer numbers and common characters first, then by hash."""
    usual = [t >= NUMBER_TOKEN or (t < 65536 and t in common) for t in tokens]
    ranked = sorted({(sum(usual[i : i + 2]), h) for i, h in enumerate(shingle_hashes(tokens, 2))})
    return [h for _, h in ranked]


def short_keys(tokens: Sequence[int], common: Collection[int], longest: int, lacking: int) -> set[int]:
    """The rarest bigrams of a document, three at a time; where there are few also two at a time."""
    if not 0 < len(tokens) <= longest:
        return set()
    order = bigram_order(tokens, common)
    b = len(order)
    apart = min(b // 2, lacking)
    sets: list[tuple[int, ...]] = [(order[0],)] if b == 1 else []
    if b <= PAIRED:
        sets += combinations(order[: apart + 2], 2)
    sets += combinations(order[: apart + 3], 3)
    return {
        mix64(sum(h * c for h, c in zip(s, COEFFICIENTS, strict=False)) & M64) if b > 1 else mix64(s[0]) for s in sets
    }


def replaced_words(a: Sequence[int], b: Sequence[int], max_cells: int) -> int:
    """The most one-character tokens on both sides of one replacement, or moved from one place to another."""
    if not a or not b or len(a) * len(b) > max_cells:
        return 0
    apart = [([t for t in x if t < WORD_TOKEN], [t for t in y if t < WORD_TOKEN]) for x, y in replacements(a, b)]
    gone, come = (Counter(t for place in apart for t in place[side]) for side in (0, 1))
    return max(sum((gone & come).values()), *(min(len(x), len(y)) for x, y in apart))
