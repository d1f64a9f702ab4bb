"""Edits of figures in English words and other notations: Roman numerals, dozens, scores, millions in short, grades, bounds of a count."""

from __future__ import annotations

import re

from draw import Both, Draw
from notations import Lists, pick

NOTATIONS = (
    (
        ("The Phase {} study begins.", "II III IV"),
        ("They ordered {} eggs.", "a_dozen two_dozen three_dozen"),
        ("The gates close at {}.", "noon midnight"),
        ("The home side won {}.", "3-1 1-3"),
        ("It serves {} households.", "14m 15_million 16m"),
        ("The firm is in class {} now.", "A B C"),
        ("They took {} boats.", "six seven eight"),
        ("The bid was {} half of the worth.", "over under"),
    ),
    (
        ("The text is in Part {}.", "I II V VI"),
        ("They sold {} shirts.", "two_dozen four_dozen a_dozen"),
        ("The rule ends at {}.", "midnight noon"),
        ("The match ended {}.", "2-0 0-2 4-2 2-4"),
        ("It reached {} readers.", "1.4m 1.7_million 1.9m"),
        ("The site is in zone {} now.", "B C D"),
        ("They lost {} ships.", "nine five four"),
        ("The cost was {} 200 dollars.", "nearly over"),
    ),
)
EQUAL = (
    (
        ("It serves {} households.", "14_million 14,000,000 14m 14_mn"),
        ("The Phase {} study begins.", "II 2 two"),
        ("They ordered {} eggs.", "a_dozen 12 twelve"),
        ("Some {} people came.", "5k 5,000 5000 five_thousand"),
        ("They took {} boats.", "six 6"),
        ("The share was {}.", "0.50 1/2 0.5"),
        ("The index stood at {} points.", "2930.8 <b>2930.8</b>"),
        ("The price is {}.", "5_dollars_per_kg 5_dollars/kg"),
    ),
    (
        ("It reached {} readers.", "1,400,000 1.4m 1.4_million"),
        ("The text is in Part {}.", "IV 4 four"),
        ("They sold {} shirts.", "two_dozen 24 twenty-four"),
        ("About {} votes were cast.", "12k 12,000 twelve_thousand"),
        ("They lost {} ships.", "nine 9"),
        ("The ratio was {}.", "0.25 1/4"),
        ("The rate stood at {} points.", "418.5 <em>418.5</em>"),
        ("The fee is {}.", "80_dollars_per_ton 80_dollars/ton"),
    ),
)
REWORDED = (
    (
        (
            "The bill for this quarter comes to {} dollars, and it is due at once.",
            "For the quarter the bill has been set at {} dollars, {} dollars of which were carried over.",
        ),
        ("The road is {} km long.", "Surveyors found that the road runs for some {} km, with {} km on bridges."),
    ),
    (
        (
            "The balance of the account is {} dollars, and a visit to the branch is welcome.",
            "Last night the account showed a balance of {} dollars, but {} dollars can only be used for calls.",
        ),
        (
            "The plant made {} tonnes of steel.",
            "According to the firm the steel output of the plant was {} tonnes, and {} tonnes went abroad.",
        ),
    ),
)
"""A statement with a figure, and the same in other words with a figure of its own besides."""
_STOP = re.compile(r"(?<=[a-z)][.!?])\s+(?=[A-Z])")


def _put(lists: Lists, text: str, draw: Draw) -> Both:
    return _spliced(text, pick(lists, draw), draw)


def _spliced(text: str, both: list[str], draw: Draw) -> Both:
    """The text twice, with one sentence or the other behind the same one."""
    at = draw.rng.choice([*(m.start() for m in _STOP.finditer(text)), len(text)])
    return f"{text[:at]} {both[0]}{text[at:]}", f"{text[:at]} {both[1]}{text[at:]}"


def _reworded(text: str, draw: Draw, *, another: bool) -> Both:
    rng = draw.rng
    one, other = rng.choice(REWORDED[draw.half == "held"])
    mine, theirs, inner = (f"{rng.randint(20, 90)}.{rng.randint(1, 9)}" for _ in range(3))
    both = _spliced(text, [one.format(mine), other.format(theirs if another else mine, inner)], draw)
    return both if rng.random() < 0.5 else both[::-1]


def figure_reworded(text: str, draw: Draw) -> Both | None:
    """Another figure in a clause that says the rest in other words, and more."""
    return _reworded(text, draw, another=True)


def clause_reworded(text: str, draw: Draw) -> Both | None:
    """The same figure in a clause that says the rest in other words, and more."""
    return _reworded(text, draw, another=False)


def notation(text: str, draw: Draw) -> Both | None:
    """Another figure: a Roman numeral, dozens, a score turned round, millions in short, a grade, a bound."""
    return _put(NOTATIONS, text, draw)


def same_figure(text: str, draw: Draw) -> Both | None:
    """The same figure in another notation."""
    return _put(EQUAL, text, draw)
