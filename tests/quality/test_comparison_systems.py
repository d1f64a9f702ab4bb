"""Covers: what the comparison systems of Wei 2013, and others the papers cite, find among real reprints, against every pair measured there.

`strong` are pairs of 5-gram Jaccard 0.7 and more; what is found below the floors of the measurement (Jaccard 0.3,
containment 0.6) counts as wrong. Figures are those of docs/decisions/0025 and 0084. Run: pytest tests/quality.
"""

import pytest

import quchong as qc
from quchong.relations import ACCEPTED

NEWS = "zh_news_reprints/docs.jsonl"
FLOORS = {  # strong pairs at least, wrong ones at most
    "shingling": (146, 0),
    "spotsigs": (145, 23),
    "codet": (147, 2),
    "imatch": (30, 0),
    "imatch-s": (71, 0),
    "imatch-p": (83, 0),
    "lsh": (145, 0),
    "lsh-s": (144, 17),
    "lsh-p": (139, 0),
    "simhash": (101, 4),
    "random-projection": (59, 1),
    "henzinger": (74, 0),
    "hamming-lsh": (146, 0),
    "lsh-forest": (144, 0),
    "lcs": (141, 32),
    "scam": (146, 206),
    "kmatch": (145, 34),
    "graph": (147, 1),
    "check": (127, 1),
    "dscam": (146, 206),
    "block-digest": (66, 0),
    "imatch-random": (53, 0),
}


OF_SAMPLE = {  # the same of some 560 documents: as many strong pairs, or nearly, as all their documents are in it
    "shingling": (146, 0),
    "spotsigs": (145, 0),
    "codet": (147, 0),
    "imatch": (27, 0),
    "imatch-s": (71, 0),
    "imatch-p": (83, 0),
    "lsh": (145, 0),
    "lsh-s": (144, 0),
    "lsh-p": (139, 0),
    "simhash": (101, 0),
    "random-projection": (54, 0),
    "henzinger": (74, 0),
    "hamming-lsh": (146, 0),
    "lsh-forest": (146, 0),
    "lcs": (141, 0),
    "scam": (146, 0),
    "kmatch": (145, 0),
    "graph": (147, 0),
    "check": (127, 0),
    "dscam": (146, 0),
    "block-digest": (66, 0),
    "imatch-random": (46, 0),
}
"""All documents take up to 80 seconds for a system; a campaign runs the systems on all."""


@pytest.fixture(scope="module")
def news(shared):
    pairs = shared.read("zh_news_reprints/pairs_measured.jsonl")
    measured = {tuple(sorted((p["a"], p["b"]))) for p in pairs}
    strong = {tuple(sorted((p["a"], p["b"]))) for p in pairs if p["jaccard5"] >= 0.7}
    return shared.read(NEWS), measured, strong


def hold_floors(rows, measured, strong, name, least, most):
    result = qc.dedup(rows, method=name, differences="all", recall_sample=0)
    found = {
        tuple(sorted((p["left_id"], p["right_id"]))) for p in result.pairs.to_pylist() if p["relation"] in ACCEPTED
    }
    assert len(found & strong) >= least
    assert len(found - measured) <= most


@pytest.mark.shared
@pytest.mark.campaign
@pytest.mark.parametrize("name", FLOORS)
def test_reprints_are_found(news, name):
    hold_floors(*news, name, *FLOORS[name])


@pytest.mark.shared
@pytest.mark.parametrize("name", OF_SAMPLE)
def test_reprints_of_a_sample_are_found(news, name):
    """All documents of strong pairs, and of the others each fifteenth or so: 300."""
    rows, measured, strong = news
    own = {i for pair in strong for i in pair}
    others = [row["id"] for row in rows if row["id"] not in own]
    some = own | set(others[:: len(others) // 300][:300])
    hold_floors([row for row in rows if row["id"] in some], measured, strong, name, *OF_SAMPLE[name])


@pytest.mark.shared
def test_cutting_rare_signatures_off_is_what_loses_and_invents_pairs(news):
    """The reference's band 0.2 to 0.85 (docs/decisions/0025)."""
    rows, measured, strong = news
    pairs = {}
    for high in (0.85, 1.0):
        result = qc.dedup(rows, method="spotsigs", idf_high=high, differences="all", recall_sample=0)
        pairs[high] = {tuple(sorted((p["left_id"], p["right_id"]))) for p in result.pairs.to_pylist()}
    assert len(pairs[0.85] & strong) < len(pairs[1.0] & strong) - 5
    assert len(pairs[0.85] - measured) > 5 * len(pairs[1.0] - measured)


@pytest.mark.shared
def test_published_pruning_finds_the_same_here(news):
    safe = qc.dedup(news[0], method="spotsigs", differences="all", recall_sample=0)
    published = qc.dedup(news[0], method="spotsigs", pruning="paper", differences="all", recall_sample=0)
    assert published.pairs.equals(safe.pairs)
