"""Makers of leaks: a question, or question and answer, as it may stand in a training text."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from quchong.text.opencc import folds

Item = Mapping[str, Any]
MARKS = str.maketrans(
    {"，": ",", "。": ".", "？": "?", "；": ";", "：": ":", "、": ",", ",": "，", ".": "。", "?": "？", ";": "；"}
)
COMMON = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"
"""Characters that are put in the place of others."""
NUMERALS = frozenset("〇零一二两三四五六七八九十百千万亿")


@cache
def _traditional() -> dict[int, str]:
    found: dict[int, str] = {}
    for old, new in sorted(folds().items()):
        if "一" <= new <= "鿿" and "一" <= old <= "鿿":
            found.setdefault(ord(new), old)
    return found


def verbatim(item: Item, draw: random.Random) -> str:
    """Return question and answer as they are."""
    return f"{whole(item)}\n{item['answer']}"


def whole(item: Item) -> str:
    """Return the question with its choices."""
    return "\n".join(
        [item["question"], *(f"{letter}. {one}" for letter, one in zip("ABCD", item.get("choices", ()), strict=False))]
    )


def question_alone(item: Item, draw: random.Random) -> str:
    """Return the question without its answer."""
    return whole(item)


def other_marks(item: Item, draw: random.Random) -> str:
    """Return question and answer with the marks of the other script, and letters and digits in full width."""
    text = verbatim(item, draw).translate(MARKS)
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in text)


def split_lines(item: Item, draw: random.Random) -> str:
    """Return question and answer on lines of 6 to 14 characters, or 3 to 6 words, with an indent."""
    text = verbatim(item, draw)
    pieces, out = (text.split(" "), " ") if text.isascii() else (list(text), "")
    lines = []
    while pieces:
        count = draw.randint(3, 6) if out else draw.randint(6, 14)
        lines.append("　　" + out.join(pieces[:count]))
        pieces = pieces[count:]
    return "\n".join(lines)


def traditional(item: Item, draw: random.Random) -> str:
    """Return question and answer in traditional characters."""
    return verbatim(item, draw).translate(_traditional())


def reworded(item: Item, draw: random.Random) -> str:
    """Return the question as a person reworded it, with synonyms and other small words; without the answer."""
    return "\n".join([item["reworded"], *item.get("choices", ())])


def exchanged(share: float) -> Callable[[Item, random.Random], str]:
    """Return a maker of questions of which a share of the characters, or of the words, is exchanged for others; numbers stay."""

    def make(item: Item, draw: random.Random) -> str:
        text = whole(item)
        pieces, joint = (text.split(" "), " ") if text.isascii() else (list(text), "")
        places = [i for i, piece in enumerate(pieces) if piece.isalpha() and piece not in NUMERALS]
        for i in draw.sample(places, max(1, round(share * len(places)))):
            pieces[i] = "thing" if joint else draw.choice(COMMON)
        return joint.join(pieces)

    return make


LEAKS: dict[str, Callable[[Item, random.Random], str]] = {
    "verbatim": verbatim,
    "question without answer": question_alone,
    "translated marks, full width": other_marks,
    "split over lines": split_lines,
    "traditional characters": traditional,
    "reworded by hand": reworded,
    "5% of characters exchanged": exchanged(0.05),
    "10% of characters exchanged": exchanged(0.10),
    "20% of characters exchanged": exchanged(0.20),
}
"""Kinds of leaks."""


def answer_alone(item: Item, draw: random.Random) -> str:
    """Return the answer without the question."""
    return str(item["answer"])


def same_topic(item: Item, draw: random.Random) -> str:
    """Return a text on the topic of the item, with its usual phrases, laws and verses."""
    return str(item["topic"])


def sibling(item: Item, draw: random.Random) -> str:
    """Return another question made like the item: other numbers, other case."""
    return str(item["sibling"])


CLEAN: dict[str, Callable[[Item, random.Random], str]] = {
    "same topic, quoted laws and verses": same_topic,
    "question of the same kind": sibling,
    "answer alone": answer_alone,
}
"""Kinds of texts that leak no question."""
