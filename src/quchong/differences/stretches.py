"""Text of the edits, and its offsets in both documents."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import overload

import numpy as np
import pyarrow as pa

from quchong.differences.edits import Edits
from quchong.differences.windows import Window, windows
from quchong.kernels.arrays import Texts
from quchong.kernels.text import Form
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

TOLD = 200
"""Most tokens of a stretch that are reported; a longer one is cut, and its offsets give its full length."""


SMALL_NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
_GRADES = rf"(?i:[A-ZＡ-Ｚ]|A+|B+|C+|[IVX]+|{'|'.join(SMALL_NUMBERS)})\Z"
_GRADE, _ASCII_GRADE = lazy_pattern(rf"(?!.*[İı]){_GRADES}"), lazy_pattern(_GRADES)
"""Pattern of a stretch that is a single letter (A区), a grade or Roman numeral (AAA, IV) or a small number in words."""
_DIGIT = lazy_pattern("[0-9]")
_SCRIPTED = lazy_pattern("[\u00b2\u00b3\u00b9\u2070-\u208c]")
_CAPITAL = lazy_pattern(r"[A-Z][A-Za-z]|[A-Za-z][A-Z]")
"""A capital with a letter beside it, in ASCII."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """Differing texts of the edits: their character offsets in both texts, (n, 4) int64, and the texts, cut at TOLD tokens."""

    places: np.ndarray
    left: pa.Array
    right: pa.Array

    def written(self, which: np.ndarray) -> tuple[list[str], list[str]]:
        """Return the differing texts of some edits: a list for the left side and one for the right."""
        if not len(which):
            return [], []
        some = pa.array(which)
        return self.left.take(some).to_pylist(), self.right.take(some).to_pylist()


def is_numbered(stretch: str) -> bool:
    """Return True if a stretch has a digit or a numeral that is no Chinese character, or is a grade or figure in Latin letters."""
    if stretch.isascii():  # nearly always, and no letter of Turkish need be ruled out
        return _DIGIT.search(stretch) is not None or _ASCII_GRADE.match(stretch) is not None
    return _has_number(stretch) or _GRADE.match(stretch) is not None


def _has_number(stretch: str) -> bool:
    """Return True if a character has one of the categories Nd, Nl and No."""
    return any(unicodedata.category(character)[0] == "N" for character in stretch)


def is_scripted(stretch: str) -> bool:
    """Return True if a stretch has a digit or sign above or below the line (CO₂, Fe³⁺)."""
    return not stretch.isascii() and _SCRIPTED.search(stretch) is not None


def is_capitalised(stretch: str) -> bool:
    """Return True if a stretch has a Latin capital with a letter beside it, which may begin a name."""
    if _CAPITAL.search(stretch):
        return True
    return not stretch.isascii() and any(
        (("A" <= a <= "Z" or "\xc0" <= a <= "\xde") and b.isalpha()) or ("A" <= b <= "Z" and a.isalpha())
        for a, b in pairwise(stretch)
    )


class OriginalWindows(Sequence[Window]):
    """Windows of the original texts (not in normal form), each made on first use."""

    def __init__(self, texts: Sequence[str], which: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> None:
        """Take texts, and for each window the index of its text and the offsets of the stretch."""
        self._texts, self._which, self._starts, self._ends = texts, which, starts, ends

    def __len__(self) -> int:
        return len(self._which)

    @overload
    def __getitem__(self, index: int) -> Window: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Window]: ...

    def __getitem__(self, index: int | slice) -> Window | Sequence[Window]:
        """Return a window, or some of them."""
        if isinstance(index, slice):
            return OriginalWindows(self._texts, self._which[index], self._starts[index], self._ends[index])
        return Window(self._texts[self._which[index]], self._starts[index], self._ends[index])


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Texts around edits, first all left ones, then all right ones, and their offsets.

    `places`: offsets of the surrounding text's begin, the stretch's begin and end, and the surrounding text's end, (2 n, 4) int64.
    """

    texts: pa.Array
    places: np.ndarray

    def originals(self, some: np.ndarray) -> tuple[list[Window], list[Window]]:
        """Return the windows of some edits in the original texts: left ones and right ones."""
        sides = []
        for at in (some, some + len(self.texts) // 2):
            places = self.places[at]
            offsets = (places[:, 1:3] - places[:, :1]).tolist()
            texts = self.texts.take(pa.array(at)).to_pylist()
            sides.append([Window(text, first, last) for text, (first, last) in zip(texts, offsets, strict=True)])
        return sides[0], sides[1]

    def distinct_windows(self, some: np.ndarray) -> tuple[list[Window], Sequence[Window], np.ndarray]:
        """Return the distinct windows of some edits, their originals, and the window numbers of each edit, (n, 2)."""
        at = np.concatenate([some, some + len(self.texts) // 2])
        if len(at) <= _FEW:
            return self._few_windows(at)
        places = self.places[at]
        coded = self.texts.take(pa.array(at)).dictionary_encode()
        first, last = places[:, 1] - places[:, 0], places[:, 2] - places[:, 0]
        # One number for each window: its text, and where the stretch begins and ends in it.
        wide = np.int64(int(last.max(initial=0)) + 1)
        keys, which = np.unique(
            (coded.indices.to_numpy().astype(np.int64) * wide + first) * wide + last, return_inverse=True
        )
        text, ends = keys // wide, (keys % wide).tolist()
        strings = coded.dictionary.to_pylist()
        texts, begins = (text // wide).tolist(), (text % wide).tolist()
        written = OriginalWindows(strings, texts, begins, ends)
        return windows(strings, texts, begins, ends), written, which.reshape(2, -1).T

    def _few_windows(self, at: np.ndarray) -> tuple[list[Window], Sequence[Window], np.ndarray]:
        """Return what `distinct_windows` returns, computed by a dictionary because the edits are few."""
        codes: dict[str, int] = {}
        keys: list[tuple[int, int, int]] = []
        for text, (start, first, last, _) in zip(
            self.texts.take(pa.array(at)).to_pylist(), self.places[at].tolist(), strict=True
        ):
            keys.append((codes.setdefault(text, len(codes)), first - start, last - start))
        known = sorted({*keys})
        number = {key: k for k, key in enumerate(known)}
        which = np.array([number[key] for key in keys], np.int64).reshape(2, -1).T
        texts, begins, ends = map(list, zip(*known, strict=True)) if known else ([], [], [])
        strings = [*codes]
        return windows(strings, texts, begins, ends), OriginalWindows(strings, texts, begins, ends), which


_FEW = 64
"""Most windows whose distinct ones a dictionary of Python finds faster than sorting."""


def stretches_of(
    form: Form,
    documents: Documents,
    left: np.ndarray,
    right: np.ndarray,
    edits: Edits,
    read: np.ndarray,
    margin: int,
    workers: int | None,
) -> tuple[Stretches, Surroundings]:
    """Return the differing texts of every edit, and the surroundings of the edits `read`, `margin` characters on each side."""
    n, m = len(edits.pair), len(read)
    if not m:
        return _stretches_alone(form, documents, left, right, edits, workers)
    # Ask for every edit without margin, then for those to read with a margin; first all left texts, then all right ones.
    every = np.concatenate([np.arange(n), read])
    which = edits.pair[every]
    doc = np.concatenate([left[which], right[which]]).astype(np.uint32)
    places = edits.places[every].astype(np.uint32)
    first = np.concatenate([places[:, 0], places[:, 2]])
    last = np.concatenate([places[:, 1], places[:, 3]])
    margins = np.zeros(2 * (n + m), np.uint8)
    margins[n : n + m] = margins[2 * n + m :] = margin
    # A long stretch is cut to its beginning; its last token, asked for separately, gives its end.
    long = ((last > first + TOLD) & (margins == 0)).nonzero()[0]
    if len(long):
        doc, margins = np.append(doc, doc[long]), np.append(margins, margins[long])
        first, last = np.append(first, last[long] - 1), np.append(last, last[long])
        last[long] = first[long] + TOLD
    found = documents.stretches(form, doc, first, last, margins, workers)
    # Split the answer into the same blocks again.
    places, here, there, all_ = found.places.astype(np.int64), n + m, 2 * n + m, 2 * (n + m)
    places[long, 2:] = places[all_:, 2:]
    sides = Stretches(
        np.concatenate([places[:n, 1:3], places[here:there, 1:3]], 1), found.windows.slice(0, n), found.windows.slice(here, n)
    )  # fmt: skip
    near = pa.concat_arrays([found.windows.slice(n, m), found.windows.slice(there, m)])
    return sides, Surroundings(near, np.concatenate([places[n:here], places[there:all_]]))


def _stretches_alone(
    form: Form, documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, workers: int | None
) -> tuple[Stretches, Surroundings]:
    """Return the differing texts of every edit, with no surroundings, see `stretches_of`."""
    n = len(edits.pair)
    doc = np.concatenate([left[edits.pair], right[edits.pair]]).astype(np.uint32)
    first, last = edits.places.astype(np.uint32).reshape(n, 2, 2).transpose(2, 1, 0).reshape(2, 2 * n)
    long = (last > first + TOLD).nonzero()[0]
    if len(long):
        doc = np.append(doc, doc[long])
        first, last = np.append(first, last[long] - 1), np.append(last, last[long])
        last[long] = first[long] + TOLD
    found = documents.stretches(form, doc, first, last, np.zeros(len(doc), np.uint8), workers)
    places = found.places.astype(np.int64)
    places[long, 2:] = places[2 * n :, 2:]
    sides = np.concatenate([places[:n, 1:3], places[n : 2 * n, 1:3]], 1)
    none = Surroundings(found.windows.slice(0, 0), places[:0])
    return Stretches(sides, found.windows.slice(0, n), found.windows.slice(n, n)), none


def widened(
    texts: Texts,
    document: tuple[np.ndarray, np.ndarray],
    pair: np.ndarray,
    stretches: Stretches,
    which: np.ndarray,
    reach: np.ndarray,
) -> Stretches:
    """Extend the differing texts of the edits `which` by `reach` equal characters before and after: 5 becomes 3月5日.

    A stretch is left unchanged if the two texts differ in these characters, or if another difference of the pair overlaps them.
    """
    places = stretches.places.copy()
    strings: tuple[list[str], list[str]] = ([], [])
    changed: list[int] = []
    some = np.flatnonzero(reach.any(1))
    read, mine, theirs = -1, "", ""
    for edit, number, (before, behind) in zip(
        which[some].tolist(), pair[which[some]].tolist(), reach[some].tolist(), strict=True
    ):
        a0, a1, b0, b1 = places[edit].tolist()
        # The added characters must be equal on both sides and must not overlap the neighbouring differences.
        first = edit > 0 and pair[edit - 1] == number and (
            places[edit - 1, 1] > a0 - before or places[edit - 1, 3] > b0 - before
        )  # fmt: skip
        last = edit + 1 < len(pair) and pair[edit + 1] == number and (
            places[edit + 1, 0] < a1 + behind or places[edit + 1, 2] < b1 + behind
        )  # fmt: skip
        if first or last or min(a0, b0) < before:
            continue
        if read != number:  # the edits of a pair stand side by side
            read, (mine, theirs) = number, (texts.text(int(side[edit])) for side in document)
        if (
            mine[max(0, a0 - before) : a0] != theirs[max(0, b0 - before) : b0]
            or mine[a1 : a1 + behind] != theirs[b1 : b1 + behind]
        ):
            continue
        places[edit] = (a0 - before, a1 + behind, b0 - before, b1 + behind)
        changed.append(edit)
        strings[0].append(mine[a0 - before : a1 + behind])
        strings[1].append(theirs[b0 - before : b1 + behind])
    if not changed:
        return stretches
    at = np.arange(len(pair))
    at[changed] = len(pair) + np.arange(len(changed))
    left, right = (  # several times as fast as replacing under a mask, which builds the column string by string
        pa.concat_arrays([old, pa.array(new, old.type)]).take(pa.array(at))
        for old, new in zip((stretches.left, stretches.right), strings, strict=True)
    )
    return Stretches(places, left, right)
