"""Calls of kernels with valid arguments, and what their makers share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from dice import Dice, ragged_of

from quchong import kernels
from quchong.kernels.arrays import FeatureSets, Names, Ragged
from quchong.kernels.text import Form
from quchong.text import form

FEW = 2000
"""Elements of arguments beyond which no twin is asked."""


class Call(NamedTuple):
    """A kernel, valid arguments for it, and what says whether its answer is right: (answer) -> whether."""

    function: Callable[..., Any]
    arguments: dict[str, Any]
    right: Callable[[Any], bool] | None = None
    largest: int = 2**70
    variants: int = 14
    """Whole numbers between this and 2**60 are not asked for: memory would run out before anything else is learnt. `variants`
    are inputs made of these arguments: as they are, and broken in different ways."""


KERNELS: dict[str, Callable[[Dice], Call]] = {}


def kernel(make: Callable[[Dice], Call]) -> Callable[[Dice], Call]:
    """Enters a maker under the name of its function."""
    KERNELS[make.__name__] = make
    return make


@cache
def forms() -> list[Form]:
    """All forms there are."""
    return [form(n, t) for n in ("standard", "plain") for t in ("auto", "char")]


@cache
def idf() -> Any:
    """Some weights."""
    return kernels.sketch.feature_weights(np.arange(50, dtype=np.uint64), np.arange(50, dtype=np.uint32), 7)


def parts(flat: Any, offsets: Any) -> list[list[Any]]:
    """A ragged array as lists."""
    values = flat.tolist()
    return [values[a:b] for a, b in pairwise(offsets.tolist())]


def docs_of(docs: Ragged | Names) -> list[list[int]]:
    """Documents as lists."""
    return parts(docs.tokens, docs.offsets)


def each_pair(left: Any, right: Any) -> list[tuple[int, int]]:
    """Pairs as tuples."""
    return list(zip(left.tolist(), right.tolist(), strict=True))


def bags_of(sets: FeatureSets) -> list[dict[int, int]]:
    """Sets as mappings."""
    return [
        dict(zip(v, w, strict=True))
        for v, w in zip(parts(sets.values, sets.offsets), parts(sets.weights, sets.offsets), strict=True)
    ]


def feature_bags(d: Dice) -> FeatureSets:
    """Sets, weighted or not."""
    return kernels.sets.feature_sets(*ragged_of(d.bags(), np.uint64), weighted=d.random() < 0.5, workers=1)


def codes(d: Dice, n: int) -> np.ndarray | None:
    """Scopes, or none."""
    return None if d.random() < 0.5 else np.array(d.choices((0, 1), k=n), np.uint64)


def scope_list(scope: Any, n: int) -> list[int]:
    """Scopes as numbers."""
    return [0] * n if scope is None else scope.tolist()


def marks(d: Dice, n: int) -> np.ndarray | None:
    """A mask, or none."""
    return None if d.random() < 0.5 else np.array(d.choices((0, 1), k=n), np.uint8)


def with_pairs(function: Callable[..., Any], d: Dice, twin: Callable[..., Any], **more: Any) -> Call:
    """A kernel on documents and pairs whose twin takes two documents."""
    docs = d.ragged()
    left, right = d.pairs(len(docs.offsets) - 1)
    lists = docs_of(docs)

    def right_one(out: Any) -> bool:
        wanted = [twin(lists[a], lists[b], *more.values()) for a, b in each_pair(left, right)]
        got = [tuple(x) if isinstance(x, list) else x for x in out.tolist()]
        return got == [w if isinstance(w, tuple) else int(w) for w in wanted]

    return Call(function, {"docs": docs, "left": left, "right": right, **more}, right_one)
