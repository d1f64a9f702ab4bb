"""Covers: ccdet from texts to ledger: features, CCS and CLR, containment, pruning by site and its variants.

Compared against: worked examples, a brute-force twin of the whole method.
Run: pytest tests/unit/methods.
"""

import json
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.features import period_strings

import quchong as qc
from quchong.errors import UsageError
from quchong.features.periods import Pruning, period_sets
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.sets import feature_sets
from quchong.methods.sets.ccdet import CCDet
from quchong.seam import Documents
from quchong.text import form

SENTENCES = {
    name: f"{name * 3}今天在第{i}号会场宣布了新的安排甲乙丙丁"[: 14 + i] for i, name in enumerate("abcdefghijklmnop")
}


def page(names):
    """A page whose features are as many as the names, one each."""
    return "".join(f"{SENTENCES[n]}{n}。" for n in names)


def run(pages, **how):
    """relation by pair of ids, from (id, names of features, site)."""
    rows = [{"id": i, "text": page(names), "site": site} for i, names, site in pages]
    result = qc.dedup(rows, method="ccdet", recall_sample=0, **how)
    return {(p["left_id"], p["right_id"]): p for p in result.pairs.to_pylist()}


def test_the_papers_example_of_ccs_and_clr():
    pages = [("d1", "abc", None), ("d2", "abcd", None), ("d3", "abefghi", None), ("d4", "i", None)]
    found = run(pages)
    assert {k: (v["relation"], round(v["evidence"], 3)) for k, v in found.items()} == {
        ("d1", "d2"): ("duplicate", 1.0),
        ("d1", "d3"): ("contained_in", 0.667),
        ("d3", "d4"): ("contains", 1.0),
    }
    assert (found["d1", "d2"]["features_left"], found["d1", "d2"]["features_right"]) == (3, 4)  # CLR 0.75
    assert ("d3", "d4") not in run(pages, min_shared=2)


def test_the_papers_example_of_pruning():
    pages = [("p1", "abn", "s1"), ("p2", "cdn", "s1"), ("p3", "en", "s1"), ("q1", "ab", "s2"), ("q2", "fn", "s2")]
    unpruned = run(pages, prune="none", threshold=0.5)
    assert {k: v["evidence"] for k, v in unpruned.items()} == {
        ("p1", "q1"): 1.0, ("p1", "p3"): 0.5, ("p1", "q2"): 0.5, ("p2", "p3"): 0.5, ("p2", "q2"): 0.5, ("p3", "q2"): 0.5,
    }  # fmt: skip
    pruned = run(pages, threshold=0.5)
    assert {k: (v["evidence"], v["features_left"], v["features_right"]) for k, v in pruned.items()} == {
        ("p1", "q1"): (1.0, 2, 2)
    }
    assert set(run(pages, threshold=0.5, min_site_docs=4)) == set(unpruned)
    assert set(run(pages, threshold=0.5, recount=False)) == {("p1", "q1")}
    assert run(pages, threshold=0.5, recount=False)["p1", "q1"]["features_left"] == 3
    assert set(run(pages, threshold=0.5, min_site_ratio=1.0)) == {("p1", "q1")}


def test_scope_says_where_a_feature_is_taken_out():
    pages = [("p1", "abn", "s1"), ("p2", "cdn", "s1"), ("p3", "en", "s1"), ("q1", "fn", "s2"), ("q2", "ng", "s3")]
    assert set(run(pages, threshold=0.5)) == {("q1", "q2")}  # no site of its own repeats the sentence
    assert run(pages, threshold=0.5, scope="list") == {}


def test_pages_without_a_site_and_copies_on_one_site_are_no_template():
    assert ("p1", "p2") in run([(f"p{i}", "abc" + "defg"[i], None) for i in range(4)])
    copies = [(f"p{i}", "abcdefgh" + "ijklm"[i], "s") for i in range(5)]
    assert len(run(copies)) == 10  # 8 of 10 features agree: one text five times
    assert run(copies, same_text=0.9) == {}  # as a template would be


def test_the_site_comes_from_the_address():
    rows = [
        {"id": f"p{i}", "text": page("nm" + "abcd"[i]), "url": f"http://{'news' if i % 2 else 'www'}.a.com.cn/{i}.html"}
        for i in range(4)
    ]
    assert len(qc.dedup(rows, method="ccdet", recall_sample=0).pairs) == 0
    for row in rows:
        del row["url"]
    assert len(qc.dedup(rows, method="ccdet", recall_sample=0).pairs) == 6


