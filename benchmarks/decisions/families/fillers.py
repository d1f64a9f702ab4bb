"""Words that fill slots, from lists.txt: goods, services, topics and roles, which no list of facts has, and names and places."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

LISTS = Path(__file__).parent / "lists.txt"


@cache
def _lists() -> dict[str, tuple[str, ...]]:
    rows = (line.split(": ", 1) for line in LISTS.read_text("utf-8").splitlines())
    return {name: tuple(words.split(";")) for name, words in rows}


def listed(name: str) -> tuple[str, ...]:
    """Return the list of that name in lists.txt, which has `name: one;two;three` in a line.

    Raises:
        KeyError: there is no such list.
    """
    return _lists()[name]


GOODS = listed("goods")
MATERIALS = listed("materials")
STYLES = listed("styles")
ROLES = listed("roles")
SERVICES = listed("services")
TOPICS = listed("topics")
DEPARTMENTS = listed("departments")
AGENDAS = listed("agendas")
ZH_CITIES = listed("zh_cities")
SURNAMES = listed("surnames")
GIVEN = listed("given")
BRANDS = listed("brands")
TRADES = listed("trades")
PLANTS = listed("plants")
TRIBES = listed("tribes")
SKIES = listed("skies")
WINDS = listed("winds")
VERBS = listed("verbs")
NOUNS = listed("nouns")
CITIES = listed("cities")
DAYS = listed("days")
UNITS = listed("units")
THINGS = listed("things")
STUFFS = listed("stuffs")
LOOKS = listed("looks")
ENGLISH_ROLES = listed("english_roles")
ENGLISH_TOPICS = listed("english_topics")
FORMS = listed("forms")
LIBRARIES = listed("libraries")
FIELDS = listed("fields")
TYPES = listed("types")
FIRST = listed("first")
LAST = listed("last")
FIRMS = listed("firms")


def chinese_goods(rng: random.Random) -> str:
    """Return goods: in half of the draws a plain noun, else one of 55,000 compounds."""
    plain = rng.random() < 0.5
    return rng.choice(GOODS) if plain else rng.choice(MATERIALS) + rng.choice(STYLES) + rng.choice(GOODS)


def english_goods(rng: random.Random) -> str:
    """Return goods: in half of the draws a plain noun, else one of 10,000 compounds."""
    plain = rng.random() < 0.5
    return rng.choice(THINGS) if plain else f"{rng.choice(LOOKS)} {rng.choice(STUFFS)} {rng.choice(THINGS)}"


def chinese_person(rng: random.Random) -> str:
    """Return a full name."""
    return rng.choice(SURNAMES) + rng.choice(GIVEN)


def english_person(rng: random.Random) -> str:
    """Return a full name."""
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def chinese_firm(rng: random.Random) -> str:
    """Return the name of a company, with its city."""
    return f"{rng.choice(ZH_CITIES)}{rng.choice(BRANDS)}{rng.choice(TRADES)}有限公司"


def amount(rng: random.Random, least: int, most: int) -> str:
    """Return an amount with two decimals."""
    return f"{rng.randint(least, most)}.{rng.randint(0, 99):02d}"


def pair_of(rng: random.Random, words: Sequence[str]) -> tuple[str, str]:
    """Return two different words of a list."""
    first, second = rng.sample(words, 2)
    return first, second
