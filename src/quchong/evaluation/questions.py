"""Selection of the pairs that a person should label: those whose decision depends on the threshold."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping

import numpy as np

from quchong.evaluation.claims import Claims
from quchong.evaluation.sweep import Sweep
from quchong.kernels.graph import components
from quchong.relation_codes import EQUALS


def nearest(swept: Sweep, value: float | None, known: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return pairs of ids on which the swept values disagree, those that change nearest to `value` first.

    Args:
        value: the recommended value; None (the method's own choice) uses the swept number that finds about as many pairs.
        known: pairs of ids, lesser id first, that have an answer already.

    Returns:
        Pairs of ids, lesser id first. Pairs that change at the same value are ordered by a digest of their ids. One
            pair answers for all exact copies: a pair is left out if a pair with the same two texts is known or listed
            already.
    """
    values = swept.values
    found = [_claimed_keys(swept, v) for v in values]
    ids = swept.claims[swept.tunable.own].ids
    n = len(ids)
    keys, times = np.unique(np.concatenate([*found, np.zeros(0, np.int64)]), return_counts=True)
    # a pair that every value finds is in no doubt
    some = times < len(values)
    keys, times = keys[some], times[some]
    if not len(keys):
        return []
    rising = len(found[-1]) > len(found[0])  # higher values find more
    flips = np.array(values)[np.where(rising, len(values) - times, times - 1)]  # the last value that finds it
    at = _as_number(swept, found) if value is None else value
    pairs = [(ids[k // n], ids[k % n]) for k in keys.tolist()]
    pairs = [(a, b) if a < b else (b, a) for a, b in pairs]
    order = sorted(range(len(pairs)), key=lambda i: (abs(float(flips[i]) - at), _digest(pairs[i])))
    # of pairs with the same two texts ask one only
    text = _texts(swept.claims[swept.tunable.own])
    answered = {_of_texts(text, a, b) for a, b in known if a in text and b in text}
    out = []
    for pair in (pairs[i] for i in order):
        if (same := _of_texts(text, *pair)) not in answered:
            answered.add(same)
            out.append(pair)
    return out


def _texts(claims: Claims) -> dict[str, int]:
    """Return a number for the text of each id, equal for exact copies."""
    exact = EQUALS[claims.relation]
    found = components(len(claims.ids), claims.left[exact], claims.right[exact])
    return dict(zip(claims.ids, found.tolist(), strict=True))


def _of_texts(text: Mapping[str, int], a: str, b: str) -> tuple[int, int]:
    one, other = text[a], text[b]
    return min(one, other), max(one, other)


def _claimed_keys(swept: Sweep, value: float | None) -> np.ndarray:
    claims = swept.claims[value]
    mine = np.isin(claims.relation, claims.accepted)
    keys: np.ndarray = claims.left[mine] * len(claims.ids) + claims.right[mine]
    return keys


def _as_number(swept: Sweep, found: list[np.ndarray]) -> float:
    own = len(_claimed_keys(swept, None))
    return min(zip(swept.values, found, strict=True), key=lambda one: (abs(len(one[1]) - own), one[0]))[0]


def _digest(pair: tuple[str, str]) -> bytes:
    return hashlib.blake2b("\0".join(pair).encode("utf-8", "surrogatepass"), digest_size=8).digest()
