"""Lists with the same parts in another order, which has no meaning: 老张和老王, Mr Smith and Mr Jones."""

from __future__ import annotations

import numpy as np

from quchong.differences.edits import Edits
from quchong.differences.exchange import CLAUSES, IN_TURN, LINKS, PART
from quchong.differences.stretches import Stretches
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

_JOINING = tuple(link for link in LINKS if link not in ("to", "跟", "同"))
"""Words that link items of equal rank, such as "and"."""
_AFFIX = 12
"""Most characters that both parts of a list have in common at their beginnings or ends: 老, 女士, Professor."""
_TITLE = lazy_pattern(r"\b(?:Dr|Mr|Mrs|Ms|St|Prof|Gen|Sen|Rep|Col|Capt)\.")
"""Titles whose point ends no clause."""
_FIGURED = lazy_pattern("[0-9零〇一二两三四五六七八九十百千万亿]")
"""Beginning of a part of a list that is a figure, whose order is left to other rules."""
_LINKED = lazy_pattern(
    rf"\s?(?:\b(?:{'|'.join(w for w in _JOINING if w.isascii())})\b|{'|'.join(w for w in _JOINING if not w.isascii())}|、)\s?"
)
_LONGEST = (PART, 2 * PART)
"""Most characters of a part of a list, in Chinese and in Latin letters."""
_BEHIND, _SENTENCE_END = 60, lazy_pattern(r"[。！？!?\n]|\.\s")
"""Most characters behind a list in which a word tells that its order has a meaning, and the end of its sentence."""


def listed_anew(
    documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, stretches: Stretches, apart: np.ndarray
) -> np.ndarray:
    """Return a mask of the differences that are two parts of a list in another order, which changes no fact: 老张和老王, 老王和老张.

    Args:
        apart: bool, the differences that are to be looked at; the other part is the difference before or behind.
    """
    out = np.zeros(len(edits.pair), bool)
    for k in np.flatnonzero(apart).tolist():
        for first, second in ((k - 1, k), (k, k), (k, k + 1)):
            if first < 0 or second == len(out) or edits.pair[first] != edits.pair[second]:
                continue
            pair = int(edits.pair[k])
            a, _, c, _ = stretches.places[first].tolist()
            _, b, _, d = stretches.places[second].tolist()
            if max(b - a, d - c) > 4 * PART:
                continue
            texts = documents.texts.text(int(left[pair])), documents.texts.text(int(right[pair]))
            sides = [text[max(0, i - _AFFIX) : j + _AFFIX] for text, i, j in zip(texts, (a, c), (b, d), strict=True)]
            if not IN_TURN.search(_SENTENCE_END.split(texts[0][b : b + _BEHIND], 1)[0]) and _same_list(*sides):
                out[[first, second]] = True
    return out


def _same_list(one: str, other: str) -> bool:
    """Return True if two texts are the same but for two neighbouring parts with a linking word between them, which changed places."""
    for link in _LINKED.finditer(one):
        before, behind = one[: link.start()], one[link.end() :]
        for first in range(len(before) - 1, -1, -1):
            part = before[first:]
            if not part[0].isalnum() or (part[0].isascii() and before[first - 1 : first].isalpha()):
                continue  # within a word, or at a mark
            if CLAUSES.search(_TITLE.sub("", part)) or len(part) > _LONGEST[part.isascii()]:
                break
            head = before[:first]
            for last in range(1, len(behind) + 1):
                if CLAUSES.search(_TITLE.sub("", behind[:last])) or last > _LONGEST[behind[:last].isascii()]:
                    break
                if _FIGURED.match(part) or _FIGURED.match(behind):
                    continue
                if other == head + behind[:last] + link.group() + part + behind[last:]:
                    return True
    return False
