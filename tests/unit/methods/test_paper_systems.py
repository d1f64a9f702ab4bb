"""Covers: what all comparison systems of Wei 2013 promise, through `quchong.dedup`.

Run: pytest tests/unit/methods.
"""

import gzip
import json

import numpy as np
import pyarrow as pa
import pytest
from matrices import some_of

import quchong as qc
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.plan.catalogue import METHODS, build
from quchong.relations import ACCEPTED
from quchong.seam import Documents, KeyJoin, settings_of, with_statistics

SYSTEMS = [
    "shingling",
    "spotsigs",
    "codet",
    "imatch",
    "imatch-s",
    "imatch-p",
    "lsh",
    "lsh-s",
    "lsh-p",
    "simhash",
    "random-projection",
    "henzinger",
    "scam",
    "hamming-lsh",
    "lsh-forest",
    "kmatch",
    "graph",
    "check",
    "dscam",
]
VARIANTS = [
    *((name, {}) for name in SYSTEMS),
    ("shingling", {"sketch": "mod-m", "modulus": 5}),
    ("shingling", {"sketch": "bottom-s", "sample": 50}),
    ("shingling", {"sketch": "super", "rows": 6}),
    ("spotsigs", {"pruning": "paper"}),
    ("codet", {"weights": "unit", "depth": 3}),
    ("imatch", {"lexicons": 10}),
    ("imatch-random", {}),
    ("block-digest", {"unit": "chunk", "chunk": 16, "least": 0.05}),
    ("lcs", {}),
    ("lcs", {"measure": "substring", "least": 0.3}),
]


@pytest.mark.parametrize(("name", "how"), VARIANTS)
def test_order_and_workers_change_nothing(edited, name, how):
    one = qc.dedup(edited, method=name, workers=1, recall_sample=0, **how)
    other = qc.dedup(edited[::-1], method=name, workers=2, recall_sample=0, **how)
    assert one.pairs.equals(other.pairs) and one.ledger.equals(other.ledger)
    assert one.manifest["config_hash"] == other.manifest["config_hash"]
    assert {p["relation"] for p in one.pairs.to_pylist()} >= {"exact"}


@pytest.mark.parametrize(("name", "how"), VARIANTS)
def test_texts_without_features_are_no_pair(edited, name, how):
    result = qc.dedup(
        [*edited, {"id": "y1", "text": "好吗"}, {"id": "y2", "text": "你好"}], method=name, recall_sample=0, **how
    )
    for p in result.pairs.to_pylist():
        assert not {p["left_id"][0], p["right_id"][0]} & set("zy")
    assert not {i for i in result.removed["id"].to_pylist() if i[0] in "zy"}


@pytest.mark.parametrize("name", ["shingling", "spotsigs", "codet", "lsh", "lsh-s", "lsh-p"])
def test_lightly_edited_copies_are_found(edited, name):
    result = qc.dedup(edited, method=name, recall_sample=100)
    near = {(p["left_id"], p["right_id"]): p for p in result.pairs.to_pylist() if p["relation"] != "exact"}
    copies = {(f"a{i:02}", f"b{i:02}") for i in range(20)}
    assert copies <= near.keys()
    contained = {(f"a{i:02}", f"c{i:02}") for i in range(20, 25)}
    assert near.keys() - copies == (contained if name in ("shingling", "codet") else set())
    for pair in contained & near.keys():
        assert near[pair]["relation"] == "contains" and near[pair]["features_left"] > near[pair]["features_right"]
    assert {near[p]["relation"] for p in copies} == {"duplicate"}
    measured = result.manifest["recall"]
    assert all(row["recall"] in (None, 1.0) for row in measured.values() if isinstance(row, dict))


