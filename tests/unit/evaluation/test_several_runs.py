"""Covers: quchong.evaluation.run_comparison, groups, beside and picture, and `qc.evaluate` of a list of runs.

Compared against: figures reckoned by hand, and those of each run alone. Run: pytest tests/unit/evaluation/test_several_runs.py.
"""

import random
from pathlib import Path

import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.evaluation.figure_tables import in_columns
from quchong.evaluation.run_comparison import names_apart, told_together

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def text(k, size=150):
    return "".join(random.Random(k).choices(HAN, k=size))


@pytest.fixture(scope="module")
def rows():
    """Three pairs: exact copies on one site, near copies on two, a long text with its half."""
    return [
        {"id": "a", "text": text(1), "site": "x"},
        {"id": "b", "text": text(1), "site": "x"},
        {"id": "c", "text": text(2, 300), "site": "y"},
        {"id": "d", "text": text(2, 300) + "又过了三天", "site": "z"},
        {"id": "e", "text": text(3, 400), "site": "y"},
        {"id": "f", "text": text(3, 400)[100:300], "site": "y"},
    ]


TRUTH = [
    {"left_id": "a", "right_id": "b", "label": "same"},
    {"left_id": "c", "right_id": "d", "label": "same"},
    {"left_id": "e", "right_id": "f", "label": "contained"},
]


@pytest.fixture(scope="module")
def runs(rows):
    return [qc.dedup(rows), qc.dedup(rows, method="exact")]


def test_all_runs_have_the_same_rows_and_the_figures_each_has_alone(runs):
    both = qc.evaluate(runs, TRUTH, complete=True)
    alone = [qc.evaluate(run, TRUTH, complete=True) for run in runs]
    assert len(both) == 2 and both[:] == both.runs and [one.name for one in both] == ["run 1", "run 2"]
    first, second = both.as_dict()
    for group, key in (("relations", "relation"), ("labels", "label"), ("lengths", "name"), ("sites", "name")):
        assert [row[key] for row in first[group]] == [row[key] for row in second[group]] != []
    for one, own in zip(both, alone, strict=True):
        assert (one.precision, one.recall, one.f1, one.clusters, one.fates) == (
            own.precision, own.recall, own.f1, own.clusters, own.fates,
        )  # fmt: skip
        for group in ("lengths", "sites"):
            mine = {part.name: part for part in getattr(one, group)}
            assert all(mine[part.name] == part for part in getattr(own, group))
    assert [row["relation"] for row in first["relations"]] == ["exact", "duplicate", "contained_in"]
    assert [row["right"]["of"] for row in second["relations"]] == [1, 0, 0]
    assert [(part.name, part.recall.hits, part.recall.of) for part in both[1].sites] == [
        ("within one value", 1, 2), ("across two values", 0, 1), ("y", 0, 2), ("x", 1, 1), ("z", 0, 1),
    ]  # fmt: skip


def test_sites_are_those_with_most_pairs_in_any_run(rows, monkeypatch):
    monkeypatch.setattr("quchong.evaluation.slices.SITES", 1)
    other = [row | {"site": "x"} for row in rows]
    both = qc.evaluate([qc.dedup(rows), qc.dedup(other)], TRUTH, complete=True)
    assert [[part.name for part in one.sites] for one in both] == [["within one value", "across two values", "x"]] * 2
    assert [one.sites[-1].recall.of for one in both] == [1, 3]


def test_text_sets_the_runs_beside_each_other_or_below_where_that_is_too_wide(runs):
    both = qc.evaluate(runs, TRUTH, complete=True)
    lines = str(both).splitlines()
    at = lines.index("by length of the shorter document; precision, recall, F1 (pairs)")
    assert lines[at + 1 : at + 4] == [
        "                     run 1                  run 2",
        "  60 to 199 tokens   1.000 1.000 1.000 (1)  1.000 1.000 1.000 (1)",
        "  200 to 999 tokens  1.000 1.000 1.000 (2)  -     0.000 0.000 (2)",
    ]
    narrow = told_together(both.runs, 40).splitlines()
    at = narrow.index("  200 to 999 tokens")
    assert narrow[at + 1 : at + 3] == ["    run 1  1.000 1.000 1.000 (2)", "    run 2  -     0.000 0.000 (2)"]
    assert max(len(line) for line in narrow if line.startswith(" ") and "complete:" not in line) <= 45


@pytest.mark.parametrize("columns", range(20, 80))
def test_columns_are_kept_to_and_every_cell_stands_once(columns):
    rows = [("长文", ["0.9", "0.81 (12)"]), ("short ones", ["-", "0.5"])]
    lines = in_columns("by length", ["一次运行", "b"], rows, columns)
    together = "".join(lines)
    assert all(together.count(cell) == 1 for cell in ("长文", "short ones", "0.81 (12)"))
    assert len(lines) in (3, 6) and lines == [line.rstrip() for line in lines]


