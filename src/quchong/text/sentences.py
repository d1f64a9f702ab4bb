"""Sentences of Chinese, English and mixed text."""

from __future__ import annotations

import pyarrow as pa

from quchong import kernels


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text: (start, end) in characters, half open, without surrounding white space.

    Terminators are 。！？!? and …, a full stop before white space, and line ends. Closing quotes and brackets belong to
    the sentence. Empty sentences are dropped; the empty text has none. For many texts: `quchong.kernels.text.sentence_places`.
    """
    start, end, _ = kernels.text.sentence_places(pa.array([text], pa.large_string()), 1)
    return list(zip(start.tolist(), end.tolist(), strict=True))
