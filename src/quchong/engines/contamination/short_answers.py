"""Answers too short to be looked for alone, near a question that was found."""

from __future__ import annotations

import re

from quchong.kernels.composing import nfkc

BEFORE, AFTER = 80, 400
"""Characters before and after a question in which its answer is looked for."""
_SAID = r"(?:答案|正确选项|正确答案|参考答案|故选|应选|选择?|answer|ans)[^\w\n]{0,3}(?:(?:is|为|是|：)[^\w\n]{0,3})?"


def has_answer(text: str, start: int, end: int, answer: str, letter: str) -> bool:
    """Return True if a text has a short answer near the question from `start` to `end`.

    Args:
        answer: the answer. It must be a word or number of its own, or two Chinese characters or more.
        letter: of the choice that the answer names: it counts where the text says that it is the answer (答案：B).
    """
    around = nfkc(text[max(start - BEFORE, 0) : start] + "\n" + text[end : end + AFTER]).lower()
    if letter:
        return re.search(_SAID + rf"[(（]?{letter.lower()}(?![a-z])", around) is not None
    wanted = " ".join(nfkc(answer).lower().split())
    letters = [c for c in wanted if c.isalnum()]
    if not letters or (len(letters) < 2 and not wanted.isdigit()):
        return False
    pattern = r"\s+".join(map(re.escape, wanted.split()))
    left = r"(?<![0-9a-z.])" if wanted[0].isascii() else ""
    right = r"(?![0-9a-z])" if wanted[-1].isascii() else ""
    return re.search(left + pattern + right, around) is not None
