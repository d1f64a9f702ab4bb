"""Features of documents: shingles, substrings, keys of short documents, full stops, paths of words, spots."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence, Set
from itertools import combinations, pairwise
from typing import TypeVar

from twins.hashing import COEFFICIENTS, M64, MAX_NGRAM, mix64, sequence_hash, shingle_hashes
from twins.text import NUMBER_TOKEN

PERIOD_SEED = 0x3002
CLOSERS = "”’」』》〉】）)\"']］〕"
BLANKS = {*range(0x21), *range(0x7F, 0xA1), 0x1680, *range(0x2000, 0x200E), 0x2028, 0x2029, 0x202F, 0x205F, 0x2060,
           0x3000, 0xFEFF}  # fmt: skip
PAIRED = 5
T = TypeVar("T", bound=Hashable)


def ragged_shingles(documents: Sequence[Sequence[int]], ngram: int) -> list[list[int]]:
    """Hashes of the shingles of each document, in order."""
    return [shingle_hashes(tokens, ngram) for tokens in documents]


def window_minima(tokens: Sequence[int], ngram: int, window: int) -> list[tuple[int, int]]:
    """The least hash of every window of shingles, the rightmost of equal ones, with its place; each place once."""
    if len(tokens) < ngram:
        return []
    hashes = shingle_hashes(tokens, ngram)
    last = max(1, len(hashes) - window + 1)
    places = [
        min(range(i, min(i + window, len(hashes))), key=lambda p: (hashes[p], -p)) for i in range(last)
    ]  # fmt: skip
    return [(hashes[p], p) for before, p in pairwise([-1, *places]) if p != before]


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


def period_segments(text: str) -> list[str]:
    """What stands before each full stop and behind the last, white space and closers behind a full stop left out."""
    out, closing = [""], False
    for c in text.replace("｡", "。"):
        if ord(c) in BLANKS or (closing and c in CLOSERS):
            continue
        closing = c == "。"
        if closing:
            out.append("")
        else:
            out[-1] += c
    return out


def period_strings(text: str, before: int, after: int = 0) -> list[str]:
    """The features of a text before they are hashed, in order."""
    parts = period_segments(text)
    return [part[-before:] + ("。" + following[:after] if after else "") for part, following in pairwise(parts) if part]


def period_features(text: str, before: int, after: int = 0) -> list[int]:
    """Hashes of the features of a text."""
    return [sequence_hash([ord(c) for c in s], PERIOD_SEED) for s in period_strings(text, before, after)]


def path_hash(tokens: Sequence[int]) -> int:
    """Of one path; paths of other lengths are other paths."""
    total = sum(t * COEFFICIENTS[j] for j, t in enumerate(tokens)) + len(tokens) * COEFFICIENTS[MAX_NGRAM - 1]
    return mix64(total & M64)


def path_sets(tokens: Sequence[int], sentence: Sequence[int], weight: Sequence[int], depth: int) -> dict[int, int]:
    """Hash and weight of every distinct path of one document, by hash."""
    out: dict[int, int] = {}
    for i in range(len(tokens)):
        for j in range(i + 1, min(i + depth, len(tokens)) + 1):
            if any(s != sentence[i] for s in sentence[i:j]):
                break
            value, total = path_hash(tokens[i:j]), sum(weight[i:j])
            out[value] = min(total, out.get(value, total))
    return dict(sorted(out.items()))


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
