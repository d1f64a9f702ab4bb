"""Answers too short to be looked for alone, near a question that was found."""

from __future__ import annotations

import re
from itertools import pairwise

import pyarrow as pa

from quchong.engines.contamination.item_parts import WORD, leak_form
from quchong.engines.contamination.number_values import number_values
from quchong.kernels.composing import nfkc
from quchong.kernels.text import tokenise

BEFORE, AFTER = 80, 400
"""Characters before and after a question in which its answer is looked for."""
UNITS = 3
"""Most tokens beside a number that make its unit: 一万五千个 is the number 15,000."""
_SAID = r"(?:答案|正确选项|正确答案|参考答案|故选|应选|选择?|answer|ans)[^\w\n]{0,3}(?:(?:is|为|是|：)[^\w\n]{0,3})?"


def has_answer(text: str, start: int, end: int, answer: str, letter: str) -> bool:
    """Return True if a text has a short answer, or its letter, near the question at text[start:end].

    Args:
        answer: the answer. It must be a word or number of its own, or two Chinese characters or more. A number may be written otherwise.
        letter: of the choice that the answer names: it counts where the text says that it is the answer (答案：B).
    """
    around = text[max(start - BEFORE, 0) : start], text[end : end + AFTER]
    if letter:
        said = nfkc("\n".join(around)).lower()
        return re.search(_SAID + rf"[(（]?{letter.lower()}(?![a-z])", said) is not None
    wanted, *there = _tokens([answer, *around])
    if len(wanted) == 1 and wanted[0] < WORD:  # one Chinese character
        return False
    if any(_contains(one, wanted) for one in there):
        return True
    values = number_values(answer)
    if not values or len(wanted) > UNITS + sum(len(str(value)) for value in values):
        return False
    return any(values <= number_values(one) for one in around)


def _tokens(texts: list[str]) -> list[list[int]]:
    docs = tokenise(leak_form(), pa.array(texts, pa.large_string()), workers=1).docs
    ends = docs.offsets.tolist()
    return [docs.tokens[a:b].tolist() for a, b in pairwise(ends)]


def _contains(tokens: list[int], some: list[int]) -> bool:
    """Return True if the tokens `some`, at least one, occur one after another in `tokens`."""
    return bool(some) and any(tokens[i : i + len(some)] == some for i in range(len(tokens) - len(some) + 1))
