"""Covers: the structure tree family and the traditional classes on natural pages and reprints.

Compared against: pages and pairs that were read (zh_html_gne, zh_news_reprints). Run: pytest tests/quality.
"""

import gzip
import json

import pytest

import quchong as qc
from quchong.relations import ACCEPTED

ONE_ARTICLE = {"tests/thepaper/2", "tests/thepaper/4", "visiable_test/thepaper/1"}
TREES = ("tree-long-sentence", "tree-key-sentence", "tree-feature-string")
LEAST = {  # of the 147 pairs at Jaccard 0.7 and more: found here, a little below what was measured (docs/decisions/0027)
    "tree-long-sentence": 99, "tree-key-sentence": 113, "tree-feature-string": 138, "feature-code": 139, "cluster": 144,
}  # fmt: skip


def accepted(result):
    return {frozenset((p["left_id"], p["right_id"])): p for p in result.pairs.to_pylist() if p["relation"] in ACCEPTED}


@pytest.fixture(scope="module")
def pages(shared):
    pytest.importorskip("resiliparse", reason="reading pages needs the extra html")
    from quchong.pages import read_page

    with gzip.open(shared.path("zh_html_gne/pages.jsonl.gz"), "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = [(r, read_page(r["html"])) for r in rows]
    return [
        {"id": r["id"], "text": p.text, "blocks": p.blocks, "title": p.title, "url": r["url"], "site": r["site"]}
        for r, p in found
    ]


@pytest.mark.parametrize("method", [*TREES, "feature-code", "cluster", "url"])
def test_of_67_pages_three_are_one_article_and_no_others(pages, method):
    found = accepted(qc.dedup(pages, method=method, differences="all", recall_sample=0))
    named = set().union(*found) if found else set()
    assert named == ONE_ARTICLE  # equal bodies: by url these are exact copies, found before addresses are looked at


@pytest.fixture(scope="module")
def news(shared):
    measured = shared.read("zh_news_reprints/pairs_measured.jsonl")
    strong = {frozenset((p["a"], p["b"])) for p in measured if p["jaccard5"] >= 0.7}
    return shared.read("zh_news_reprints/docs.jsonl"), strong


@pytest.mark.parametrize("method", LEAST)
def test_reprints_are_found(news, method):
    rows, strong = news
    found = accepted(qc.dedup(rows, method=method, differences="all", recall_sample=0))
    assert len(strong & found.keys()) >= LEAST[method]


def test_feature_strings_find_most_of_the_three_as_the_paper_says(news):
    rows, strong = news
    counts = [
        len(strong & accepted(qc.dedup(rows, method=m, differences="all", recall_sample=0)).keys()) for m in TREES
    ]
    assert counts == sorted(counts)
