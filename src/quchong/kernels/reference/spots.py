"""Spot signatures of a sequence of tokens."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from typing import TypeVar

from quchong.kernels.reference.hashing import COEFFICIENTS, M64, mix64

T = TypeVar("T", bound=Hashable)


def stop_mask(tokens: Sequence[T], stop_words: Set[tuple[T, ...]]) -> list[int]:
    """For every token the length of the longest stop word it is part of, 0 for none."""
    out = [0] * len(tokens)
    for word in stop_words:
        n = len(word)
        for i in range(len(tokens) - n + 1):
            if tuple(tokens[i : i + n]) == word:
                out[i : i + n] = [max(n, x) for x in out[i : i + n]]
    return out


def spots(
    tokens: Sequence[T], antecedents: Set[T], stop_words: Set[tuple[T, ...]], distance: int, chain: int
) -> list[tuple[T, ...]]:
    """Antecedent and chain of every spot signature, in order.

    Behind every antecedent that is not part of a longer stop word, every `distance`-th token that is neither an
    antecedent nor part of a stop word is taken, `chain` of them; a chain cut short by the end of the text is none.
    """
    part = stop_mask(tokens, stop_words | {(a,) for a in antecedents})
    out = []
    for i, token in enumerate(tokens):
        if token not in antecedents or part[i] > 1:
            continue
        rest = [t for t, p in zip(tokens[i + 1 :], part[i + 1 :], strict=True) if not p]
        taken = rest[distance - 1 : distance * chain : distance]
        if len(taken) == chain:
            out.append((token, *taken))
    return out


def spot_hash(signature: Sequence[int], with_antecedent: bool = True) -> int:
    """Of one signature of token values."""
    taken = signature if with_antecedent else (0, *signature[1:])
    return mix64(sum(t * c for t, c in zip(taken, COEFFICIENTS, strict=False)) & M64)
