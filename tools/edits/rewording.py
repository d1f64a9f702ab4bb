"""Edits of wording as editors make them: synonyms, connectives, datelines. Nothing else is said, so one can go."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from anatomy import boilerplate, sentences, spliced, words
from draw import Both, Draw
from names import CITIES, person_name

SHARE = 0.08  # of the words are replaced by synonyms
LEAST = 0.05  # fewer, and the text is left out
HEADS = ("本报讯 ", "本报讯（记者 {}） ", "本报{}讯 ", "（记者 {}）", "据媒体报道，", "综合消息：", "{}电 ")
TAILS = (
    "（记者 {}）", "责任编辑：{}", "（来源：新华网）", "（编辑：{}）", "\n作者：{}", "（完）",
    "来源：综合报道  责编：{}", "（通讯员 {}）", "\n原标题：略", "（本文来源：人民网）",
)  # fmt: skip
CONNECTIVES = re.compile(
    r"(?<=[。！？；，\n])(?:据悉|据了解|同时|此外|另外|因此|所以|但是|不过|然而|而且|并且|其中|当然|事实上|目前|随后|对此)"
    r"，?(?=[一-鿿])"
)
ADDED = ("据悉，", "据了解，", "此外，", "同时，", "另据了解，")
PARTICLES = (
    ("进行了", "作了"),
    ("并且", "并"),
    ("的时候", "时"),
    ("已经", "已"),
    ("但是", "但"),
    ("可以", "可"),
    ("之后", "后"),
    ("之前", "前"),
    ("以及", "和"),
    ("因为", "由于"),
)


@cache
def synonyms() -> dict[str, list[str]]:
    """Words and what may stand for them."""
    lines = (Path(__file__).parent / "words/synonyms.txt").read_text("utf-8").splitlines()
    return {first: others for first, *others in map(str.split, lines)}


def synonym(text: str, draw: Draw) -> Both | None:
    """8% of the words are synonyms, at least 5% where there are not as many."""
    own = [w for w in words(text) if w.tag != "x"]
    free = [w for w in own if w.text in synonyms()]
    wanted = max(1, round(SHARE * len(own)))
    if len(free) < max(1, LEAST * len(own)):
        return None
    chosen = draw.rng.sample(free, min(wanted, len(free)))
    return text, spliced(text, [(w.start, w.end, draw.rng.choice(synonyms()[w.text])) for w in chosen])


def _named(form: str, rng: random.Random) -> str:
    return form.format(rng.choice(CITIES) if form in ("本报{}讯 ", "{}电 ") else person_name(rng))


def _head(text: str, rng: random.Random) -> str | None:
    return None if boilerplate(text) else _named(rng.choice(HEADS), rng) + text


def _tail(text: str, rng: random.Random) -> str | None:
    return text + _named(rng.choice(TAILS), rng)


def _dropped(text: str, rng: random.Random) -> str | None:
    found = list(CONNECTIVES.finditer(text))
    return spliced(text, [(*rng.choice(found).span(), "")]) if found else None


def _added(text: str, rng: random.Random) -> str | None:
    parts = sentences(text)
    free = [
        i for i, part in enumerate(parts) if i and "一" <= part[0] <= "鿿" and not CONNECTIVES.match("。" + part, 1)
    ]
    if not free:
        return None
    at = rng.choice(free)
    return "".join([*parts[:at], rng.choice(ADDED), *parts[at:]])


def _particle(text: str, rng: random.Random) -> str | None:
    found = [(old, new) for old, new in PARTICLES if old in text]
    if not found:
        return None
    old, new = rng.choice(found)
    return text.replace(old, new, 1)


def _clauses(text: str, rng: random.Random) -> str | None:
    """Two items of a list with 、 change places."""
    found = list(re.finditer(r"(?<=、)([一-鿿]{2,6})、([一-鿿]{2,6})(?=、)", text))
    if not found:
        return None
    one = rng.choice(found)
    return spliced(text, [(*one.span(), f"{one[2]}、{one[1]}")])


def _stops(text: str, rng: random.Random) -> str | None:
    """A comma for a full stop inside the text, or the other way round."""
    found = [m.start() for m in re.finditer(r"(?<=[一-鿿]{8})[，；](?=[一-鿿]{6})", text)]
    return spliced(text, [(at, at + 1, "。") for at in [rng.choice(found)]]) if found else None


def editor(text: str, draw: Draw) -> Both | None:
    """Two to four of: a connective dropped or added, a lighter particle, items of a list swapped, a comma made a stop,
    dateline, source or editor added. At most one addition in a text of 30 characters.
    """
    wanted = draw.rng.randint(2, 4)
    done, count = text, 0
    ways = [_dropped, _particle, _clauses, _stops, _added, _head, _tail]
    draw.rng.shuffle(ways)
    longer = 0
    for way in ways:
        if draw.length < 80 and way in (_added, _head, _tail):
            longer += 1
            if longer > 1:
                continue
        found = way(done, draw.rng)
        if found is not None and found != done:
            done, count = found, count + 1
        if count == wanted:
            break
    return (text, done) if count >= 2 else None
