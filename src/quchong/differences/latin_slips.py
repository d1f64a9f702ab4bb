"""Slips in Latin words: letters that a scan or a typist changed, told from another word."""

from __future__ import annotations

import numpy as np

from quchong.differences.stretches import Stretches
from quchong.kernels.sorting import distinct
from quchong.patterns import lazy_pattern

_SCANNED = (
    ("rn", "m"),
    ("ii", "u"),
    ("ri", "n"),
    ("vv", "w"),
    ("cl", "d"),
    ("li", "h"),
    ("1", "l"),
    ("0", "o"),
    ("5", "s"),
)
"""Letters that scans confuse, and what they are read as for a comparison."""
_SHORT = 4
"""Least letters of the longer word with which one letter may differ whatever the case."""
_NOISY = 2
"""Number of other slips in Latin words at or above which a pair is a noisy copy."""
_SHARE = 0.5
"""Most letters of the longer stretch that may differ in a noisy copy, as a share."""
_USUAL_CASE = lazy_pattern(r"[^A-Z]+|[^a-z]+|[A-Z][^A-Z]*")


def scanned(word: str) -> str:
    """Return a word in lower case with letters that scans confuse written alike."""
    word = word.lower()
    for seen, meant in _SCANNED:
        word = word.replace(seen, meant)
    return word


def is_slip(a: str, b: str) -> bool:
    """Return True if two words as written are one but for a slip: a letter or two by length, more letters that scans confuse."""
    x, y = scanned(a), scanned(b)
    size = max(len(x), len(y))
    # A capital where none belongs (FCo, bAS) is a slip itself; of short words in capitals each letter counts (GM, GE).
    odd = not (_USUAL_CASE.fullmatch(a) and _USUAL_CASE.fullmatch(b))
    capitals = a.isupper() and b.isupper()
    allowed = size // 2 if odd and size <= 2 * _SHORT else 1 if size < 2 * _SHORT else 2
    if size < _SHORT and (capitals or (size < _SHORT - 1 and not odd)):
        allowed = 0
    return any(distance(*both, allowed) <= allowed for both in ((x, y), (a.lower(), b.lower())))


def distance(a: str, b: str, most: int) -> int:
    """Return the number of letters inserted, removed, replaced or turned round between two words, or above `most` if there are more."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    before, row = list[int](), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            least = min(row[j] + 1, new[-1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                least = min(least, before[j - 2] + 1)
            new.append(least)
        before, row = row, new
    return row[-1]


def slipped_names(pair: np.ndarray, stretches: Stretches, named: np.ndarray, latin: np.ndarray) -> np.ndarray:
    """Return a mask over the edits: those of `named` that are slips of a noisy copy, with at most half of the name's letters changed.

    `pair` has the pair of every edit; `latin` are the edits of Latin words on both sides, in order.
    """
    out: list[int] = []
    for number in distinct(pair[named]).tolist():
        first, last = np.searchsorted(pair[latin], [number, number + 1])
        mine = set(named[pair[named] == number].tolist())
        written = {
            k: (stretches.left[k].as_py(), stretches.right[k].as_py()) for k in {*latin[first:last].tolist(), *mine}
        }
        alike = {k for k, sides in written.items() if _nearly(*sides)}
        if len(alike - mine) >= _NOISY:
            out += sorted(mine & alike)
    return np.array(out, np.int64)


def _nearly(a: str, b: str) -> bool:
    size = max(len(a), len(b))
    return size <= 64 and distance(scanned(a), scanned(b), int(_SHARE * size)) <= _SHARE * size
