"""Corrections: of two versions one says that it corrects the other, so that another word in it is meant."""

from __future__ import annotations

import re

import numpy as np

from quchong.differences.edits import Edits
from quchong.kernels.sorting import distinct
from quchong.seam import Documents

_NOTE = re.compile(
    r"\bcorrects\b[^.]{0,80}?\b(?:to|from|in|of|paragraph|para|headline|spelling|name|figure|reference)\b|\(corrected\)|\bcorrection\s?[-–—:]"
    r"|\bcorrected (?:version|copy)\b|更正[：:]|[（(]更正[)）]|[特现]此?更正|更正启事|勘误",
    re.IGNORECASE,
)
"""Notes by which a text says that it corrects an earlier version."""


def corrected(documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, term: np.ndarray) -> np.ndarray:
    """Return those of the replaced words `term`, as a mask, that are in a pair of which one text alone says that it is a correction.

    An editor who puts one word for another does not say so; who corrects a text replaces what was wrong: lead for zinc.

    Cost: both texts of each pair that has a replaced word are searched once.
    """
    out = np.zeros(len(edits.pair), bool)
    at = np.flatnonzero(term)
    for pair in distinct(edits.pair[at]).tolist():
        notes = [len(_NOTE.findall(documents.texts.text(int(side[pair])))) for side in (left, right)]
        if notes[0] != notes[1]:
            out |= term & (edits.pair == pair)
    return out