def brute(pages, how):
    """The method as its definition tells it, pair by pair, on distinct texts without copies on one site."""
    sets = [set(period_strings(page(names), 10)) for _, names, _ in pages]
    places = defaultdict(set)
    for i, (_, _, site) in enumerate(pages):
        for f in sets[i]:
            places[f, site].add(i)
    noise = {k for k, docs in places.items() if k[1] is not None and len(docs) >= how["min_site_docs"]}
    if how["scope"] == "list":
        bad = {f for f, _ in noise}
        kept = [s - bad for s in sets]
    else:
        kept = [{f for f in s if (f, pages[i][2]) not in noise} for i, s in enumerate(sets)]
    out = {}
    for i, j in combinations(range(len(pages)), 2):
        shared = len(kept[i] & kept[j])
        a, b = (len(kept[i]), len(kept[j])) if how["recount"] else (len(sets[i]), len(sets[j]))
        if shared < how["min_shared"] or not min(a, b) or shared / min(a, b) < how["threshold"]:
            continue
        inside = "contained_in" if a <= b else "contains"
        out[pages[i][0], pages[j][0]] = "duplicate" if min(a, b) / max(a, b) >= how["ratio"] else inside
    return out


one = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=8, unique=True).map(lambda x: "".join(sorted(x)))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(one, st.sampled_from([None, "s1", "s2"])), min_size=2, max_size=9, unique_by=lambda p: p[0]),
    st.fixed_dictionaries({
        "threshold": st.sampled_from([0.4, 0.5, 0.6, 1.0]), "ratio": st.sampled_from([0.3, 0.5, 0.8]),
        "min_shared": st.integers(1, 2), "min_site_docs": st.integers(2, 3), "scope": st.sampled_from(["site", "list"]),
        "recount": st.booleans(),
    }),
)  # fmt: skip
def test_pairs_are_those_of_the_definition(found, how):
    pages = [(f"p{i}", names, site) for i, (names, site) in enumerate(found)]
    got = {k: v["relation"] for k, v in run(pages, same_text=1.0, **how).items()}
    assert got == brute(pages, how)


def test_template_text_around_the_body_changes_little():
    bare = set(period_strings(page("abcdef"), 10))
    after = set(period_strings(page("abcdef") + "\n热点推荐 分享到 评论 下一页", 10))
    before = set(period_strings("首页 新闻 体育\n" + page("abcdef"), 10))
    assert after == bare
    assert len(before - bare) <= 1
    assert set(period_strings(page("fedcba"), 10)) == bare  # sentences in another order


def test_truncating_to_a_third_makes_a_containment():
    pages = [("a", "abcdefghi", None), ("b", "abc", None), ("c", "abcdefg", None)]
    found = run(pages)
    assert found["a", "b"]["relation"] == "contains"
    assert found["a", "c"]["relation"] == "duplicate"
    assert set(run(pages, ratio=0.1)) == set(found)  # T_CLR changes labels only


def test_pages_without_features_meet_nobody():
    rows = [{"id": i, "text": f"没有句号的标题和菜单 {i} 新闻 体育 财经"} for i in range(4)]
    assert len(qc.dedup(rows, method="ccdet", recall_sample=0).pairs) == 0


def test_the_result_depends_on_neither_order_nor_workers():
    rng = np.random.default_rng(3)
    rows = [
        {"id": f"p{i:03}", "text": page("".join(rng.choice(list("abcdefghijklmnop"), 6, replace=False))), "site": f"s{i % 60}"}
        for i in range(120)
    ]  # fmt: skip
    first = qc.dedup(rows, method="ccdet", workers=1)
    for workers, order in ((2, rng.permutation(120)), (3, rng.permutation(120))):
        again = qc.dedup([rows[i] for i in order], method="ccdet", workers=workers)
        assert again.pairs.equals(first.pairs)
        assert again.ledger.equals(first.ledger)
    assert len(first.ledger)


def test_rethreshold_equals_a_new_run():
    pages = [("a", "abcdefghi", None), ("b", "abcx", None), ("c", "abcdefg", None), ("d", "abcop", None)]
    rows = [{"id": i, "text": page(names.replace("x", "p"))} for i, names, _ in pages]
    once = qc.dedup(rows, method="ccdet", threshold=0.5)
    again, new = once.rethreshold(0.75, ratio=0.9), qc.dedup(rows, method="ccdet", threshold=0.75, ratio=0.9)
    assert again.ledger.drop_columns("config_hash").equals(new.ledger.drop_columns("config_hash"))
    with pytest.raises(UsageError, match=r": for 0\.5, run again"):
        new.rethreshold(0.5)


