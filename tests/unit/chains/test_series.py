"""Covers: series on one template (`quchong.chains.series`), how certain a source is, zones of times, titles and links."""

import json
from pathlib import Path

import pytest

import quchong as qc
from quchong.chains.chain import EQUAL, TEXT, TIME, Row
from quchong.chains.table import certainty

EXAMPLES = Path(__file__).parents[3] / "examples" / "news.jsonl"
ROWS = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]
PLACES = ["江岸", "江汉", "硚口", "汉阳", "武昌"]


def bulletin(day, new, total, healed):
    """One issue of a daily bulletin; all its figures and dates change from day to day."""
    return (
        f"2026年3月{day}日0时至24时，湖北省新增确诊病例{new}例，新增治愈出院{healed}例，其中武汉市{healed - 2}例、"
        f"鄂州市2例。截至3月{day}日24时，全省累计报告确诊病例{total}例，累计治愈出院{total - 400 - healed}例。"
        f"现有重症病例{new + 17}例，尚在接受医学观察{healed * 7}人，当日解除医学观察{healed + 3}人，均按规定管理。"
    )


def found(*rows, **options):
    return qc.dedup(list(rows), recall_sample=0, **options).chains().to_pylist()


def issue(day, source="健康网", hour=8, **figures):
    text = bulletin(day, **figures)
    return {"id": f"{source}{day}", "text": text, "time": f"2026-03-{day + 1:02} {hour:02}:00", "source": source}


DAYS = [
    issue(3, new=4, total=1204, healed=31), issue(4, new=9, total=1213, healed=46), issue(5, new=1, total=1214, healed=52),
]  # fmt: skip


def test_bulletins_of_one_publisher_are_a_series_and_no_reprints():
    rows = found(*DAYS)
    assert {row["role"] for row in rows} == {"series"} and len(rows) == 3
    assert [row["position"] for row in rows] == [1, 2, 3] and len({row["chain_id"] for row in rows}) == 1
    assert all(row["source_id"] is None and row["certainty"] is None and not row["changes"] for row in rows)


@pytest.mark.parametrize("facts", ["remove", "any"])
def test_what_the_run_removes_by_facts_changes_nothing(facts):
    assert {row["role"] for row in found(*DAYS, facts=facts)} == {"series"}


def test_methods_that_do_not_look_at_facts_name_no_source_either():
    rows = found(*DAYS, method="minhash", threshold=0.3, ngram_size=2)
    assert not [row for row in rows if row["source_id"] is not None]


def test_a_copy_of_an_issue_is_a_copy_of_that_issue():
    reprint = {**DAYS[1], "id": "copy", "source": "晨报", "time": "2026-03-05 11:00"}
    reprint["text"] = "本报讯 " + reprint["text"]
    rows = found(*DAYS, reprint)
    assert [(row["id"], row["source_id"]) for row in rows if row["role"] == "copy"] == [("copy", "健康网4")]
    assert [row["id"] for row in rows if row["role"] == "series"] == ["健康网3", "健康网4", "健康网5"]


def test_a_copy_with_another_figure_is_no_series():
    text = DAYS[0]["text"]
    copy = {"id": "b", "text": text.replace("1204", "1240"), "time": "2026-03-04 12:00", "source": "晨报"}
    rows = found(DAYS[0], copy)
    assert [row["source_id"] for row in rows] == [None, "健康网3"] and rows[1]["certainty"] == "likely"


def test_the_series_of_the_examples():
    rows = [row for row in qc.dedup(EXAMPLES, recall_sample=0).chains().to_pylist() if row["role"] == "series"]
    series = {}
    for row in rows:
        series.setdefault(row["chain_id"], []).append(row)
    assert sorted(len(issues) for issues in series.values()) == [3, 4, 4, 4]
    for issues in series.values():
        assert len({row["publisher"] for row in issues}) == 1
        assert [row["published"] for row in issues] == sorted(row["published"] for row in issues)


@pytest.mark.parametrize(
    ("row", "conflict", "told"),
    [
        (Row(1, "copy", 0, "duplicate", TIME, 1, shared=0.9), False, "only"),
        (Row(1, "copy", 0, "variant", TIME, 1, shared=0.9), True, "likely"),
        (Row(1, "copy", 0, "contains", TIME, 1, shared=0.2), False, "likely"),
        (Row(1, "copy", 0, "duplicate", "changes", 3, 0.9, shared=0.9), False, "likely"),
        (Row(1, "copy", 0, "partial", "changes", 3, 0.9, shared=0.2), False, "undecided"),
        (Row(1, "copy", 0, "duplicate", "changes", 3, 0.5, shared=0.9), False, "undecided"),
        (Row(1, "copy", 0, "exact", EQUAL, 2, 0.5, shared=1.0), False, "undecided"),
        (Row(1, "copy", 0, "exact", TEXT, 1, 0.5, shared=1.0), False, "undecided"),
        (Row(1, "first"), False, None),
    ],
)
def test_certainty_follows_from_what_was_there_before_and_from_the_texts(row, conflict, told):
    assert certainty(row, conflict) == told


TEXT_OF = ROWS[4]["text"]


def timed(*times, zone=None):
    rows = [{"id": f"a{k}", "text": TEXT_OF, "time": time} for k, time in enumerate(times)]
    return qc.dedup(rows, recall_sample=0).chains(time_zone=zone)


def test_times_without_a_zone_keep_none():
    table = timed("2026-03-01 08:00", "2026-03-01 09:00")
    assert table.schema.field("published").type.tz is None
    assert table["published"][0].as_py().isoformat() == "2026-03-01T08:00:00"


def test_times_with_a_zone_keep_their_moment():
    table = timed("2026-03-01T08:00+08:00", "2026-03-01T09:00+08:00")
    assert table["published"][0].as_py().isoformat() == "2026-03-01T00:00:00+00:00"


def test_a_zone_decides_between_times_with_and_without_one():
    times = ("2026-03-01 08:00", "2026-03-01T03:00Z")
    assert timed(*times)["id"].to_pylist() == ["a1", "a0"]
    table = timed(*times, zone="Asia/Shanghai")
    assert table["id"].to_pylist() == ["a0", "a1"]
    assert [moment.isoformat() for moment in table["published"].to_pylist()] == [
        "2026-03-01T08:00:00+08:00",
        "2026-03-01T11:00:00+08:00",
    ]


def test_a_date_is_a_whole_day_in_every_zone():
    rows = [
        {"id": "a", "text": TEXT_OF, "time": "2026-03-01"},
        {"id": "b", "text": TEXT_OF, "time": "2026-03-01 09:00"},
    ]
    for zone in (None, "Asia/Shanghai"):
        assert qc.dedup(rows, recall_sample=0).chains(time_zone=zone)["basis"][1].as_py() == "text"


def test_usual_columns_give_titles_and_links():
    rows = [{"id": f"a{k}", "text": TEXT_OF, "标题": f"题{k}", "链接": f"http://x.example/{k}"} for k in range(2)]
    table = qc.dedup(rows, recall_sample=0).chains()
    assert table["title"].to_pylist() == ["题0", "题1"] and table["link"][1].as_py() == "http://x.example/1"
    named = qc.dedup(rows, recall_sample=0).chains(title="链接", link="标题")
    assert named["title"][0].as_py() == "http://x.example/0" and named["link"][0].as_py() == "题0"
