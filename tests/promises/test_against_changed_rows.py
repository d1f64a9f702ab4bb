"""Covers: a run against an earlier one tells by an alarm how many of its kept rows are missing, added or changed, however they are stored."""

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matrices import each_once

import quchong as qc
from quchong.errors import RunError
from quchong.languages import retold, speaking

TEXTS = [
    f"The council said that bridge {i} opens in March, and that drivers pay {i * 7} percent less." for i in range(8)
]
ROWS = [
    *({"id": f"d{i // 2}", "text": text} for i, text in enumerate(TEXTS)),  # ids repeat
    {"text": "A record without an id, about the garden of the museum."},
    {"id": "copy", "text": TEXTS[0]},
]
NEW = [{"id": "n", "text": "Another text, which nobody copied."}]
EDITS = {
    "less": (lambda rows: rows[1:], (1, 0, 0)),
    "none": (lambda rows: [], (9, 0, 0)),
    "more": (lambda rows: [*rows, {"id": "new", "text": "A row of somebody else."}], (0, 1, 0)),
    "twice": (lambda rows: [*rows, rows[0]], (0, 1, 0)),
    "without id": (lambda rows: [row for row in rows if row.get("id")], (1, 0, 0)),
    "text": (
        lambda rows: [{**rows[0], "text": "A longer text of somebody else, in place of it."}, *rows[1:]],
        (0, 0, 1),
    ),
    "id": (lambda rows: [{**rows[0], "id": "other"}, *rows[1:]], (1, 1, 0)),
    "all": (lambda rows: [{"id": "other", "text": "Not one of them."}], (9, 1, 0)),
}
RUNS = ["jsonl", "parquet", "several", "worked"]
NO_EDITS = {"as it was": list, "another order": lambda rows: rows[::-1]}


