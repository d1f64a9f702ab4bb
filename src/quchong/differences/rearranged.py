"""Texts with the same parts in another order: clauses, lines, or members of JSON objects."""

from __future__ import annotations

import json
import re

import numpy as np

from quchong.differences.edits import token_sums
from quchong.differences.exchange import CLAUSES
from quchong.differences.windows import dictionary_forms
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import distinct
from quchong.seam import Documents

REARRANGED = 150
"""Tokens below which two texts are compared as sets of clauses; in longer texts shingles detect another order."""

_QUOTED = re.compile(
    r"[。！？，、,.!?]*[”\"」][，,]?\s?"
    r"(?=(?:[^，。！？；、,.!?;\n]|(?<=\b[mdps]r)\.|(?<=\bmrs)\.){1,40}(?:说|道|称|表示|said)(?:[，。！？；、,.!?;\n]|$))"
    r"|(?<=\b[mdps]r)\.|(?<=\bmrs)\.|(?:(?<=[说道称])|(?<=表示))[:：，,]\s*[“\"「]"
)
"""Marks between a quotation and who said it, and full stops of titles."""


def rearranged(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, matched: np.ndarray
) -> np.ndarray:
    """Return a mask of the pairs of texts that have the same parts in different order.

    Parts are the clauses of a short text, at least two; the lines of a text of several lines; or all that a text in JSON says.
    """
    n, m = docs.lengths[left], docs.lengths[right]
    out = np.zeros(len(left), bool)
    # Equal lengths and equal token sums are necessary and cheap; texts are split only for the rest.
    at = ((n == m) & (matched < n)).nonzero()[0]
    if not len(at):
        return out
    mine, theirs = (token_sums(docs, docs.offsets[side[at]], docs.offsets[side[at] + 1]) for side in (left, right))
    at = at[mine == theirs]
    some = distinct(np.concatenate([left[at], right[at]])).tolist()
    texts = dict(zip(some, dictionary_forms([documents.texts.text(k) for k in some]), strict=True))
    for k, a, b, size in zip(at.tolist(), left[at].tolist(), right[at].tolist(), n[at].tolist(), strict=True):
        out[k] = same_parts(texts[a], texts[b]) or (size < REARRANGED and _same_clauses(texts[a], texts[b]))
    return out


def _same_clauses(one: str, other: str) -> bool:
    """Return True if two texts have the same clauses, at least two; a quotation and the clause that says whose it is are one."""
    mine, theirs = (sorted(filter(None, CLAUSES.split(_QUOTED.sub("", text)))) for text in (one, other))
    return len(mine) > 1 and mine == theirs


def same_parts(one: str, other: str) -> bool:
    """Return True if two texts have the same lines, at least two, or are JSON that says the same; the order of both is ignored.

    The order within a list of JSON counts.
    """
    mine, theirs = (sorted(filter(None, map(str.strip, text.splitlines()))) for text in (one, other))
    if len(mine) > 1 and mine == theirs:
        return True
    if not all(text.lstrip()[:1] in ("{", "[") for text in (one, other)):
        return False
    try:
        same: bool = json.loads(one) == json.loads(other)
    except (ValueError, RecursionError):  # no JSON after all, or too deep
        return False
    return same
