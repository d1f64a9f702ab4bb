"""Two parts of a sentence that changed places: who won, and against whom."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from quchong.differences.edits import Edits, token_sums
from quchong.differences.latin_words import STOP, generic, words_between
from quchong.differences.stretches import Stretches
from quchong.differences.synonyms import are_synonyms
from quchong.differences.windows import dictionary_forms
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import among
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

SENTENCE, PART, BRIEF = 24, 16, 150
"""Most tokens between two stretches that changed places in one sentence; most characters of such a stretch; tokens of a text below which
two separate differences are compared with each other.
"""
CLAUSES = lazy_pattern(r"[\n，。！？；：、,.!?;:…“”\"'（）()【】\[\]#]+|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
"""Marks and spaces that separate clauses."""
LINKS = (
    "和", "与", "及", "或", "跟", "同", "以及", "或者", "and", "or", "nor", "to", "met", "meets", "married", "marries",
)  # fmt: skip
"""Words between two parts whose order has no meaning."""
_HAN = lazy_pattern("[\u3400-\u9fff]+")
IN_TURN = lazy_pattern("分别|依次|先后|前者|后者|respectively|the former|the latter|in turn")
"""Words behind a list whose order has a meaning."""
_FROM = lazy_pattern(r"\bfrom\s+(?:the\s+)?$", re.IGNORECASE)
"""The word "from" before two parts, which makes a direction of "to" between them."""


def exchanged(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, stretches: Stretches
) -> np.ndarray:
    """Return a mask of the differences that are two parts of a sentence in exchanged places.

    The parts are the two ends of one difference, or two differences. Two differences are compared only in texts below BRIEF tokens, because
    in longer ones words change places with their synonyms by chance; and in any text, if both are Chinese words of one
    clause, or a verb of speech is behind both.
    """
    out = np.zeros(len(edits.pair), bool)
    replaced = ((edits.a > 0) & (edits.b > 0)).nonzero()[0]
    if not len(replaced):
        return out
    offset = docs.offsets[left[edits.pair]], docs.offsets[right[edits.pair]]
    # (1) One difference whose two ends changed places: both sides have the same tokens, which their sums test cheaply.
    alike = replaced[(edits.a[replaced] == edits.b[replaced]) & (edits.a[replaced] > 2)]
    alike = alike[np.equal(*_sums(docs, edits, offset, alike))] if len(alike) else alike
    written = stretches.written(alike)
    out[alike] = [
        turned(x, y)
        or names_turned(x, y)
        or _turned_in_text(
            documents.texts.text(int(left[edits.pair[k]])),
            int(stretches.places[k, 0]),
            int(stretches.places[k, 1]),
            x,
            y,
        )
        for k, x, y in zip(alike.tolist(), *written, strict=True)
    ]
    # (2) Two differences, each of which inserts what the other removes; only in brief texts, see above.
    of_pair = edits.pair[replaced]
    if not np.count_nonzero(of_pair[1:] == of_pair[:-1]):
        return out
    brief = (np.maximum(docs.lengths[left], docs.lengths[right]) < BRIEF)[edits.pair]
    some = [_mirrored(docs, replaced, edits, offset, stretches)]
    crossing = replaced[brief[replaced]]
    if len(crossing) > 1:
        crossing = crossing[_answered(edits.pair[crossing], *_sums(docs, edits, offset, crossing))]
        some.append(_swapped_pairs(crossing, edits, stretches))
    # Verify each pair of differences by its letters, and require short parts within one clause.
    for first, second in {pair for pairs in some for pair in pairs}:
        one, two = _core_at(stretches, first), _core_at(stretches, second)
        if (one.left, one.right) != (two.right, two.left) or not one.left or not one.right:
            continue
        if max(len(one.left), len(one.right)) <= PART and not CLAUSES.search(one.left + one.right):
            text = documents.texts.text(int(left[edits.pair[first]]))
            if are_synonyms(one.left, one.right):
                continue
            if not brief[first] and not (
                _in_one_clause(text, one, two) or all(_SPEAKS.match(text, at) for at in (one.end, two.end))
            ):
                continue
            # Parts joined by a linking word may be listed in either order: 甲和乙 is 乙和甲.
            ordered = _goes_from(text, one.start) or IN_TURN.search(text, two.end, two.end + BESIDE)
            if ordered or not _linking(text[one.end : two.start]):
                out[first] = out[second] = True
    return out


_SPEAKS = lazy_pattern(
    r"[也则还又却]?(?:表示|指出|认为|回应|坦言|透露|强调|告诉|回忆|[说称道])|\s(?:said|says|told|added|argued|insisted|replied|warned)\b"
)
"""Verb of speech behind somebody."""
LONGEST_NAME = 12
"""Most characters of a speaker."""
BESIDE, NEAR = 8, 150
"""Characters beside two names by which is told whether different things are said of them; most characters between the two."""


def names_exchanged(
    documents: Documents, left: np.ndarray, edits: Edits, stretches: Stretches, named: np.ndarray
) -> np.ndarray:
    """Return a mask over `named`: differences in names that a near one reverses, with other words around each: A and B changed roles."""
    out = np.zeros(len(edits.pair), bool)
    waiting: dict[tuple[int, str, str], int] = {}
    for k in named.nonzero()[0].tolist():
        pair, x, y = int(edits.pair[k]), stretches.left[k].as_py(), stretches.right[k].as_py()
        waiting[pair, x, y] = k
        other = waiting.get((pair, y, x))
        if other is None:
            continue
        (a, b), (c, d) = stretches.places[other, :2].tolist(), stretches.places[k, :2].tolist()
        text = documents.texts.text(int(left[pair]))
        beside = [(text[max(0, i - BESIDE) : i], text[j : j + BESIDE]) for i, j in ((a, b), (c, d))]
        out[[k, other]] = c - b <= NEAR and beside[0] != beside[1]
    return out


def _sums(
    docs: Ragged, edits: Edits, offset: tuple[np.ndarray, np.ndarray], some: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the token sums of some edits, left and right."""
    a, b, c, d = edits.places[some].T
    x, y = (side[some] for side in offset)
    return token_sums(docs, x + a, x + b), token_sums(docs, y + c, y + d)


