"""Extension of a difference to the whole fact it is part of: 5 to 3月5日, 省 to 省委书记."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from quchong.differences.figures import clear_before, mentions
from quchong.differences.framed import firm_in_frame, person_in_frame
from quchong.differences.meaning import words_at
from quchong.differences.names import names
from quchong.differences.terms import whole_terms
from quchong.differences.windows import Window
from quchong.tables import DIFFERENCES

_STATED = ("figure", "date", "code")
_LISTS = {
    "place": "places",
    "organisation": "bodies",
    "title words": "titles",
    "opposite": "opposites",
    "modality": "opposites",
    "person": "opposites",
    "date": "opposites",
}
_NAMES = ("person", "place", "organisation")
WHOLE = [DIFFERENCES.index(kind) for kind in dict.fromkeys((*_STATED, *_LISTS, *_NAMES, "term"))]
"""Kinds of differences that are reported with the whole figure, word or name."""


def extents(windows: Sequence[Window], sides: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Return how many characters before and after each differing text belong to the fact it states, int64 (n, 2).

    `sides` (n, 2) holds the window numbers of every difference, left and right; `kinds` its kind.
    """
    told = [DIFFERENCES[kind] for kind in kinds.tolist()]
    # The tagger is slow: ask it once for each window with a name, not for each difference.
    named = np.unique(sides[[kind in _NAMES for kind in told]])
    known = dict(zip(named.tolist(), names([windows[k] for k in named.tolist()]), strict=True))
    # Words are cut once for all windows of another term.
    worded = np.unique(sides[[kind == "term" for kind in told]])
    cut = dict(zip(worded.tolist(), whole_terms([windows[k] for k in worded.tolist()]), strict=True))
    out = np.zeros((len(sides), 2), np.int64)
    for n, (kind, both) in enumerate(zip(told, sides.tolist(), strict=True)):
        for k in both:
            spans = [cut[k]] if kind == "term" else _spans(windows[k], kind, known.get(k, {}).get(kind, ()))
            for first, last in spans:
                # Take the widest fact of both sides, so that both are extended alike.
                out[n] = np.maximum(out[n], (windows[k].start - first, last - windows[k].end))
    return out


def _spans(window: Window, kind: str, called: Iterable[str]) -> list[tuple[int, int]]:
    """Return the spans of those figures, words and names of a kind that overlap the differing text."""
    found = []
    if kind in _STATED:
        # The same search as for the contradiction, which is remembered.
        stated = mentions(window.text, window.end, clear_before(window.text, window.start))
        found = [(m.start, m.end) for m in stated if m.kind == kind]
    framed = {"person": person_in_frame, "organisation": firm_in_frame}.get(kind)
    if framed is not None and (name := framed(window)) is not None:
        called = (*called, name)
    listed = words_at(window).get(_LISTS[kind], ()) if kind in _LISTS else ()
    for word in (*called, *listed):
        first = window.text.find(word, max(0, window.start - len(word)))
        found.append((first, first + len(word)))
    return [span for span in found if span[0] >= 0 and window.touches(*span)]
