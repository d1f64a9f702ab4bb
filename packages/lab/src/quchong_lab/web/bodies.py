"""Articles before they become pages: sentences with their sources, and bodies that the caller gives."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeAlias

import pyarrow as pa

from quchong.errors import UsageError
from quchong.text.sentences import sentences
from quchong_lab.web.words import Language

ROOM = 4096
"""Numbers reserved for the sentences of an article; article `number` uses them from `number * ROOM`."""
FRESH = -1
"""Source of a sentence that an editor wrote."""
SAME_SUBJECT = 0.4
"""Least similarity of two titles (twice the shared bigrams by all of both) at which given articles count as of one subject."""
SHARED_TEXT = 0.1
"""Largest share of the smaller article's sentences that the other may contain for both to count as of one subject."""

_HAN = re.compile("[一-鿿]")


class Sentence(NamedTuple):
    """Sentence of an article: its present text, and the number of the original sentence that it is or was made from (or FRESH)."""

    text: str
    source: int


class Block(NamedTuple):
    """Paragraph, or a heading of one sentence."""

    sentences: tuple[Sentence, ...]
    heading: bool = False


Body: TypeAlias = tuple[Block, ...]


class Article(NamedTuple):
    """Article with its own `number`; sentences that quote another article have the sources of that one."""

    number: int
    title: str
    body: Body
    channel: str = "新闻"


Lead: TypeAlias = tuple[Article, Article | None]
"""Article, and another one of the same subject with other facts, or None."""


class Source(Protocol):
    """Source of articles; each article is given out once."""

    def leads(self, count: int, siblings: int) -> list[Lead]:
        """Return `count` leads, `count` + `siblings` articles in all. The first `siblings` leads have, as long as there are any, a sibling:
        another article of the same subject with other facts.
        """
        ...

    def fresh(self) -> Article:
        """Return one article that was not returned before, without a sibling."""
        ...

    def addition(self) -> Sentence:
        """Return a sentence that belongs to no article, for insertion."""
        ...


def characters(body: Iterable[Block]) -> int:
    """Count the characters of all sentences, headings included."""
    return sum(len(s.text) for block in body for s in block.sentences)


def article(number: int, title: str, paragraphs: Iterable[str], channel: str = "新闻") -> Article:
    """Build an article from plain paragraphs, cut into sentences by `quchong.text.sentences`; empty paragraphs are dropped.

    Raises:
        UsageError: there is no sentence, or ROOM or more.
    """
    blocks, at = [], number * ROOM
    for paragraph in paragraphs:
        found = [paragraph[a:b] for a, b in sentences(paragraph)]
        if found:
            blocks.append(Block(tuple(Sentence(text, at + i) for i, text in enumerate(found))))
            at += len(found)
    if not 0 < at - number * ROOM < ROOM:
        raise UsageError("body {} ({!r}) has no sentence, or {} and more: leave it out", number, title, ROOM)
    return Article(number, title, tuple(blocks), channel)


def language_of(texts: pa.Table | None) -> Language:
    """Return the language in which to make pages of these articles; Chinese for None.

    It is English if Han characters are less than a tenth of the letters in the first hundred articles, else Chinese.
    """
    if texts is None:
        return "zh"
    first = "".join(text or "" for text in texts["text"].slice(0, 100).to_pylist())
    letters = sum(map(str.isalpha, first))
    return "en" if 10 * len(_HAN.findall(first)) < letters else "zh"


def one_per_cluster(ids: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return the first id of each set of ids connected by pairs; bodies chosen so contain no copies that would make labels wrong.

    O(ids + pairs). Pairs of unknown ids are ignored.
    """
    root = {name: name for name in ids}
    place = {name: i for i, name in enumerate(ids)}

    def find(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for a, b in pairs:
        if a in root and b in root:
            first, second = sorted((find(a), find(b)), key=place.__getitem__)
            root[second] = first
    return [name for name in ids if root[name] == name]


@dataclass
class GivenBodies:
    """Bodies that the caller gives, returned in their order; where siblings are wanted, those with a partner of the
    same subject come first.

    Partners are found by title: each article is paired with the most similar earlier one that has no partner yet (coefficient of
    title bigrams of at least SAME_SUBJECT), unless they share sentences. Inserted sentences come from `additions`.
    """

    articles: Sequence[Article]
    additions: Source

    def __post_init__(self) -> None:
        self._paired = same_subject(self.articles)
        in_pairs = {i for pair in self._paired for i in pair}
        self._single = [i for i in range(len(self.articles)) if i not in in_pairs]

    def _next(self) -> Article:
        if not self._single and self._paired:
            self._single.extend(self._paired.pop())
        if not self._single:
            raise UsageError(
                "the {:,} bodies given are used up: ask for fewer pages, a larger share of copies, or leave "
                "bodies out and have them written",
                len(self.articles),
            )
        return self.articles[self._single.pop(0)]

    def leads(self, count: int, siblings: int) -> list[Lead]:
        """See `Source`; if there are too few pairs, single articles replace them."""
        pairs = [self._paired.pop(0) for _ in range(min(count, siblings, len(self._paired)))]
        out: list[Lead] = [(self.articles[a], self.articles[b]) for a, b in pairs]
        out += [(self._next(), None) for _ in range(count + siblings - 2 * len(pairs))]
        return out

    def fresh(self) -> Article:
        """See `Source`."""
        return self._next()

    def addition(self) -> Sentence:
        """See `Source`."""
        return self.additions.addition()


def same_subject(articles: Sequence[Article]) -> list[tuple[int, int]]:
    """Return disjoint pairs of articles, by index, whose titles are similar and whose sentences are not."""
    grams = [{a + b for a, b in pairwise(x.title)} for x in articles]
    texts = [{s.text for block in x.body for s in block.sentences} for x in articles]
    holders: dict[str, list[int]] = defaultdict(list)
    free = set(range(len(articles)))
    pairs = []
    for i, mine in enumerate(grams):
        shared: dict[int, int] = defaultdict(int)
        for gram in mine:
            for j in holders[gram]:
                shared[j] += 1
        scored = ((2 * n / (len(mine) + len(grams[j])), -j) for j, n in shared.items() if j in free)
        for score, negative in sorted(scored, reverse=True):
            j = -negative
            if score < SAME_SUBJECT:
                break
            if len(texts[i] & texts[j]) <= SHARED_TEXT * min(len(texts[i]), len(texts[j])):
                pairs.append((j, i))
                free -= {i, j}
                break
        if i in free:
            for gram in mine:
                holders[gram].append(i)
    return pairs
