"""Chains of copies with known parents: articles of the examples, copied and edited from copy to copy, as newsrooms do.

Every number comes from a generator that is seeded by the chain, so a chain is the same wherever it stands.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "news.jsonl"
_HAN = re.compile(r"[\u4e00-\u9fff]")
CITIES = ("北屿", "云河", "海东", "松江", "南浦", "临川")


@dataclass(frozen=True, slots=True)
class Copy:
    """A document of a made chain: its place, its parent's place (None of the first), its text and its hour."""

    id: str
    parent: str | None
    text: str
    time: datetime


def articles() -> list[str]:
    """Texts of the examples that resemble no other of them: one of each group of copies."""
    import quchong as qc

    rows = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]
    kept = qc.dedup(rows, recall_sample=0).kept["text"].to_pylist()
    return [text for text in kept if len(text) > (300 if _HAN.search(text) else 600)]


def sentences(text: str) -> list[str]:
    """Sentences with their marks; put together they are the text."""
    if _HAN.search(text):
        return re.findall(r"[^。！？\n]*[。！？][”’]?\n*|[^。！？\n]+\n*|\n+", text)
    return re.findall(r"[^.!?\n]*[.!?]+[\"”’]?\s*|[^.!?\n]+\s*|\n+", text)


def chain(base: str, others: list[str], seed: int, name: str) -> list[Copy]:
    """The first publisher and three to nine further documents, each made of one that is there already."""
    draw = random.Random(f"{seed} {name}")
    start = datetime(2026, 3, 1, 8, tzinfo=UTC) + timedelta(hours=draw.randrange(200))
    out = [Copy(f"{name}.0", None, base, start)]
    for k in range(1, draw.randint(4, 10)):
        parent = draw.choice(out)
        text = parent.text
        if draw.random() > 0.1:
            for _ in range(draw.choice((1, 1, 2, 3))):
                text = draw.choice(EDITS)(text, others, draw)
        last = max(one.time for one in out)
        out.append(Copy(f"{name}.{k}", parent.id, text, last + timedelta(minutes=draw.randint(7, 900))))
    return out


def _cut(text: str, others: list[str], draw: random.Random) -> str:
    parts = sentences(text)
    if len(parts) < 4:
        return text
    n = max(1, int(len(parts) * draw.uniform(0.1, 0.3)))
    at = draw.randrange(1, len(parts) - n + 1)
    return "".join(parts[:at] + parts[at + n :])


def _excerpt(text: str, others: list[str], draw: random.Random) -> str:
    parts = sentences(text)
    if len(parts) < 5:
        return text
    n = max(3, int(len(parts) * draw.uniform(0.5, 0.8)))
    at = draw.randrange(len(parts) - n + 1)
    return "".join(parts[at : at + n])


def _add(text: str, others: list[str], draw: random.Random) -> str:
    parts, foreign = sentences(text), sentences(draw.choice(others))
    at = draw.randrange(1, len(parts) + 1)
    k = draw.randrange(max(1, len(foreign) - 2))
    return "".join(parts[:at] + foreign[k : k + draw.randint(1, 2)] + parts[at:])


def _credit(text: str, others: list[str], draw: random.Random) -> str:
    city, day = draw.choice(CITIES), draw.randint(1, 28)
    if _HAN.search(text):
        line = draw.choice(
            (f"{city}晚报讯（记者周{draw.choice('明安宁')}）", f"据{city}通讯社3月{day}日电 ", f"本报{city}讯 ")
        )
    else:
        line = draw.choice(
            (f"NORTHPORT, March {day} (WireNews) - ", f"By our correspondent, {day} March. ", "(Herald) -- ")
        )
    return line + text


def _words(text: str, others: list[str], draw: random.Random) -> str:
    foreign = draw.choice(others)
    for _ in range(draw.randint(1, 4)):
        if _HAN.search(text):
            k, j = draw.randrange(len(text) - 2), draw.randrange(len(foreign) - 2)
            text = text[:k] + foreign[j : j + 2] + text[k + 2 :]
        else:
            words, new = text.split(" "), foreign.split()
            words[draw.randrange(len(words))] = draw.choice(new)
            text = " ".join(words)
    return text


def _figure(text: str, others: list[str], draw: random.Random) -> str:
    found = list(re.finditer(r"[0-9]+", text))
    if not found:
        return text
    one = draw.choice(found)
    return text[: one.start()] + str(int(one[0]) + draw.randint(1, 9)) + text[one.end() :]


def _move(text: str, others: list[str], draw: random.Random) -> str:
    parts = sentences(text)
    if len(parts) < 4:
        return text
    at, to = draw.randrange(len(parts)), draw.randrange(len(parts))
    parts.insert(to, parts.pop(at))
    return "".join(parts)


def _marks(text: str, others: list[str], draw: random.Random) -> str:
    one, other = draw.choice((("，", ","), ("“", '"'), ("（", "("), ("；", ";"), (", ", " - "), ("'", "’"), ('"', "“")))
    return text.replace(one, other)


EDITS = (_cut, _cut, _excerpt, _add, _add, _credit, _credit, _words, _words, _figure, _move, _marks)


def corpus(seed: int, chains: int) -> list[Copy]:
    """So many chains, one after another."""
    bases = articles()
    draw = random.Random(seed)
    out = []
    for k in range(chains):
        base = draw.choice(bases)
        out += chain(base, [text for text in bases if text != base], seed, f"{seed}-{k}")
    return out
