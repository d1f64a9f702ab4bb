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
_STOP = re.compile(r"(?<=[a-z)][.!?])\s+(?=[A-Z])")


def _put(lists: Lists, text: str, draw: Draw) -> Both:
    both = pick(lists, draw)
    at = draw.rng.choice([*(m.start() for m in _STOP.finditer(text)), len(text)])
    return f"{text[:at]} {both[0]}{text[at:]}", f"{text[:at]} {both[1]}{text[at:]}"


def notation(text: str, draw: Draw) -> Both | None:
    """Another figure: a Roman numeral, dozens, a score turned round, millions in short, a grade, a bound."""
    return _put(NOTATIONS, text, draw)


def same_figure(text: str, draw: Draw) -> Both | None:
    """The same figure in another notation."""
    return _put(EQUAL, text, draw)
