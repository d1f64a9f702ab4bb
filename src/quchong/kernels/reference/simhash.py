"""SimHash: Charikar 2002; Manku 2007."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from quchong.kernels.reference.hashing import M64, mix64, shingle_hashes

SECOND_WORD = 0x5851F42D4C957F2D
WEIGHT_FLOOR = 64


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
