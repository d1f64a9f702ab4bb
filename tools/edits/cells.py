"""Cells: the pairs of one kind, length and half."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from bases import lot, pool
from draw import Draw
from kinds import INSERTING, KINDS, language_of

PAIRS = 60


@dataclass(frozen=True, slots=True)
class Pair:
    """An original and its edited copy; `base` names the document it was cut from, after its set."""

    base: str
    original: str
    edited: str


def cell(folder: Path, kind: str, length: int, half: str, *, count: int = PAIRS, seed: int = 1) -> list[Pair]:
    """Up to `count` pairs, fewer where the texts do not have what the kind edits. Every base text serves one pair.

    Of kinds that may insert a sentence two thirds do without, as far as there are texts that have what is edited.
    """
    texts = sorted(
        pool(folder, half, length, seed, language=language_of(kind)), key=lambda base: lot(seed, kind, base.id)
    )
    rng = random.Random(lot(seed, kind, length, half))
    made: list[Pair] = []
    natural = 2 * count // 3 if kind in INSERTING else 0
    for insert, wanted in ((False, natural), (True, count)):
        left = []
        while len(texts) > 1 and len(made) < wanted:
            base = texts.pop(0)
            both = KINDS[kind](base.text, Draw(rng, length, len(made), half, insert, lambda: texts.pop().text))
            if both is not None and both[0] != both[1]:
                made.append(Pair(base.id, *both))
            else:
                left.append(base)
        texts.extend(left)
    return made
