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
    """Yield the 60 texts of a language, each with one edit; `order` exchanges its two sentences."""
    firsts, seconds = (FOLDER / f"{code}.txt").read_text("utf-8").strip().split("\n\n")
    space = "" if code == "ja" else " "
    for first in firsts.splitlines():
        for second in seconds.splitlines():
            text = space.join([plain(first), plain(second)])
            other = [plain(first, edit), plain(second, edit)]
            yield Case(text, space.join(other[::-1] if edit == "order" else other))
