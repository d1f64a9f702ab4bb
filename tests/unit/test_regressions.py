"""Covers: what a reviewer broke, one test each. Run: pytest tests/unit/test_regressions.py."""

import io
import json
import random
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.similarity import PRESETS

BASE = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"
HAN = [chr(0x4E00 + i) for i in range(100, 3000)]


def text(n, seed):
    return "".join(random.Random(seed).sample(HAN, n))


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_threshold_given_holds_for_every_length_and_script(preset):
    for given in (0.2, 0.5, 0.9):
        held = PRESETS[preset].at(given)
        n = np.arange(1, 400)
        for han in (True, False):
            assert (held.jaccard_for(n, np.full(len(n), han)) == given).all()
    a = text(50, 1)
    b = a[:25] + text(10, 2) + a[35:]
    assert qc.dedup([{"id": "a", "text": a}, {"id": "b", "text": b}], threshold=0.9).counts["removed"] == 0


def test_exact_copies_within_a_window_are_exact_for_every_method():
    day = 86400
    rows = [{"id": str(i), "text": t, "time": i * 3 * day} for i, t in enumerate([BASE] * 4)]
    for method in ("hybrid", "exact", "minhash"):
        result = qc.dedup(rows, within="7d", method=method)
        assert {p["relation"] for p in result.pairs.to_pylist()} == {"exact"}
        assert {(p["left_id"], p["right_id"]) for p in result.pairs.to_pylist()} == {
            ("0", "1"), ("0", "2"), ("1", "2"), ("1", "3"), ("2", "3"),
        }  # fmt: skip
    marks = [{"id": str(i), "text": "！！！", "time": i} for i in range(5)]
    assert qc.dedup(marks, within="7d").counts["removed"] == 4


@pytest.mark.parametrize("times", [2, 5, 40])
def test_texts_that_repeat_themselves_find_their_copies(times):
    rows = [{"id": "a", "text": BASE * times}, {"id": "b", "text": BASE * times + "另外今天下午还有一场雨"}]
    result = qc.dedup(rows)
    assert len(result.pairs) == 1
    assert result.pairs["relation"][0].as_py() == qc.compare(rows[0]["text"], rows[1]["text"]).relation


def test_times_that_cannot_be_read_are_an_error_not_an_empty_result():
    rows = [{"id": str(i), "text": BASE, "date": "03/04/2020"} for i in range(3)]
    with pytest.raises(qc.UsageError, match=r"03/04/2020.*ISO 8601"):
        qc.dedup(rows, within="7d", time="date")


@pytest.mark.parametrize(
    "options",
    [
        {"keep": "source:a>b"},
        {"keep": "source:a>b", "source": "nosuch"},
        {"time": "dat"},
        {"text": "text,nosuch"},
        {"per": "nosuch"},
    ],
)
def test_columns_asked_for_by_name_must_exist(options, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps({"id": "1", "text": BASE}) + "\n", encoding="utf-8")
    with pytest.raises((qc.UsageError, qc.InputError)):
        qc.dedup(path, **options)


def test_every_row_that_came_with_a_protected_id_is_protected():
    assert qc.dedup([{"id": "x", "text": BASE}] * 3, protect="x").counts["removed"] == 0


