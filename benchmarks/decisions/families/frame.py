"""Frames: a text with slots, and what fills them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FRAMES = Path(__file__).parent / "frames"
SLOT = re.compile(r"<<(\w+)>>")
Fill = Callable[[random.Random], dict[str, str]]
Pieces = list[tuple[str, bool]]
"""A text in parts: the part, and True if it fills a slot."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of records on one frame.

    Attributes:
        name: begins with the language.
        half: "tune" or "report". Rules are made with families of "tune" in view alone.
        kind: what the records are, for tables: "advert", "log", "code" ...
        fill: draws a filler for every name of the frame.
        copies: kinds of copies that suit the records, names of `copies.COPIES`.
    """

    name: str
    half: str
    kind: str
    fill: Fill
    copies: tuple[str, ...]

    @property
    def language(self) -> str:
        """Language of the frame: "zh" or "en"."""
        return self.name[:2]

    @property
    def frame(self) -> str:
        """Text with `<<name>>` for each slot. A slot that is named twice has one filler."""
        return frame_text(self.name)

    @property
    def slots(self) -> int:
        """Number of different slots."""
        return len(set(SLOT.findall(self.frame)))

    def record(self, rng: random.Random) -> Pieces:
        """Draw a record: the frame with a filler in each slot."""
        return pieces(self.frame, self.fill(rng))


@cache
def frame_text(name: str) -> str:
    """Return the frame of a family: frames/NAME.txt without its last line break."""
    return (FRAMES / f"{name}.txt").read_text("utf-8").removesuffix("\n")


def pieces(frame: str, values: dict[str, str]) -> Pieces:
    """Return the frame with its slots filled, in parts.

    Raises:
        KeyError: a slot has no value.
    """
    parts = SLOT.split(frame)
    filled = [(values[part], True) if i % 2 else (part, False) for i, part in enumerate(parts)]
    return [(part, is_slot) for part, is_slot in filled if part]


def joined(parts: Pieces) -> str:
    """Return the text of the parts."""
    return "".join(part for part, _ in parts)
