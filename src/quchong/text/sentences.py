"""Sentences of Chinese, English and mixed text."""

from __future__ import annotations

from quchong.kernels.reference.sentences import sentence_places


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand: (start, end) in characters, half open, white space around them left out.

    Terminators are 。！？!? and …, a full stop before white space, and line ends. Closing quotes and brackets belong to
    the sentence. Empty sentences are dropped; the empty text has none. For many texts: `quchong.kernels.sentence_places`.
    """
    return sentence_places(text)
