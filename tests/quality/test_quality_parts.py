"""Covers: answers on parts of the sets whose floors a campaign holds on all of them (tests/quality/test_quality.py).

Compared against: digests of the same answers, which stand in part_answers.json. Who changes answers looks at the whole:
pytest -m campaign tests/quality/test_quality.py. Run: pytest tests/quality/test_quality_parts.py.
"""

import hashlib
import json
from pathlib import Path

import pytest
from chain_figures import measured
from web_figures import ONE_ARTICLE, pages_of

import quchong as qc
from quchong_lab.web.labelled import best, find, labelled, scores, sweep
from quchong_lab.web.pages import WebRecipe

pytestmark = pytest.mark.shared
KNOWN = Path(__file__).with_name("part_answers.json")


def answers(rows, **how):
    """Number of pairs, number of removals, and a digest of the pairs with their relations and of who went."""
    found = qc.dedup(rows, differences="all", recall_sample=0, **how)
    pairs = sorted("{left_id} {right_id} {relation}".format(**p) for p in found.pairs.to_pylist())
    gone = sorted(found.ledger["id"].to_pylist())
    return [len(pairs), len(gone), hashlib.blake2b("\n".join([*pairs, *gone]).encode(), digest_size=6).hexdigest()]


def real_pages(shared):
    """The article that is there three times, and of the other pages each fourth."""
    pytest.importorskip("resiliparse", reason="the extra html is not installed")
    rows = pages_of(shared, "zh_html_gne/pages.jsonl.gz", ("id", "html", "site", "url"))
    some = [row for i, row in enumerate(rows) if row["id"] in ONE_ARTICLE or i % 4 == 0]
    return {"main": answers(some), "all": answers(some, method="ccdet", body="all")}


def chapters(shared):
    """The smallest three books with their chapters."""
    pytest.importorskip("resiliparse", reason="the extra html is not installed")
    rows = pages_of(shared, "zh_html_debian_docs/docs.jsonl.gz", ("id", "html", "text", "book"))
    size = {row["id"]: len(row["html"] or row["text"] or "") for row in rows}
    books = sorted({row["book"] for row in rows if row["book"]}, key=lambda book: (size[book], book))[:3]
    some = [{k: row[k] for k in ("id", "html", "text")} for row in rows if row["book"] in books or row["id"] in books]
    return {"main": answers(some), "all": answers(some, method="ccdet", body="all")}


def made_pages(_shared):
    """900 labelled pages: what the best threshold and 0.6 are worth, and the default."""
    pytest.importorskip("resiliparse", reason="the extra html is not installed")
    data = labelled(WebRecipe(pages=900, seed=1), "all")
    told = scores(data, *find(data, "hybrid").at())
    swept = sweep(data, "ccdet")
    at = next(row for row in swept if row["threshold"] == 0.6)
    return {
        "ccdet": [round(best(swept)["f1"], 4), round(at["precision"], 4), round(at["recall"], 4)],
        "hybrid": [round(told["precision"], 4), round(told["recall"], 4)],
    }


def reuters(shared):
    return {"hybrid": answers(shared.read("en_reuters/docs.jsonl")[:4000])}


def reposts(shared):
    rows = shared.read("zh_weibo_ced/reposts_sample.jsonl")[:5000]
    return {name: answers(rows, method=name) for name in ("short-text", "hybrid")}


def made_chains(_shared):
    """Of one seed: copies whose source is the right one, first documents known as such, copies that are sure."""
    copies, firsts = measured("times", seeds=(10,))
    return {"times": [sum(right for right, *_ in copies), sum(firsts), round(sum(c for _, c, _ in copies), 4)]}


PARTS = {
    "zh_html_gne": real_pages,
    "zh_html_debian_docs": chapters,
    "made_pages": made_pages,
    "en_reuters": reuters,
    "short_text_reposts": reposts,
    "made_chains": made_chains,
}


@pytest.mark.parametrize("name", PARTS)
def test_answers_on_a_part_are_those_of_the_floors(shared, name):
    now = PARTS[name](shared)
    told = json.loads(KNOWN.read_text("utf-8"))[name]
    assert now == told, (
        f"other answers than those the floors were measured with: run pytest -m campaign tests/quality/test_quality.py, look at "
        f"what changed, and put {json.dumps({name: now})} into part_answers.json"
    )
