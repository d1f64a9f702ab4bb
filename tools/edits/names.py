"""Edits of persons, places and organisations: another name, so both texts must stay."""

from __future__ import annotations

import random
from pathlib import Path

from anatomy import apart, boilerplate, spliced, with_both, words
from draw import Both, Draw

WORDS = Path(__file__).parent / "words"


def groups(name: str) -> list[list[str]]:
    """Every line of a file as a list of words."""
    return [line.split() for line in (WORDS / name).read_text("utf-8").splitlines()]


SURNAMES, GIVEN, FAMOUS, NO_NAMES = groups("persons.txt")
PLACES, BODIES = groups("places.txt"), groups("bodies.txt")
"""One kind a line: a name is replaced by another of its line."""
CITIES, SCHOOLS, BANKS = PLACES[1], BODIES[1], BODIES[2]
PERSON_SENTENCES = (
    "项目负责人为{}。", "当日会议由{}主持。", "该队主教练{}到场。", "当事人名叫{}。",
    "评审组组长由{}担任。", "获奖者是{}。", "接替者为{}。", "嫌疑人{}已到案。",
)  # fmt: skip
PLACE_SENTENCES = (
    "事发地点在{}。",
    "新厂址选在{}。",
    "下一站为{}。",
    "演出将在{}举行。",
    "这批货物运往{}。",
    "会议地点改在{}。",
)
BODY_SENTENCES = (
    "主办单位为{}。",
    "该项目由{}负责。",
    "数据由{}提供。",
    "中标方是{}。",
    "通知由{}发出。",
    "捐款方为{}。",
)


def person_name(rng: random.Random) -> str:
    """A made name of three characters."""
    return rng.choice(SURNAMES) + rng.choice(GIVEN)


def _renamed(text: str, found: dict[str, list[tuple[int, int]]], another: dict[str, str], rng: random.Random) -> Both:
    name = rng.choice(sorted(found))
    return text, spliced(text, [(a, b, another[name]) for a, b in found[name]])


def _free(text: str, wanted: set[str] | None) -> dict[str, list[tuple[int, int]]]:
    """Places of words outside boilerplate; of wanted words, or of words that are names of persons."""
    free = set(apart([(w.start, w.end) for w in words(text)], boilerplate(text)))
    found: dict[str, list[tuple[int, int]]] = {}
    for w in words(text):
        person = w.text in FAMOUS or (
            w.tag == "nr"
            and len(w.text) == 3
            and w.text[0] in SURNAMES
            and w.text not in NO_NAMES
            and w.text[1] != "老"
        )
        if (w.start, w.end) in free and (w.text in wanted if wanted is not None else person):
            found.setdefault(w.text, []).append((w.start, w.end))
    return found


def person(text: str, draw: Draw) -> Both | None:
    """Another person wherever one is named; where nobody is, a sentence with a name goes into both."""
    rng = draw.rng
    found = _free(text, None)
    if not found:
        if not draw.insert:
            return None
        one, two = rng.choice(SURNAMES), person_name(rng)
        left = one + two[1:] if rng.random() < 0.5 and one != two[0] else person_name(rng)
        if left == two:
            return None
        sentence = rng.choice(PERSON_SENTENCES)
        return with_both(text, sentence.format(left), sentence.format(two), rng)
    another = {}
    for name in found:
        others = (
            [n for n in FAMOUS if n != name and n not in text]
            if name in FAMOUS
            else [n for n in [person_name(rng)] if n not in text]
        )
        if not others:
            return None
        another[name] = rng.choice(others)
    return _renamed(text, found, another, rng)


def _listed(text: str, groups: list[list[str]], sentences: tuple[str, ...], draw: Draw) -> Both | None:
    rng = draw.rng
    group_of = {name: group for group in groups for name in group}
    found = _free(text, set(group_of))
    another = {}
    for name in list(found):
        others = [n for n in group_of[name] if n != name and n not in text and n not in name and name not in n]
        if others:
            another[name] = rng.choice(others)
        else:
            del found[name]
    if found:
        return _renamed(text, found, another, rng)
    left, right = rng.sample(rng.choice(groups), 2)
    if not draw.insert or left in right or right in left:
        return None
    sentence = rng.choice(sentences)
    return with_both(text, sentence.format(left), sentence.format(right), rng)


def place(text: str, draw: Draw) -> Both | None:
    """Another place of the same kind wherever one is named; where none is, a sentence with one goes into both."""
    return _listed(text, PLACES, PLACE_SENTENCES, draw)


def organisation(text: str, draw: Draw) -> Both | None:
    """Another body of the same kind wherever one is named; where none is, a sentence with one goes into both."""
    return _listed(text, BODIES, BODY_SENTENCES, draw)
