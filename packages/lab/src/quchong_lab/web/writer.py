"""Generated news in any amount: no text of others, no two articles alike, two of one subject on demand.

An article, in any language, has a title, a lead, paragraphs, some with headings, and a background that articles of one subject
share. Sentences come from the grammar of a language: `NewsWriter` (Chinese), `EnglishWriter`. Nothing in it is true. It varies as
news does in the features that detectors use: sentences of all lengths and endings, quotations, figures, names, and hardly a
sentence that occurs in two articles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from quchong_lab.rng import Rng
from quchong_lab.web.bodies import FRESH, ROOM, Article, Block, Lead, Sentence
from quchong_lab.web.words import Field, Lexicon

HEADED = 0.3
"""Share of articles with headings between paragraphs."""
OWN = (36, 36, 36)
"""Numbers of modifiers, heads and verbs of a subject, a quarter of all, so that articles on one subject use similar words."""
PARTS = 9
"""Most headings of an article."""


class Words(NamedTuple):
    """Words that clauses are made of."""

    modifiers: Sequence[str]
    heads: Sequence[str]
    verbs: Sequence[str]


class Subject(NamedTuple):
    """Common content of the articles of one subject: field, place, thing, words, background sentences with their sources."""

    field: Field
    place: str
    thing: str
    words: Words
    background: tuple[Sentence, ...]


class Cast(NamedTuple):
    """Persons, institutions, places and date of one article."""

    month: int
    day: int
    people: tuple[tuple[str, str], ...]
    agencies: tuple[str, ...]
    places: tuple[str, ...]


class Writer(ABC):
    """Writer of articles of `shortest` to about `longest` characters; an endless `Source`.

    Articles depend only on seed, start and the number of earlier calls; `start` is the number of the first article. 2,000 to 3,000 articles
    of 1,000 characters a second.
    """

    lexicon: ClassVar[Lexicon]

    def __init__(self, seed: int, shortest: int = 600, longest: int = 1500, start: int = 0) -> None:
        self._dice = Rng(seed, 0x6E657773, start)
        self._shortest, self._longest = shortest, longest
        self._number = start
        self._every = Words(self.lexicon.modifiers, self.lexicon.heads, self.lexicon.verbs)
        self._words = self._every

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
        self._words = self._every
        return Sentence(self._sentence(self._cast()), FRESH)

    def subject(self) -> Subject:
        """Invent a new subject, without background."""
        d = self._dice
        field = d.pick(self.lexicon.fields)
        own = Words(*([some[i] for i in d.sample(n, len(some))] for n, some in zip(OWN, self._every, strict=True)))
        return Subject(field, self._place(), d.pick(field.things), own, ())

    def article(self, subject: Subject) -> Article:
        """Write an article about a subject; its last paragraph is the subject's background, or a new one if that is empty."""
        d, cast = self._dice, self._cast()
        self._words = subject.words
        number, self._number = self._number, self._number + 1
        about, act = self._title_subject(subject), d.pick(subject.field.acts)
        title, lead = self._title(about, act, cast), self._lead(about, act, cast)
        goal, paragraphs, length = d.between(self._shortest, self._longest), [[lead]], len(lead)
        while length < goal - 60:
            texts = [self._sentence(cast) for _ in range(d.between(2, 5))]
            paragraphs.append(texts)
            length += sum(map(len, texts))
        headed = d.chance(HEADED)
        blocks, at, part = [], number * ROOM, 0
        for i, texts in enumerate(paragraphs):
            if headed and i % 3 == 1 and part < PARTS:
                mark = self._mark(part) if number % 2 else ""
                blocks.append(Block((Sentence(f"{mark}{self._heading()}", at),), True))
                at, part = at + 1, part + 1
            blocks.append(Block(tuple(Sentence(text, at + k) for k, text in enumerate(texts))))
            at += len(texts)
        known = subject.background or tuple(Sentence(t, at + k) for k, t in enumerate(self._background(about, cast)))
        return Article(number, title, (*blocks, Block(known)), subject.field.channel)

    @abstractmethod
    def _title_subject(self, subject: Subject) -> str:
        """Return place and thing as titles name them."""

    @abstractmethod
    def _title(self, about: str, act: str, cast: Cast) -> str: ...

    @abstractmethod
    def _lead(self, about: str, act: str, cast: Cast) -> str:
        """Return the first sentence of an article."""

    @abstractmethod
    def _heading(self) -> str: ...

    @abstractmethod
    def _mark(self, part: int) -> str:
        """Return the numbering mark of a heading by its index, from 0."""

    @abstractmethod
    def _background(self, about: str, cast: Cast) -> list[str]: ...

    def _cast(self) -> Cast:
        d = self._dice
        places = tuple(self._place() for _ in range(3))
        agencies = tuple(self._agency(d.pick(places)) for _ in range(3))
        month, day = d.between(1, 12), d.between(1, 28)
        return Cast(month, day, tuple((self._name(), d.pick(self.lexicon.roles)) for _ in range(4)), agencies, places)

    @abstractmethod
    def _agency(self, place: str) -> str:
        """Return the name of an institution of a place."""

    @abstractmethod
    def _name(self) -> str: ...

    @abstractmethod
    def _sentence(self, cast: Cast) -> str: ...

    @abstractmethod
    def _place(self) -> str: ...
