"""Sentences of Chinese, English and mixed text."""

from __future__ import annotations

import re

_END = re.compile(
    r"[。！？!?…]+[”’』」）)\]】》\"']*"  # terminators, with the quotes and brackets that close behind them
    r"|\.[”’\"')\]]*(?=\s|$)"  # a full stop before white space, with what closes behind it; not within 3.5
    r"|\n+"
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand: (start, end) in characters, half open, white space around them left out.

    Terminators are 。！？!? and …, a full stop before white space, and line ends. Closing quotes and brackets belong to
    the sentence. Empty sentences are dropped; the empty text has none.
    """
    out: list[tuple[int, int]] = []
    start = 0
    for end in [*(m.end() for m in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        inner = piece.strip()
        if inner:
            at = start + piece.index(inner[0])
            out.append((at, at + len(inner)))
        start = max(start, end)
    return out
