"""Two parts of a sentence that changed places: who won, and against whom."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from quchong.differences.edits import WORD_TOKEN, Edits, token_sums
from quchong.differences.latin_words import STOP, generic, words_between
from quchong.differences.stretches import Stretches
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import among
from quchong.seam import Documents

SENTENCE, PART, BRIEF = 24, 16, 150
"""Most tokens between two stretches that changed places in one sentence; most characters of such a stretch; tokens of a text below which
two separate differences are compared with each other.
"""
CLAUSES = re.compile(r"[\n，。！？；：、,.!?;:…“”\"'（）()【】\[\]#]+|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
"""Marks and spaces that separate clauses."""
_LINKS = ("和", "与", "及", "或", "跟", "同", "以及", "或者", "and", "or", "nor", "to")
"""Words between two parts whose order has no meaning."""


def exchanged(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, stretches: Stretches
) -> np.ndarray:
    """Return a mask of the differences that are two parts of a sentence in exchanged places.

    The parts are the two ends of one difference, or two differences. Two differences are compared only in texts below BRIEF tokens, because
    in longer ones words change places with their synonyms by chance.
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
    out[alike] = [turned(x, y) or names_turned(x, y) for x, y in zip(*written, strict=True)]
    # (2) Two differences, each of which inserts what the other removes; only in brief texts, see above.
    brief = (np.maximum(docs.lengths[left], docs.lengths[right]) < BRIEF)[edits.pair]
    crossing = replaced[brief[replaced]]
    if len(crossing) < 2:
        return out
    crossing = crossing[_answered(edits.pair[crossing], *_sums(docs, edits, offset, crossing))]
    some = [_mirrored(docs, replaced, edits, offset, brief), _swapped_pairs(crossing, edits, stretches)]
    # Verify each pair of differences by its letters, and require short parts within one clause.
    for first, second in {pair for pairs in some for pair in pairs}:
        x, y = stretches.left[first].as_py(), stretches.right[first].as_py()
        if (stretches.left[second].as_py(), stretches.right[second].as_py()) != (y, x):
            continue
        if max(len(x), len(y)) <= PART and not CLAUSES.search(x + y):
            between = docs.tokens[
                offset[0][first] + edits.places[first, 1] : offset[0][first] + edits.places[second, 0]
            ]
            text = documents.texts.text(int(left[edits.pair[first]]))
            # Parts joined by a linking word may be listed in either order: 甲和乙 is 乙和甲.
            if not _linking(between, text[stretches.places[first, 1] : stretches.places[second, 0]]):
                out[first] = out[second] = True
    return out


BESIDE, NEAR = 8, 150
"""Characters beside two names by which is told whether different things are said of them; most characters between the two."""


def names_exchanged(
    documents: Documents, left: np.ndarray, edits: Edits, stretches: Stretches, named: np.ndarray
) -> np.ndarray:
    """Return a mask of some differences in names, of which another one of the pair is the reverse near by, with other words beside it: A
    said one thing and B another. Farther apart, and where the same words are beside both, the names only moved.
    """
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


def listed_anew(
    documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, stretches: Stretches, apart: np.ndarray
) -> np.ndarray:
    """Return a mask of differences that are two parts of a list in another order, which has no meaning: 老张和老王, 老王和老张.

    Args:
        apart: bool, the differences that are to be looked at; the other part is the difference before or behind.
    """
    out = np.zeros(len(edits.pair), bool)
    for k in np.flatnonzero(apart).tolist():
        for first, second in ((k - 1, k), (k, k + 1)):
            if first < 0 or second == len(out) or edits.pair[first] != edits.pair[second]:
                continue
            pair = int(edits.pair[k])
            a, _, c, _ = stretches.places[first].tolist()
            _, b, _, d = stretches.places[second].tolist()
            if max(b - a, d - c) > 2 * PART:
                continue
            texts = documents.texts.text(int(left[pair])), documents.texts.text(int(right[pair]))
            if _same_list(
                *(text[max(0, i - _AFFIX) : j + _AFFIX] for text, i, j in zip(texts, (a, c), (b, d), strict=True))
            ):
                out[[first, second]] = True
    return out


_JOINING = tuple(link for link in _LINKS if link not in ("to", "跟", "同"))
"""Words that link items of equal rank, such as "and"."""
_AFFIX = 8
"""Most characters that both parts of a list have in common at their beginnings or ends: 老, 女士, Mr."""
_LINKED = re.compile(
    rf"\s?(?:\b(?:{'|'.join(w for w in _JOINING if w.isascii())})\b|{'|'.join(w for w in _JOINING if not w.isascii())}|、)\s?"
)


