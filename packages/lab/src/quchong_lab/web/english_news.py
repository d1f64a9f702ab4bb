"""Generated English news: the grammar of `quchong_lab.web.writer` in English.

Clauses have a subject, a verb in the past and an object; sentences end in . ? ! and inside quotation marks, and have abbreviations
(Dr. Clara Barlow) and decimal points, as newswire has them. It does not read like a newspaper, and need not.
"""

from __future__ import annotations

from quchong_lab.web.words import EN
from quchong_lab.web.writer import Cast, Subject, Writer

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
PLACE_KINDS = ("", "", "", " County", " Valley", " Bay", " Heights", "-on-Sea")
DETERMINERS = ("the ", "the ", "the ", "", "", "", "its ", "some of the ", "these ", "all ")
MONEYS = ("thousand pounds", "thousand pounds", "million pounds", "pounds")


class EnglishWriter(Writer):
    """Writer of English articles; see `Writer`. An English text needs 2.5 times the characters of a Chinese one for the same content."""

    lexicon = EN

    def _title_subject(self, subject: Subject) -> str:
        return f"{subject.place} {subject.thing}"

    def _title(self, about: str, act: str, cast: Cast) -> str:
        title = self._dice.pick((
            f"{about} {act}: {self._figure()}", f"{about}: {self._act()}", f"{cast.people[0][0]}: {about} {act}",
            f"{about} {act}, {cast.agencies[0]} answers", f"{about} {act} as {self._item()} {self._trend()}",
        ))  # fmt: skip
        return _upper(title)

    def _lead(self, about: str, act: str, cast: Cast) -> str:
        d = self._dice
        return (
            f"{MONTHS[cast.month - 1]} {cast.day}: the {about} {act}, and the {cast.agencies[0]} {d.pick(EN.adverbs)} {self._act()}, "
            f"as {self._item()} {self._trend()}."
        )

    def _heading(self) -> str:
        return _upper(f"{self._item()}: {self._act()}")

    def _mark(self, part: int) -> str:
        return f"{part + 1}. "

    def _background(self, about: str, cast: Cast) -> list[str]:
        return [
            f"Public records show that the {about} dates from {self._dice.between(1950, 2010)}, when {self._clause(cast)}."
        ]

    def _agency(self, place: str) -> str:
        return f"{place} {_title_case(self._dice.pick(EN.modifiers))} {self._dice.pick(EN.agencies)}"

    def _sentence(self, cast: Cast) -> str:
        d = self._dice
        kind = d.below(20)
        if kind < 4:
            name, role = d.pick(cast.people)
            who = name if kind else f"{name}, {role} in {d.pick(cast.places)},"
            body = ", and ".join(self._spoken(cast) for _ in range(d.between(1, 3)))
            return f"{_upper(who)} {d.pick(EN.said)}: “{_upper(body)}{d.pick('...!')}”"
        if kind == 4:
            name, role = d.pick(cast.people)
            said = f"“{_upper(self._spoken(cast))}, and {self._spoken(cast)},” {role} {name} {d.pick(EN.said)}"
            return f"{said}, {d.pick(EN.links)} {self._clause(cast)}."
        if kind == 5:
            return f"After {self._item()} {d.pick(self._words.verbs)} {self._item()}, what were the {d.pick(self._words.heads)} for?"
        if kind == 6:
            return f"{_upper(self._clause(cast))}{d.pick('.!')}"
        if kind < 10:
            return f"{_upper(self._clause(cast))}, {d.pick(EN.links)} {self._clause(cast)}."
        opening = d.pick(EN.openings if kind < 17 else EN.reasons)
        return f"{opening}, {', and '.join(self._clause(cast) for _ in range(d.between(1, 3)))}."

    def _clause(self, cast: Cast) -> str:
        d, own = self._dice, self._words
        kind = d.below(12)
        if kind < 4:
            who = (
                f"the {d.pick(cast.agencies)}",
                f"{self._item()} of {d.pick(cast.places)}",
                d.pick(own.heads),
                self._item(),
            )[kind]
            out = f"{who} {d.pick(EN.adverbs)} {self._act()}"
        elif kind == 4:
            out = f"{self._item()} {self._trend()}"
        elif kind == 5:
            out = f"{d.pick(cast.places)} {self._act()} of {self._figure()}"
        elif kind == 6:
            out = f"{self._item()} were {d.pick(own.verbs)} by {d.pick(own.heads)} that {self._act()}"
        elif kind == 7:
            out = (
                f"by {MONTHS[cast.month - 1]} {d.between(1, 28)} {d.pick(own.heads)} {d.pick(EN.adverbs)} {self._act()}"
            )
        elif kind == 8:
            out = f"the {d.pick(own.heads)} that {self._act()} were {d.pick(EN.adverbs)} {d.pick(own.verbs)} to {self._figure()}"
        elif kind == 9:
            out = f"{self._item()} were {d.pick(own.verbs)} for {self._item()}"
        elif kind == 10:
            name, role = d.pick(cast.people)
            out = f"{role} {name} {d.pick(EN.adverbs)} {self._act()}"
        else:
            out = f"{d.pick(own.heads)} {self._act()} and {self._act()}"
        return out

    def _spoken(self, cast: Cast) -> str:
        d = self._dice
        kind = d.below(4)
        if kind == 0:
            return f"{d.pick(self._words.heads)} {d.pick(self._words.verbs)} {self._figure()}, {d.pick(EN.earnest)}"
        if kind == 1:
            return f"we {d.pick(EN.adverbs)} {self._act()}"
        return self._clause(cast) if kind == 2 else f"{self._item()} have to be {d.pick(self._words.verbs)}"

    def _act(self) -> str:
        return f"{self._dice.pick(self._words.verbs)} {self._item()}"

    def _item(self) -> str:
        d = self._dice
        return f"{d.pick(DETERMINERS)}{d.pick(self._words.modifiers)} {d.pick(self._words.heads)}"

    def _trend(self) -> str:
        return f"{self._dice.pick(EN.trends)} {self._dice.between(1, 98)}.{self._dice.below(10)} percent"

    def _place(self) -> str:
        d = self._dice
        return d.pick(EN.place_first) + d.pick(EN.place_second) + d.pick(PLACE_KINDS)

    def _name(self) -> str:
        d = self._dice
        return f"{d.pick(('', '', '', 'Dr. '))}{d.pick(EN.given)} {d.pick(EN.surnames)}"

    def _figure(self) -> str:
        d = self._dice
        if d.below(4):
            return f"{d.between(2, 10 ** d.between(1, 4)):,} {d.pick(EN.units)}"
        return f"{d.between(1, 999)}.{d.below(100)} {d.pick(MONEYS)}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _title_case(text: str) -> str:
    return " ".join(_upper(word) for word in text.split())
