"""Noise of scanners and keyboards that knows no words: any character in Chinese, letters in English. One can go.

Beside it stand its opposites: the same noise and another figure, or a negation. Both must stay.
"""

from __future__ import annotations

import random
import re
import string

import english
from amounts import one_figure
from anatomy import DIGIT, spliced
from draw import Both, Draw, Edit
from turns import negation

SHAPES = {
    "e": "co", "c": "eo", "o": "ceq", "l": "ti1", "i": "lj1", "t": "lf", "f": "t", "h": "bk", "b": "h", "n": "ru", "u": "nv", "v": "uy",
    "a": "os", "s": "az", "m": "n", "w": "v", "r": "n", "g": "qy", "q": "g", "y": "vg", "d": "cl", "p": "n", "k": "h",
}  # fmt: skip
"""Letters that scanners take for one another."""
BRIEF = (
    "English line of content",
    "English page furniture",
    "English page furniture in the line",
    "English 1% scan",
    "English 2% scan",
    "English 3% scan",
)
"""English kinds that are made at 80 characters too."""
_FIGURED = re.compile(rf"[{DIGIT}][^，。；\s]?|[零〇一二两三四五六七八九十百千万亿]+[一-鿿]?")


def random_noise(share: float) -> Edit:
    """That share of all Chinese characters, at any place outside figures, is replaced by characters that another text has there."""

    def edit(text: str, draw: Draw) -> Both | None:
        figured = {i for m in _FIGURED.finditer(text) for i in range(*m.span())}
        free = [i for i, c in enumerate(text) if "一" <= c <= "鿿" and i not in figured]
        count = max(1, round(share * len(text)))
        source = [c for c in draw.other() if "一" <= c <= "鿿"]
        if len(free) < count or not source:
            return None
        return text, spliced(text, [(i, i + 1, draw.rng.choice(source)) for i in draw.rng.sample(free, count)])

    return edit


def _slip(letter: str, rng: random.Random) -> str:
    """A letter as a scanner reads it: half of the slips by shape, else any letter, none, or two."""
    lot = rng.random()
    if lot < 0.5 and letter in SHAPES:
        return rng.choice(SHAPES[letter])
    if lot < 0.75:
        return rng.choice(string.ascii_lowercase.replace(letter, ""))
    return "" if lot < 0.9 else letter + rng.choice(string.ascii_lowercase)


def scanned(text: str, share: float, rng: random.Random) -> str:
    """The text with that share of its characters, all of them small letters, read wrongly."""
    free = [i for i, c in enumerate(text) if c in string.ascii_lowercase]
    chosen = rng.sample(free, min(len(free), max(1, round(share * len(text)))))
    return spliced(text, [(i, i + 1, _slip(text[i], rng)) for i in chosen])


def scan(share: float) -> Edit:
    """An English text read by a scanner that takes that share of the characters for others."""

    def edit(text: str, draw: Draw) -> Both | None:
        return text, scanned(text, share, draw.rng)

    return edit


CLEAR = 6
"""Characters before and behind a change that noise leaves alone, so that it is still to be read."""


def _beside(change: Edit, noise: Edit, clear: int = CLEAR) -> Edit:
    """First the change, then noise over both parts of the changed text beside it."""

    def edit(text: str, draw: Draw) -> Both | None:
        both = change(text, draw)
        if both is None:
            return None
        first = next((i for i, (a, b) in enumerate(zip(*both, strict=False)) if a != b), 0)
        last = next((i for i, (a, b) in enumerate(zip(both[0][::-1], both[1][::-1], strict=False)) if a != b), 0)
        begin, end = max(0, first - clear), min(len(both[1]), len(both[1]) - last + clear)
        parts = [both[1][:begin], both[1][end:]]
        made = [noise(part, draw) if len(part) > 20 else None for part in parts]
        if made == [None, None]:
            return None
        before, behind = (done[1] if done else part for done, part in zip(made, parts, strict=True))
        return both[0], before + both[1][begin:end] + behind

    return edit


figure_in_noise = _beside(one_figure, random_noise(0.02))
negation_in_noise = _beside(negation, random_noise(0.02))
english_figure_in_scan = _beside(english.figure, scan(0.02), 20)
english_negation_in_scan = _beside(english.negation, scan(0.02), 30)


def _clauses(text: str) -> list[str]:
    return [part for part in re.findall(r"[^，；。！？]+[，；。！？]*", text) if part.strip()]


def clauses_swapped(text: str, draw: Draw) -> Both | None:
    """Two clauses of a text stand in each other's place; marks stay with their clauses."""
    parts = _clauses(text)
    if len(parts) < 2:
        return None
    a, b = sorted(draw.rng.sample(range(len(parts)), 2))
    parts[a], parts[b] = parts[b], parts[a]
    return text, "".join(parts)


def clauses_reversed(text: str, draw: Draw) -> Both | None:
    """All clauses of a text in reverse order."""
    parts = _clauses(text)
    return (text, "".join(parts[::-1])) if len(parts) > 1 else None
