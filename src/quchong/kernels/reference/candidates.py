"""Signatures, bands and the join of equal keys."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from quchong.kernels.reference.hashing import GOLDEN, M32, M64, mix64, sequence_hash, shingle_hashes

EMPTY = M32


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


def join_keys(
    keys: Sequence[Sequence[int]],
    *,
    size: Sequence[int] | None = None,
    window: Sequence[int] | None = None,
    time: Sequence[float] | None = None,
    cap: int = 64,
    min_shared: int = 1,
    share: float = 0.0,
    most: int = 0,
    references: int = 0,
    within: float | None = None,
) -> list[tuple[int, int, int]]:
    """(left, right, shared keys) of all candidates, sorted by right, then left."""
    lists: dict[int, list[int]] = {}
    for d, own in enumerate(keys):
        for k in set(own):
            lists.setdefault(k, []).append(d)
    out = []
    for d, own in enumerate(keys):
        met: Counter[int] = Counter()
        for k in set(own):
            before = [x for x in lists[k] if x < d]
            known = [x for x in before if x < references]
            others = [x for x in before if x >= references]
            if d < references:
                continue
            if within is not None and time is not None:
                others = [x for x in others if time[x] >= time[d] - within]
            met.update(known[:cap] + others[:cap])
        found: list[tuple[int, int]] = []
        for x, shared in sorted(met.items()):
            least = float(min_shared)
            if share > 0 and size is not None and window is not None:
                mine, other = (size[k] * (len(set(keys[k])) / len(keys[k])) for k in (d, x))
                expected = min(mine, other) * 2.0 / (max(window[x], window[d]) + 1.0)
                least = max(least, math.ceil(share * expected - 1e-9))
            if within is not None and time is not None and abs(time[d] - time[x]) > within:
                continue
            if shared >= least:
                found.append((x, shared))
        among = [f for f in found if f[0] < references]
        beyond = [f for f in found if f[0] >= references]
        out += [(x, d, shared) for x, shared in _most(among, most) + _most(beyond, most)]
    return out


def _most(found: list[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """At most so many of one document's candidates: half the first in order, half those that share most keys."""
    if not most or len(found) <= most:
        return found
    first = (most + 1) // 2
    nearest = sorted(found[first:], key=lambda f: (-f[1], f[0]))[: most - first]
    return found[:first] + sorted(nearest)