def test_a_run_without_the_column_is_blank_and_says_so(rows):
    bare = [{"id": row["id"], "text": row["text"]} for row in rows]
    for by in ("site", "place"):
        named = [row | {by: row["site"]} for row in rows]
        both = qc.evaluate([qc.dedup(named), qc.dedup(bare)], TRUTH, by=by)
        assert both[0].sites and both[1].sites == []
        assert any(f"no column {by}" in note for note in both[1].notes)
        assert not any("no column" in note for note in both[0].notes)
        assert f"by {by}" in str(both)
    with pytest.raises(UsageError, match="the rows do not have this column; they have id, text"):
        qc.evaluate([qc.dedup(bare), qc.dedup(bare)], TRUTH, by="place")
    assert "by site" not in str(qc.evaluate([qc.dedup(bare), qc.dedup(bare)], TRUTH))


def test_runs_over_other_documents_are_told(rows, runs):
    other = qc.dedup([{"id": f"n{i}", "text": text(20 + i)} for i in range(3)])
    both = qc.evaluate([runs[0], other], TRUTH)
    assert any("the documents of this run differ from those of run 1" in note for note in both[1].notes)
    assert both[1].recall.value is None and "n/a" not in str(both)
    same = qc.evaluate([runs[0], qc.dedup(rows[::-1])], TRUTH)
    assert not any("the documents of this run differ from those of" in note for one in same for note in one.notes)


def test_a_note_of_all_runs_stands_once(runs):
    told = str(qc.evaluate(runs, TRUTH[:2]))
    assert told.count("the truth is read as a sample") == 1 and "note: the truth is read" in told


def test_runs_of_one_name_are_told_apart_by_their_folders():
    assert names_apart([Path("/x/a/run"), Path("/x/b/run"), Path("/x/b/two")]) == ["a/run", "b/run", "b/two"]
    assert names_apart([Path("/x/run"), Path("/x/run")]) == ["run", "run"]
    assert names_apart([None, Path("/run"), None]) == ["run 1", "run", "run 3"]


@pytest.mark.parametrize("wrong", [[], [1], ["gone"]])
def test_what_is_no_run_is_refused(wrong, runs):
    with pytest.raises(qc.QuchongError):
        qc.evaluate([*runs, *wrong] if wrong else [], TRUTH)


def test_all_curves_are_in_one_picture_and_every_run_is_named(runs, rows):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is not installed (extra plot)")
    runs = [runs[0], qc.dedup(rows, method="simhash"), runs[1]]
    found = qc.evaluate(runs, TRUTH, complete=True, curve=True)
    assert [bool(one.curve) for one in found] == [True, True, False]
    assert any("no curve can be drawn, only the point of the run" in note for note in found[2].notes)
    own = found[1].curve
    assert 0.9375 in [point.threshold for point in own]  # the run's own, between two of the steps
    mine = next(point for point in own if point.threshold == 0.9375)
    assert (mine.precision, mine.recall) == (found[1].precision.value, found[1].recall.value)
    for axes in (found.plot(), found.plot(pyplot.subplots()[1])):
        labels = [one.get_text() for one in axes.get_legend().get_texts()]
        assert [label.partition(":")[0] for label in labels] == [
            "run 1",
            "run 2",
            "run 3",
            "the run itself",
            "its best F1",
        ]
        assert "best" in labels[0] and "best" not in labels[2]
        pyplot.close(axes.figure)
    with pytest.raises(UsageError, match="there is no curve"):
        qc.evaluate(runs, TRUTH).plot()
    with pytest.raises(UsageError, match="has no threshold that can be changed after the run"):
        qc.evaluate([runs[2], runs[2]], TRUTH, curve=True)


@pytest.mark.parametrize("name", ["_mine", r"a$\foo$", "两次运行", "two\nlines\x1b[1m", "n" * 300])
def test_any_name_of_a_folder_stands_in_the_legend(name, tmp_path, caplog, recwarn):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra plot)")
    from quchong.evaluation.curve import Point
    from quchong.evaluation.picture import write_picture

    curves = [
        (one, "threshold", [Point(0.5, 0.5, 1.0, 2 / 3), Point(0.7, 1.0, 0.5, 2 / 3)], (1.0, 0.5))
        for one in (name, "b")
    ]
    write_picture(curves, tmp_path / "a.svg")
    assert not caplog.records and not recwarn.list
    comments = (tmp_path / "a.svg").read_text("utf-8")
    assert comments.count(": F1 0.667; best 0.667 at threshold") == 2
