"""Edits that sites make to articles they copy: letters, words, sentences, digests, split pages, merged and quoted parts.

Every function takes a body and returns a new one. A sentence that is changed or cut keeps its source; one that an editor wrote has
the source FRESH.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quchong_lab.rng import Rng
from quchong_lab.web.bodies import Block, Body, Sentence, characters
from quchong_lab.web.words import ZH, Lexicon


def each(body: Body, change: Callable[[str], str]) -> Body:
    """Apply a change to the text of every sentence of a body."""
    return tuple(b._replace(sentences=tuple(Sentence(change(s.text), s.source) for s in b.sentences)) for b in body)


def edit_characters(body: Body, rate: float, rng: Rng, lexicon: Lexicon = ZH) -> Body:
    """Edit a share `rate` of the characters: each is replaced, removed, or preceded by a new one; the last of a sentence is kept."""

    def change(text: str) -> str:
        for _ in range(rng.rounded(rate * len(text))):
            if len(text) > 2:
                at, kind = rng.below(len(text) - 1), rng.below(3)
                text = text[:at] + ("" if kind == 0 else rng.pick(lexicon.common)) + text[at + (kind != 1) :]
        return text

    return each(body, change)


def edit_words(body: Body, rate: float, rng: Rng, lexicon: Lexicon = ZH) -> Body:
    """Replace a share `rate` of the words (of `lexicon.letters` characters each), first by synonyms, then by other words."""

    def change(text: str) -> str:
        left = rng.rounded(rate * len(text) / lexicon.letters)
        known = list(lexicon.known.finditer(text)) if left else []
        for i in reversed(rng.sample(left, len(known))):
            text = text[: known[i].start()] + lexicon.synonyms[known[i][0]] + text[known[i].end() :]
            left -= 1
        for _ in range(left):
            found = lexicon.word.search(text, rng.below(len(text)))
            if found:
                text = text[: found.start()] + rng.pick(lexicon.heads) + text[found.end() :]
        return text

    return each(body, change)


def keep(body: Body, wanted: set[int]) -> Body:
    """Keep the sentences with these indices (counted through the body); empty paragraphs are removed."""
    at, out = 0, []
    for block in body:
        kept = tuple(s for i, s in enumerate(block.sentences, at) if i in wanted)
        at += len(block.sentences)
        if kept:
            out.append(block._replace(sentences=kept))
    return tuple(out)


def flat(body: Iterable[Block]) -> list[Sentence]:
    """Return all sentences, headings included."""
    return [s for block in body for s in block.sentences]


def drop_sentences(body: Body, rate: float, rng: Rng) -> Body:
    """Remove a share `rate` of the sentences: at least one, never all."""
    count = len(flat(body))
    gone = rng.sample(min(max(1, round(rate * count)), count - 1), count)
    return keep(body, set(range(count)) - set(gone))


def insert_sentences(body: Body, rate: float, addition: Callable[[], Sentence], rng: Rng) -> Body:
    """Insert new sentences at random into paragraphs: a share `rate` of the number of old ones, at least one."""
    paragraphs = [i for i, block in enumerate(body) if not block.heading]
    lists = [list(block.sentences) for block in body]
    for _ in range(max(1, round(rate * len(flat(body))))):
        if paragraphs:
            into = lists[rng.pick(paragraphs)]
            into.insert(rng.below(len(into) + 1), addition())
    return tuple(block._replace(sentences=tuple(s)) for block, s in zip(body, lists, strict=True))


def move_sentences(body: Body, rate: float, rng: Rng) -> Body:
    """Swap a share `rate` of the sentences, at least two, with others; half the time two paragraphs are swapped too."""
    lists = [list(block.sentences) for block in body]
    places = [(i, k) for i, block in enumerate(body) if not block.heading for k in range(len(block.sentences))]
    swaps = min(max(1, round(rate * len(places) / 2)), len(places) // 2)
    chosen = rng.sample(2 * swaps, len(places))
    shuffled = [places[chosen[i]] for i in rng.order(len(chosen))]
    for (a, i), (b, k) in zip(shuffled[::2], shuffled[1::2], strict=True):
        lists[a][i], lists[b][k] = lists[b][k], lists[a][i]
    out = [block._replace(sentences=tuple(s)) for block, s in zip(body, lists, strict=True)]
    if len(out) > 1 and rng.chance(0.5):
        a, b = rng.sample(2, len(out))
        out[a], out[b] = out[b], out[a]
    return tuple(out)


def truncate(body: Body, share: float, lexicon: Lexicon = ZH) -> Body:
    """Keep the first `share` of the characters; the last sentence is cut there and ends in an ellipsis."""
    left, out = max(1, round(share * characters(body))), []
    for block in body:
        kept = []
        for s in block.sentences:
            if left > 0:
                kept.append(s if len(s.text) <= left else Sentence(s.text[:left] + lexicon.ellipsis, s.source))
                left -= len(s.text)
        if kept:
            out.append(block._replace(sentences=tuple(kept)))
    return tuple(out)


def digest(body: Body, share: float, rng: Rng) -> Body:
    """Keep random sentences, in order, of about `share` of the characters, as near as whole sentences allow."""
    every = flat(body)
    goal, wanted, length = share * characters(body), set[int](), 0
    for i in rng.order(len(every)):
        size = len(every[i].text)
        if abs(length + size - goal) < abs(length - goal):
            wanted.add(i)
            length += size
    return keep(body, wanted or {0})


def split(body: Body, parts: int) -> list[Body]:
    """Split a body into up to `parts` pages of about equal length; between paragraphs if there are at least two for
    each page, else between sentences.
    """
    blocks = list(body)
    if len(blocks) < 2 * parts:
        blocks = [block._replace(sentences=(s,)) for block in body for s in block.sentences]
    total, done = characters(body), 0
    pages: list[list[Block]] = [[] for _ in range(parts)]
    for block in blocks:
        size = characters((block,))
        pages[min((2 * done + size) * parts // (2 * total), parts - 1)].append(block)  # by its middle
        done += size
    return [tuple(page) for page in pages if page]


def merge(first: Body, second: Body, rng: Rng) -> Body:
    """Combine two bodies on one page, one after the other or alternating by paragraph."""
    if rng.chance(0.7):
        return first + second
    out: list[Block] = []
    for i in range(max(len(first), len(second))):
        out += [*first[i : i + 1], *second[i : i + 1]]
    return tuple(out)


def quote(host: Body, quoted: Body, share: float, rng: Rng) -> Body:
    """Insert consecutive sentences of the quoted body, of about `share` of its characters, into the host."""
    every = flat(quoted)
    goal, length = share * characters(quoted), 0
    at = rng.below(len(every))
    taken: list[Sentence] = []
    while length < goal and len(taken) < len(every):
        s = every[(at + len(taken)) % len(every)]
        if taken and abs(length + len(s.text) - goal) >= abs(length - goal):
            break
        taken.append(s)
        length += len(s.text)
    place = rng.below(len(host)) + 1
    inside = tuple(Block(tuple(taken[i : i + 4])) for i in range(0, len(taken), 4))
    return host[:place] + inside + host[place:]
