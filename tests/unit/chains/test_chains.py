"""Covers: chains of whole runs (`Result.chains`): sources, order, times that are missing or equal, roundups, digests, changes.

Texts are those of the examples, edited here, so that every parent is known.
"""

import json
import random
from pathlib import Path

import pytest

import quchong as qc
from quchong.report.reprints import exchanges, media, reprint_rows
from quchong.results.chain_files import flat

ROWS = [
    json.loads(line) for line in (Path(__file__).parents[3] / "examples" / "news.jsonl").read_text("utf-8").splitlines()
]
TEXT = {row["id"]: row["text"] for row in ROWS}
METRO, CANTEEN, LIGHTHOUSE = TEXT["n005"], TEXT["n019"], TEXT["n033"]


def sentences(text):
    return [part + "。" for part in text.split("。") if part]


def chains(*texts, times=None, **options):
    """Chains of a, b, c, ... published an hour after another, or at these times; by id, the rows of each."""
    hours = [f"2026-03-01T{8 + k:02}:00:00" for k in range(len(texts))] if times is None else times
    rows = [
        {"id": chr(97 + k), "text": text, "time": time, "source": f"s{k}", "title": f"t{k}"}
        for k, (text, time) in enumerate(zip(texts, hours, strict=True))
    ]
    found = qc.dedup(rows, recall_sample=0).chains(**options).to_pylist()
    out = {}
    for row in found:
        out.setdefault(row["id"], []).append(row)
    return out


def test_a_copy_of_a_copy_inherits_its_changes():
    second = METRO.replace("列车", "电客车")
    third = "".join(sentences(second)[:-1])
    out = chains(METRO, second, third)
    assert [out[k][0]["source_id"] for k in "abc"] == [None, "a", "b"]
    assert [out[k][0]["role"] for k in "abc"] == ["first", "copy", "copy"]
    assert [out[k][0]["position"] for k in "abc"] == [1, 2, 3]
    assert {out[k][0]["chain_id"] for k in "abc"} == {"a"}
    assert out["b"][0]["basis"] == "time" and out["c"][0]["basis"] == "changes"
    assert out["c"][0]["relation"] in ("duplicate", "contained_in") and out["c"][0]["runner_up_id"] == "a"
    assert (
        out["b"][0]["changed"] == "“列车将不载客” → “电客车将不载客”; the same in 2 more places"
        and "删去1处" in out["c"][0]["changed_zh"]
    )
    assert (out["a"][0]["publisher"], out["a"][0]["title"]) == ("s0", "t0")


def test_a_later_copy_of_the_first_does_not_have_the_changes_of_the_second():
    out = chains(METRO, METRO.replace("列车", "电客车"), "本报讯 " + METRO)
    assert out["c"][0]["source_id"] == "a" and out["c"][0]["confidence"] > 0.9


def test_times_decide_over_the_order_of_the_rows():
    out = chains("本报讯 " + METRO, METRO, times=["2026-03-02", "2026-03-01"])
    assert out["b"][0]["source_id"] is None and out["a"][0]["source_id"] == "b"


def test_without_times_an_excerpt_is_made_of_the_whole_and_it_is_said_to_be_a_guess():
    half = "".join(sentences(METRO)[:5])
    out = chains(half, METRO, times=[None, None])
    assert out["b"][0]["source_id"] is None and out["a"][0]["source_id"] == "b"
    assert out["a"][0]["basis"] == out["b"][0]["basis"] == "text"
    assert out["a"][0]["published"] is None and out["a"][0]["confidence"] < 1.0


def test_equal_texts_without_times_are_named_by_id_and_without_certainty():
    out = chains(METRO, METRO, METRO, times=[None] * 3)
    assert [out[k][0]["source_id"] for k in "abc"] == [None, "a", "a"]
    assert out["b"][0]["confidence"] == pytest.approx(0.5) and out["b"][0]["basis"] == "text"


def test_a_copy_of_two_equal_texts_may_come_of_either():
    out = chains(METRO, METRO, "本报讯 " + METRO)
    row = out["c"][0]
    assert (row["source_id"], row["runner_up_id"], row["basis"], row["choices"]) == ("a", "b", "equal", 2)
    assert row["confidence"] == pytest.approx(row["runner_up_confidence"], abs=0.01)


def test_times_of_one_day_do_not_order():
    out = chains(METRO, "".join(sentences(METRO)[:6]), times=["2026-03-01", "2026-03-01T09:30:00"])
    assert out["b"][0]["source_id"] == "a" and out["b"][0]["basis"] == "text"


def test_a_roundup_stands_in_the_chain_of_every_article():
    week = "一周要闻\n" + METRO + "\n" + CANTEEN
    out = chains(METRO, "本报讯 " + METRO, CANTEEN, week)
    rows = out["d"]
    assert {row["role"] for row in rows} == {"roundup"}
    assert sorted((row["chain_id"], row["source_id"]) for row in rows) in (
        [("a", "a"), ("c", "c")],
        [("a", "b"), ("c", "c")],
    )
    assert len(rows[0]["parts"]) == 2 and "c" in rows[0]["parts"]
    assert {out[k][0]["chain_id"] for k in "ab"} == {"a"} and out["c"][0]["chain_id"] == "c"


def test_a_copy_of_a_roundup_is_a_copy():
    week = "一周要闻\n" + METRO + "\n" + CANTEEN
    out = chains(METRO, CANTEEN, week, week.replace("一周", "七日") + "本网编辑整理。")
    assert out["c"][0]["role"] == "roundup"
    assert [(row["role"], row["source_id"]) for row in out["d"]] == [("copy", "c")]


