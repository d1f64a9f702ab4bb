"""Covers: drift of the frozen statistics of an index (`Index.stats().drift`): none for documents like those counted, large for others, none
again after `compact(refit=True)`; by methods with document frequencies and by one with noise of sites.
Run: pytest tests/promises/test_index_drift.py.
"""

from __future__ import annotations

import random

import pytest

import quchong as qc
from quchong.engines.index.answers import DRIFTED

WORDS = {kind: [f"{kind}{k}" for k in range(300)] for kind in ("river", "market")}


def texts(kind, seed, count=150):
    """Texts of 60 words of one kind, of which few are frequent and many rare."""
    draw = random.Random(seed)
    return [" ".join(WORDS[kind][int(299 * draw.random() ** 3)] for _ in range(60)) for _ in range(count)]


@pytest.mark.parametrize("method", ["imatch", "kmatch", "scam", "random-projection", "tree-key-sentence"])
def test_drift_tells_other_documents_from_further_ones(tmp_path, method):
    with qc.Index.create(tmp_path / "seen", method=method, fit=texts("river", 1)) as index:
        assert index.stats().drift == 0 and index.stats().since == 0
        index.add(texts("river", 2))
        alike = index.stats()
        index.add(texts("market", 3, 400))
        other = index.stats()
        assert alike.drift < 0.02 and not alike.drifted and alike.since == 150
        assert other.drift > 0.7 > DRIFTED and other.drifted and other.since == 550
        after = index.compact(refit=True)
        assert (after.drift, after.since, after.drifted) == (0, 0, False)


def page(site, k, line):
    """A page of a site with three sentences of its own and a line of the site."""
    draw = random.Random(f"{site} {k}")
    own = [
        "".join(draw.choice("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏") for _ in range(14)) for _ in range(3)
    ]
    return {"id": f"{site}{k}", "text": "。".join(own) + f"。{line}。", "site": site}


def test_drift_of_noise_is_what_sites_repeat_since(tmp_path):
    old = [page("a.com", k, "本网站的内容未经许可不得转载违者必究") for k in range(30)]
    with qc.Index.create(tmp_path / "seen", method="ccdet", fit=old) as index:
        index.add([page("a.com", k, "本网站的内容未经许可不得转载违者必究") for k in range(30, 60)])
        assert index.stats().drift == 0
        index.add([page("b.com", k, "欢迎订阅本报的手机版每天早上八点送达") for k in range(30)])
        # Of the features of b.com, 30 pages with 4 each, one in four is its line; a.com has 3 a page.
        assert index.stats().drift == pytest.approx(30 / (30 * 4 + 30 * 3))
        index.compact(refit=True)
        assert index.stats().drift == 0


def test_a_method_that_counts_nothing_does_not_drift_and_one_without_texts_does_not_tell(tmp_path):
    with qc.Index.create(tmp_path / "plain", method="minhash") as index:
        index.add(texts("river", 1, 20))
        assert index.stats().drift == 0 and index.stats().since == 20