def written(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        table = pa.Table.from_pylist(rows, pa.schema([("id", pa.string()), ("text", pa.string())]))
        pq.write_table(table, path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def rows_in(path):
    return (
        pq.read_table(path).to_pylist()
        if path.suffix == ".parquet"
        else list(map(json.loads, path.read_text().splitlines()))
    )


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    place = tmp_path_factory.mktemp("runs")
    for suffix in ("jsonl", "parquet"):
        qc.dedup(written(place / f"in.{suffix}", ROWS), out=place / suffix, recall_sample=0)
    qc.dedup(place / "in.jsonl", out=place / "annotated", annotate=True, recall_sample=0)
    qc.dedup(place / "in.jsonl", out=place / "worked", keep_work=True, recall_sample=0)
    parts = [written(place / "b.jsonl", ROWS[:4]), written(place / "a.jsonl", ROWS[4:])]
    qc.dedup(parts, out=place / "several", recall_sample=0)
    return place


def told(against, **options):
    """Figures of the alarms about kept rows."""
    alarms = qc.dedup(NEW, against=against, recall_sample=0, **options).alarms
    mine = [alarm for alarm in alarms if alarm["kind"] == "kept rows changed"]
    assert all(alarm["level"] == "alarm" for alarm in mine)
    return [tuple(alarm["figures"][name] for name in ("missing", "added", "changed")) for alarm in mine]


def edited(runs, name, tmp_path, change):
    copy = shutil.copytree(runs / name, tmp_path / name)
    files = sorted(path for path in [*copy.glob("kept.*"), *copy.glob("kept/*")])
    kept = [row for path in files for row in rows_in(path)]
    for path, rows in zip(files, [change(kept), *([] for _ in files)], strict=False):
        written(path, rows)
    return copy


@pytest.mark.parametrize(("how", "name"), each_once([*EDITS], RUNS))
def test_how_many_rows_are_not_those_that_were_kept(runs, tmp_path, name, how):
    change, expected = EDITS[how]
    run = edited(runs, name, tmp_path, change)
    assert told(run) == [expected]
    assert told([run, runs / "jsonl"], threshold=0.9) == [expected]
    missing, added, _ = expected
    assert told(run, method="exact") == ([(missing, added, 0)] if missing or added else [])  # tokens of another method


@pytest.mark.parametrize(("how", "name"), each_once([*NO_EDITS], [*RUNS, "annotated"]))
def test_rows_that_were_kept_raise_no_alarm(runs, tmp_path, name, how):
    run = runs / name if name == "annotated" else edited(runs, name, tmp_path, NO_EDITS[how])
    assert told(run) == told(str(run)) == told([run, runs / "in.jsonl"]) == told(run, id=None) == []


def test_rows_put_back_are_kept_ones(runs, tmp_path):
    run = shutil.copytree(runs / "jsonl", tmp_path / "run")
    assert qc.load(run).restore(everything=True).ids and told(run) == []
    assert (
        qc.dedup(NEW, against=run, out=tmp_path / "next", recall_sample=0).alarms == qc.load(tmp_path / "next").alarms
    )


def test_annotated_rows_that_are_gone(runs, tmp_path):
    run = shutil.copytree(runs / "annotated", tmp_path / "run")
    (run / "annotated.jsonl").write_text("".join((run / "annotated.jsonl").read_text().splitlines(keepends=True)[:4]))
    assert told(run) == [(6, 0, 0)]  # the first of the four was removed


@pytest.mark.parametrize("how", ["gone", "torn", "link", "emptied", "null id", "null tokens", "odd tokens"])
def test_without_its_table_a_run_is_held_to_its_counts(runs, tmp_path, how):
    run = edited(runs, "jsonl", tmp_path, lambda rows: rows[2:])
    path = run / "documents.parquet"
    table, whole = pq.read_table(path), path.read_bytes()
    path.unlink()
    if how == "torn":
        path.write_bytes(whole[:100])
    elif how == "link":
        path.symlink_to(runs / "jsonl" / "documents.parquet")
    elif how == "emptied":  # so that it agrees with other rows than run.json
        pq.write_table(table.slice(0, 0), path)
    elif how != "gone" and how != "link" and how != "torn":
        name = how.split()[1]
        values = pa.nulls(len(table), table.schema.field(name).type) if "null" in how else pa.array(["x"] * len(table))
        pq.write_table(table.set_column(table.column_names.index(name), name, values), path)
    assert told(run) == [(2, 0, 0)]


def test_the_alarm_stands_in_the_run_and_on_its_page(runs, tmp_path):
    run = edited(runs, "jsonl", tmp_path, lambda rows: [])
    found = qc.dedup(NEW, against=[run, runs / "jsonl"], out=tmp_path / "out", recall_sample=0)
    (alarm,) = [
        one for one in json.loads((tmp_path / "out" / "run.json").read_text())["alarms"] if "kept" in one["kind"]
    ]
    assert "Missing: 9. Added: 0. With another text: at least 0." in alarm["message"] and "jsonl" in alarm["message"]
    assert "kept rows changed" in found.report(lang="en").html and str(tmp_path) not in alarm["message"]
    with speaking("zh"):
        assert "缺少 9 篇" in retold(alarm["message"])


def test_a_run_json_that_no_run_writes_is_refused(runs, tmp_path):
    run = shutil.copytree(runs / "jsonl", tmp_path / "run")
    manifest = json.loads((run / "run.json").read_text())
    manifest["counts"]["kept"] = "nine"
    (run / "run.json").write_text(json.dumps(manifest))
    with pytest.raises(RunError, match="differs from what a run writes"):
        told(run)


LABELS = [
    {"left_id": f"p{i}", "right_id": f"p{i + 1}", "label": "same" if i % 2 == 0 else "different"} for i in range(15)
]
PEOPLE = [
    {
        "id": f"p{i}",
        "text": f"The council said that road {i // 2} opens in May, and that lorries pay {i // 2 * 9} percent.",
    }
    for i in range(16)
]


@pytest.mark.parametrize("how", EDITS)
def test_tune_tells_what_dedup_tells(runs, tmp_path, how):
    change, expected = EDITS[how]
    run = edited(runs, "jsonl", tmp_path, change)
    found = qc.tune(PEOPLE, LABELS, values=[0.5, 0.9], against=[run, runs / "jsonl"])
    (alarm,) = found.alarms
    assert tuple(alarm["figures"][name] for name in ("missing", "added", "changed")) == expected
    assert found.as_dict()["alarms"] == [alarm]
    assert qc.tune(PEOPLE, LABELS, values=[0.5, 0.9], against=runs / "jsonl").alarms == ()


@pytest.mark.parametrize(("how", "name"), each_once([*EDITS], RUNS))
def test_estimate_tells_of_kept_rows_that_are_more_or_fewer(runs, tmp_path, name, how):
    change, (missing, added, _) = EDITS[how]
    run = edited(runs, name, tmp_path, change)
    alarms = qc.estimate(PEOPLE, against=[run, runs / "in.jsonl"]).alarms
    figures = {"run": name, "kept": 9, "rows": 9 - missing + added}
    assert [alarm["figures"] for alarm in alarms] == ([figures] if missing != added else [])


@pytest.mark.parametrize("name", [*RUNS, "annotated"])
def test_estimate_is_silent_about_rows_that_were_kept(runs, name):
    assert qc.estimate(PEOPLE, against=runs / name).alarms == ()