def test_two_excerpts_of_one_article_do_not_make_it_a_roundup():
    parts = sentences(METRO)
    half = len(parts) // 2
    for times in (None, [None] * 3):
        out = chains(METRO, "".join(parts[:half]), "".join(parts[half:]), times=times)
        assert out["a"][0]["role"] == "first" and [out[k][0]["source_id"] for k in "bc"] == ["a", "a"]


def test_a_digest_takes_pieces_of_several():
    parts = sentences(METRO), sentences(CANTEEN)
    pieces = (of[: round(0.75 * len(of))] for of in parts)
    out = chains(METRO, CANTEEN, "".join(sentence for of in pieces for sentence in of))
    assert {row["role"] for row in out["c"]} == {"digest"}
    assert sorted(row["source_id"] for row in out["c"]) == ["a", "b"] and sorted(out["c"][0]["parts"]) == ["a", "b"]


def test_a_variant_says_which_facts_it_changed():
    out = chains(METRO, METRO.replace("21座", "23座"))
    row = out["b"][0]
    assert (row["relation"], row["source_id"], row["facts"]) == ("variant", "a", ["figure"])
    (change,) = [c for c in row["changes"] if c["conflict"]]
    new = METRO.replace("21座", "23座")
    assert new[change["start"] : change["end"]] == change["text"] and "23" in change["text"]
    assert METRO[change["source_start"] : change["source_end"]] == change["source_text"]


def test_the_order_of_the_input_and_the_threads_change_nothing():
    rows = list(ROWS)
    one = qc.dedup(rows, recall_sample=0).chains(workers=1)
    random.Random(3).shuffle(rows)
    assert qc.dedup(rows, recall_sample=0).chains(workers=2).equals(one)


def test_numbers_stay_numbers():
    rows = [{"id": 10, "text": METRO, "time": "2026-03-01"}, {"id": 9, "text": "本报讯 " + METRO, "time": "2026-03-02"}]
    found = qc.dedup(rows, recall_sample=0).chains([9])
    assert found["id"].to_pylist() == [10, 9] and found["source_id"].to_pylist() == [None, 10]


def test_texts_that_resemble_nothing_make_no_chain():
    found = qc.dedup([METRO, CANTEEN, LIGHTHOUSE], recall_sample=0).chains()
    assert found.num_rows == 0 and found.schema.names == list(qc.tables.CHAINS.names)


@pytest.mark.parametrize("method", ["minhash", "exact", "ppjoin", "two-stage"])
def test_every_method_has_chains(method):
    found = qc.dedup(ROWS, method=method, recall_sample=0).chains().to_pylist()
    assert any(row["source_id"] == "n005" for row in found)


def test_less_than_half_of_a_text_in_a_source_is_a_use_of_it_and_no_copy():
    own = "".join(sentences(CANTEEN) + sentences(LIGHTHOUSE))
    rows = [
        {"id": k, "text": text, "time": f"2026-03-0{n}", "source": f"m{n}"}
        for n, (k, text) in enumerate((("a", METRO), ("b", METRO + own), ("c", "本报讯 " + METRO)), 1)
    ]
    result = qc.dedup(rows, recall_sample=0)
    found = {row["id"]: row for row in result.chains().to_pylist()}
    assert found["b"]["shared"] < 0.5 and (found["b"]["role"], found["b"]["source_id"]) == ("uses", "a")
    assert found["c"]["role"] == "copy"
    # it is not a reprint of a medium, and the table of reprints says what it is
    every = flat(result.chains())
    assert {name: one.reprints for name, one in media(every).items()} == {"m1": 0, "m2": 0, "m3": 1}
    kinds = {row[12]: row[8] for row in reprint_rows(every, "en")}
    assert kinds["b"] == "uses text of the source" and ("m1", "m2") not in exchanges(every)[0]


def test_a_document_that_takes_more_from_a_roundup_than_from_its_articles_has_it_as_its_source():
    one, two = sentences(METRO), sentences(CANTEEN)
    written = "编者按：本刊把这两条消息放在一起，供读者对照。" * 3
    out = chains(
        METRO, CANTEEN, METRO + written + CANTEEN, "".join(one[2:]) + written + "".join(two[:3]), "本报讯 " + METRO
    )
    assert {row["role"] for row in out["c"]} == {"roundup"}
    assert {row["source_id"] for row in out["d"]} == {"c"}
    assert {row["source_id"] for row in out["e"]} == {"a"}  # one article alone is taken from the article


@pytest.mark.parametrize(
    ("link", "first"),
    [
        ("http://n.example/20151231/n43.shtml", "a"),
        ("http://n.example/2015/12-31/43.html", "a"),
        ("http://n.example/20151231.html", "a"),
        ("http://n.example/n433198120.shtml", "b"),
        ("http://n.example/x?day=/20151231/", "b"),
        ("http://n.example/20151399/1.html", "b"),
        ("http://n.example/20161229/1.html", "b"),
        (None, "b"),
    ],
)
def test_a_time_that_contradicts_the_date_in_the_address_gives_way_to_it(link, first):
    rows = [
        {"id": "a", "text": METRO, "time": "2016-12-31 19:02:00", "url": link},
        {
            "id": "b",
            "text": "本报讯 " + METRO,
            "time": "2016-01-01 02:39:00",
            "url": "http://n.example/20160101/2.html",
        },
    ]
    found = qc.dedup(rows, recall_sample=0).chains()
    assert found["id"].to_pylist()[0] == first
    assert (found.schema.metadata or {}).get(b"quchong.dated_by_link") == (b"1" if first == "a" else None)
    if first == "a":
        assert found["published"][0].as_py().isoformat() == "2015-12-31T19:02:00"
