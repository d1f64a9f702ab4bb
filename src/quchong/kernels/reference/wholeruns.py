"""What is left of equal runs of letters at whole characters, words and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.kernels.reference.text import Tables, tokenise

LONGEST_END = 64
"""Places looked at from either end of a run: that end and those behind 1 to 63 letters."""
Place = tuple[int, int]
Run = tuple[int, int, int, int, int]
"""Left text, right text, first letter in either, letters."""
Whole = tuple[tuple[int, int, int, int], int, bool]


class Letters:
    """The letters of a text, the token each stands in, and before which of them (or the end) a passage may end or begin."""

    def __init__(self, text: str, tables: Tables, *, full: bool = True) -> None:
        self.letters = tokenise(text, tables, full=full, characters=True)
        self.words = tokenise(text, tables, full=full)
        self.token = [max(k for k, word in enumerate(self.words) if word.start <= c.start) for c in self.letters]
        self.ends = [
            i in (0, len(self.letters)) or (self._place(i) != self._place(i - 1) and self.token[i] != self.token[i - 1])
            for i in range(len(self.letters) + 1)
        ]

    def _place(self, i: int) -> Place:
        return self.letters[i].start, self.letters[i].end

    def span(self, first: int, length: int) -> Place:
        """Where letters stand, in characters."""
        return self.letters[first].start, self.letters[first + length - 1].end

    def tokens(self, first: int, length: int) -> list[int]:
        """The tokens letters stand in."""
        return [word.value for word in self.words[self.token[first] : self.token[first + length - 1] + 1]]


def whole_runs(texts: Sequence[str], runs: Sequence[Run], tables: Tables, *, full: bool = True) -> list[Whole]:
    """Of each run: start and end in the left text, start and end in the right one; letters left; are the tokens the same?"""
    known = [Letters(text, tables, full=full) for text in texts]
    return [_whole(known[a], known[b], start, other_start, length) for a, b, start, other_start, length in runs]


def _whole(left: Letters, right: Letters, start: int, other_start: int, length: int) -> Whole:
    ends = [left.ends[start + i] and right.ends[other_start + i] for i in range(length + 1)]
    fronts = [i for i in range(min(length, LONGEST_END - 1) + 1) if ends[i]]
    backs = [i for i in range(min(length, LONGEST_END - 1) + 1) if ends[length - i]]
    if not fronts or not backs or fronts[0] + backs[0] >= length:
        return (0, 0, 0, 0), 0, True
    kept, a, b = length - fronts[0] - backs[0], start + fronts[0], other_start + fronts[0]
    return (*left.span(a, kept), *right.span(b, kept)), kept, left.tokens(a, kept) == right.tokens(b, kept)
