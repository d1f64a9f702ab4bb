"""Families in English that are data or code: tool calls, quiz records, stubs, handlers, tests and rows of tables in HTML."""

from __future__ import annotations

import random

import families.fillers as words
from families.frame import Family

CODE = ("comment", "blank", "preamble")


def _call(r: random.Random) -> dict[str, str]:
    verb, noun = r.choice(words.VERBS), r.choice(words.NOUNS)
    return {
        "tool": f"{verb}_{noun}", "what": f"{verb.title()} the {noun}", "asked": f"{verb} the {noun}", "city": r.choice(words.CITIES),
        "day": r.choice(words.DAYS),
    }  # fmt: skip


def _quiz(r: random.Random) -> dict[str, str]:
    first, second = words.pair_of(r, words.ENGLISH_TOPICS)
    return {
        "topic": first, "other": second, "level": r.choice(["easy", "medium", "hard"]),
        "skill": r.choice("recall compare explain apply judge predict".split()), "points": str(r.randint(1, 12)),
    }  # fmt: skip


def _class_name(r: random.Random) -> str:
    return "".join(word.title() for word in r.sample(words.LIBRARIES, 2))


def _stub(r: random.Random) -> dict[str, str]:
    fields = dict(zip("abcd", r.sample(words.FIELDS, 4), strict=True))
    return {"name": _class_name(r), **fields, **{f"type_{key}": r.choice(words.TYPES) for key in fields}}


def _handler(r: random.Random) -> dict[str, str]:
    noun = r.choice(words.NOUNS)
    return {"noun": noun, "name": noun.title(), "part": r.choice(words.UNITS), "limit": str(r.randint(1, 40) * 25)}


def _check(r: random.Random) -> dict[str, str]:
    return {
        "verb": r.choice(words.VERBS),
        "noun": r.choice(words.NOUNS),
        "thing": r.choice(words.THINGS),
        "other": r.choice(words.STUFFS),
    }


def _row(r: random.Random) -> dict[str, str]:
    return {
        "player": words.english_person(r),
        "club": r.choice(words.CITIES),
        "goals": str(r.randint(0, 60)),
        "games": str(r.randint(1, 99)),
    }


FAMILIES = (
    Family("en_calls", "tune", "JSON", _call, ("keys", "indent", "field", "noise")),
    Family("en_quizzes", "report", "JSON", _quiz, ("keys", "indent", "field", "noise")),
    Family("en_stubs", "report", "code", _stub, (*CODE, "lines")),
    Family("en_handlers", "tune", "code", _handler, CODE),
    Family("en_checks", "report", "code", _check, CODE),
    Family("en_score_rows", "tune", "HTML row", _row, ("layout", "noise", "attribute")),
)