@pytest.mark.parametrize("name", ["imatch", "imatch-s", "imatch-p"])
def test_one_changed_sentence_changes_a_signature_and_randomised_lexicons_do_not_invent_pairs(edited, name):
    for lexicons in (0, 10):
        result = qc.dedup(edited, method=name, lexicons=lexicons, recall_sample=0)
        found = {(p["left_id"], p["right_id"]) for p in result.pairs.to_pylist() if p["relation"] != "exact"}
        assert found <= {(f"a{i:02}", f"b{i:02}") for i in range(20)}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_document_is_most_like_itself_and_evidence_is_symmetric(edited, name):
    texts = pa.array([r["text"] for r in edited], pa.large_string())
    method = build(name)
    documents = Documents.from_texts(texts)
    fitted = with_statistics(method, documents, 2)
    n = len(texts)
    left, right = (x.ravel().astype(np.uint32) for x in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    evidence = fitted.evidence_of(documents, left, right, 2)["evidence"].reshape(n, n)
    assert (evidence == evidence.T).all()
    assert evidence.min() >= 0 and evidence.max() <= 1
    own = np.diag(evidence)
    assert set(own[:60].tolist()) == {1.0}  # whole articles
    assert set(own[-4:].tolist()) == {0.0}  # nothing to compare


@pytest.mark.parametrize(("name", "how"), VARIANTS)
def test_what_meets_is_what_brute_force_accepts(edited, name, how):
    """Lossless ones find every pair their rule accepts; the others find no other."""
    documents = Documents.from_texts(pa.array([r["text"] for r in edited], pa.large_string()))
    method = build(name, how)
    assert not isinstance(method.candidates, KeyJoin)
    fitted = with_statistics(method, documents, 2)
    n = len(documents)
    met = meet(fitted.candidates, documents, None, 0, 2)
    left, right = (x.astype(np.uint32) for x in np.triu_indices(n, 1))
    accepted = fitted.rule.floor(fitted.score(documents, left, right, 2))
    true = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
    found = set(zip(met.left.tolist(), met.right.tolist(), strict=True))
    assert len(true) >= 5
    if method.traits.lossless and how.get("pruning") != "paper":
        assert true <= found
    else:
        assert len(true & found) >= 0.9 * len(true)


@pytest.mark.parametrize("name", some_of(SYSTEMS, 7))  # scopes and references are the engine's, not a method's
def test_scope_and_references_are_kept(edited, name):
    rows = [{**r, "day": r["id"][0]} for r in edited]
    apart = qc.dedup(rows, method=name, per="day", recall_sample=0)
    assert not len(apart.pairs)
    a, b = [r for r in edited if r["id"][0] == "a"], [r for r in edited if r["id"][0] in "bce"]
    against = qc.dedup(b, method=name, against=a, recall_sample=0)
    ids = {(p["left_id"][0], p["right_id"][0]) for p in against.pairs.to_pylist()}
    assert ("a", "e") in ids and ("a", "a") not in ids
    assert set(against.removed["id"].to_pylist()) <= {r["id"] for r in b}
    copies = [r for r in edited if r["id"][0] in "ab"]  # references that are like each other are no pairs
    told = qc.dedup([r for r in edited if r["id"][0] in "ce"], method=name, against=copies, recall_sample=0).pairs
    assert {p["left_id"][0] + p["right_id"][0] for p in told.to_pylist()} & {"aa", "ab", "ba", "bb"} == set()


@pytest.mark.parametrize("name", SYSTEMS)
def test_verify_exact_holds_pairs_to_the_default_s_test_too(edited, name):
    rule = qc.dedup(edited, method=name, recall_sample=0)
    exact = rule.rethreshold(verify="exact")
    for p in exact.pairs.to_pylist():
        if p["relation"] in ACCEPTED and p["relation"] != "exact":
            assert "," in p["rule"]
    assert len(exact.ledger) <= len(rule.ledger)


@pytest.mark.parametrize("name", ["spotsigs", "codet", "imatch", "imatch-s", "imatch-p"])
def test_giving_the_statistics_that_would_be_counted_changes_nothing(edited, name, tmp_path):
    method = build(name)
    compared = [r["text"] for r in edited if r["id"][0] in "abc"]  # what exact classes leave
    known = with_statistics(method, Documents.from_texts(pa.array(compared, pa.large_string())), 2).statistics
    path = known.save(tmp_path / "statistics.parquet")
    counted = qc.dedup(edited, method=name, recall_sample=0)
    given = qc.dedup(edited, method=name, statistics=str(path), recall_sample=0)
    assert given.pairs.equals(counted.pairs)
    assert given.manifest["config_hash"] == counted.manifest["config_hash"]
    assert settings_of(build(name, {"statistics": str(path)}))["statistics"] == known.digest
    fewer = with_statistics(method, Documents.from_texts(pa.array(compared[1:], pa.large_string())), 2).statistics
    other = qc.dedup(edited, method=name, statistics=fewer, recall_sample=0)
    assert other.manifest["config_hash"] != counted.manifest["config_hash"]
    with pytest.raises(UsageError, match="make new statistics"):
        build(name, {"statistics": known} | ({"normalise": "plain"} if name != "imatch-p" else {"tail": 5}))


def test_statistics_of_the_command_serve_terms_and_words(edited):
    from quchong.api import fit_statistics

    counted = fit_statistics(edited, ngram_size=1, tokens="auto")
    for name in ("imatch", "codet"):
        assert settings_of(build(name, {"statistics": counted}))["statistics"] == counted.digest


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize(
    "rows",
    [[], [{"id": "1", "text": "今天天气很好，我们去公园散步。"}], [{"id": "1", "text": ""}, {"id": "2", "text": "。"}]],
)
def test_next_to_nothing_is_no_error(name, rows):
    result = qc.dedup(rows, method=name)
    assert not len(result.pairs) and len(result.kept) == len(rows)


@pytest.mark.parametrize("name", ["shingling", "spotsigs", "codet", "lsh", "lsh-s", "lsh-p"])
def test_what_a_cap_bounds_is_said(edited, name):
    """13 near-copies and a cap of 3: one stays, and the run says what was bounded."""
    text = edited[0]["text"]
    rows = [{"id": "o", "text": text}, *({"id": f"x{i:02}", "text": f"{text}第{i}页。"} for i in range(12))]
    how = {"idf_low": 0.0} if name == "spotsigs" else {}  # what stands in every document is out of the band
    result = qc.dedup(rows, method=name, cap=3, recall_sample=0, **how)
    assert any(a["figures"].get("cap") == 3 for a in result.manifest["alarms"])
    assert 10 <= len(result.removed) <= 12
    whole = qc.dedup(rows, method=name, recall_sample=0, **how)
    assert len(whole.removed) == 12 and not whole.manifest["alarms"]


def test_their_names_and_traits_are_told():
    for name in SYSTEMS:
        kind = METHODS[name]
        assert kind.name == name and kind.traits.title and kind.traits.paper and "duplicate" in kind.traits.finds


@pytest.mark.shared
@pytest.mark.parametrize("name", SYSTEMS)
def test_of_the_67_real_pages_no_other_pair_is_merged(shared_pages, name):
    """Bodies of `pages.read_page`: one article stands on three pages; nothing else is a copy of anything."""
    one = {"tests/thepaper/2", "tests/thepaper/4", "visiable_test/thepaper/1"}
    result = qc.dedup(shared_pages, method=name, recall_sample=0)
    found = {(p["left_id"], p["right_id"]) for p in result.pairs.to_pylist() if p["relation"] in ACCEPTED}
    assert all(set(p) <= one for p in found)
    assert len(found) == 3


@pytest.fixture(scope="module")
def shared_pages():
    import os
    from pathlib import Path

    given = os.environ.get("QUCHONG_SHARED")
    folder = Path(given) if given else Path(__file__).resolve().parents[4] / "shared"
    path = folder / "data" / "zh_html_gne" / "pages.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"the shared data sets are absent: no {path} (set QUCHONG_SHARED to the folder above data/)")
    pytest.importorskip("resiliparse")
    from quchong.pages.page import read_page

    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [{"id": r["id"], "site": r["site"], "text": read_page(r["html"]).text} for r in rows]
