"""Covers: the three traditional classes Ya 2013 names: url, feature-code, cluster.

Compared against: worked examples, the definition counted in plain Python. Run: pytest tests/unit/methods.
"""

import random

import numpy as np
import pyarrow as pa
import pytest
from twins.features import period_strings

import quchong as qc
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.methods.equality.url import Url, addresses
from quchong.methods.sets.feature_code import FeatureCode
from quchong.methods.terms.cluster import Cluster
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, with_statistics

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def strings(*values):
    return pa.array(values, pa.large_string())


def told(result):
    return {r["id"]: (r["survivor_id"], r["relation"], r["rule"]) for r in result.ledger.to_pylist()}


def passage(rng, n):
    return "".join(rng.choice(HAN) for _ in range(n))


# --- url


def test_one_address_in_two_spellings():
    code = addresses(
        strings(
            "HTTP://WWW.News.com:80/a//b/index.html?utm_source=x&id=3#top", "http://news.com/a/b/?id=3",
            "http://news.com/a/b/?id=4", None, "", "N/A", "/a/b", "n/a",
        )
    )  # fmt: skip
    assert code[0] == code[1] != code[2]
    assert (code[:3] > 0).all() and not code[3:].any()


def test_pages_of_one_address_are_duplicates_whatever_they_say():
    rng = random.Random(1)
    rows = [{"id": i, "url": u, "text": passage(rng, n)} for i, u, n in (
        ("long", "http://www.news.com/a/index.html", 90), ("short", "https://news.com/a/?spm=1", 40),
        ("other", "http://news.com/b", 50), ("none1", None, 60), ("none2", None, 70), ("na1", "N/A", 60), ("na2", "N/A", 60),
    )]  # fmt: skip
    rows.append({**rows[2], "id": "twin", "url": None})
    found = told(qc.dedup(rows, method="url", recall_sample=0))
    assert found.pop("short") == ("long", DUPLICATE, "equal address")
    ((_, (_, relation, rule)),) = found.items()
    assert (relation, rule) == (EXACT, "equal normal form")


def test_the_evidence_of_url_is_all_or_nothing():
    d = Documents.from_texts(strings("天地", "人山", "水火"), url=strings("a.cn/x", "http://a.cn/x/", None))
    assert Url().evidence_of(d, np.array([0, 0, 2]), np.array([1, 2, 2]))["evidence"].tolist() == [1.0, 0.0, 0.0]
    assert [
        m.tolist() for m in (meet(Url().candidates, d, None, 0).left, meet(Url().candidates, d, None, 0).right)
    ] == [[0], [1]]


# --- feature-code


def test_codes_stand_on_both_sides_of_a_full_stop():
    assert period_strings("今天上午九点开会。会议很成功。散会", 5, 5) == ["午九点开会。会议很成功", "会议很成功。散会"]


def share(a, b, of, least):
    x, y = (set(period_strings(t, 5, 5)) for t in (a, b))
    return len(x & y) / of(len(x), len(y)) if x and y and len(x & y) >= least else 0.0


