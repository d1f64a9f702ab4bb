"""Articles for the experiments on sentences: generated ones, or given ones with their lines unwrapped."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.text import form
from quchong_lab.web.news import NewsWriter

WRAPPED = 90
"""Characters of the longest line of a text that is taken as wrapped by hand."""
_BROKEN = re.compile(r"(?<=[^\s.!?。！？”\"'])[ \t]*\n(?=\S)")


def written(count: int, seed: int) -> pa.Array:
    """Generate `count` Chinese articles (large_string), one paragraph on each line."""
    writer = NewsWriter(seed)
    texts = []
    for _ in range(count):
        body = writer.fresh().body
        texts.append("\n".join("".join(s.text for s in block.sentences) for block in body))
    return pa.array(texts, pa.large_string())


def unwrapped(texts: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Join the lines of texts that were wrapped by hand; returns large_string, null becomes "".

    A line end normally ends a sentence here. In alphabetic texts whose lines have at most WRAPPED characters, such as newswire, it
    does not: a line is joined to the previous one, unless that one ends a sentence or this one is indented or empty.
    """
    given = [t or "" for t in texts.to_pylist()]
    latin = ~chinese(pa.array(given, pa.large_string()))
    return pa.array(
        [_unwrapped(t) if is_latin else t for t, is_latin in zip(given, latin.tolist(), strict=True)], pa.large_string()
    )


def _unwrapped(text: str) -> str:
    lines = text.split("\n")
    return _BROKEN.sub(" ", text) if len(lines) > 1 and max(map(len, lines)) <= WRAPPED else text


def chinese(texts: pa.Array) -> np.ndarray:
    """Return a mask of the texts in which at least half of the tokens are Chinese characters, as in the default method."""
    docs, singles, *_ = kernels.text.tokenise(form("standard"), texts)
    mask: np.ndarray = (2 * singles.astype(np.int64) >= docs.lengths) & (docs.lengths > 0)
    return mask
