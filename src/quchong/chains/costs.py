"""What it takes to make one text of another: what a copyist had to write, and where he had to cut.

A copy is likeliest made from the version of which the least has to be said to describe it. Source: Roos 2006 and Marmerola 2016 for the
principle; the prices are ours. They were fitted on chains made with known parents (tests/quality/made_chains.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import Ragged

PLACE = 2.0
"""Price of a place at which something is changed, in tokens."""
CUT = 0.5
"""Price of what is left out there, for each doubling of its length: to leave out much is not much harder than to leave out little."""
NEW = 0.9
"""Price of a token of a text that has no source here; one that a copyist writes into a copy costs 1. It is what makes an excerpt a
copy of the whole, and not the whole an extended excerpt, where times do not tell."""
MOVED = 0.05
"""Price of a token that stands in the source, but elsewhere."""
LATE = 0.5
"""Price of every doubling of the hours between a source and its copy: copies are made of what is new."""
ALONE = 24.0
"""Price of being nobody's copy, beside its tokens."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Price of making the right text of the left one, and the left one of the right one, float64 (links,); and the tokens found in
    both in the same order, int64.
    """

    right: np.ndarray
    left: np.ndarray
    matched: np.ndarray


def costs(
    docs: Ragged, left: np.ndarray, right: np.ndarray, inside_left: np.ndarray, inside_right: np.ndarray, workers: int | None
) -> Costs:  # fmt: skip
    """The price of every link in both directions.

    Every place that differs costs `PLACE`, every token written there 1, and every doubling of what is left out there `CUT`. What
    stands in the other text in another order (`inside_*`, the share of shingles) was not written: such a token costs `MOVED`.

    Args:
        docs: tokens of the texts.
        left, right: links as places in docs.
        inside_left, inside_right: share of the left text found in the right one, and the other way, wherever it stands.
        workers: threads.

    Deterministic. Cost: `quchong.kernels.align.edits`.
    """
    found = kernels.align.edits(docs, left.astype(np.uint32), right.astype(np.uint32), workers=workers)
    link = np.repeat(np.arange(len(left)), np.diff(found.offsets))
    places = found.places.astype(np.int64)
    a, b = places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]
    n = len(left)
    spots = PLACE * np.bincount(link, minlength=n)
    cut = [CUT * np.bincount(link, np.log2(1.0 + side), n) for side in (a, b)]
    matched = found.matched.astype(np.int64)
    written = []
    for side, inside in ((left, inside_left), (right, inside_right)):
        tokens = docs.lengths[side].astype(np.float64)
        apart = tokens - matched
        new = np.minimum(apart, tokens * (1.0 - inside))
        written.append(new + MOVED * (apart - new))
    return Costs(spots + written[1] + cut[0], spots + written[0] + cut[1], matched)


def late(seconds: np.ndarray, source: np.ndarray, copy: np.ndarray) -> np.ndarray:
    """Price of the time between sources and their copies; of a day where either is unknown.

    >>> late(np.array([0.0, 3600.0, 7200.0]), np.array([0, 0]), np.array([0, 1])).tolist()
    [0.0, 0.5]
    """
    hours = np.nan_to_num((seconds[copy] - seconds[source]) / 3600.0, nan=24.0)
    price: np.ndarray = LATE * np.log2(1.0 + np.maximum(hours, 0.0))
    return price


def alone(tokens: np.ndarray) -> np.ndarray:
    """Price of a text that is nobody's copy."""
    price: np.ndarray = ALONE + NEW * tokens
    return price
