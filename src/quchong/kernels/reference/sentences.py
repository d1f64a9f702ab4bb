"""Where the sentences of a text stand: the one definition there is."""

from __future__ import annotations

import re

_END = re.compile(
    r"[。！？!?…]+[”’』」）)\]】》\"']*"  # terminators, with the quotes and brackets that close behind them
    r"|\.[”’\"')\]]*(?=\s|$)"  # a full stop before white space, with what closes behind it; not within 3.5
    r"|\n+"
)


def sentence_places(text: str) -> list[tuple[int, int]]:
    """See `quchong.text.sentences`."""
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
