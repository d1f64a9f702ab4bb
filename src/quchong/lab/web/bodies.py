"""Articles before they become pages: sentences that know where they come from, and bodies a caller brings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeAlias

import pyarrow as pa

from quchong.errors import UsageError
from quchong.lab.web.words import Language
from quchong.text.sentences import sentences

ROOM = 4096
"""An article numbers its sentences from `number * ROOM`."""
FRESH = -1
"""The source of a sentence an editor wrote."""
SAME_SUBJECT = 0.4
"""From this Rng coefficient of their titles' bigrams on two given articles count as of one subject."""
SHARED_TEXT = 0.1
"""... unless more than this share of the smaller one's sentences stands in the other."""

_HAN = re.compile("[一-鿿]")


class Sentence(NamedTuple):
    """A sentence as it stands, and the number of the original sentence it is or was made from (or FRESH)."""

    text: str
    source: int


class Block(NamedTuple):
    """A paragraph, or a heading of one sentence."""

    sentences: tuple[Sentence, ...]
    heading: bool = False


Body: TypeAlias = tuple[Block, ...]


class Article(NamedTuple):
    """An article. `number` is its own; sentences may have sources of another one, which they quote."""

    number: int
    title: str
    body: Body
    channel: str = "新闻"


Lead: TypeAlias = tuple[Article, Article | None]
"""An article, and one of the same subject with other facts."""


class Source(Protocol):
    """Where articles come from. Each is handed out once."""

    def leads(self, count: int, siblings: int) -> list[Lead]:
        """So many articles, the first of them (as far as there are any) with a sibling: count + siblings in all."""
        ...

    def fresh(self) -> Article:
        """One more article."""
        ...

    def addition(self) -> Sentence:
        """A sentence of no article, for insertion."""
        ...


def characters(body: Iterable[Block]) -> int:
    """Characters of all sentences, headings included."""
    return sum(len(s.text) for block in body for s in block.sentences)


def article(number: int, title: str, paragraphs: Iterable[str], channel: str = "新闻") -> Article:
    """An article of plain paragraphs, cut into sentences by `quchong.text.sentences`; empty paragraphs are dropped.

    Raises:
        UsageError: no sentence, or as many as ROOM.
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
    """The language to make pages of these articles in: English where Han characters are less than a tenth of the letters of the first
    hundred, else Chinese; of none at all Chinese.
    """
    if texts is None:
        return "zh"
    first = "".join(text or "" for text in texts["text"].slice(0, 100).to_pylist())
    letters = sum(map(str.isalpha, first))
    return "en" if 10 * len(_HAN.findall(first)) < letters else "zh"


def one_per_cluster(ids: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The ids, of each set connected by pairs only the first: bodies whose own copies cannot confuse the labels.

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
    """Bodies a caller brings, handed out in their order: those with a partner of the same subject first where asked.

    Partners are found by title: each article with the most similar earlier one that has none yet (Rng coefficient of
    title bigrams of at least SAME_SUBJECT), unless they share sentences. Inserted sentences are `additions`.
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
        """See `Source`; pairs wanting, single articles take their place."""
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
    """Disjoint pairs of articles whose titles are alike and whose sentences are not, by index."""
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
