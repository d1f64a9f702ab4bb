"""Texts with the same parts in another order: clauses, lines, or members of JSON objects."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np

from quchong.differences.edits import token_sums
from quchong.differences.exchange import CLAUSES
from quchong.differences.windows import dictionary_forms
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import distinct
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

REARRANGED = 150
"""Tokens below which two texts are compared as sets of clauses; in longer texts shingles detect another order."""

_QUOTED = lazy_pattern(
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
    texts = {k: documents.texts.text(k) for k in some}
    sides = [(texts[a], texts[b]) for a, b in zip(left[at].tolist(), right[at].tolist(), strict=True)]
    # Of longer texts only the lines are compared, and of these only the ones that are not common to both need another form.
    brief = (n[at] < REARRANGED).tolist()
    whole = [short or not any(map(_PLAINLY.match, both)) for short, both in zip(brief, sides, strict=True)]
    compared = [both if every else _without_common_lines(*both) for every, both in zip(whole, sides, strict=True)]
    forms = dictionary_forms([text for both in compared for text in both])
    told = zip(at.tolist(), brief, whole, sides, forms[::2], forms[1::2], strict=True)
    for k, short, every, (one, _), x, y in told:
        if every:
            out[k] = same_parts(x, y) or (short and _same_clauses(x, y))
        else:
            out[k] = _lines(x) == _lines(y) and len(_lines(one.replace("\x00", " "))) > 1
    return out


_PLAINLY = lazy_pattern(r"\s*[0-9A-Za-z\u3400-\u9fff]")
"""Beginning of a text that is no JSON in any form of its characters."""


def _without_common_lines(one: str, other: str) -> tuple[str, str]:
    """Return both texts without the lines that they have in common; of a repeated line only the surplus stays."""
    mine, theirs = (Counter(text.split("\n")) for text in (one, other))
    return "\n".join((mine - theirs).elements()), "\n".join((theirs - mine).elements())


def _lines(text: str) -> list[str]:
    """Return the lines of a text that are not blank, sorted."""
    return sorted(filter(None, map(str.strip, text.splitlines())))


def _same_clauses(one: str, other: str) -> bool:
    """Return True if two texts have the same clauses, at least two; a quotation and the clause that says whose it is are one."""
    mine, theirs = (sorted(filter(None, CLAUSES.split(_QUOTED.sub("", text)))) for text in (one, other))
    return len(mine) > 1 and mine == theirs


def same_parts(one: str, other: str) -> bool:
    """Return True if two texts have the same lines, at least two, or are JSON that says the same; the order of both is ignored.

    The order within a list of JSON counts.
    """
    mine, theirs = _lines(one), _lines(other)
    if len(mine) > 1 and mine == theirs:
        return True
    if not all(text.lstrip()[:1] in ("{", "[") for text in (one, other)):
        return False
    try:
        same: bool = json.loads(one) == json.loads(other)
    except (ValueError, RecursionError):  # no JSON after all, or too deep
        return False
    return same


def has_lines(one: str, other: str) -> bool:
    r"""Return True if one of two texts has all lines of the other one, at least two, in any order.

    Example:
        >>> has_lines("1 x lamp\n2 x tent", "2 x tent\n1 x lamp\n(from our own desk)")
        True
        >>> has_lines("1 x lamp\n2 x tent", "2 x lamp\n1 x tent")
        False
    """
    fewer, more = sorted((_lines(one), _lines(other)), key=len)
    return len(fewer) > 1 and not Counter(fewer) - Counter(more)
