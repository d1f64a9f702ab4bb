"""Search for the passages that two texts share, with offsets in the original texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from quchong.kernels.align import AlignOptions, align_tokens
from quchong.kernels.arrays import Texts, texts_of
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Form, tokenise
from quchong.seam import Spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from quchong.kernels.arrays import AnyTexts

    Ints = NDArray[np.integer[Any]]

LEAST_CHARACTERS, LEAST_SINGLES = 100, 30
"""Least characters of a passage: in general, and if most of its tokens are single characters (Chinese)."""


def align(
    form: Form,
    texts: AnyTexts,
    left: Ints,
    right: Ints,
    *,
    min_chars: int | None = None,
    options: AlignOptions | None = None,
    workers: int | None = None,
) -> Spans:
    """Return the passages that the texts left[i] and right[i] share, for every i.

    Copied and reworked passages are found: equal stretches over small gaps, and words replaced, inserted, left out or shuffled. A passage
    begins and ends with tokens both texts have; punctuation beyond them is not part of it. No passage of a pair is inside another on both
    sides, but two may overlap, for example if a passage occurs twice in one of the texts. Empty texts share nothing. Deterministic, for any
    number of threads. Swapping left and right gives the same passages, except for ties between equally good cuts.

    Args:
        form: the normal form in which texts are compared (quchong.text.form). It defines a token: with "auto" a word, or one character of a
            script without spaces.
        texts: large_string without nulls, prepared (quchong.text.Preparer); `left` and `right` are places in it.
        min_chars: least characters of a passage on both sides, counted in the original texts. None: 100; 30 if most of its tokens on both
            sides are single characters.
        options: what counts as shared, see `AlignOptions`; None: its defaults, tuned on English and read on Chinese. By
            these a passage has 24 matched tokens at least, or an equal stretch of 10, however low `min_chars` is.
        workers: threads; None for all processors. Pairs are distributed over threads, and one pair is never divided.

    Cost: 10,000 tokens a side take about 10 milliseconds, 300,000 half a second; see `quchong.kernels.align.align_tokens` for
    what is bounded on repetitive texts. Every text named is tokenised once: 12 bytes a token for all of them together.

    Source: Potthast 2013 for the three phases seeding, extension and filtering. The steps themselves are ours: docs/decisions/0029.

    Raises:
        ValueError: a pair names a text beyond those given, min_chars is below 1, or an option is out of range.
    """
    if min_chars is not None and min_chars < 1:
        raise ValueError(f"min_chars must be at least 1, got {min_chars}")
    view = texts if isinstance(texts, Texts) else texts_of([texts])
    x, y = np.asarray(left, np.int64), np.asarray(right, np.int64)
    if len(x) != len(y):
        raise ValueError(f"left and right differ in length: {len(x)} and {len(y)}")
    named, index = np.unique(np.concatenate([x, y]), return_inverse=True)
    if len(named) and not 0 <= named[0] <= named[-1] < len(view):
        raise ValueError(f"a pair names a text beyond the {len(view)} given")
    read = tokenise(form, view.take(named), places=True, workers=workers)
    a, b = index[: len(x)], index[len(x) :]
    found = align_tokens(read.docs, a, b, options, workers)
    pair = np.repeat(np.arange(len(x)), np.diff(found.offsets))
    base = np.stack([read.docs.offsets[a[pair]], read.docs.offsets[b[pair]]], 1)
    first, last = base + found.spans[:, [0, 2]], base + found.spans[:, [1, 3]]
    places = np.empty((len(pair), 4), np.int64)
    places[:, [0, 2]], places[:, [1, 3]] = read.start[first], read.end[last - 1]
    least = np.full(len(pair), min_chars or LEAST_CHARACTERS)
    if min_chars is None:
        singles = prefix_sums(read.docs.tokens < 2**31)
        mostly = 2 * (singles[last] - singles[first]) > last - first
        least[mostly.all(1)] = LEAST_SINGLES
    kept = (places[:, 1] - places[:, 0] >= least) & (places[:, 3] - places[:, 2] >= least)
    counts = np.bincount(pair[kept], minlength=len(x))
    return Spans(prefix_sums(counts), places[kept], found.exact[kept] == 1)