@pytest.mark.parametrize(("of", "size"), [("larger", max), ("smaller", min)])
@pytest.mark.parametrize("least", [1, 2, 3])
def test_shares_of_codes_are_those_of_the_definition(of, size, least):
    rng = random.Random(4)
    pool = [passage(rng, 12) + "。" for _ in range(12)]
    texts = ["".join(rng.sample(pool, rng.randrange(1, 9))) for _ in range(12)]
    texts += [t + passage(rng, 3) + "。" for t in texts] + ["没有句号", ""]
    method = FeatureCode(of=of, min_shared=least)
    d = Documents.from_texts(strings(*texts))
    n = len(texts)
    left, right = (x.ravel() for x in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    wanted = np.array([share(texts[a], texts[b], size, least) for a, b in zip(left, right, strict=True)])
    found = method.evidence_of(d, left, right)["evidence"]
    assert np.allclose(found, wanted)
    met = meet(method.candidates, d, None, 0)
    accepted = {(a, b) for a, b, w in zip(left, right, wanted, strict=True) if a < b and w >= 0.5}
    assert accepted and accepted <= set(zip(met.left.tolist(), met.right.tolist(), strict=True))


def test_an_excerpt_is_no_duplicate_of_its_source():
    rng = random.Random(2)
    body = [passage(rng, 15) + "。" for _ in range(12)]
    rows = [{"id": "whole", "text": "".join(body)}, {"id": "part", "text": "".join(body[:4])},
            {"id": "like", "text": "".join([*body[:10], passage(rng, 15) + "。"])}]  # fmt: skip
    assert {k: v[:2] for k, v in told(qc.dedup(rows, method="feature-code", recall_sample=0)).items()} == {
        "like": ("whole", DUPLICATE)
    }
    assert set(told(qc.dedup(rows, method="feature-code", of="smaller", recall_sample=0))) == {"like", "part"}


@pytest.mark.parametrize("how", [{"length": 7}, {"length": 0}, {"min_shared": 0}, {"of": "both"}])
def test_parameters_of_feature_code_that_cannot_be_used(how):
    with pytest.raises(UsageError):
        FeatureCode(**how)


# --- cluster


def families(seed=5, n=8):
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        body = passage(rng, 300)
        rows.append({"id": f"a{i}", "text": body + passage(rng, 20)})
        rows.append({"id": f"b{i}", "text": body})
        rows.append({"id": f"c{i}", "text": passage(rng, 300)})
    return rows


def test_copies_join_a_cluster_and_rest_on_their_own_cosine():
    result = qc.dedup(families(), method="cluster", recall_sample=0)
    assert told(result) == {f"b{i}": (f"a{i}", DUPLICATE, "cosine in a cluster") for i in range(8)}
    assert all(p["evidence"] >= 0.8 for p in result.pairs.to_pylist())


def test_a_member_that_is_near_the_centroid_alone_stays():
    rng = random.Random(6)
    a, b, c, d = (passage(rng, 60) for _ in range(4))
    texts = [a + b + "。" + c, a + b + "。" + d, a + "。" + d + c[:30]]
    documents = Documents.from_texts(strings(*texts))
    method = with_statistics(Cluster(threshold=0.6), documents)
    met = meet(method.candidates, documents, None, 0)
    found = method.evidence_of(documents, met.left, met.right)["evidence"]
    assert list(zip(met.left.tolist(), met.right.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2)]
    assert found[0] >= 0.6 > found[1]
    rows = [{"id": f"x{i}", "text": t} for i, t in enumerate(texts)]
    assert set(told(qc.dedup(rows, method="cluster", threshold=0.6, recall_sample=0))) == {"x1"}


def test_a_large_cluster_is_bounded_and_says_so():
    text = families(n=1)[0]["text"]
    documents = Documents.from_texts(strings(*[text + c for c in "天地人山水火"]))
    met = meet(with_statistics(Cluster(cap=2), documents).candidates, documents, None, 0)
    assert list(zip(met.left.tolist(), met.right.tolist(), strict=True)) == [
        (0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4), (0, 5), (1, 5)
    ]  # fmt: skip
    assert met.bounded[0][1] == {"clusters": 1, "cap": 2}


def test_clusters_do_not_depend_on_the_order_of_the_input_or_workers():
    rows = families()
    first = qc.dedup(rows, method="cluster", recall_sample=0, workers=1)
    second = qc.dedup(random.Random(1).sample(rows, len(rows)), method="cluster", recall_sample=0, workers=3)
    assert first.pairs.to_pylist() == second.pairs.to_pylist()


def test_texts_without_terms_are_in_no_cluster():
    documents = Documents.from_texts(strings("", "，。", "12", "12 34"))
    assert not len(meet(with_statistics(Cluster(), documents).candidates, documents, None, 0).left)


def test_scope_and_references_of_clusters():
    texts = [r["text"] for r in families(n=1)][:2]
    documents = Documents.from_texts(strings(*texts, texts[0] + "天"))
    method = with_statistics(Cluster(), documents)
    met = meet(method.candidates, documents, np.array([1, 2, 1], np.uint64), 0)
    assert (met.left.tolist(), met.right.tolist()) == ([0], [2])
    met = meet(method.candidates, documents, None, 2)
    assert (met.left.tolist(), met.right.tolist()) == ([0, 1], [2, 2])
