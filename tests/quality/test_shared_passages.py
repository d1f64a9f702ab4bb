"""Covers: what the methods of shared passages find among real reprints, pages and copied passages, as measured and marked there.

`strong` are pairs of 5-gram Jaccard 0.7 and more; what is removed below the floors of the measurement (Jaccard 0.3,
containment 0.6) counts as wrong. Figures are those of docs/decisions/0031. Run: pytest tests/quality.
"""

import gzip
import json

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.pipeline.catalogue import build
from quchong.seam import Documents
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

    with gzip.open(shared.path(PAGES), "rt", encoding="utf-8") as lines:
        rows = [{"id": r["id"], "text": read_page(r["html"]).text} for r in map(json.loads, lines)]
    one = {"tests/thepaper/2", "tests/thepaper/4", "visiable_test/thepaper/1"}
    found = pairs_of(qc.dedup(rows, method=name, recall_sample=0), ACCEPTED)
    assert all(set(p) <= one for p in found)
    assert len(found) == 3


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "met"), [("mdr", 220), ("yap3", 220), ("winnowing", 220), ("sif", 219), ("koala", 218)]
)
def test_passages_copied_word_for_word_are_met_and_marked(shared, name, met):
    """The 220 pairs of the PAN 2013 subset with copied passages, and its 100 pairs that have nothing in common."""
    docs = shared.read("en_pan13_containment/docs.jsonl")
    at = {d["id"]: i for i, d in enumerate(docs)}
    pairs = shared.read("en_pan13_containment/pairs.jsonl")
    documents = Documents.of(pa.array([d["text"] for d in docs], pa.large_string()))
    method = build(name, {"least": 0.01}).fitted(documents, 2)
    candidates = method.meet(documents, None, 0, 2)
    found = set(zip(candidates.left.tolist(), candidates.right.tolist(), strict=True))

    def of(kind):
        chosen = [p for p in pairs if p["kind"] == kind]
        left, right = (np.array([at[p[side]] for p in chosen], np.uint32) for side in ("susp", "src"))
        listed = method.listed(method.judge(documents, left, right, 2)).tolist()
        meeting = [tuple(sorted(p)) in found for p in zip(left.tolist(), right.tolist(), strict=True)]
        return chosen, left, right, sum(a and b for a, b in zip(listed, meeting, strict=True))

    chosen, left, right, listed = of("verbatim")
    assert listed >= met
    assert of("none")[3] <= {"yap3": 8, "koala": 1}.get(name, 0)
    if name in ("sif", "koala"):
        return
    spans = method.passages(documents, left, right, 2)
    both = copied = marked = 0
    for i, pair in enumerate(chosen):
        truth, mine = (np.zeros(len(docs[left[i]]["text"]), bool) for _ in range(2))
        for p in pair["passages"]:
            truth[p["this_offset"] : p["this_offset"] + p["this_length"]] = True
        for start, end in spans.places[spans.offsets[i] : spans.offsets[i + 1], :2].tolist():
            mine[start:end] = True
        both, copied, marked = both + (truth & mine).sum(), copied + truth.sum(), marked + mine.sum()
    assert both >= 0.995 * copied
    assert both >= 0.95 * marked