def test_every_removal_names_rule_evidence_and_exact_counts():
    rows = [{"id": "a", "text": page("abcdef")}, {"id": "b", "text": page("abcdeg") + "完"}]
    result = qc.dedup(rows, method="ccdet")
    (row,) = result.ledger.to_pylist()
    assert (row["rule"], row["threshold"], row["method"]) == ("ccs", 0.6, "ccdet")
    assert row["evidence"] == pytest.approx(5 / 6)
    assert 0 < row["jaccard"] < 1
    assert row["passages"]
    assert "ccs" in str(result.explain(row["id"]))
    strict = qc.dedup(rows, method="ccdet", verify="exact")
    assert all(r.startswith("ccs, ") for r in strict.ledger["rule"].to_pylist())


def test_noise_is_part_of_the_configuration():
    rows = [{"id": f"p{i}", "text": page("nm" + "abcd"[i]), "site": "s"} for i in range(4)]
    hashes = {
        qc.dedup(rows[:n], method="ccdet").manifest["config_hash"] for n in (2, 4)
    }  # fmt: skip
    assert len(hashes) == 2


def test_idf_pruning_keeps_the_band():
    sets = feature_sets(np.array([1, 2, 1, 3, 1, 2, 1, 4], np.uint64), np.array([0, 2, 4, 6, 8], np.int64))
    kept = Pruning("idf", idf_low=0.2, idf_high=0.85).noise(sets, pa.nulls(4, pa.large_string()))
    assert kept.everywhere.tolist() == [1, 3, 4]  # idf 0.14, 0.57 (two of four), 1.0
    assert isinstance(kept.without(sets, pa.nulls(4, pa.large_string())), FeatureSets)


@pytest.mark.parametrize(
    "how",
    [{"ratio": 0}, {"tail": 0}, {"prune": "all"}, {"scope": "page"}, {"min_site_docs": 1}, {"same_text": 0},
     {"threshold": 0}, {"threshold": 1.5}, {"verify": "no"}, {"idf_low": 0.9, "idf_high": 0.2}, {"min_site_ratio": 2}],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(how):
    with pytest.raises(UsageError):
        CCDet(**how)


def test_judge_works_on_two_texts_alone():
    method = CCDet()
    documents = Documents.from_texts(pa.array([page("abcd"), page("abce")], pa.large_string()))
    found = method.score(documents, np.array([0], np.uint32), np.array([1], np.uint32))
    assert found["evidence"].tolist() == [0.75]
    assert qc.compare(page("abcd"), page("abce"), method="ccdet").relation == "duplicate"


@pytest.mark.parametrize("ids", [("c1", "c2"), ("c2", "c1")])
def test_copies_on_several_sites_are_pruned_page_by_page_whatever_their_ids(ids):
    on_s1, on_s2 = ids
    notes = [("k1", "dn", "s1"), ("k2", "en", "s1"), ("k3", "fn", "s1")]  # n is the note of s1
    found = run([*notes, (on_s1, "an", "s1"), (on_s2, "an", "s2"), ("z9", "nb", "s3")], threshold=0.5)
    assert {k: v["relation"] for k, v in found.items()} == {("c1", "c2"): "exact", (on_s2, "z9"): "duplicate"}
    assert found[on_s2, "z9"]["evidence"] == 0.5


def test_a_copy_counts_as_a_page_of_each_site_it_stands_on():
    on_s2 = [("e1", "dn", "s2"), ("e2", "en", "s2")]  # with the copy the note stands on three pages of s2
    others = [("k1", "n", "s3")]
    assert run([("a1", "an", "s1"), ("a2", "an", "s2"), *on_s2, *others], threshold=0.5).keys() == {
        ("a1", "a2"),
        ("a1", "k1"),
    }
    assert run([("a2", "an", "s1"), ("a1", "an", "s2"), *on_s2, *others], threshold=0.5).keys() == {
        ("a1", "a2"),
        ("a2", "k1"),
    }


@pytest.mark.parametrize("ids", [("c1", "c2"), ("c2", "c1")])
def test_copies_under_several_addresses_meet_by_each_of_them(ids):
    here, there = ids
    rows = [
        {"id": here, "text": "同一篇文章的正文在此", "url": "http://a.example.com/1"},
        {"id": there, "text": "同一篇文章的正文在此", "url": "http://b.example.com/2"},
        {"id": "u", "text": "后来改写过的另一个版本", "url": "http://b.example.com/2"},
    ]
    table = qc.dedup(rows, method="url", recall_sample=0).pairs.to_pylist()
    assert [(p["left_id"], p["right_id"], p["relation"]) for p in table] == [
        ("c1", "c2", "exact"),
        (there, "u", "duplicate"),
    ]


TWICE = "今天上午全市召开了ABC防汛工作会议，部署了下一阶段的任务。各区负责人先后汇报了一百二十项准备情况。会后大家分头落实。"
OTHERWISE = (
    "今天上午全市召開了ＡＢＣ防汛工作會議 部署了下一階段的任務｡各區負責人先後匯報了120項準備情況。會後大家分頭落實。"
)


@pytest.mark.parametrize("method", ["ccdet", "feature-code"])
def test_features_of_the_normal_form_know_no_script_width_case_or_numerals(method):
    rows = [TWICE, OTHERWISE + "又加了这么一句话。"]
    found = [
        qc.dedup(rows, method=method, characters=c, recall_sample=0).pairs["relation"].to_pylist()
        for c in ("text", "normal")
    ]
    assert found == [[], ["duplicate"]]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("甲乙丙丁a1 。｡，", max_size=20), max_size=4), st.integers(1, 6), st.integers(0, 3))
