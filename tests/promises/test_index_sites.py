"""Covers: ccdet in an index: features that a site repeats are frozen on a corpus and taken out of the pages that come, each by its own site,
by every way of pruning; pages of a site that the corpus does not have keep theirs.
Compared against: `quchong.dedup` under the same noise, and one that counts it.
Run: pytest tests/promises/test_index_sites.py.
"""

from __future__ import annotations

import random

import pytest
from test_index_and_run_agree import fill, pairs_of_index, pairs_of_run

import quchong as qc

LETTERS = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜金生丽水玉出昆冈"
SITES = ("a.com", "b.com", "c.com", "d.com")
SETTINGS = [
    {},
    {"scope": "list"},
    {"prune": "idf", "idf_low": 0.3},
    {"count": "pages"},
    {"recount": False},
    {"prune": "none"},
]


def sentence(draw):
    return "".join(draw.choice(LETTERS) for _ in range(18)) + "。"


def pages(seed, articles=12):
    """Pages of sites with two lines of each site, articles that several sites reprint, and short pages that have little but these lines."""
    draw = random.Random(seed)
    lines = {site: [sentence(draw) for _ in range(2)] for site in SITES}
    out = []
    for k in range(articles):
        body = [sentence(draw) for _ in range(5)]
        for site in draw.sample(SITES, draw.randint(1, 3)):
            cut = body[: draw.choice([2, 5, 5, 5])]
            out.append({"id": f"{k:02}{site}", "text": "".join(cut + lines[site]), "url": f"http://www.{site}/{k}"})
    for site in SITES:
        out += [
            {"id": f"s{k}{site}", "text": sentence(draw) + "".join(lines[site]), "url": f"http://{site}/s{k}"}
            for k in range(4)
        ]
    draw.shuffle(out)
    return out


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_pages_have_the_pairs_of_a_run(tmp_path, settings):
    some = pages(1)
    with qc.Index.create(tmp_path / "seen", method="ccdet", fit=some, **settings) as index:
        assert fill([index], some[:0], random.Random(0)) == []
        for page in some:
            index.add(page)
        found, frozen = pairs_of_index(index), index._open.plan.method
    assert found and found == pairs_of_run(qc.dedup(some, method=frozen, differences="all", recall_sample=0))
    assert found == pairs_of_run(qc.dedup(some, method="ccdet", differences="all", recall_sample=0, **settings))


def test_lines_of_a_site_that_the_corpus_does_not_have_are_compared_until_they_are_counted(tmp_path):
    some = pages(2)
    known, new = ([one for one in some if ("d.com" in one["url"]) is there] for there in (False, True))
    with qc.Index.create(tmp_path / "seen", method="ccdet", fit=known) as index:
        index.add(some)
        found, frozen, drift = pairs_of_index(index), index._open.plan.method, index.stats().drift
        assert found == pairs_of_run(qc.dedup(some, method=frozen, differences="all", recall_sample=0))
        short = [one["id"] for one in new if one["id"].startswith("s")]
        assert tuple(short[:2]) in {tuple(sorted(pair)) for pair in found} or (short[1], short[0]) in found
        assert drift > 0.1
        index.compact(refit=True)
        assert index.stats().drift == 0
        assert pairs_of_index(index) == pairs_of_run(qc.dedup(some, method="ccdet", differences="all", recall_sample=0))
        assert not {pair for pair in pairs_of_index(index) if set(pair) <= set(short)}
