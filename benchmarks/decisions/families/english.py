"""Families in English prose: logs, job adverts, prompts, notices, entries, leases, receipts and e-mails."""

from __future__ import annotations

import random

import families.fillers as words
from families.frame import Family

TEXT = ("mark", "source", "headline", "noise", "advert")
SHORT = ("mark", "source", "noise")


def _log(r: random.Random) -> dict[str, str]:
    return {
        "unit": r.choice(words.UNITS), "host": f"{r.choice(words.CITIES).lower()}-{r.choice('abcd')}{r.randint(1, 40)}",
        "queue": r.choice(words.UNITS),
    }  # fmt: skip


def _job(r: random.Random) -> dict[str, str]:
    return {
        "firm": r.choice(words.FIRMS) + r.choice([" Ltd", " Group", " Partners", " & Sons"]), "role": r.choice(words.ENGLISH_ROLES),
        "city": r.choice(words.CITIES), "pay": f"{r.randint(22, 68)},{r.randint(0, 9)}00", "contact": words.english_person(r),
    }  # fmt: skip


def _prompt(r: random.Random) -> dict[str, str]:
    first, second = words.pair_of(r, words.ENGLISH_TOPICS)
    return {"form": r.choice(words.FORMS), "topic": first if r.random() < 0.4 else f"{first} and {second}"}


def _package(r: random.Random) -> dict[str, str]:
    library = "-".join(r.sample(words.LIBRARIES, 2))
    return {
        "library": library,
        "verb": r.choice(words.VERBS),
        "noun": r.choice(words.NOUNS),
        "version": f"{r.randint(0, 9)}.{r.randint(0, 30)}",
    }


def _outage(r: random.Random) -> dict[str, str]:
    name = r.choice(words.UNITS)
    return {
        "service": f"{r.choice(words.LIBRARIES)} {name}"
        if r.random() < 0.6
        else f"{r.choice(words.CITIES)} {r.choice(words.LIBRARIES)} {name}"
    }


def _lease(r: random.Random) -> dict[str, str]:
    return {
        "owner": words.english_person(r), "tenant": words.english_person(r), "number": str(r.randint(1, 240)),
        "street": r.choice(words.listed("streets")), "city": r.choice(words.CITIES),
        "months": str(r.choice([6, 12, 18, 24, 36])), "rent": f"{r.randint(45, 290) * 10}",
    }  # fmt: skip


def _receipt(r: random.Random) -> dict[str, str]:
    values, total = {"number": str(r.randint(10**6, 10**7 - 1)), "clerk": words.english_person(r)}, 0
    for i, thing in enumerate(r.sample(words.THINGS, 4)):
        price = r.randint(150, 8900)
        total += price
        values |= {f"thing{i}": thing, f"price{i}": f"{price / 100:.2f}"}
    return values | {"total": f"{total / 100:.2f}", "way": r.choice(["cash", "debit card", "credit card", "gift card"])}


def _flat(r: random.Random) -> dict[str, str]:
    return {
        "type": r.choice("studio cottage bungalow loft maisonette townhouse".split()), "city": r.choice(words.CITIES),
        "rooms": str(r.randint(1, 7)), "area": str(r.randint(28, 310)), "floor": str(r.randint(0, 12)),
        "heating": r.choice("gas electric oil district wood solar".split()), "year": str(r.randint(1890, 2021)),
        "price": f"{r.randint(60, 990)},000",
    }  # fmt: skip


def _ask(r: random.Random) -> dict[str, str]:
    return {"goods": words.english_goods(r), "city": r.choice(words.CITIES)}


FAMILIES = (
    Family("en_logs", "report", "log", _log, TEXT),
    Family("en_jobs", "tune", "job advert", _job, (*TEXT, "layout")),
    Family("en_prompts", "tune", "prompt", _prompt, SHORT),
    Family("en_packages", "report", "entry", _package, (*TEXT, "layout")),
    Family("en_outages", "report", "notice", _outage, TEXT),
    Family("en_lease", "report", "contract", _lease, ("source", "noise", "layout", "headline")),
    Family("en_receipts", "tune", "receipt", _receipt, ("source", "layout", "noise", "lines")),
    Family("en_homes", "tune", "table", _flat, ("source", "layout", "noise", "lines")),
    Family("en_wanted", "report", "message", _ask, SHORT),
)