def _same_list(one: str, other: str) -> bool:
    """Return True if two texts are the same but for two neighbouring parts with a linking word between them, which changed places."""
    for link in _LINKED.finditer(one):
        before, behind = one[: link.start()], one[link.end() :]
        for first in range(len(before) - 1, -1, -1):
            part = before[first:]
            if CLAUSES.search(part) or len(part) > PART:
                break
            head = before[:first]
            for last in range(1, len(behind) + 1):
                if CLAUSES.search(behind[:last]) or last > PART:
                    break
                if other == head + behind[:last] + link.group() + part + behind[last:]:
                    return True
    return False


def _sums(
    docs: Ragged, edits: Edits, offset: tuple[np.ndarray, np.ndarray], some: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the token sums of some edits, left and right."""
    a, b, c, d = edits.places[some].T
    x, y = (side[some] for side in offset)
    return token_sums(docs, x + a, x + b), token_sums(docs, y + c, y + d)


def _answered(pair: np.ndarray, mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return a mask of the replacements that another replacement of the same pair may undo, judged by token sums."""
    one, other = (pair.astype(np.uint64) << np.uint64(32)) ^ mine, (pair.astype(np.uint64) << np.uint64(32)) ^ theirs
    out: np.ndarray = among(one, np.sort(other)) & among(other, np.sort(one))
    return out


def _mirrored(
    docs: Ragged, replaced: np.ndarray, edits: Edits, offset: tuple[np.ndarray, np.ndarray], brief: np.ndarray
) -> list[tuple[int, int]]:
    """Return pairs of neighbouring replacements, of which each begins with the token that the other one replaces."""
    one, two = replaced[:-1], replaced[1:]
    # Only replacements have a first token on both sides: an insertion may be at the end of a text, where there is none.
    x, y = (docs.tokens[side[replaced] + edits.places[replaced, at]] for side, at in zip(offset, (0, 2), strict=True))
    gap = edits.places[two, 0] - edits.places[one, 1]
    near = (
        (edits.pair[one] == edits.pair[two]) & (edits.a[one] == edits.b[two]) & (edits.b[one] == edits.a[two])
        & (x[:-1] == y[1:]) & (y[:-1] == x[1:]) & brief[one] & (gap <= SENTENCE)
    )  # fmt: skip
    return list(zip(one[near].tolist(), two[near].tolist(), strict=True))


def _swapped_pairs(some: np.ndarray, edits: Edits, stretches: Stretches) -> list[tuple[int, int]]:
    """Return pairs of replacements within one sentence, of which each inserts what the other removes.

    Other replacements may lie between the two.
    """
    mine, theirs = stretches.written(some)
    waiting: dict[tuple[int, str, str], int] = {}
    out = []
    # Keep the latest replacement of each (pair, left, right); its mirror image finds it under exchanged sides.
    for edit, pair, x, y in zip(some.tolist(), edits.pair[some].tolist(), mine, theirs, strict=True):
        first = waiting.get((pair, y, x))
        if first is not None and min(len(x), len(y)) > 1 and edits.places[edit, 0] - edits.places[first, 1] <= SENTENCE:
            out.append((first, edit))
        waiting[pair, x, y] = edit
    return out


def _linking(tokens: np.ndarray, written: str) -> bool:
    """Return True if the text between two parts is empty or a linking word such as 和 or "and".

    Chinese links are recognised by their tokens, others by their letters.
    """
    if len(tokens) == 1 and tokens[0] >= WORD_TOKEN:
        word = "".join(c for c in unicodedata.normalize("NFKC", written).lower() if c.isalnum())
        return word.isascii() and word in _LINKS
    return bool(np.all(tokens < WORD_TOKEN)) and "".join(map(chr, tokens.tolist())) in ("", *_LINKS)


_PIECES = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")


def turned(x: str, y: str) -> bool:
    """Return True if `y` is `x` with its two ends exchanged, and the middle is no linking word such as 和."""
    middle = _between_ends(x, y)
    return middle is not None and middle not in _LINKS


def names_turned(x: str, y: str) -> bool:
    """Return True if two stretches of the original texts are the same names in another order with the end of a sentence between them:
    according to A. B told reporters.
    """
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
    return len(x) == len(y) > 2 and _between_ends(x, y) in _LINKS


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
