"""Signatures: MinHash, SimHash, and the pairs within a Hamming distance."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from twins.hashing import GOLDEN, M32, M64, mix64, sequence_hash, shingle_hashes

EMPTY = M32
SECOND_WORD = 0x5851F42D4C957F2D
WEIGHT_FLOOR = 64


def k_mins(tokens: Sequence[int], ngram: int, num_perm: int, seed: int) -> list[int]:
    """The least of each of num_perm functions over the shingles."""
    out = []
    for p in range(num_perm):
        a, b, c = (mix64((seed + GOLDEN * (3 * p + k)) & M64) & M32 | 1 for k in (1, 2, 3))
        low = EMPTY
        for h in shingle_hashes(tokens, ngram):
            y = ((h & M32) * a + (h >> 32) * b) & M32
            low = min(low, (y ^ y >> 15) * c & M32)
        out.append(low)
    return out


def one_permutation(tokens: Sequence[int], ngram: int, num_perm: int, seed: int) -> list[int]:
    """The least value of every bin; an empty bin borrows from bins drawn by its own fixed sequence."""
    salt = mix64((seed + GOLDEN) & M64)
    bins: dict[int, int] = {}
    for h in shingle_hashes(tokens, ngram):
        y = mix64(h ^ salt)
        b = (y >> 32) * num_perm >> 32
        bins[b] = min(bins.get(b, EMPTY), y & M32)
    if not bins:
        return [EMPTY] * num_perm
    out = []
    for b in range(num_perm):
        source, attempt = b, 0
        while source not in bins:
            attempt += 1
            source = (mix64((seed + (b << 32 | attempt) * GOLDEN) & M64) >> 32) * num_perm >> 32
        out.append(bins[source])
    return out


def band_keys(signature: Sequence[int], bands: int, rows: int) -> list[int]:
    """One key per band."""
    return [sequence_hash(signature[b * rows : (b + 1) * rows], b) for b in range(bands)]


def set_mins(values: Sequence[int], num_perm: int, seed: int) -> list[int]:
    """The least of each of num_perm functions over the values of one set."""
    out = []
    for p in range(num_perm):
        a, b, c = (mix64((seed + GOLDEN * (3 * p + k)) & M64) & M32 | 1 for k in (1, 2, 3))
        mixed = [((h & M32) * a + (h >> 32) * b) & M32 for h in values]
        out.append(min([(y ^ y >> 15) * c & M32 for y in mixed], default=M32))
    return out


def h64(text: str) -> int:
    """The hash of the worked examples: eight bytes of BLAKE2b."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")


def majority(features: Iterable[tuple[int, float]], bits: int) -> int:
    """Bit p is 1 where the (hash, weight) features that have it weigh more than those that do not; a tie is 0."""
    counters = [0.0] * bits
    for value, weight in features:
        for p in range(bits):
            counters[p] += weight if value >> p & 1 else -weight
    return sum(1 << p for p, counter in enumerate(counters) if counter > 0)


def simhash(
    tokens: Sequence[int],
    ngram: int,
    bits: int = 64,
    weights: Mapping[int, int] | None = None,
    unknown: int = 1,
    hash: str = "core",
) -> list[int]:
    """The words of a signature, the low one first; an empty document is all 0.

    `hash="blake2b"` takes the tokens as characters and h64 of each shingle, as the worked examples do.
    """
    if hash == "blake2b":
        text = "".join(map(chr, tokens))
        hashes = [h64(text[i : i + ngram]) for i in range(max(1, len(text) - ngram + 1))] if text else []
    else:
        hashes = shingle_hashes(tokens, ngram)
    counts = Counter(hashes)
    weighed = {
        x: n if weights is None else n * weights.get(x, unknown) + WEIGHT_FLOOR  # the floor once a distinct feature
        for x, n in counts.items()
    }
    return [majority(((_word(x, w), weight) for x, weight in weighed.items()), 64) for w in range(bits // 64)]


def _word(x: int, word: int) -> int:
    for _ in range(word):
        x = mix64((x ^ SECOND_WORD) & M64)
    return x


def count_features(documents: Sequence[Sequence[int]], ngram: int) -> list[tuple[int, int]]:
    """(hash, documents it stands in) of all shingles, by hash."""
    return sorted(Counter(x for tokens in documents for x in set(shingle_hashes(tokens, ngram))).items())


def hamming_distances(left: Sequence[int], right: Sequence[int]) -> int:
    """Bits in which the words of two signatures differ."""
    return sum((a ^ b).bit_count() for a, b in zip(left, right, strict=True))


def hamming_pairs(
    signatures: Sequence[Sequence[int]],
    distance: int,
    *,
    defined: Sequence[bool] | None = None,
    scope: Sequence[int] | None = None,
    cap: int = 0,
    references: int = 0,
) -> list[tuple[int, int, int]]:
    """(left, right, distance) of all pairs at most `distance` apart, sorted by right, then left.

    With a cap: equal signatures form groups; each group keeps the first cap + 1 groups before it, a group of more than
    cap members is met in its first one only (its own members meet first ones only), and each signature is paired with
    the first cap of those it meets.
    """
    n = len(signatures)
    codes = scope or [0] * n
    group: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for i, words in enumerate(signatures):
        if defined is None or defined[i]:
            group.setdefault((codes[i], tuple(words)), []).append(i)
    groups = list(group.items())
    near: dict[int, list[int]] = {g: [] for g in range(len(groups))}
    for b, ((code, bits), members) in enumerate(groups):
        before = [
            a
            for a, ((other, others), mine) in enumerate(groups[:b])
            if other == code
            and hamming_distances(others, bits) <= distance
            and (mine[-1] >= references or members[-1] >= references)
        ]
        for a in before[: cap + 1] if cap else before:
            near[b].append(a)
            near[a].append(b)
    out = []
    for g, ((_, bits), members) in enumerate(groups):
        free = not cap or len(members) <= cap
        for x in members:
            met = []
            for other in [g, *near[g]]:
                theirs = groups[other][1]
                met += theirs if free and (not cap or len(theirs) <= cap) else theirs[:1]
            first = sorted(y for y in met if y < x)
            for y in first[:cap] if cap else first:
                if x >= references:
                    out.append((y, x, hamming_distances(signatures[y], bits)))
    return sorted(out, key=lambda p: (p[1], p[0]))
