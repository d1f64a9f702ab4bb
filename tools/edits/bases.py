"""Base texts: pieces of about a given length from the shared data sets, cut at sentence ends, unlike one another.

Every document belongs to one of two halves by a hash of its id; nothing is tuned on `held`. The texts belong to others: they
are read where they lie and never written anywhere.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from anatomy import sentences

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {
    "zh_news_reprints": "docs.jsonl",
    "zh_news_xwlb": "docs.jsonl",
    "zh_peoples_daily_199801": "paragraphs.jsonl",
    "zh_weibo_ced": "microblogs.jsonl",
}
ENGLISH = {"en_reuters": "docs.jsonl"}
LENGTHS = {30: (24, 40), 80: (64, 100), 200: (160, 250), 600: (480, 750), 2000: (1600, 2600)}
"""Length asked for, and the least and most characters taken for it."""
HALVES = ("tune", "held")
POOL = {30: 900, 80: 900, 200: 700, 600: 400, 2000: 200}
"""How many pieces a pool has at most."""
STARTS = 4  # places tried in a document
WIDTH = 5  # characters of the shingles that tell texts apart
ALIKE = 0.15  # of the smaller set of shingles: more in common, and a piece is left out
NOT_TEXT = re.compile(
    r"^央视网消息（新闻联播）：|\n\[查看原文\].*|(?:via|//)?@用户[:： ]*|https?://[\w./?=&%#-]+|&nbsp;?", re.S
)


@dataclass(frozen=True, slots=True)
class Base:
    """A piece of a document: the document's id after its set, and the text."""

    id: str
    text: str


def data_folder() -> Path | None:
    """Where the data sets lie: ../shared/data, or data/ below the folder QUCHONG_SHARED names. None: they are absent."""
    given = os.environ.get("QUCHONG_SHARED")
    folder = (Path(given) if given else ROOT.parent / "shared") / "data"
    return folder if all((folder / name / file).is_file() for name, file in (SOURCES | ENGLISH).items()) else None


def lot(*what: object) -> int:
    """A number that depends on nothing but what is given."""
    return int.from_bytes(hashlib.blake2b("/".join(map(str, what)).encode(), digest_size=8).digest(), "big")


def half_of(id_: str) -> str:
    """The half a document belongs to."""
    return HALVES[lot("half", id_) & 1]


@cache
def documents(folder: Path, name: str) -> tuple[Base, ...]:
    """All of a set, without links, masked names and what a site sets before every text."""
    with (folder / name / (SOURCES | ENGLISH)[name]).open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return tuple(Base(f"{name}/{r['id']}", NOT_TEXT.sub("", r["text"]).strip()) for r in rows)


_SENTENCE = re.compile(r"(?<=[a-z)][.!?])\s+(?=[A-Z])")


def piece(text: str, length: int, rng: random.Random) -> str | None:
    """Consecutive whole sentences that have the length together, from a random start; None where none have."""
    least, most = LENGTHS[length]
    if len(text) < least:
        return None
    english = sum(c.isascii() for c in text) > 0.9 * len(text)
    parts = _SENTENCE.split(" ".join(text.split())) if english else sentences(text)
    for start in rng.sample(range(len(parts)), min(STARTS, len(parts))) if len(parts) > 1 else [0]:
        taken = ""
        for part in parts[start:]:
            taken += " " * (english and bool(taken)) + part
            if len(taken.strip()) >= least:
                break
        taken = taken.strip()
        if english:
            letters = sum(c.islower() for c in taken)
            if least <= len(taken) <= most and taken.endswith(".") and letters > 0.6 * len(taken):
                return taken
            continue
        han = sum("一" <= c <= "鿿" for c in taken)
        if least <= len(taken) <= most and re.search(r"[。！？!?][”’」』）)】]*$", taken) and han > 0.6 * len(taken):
            return taken
    return None


def _pieces(folder: Path, name: str, half: str, length: int, seed: int) -> Iterator[Base]:
    mine = [d for d in documents(folder, name) if half_of(d.id) == half]
    for document in sorted(mine, key=lambda d: lot(seed, length, d.id)):
        found = piece(document.text, length, random.Random(lot(seed, length, document.id)))
        if found:
            yield Base(document.id, found)


@cache
def pool(
    folder: Path, half: str, length: int, seed: int, most: int | None = None, language: str = "zh"
) -> tuple[Base, ...]:
    """Pieces of one half, length and language, the sets in turn, none like another."""
    waiting = [_pieces(folder, name, half, length, seed) for name in (ENGLISH if language == "en" else SOURCES)]
    holders: dict[str, list[int]] = {}
    sizes: list[int] = []
    taken: list[Base] = []
    while waiting and len(taken) < (most or POOL[length]):
        turn = waiting.pop(0)
        found = next(turn, None)
        if found is None:
            continue
        waiting.append(turn)
        if language == "en":
            words = re.findall(r"\w+", found.text.lower())
            own = {" ".join(words[i : i + 3]) for i in range(len(words) - 2)}
        else:
            letters = re.sub(r"\W", "", found.text)
            own = {letters[i : i + WIDTH] for i in range(len(letters) - WIDTH + 1)}
        shared = Counter(k for shingle in own for k in holders.get(shingle, ()))
        if any(n > ALIKE * min(len(own), sizes[k]) for k, n in shared.items()):
            continue
        for shingle in own:
            holders.setdefault(shingle, []).append(len(taken))
        sizes.append(len(own))
        taken.append(found)
    return tuple(taken)
