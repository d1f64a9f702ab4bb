"""Covers: quchong.views.model and what it is made of: figures, clusters, time line, pairs, the cap.

Compared against: the tables of the run. Run: pytest tests/unit/views/test_report_model.py.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.tables import TEMPLATES
from quchong.views.chronology import Step, _together, chronologies, in_order
from quchong.views.clusters import biggest
from quchong.views.cut import LONGEST, Excerpt, first_words, short
from quchong.views.figures import by_source, by_time, scores, sizes
from quchong.views.model import model, thresholds_of
from quchong.views.templates import templates_shown

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"


@pytest.fixture(scope="module")
def made(saved):
    subject = saved._subject()
    return model(subject, thresholds_of(subject))


def rows_of(made):
    removals, documents = made["removals"], made["documents"]
    for k, i in enumerate(removals["document"]):
        survivor = removals["survivor"][k]
        yield (
            documents["id"][i],
            documents["id"][survivor],
            made["relations"][removals["relation"][k]],
            removals["pair"][k],
        )


def test_every_removal_is_listed_with_its_pair(saved, made):
    wanted = [(row["id"], row["survivor_id"], row["relation"]) for row in saved.ledger.to_pylist()]
    assert [row[:3] for row in rows_of(made)] == wanted
    for doc, survivor, relation, k in rows_of(made):
        pair = made["pairs"][k]
        assert [made["documents"]["id"][i] for i in (pair["left"], pair["right"])] == [doc, survivor]
        assert pair["relation"] == relation and pair["removed"]


def test_passages_and_differences_stand_where_the_ledger_has_them(saved, made):
    rows = {row["id"]: row for row in saved.ledger.to_pylist()}
    told = 0
    for doc, survivor, _, k in rows_of(made):
        pair = made["pairs"][k]
        texts = [made["documents"]["text"][str(i)][0] for i in (pair["left"], pair["right"])]
        assert texts == saved.texts([doc, survivor])
        assert [p[:4] for p in pair["passages"]] == [
            [p["start"], p["end"], p["survivor_start"], p["survivor_end"]] for p in rows[doc]["passages"]
        ]
        for kind, conflict, a, b, c, d, left, right in pair["differences"]:
            told += 1
            assert (texts[0][a:b][:200], texts[1][c:d][:200]) == (left, right)
            assert made["kinds"][kind] and conflict in (0, 1)
    assert told > 20


def test_clusters_are_those_of_the_table(saved, made):
    clusters = Counter(saved.clusters["cluster_id"].to_pylist())
    assert sizes(saved.clusters) == sorted(Counter(clusters.values()).items())
    found = made["documents"]["id"]
    assert {found[c["survivor"]]: c["size"] for c in made["clusters"]} == clusters
    assert [c["size"] for c in made["clusters"]] == sorted(clusters.values(), reverse=True)
    members = {row["id"]: row["cluster_id"] for row in saved.clusters.to_pylist()}
    pairs = {(row["left_id"], row["right_id"]) for row in saved.pairs.to_pylist()}
    for c in made["clusters"]:
        assert all(members[found[i]] == found[c["survivor"]] for i in c["members"])
        assert all((found[a], found[b]) in pairs for a, b, _, _ in c["edges"])
        assert {c["survivor"], *c["members"]} <= {step["document"] for step in c["line"]} and c["line_more"] == 0


def test_a_time_that_contradicts_the_address_is_shown_with_the_date_by_which_the_line_is_ordered():
    text = "市交通局发布消息，轨道交通三号线一期工程十二月三十一日开始空载试运行，全长二十八公里，共设二十一座车站，明年六月底前初期运营。"
    rows = [
        {"id": "late", "text": text, "time": "2016-01-01 08:00", "url": "http://b.example/20160101/n2.shtml"},
        {
            "id": "first",
            "text": text + "记者李明",
            "time": "2016-12-31 19:02",
            "url": "http://a.example/20151231/n1.shtml",
        },
        {
            "id": "other",
            "text": "股市今日收盘上涨百分之二，成交额放大。",
            "time": "2016-05-01",
            "url": "http://a.example/20160502/n3.shtml",
        },
    ]
    subject = qc.dedup(rows, recall_sample=0)._subject()
    made = model(subject, thresholds_of(subject))
    documents = made["documents"]
    line = [documents["id"][step["document"]] for step in made["clusters"][0]["line"]]
    assert line == ["first", "late"]
    k = documents["id"].index("first")
    assert documents["address"] == {str(k): 1451588520} and documents["time"][k] == 1483210920


def test_scores_count_every_pair(saved):
    for found in scores(saved.pairs).values():
        assert sum(map(sum, found["counts"].values())) == len(saved.pairs)


def test_sources_and_times_count_every_document():
    rows = [
        {"id": "a", "text": "今天天气很好，我们一起去公园散步。", "site": "x", "date": "2024-01-01 08:00"},
        {"id": "b", "text": "今天天气很好，我们一起去公园散步。", "site": "y", "date": "2024-01-03"},
        {"id": "c", "text": "股市今日收盘上涨百分之二，成交额放大。", "site": "y", "date": "no time"},
        {"id": "d", "text": "一场小雨之后，山里的空气格外清新。", "date": "2024-01-01 09:00"},
    ]
    subject = qc.dedup(rows, source="site", time="date", keep="longest")._subject()
    found = by_source(subject)
    assert found["column"] and dict(zip(found["names"], found["read"], strict=True)) == {"y": 2, "x": 1, "memory": 1}
    assert sum(found["removed"]) == 1
    time = by_time(subject)
    assert (time["unit"], time["undated"], sum(time["read"]), sum(time["removed"])) == ("hour", 1, 3, 1)
    assert time["labels"][0] == "2024-01-01 08" and time["labels"][-1] == "2024-01-03 00" and len(time["labels"]) == 41
    bare = qc.dedup(["一", "二"])._subject()
    assert by_time(bare) is None and not by_source(bare)["column"]


def test_many_sources_are_told_together():
    rows = [{"id": str(k), "text": f"{k}：这是第{k}篇完全不同的文章。", "source": f"s{k:02}"} for k in range(30)]
    found = by_source(qc.dedup(rows)._subject())
    assert len(found["names"]) == 20 and found["others"] == {"sources": 10, "read": 10, "removed": 0}


def test_time_lines_are_the_chains_of_the_run(saved, made):
    rows = {row["id"]: row for row in saved.chains().to_pylist() if row["role"] != "series"}
    found = made["documents"]["id"]
    looked = 0
    for c in made["clusters"]:
        for step in c["line"]:
            row = rows[found[step["document"]]]
            if row["role"] == "roundup":
                assert [found[p] for p in step["parts"]] == row["parts"] and step["role"] == "roundup"
                continue
            assert (step["role"], step["basis"]) == (row["role"], row["basis"])
            assert step["first"] == (row["position"] == 1)
            assert ("origin" in step) == (row["source_id"] is not None)
            if "origin" in step:
                looked += 1
                assert (
                    found[step["origin"]] == row["source_id"] and made["relations"][step["relation"]] == row["relation"]
                )
                assert (step["certainty"], step["choices"]) == (row["certainty"], row["choices"])
                told = None if row["relation"] == "exact" else {"en": row["changed"], "zh": row["changed_zh"]}
                assert step["changed"] == told
    assert looked >= 40


def test_a_time_line_holds_near_copies_that_stay():
    text = "云河地铁4号线将于3月28日开通初期运营，全线设站21座，设计时速80公里，首班车6时发出，沿途经过北江、南岭、东湖三个城区。"
    rows = [
        {"id": "a", "time": "2026-03-01", "text": text}, {"id": "b", "time": "2026-03-02", "text": text},
        {"id": "c", "time": "2026-03-03", "text": text.replace("21", "23")},
    ]  # fmt: skip
    subject = qc.dedup(rows, recall_sample=0)._subject()
    made = model(subject, thresholds_of(subject))
    (cluster,) = made["clusters"]
    found = [made["documents"]["id"][step["document"]] for step in cluster["line"]]
    assert cluster["size"] == 2 and found == ["a", "b", "c"]
    assert "21 → 23" in cluster["line"][2]["changed"]["en"]


def test_chains_are_made_whole_or_not_at_all(saved, monkeypatch):
    subject = saved._subject()
    clusters = biggest(subject)
    whole = chronologies(subject, clusters)
    monkeypatch.setattr("quchong.views.chronology.PAIRS", 10)
    some = chronologies(saved._subject(), clusters)
    told = [any(step.row for step in line) for line in some]
    assert any(told) and not all(told)
    for mine, line, (survivor, members) in zip(some, whole, clusters, strict=True):
        if any(step.row for step in mine):
            assert [(s.document, s.origin) for s in mine] == [(s.document, s.origin) for s in line]
        else:
            assert {s.document for s in mine} == {survivor, *members}


def test_several_chains_of_one_cluster_are_in_one_order_of_time():
    seconds = np.array([10.0, 40.0, 20.0, np.nan, 30.0])
    chains = [[Step(0), Step(3), Step(1)], [Step(2), Step(4)]]
    steps = {step.document: step for chain in chains for step in chain}
    assert [step.document for step in _together(chains, steps, seconds)] == [0, 3, 2, 4, 1]


def test_a_column_that_holds_no_times_leaves_the_order_given(saved, monkeypatch):
    subject = saved._subject()

    def refuse(run, pairs):
        raise UsageError("holds no times")

    monkeypatch.setattr("quchong.views.chronology.chains_of", refuse)
    lines = chronologies(subject, biggest(subject))
    assert lines and not any(step.row for line in lines for step in line)


def test_the_time_line_is_in_the_order_of_times():
    seconds = np.array([30.0, np.nan, 10.0, 20.0, np.nan, 10.0])
    assert [step.document for step in in_order([1, 0, 5, 2, 3, 4], seconds)] == [5, 2, 3, 0, 1, 4]
    assert [step.document for step in in_order([], seconds)] == []


def test_places_are_counted_as_javascript_counts():
    text = "a😀b😀c"
    excerpt = Excerpt.with_character(text)
    assert excerpt.places([(0, 1), (1, 2), (2, 5), (5, 5)]) == [(0, 1), (1, 3), (3, 7), (7, 7)]
    units = text.encode("utf-16-le")
    for a, b in ((0, 1), (1, 2), (2, 4)):
        (place,) = excerpt.places([(a, b)])
        assert units[2 * place[0] : 2 * place[1]].decode("utf-16-le") == text[a:b]


def test_a_long_text_is_cut_and_says_so():
    text = "x" * 50_000 + "中" + "y" * 50_000
    begin = Excerpt.with_character(text)
    assert (begin.begin, len(begin.text), begin.begin + len(begin.text) + begin.rest) == (0, LONGEST, len(text))
    assert begin.places([(50_000, 50_001), (10, 20), (LONGEST - 5, LONGEST + 5)]) == [
        None,
        (10, 20),
        (LONGEST - 5, LONGEST),
    ]
    middle = Excerpt.with_character(text, 50_000)
    (place,) = middle.places([(50_000, 50_001)])
    assert middle.text[slice(*place)] == "中" and middle.begin > 0 and middle.rest > 0
    assert Excerpt.with_character("").places([(0, 0)]) == [(0, 0)]


def test_names_are_cut_and_told_apart():
    assert short("a" * 200) == "a" * 200
    assert short("a" * 201) != short("a" * 201 + "b") and len(short("a" * 10_000)) < 300
    assert first_words("a\n b\tc") == "a b c" and first_words("") == ""
    assert first_words("今天天气很好，我们去公园。", 12) == "今天天气很好…"


def test_the_cap_is_kept_and_told(saved):
    subject = saved._subject()
    small = model(subject, {"why": "no pairs", "method": "hybrid"}, 0.001)
    left = small["left_out"]
    assert left["removals"] == 45 and left["removals_listed"] == 10 and left["removals_shown"] < 10
    assert sum(len(t[0].encode()) for t in small["documents"]["text"].values()) <= 5000
    whole = model(subject, {"why": "no pairs", "method": "hybrid"})
    assert (whole["left_out"]["removals_listed"], whole["left_out"]["removals_shown"]) == (45, 45)
    assert whole["left_out"]["variants_shown"] == whole["left_out"]["variants"] == 21


def test_templates_are_listed_with_their_slots(saved):
    subject = saved._subject()
    made = model(subject, {"why": "no pairs", "method": "hybrid"})
    listed, table = made["templates"], saved.templates.to_pylist()
    assert [(one["number"], one["records"]) for one in listed] == [(t["template"], t["records"]) for t in table]
    for one, t in zip(listed, table, strict=True):
        assert len(one["pieces"]) == len(one["slots"]) + 1 and one["more"] == 0
        assert all(piece in t["text"] for piece in one["pieces"])
        assert [s["different"] for s in one["slots"]] == [s["different"] for s in t["slots"]]
    assert made["about"]["counts"]["templates"] == saved.counts["templates"]
    # Long frames are cut in the middle, and many slots at the end.
    slots = [
        {"start": 3 * k, "end": 3 * k + 1, "different": 3, "fillers": [{"text": "f" * 99, "records": 2}]}
        for k in range(30)
    ]
    row = {"template": 1, "records": 4, "model_id": "a", "text": "abc" * 30 + "d" * 999, "slots": slots}
    (cut,) = templates_shown(pa.Table.from_pylist([row], TEMPLATES))
    assert (len(cut["slots"]), cut["more"], len(cut["pieces"])) == (20, 10, 21)
    assert len(cut["slots"][0]["fillers"][0][0]) <= 60
    row["slots"] = slots[:1]
    (cut,) = templates_shown(pa.Table.from_pylist([row], TEMPLATES))
    assert len(cut["pieces"][1]) < 420 and cut["pieces"][1].startswith("bcabc") and cut["pieces"][1].endswith("ddd")


def test_a_run_that_cannot_be_opened_again_is_shown_all_the_same(tmp_path, made):
    """Without an outcome, texts and fields are read from the files of the run."""
    annotated = qc.load(qc.dedup(NEWS).save(tmp_path / "notes", mode="annotate"))
    subject = annotated._subject()
    assert subject.outcome is None
    shown = model(subject, thresholds_of(subject))
    for part in ("removals", "clusters", "scores", "sizes", "by_time", "by_source"):
        assert json.dumps(shown[part]) == json.dumps(made[part]), part
    assert shown["documents"]["text"] and shown["documents"]["fields"] and shown["pairs"]
    assert shown["documents"]["time"] == made["documents"]["time"][: len(shown["documents"]["time"])]


def test_runs_that_find_nothing_have_a_page(tmp_path):
    for name, rows in (("none", []), ("one", ["今天天气很好。"]), ("two", ["今天天气很好。", "股市今日收盘上涨。"])):
        path = qc.dedup(rows).report(tmp_path / f"{name}.html")
        assert path.stat().st_size > 200_000


def test_a_filter_without_survivor_is_listed():
    rows = [{"id": str(k), "text": f"短文{k}号内容各不相同"} for k in range(3000)]
    run = qc.dedup(rows, method="two-stage", stage1="bloom", filter_bits=200, recall_sample=0)
    alone = [row["id"] for row in run.ledger.to_pylist() if row["survivor_id"] is None]
    assert alone
    subject = run._subject()
    made = model(subject, thresholds_of(subject))
    found = [
        made["documents"]["id"][i]
        for i, s in zip(made["removals"]["document"], made["removals"]["survivor"], strict=True)
        if s is None
    ]
    assert found == alone