def test_features_of_the_normal_form_are_letters_around_full_stops(texts, tail, after):
    sets = period_sets(pa.array(texts, pa.large_string()), tail, after=after, normal=form("plain"))
    plain = ["".join(c for c in t.replace("｡", "。") if c.isalnum() or c == "。") for t in texts]
    want = [set(period_strings(t, tail, after)) for t in plain]
    assert sets.lengths.tolist() == [len(w) for w in want]
    for d, strings in enumerate(want):
        values = set(sets.values[sets.offsets[d] : sets.offsets[d + 1]].tolist())
        for e in range(d):
            assert len(strings & want[e]) == len(
                values & set(sets.values[sets.offsets[e] : sets.offsets[e + 1]].tolist())
            )


@pytest.mark.parametrize(
    ("characters", "alike"),
    [
        ("text", set()),
        ("simplified", {"t"}),
        ("width", {"w"}),
        ("folded", {"t", "w", "b"}),
        ("normal", {"t", "w", "b", "m"}),
    ],
)
def test_features_are_folded_by_choice(characters, alike):
    """Pages in traditional letters, in full width, in both, and with other marks besides."""
    base = "今天上午全市召开了ABC防汛工作会议，部署12项任务。各区负责人先后汇报了AB型设备，还有34处险情。"
    traditional = "今天上午全市召開了ABC防汛工作會議，部署12項任務。各區負責人先後匯報了AB型設備，還有34處險情。"
    wide = str.maketrans("ABC1234", "ＡＢＣ１２３４")
    pages = {"t": traditional, "w": base.translate(wide), "b": traditional.translate(wide)}
    pages["m"] = pages["b"].replace("，", "、")
    # In normal form all but the one with other words are the same text: a word more keeps them apart from exact copies.
    rows = [{"id": "o", "text": base}, *({"id": k, "text": v + f"后记其{i}"} for i, (k, v) in enumerate(pages.items()))]
    found = qc.dedup(rows, method="ccdet", characters=characters, recall_sample=0).pairs.to_pylist()
    with_base = {
        p["left_id"] if p["right_id"] == "o" else p["right_id"] for p in found if "o" in (p["left_id"], p["right_id"])
    }
    assert with_base == alike


def test_noise_is_counted_by_texts_or_by_pages():
    """Five pages of one site that share 8 of 10 features: one text five times, or what five pages repeat."""
    copies = [(f"p{i}", "abcdefgh" + "ijklm"[i], "s") for i in range(5)]
    assert len(run(copies)) == 10
    assert run(copies, count="pages") == {}
    assert len(run(copies, count="pages", min_site_docs=6)) == 10
    template = [(f"p{i}", "n" + "abcde"[i] + "fghij"[i], "s") for i in range(5)]
    assert run(template, threshold=0.3, count="texts") == run(template, threshold=0.3, count="pages") == {}


def test_copies_on_several_sites_are_judged_page_by_page_whatever_their_ids():
    """A text that is half template on site s, and copied to t, where nothing is: each page is compared as what is left of it there."""
    for names in (["a", "z"], ["z", "a"]):
        here, there = names
        rows = [
            (here, "nopab", "s"),
            (there, "nopab", "t"),
            ("m1", "nopcd", "s"),
            ("m2", "nopef", "s"),
            ("u", "nopgh", "u"),
        ]
        found = run(rows, threshold=0.5)
        assert {frozenset(k) for k in found if "u" in k} == {frozenset({there, "u"})}
        assert found[tuple(sorted((here, there)))]["relation"] == "exact"


NEWS = Path(__file__).parents[4] / "examples" / "news.jsonl"


