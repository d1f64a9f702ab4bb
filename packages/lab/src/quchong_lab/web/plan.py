"""Plan of the pages of a batch: articles, siblings, and copies of each kind in their shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from quchong_lab.rng import Rng
from quchong_lab.web import edits
from quchong_lab.web.bodies import Article, Body, Lead, Source
from quchong_lab.web.words import ZH, Lexicon

KINDS = {
    "template": 0.25, "characters": 0.12, "words": 0.09, "deleted": 0.08, "inserted": 0.06, "reordered": 0.06,
    "shortened": 0.10, "digest": 0.10, "split": 0.07, "merged": 0.04, "quoted": 0.03,
}  # fmt: skip
"""Kinds of copies and their shares: the same body on another site; characters or words edited; sentences removed, inserted or
moved; 51-95% or 10-49% kept, from the start or from everywhere; one of several pages; two articles on a page; a
part of it inside another article. Pages that are no copies are `original` or `sibling`."""


@dataclass(frozen=True, slots=True)
class EditRates:
    """Amounts of editing, as shares; one value of a tuple is drawn, or any value between the two of a (least, most).

    Attributes:
        characters, words, sentences: tuples of shares of the body's characters, words or sentences, to draw from.
        shortened, digest, quoted: share of the characters kept or quoted, (least, most).
        parts: most pages of a split article; the least is 2.
    """

    characters: tuple[float, ...] = (0.01, 0.03, 0.08)
    words: tuple[float, ...] = (0.02, 0.05, 0.10)
    sentences: tuple[float, ...] = (0.05, 0.10, 0.20)
    shortened: tuple[float, float] = (0.51, 0.95)
    digest: tuple[float, float] = (0.10, 0.49)
    quoted: tuple[float, float] = (0.25, 0.55)
    parts: int = 4


class Draft(NamedTuple):
    """Planned page of a batch, original or copy, before it gets a site.

    `of` is the index among all drafts of the article it was made from, None for an original; `part` and `parts` number
    the pages of a split article, whose parts follow each other. `sibling_of` is the article of the same subject.
    """

    kind: str
    title: str
    body: Body
    channel: str
    articles: tuple[int, ...]
    of: int | None = None
    rate: float | None = None
    part: int = 1
    parts: int = 1
    sibling_of: int | None = None


def planned(
    leads: list[Lead], copies: int, kinds: dict[str, float], rates: EditRates, favour: float, source: Source, rng: Rng,
    lexicon: Lexicon = ZH,
) -> list[Draft]:  # fmt: skip
    """Plan drafts of all articles, then of their siblings, then of `copies` copies.

    Kinds get their shares as exactly as whole pages allow (largest remainder).
    """
    articles = [first for first, _ in leads]
    out = [Draft("original", a.title, a.body, a.channel, (a.number,)) for a in articles]
    out += [Draft("sibling", b.title, b.body, b.channel, (b.number,), sibling_of=a.number) for a, b in leads if b]
    for kind, count in _quotas(copies, kinds).items():
        while count > 0:
            of = min(int(len(articles) * rng.share() ** favour), len(articles) - 1)
            if kind == "split" and count > 1:
                made = _split(articles[of], of, min(count, rng.between(2, max(2, rates.parts))))
            else:
                made = [_copy(kind, articles, of, rates, source, rng, lexicon)]
            out += made
            count -= len(made)
    return out


def _quotas(count: int, kinds: dict[str, float]) -> dict[str, int]:
    total = sum(kinds.values())
    exact = {kind: count * part / total for kind, part in kinds.items()}
    out = {kind: int(amount) for kind, amount in exact.items()}
    wanting = sorted(exact, key=lambda kind: (out[kind] - exact[kind], kind))
    for kind in wanting[: count - sum(out.values())]:
        out[kind] += 1
    return out


def _split(article: Article, of: int, parts: int) -> list[Draft]:
    bodies = edits.split(article.body, parts)
    known = Draft("split", article.title, article.body, article.channel, (article.number,), of, None, 1, len(bodies))
    if len(bodies) == 1:
        return [known._replace(kind="template")]
    return [known._replace(body=body, part=i) for i, body in enumerate(bodies, 1)]


def _copy(
    kind: str, articles: list[Article], of: int, rates: EditRates, source: Source, rng: Rng, lexicon: Lexicon
) -> Draft:
    mine = articles[of]
    body, title = mine.body, _title(mine.title, rng, lexicon)
    numbers: tuple[int, ...] = (mine.number,)
    rate: float | None = None
    if kind == "characters":
        rate = rng.pick(rates.characters)
        body = edits.edit_characters(body, rate, rng, lexicon)
    elif kind == "words":
        rate = rng.pick(rates.words)
        body = edits.edit_words(body, rate, rng, lexicon)
    elif kind in ("deleted", "inserted", "reordered"):
        rate = rng.pick(rates.sentences)
        if kind == "deleted":
            body = edits.drop_sentences(body, rate, rng)
        elif kind == "inserted":
            body = edits.insert_sentences(body, rate, source.addition, rng)
        else:
            body = edits.move_sentences(body, rate, rng)
    elif kind in ("shortened", "digest"):
        rate = rng.share(*(rates.shortened if kind == "shortened" else rates.digest))
        body = edits.truncate(body, rate, lexicon) if rng.chance(0.5) else edits.digest(body, rate, rng)
    elif kind == "merged" and len(articles) > 1:
        other = articles[(of + 1 + rng.below(len(articles) - 1)) % len(articles)]
        body, numbers = edits.merge(body, other.body, rng), (mine.number, other.number)
        title = f"{title} {other.title}"
    elif kind == "quoted":
        rate, host = rng.share(*rates.quoted), source.fresh()
        body, numbers, title = edits.quote(host.body, body, rate, rng), (host.number, mine.number), host.title
    else:
        kind = "template"
    return Draft(kind, title, body, mine.channel, numbers, of, rate)


def _title(title: str, rng: Rng, lexicon: Lexicon) -> str:
    """Return the title of a copy: unchanged two times in three, else with a mark or cut to its first part."""
    if rng.below(3):
        return title
    return rng.pick((*(mark.format(title) for mark in lexicon.marked), title[: max(8, len(title) // 2)]))
