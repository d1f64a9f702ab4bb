"""Substrings as fingerprints: sif's selection, KOALA's rarest, and what is least by a key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence


def kept_substrings(text: str, size: int, keep: Callable[[str], bool]) -> set[str]:
    """The substrings of `size` characters that `keep` accepts (sif)."""
    return {s for i in range(len(text) - size + 1) if keep(s := text[i : i + size])}


def shares(a: Collection[str], b: Collection[str]) -> tuple[float, float]:
    """Common / each; 0 of what has none."""
    common = len(set(a) & set(b))
    return common / len(a) if a else 0.0, common / len(b) if b else 0.0


def rarest(
    text: str, alpha: int, prefix: int, count: int, frequency: Mapping[str, int], hash_of: Callable[[str], int]
) -> set[str]:
    """The `count` distinct substrings of `alpha` characters whose first `prefix` letters stand in fewest texts, then those of
    lowest hash (KOALA).
    """
    every = {text[i : i + alpha] for i in range(len(text) - alpha + 1)}
    return set(sorted(every, key=lambda s: (frequency.get(s[:prefix], 1), hash_of(s)))[:count])


def least_by_key(values: Sequence[int], keys: Sequence[int], count: int) -> list[int]:
    """The `count` distinct values that come first by their keys, then by themselves, ascending."""
    order = sorted(set(zip(keys, values, strict=True)))[:count]
    return sorted(v for _, v in order)
