"""How far what states a fact reaches beyond a difference: 5 belongs to 3月5日, 省 to 省委书记."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from quchong.differences.figures import mentions
from quchong.differences.meaning import words_at
from quchong.differences.names import names
from quchong.differences.windows import Window
from quchong.tables import DIFFERENCES

_STATED = ("figure", "date", "code")
_LISTS = {
    "place": "places",
    "organisation": "bodies",
    "title words": "titles",
    "opposite": "opposites",
    "date": "opposites",
}
_NAMES = ("person", "place", "organisation")
WHOLE = [DIFFERENCES.index(kind) for kind in dict.fromkeys((*_STATED, *_LISTS, *_NAMES))]
"""Kinds of differences that are told with the whole figure, word or name."""


def extents(windows: Sequence[Window], sides: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Characters before and behind the stretches that belong to what is stated there, int64 (n, 2).

    `sides` (n, 2) are the windows of every difference, left and right, `kinds` what it is.
    """
    told = [DIFFERENCES[kind] for kind in kinds.tolist()]
    named = np.unique(sides[[kind in _NAMES for kind in told]])
    known = dict(zip(named.tolist(), names([windows[k] for k in named.tolist()]), strict=True))
    out = np.zeros((len(sides), 2), np.int64)
    for n, (kind, both) in enumerate(zip(told, sides.tolist(), strict=True)):
        for k in both:
            spans = _spans(windows[k], kind, known.get(k, {}).get(kind, ()))
            for first, last in spans:
                out[n] = np.maximum(out[n], (windows[k].start - first, last - windows[k].end))
    return out


def _spans(window: Window, kind: str, called: Iterable[str]) -> list[tuple[int, int]]:
    """Where the figures, words and names of a kind stand that the stretch has a part in."""
    found = [(m.start, m.end) for m in mentions(window.text) if m.kind == kind] if kind in _STATED else []
    for word in (*called, *words_at(window).get(_LISTS.get(kind, ""), ())):
        first = window.text.find(word, max(0, window.start - len(word)))
        found.append((first, first + len(word)))
    return [span for span in found if span[0] >= 0 and window.touches(*span)]
