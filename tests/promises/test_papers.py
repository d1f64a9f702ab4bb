"""Covers: what holds for every method of a paper: verified removals, exact counts, explanations, order, workers, thresholds.

Compared against: pairs counted by the default method's own judge; runs under another order and number of workers.
Run: pytest tests/promises.
"""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.methods.bases.coverage import OverlapMethod
from quchong.plan.catalogue import METHODS, build
from quchong.relations import ACCEPTED
from quchong.seam import Documents, KeyJoin
from quchong_lab.web.pages import WebRecipe, web_corpus

PAPERS = sorted(name for name, kind in METHODS.items() if kind.traits.evidence == "features")


@pytest.fixture(scope="module")
def pages():
    """160 generated pages as text, with what is known of them; three exact copies; two too short to compare; one empty."""
    table = web_corpus(WebRecipe(pages=160, seed=5, html=False, batch=160)).pages
    rows = [{k: row[k] for k in ("id", "text", "url", "site", "title", "time")} for row in table.to_pylist()]
    rows += [dict(rows[i], id=f"copy{i}", url=f"http://copy.example/{i}") for i in (3, 50, 120)]
    return [*rows, {"id": "s1", "text": "短。"}, {"id": "s2", "text": "短文。"}, {"id": "s3", "text": ""}]


@pytest.fixture(scope="module", params=PAPERS)
def ran(request, pages):
    return request.param, qc.dedup(pages, method=request.param, differences="all", recall_sample=0, workers=2)


def test_every_removal_has_a_kept_survivor_the_rule_accepted(ran, pages):
    name, result = ran
    kept = set(result.kept["id"].to_pylist())
    pairs = {frozenset((p["left_id"], p["right_id"])): p for p in result.pairs.to_pylist()}
    assert len(result.kept) + len(result.removed) == len(pages)
    assert {"copy3", "copy50", "copy120"} <= {i for r in result.ledger.to_pylist() for i in (r["id"], r["survivor_id"])}
    method = build(name)
    for row in result.ledger.to_pylist():
        assert row["survivor_id"] in kept and row["id"] not in kept
        assert row["relation"] in ACCEPTED and row["method"] == name
        pair = pairs[frozenset((row["id"], row["survivor_id"]))]
        assert row["rule"] == pair["rule"] and row["jaccard"] == pair["jaccard"]
        if row["relation"] != "exact":
            assert row["evidence"] is not None and row["threshold"] is not None and row["rule"]
            figures = [row["evidence"]]
            if isinstance(method, OverlapMethod):  # a document covered by passages goes for that
                figures += [pair["covered_left"], pair["covered_right"]]
            assert max(figures) >= row["threshold"] - 1e-9
            used = (method.limit, method.covering) if isinstance(method, OverlapMethod) else (method.limit,)
            assert row["threshold"] in used or name in ("shingling", "imatch", "imatch-s", "imatch-p")
            reached = max(row["evidence"], pair["covered_left"] or 0, pair["covered_right"] or 0)
            assert reached >= row["threshold"] - 1e-9
            allowed = {method.limit, getattr(method, "covering", method.limit)}
            assert row["threshold"] in allowed or name in ("shingling", "imatch", "imatch-s", "imatch-p")
    assert {"s1", "s2", "s3"} <= kept


def test_jaccard_and_containments_are_those_of_the_default_method(ran, pages):
    name, result = ran
    text = {r["id"]: r["text"] for r in pages}
    near = [p for p in result.pairs.to_pylist() if p["relation"] != "exact"][:200]
    if not near:
        pytest.skip(f"{name} finds no near pair here")
    both = pa.array([text[p[k]] for p in near for k in ("left_id", "right_id")], pa.large_string())
    at = np.arange(0, 2 * len(near), 2)
    counted = build("hybrid").score(Documents.from_texts(both), at.astype(np.uint32), (at + 1).astype(np.uint32))
    for key in ("jaccard", "containment_left", "containment_right", "tokens_left"):
        assert np.allclose([p[key] for p in near], counted[key]), key


def test_the_result_depends_on_neither_order_nor_workers(ran, pages):
    name, result = ran
    if METHODS[name].traits.order:
        pytest.skip(METHODS[name].traits.order)
    order = np.random.default_rng(1).permutation(len(pages))
    again = qc.dedup([pages[i] for i in order], method=name, differences="all", recall_sample=0, workers=1)
    assert again.pairs.equals(result.pairs)
    assert again.ledger.equals(result.ledger)
    assert again.clusters.equals(result.clusters)


def test_explain_says_rule_and_figure(ran):
    name, result = ran
    rows = [r for r in result.ledger.to_pylist() if r["relation"] != "exact"]
    if not rows:
        pytest.skip(f"{name} removes no near pair here")
    told = str(result.explain(rows[0]["id"]))
    assert rows[0]["rule"] in told and rows[0]["survivor_id"] in told


def test_a_higher_threshold_needs_no_second_run(ran, pages):
    name, result = ran
    if "threshold" not in METHODS[name].traits.decided_by:
        pytest.skip(f"{name} has no threshold")
    higher = min(1.0, build(name).limit + 0.2)
    new = qc.dedup(pages, method=name, differences="all", recall_sample=0, threshold=higher)
    again = result.rethreshold(higher)
    columns = [c for c in new.ledger.column_names if c != "config_hash"]
    assert again.ledger.select(columns).equals(new.ledger.select(columns))


def test_verify_exact_removes_no_more(ran, pages):
    name, result = ran
    strict = qc.dedup(pages, method=name, differences="all", recall_sample=0, verify="exact")
    wider = {frozenset((p["left_id"], p["right_id"])) for p in result.pairs.to_pylist()}
    assert {frozenset((r["id"], r["survivor_id"])) for r in strict.ledger.to_pylist()} <= wider
    assert all(r["relation"] == "exact" or ", " in r["rule"] for r in strict.ledger.to_pylist())


@pytest.mark.parametrize("name", PAPERS)
def test_texts_alone_and_nothing_at_all(name):
    assert not isinstance(build(name).candidates, KeyJoin)
    assert len(qc.dedup([], method=name).ledger) == 0
    assert Counter(qc.dedup(["", "", "短", "短"], method=name).ledger["relation"].to_pylist()) == {"exact": 1}
    text = "今天上午九点，市政府召开了新闻发布会。市长介绍了今年的十项工作。记者提出了十二个问题。会议开得很成功。"
    told = qc.compare(text, text + "散会以后大家合影留念。", method=name)
    assert 0.5 < told.jaccard < 1
