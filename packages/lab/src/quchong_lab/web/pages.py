"""Labelled page corpora of any size: articles in the templates of invented sites, their copies, and the truth.

A corpus is made in batches; an article, its copies and its siblings are in one batch, so that memory is bounded and labels are
complete. Equal recipes (and bodies) give equal bytes on every machine.

    corpus = web_corpus(WebRecipe(pages=3000, seed=1))
    for batch in web_batches(WebRecipe(pages=200_000, html=False)): ...

Chinese pages are in UTF-8, GBK or GB18030, declared correctly, wrongly or not at all. No page is in Big5, which would need text in
traditional characters. English ones (`language="en"`) are in UTF-8 or Windows-1252.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

import pyarrow as pa

from quchong.errors import UsageError
from quchong_lab.rng import Rng
from quchong_lab.web.bodies import Article, GivenBodies, Source, article
from quchong_lab.web.english_news import EnglishWriter
from quchong_lab.web.news import NewsWriter
from quchong_lab.web.plan import KINDS, Draft, EditRates, planned
from quchong_lab.web.relations import SCHEMA as LABELS
from quchong_lab.web.relations import related
from quchong_lab.web.sites import Site, sites
from quchong_lab.web.templates import STYLES, TEMPLATES, Sheet, inner_lines, render
from quchong_lab.web.words import LANGUAGES, LEXICONS, Language, Lexicon
from quchong_lab.web.writer import Writer

Bodies: TypeAlias = "Iterable[tuple[str, Sequence[str]]] | pa.Table"
"""Articles as (title, paragraphs), or as a table of `title` and `text`, one paragraph on each line."""

WRITERS: dict[Language, type[Writer]] = {"zh": NewsWriter, "en": EnglishWriter}

FIRST_DAY, DAYS = datetime(2012, 1, 1), 700

PAGES = pa.schema(
    [("id", pa.string()), ("html", pa.large_binary()), ("text", pa.large_string()), ("url", pa.string()),
     ("site", pa.string()), ("title", pa.string()), ("time", pa.string())]
)  # fmt: skip
TRUTH = pa.schema(
    [("id", pa.string()), ("kind", pa.string()), ("rate", pa.float64()), ("template", pa.string()),
     ("charset", pa.string()), ("declared", pa.string()), ("articles", pa.list_(pa.int64())), ("sibling_of", pa.int64()),
     ("sources", pa.list_(pa.int64())), ("lengths", pa.list_(pa.int32()))]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WebRecipe:
    """Recipe of a corpus of pages.

    Attributes:
        pages: number of pages, 0 or more.
        seed: seed of the generator; equal recipes give equal corpora.
        copies: share of pages made from another page's article; with `siblings` below 1.
        siblings: share of pages of the same subject as another, with other facts (hard negatives). At most half of the pages that
            are no copies; of given bodies only as many as have similar titles.
        kinds: kinds of copies, and the weight of each; see `plan.KINDS`.
        rates: amounts of editing.
        favour: 1 if all articles are copied alike; above 1 a few are copied often (the article with index n · u^favour, u
            uniform).
        sites: number of sites; a few have most pages (Zipf).
        shortest, longest: characters of written articles, about.
        html: if False, no HTML is made and the column is null.
        batch: pages of a batch; copies are in the batch of their article, so it is part of the recipe.
        language: language of articles, edits, sites and templates: "zh" or "en".
    """

    pages: int = 3000
    seed: int = 1
    copies: float = 0.4
    siblings: float = 0.08
    kinds: tuple[tuple[str, float], ...] = tuple(KINDS.items())
    rates: EditRates = field(default_factory=EditRates)
    favour: float = 1.6
    sites: int = 60
    shortest: int = 600
    longest: int = 1500
    html: bool = True
    batch: int = 1000
    language: Language = "zh"

    def __post_init__(self) -> None:
        if self.pages < 0 or not 2 <= self.sites <= 20_000 or self.batch < 1:
            raise UsageError("a corpus needs 0 pages or more, 2 to 20,000 sites, batches of 1 page or more")
        if self.language not in LANGUAGES:
            raise UsageError("pages are made in {}, not in {!r}", ", ".join(LANGUAGES), self.language)
        if self.copies < 0 or self.siblings < 0 or self.copies + self.siblings >= 1:
            raise UsageError("copies and siblings are shares of all pages that leave room for articles: below 1 in all")
        unknown = sorted({name for name, _ in self.kinds} - set(KINDS))
        if unknown or not self.kinds or min(part for _, part in self.kinds) < 0 or not sum(p for _, p in self.kinds):
            raise UsageError(
                "kinds of copies are {}, each with a share of 0 or more; got {}", ", ".join(KINDS), unknown
            )
        if not 100 <= self.shortest <= self.longest <= 50_000 or self.favour <= 0:
            raise UsageError(
                "articles have 100 to 50,000 characters, the shortest not above the longest; favour is positive"
            )

    @property
    def batches(self) -> int:
        """Number of batches that the corpus is made in."""
        return -(-self.pages // self.batch)


@dataclass(frozen=True, slots=True)
class WebCorpus:
    """Pages and the truth about them.

    Attributes:
        pages: id, html (bytes in the site's character set), text (lines of the body as the page shows it, with what the
            site puts inside its element), url, site, title (string), time (ISO 8601).
        labels: left_id, right_id, relation (duplicate, contained_in: left in right, partial, hard_negative), overlap and
            ratio (float64); all other pairs have nothing in common. See `relations`.
        truth: for each page its id, kind, rate (of the edit, or share kept; null where neither), template, charset, the
            declared charset (null: none), the articles it was made from, the article of the same subject it is a sibling of
            (null for none), and source and characters of every sentence of the body, in order, -1 for inserted ones.
    """

    pages: pa.Table
    labels: pa.Table
    truth: pa.Table

    @staticmethod
    def concat(parts: Sequence[WebCorpus]) -> WebCorpus:
        """Concatenate corpora; no parts give empty tables."""
        schemas = {"pages": PAGES, "labels": LABELS, "truth": TRUTH}
        return WebCorpus(
            **{f.name: pa.concat_tables([schemas[f.name].empty_table(), *(getattr(p, f.name) for p in parts)])
               for f in fields(WebCorpus)}
        )  # fmt: skip


def web_corpus(recipe: WebRecipe, bodies: Bodies | None = None) -> WebCorpus:
    """Generate a whole corpus in memory: about 9 kB a page, 4 kB without HTML. See `web_batches`."""
    return WebCorpus.concat(list(web_batches(recipe, bodies)))


def web_batches(recipe: WebRecipe, bodies: Bodies | None = None) -> Iterator[WebCorpus]:
    """Generate a corpus in batches of `recipe.batch` pages; no related pair is in two batches.

    Args:
        recipe: recipe of the corpus.
        bodies: articles to use, each once, in their order, instead of generated ones; of known copies among them give only one
            (`bodies.one_per_cluster`). Inserted sentences are generated in any case.

    Raises:
        UsageError: there are too few bodies, or one is empty.
    """
    if bodies is None:
        yield from (web_batch(recipe, number) for number in range(recipe.batches))
        return
    source = GivenBodies(_given(bodies), _writer(recipe, 0))
    yield from (_batch(recipe, number, source) for number in range(recipe.batches))


def web_batch(recipe: WebRecipe, number: int) -> WebCorpus:
    """Generate batch `number` of a corpus of generated articles, independently of others, so that processes can share the work."""
    start = number * recipe.batch  # a batch has no more articles than pages
    return _batch(recipe, number, _writer(recipe, start))


def _given(bodies: Bodies) -> list[Article]:
    if isinstance(bodies, pa.Table):
        titles, texts = bodies["title"].to_pylist(), bodies["text"].to_pylist()
        bodies = [(title or "", (text or "").splitlines()) for title, text in zip(titles, texts, strict=True)]
    return [article(i, title, paragraphs) for i, (title, paragraphs) in enumerate(bodies)]


def _writer(recipe: WebRecipe, start: int) -> Writer:
    return WRITERS[recipe.language](recipe.seed, recipe.shortest, recipe.longest, start)


@lru_cache(maxsize=8)
def _sites(count: int, seed: int, language: Language) -> tuple[Site, ...]:
    return tuple(sites(count, len(TEMPLATES), seed, STYLES[language].customs))


def _batch(recipe: WebRecipe, number: int, source: Source) -> WebCorpus:
    rng, start = Rng(recipe.seed, 0x70616765, number), number * recipe.batch
    lexicon, style = LEXICONS[recipe.language], STYLES[recipe.language]
    count = min(recipe.batch, recipe.pages - start)
    copies = round(count * recipe.copies)
    siblings = min(round(count * recipe.siblings), (count - copies) // 2)
    leads = source.leads(count - copies - siblings, siblings)
    drafts = planned(leads, copies, dict(recipe.kinds), recipe.rates, recipe.favour, source, rng, lexicon)
    placed = _placed(drafts, _sites(recipe.sites, recipe.seed, recipe.language), start, rng, lexicon)
    order = rng.order(len(drafts))
    titles = [d.title for d in drafts]
    ids = [f"w{start + i:08}" for i in range(len(drafts))]
    rows, truth = [], []
    for name, (draft, site, sheet, url) in zip(ids, (placed[i] for i in order), strict=True):
        sheet = sheet._replace(hot=[rng.pick(titles) for _ in range(rng.between(5, 12))])
        html = render(site, sheet, rng, style).encode(site.charset, "xmlcharrefreplace") if recipe.html else None
        text = "\n".join(line for _, line in inner_lines(site, sheet, style))
        rows.append((name, html, text, url, site.site, sheet.title, sheet.time.isoformat()))
        flat = [s for block in draft.body for s in block.sentences]
        truth.append(
            (name, draft.kind, draft.rate, TEMPLATES[site.template].name, site.charset, site.declared, draft.articles, draft.sibling_of,
             [s.source for s in flat], [len(s.text) for s in flat])
        )  # fmt: skip
    pairs = {a.number: b.number for a, b in leads if b}
    labels = related(ids, [list(zip(t[-2], t[-1], strict=True)) for t in truth], [t[6] for t in truth], pairs)
    return WebCorpus(_table(rows, PAGES), labels, _table(truth, TRUTH))


def _placed(
    drafts: list[Draft], known: Sequence[Site], start: int, rng: Rng, lexicon: Lexicon
) -> list[tuple[Draft, Site, Sheet, str]]:
    """Assign a site, a sheet and an address to every draft; parts of a split page share a site, reprints change it."""
    weights = list(accumulate(1 / (i + 2) for i in range(len(known))))
    out: list[tuple[Draft, Site, Sheet, str]] = []
    for i, draft in enumerate(drafts):
        before = out[draft.of] if draft.of is not None else None
        first = out[i - draft.part + 1] if draft.part > 1 else None
        if first:
            site, sheet = first[1], first[2]
            out.append((draft, site, sheet._replace(body=draft.body, part=draft.part), sheet.parts[draft.part - 1]))
            continue
        site = known[bisect(weights, rng.share(0, weights[-1] - 1e-9))]
        while before and draft.kind == "template" and site is before[1]:
            site = rng.pick(known)
        time = FIRST_DAY + timedelta(days=rng.below(DAYS), minutes=rng.below(1440))
        if before:
            time = before[2].time + timedelta(minutes=rng.between(1, 4320))
        editors = [_person(rng, lexicon) for _ in range(2)]
        urls = tuple(site.url(100_000 + start + i, time, part) for part in range(1, draft.parts + 1))
        origin = before[1].name if before else site.name
        sheet = Sheet(draft.title, draft.body, time, draft.channel, (editors[0], editors[1]), origin, (), 1,
                      urls if draft.parts > 1 else ())  # fmt: skip
        out.append((draft, site, sheet, urls[0]))
    return out


def _person(rng: Rng, lexicon: Lexicon) -> str:
    """Draw a name: Chinese with the surname first, or English with the surname last."""
    surname, given = rng.pick(lexicon.surnames), [rng.pick(lexicon.given), rng.pick(lexicon.given)]
    return lexicon.gap.join((given[0], surname)) if lexicon.gap else surname + "".join(given)


def _table(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    columns = zip(*rows, strict=True)
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)
