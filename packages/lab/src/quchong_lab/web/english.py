"""Methods of the papers on generated English pages, and on a collection pooled by queries, in place of the licensed English sets.

Source: Feng 2015a and Theobald 2008 measure on English pages (AP90-S, the Twitter part of ClueWeb12, a hand-labelled news set), which
are licensed or not published. The pages here come from the generator of the Chinese ones (`pages`, language "en").

AP90-S is pooled: six documents are queries, and the first 150 results of each are the collection. The pooled set here is made in the
same way, from the titles of six articles and pages of many sites (`quchong_lab.pool`). Pages found by one query are of one subject and
similar in words, so pairs that are no copies are harder to tell apart.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from quchong_lab.experiment import SPOTSIGS, Claim, Experiment, Findings, Plot, Scale
from quchong_lab.further import systems
from quchong_lab.pool import pooled
from quchong_lab.rng import Rng
from quchong_lab.web.labelled import Labelled, labelled
from quchong_lab.web.pages import WebRecipe
from quchong_lab.web.plan import EditRates
from quchong_lab.web.systems import System, best_of, remark, swept
from quchong_lab.web.truths import READING, bests

COUNT: dict[Scale, int] = {"quick": 300, "paper": 3_000, "full": 3_000}
QUERIES = 6
COLLECTION: dict[Scale, tuple[int, int]] = {"quick": (600, 40), "paper": (6_000, 150), "full": (6_000, 150)}
"""Pages from which the pooled set is chosen, and the number of them that a query finds."""
RATES = EditRates(characters=(0.002, 0.006, 0.016))
"""Rates of edits: an English word has five letters, so these change as many tokens as those of the Chinese pages, 1% to 8%."""

SYSTEMS: tuple[System, ...] = (
    ("CCDet, Chinese full stop", "ccdet", {}),
    ("CCDet, all full stops, L 30", "ccdet", {"stops": "all", "tail": 30}),
    ("CCDet, all full stops, L 10", "ccdet", {"stops": "all"}),
    *(
        (f"SpotSigs, {words}", "spotsigs", {"antecedents": words})
        for words in ("en-reference", "en-articles", "en-paper")
    ),
    *((f"Shingling, {n} tokens", "shingling", {"ngram_size": n}) for n in (5, 8)),
    ("CoDet", "codet", {}),
    ("SL+ST", "sl-st", {}),
    ("SL", "sl", {}),
    ("I-Match", "imatch", {}),
    ("MinHash", "minhash", {}),
    ("hybrid (default)", "hybrid", {}),
)


def recipe(pages: int, seed: int) -> WebRecipe:
    """Return the recipe of `pages` English pages, of articles of 1,500 to 4,000 characters (240 to 640 words)."""
    return WebRecipe(pages=pages, seed=seed, shortest=1_500, longest=4_000, rates=RATES, language="en")


def pool_of(data: Labelled, queries: int, depth: int, seed: int) -> tuple[Labelled, list[str]]:
    """Return the pages that rank among the first `depth` for any of `queries` queries, with their truth; and the queries.

    A query is the title of a random page that has copies or is a copy, because queries by hand ask for subjects with many pages.
    """
    ids = data.table["id"].to_pylist()
    titles = dict(zip(ids, data.table["title"].to_pylist(), strict=True))
    candidates = sorted({name for pair in data.relation for name in pair})
    rng = Rng(seed, 0x706F6F6C)
    asked = [titles[candidates[i]] or "" for i in rng.sample(queries, len(candidates))]
    chosen = pooled(data.table, asked, depth)
    inside = set(chosen["id"].to_pylist())

    def is_inside(pair: tuple[str, str]) -> bool:
        return pair[0] in inside and pair[1] in inside

    relation = {pair: name for pair, name in data.relation.items() if is_inside(pair)}
    undecided, near = (frozenset(filter(is_inside, pairs)) for pairs in (data.undecided, data.near))
    return Labelled(chosen, relation, undecided, near, {p: v for p, v in data.jaccard.items() if is_inside(p)}), asked


def _pages(scale: Scale, seed: int) -> Findings:
    rows: list[dict[str, Any]] = []
    for body in ("all", "main"):
        rows += swept(labelled(recipe(COUNT[scale], seed), body), systems(SYSTEMS), body=body)
    remarks = (READING, *(f"body {r['body']}: {remark(r)}" for r in best_of(rows, "body", "system")))
    return Findings(
        pa.Table.from_pylist(rows), remarks, {"truths": pa.Table.from_pylist(bests(rows, "body", "system"))}
    )


def _pooled(scale: Scale, seed: int) -> Findings:
    count, depth = COLLECTION[scale]
    whole = labelled(recipe(count, seed), "main")
    data, asked = pool_of(whole, QUERIES, depth, seed)
    rows = swept(data, systems(SYSTEMS))
    words = pc.sum(pc.utf8_length(data.table["text"])).as_py() // max(len(data.table), 1)
    remarks = (
        f"{len(data.table):,} of {count:,} pages, {depth} and fewer of each of {len(asked)} queries; {words:,} characters a page; "
        f"{len(data.relation):,} of {len(whole.relation):,} pairs of copies are in the pool.",
        "Queries: " + "; ".join(asked) + ".",
        READING,
        *map(remark, best_of(rows, "system")),
    )
    return Findings(pa.Table.from_pylist(rows), remarks, {"truths": pa.Table.from_pylist(bests(rows, "system"))})


_PLOTS = (Plot("threshold", "f1", ("system",)), Plot("recall", "precision", ("system",)))
PAGES = Experiment(
    "web/english-pages",
    "English pages: the methods of the papers, over the threshold",
    "Wei 2013, figures 6 to 8; Feng 2015a; Theobald 2008",
    (
        Claim("Wei 2013", "。 has one use, the English full stop several", "features of full stops are for Chinese pages", "no figure"),
        Claim("Theobald 2008", "2,160 English news pages, 68 clusters", "SpotSigs F1 about 0.94 at 0.44",
              "from memory; the set is not given out"),
    ),
    (Plot("threshold", "f1", ("body", "system")), Plot("recall", "precision", ("body", "system"))),
    _pages,
    systems=True,
    published={"SpotSigs": SPOTSIGS},
)  # fmt: skip
POOLED = Experiment(
    "web/english-pooled",
    "English pages pooled by six queries, as AP90-S was: the methods of the papers",
    "Feng 2015a",
    (
        Claim("Feng 2015a", "AP90-S: 6 queries, 150 documents each, at most 900", "SL+ST more accurate than SL, Shingle and SpotSigs",
              "figures lost; the set is licensed"),
    ),
    _PLOTS,
    _pooled,
    systems=True,
    published={"SpotSigs": SPOTSIGS},
)  # fmt: skip
