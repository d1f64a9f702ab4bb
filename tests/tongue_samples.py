"""Texts in six languages with one edit each, made of the sentences of tests/samples/tongues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "samples" / "tongues"
CODES = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))
FACTS = {"neg": "negation", "day": "date", "month": "date", "fig": "figure"}
"""Kind of fact of each edit that states another one."""
SAME = ("say", "note", "order")
"""Edits that say the same: in other words, in another notation, in another order."""
_EDIT = re.compile(r"\{(\w+):([^{}|]*)\|([^{}]*)\}")


class Case(NamedTuple):
    """A text, and the same with one edit."""

    text: str
    other: str


def plain(marked: str, edit: str = "") -> str:
    """Return a marked sentence, with the edits of one kind carried out."""
    return _EDIT.sub(lambda m: m[3] if m[1] == edit else m[2], marked)


def cases(code: str, edit: str) -> Iterator[Case]:
    """Yield the 60 texts of a language, each with one edit; `order` exchanges its first two sentences.

    Texts in Korean have two sentences more, because a word of Korean says as much as two of other languages.
    """
    firsts, seconds = (FOLDER / f"{code}.txt").read_text("utf-8").strip().split("\n\n")
    space = "" if code == "ja" else " "
    one, two = firsts.splitlines(), seconds.splitlines()
    for i, first in enumerate(one):
        for k, second in enumerate(two):
            more = [plain(two[k - 1]), plain(one[i - 1])] if code == "ko" else []
            other = [plain(first, edit), plain(second, edit)]
            other = other[::-1] if edit == "order" else other
            yield Case(space.join([plain(first), plain(second), *more]), space.join([*other, *more]))