def test_rows_of_a_file_come_back_as_they_are(tmp_path):
    path = tmp_path / "in.jsonl"
    lines = [
        json.dumps({"id": "a", "text": BASE}),
        '{"id": "b", "text": "另一篇", "url": "u", "score": NaN}',
        '{"id": 3, "text": "第三篇"}',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    kept = qc.dedup(path).kept
    assert kept["url"].to_pylist() == [None, "u", None]
    assert kept["id"].to_pylist() == ["a", "b", "3"]
    table = tmp_path / "in.csv"
    table.write_text("id,text\n001,甲篇文章\nNA,乙篇文章\n", encoding="utf-8")
    assert qc.dedup(table).kept["id"].to_pylist() == ["001", "NA"]


def test_a_null_text_keeps_its_whole_row(tmp_path):
    pq.write_table(pa.table({"id": ["a", "b"], "text": [BASE, None], "title": ["t", "u"]}), tmp_path / "in.parquet")
    run = qc.dedup(tmp_path / "in.parquet").save(tmp_path / "run")
    assert pq.read_table(run / "kept.parquet").to_pylist()[1] == {"id": "b", "text": None, "title": "u"}
    assert (run / "skipped.jsonl").read_text("utf-8") == ""


def test_deciding_again_below_what_was_looked_for_is_refused():
    rows = [{"id": "a", "text": BASE}, {"id": "b", "text": BASE + "今天"}]
    for options in ({"method": "minhash", "threshold": 0.95}, {"duplicates_only": True}):
        result = qc.dedup(rows, **options)
        with pytest.raises(qc.UsageError, match="new run"):
            result.rethreshold(0.5)
    assert qc.dedup(rows).rethreshold(0.5, relations="exact").counts["removed"] == 0


def test_the_ledger_shows_the_threshold_that_decided():
    a = text(90, 3)
    rows = [{"id": "a", "text": a}, {"id": "b", "text": a[:40] + text(16, 4) + a[56:]}]
    (row,) = qc.dedup(rows).ledger.to_pylist()
    assert row["rule"] == "jaccard"
    assert row["threshold"] == pytest.approx(0.45)
    assert row["jaccard"] >= row["threshold"]


@pytest.mark.parametrize("strip", ["source", "editor", "dateline,source,editor"])
def test_lines_indented_the_chinese_way_are_stripped(strip):
    tail = "\u3000\u3000来源：新华社北京分社" if "source" in strip else "\u3000\u3000责任编辑：某某某"
    rows = [{"id": "a", "text": f"{BASE}\n{tail}"}, {"id": "b", "text": BASE}]
    assert qc.dedup(rows, strip=strip).pairs["relation"].to_pylist() == ["exact"]


def test_inputs_of_mixed_formats_share_a_time_column(tmp_path):
    (tmp_path / "t.jsonl").write_text(
        json.dumps({"id": "1", "text": BASE, "time": "2026-03-03T10:00:00"}) + "\n", "utf-8"
    )
    stamp = pa.array([1772532000], pa.timestamp("s"))
    pq.write_table(pa.table({"id": ["2"], "text": [BASE], "time": stamp}), tmp_path / "arch.parquet")
    result = qc.dedup(tmp_path / "t.jsonl", against=tmp_path / "arch.parquet", within="1d")
    assert result.ledger["survivor_id"].to_pylist() == ["against/2"]


def test_a_polars_frame_goes_in_and_its_rows_come_out(tmp_path):
    polars = pytest.importorskip("polars")
    result = qc.dedup(polars.DataFrame({"id": [1, 2], "text": [BASE, BASE], "more": ["x", "y"]}))
    assert result.kept["more"].to_pylist() == ["x"]
    result.save(tmp_path / "run")


def test_stdin_can_be_read_after_the_run(monkeypatch, tmp_path):
    rows = "".join(json.dumps({"id": i, "text": BASE}, ensure_ascii=False) + "\n" for i in range(3))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    result = qc.dedup("-")
    assert len(result.kept) == 1
    assert result.explain("1").text == BASE
    assert (result.save(tmp_path / "run") / "kept.jsonl").read_text("utf-8").count("\n") == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: qc.compare(None, "a"),
        lambda: qc.dedup([{"id": 1, "text": "\ud800"}]),
        lambda: qc.dedup([{"id": 1, "text": BASE, "tags": ["a"]}], per="tags"),
        lambda: qc.dedup([BASE], threshold="0.5"),
        lambda: qc.dedup([BASE], only_against=True),
        lambda: qc.dedup([BASE], workers=0),
        lambda: qc.dedup([BASE], relations=""),
    ],
)
def test_wrong_use_is_a_usage_error(call):
    with pytest.raises(qc.UsageError):
        call()


def test_an_excerpt_deep_in_a_long_text_is_shown_with_its_surroundings():
    long = text(2500, 5)
    result = qc.dedup([{"id": "long", "text": long}, {"id": "part", "text": long[2000:2100]}])
    shown = str(result.explain("part"))
    assert "characters before" in shown
    assert f"⟦{long[2000:2100]}⟧" in shown.split("(kept)")[1]
