"""Edits of single characters, as scanners and typists make them; no figure, date, name or negation is touched. One can go."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from anatomy import facts, spliced
from draw import Both, Draw, Edit

WORDS = Path(__file__).parent / "words"
UNTOUCHED = frozenset(
    "不没未无非否莫勿别休零〇一二三四五六七八九十百千万亿两几半双元角分年月日号时点秒岁名吨米里倍成"
    "买卖进出上下左右前后东西南北男女大小多少高低内外正负增减有阳阴升降加开关胜败生死好坏新旧真假今昨明早晚省市县区国州甲乙丙丁她他它"
)
"""Characters whose change could change a fact, as what is replaced and as what comes in its place."""


@cache
def alike() -> dict[str, str]:
    """Every character with those that look like it."""
    found: dict[str, str] = {}
    for pair in (WORDS / "lookalikes.txt").read_text("utf-8").split():
        a, b = pair[0], pair[1]
        if not {a, b} & UNTOUCHED:
            found[a], found[b] = found.get(a, "") + b, found.get(b, "") + a
    return found


@cache
def sounding() -> dict[str, str]:
    """Every character with those that sound like it, tones left out."""
    found: dict[str, str] = {}
    for line in (WORDS / "sounds.txt").read_text("utf-8").splitlines():
        characters = [c for c in line.split()[1] if c not in UNTOUCHED]
        found |= {c: "".join(o for o in characters if o != c) for c in characters}
    return {c: others for c, others in found.items() if others}


def places(text: str) -> list[int]:
    """Where a character may be replaced."""
    taken = {i for a, b in facts(text) for i in range(a, b)}
    return [i for i, c in enumerate(text) if i not in taken and c in sounding()]


def replaced(text: str, count: int, looks: float, rng: random.Random) -> str | None:
    """The text with that many characters replaced, a share of them by how they look; None where there are too few."""
    free = places(text)
    if len(free) < count:
        return None
    look = [i for i in free if text[i] in alike()]
    chosen = set(rng.sample(look, min(len(look), round(looks * count))))
    by_sight = set(chosen)
    chosen |= set(rng.sample([i for i in free if i not in chosen], count - len(chosen)))
    return spliced(text, [(i, i + 1, rng.choice((alike() if i in by_sight else sounding())[text[i]])) for i in chosen])


def noise(share: float) -> Edit:
    """That share of all characters is replaced: half by what looks alike, where there is such a one, else by what sounds alike."""

    def edit(text: str, draw: Draw) -> Both | None:
        count = max(1, round(share * len(text)))
        done = replaced(text, count, 0.5, draw.rng)
        return (text, done) if done else None

    return edit


def typo(text: str, draw: Draw) -> Both | None:
    """One or two characters that sound alike stand wrong in the original and right in the edited text."""
    wrong = replaced(text, draw.rng.choice([1, 2]), 0.0, draw.rng)
    return (wrong, text) if wrong else None
