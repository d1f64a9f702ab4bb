"""Edits of names in English texts: another person, firm, product or party (both must stay), and other forms of one name (one can go)."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from draw import Both, Draw
from names import groups

GIVEN, SURNAMES, FIRMS, DRUGS, PARTIES, FIRST, TRADES = groups("english_names.txt")
TITLES = ("Mr", "Mrs", "Dr.", "Professor", "Senator", "Judge")
FORMS = ("Inc", "Corp", "Ltd", "Plc", "AG", "Co")
_SENTENCE = re.compile(r"(?<=[a-z)][.!?]) (?=[A-Z])")
PERSON_SENTENCES = (
    "The inquiry will be led by {}.",
    "The award went to {} of the local school.",
    "Nothing has changed since the vote, according to {}, who opposed the plan.",
    "The plan was a mistake, said {}.",
    "Last week {} told reporters that talks would go on.",
    "A spokesman for the group, {}, declined to comment.",
    "{} said that the talks would go on.",
    "Police named the driver as {} on the same evening.",
)
FIRM_SENTENCES = (
    "The parts are made by {} in the same town.",
    "A rival bid by {} was turned down.",
    "Shares of {} were unchanged at the close.",
    "The order went to {}, which will deliver next year.",
    "It had earlier sold the unit to {} for an undisclosed sum.",
    "The licence is held by {} and its partners.",
)
DRUG_SENTENCES = (
    "The trial compared {} with a placebo.",
    "Patients who took {} recovered in a week.",
    "Sales of {} were flat over the quarter.",
)
PARTY_SENTENCES = (
    "The bill was written by a {} member of the committee.",
    "The seat has long been held by a {} politician.",
    "He was elected as a {} candidate.",
)
PERSONS = re.compile(rf"(?<=[a-z,] )(?:{'|'.join(GIVEN)}) (?:[A-Z]\. )?([A-Z][a-z]+)\b(?! (?:Inc|Corp|Co|Ltd|and)\b)")
"""Names of persons in a text: a given name of the list and a surname, in the middle of a sentence."""
BODIES = re.compile(rf"(?<=[a-z,] )([A-Z][a-z]+)(?: [A-Z][a-z]+)? (?=(?:{'|'.join(FORMS)})\b)")
"""Names of firms in a text, before what their form is called."""
NO_NAMES = (*FORMS, "Group", "Industries", "Industry", "Holdings", "Holding", "Bank", "Company")


def with_either(text: str, left: str, right: str, rng: random.Random) -> Both:
    """The text twice, with one sentence or the other at the same place."""
    parts = _SENTENCE.split(text)
    at = rng.randint(1, len(parts))
    return tuple(" ".join([*parts[:at], one, *parts[at:]]) for one in (left, right))  # type: ignore[return-value]


def _two(words: list[str], rng: random.Random) -> tuple[str, str]:
    one, other = rng.sample(words, 2)
    return one, other


def people(rng: random.Random) -> tuple[str, str]:
    """Two persons: by full name or behind a title."""
    (given, other_given), (name, other) = _two(GIVEN, rng), _two(SURNAMES, rng)
    if rng.random() < 0.6:
        return f"{given} {name}", f"{other_given} {other}"
    title = rng.choice(TITLES)
    return f"{title} {name}", f"{title} {other}"


def person(text: str, draw: Draw) -> Both | None:
    """Another person, wherever the one is named; where nobody is, a sentence with a name goes into both."""
    rng = draw.rng
    found = list(PERSONS.finditer(text))
    if found:
        one = rng.choice(found)
        given, name = people(rng)[0].split()[0], rng.choice(SURNAMES)
        if given in TITLES or name == one[1] or text.count(one[1]) != text.count(one.group()):
            return None
        return text, text.replace(one.group(), f"{given} {name}")
    if not draw.insert:
        return None
    sentence = rng.choice(PERSON_SENTENCES)
    left, right = people(rng)
    return with_either(text, sentence.format(left), sentence.format(right), rng)


def firm(text: str, draw: Draw) -> Both | None:
    """Another firm: one of the text with its form, or in a sentence of its own, with or without a form."""
    rng = draw.rng
    found = [m for m in BODIES.finditer(text) if text.count(m[1]) == 1 and m[1] not in NO_NAMES]
    if found:
        one = rng.choice(found)
        return text, text.replace(one.group(), f"{rng.choice(FIRST)} {rng.choice(TRADES)} ")
    if not draw.insert:
        return None
    sentence = rng.choice(FIRM_SENTENCES)
    left, right = (
        _two(FIRMS, rng) if rng.random() < 0.7 else [f"{w} {rng.choice(TRADES)} Inc" for w in _two(FIRST, rng)]
    )
    return with_either(text, sentence.format(left), sentence.format(right), rng)


def product(text: str, draw: Draw) -> Both | None:
    """Another drug or party in a sentence that goes into both."""
    rng = draw.rng
    words, sentences = rng.choice(((DRUGS, DRUG_SENTENCES), (PARTIES, PARTY_SENTENCES)))
    sentence = rng.choice(sentences)
    left, right = _two(words, rng)
    return with_either(text, sentence.format(left), sentence.format(right), rng)


SAYINGS = (
    "the bridge is safe", "more money is needed", "work should stop at once", "nobody had warned the town", "the vote was fair",
    "the harvest looks poor", "prices are too high", "the contract must be kept", "the river was clean", "it will take years",
)  # fmt: skip


def speakers(text: str, draw: Draw) -> Both | None:
    """Two persons whose statements change places."""
    rng = draw.rng
    one, other = people(rng)
    first, second = rng.sample(SAYINGS, 2)
    form = rng.choice(
        (
            "{a} said {x}, while {b} said {y}.",
            '"{X}," {a} said. "{Y}," {b} said.',
            "{X}, according to {a}. {b} told reporters {y}.",
        )
    )
    said = {"x": first, "X": first.capitalize(), "y": second, "Y": second.capitalize()}
    if "Mr" in one and rng.random() < 0.5:
        first, second = second, first
    return with_either(text, form.format(a=one, b=other, **said), form.format(a=other, b=one, **said), rng)


_WORD_STARTS = (
    ("However,", "Still,"), ("Meanwhile,", "Separately,"), ("Officials", "Authorities"), ("Analysts", "Economists"), ("Also,", "Besides,"),
    ("Residents", "Locals"), ("Critics", "Opponents"), ("Traders", "Dealers"),
)  # fmt: skip
_HEADLINES = (
    ("Town Council Agrees On Plan For {}", "Begins", "Starts"), ("Rescue Effort At River {} After Storm", "Continues", "Resumes"),
    ("Builders {} New Bridge Over River", "Complete", "Finish"), ("Voters {} Plan To Widen Main Road", "Back", "Support"),
    ("Museum {} Collection Of Old Maps", "Displays", "Shows"), ("Ministers {} Talks On Fishing Rights", "Hold", "Conduct"),
)  # fmt: skip


def sentence_start(text: str, draw: Draw) -> Both | None:
    """Another ordinary word with a capital: at the start of a sentence, or in a headline with a capital for every word."""
    rng = draw.rng
    if rng.random() < 0.5:
        left, right = rng.choice(_WORD_STARTS)
        rest = (
            "said that nothing had been decided so far."
            if not left.endswith(",")
            else "nothing has been decided so far."
        )
        return with_either(text, f"{left} {rest}", f"{right} {rest}", rng)
    form, left, right = rng.choice(_HEADLINES)
    if form.endswith("{}"):
        form, left, right = "Council {} Plan For New Harbour", "Approves", "Endorses"
    return f"{form.format(left)}\n{text}", f"{form.format(right)}\n{text}"


_SAME_FIRMS = (
    ("International Business Machines", "IBM"), ("General Electric", "GE"), ("Harborview Foods Inc", "Harborview"),
    ("Bavarian Motor Works", "BMW"), ("Siemens AG", "Siemens"), ("Northgate Energy Corp", "Northgate Energy Corporation"),
    ("Hewlett-Packard", "HP"), ("Silverton & Castlefield", "Silverton and Castlefield"), ("British Broadcasting Corporation", "BBC"),
    ("Fairmont Chemicals Co", "Fairmont Chemicals"),
)  # fmt: skip
_NICK = {"Robert": "Bob", "William": "Bill", "James": "Jim", "Thomas": "Tom", "Michael": "Mike", "Richard": "Dick"}
_SAME_PLACES = [[name.replace("_", " ") for name in pair] for pair in groups("same_places_english.txt")]


def _same_person(rng: random.Random) -> tuple[str, str]:
    given, name = rng.choice(GIVEN), rng.choice(SURNAMES)
    if rng.random() < 0.3:
        given = rng.choice(sorted(_NICK))
        return f"{given} {name}", f"{_NICK[given]} {name}"
    full = f"{given} {name}"
    return full, rng.choice((name, f"Mr {name}", f"{given[0]}. {name}", f"{given} R. {name}", f"Professor {name}"))


def short_form(text: str, draw: Draw) -> Both | None:
    """One person or firm by another form of the name: a short form, initials, a title for the given name."""
    rng = draw.rng
    if rng.random() < 0.5:
        left, right, sentence = *_same_person(rng), rng.choice(PERSON_SENTENCES)
    else:
        left, right, sentence = *rng.choice(_SAME_FIRMS), rng.choice(FIRM_SENTENCES)
    if rng.random() < 0.5:
        left, right = right, left
    return with_either(text, sentence.format(left), sentence.format(right), rng)


_ROLES = ("the company's lawyer", "a senior official", "the minister", "one of them", "the chairman", "an aide")


def role(text: str, draw: Draw) -> Both | None:
    """A person by name, and by the role in other words."""
    rng = draw.rng
    sentence = rng.choice([s for s in PERSON_SENTENCES if not s.startswith("{")])
    return with_either(text, sentence.format(people(rng)[0]), sentence.format(rng.choice(_ROLES)), rng)


def alias(text: str, draw: Draw) -> Both | None:
    """One place by another name."""
    rng = draw.rng
    left, right = rng.choice(_SAME_PLACES)
    sentence = rng.choice(
        ("The ship had left {} a week before.", "The talks in {} lasted two days.", "Exports to {} rose a little.")
    )
    return with_either(text, sentence.format(left), sentence.format(right), rng)


def byline(text: str, draw: Draw) -> Both | None:
    """Another writer of the same story."""
    rng = draw.rng
    (a, b), (x, y) = _two(GIVEN, rng), _two(SURNAMES, rng)
    one, other = f"{a} {x}", f"{b} {y}"
    place: Callable[[str], str] = rng.choice(
        (
            lambda name: f"By {name}\n{text}",
            lambda name: f"By {name}, staff writer\n{text}",
            lambda name: f"{text}\n(Reporting by {name}; editing by Anna Weiss)",
            lambda name: f"{text}\nReporting by {name}",
        )
    )
    return place(one), place(other)


APART = {
    "English person": person,
    "English firm": firm,
    "English drug or party": product,
    "English speakers exchanged": speakers,
}
GOES = {
    "English capital of no name": sentence_start,
    "English short name": short_form,
    "English role for a name": role,
    "English alias of a place": alias,
    "English byline": byline,
}
