"""Prices of making one text from another: what a copyist wrote, and where the text was cut.

A copy was most likely made from the version from which it can be described most briefly. Source: Roos 2006 and
Marmerola 2016 for the principle. The prices are this project's own, fitted on chains made with known parents
(tests/quality/made_chains.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import Ragged

PLACE = 2.0
"""Price of a position at which something is changed, in tokens."""
CUT = 0.5
"""Price of an omission for each doubling of its length: omitting much is not much harder than omitting little."""
NEW = 0.9
"""Price of a token of a text without a source; a token that a copyist adds to a copy costs 1.

The lower price makes an excerpt a copy of the whole, instead of the whole an extended excerpt, if times do not
decide.
"""
MOVED = 0.05
"""Price of a token that the source contains at another position."""
LATE = 0.5
"""Price of each doubling of the hours between a source and its copy: mostly new texts are copied."""
ALONE = 24.0
"""Fixed price of a text without a source, added to the price of its tokens."""
TAKEN_OUT = 24.0
"""Fixed price of a text taken out of a roundup or digest, whose articles are the likelier sources of what they have, too."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Prices of each link in both directions, and the tokens matched in the same order.

    `right` is the price of making the right text from the left one, `left` the price of making the left text from the
    right one (float64); `matched` is int64. All have one entry per link.
    """

    right: np.ndarray
    left: np.ndarray
    matched: np.ndarray


def costs(
    docs: Ragged, left: np.ndarray, right: np.ndarray, inside_left: np.ndarray, inside_right: np.ndarray, workers: int | None
) -> Costs:  # fmt: skip
    """Compute the price of every link in both directions.

    Every position that differs costs `PLACE`, every token written there 1, and every doubling of an omission `CUT`. A
    token that the other text contains in another order (`inside_*`, the share of shingles) was not written: it costs
    `MOVED`.

    Args:
        docs: tokens of the texts.
        left, right: the texts of each link, as indices into docs.
        inside_left, inside_right: share of the left text found anywhere in the right one, and of the right text in the left one.
        workers: threads.

    Deterministic. Cost: `quchong.kernels.align.edits`.
    """
    found = kernels.align.edits(docs, left.astype(np.uint32), right.astype(np.uint32), workers=workers)
    link = np.repeat(np.arange(len(left)), np.diff(found.offsets))
    places = found.places.astype(np.int64)
    # tokens of both sides at each position that differs
    a, b = places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]
    n = len(left)
    spots = PLACE * np.bincount(link, minlength=n)
    cut = [CUT * np.bincount(link, np.log2(1.0 + side), n) for side in (a, b)]
    matched = found.matched.astype(np.int64)
    written = []
    for side, inside in ((left, inside_left), (right, inside_right)):
        tokens = docs.lengths[side].astype(np.float64)
        apart = tokens - matched
        # unmatched tokens: new ones, and moved ones that the other text has elsewhere
        new = np.minimum(apart, tokens * (1.0 - inside))
        written.append(new + MOVED * (apart - new))
    return Costs(spots + written[1] + cut[0], spots + written[0] + cut[1], matched)


def late(seconds: np.ndarray, source: np.ndarray, copy: np.ndarray) -> np.ndarray:
    """Return the price of the time between sources and their copies; that of one day if either time is unknown.

    >>> late(np.array([0.0, 3600.0, 7200.0]), np.array([0, 0]), np.array([0, 1])).tolist()
    [0.0, 0.5]
    """
    hours = np.nan_to_num((seconds[copy] - seconds[source]) / 3600.0, nan=24.0)
    price: np.ndarray = LATE * np.log2(1.0 + np.maximum(hours, 0.0))
    return price


def alone(tokens: np.ndarray) -> np.ndarray:
    """Return the price of texts without a source."""
    price: np.ndarray = ALONE + NEW * tokens
    return price
