"""Invented Chinese news, as much as is asked for: no text of others, no two articles alike, two of one subject on demand.

Sentences are put together from clauses, clauses from the words of `quchong.lab.web.words`; of places, people and
institutions each article has a cast of its own. Nothing in it is true, and it is no Chinese anyone would print; what
matters is that it is as unequal as news in what detectors look at: sentences of all lengths, ends in 。！？ and inside
quotation marks, figures, names, and hardly a sentence that stands in two articles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quchong.lab.rng import Rng
from quchong.lab.web import words
from quchong.lab.web.bodies import FRESH, ROOM, Article, Block, Lead, Sentence

HEADED = 0.3
"""Share of articles with headings between paragraphs."""
OWN = (36, 36, 36)
"""A subject has so many modifiers, heads and verbs of its own, a quarter of all: what is written about it sounds alike."""
NUMERALS = "一二三四五六七八九"


class Words(NamedTuple):
    """The words clauses are made of."""

    modifiers: Sequence[str]
    heads: Sequence[str]
    verbs: Sequence[str]


EVERY = Words(words.MODIFIERS, words.HEADS, words.VERBS)


class Subject(NamedTuple):
    """What articles of one subject have in common: field, place, thing, words, background sentences with their sources."""

    field: words.Field
    place: str
    thing: str
    words: Words
    background: tuple[Sentence, ...]


class Cast(NamedTuple):
    """Who and what one article is about, beside its subject."""

    month: int
    day: int
    people: tuple[tuple[str, str], ...]
    agencies: tuple[str, ...]
    places: tuple[str, ...]


class NewsWriter:
    """Writes articles of `shortest` to about `longest` characters; a `Source` without end.

    Deterministic in (seed, start, how often it was asked); `start` is the number of the first article. 2,000 to 3,000 articles
    of 1,000 characters a second.
    """

    def __init__(self, seed: int, shortest: int = 600, longest: int = 1500, start: int = 0) -> None:
        self._dice = Rng(seed, 0x6E657773, start)
        self._shortest, self._longest = shortest, longest
        self._number = start
        self._words = EVERY

    def leads(self, count: int, siblings: int) -> list[Lead]:
        """See `Source`."""
        out: list[Lead] = []
        for i in range(max(count, siblings)):
            subject = self.subject()
            first = self.article(subject)
            background = first.body[-1].sentences
            out.append((first, self.article(subject._replace(background=background)) if i < siblings else None))
        return out

    def fresh(self) -> Article:
        """See `Source`."""
        return self.article(self.subject())

    def addition(self) -> Sentence:
        """See `Source`."""
        self._words = EVERY
        return Sentence(self._sentence(self._cast()), FRESH)

    def subject(self) -> Subject:
        """A new subject, without background."""
        d = self._dice
        field = d.pick(words.FIELDS)
        own = Words(*([some[i] for i in d.sample(n, len(some))] for n, some in zip(OWN, EVERY, strict=True)))
        return Subject(field, self._place(), d.pick(field.things), own, ())

    def article(self, subject: Subject) -> Article:
        """An article about this. Its last paragraph tells the background: as given, else written anew."""
        d, cast = self._dice, self._cast()
        self._words = subject.words
        number, self._number = self._number, self._number + 1
        about = subject.place + subject.thing
        act = d.pick(subject.field.acts)
        title = d.pick((
            f"{about}{act} {self._figure()}", f"{about}{self._act()}", f"{cast.people[0][0]}：{about}{act}",
            f"{about}{act} {cast.agencies[0]}回应", f"{about}{act} {self._item()}{d.pick(words.TRENDS)}{self._percent()}",
        ))  # fmt: skip
        lead = (
            f"{cast.month}月{cast.day}日，{about}{act}，{cast.agencies[0]}{d.pick(words.ADVERBS)}{self._act()}，"
            f"{self._item()}{d.pick(words.TRENDS)}{self._percent()}。"
        )
        goal, paragraphs, length = d.between(self._shortest, self._longest), [[lead]], len(lead)
        while length < goal - 60:
            texts = [self._sentence(cast) for _ in range(d.between(2, 5))]
            paragraphs.append(texts)
            length += sum(map(len, texts))
        headed = d.chance(HEADED)
        blocks, at, part = [], number * ROOM, 0
        for i, texts in enumerate(paragraphs):
            if headed and i % 3 == 1 and part < len(NUMERALS):
                mark = f"{NUMERALS[part]}、" if number % 2 else ""
                blocks.append(
                    Block((Sentence(f"{mark}{self._act()}{d.pick(self._words.verbs)}{self._item()}", at),), True)
                )
                at, part = at + 1, part + 1
            blocks.append(Block(tuple(Sentence(text, at + k) for k, text in enumerate(texts))))
            at += len(texts)
        known = subject.background or tuple(Sentence(t, at + k) for k, t in enumerate(self._background(about, cast)))
        return Article(number, title, (*blocks, Block(known)), subject.field.channel)

    def _background(self, about: str, cast: Cast) -> list[str]:
        d = self._dice
        return [f"公开资料显示，{about}始于{d.between(1950, 2010)}年，{self._clause(cast)}。"]

    def _cast(self) -> Cast:
        d = self._dice
        places = tuple(self._place() for _ in range(3))
        agencies = tuple(d.pick(places) + d.pick(words.MODIFIERS) + d.pick(words.AGENCIES) for _ in range(3))
        return Cast(d.between(1, 12), d.between(1, 28), tuple((self._name(), d.pick(words.ROLES)) for _ in range(4)),
                    agencies, places)  # fmt: skip

    def _sentence(self, cast: Cast) -> str:
        d = self._dice
        kind = d.below(20)
        if kind < 4:
            name, role = d.pick(cast.people)
            who = name if kind else f"{d.pick(cast.places)}{role}{name}"
            body = "，".join(self._spoken(cast) for _ in range(d.between(1, 3)))
            return f"{who}{d.pick(words.SAID)}：“{body}{d.pick('。。。！')}”"
        if kind == 4:
            name, role = d.pick(cast.people)
            return f"“{self._spoken(cast)}，{self._spoken(cast)}。”{role}{name}{d.pick(words.SAID)}，{self._clause(cast)}。"
        if kind == 5:
            return f"{self._act()}之后，{d.pick(self._words.heads)}怎么{d.pick(self._words.verbs)}？"
        if kind == 6:
            return f"{self._clause(cast)}{d.pick('。！')}"
        if kind < 10:
            return f"{self._clause(cast)}，{d.pick(words.LINKS)}{self._clause(cast)}。"
        opening = d.pick(words.OPENINGS if kind < 17 else words.REASONS)
        return f"{opening}，{'，'.join(self._clause(cast) for _ in range(d.between(1, 3)))}。"

    def _clause(self, cast: Cast) -> str:
        d, own = self._dice, self._words
        kind = d.below(12)
        if kind < 4:
            who = (d.pick(cast.agencies), f"{d.pick(cast.places)}的{self._item()}", d.pick(words.LINKS), "")[kind]
            out = f"{who}{d.pick(words.ADVERBS) if kind != 2 else ''}{self._act()}"
        elif kind == 4:
            out = f"{self._item()}{d.pick(words.TRENDS)}{self._percent()}"
        elif kind == 5:
            out = f"{d.pick(cast.places)}{self._act()}{self._figure()}"
        elif kind == 6:
            out = f"{self._item()}由{d.pick(own.heads)}{d.pick(own.verbs)}，{self._act()}"
        elif kind == 7:
            out = f"{cast.month}月{d.between(1, 28)}日前{d.pick(words.ADVERBS)}{self._act()}"
        elif kind == 8:
            out = f"{self._act()}的{d.pick(own.heads)}{d.pick(words.ADVERBS)}{d.pick(own.verbs)}到{self._figure()}"
        elif kind == 9:
            out = f"把{self._item()}{d.pick(own.verbs)}给{self._item()}"
        elif kind == 10:
            name, role = d.pick(cast.people)
            out = f"{role}{name}{d.pick(words.ADVERBS)}{self._act()}"
        else:
            out = f"{self._act()}、{self._act()}"
        return out

    def _spoken(self, cast: Cast) -> str:
        d = self._dice
        kind = d.below(4)
        if kind == 0:
            return f"{d.pick(self._words.heads)}{d.pick(self._words.verbs)}了{self._figure()}，{d.pick(words.EARNEST)}"
        if kind == 1:
            return f"我们{d.pick(words.ADVERBS)}{self._act()}"
        return (
            self._clause(cast)
            if kind == 2
            else f"{self._item()}要{d.pick(self._words.verbs)}{d.pick(self._words.heads)}"
        )

    def _act(self) -> str:
        return self._dice.pick(self._words.verbs) + self._item()

    def _item(self) -> str:
        return self._dice.pick(self._words.modifiers) + self._dice.pick(self._words.heads)

    def _place(self) -> str:
        d = self._dice
        return d.pick(words.PLACE_FIRST) + d.pick(words.PLACE_SECOND) + d.pick(words.PLACE_KINDS)

    def _name(self) -> str:
        d = self._dice
        return d.pick(words.SURNAMES) + d.pick(words.GIVEN) + (d.pick(words.GIVEN) if d.below(4) else "")

    def _percent(self) -> str:
        return f"{self._dice.between(1, 98)}.{self._dice.below(10)}%"

    def _figure(self) -> str:
        d = self._dice
        if d.below(4):
            return f"{d.between(2, 10 ** d.between(1, 4))}{d.pick(words.UNITS)}"
        return f"{d.between(1, 999)}.{d.below(100)}{d.pick(words.MONEYS)}"
