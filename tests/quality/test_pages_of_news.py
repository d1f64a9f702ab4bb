"""Covers: page corpora made of real bodies: labels hold against the letters, and nothing alike goes unlabelled.

Reads the shared data sets; only counts are held.
"""

import re
from collections import Counter, defaultdict
from itertools import combinations

import pytest

from quchong_lab.web.bodies import one_per_cluster
from quchong_lab.web.pages import WebRecipe, web_corpus

pytestmark = pytest.mark.shared
LEAST = 100


@pytest.fixture(scope="module", params=["zh_news_reprints", "zh_news_xwlb"])
def corpus(shared, request):
    rows = {row["id"]: row for row in shared.read(f"{request.param}/docs.jsonl")}
    pairs = [(p["a"], p["b"]) for p in shared.read(f"{request.param}/pairs_measured.jsonl")]
    chosen = [rows[name] for name in one_per_cluster(list(rows), pairs)]
    bodies = []
    for row in chosen:
        kept = [
            re.sub(r"^\[查看原文\].*|^央视网消息（新闻联播）：", "", line).strip() for line in row["text"].splitlines()
        ]
        if sum(map(len, kept)) >= LEAST:
            bodies.append((row["title"], kept))
    return web_corpus(WebRecipe(pages=1500, seed=5, html=False), bodies)


def shingles(text):
    text = re.sub(r"\W", "", text)
    return {text[i : i + 5] for i in range(len(text) - 4)}


def test_relations_hold_against_the_letters(corpus):
    grams = dict(zip(corpus.pages["id"].to_pylist(), map(shingles, corpus.pages["text"].to_pylist()), strict=True))
    shares = defaultdict(list)
    known = set()
    for row in corpus.labels.to_pylist():
        left, right = grams[row["left_id"]], grams[row["right_id"]]
        shares[row["relation"]].append(len(left & right) / max(1, min(len(left), len(right))))
        known.add(frozenset((row["left_id"], row["right_id"])))
    low = {relation: sum(s < 0.4 for s in found) / len(found) for relation, found in shares.items()}
    high = {relation: sum(s >= 0.6 for s in found) / len(found) for relation, found in shares.items()}
    assert low["duplicate"] < 0.01 and low["contained_in"] < 0.06  # site notes weigh on short parts
    assert high["duplicate"] > 0.95 and high["contained_in"] > 0.85
    assert high["hard_negative"] == 0 and high["partial"] < 0.1
    assert len(shares["hard_negative"]) >= 120

    holders, met = defaultdict(list), Counter()
    for name, mine in grams.items():
        for gram in mine:
            holders[gram].append(name)
    for names in holders.values():
        if 1 < len(names) < 60:
            met.update(combinations(names, 2))
    alike = [
        pair for pair, n in met.items()
        if n >= 0.6 * min(len(grams[pair[0]]), len(grams[pair[1]])) and frozenset(pair) not in known
    ]  # fmt: skip
    assert len(alike) < 0.02 * len(known), len(alike)  # short parts that are mostly a site's notes


def test_no_letter_of_a_body_is_lost(corpus):
    """Sentences of articles that were not edited stand as they are: what was cut off is only white space."""
    lengths = {t["id"]: sum(t["lengths"]) for t in corpus.truth.to_pylist() if t["kind"] in ("original", "template")}
    texts = dict(zip(corpus.pages["id"].to_pylist(), corpus.pages["text"].to_pylist(), strict=True))
    assert len(lengths) > 700 and all(len(texts[name]) >= n for name, n in lengths.items())
