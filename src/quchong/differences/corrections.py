"""Corrections: of two versions one says that it corrects the other, so that another word in it is meant."""

from __future__ import annotations

import re

import numpy as np

from quchong.differences.edits import Edits
from quchong.kernels.sorting import distinct
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

_NOTE = lazy_pattern(
    r"\bcorrects\b[^.]{0,80}?\b(?:to|from|in|of|paragraph|para|headline|spelling|name|figure|reference)\b|\(corrected\)|\bcorrection\s?[-–—:]"
    r"|\bcorrected (?:version|copy)\b|更正[：:]|[（(]更正[)）]|[特现]此?更正|更正启事|勘误",
    re.IGNORECASE,
)
"""Notes by which a text says that it corrects an earlier version."""


_HINTS = ("orrect", "ORRECT", "更正", "勘误")
"""Letters without which a text has no such note."""
FEW = 4
"""Most replaced words of a pair: a correction changes little."""


def corrected(documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, term: np.ndarray) -> np.ndarray:
    """Return a mask of the replaced words in `term` that are in a pair of which exactly one text says that it is a correction.

    An editor who puts one word for another does not say so; who corrects a text replaces what was wrong: lead for zinc.

    Cost: both texts of each pair with FEW replaced words at most are searched for a few letters, each text once.
    """
    out = np.zeros(len(edits.pair), bool)
    counts = np.bincount(edits.pair[term], minlength=len(left))
    pairs = np.flatnonzero((counts > 0) & (counts <= FEW))
    if not len(pairs):
        return out
    notes = {k: _notes(documents.texts.text(k)) for k in distinct(np.concatenate([left[pairs], right[pairs]])).tolist()}
    apart = [pair for pair in pairs.tolist() if notes[int(left[pair])] != notes[int(right[pair])]]
    if apart:
        out = term & np.isin(edits.pair, apart)
    return out


def _notes(text: str) -> int:
    """Return the number of notes of a text by which it corrects an earlier version."""
    return len(_NOTE.findall(text)) if any(hint in text for hint in _HINTS) else 0
