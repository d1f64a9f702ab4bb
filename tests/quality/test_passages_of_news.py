"""Covers: what the methods of shared passages find among real reprints and pages, against every pair measured there.

`strong` are pairs of 5-gram Jaccard 0.7 and more; what is removed below the floors of the measurement (Jaccard 0.3,
containment 0.6) counts as wrong. Figures are those of docs/decisions/0031. Run: pytest tests/quality.
"""

import pytest

import quchong as qc
from quchong.tables import ACCEPTED

NEWS, PAGES = "zh_news_reprints/docs.jsonl", "zh_html_gne/pages.jsonl.gz"
FLOORS = {  # strong pairs removed and listed at least, wrong ones at most
    "mdr": (132, 147, 0),
    "yap3": (147, 147, 0),
    "winnowing": (141, 147, 0),
    "sif": (129, 147, 0),
    "koala": (147, 147, 0),
}


@pytest.fixture(scope="module")
def news(shared):
    pairs = shared.read("zh_news_reprints/pairs_measured.jsonl")
    measured = {tuple(sorted((p["a"], p["b"]))) for p in pairs}
    strong = {tuple(sorted((p["a"], p["b"]))) for p in pairs if p["jaccard5"] >= 0.7}
    return shared.read(NEWS), measured, strong


def pairs_of(result, relations=None):
    return {
        tuple(sorted((p["left_id"], p["right_id"])))
        for p in result.pairs.to_pylist()
        if relations is None or p["relation"] in relations
    }


@pytest.mark.shared
@pytest.mark.parametrize("name", FLOORS)
def test_reprints_are_found(news, name):
    rows, measured, strong = news
    result = qc.dedup(rows, method=name, recall_sample=0)
    removed, listed, wrong = FLOORS[name]
    found = pairs_of(result, ACCEPTED)
    assert len(found & strong) >= removed
    assert len(pairs_of(result) & strong) >= listed
    assert len(found - measured) <= wrong


@pytest.mark.shared
@pytest.mark.parametrize("name", FLOORS)
def test_of_the_67_real_pages_no_other_pair_is_merged(shared, name):
    """Bodies of `pages.read_page`: one article stands on three pages; nothing else is a copy of anything."""
    pytest.importorskip("resiliparse")
    from quchong.pages.page import read_page

    rows = [{"id": r["id"], "text": read_page(r["html"]).text} for r in shared.read(PAGES)]
    one = {"tests/thepaper/2", "tests/thepaper/4", "visiable_test/thepaper/1"}
    found = pairs_of(qc.dedup(rows, method=name, recall_sample=0), ACCEPTED)
    assert all(set(p) <= one for p in found)
    assert len(found) == 3