def _answered(pair: np.ndarray, mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return a mask of the replacements whose removed and inserted tokens another replacement of the same pair reverses, by token sums."""
    # What both sides of one have alike cancels out: 向 of 向永兴 and 向恒泰.
    number = pair.astype(np.uint64) << np.uint64(32)
    out: np.ndarray = among(number ^ (mine - theirs), np.sort(number ^ (theirs - mine)))
    return out


def _mirrored(
    docs: Ragged, replaced: np.ndarray, edits: Edits, offset: tuple[np.ndarray, np.ndarray], stretches: Stretches
) -> list[tuple[int, int]]:
    """Return pairs (indices) of neighbouring replacements in one sentence, each of which inserts what the other removes."""
    one, two = replaced[:-1], replaced[1:]
    gap = edits.places[two, 0] - edits.places[one, 1]
    more = (edits.a - edits.b)[replaced]
    near = np.flatnonzero((edits.pair[one] == edits.pair[two]) & (more[:-1] == -more[1:]) & (gap <= SENTENCE))
    if not len(near):
        return []
    sums = [_sums(docs, edits, offset, side[near]) for side in (one, two)]
    near = near[(sums[0][0] - sums[0][1]) == (sums[1][1] - sums[1][0])]
    return list(zip(one[near].tolist(), two[near].tolist(), strict=True))


def _swapped_pairs(some: np.ndarray, edits: Edits, stretches: Stretches) -> list[tuple[int, int]]:
    """Return pairs (indices) of replacements within one sentence, each of which inserts what the other removes.

    Other replacements may lie between the two.
    """
    waiting: dict[tuple[int, str, str], int] = {}
    out = []
    # Keep the latest replacement of each (pair, left, right); its mirror image finds it under exchanged sides.
    for edit, pair in zip(some.tolist(), edits.pair[some].tolist(), strict=True):
        x, y, *_ = _core_at(stretches, edit)
        first = waiting.get((pair, y, x))
        if first is not None and min(len(x), len(y)) > 1 and edits.places[edit, 0] - edits.places[first, 1] <= SENTENCE:
            out.append((first, edit))
        waiting[pair, x, y] = edit
    return out


def _linking(written: str) -> bool:
    """Return True if the text between two parts has no letters, or is a linking word such as 和 or "and"."""
    (plain,) = dictionary_forms([written])
    return "".join(filter(str.isalnum, plain)) in ("", *LINKS)


_PIECES = lazy_pattern(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")


def turned(x: str, y: str) -> bool:
    """Return True if `y` is `x` with its two ends exchanged around a middle that is not a linking word such as 和."""
    middle = _between_ends(x, y)
    return middle is not None and middle not in LINKS


def _turned_in_text(text: str, start: int, end: int, x: str, y: str) -> bool:
    """Return True if the two ends of x are exchanged in y and that changes the sense: a route, two speakers, a list "in turn"."""
    if _between_ends(x, y) in LINKS and IN_TURN.search(text, end, end + BESIDE):
        return True
    if not x.isascii():
        return any(
            y == x[-last:] + x[first:-last] + x[:first] and _SPEAKS.match(x, first) and _SPEAKS.match(text, end)
            for first in range(2, min(LONGEST_NAME, len(x)))
            for last in range(2, min(LONGEST_NAME, len(x) - first))
        )
    return _between_ends(x, y) == "to" and _goes_from(text, start)


def _goes_from(text: str, at: int) -> bool:
    return _FROM.search(text[max(0, at - 12) : at]) is not None


class _Core(NamedTuple):
    """Differing part of a difference, without the characters that begin or end both sides, and its offsets in the left text."""

    left: str
    right: str
    start: int
    end: int


def _in_one_clause(text: str, one: _Core, two: _Core) -> bool:
    """Return True if two parts are Chinese words of two characters or more with no mark between them."""
    words = min(len(one.left), len(one.right)) > 1 and _HAN.fullmatch(one.left + one.right) is not None
    return words and CLAUSES.search(text, one.end, two.start) is None


def _core_at(stretches: Stretches, k: int) -> _Core:
    """Return the core of a difference: 永兴 and 恒泰 of 向永兴 and 向恒泰."""
    x, y = stretches.left[k].as_py(), stretches.right[k].as_py()
    size = min(len(x), len(y))
    first = next((k for k in range(size) if x[k] != y[k]), size)
    last = next((k for k in range(size - first) if x[-1 - k] != y[-1 - k]), size - first)
    start = int(stretches.places[k, 0])
    return _Core(x[first : len(x) - last], y[first : len(y) - last], start + first, start + len(x) - last)


def names_turned(x: str, y: str) -> bool:
    """Return True if two original texts have the same names in another order with the end of a sentence between them."""
    if not x.isascii() or x[:1] == y[:1] or not any(mark in x for mark in ".!?"):
        return False
    for stretch in (x, y):
        some = words_between(stretch, 0, len(stretch))
        named = all(w.capital and w.low not in STOP for w in some) and sum(w.low not in generic() for w in some) > 1
        if not named or not any(w.first for w in some[1:]):
            return False
    return True


def listed_otherwise(x: str, y: str) -> bool:
    """Return True if both stretches list the same two things, joined by 和 or a similar word, in different order."""
    return len(x) == len(y) > 2 and _between_ends(x, y) in LINKS


def _between_ends(x: str, y: str) -> str | None:
    """Return the text between two ends that changed places, or None if `y` is not `x` with exchanged ends."""
    mine = _PIECES.findall(x.lower())
    n = len(mine)
    if n < 3 or n > 2 * PART:
        return None
    theirs = _PIECES.findall(y.lower())
    if mine == theirs or sorted(mine) != sorted(theirs) or CLAUSES.search(x) or CLAUSES.search(y):
        return None
    # Try every length of the first end and of the last one; what is left between must be equal on both sides.
    for first in range(1, n - 1):
        if theirs[n - first :] != mine[:first]:
            continue
        for last in range(1, n - first):
            if theirs[:last] == mine[n - last :] and mine[first : n - last] == theirs[last : n - first]:
                middle = mine[first : n - last]
                return ("" if middle[0] > "\u3400" else " ").join(middle)
    return None
