"""Covers: what the methods on sentences find among real reprints, against every pair measured there.

`strong` are pairs of 5-gram Jaccard 0.7 and more; what is removed below the floors of the measurement (Jaccard 0.3,
containment 0.6) counts as wrong. Figures are those of docs/decisions/0030. Run: pytest tests/quality.
"""

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.methods.sl_st import SlSt
from quchong.seam import Documents
from quchong.tables import ACCEPTED

FLOORS = {  # strong pairs removed at least, listed at least, wrong ones removed at most
    "sl-st": (112, 143, 6),
    "sl": (92, 128, 2),
    "cops": (115, 144, 0),
    "partial": (124, 147, 0),
}


@pytest.fixture(scope="module")
def news(shared):
    pairs = shared.read("zh_news_reprints/pairs_measured.jsonl")
    measured = {tuple(sorted((p["a"], p["b"]))) for p in pairs}
    strong = {tuple(sorted((p["a"], p["b"]))) for p in pairs if p["jaccard5"] >= 0.7}
    return shared.read("zh_news_reprints/docs.jsonl"), measured, strong


@pytest.mark.shared
@pytest.mark.parametrize("name", FLOORS)
def test_reprints_are_found(news, name):
    rows, measured, strong = news
    result = qc.dedup(rows, method=name, recall_sample=0)
    listed = {tuple(sorted((p["left_id"], p["right_id"]))): p["relation"] for p in result.pairs.to_pylist()}
    found = {pair for pair, relation in listed.items() if relation in ACCEPTED}
    least, known, most = FLOORS[name]
    assert len(found & strong) >= least
    assert len(strong & set(listed)) >= known
    assert len(found - measured) <= most


@pytest.mark.shared
def test_an_alphabet_of_eighty_lengths_is_for_chinese_what_thirty_five_are_for_english(news):
    """The paper leaves out 0.27 and 0.10 percent of the sentences of its two sets."""
    texts = pa.array([r["text"] for r in news[0]], pa.large_string())
    length = SlSt().sentences(Documents.of(texts), None).length
    assert 0.001 < np.mean(length > 80) < 0.003
    assert np.mean(length > 35) > 0.09