def test_explain_tells_the_ratio_of_sizes():
    result = qc.dedup(NEWS, method="ccdet", recall_sample=0)
    told = result.explain("n009")
    pair = next(p for p in result.pairs.to_pylist() if {p["left_id"], p["right_id"]} == {"n009", told.survivor_id})
    sizes = [pair["features_left"], pair["features_right"]]
    assert told.size_ratio == min(sizes) / max(sizes) < 0.5 and told.relation == "contained_in"
    assert f"CLR {told.size_ratio:.3g}" in str(told) and "CLR" in told._repr_html_()
    assert qc.dedup(NEWS, recall_sample=0).explain("n009").size_ratio is None


def test_pairs_tell_clr_wherever_they_are_made(tmp_path):
    """A run, one read back, one decided again, `compare` and `inspect` give one figure; exact pairs and other methods none."""
    result = qc.dedup(NEWS, method="ccdet", prune="none", recall_sample=0, out=tmp_path / "run")
    rows = result.pairs.to_pylist()
    told = [row for row in rows if row["relation"] != "exact"]
    assert len(told) > 20 and len({row["size_ratio"] for row in told}) > 10
    for row in told:
        fewer, more = sorted((row["features_left"], row["features_right"]))
        assert row["size_ratio"] == fewer / more
        related = row["evidence"] >= 0.6
        assert (row["relation"] == "duplicate") == (related and row["size_ratio"] >= 0.5)
    assert {row["size_ratio"] for row in rows if row["relation"] == "exact"} == {None}
    assert qc.load(tmp_path / "run").pairs.to_pylist() == rows
    again = qc.load(tmp_path / "run").rethreshold(ratio=0.9).pairs.to_pylist()
    assert [row["size_ratio"] for row in again] == [row["size_ratio"] for row in rows]
    assert [row["relation"] for row in again] != [row["relation"] for row in rows]
    texts = {row["id"]: row["text"] for row in map(json.loads, NEWS.read_text("utf-8").splitlines())}
    for row in told[:5]:
        one, other = texts[row["left_id"]], texts[row["right_id"]]
        assert qc.compare(one, other, method="ccdet", prune="none").measures["size_ratio"] == row["size_ratio"]
        gates = {gate.what: gate for gate in qc.inspect(one, other, method="ccdet", prune="none").seen.gates}
        assert (gates["clr"].value, gates["clr"].column) == (row["size_ratio"], "size_ratio")
    assert {row["size_ratio"] for row in qc.dedup(NEWS, recall_sample=0).pairs.to_pylist()} == {None}


def test_full_stops_of_english_where_they_end_a_sentence():
    text = "Prices rose by 3.5 percent. He said: “It is over.” See www.a.example now. Done"
    documents = Documents.from_texts(pa.array([text], pa.large_string()))
    (marks,) = CCDet(stops="all", tail=8, prune="none").sights(documents)
    said = ["".join(text[a:b].split()) for a, b in marks.places.tolist()]
    assert said == ["5percent.", "Itisover.", "amplenow."]  # eight letters each, and white space goes
    assert len(CCDet(prune="none").sights(documents)[0].places) == 0
    same = text.replace("percent.", "percent。").replace("over.", "over。").replace("now.", "now。")
    by_hand = CCDet(tail=8, prune="none").sets_of(Documents.from_texts(pa.array([same], pa.large_string())))
    assert CCDet(stops="all", tail=8, prune="none").sets_of(documents).values.tolist() == by_hand.values.tolist()


@pytest.mark.parametrize("characters", ["text", "folded", "normal"])
def test_what_is_shown_is_what_counts_however_it_is_read(characters):
    text = "他們在臺北開會，討論了新的方案。The new rules apply from May. 會議於次日結束。"
    documents = Documents.from_texts(pa.array([text], pa.large_string()))
    method = CCDet(stops="all", characters=characters, prune="none")
    (marks,) = method.sights(documents)
    assert sorted(marks.values.tolist()) == sorted(method.sets_of(documents).values.tolist())
    assert len(marks.values) == 3 and marks.counted.all()


def test_english_pages_are_compared_by_their_own_full_stops():
    body = "The council met on Monday. Members discussed the budget of the harbour. A vote is due in spring."
    rows = [{"id": "a", "text": body}, {"id": "b", "text": f"Home News Sport\n{body} Subscribe now"}]
    assert len(qc.dedup(rows, method="ccdet", recall_sample=0).pairs) == 0
    found = qc.dedup(rows, method="ccdet", stops="all", tail=30, recall_sample=0).pairs.to_pylist()
    assert [(p["left_id"], p["right_id"]) for p in found] == [("a", "b")]
