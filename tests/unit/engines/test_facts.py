"""Covers: what pairs differ in, from engine to tables: pairs, copies, turned pairs, the ledger of the very pair, re-decision,
compare, who is newer, and the parameter `facts`.

Compared against: the texts at the places told; a new run; `compare`; the tables of the same rows under other ids.
"""

import random

import pyarrow as pa
import pytest

import quchong as qc
from quchong.similarity.thresholds import PRESETS
from quchong.tables import FACTS, TERM

BODY = (
    "云河市今天召开会议讨论城市轨道交通建设教育改革和医疗保障等议题，与会代表积极发言提出许多建议，大家认为要加快推进老旧小区改造工作。"
    "会后记者采访了几位市民，他们希望公共交通更加方便，希望学校和医院离家更近一些，也希望河边的步道能够早日修好开放。"
)
FORMS = (
    "第{}号文件说，{}共有{}人参加，花费{}元，参观者普遍表示满意。",
    "{}路公交车今起改道，{}到场市民{}名，票价{}元。",
)


def text(*figures, form=0, body=BODY):
    return FORMS[form].format(figures[0], body, *figures[1:])


ROWS = [
    {"id": "a", "text": text(2, 3, 4), "time": "2020-03-05"},
    {"id": "b", "text": text(5, 6, 7), "time": "2020-03-07"},
    {"id": "c", "text": text(5, 6, 7).replace("，", ","), "time": "2020-03-06"},  # an exact copy of b, in other marks
    {"id": "d", "text": text(2, 3, 4) + "完。", "time": None},
]  # fmt: skip


def pair_of(found, *ids):
    (one,) = [p for p in found.pairs.to_pylist() if {p["left_id"], p["right_id"]} == set(ids)]
    return one


@pytest.fixture(scope="module")
def found():
    return qc.dedup(ROWS, differences="all", recall_sample=0)


def test_pairs_say_what_they_differ_in(found):
    one = pair_of(found, "a", "b")
    assert one["relation"] == "variant" and one["facts"] == ["figure"] and one["unexplained"] is not None
    figures = [d for d in one["differences"] if d["kind"] == "figure"]
    assert [(d["left"], d["right"]) for d in figures] == [("第2", "第5"), ("3", "6"), ("4元", "7元")]
    for d in one["differences"]:
        assert ROWS[0]["text"][d["left_start"] : d["left_end"]] == d["left"]
        assert ROWS[1]["text"][d["right_start"] : d["right_end"]] == d["right"]
    assert 0.8 < one["aligned_left"] < 1 and 0.8 < one["aligned_right"] < 1


def test_further_copies_have_figures_and_no_list(found):
    one = pair_of(found, "a", "c")
    assert one["facts"] == ["figure"] and one["differences"] is None
    assert one["aligned_left"] == pair_of(found, "a", "b")["aligned_left"]
    exact = pair_of(found, "b", "c")
    assert (exact["facts"], exact["aligned_left"], exact["aligned_right"], exact["unexplained"], exact["differences"]) == (
        [], 1.0, 1.0, 0, None,
    )  # fmt: skip


def test_a_method_that_does_not_look_says_nothing():
    for options in ({"method": "minhash"}, {"guards": False}):
        result = qc.dedup(ROWS, differences="all", recall_sample=0, **options)
        assert len(result.pairs)
        for p in result.pairs.to_pylist():
            assert (p["facts"], p["aligned_left"], p["aligned_right"], p["unexplained"], p["differences"]) == (
                [], None, None, None, None,
            )  # fmt: skip
        assert all(r["facts"] == [] and r["differences"] == [] for r in result.ledger.to_pylist())


def test_the_ledger_tells_of_the_very_pair_and_of_its_originals():
    rows = [
        dict(r, id=i) for r, i in zip(ROWS[:3], ("k", "a", "b"), strict=True)
    ]  # class of a and b; b is a further copy
    result = qc.dedup(
        rows, differences="all", recall_sample=0, facts="remove", keep="prefer:id=k", relations="duplicate"
    )
    gone = {r["id"]: r for r in result.ledger.to_pylist()}
    assert gone.keys() == {"a", "b"} and {r["survivor_id"] for r in gone.values()} == {"k"}
    texts = {r["id"]: r["text"] for r in rows}
    for name, row in gone.items():
        assert row["relation"] == "variant" and row["facts"] == ["figure"]
        assert [(d["text"], d["survivor_text"]) for d in row["differences"] if d["conflict"]] == [
            ("第5", "第2"), ("6", "3"), ("7元", "4元"),
        ]  # fmt: skip
        for d in row["differences"]:
            assert texts[name][d["start"] : d["end"]] == d["text"]
            assert texts["k"][d["survivor_start"] : d["survivor_end"]] == d["survivor_text"]


def test_who_is_newer(found):
    assert pair_of(found, "a", "b")["supersedes"] == "right"
    assert pair_of(found, "b", "d")["supersedes"] is None  # d has no time
    assert pair_of(found, "b", "c")["supersedes"] is None  # exact copies, whatever their times
    for keep, newer in (("earliest", True), ("latest", False), ("shortest", True)):
        gone = qc.dedup(ROWS[:2], differences="all", recall_sample=0, facts="remove", keep=keep).ledger.to_pylist()
        assert [r["supersedes"] for r in gone] == [newer]
    same = [dict(r, time="2020-03-05") for r in ROWS[:2]]
    assert qc.dedup(same, differences="all", recall_sample=0).pairs["supersedes"].to_pylist() == [None]
    assert qc.dedup(same, differences="all", recall_sample=0, facts="remove").ledger["supersedes"].to_pylist() == [None]
    for hour, said in (("T08:00:00", None), ("T00:00:00", None)):  # a day without an hour does not tell
        day = [dict(ROWS[0], time="2020-03-05"), dict(ROWS[1], time=f"2020-03-05{hour}")]
        assert qc.dedup(day, differences="all", recall_sample=0).pairs["supersedes"].to_pylist() == [said]
        assert qc.dedup(day, differences="all", recall_sample=0, facts="remove").ledger["supersedes"].to_pylist() == [
            said
        ]
    for strange in (True, ["2020"], "gestern"):  # nobody asked for times: a column of them that is none stops no run
        odd = [dict(r, time=strange) for r in ROWS[:2]]
        assert qc.dedup(odd, differences="all", recall_sample=0, keep="shortest").pairs["supersedes"].to_pylist() == [
            None
        ]


@pytest.mark.parametrize("name", ["!", "~"])
def test_a_pair_against_a_reference_is_turned_as_a_whole(name):
    """A reference comes first whatever its id: it is compared as the left one, and stands on either side of the table."""
    reference, own = {"id": "r", "text": ROWS[3]["text"]}, {"id": name, "text": ROWS[1]["text"]}
    result = qc.dedup([own], against=[reference], differences="all", recall_sample=0)
    (one,) = result.pairs.to_pylist()
    assert (one["left_id"] == name) == (name == "!")
    left, right = (own if one[f"{side}_id"] == name else reference for side in ("left", "right"))
    for d in one["differences"]:
        assert left["text"][d["left_start"] : d["left_end"]] == d["left"]
        assert right["text"][d["right_start"] : d["right_end"]] == d["right"]
    figures = [(d["left"], d["right"]) for d in one["differences"] if d["kind"] == "figure"]
    assert figures == (
        [("第5", "第2"), ("6", "3"), ("7元", "4元")] if name == "!" else [("第2", "第5"), ("3", "6"), ("4元", "7元")]
    )
    said = qc.compare(left, right)
    assert one["aligned_left"] == pytest.approx(said.measures["aligned_left"])
    assert one["aligned_left"] != one["aligned_right"]


def corpus(seed):
    """Families of near-copies with other figures, marks and endings, copies among them, and texts of which half is another."""
    rng, rows = random.Random(seed), []
    for number in range(14):
        figures = [rng.randrange(2, 9) for _ in range(3)]
        form, body = (
            number % 2,
            "，".join(rng.sample(BODY.replace("。", "，").rstrip("，").split("，"), 6 + number % 2)),
        )
        for _ in range(rng.randrange(1, 4)):
            figures = [rng.choice((f, f, f + 1)) for f in figures]
            one = text(*figures, form=form, body=body)
            one = rng.choice((one, one.replace("，", ","), one + "完。", one[: rng.randrange(60, len(one))]))
            rows.append({"text": one, "time": rng.choice((None, f"2020-03-0{rng.randrange(1, 9)}"))})
    rng.shuffle(rows)
    return [{"id": f"n{i:02}", **row} for i, row in enumerate(rows)]


def rows_of(result, name):
    """Rows of a table, without what one run looked at and the other had no need to."""
    table = getattr(result, name)
    return (table.drop_columns(["name_swap"]) if name == "pairs" else table).to_pylist()


@pytest.mark.parametrize("seed", (2, 6, 7))
@pytest.mark.parametrize(
    ("first", "then"),
    [({}, {"facts": "remove"}), ({"facts": "remove"}, {"facts": "figure"}), ({}, {"threshold": 0.35}),
     ({"threshold": 0.9}, {"threshold": 0.45, "facts": "remove"}), ({"threshold": 0.35}, {"threshold": 0.95})],
)  # fmt: skip
def test_a_run_decided_again_equals_a_new_one(tmp_path, seed, first, then):
    """Of corpora without a template, which one run would have read and the other not."""
    rows = corpus(seed)
    # What the first run left unexamined, the second decision examines.
    one = qc.dedup(rows, differences=("deciding", "all")[seed % 2], recall_sample=0, **first)
    again, fresh = one.rethreshold(**then), qc.dedup(rows, differences="all", recall_sample=0, **(first | then))
    assert any(p["differences"] for p in fresh.pairs.to_pylist())
    for result in (again, qc.load(one.save(tmp_path / "run")).rethreshold(**then)):
        for name in ("pairs", "ledger", "clusters"):
            assert rows_of(result, name) == rows_of(fresh, name), name
        assert result.counts["variants"] == fresh.counts["variants"]


@pytest.mark.parametrize(
    ("seed", "every"), [(0, 4), *(pytest.param(seed, 1, marks=pytest.mark.campaign) for seed in range(3))]
)
@pytest.mark.parametrize("method", ["hybrid", "short-text"])
def test_compare_says_what_a_run_says(seed, every, method):
    """Of each fourth pair in the suite."""
    rows = {r["id"]: r for r in corpus(seed)}
    looked = 0
    for p in qc.dedup([*rows.values()], differences="all", recall_sample=0, method=method).pairs.to_pylist()[::every]:
        if p["relation"] == "exact" or p["differences"] is None:
            continue
        said = qc.compare(rows[p["left_id"]], rows[p["right_id"]], method=method)
        assert (said.relation, said.rule, list(said.facts)) == (p["relation"], p["rule"], p["facts"])
        assert [d for d in said.as_dict()["differences"]] == p["differences"]
        assert [said.measures[k] for k in ("aligned_left", "aligned_right", "unexplained")] == [
            p[k] for k in ("aligned_left", "aligned_right", "unexplained")
        ]
        looked += 1
    assert looked > 5


def test_a_run_folder_has_the_same_tables(tmp_path, found):
    saved = qc.load(found.save(tmp_path / "run"))
    for name in ("pairs", "ledger"):
        assert getattr(saved, name).equals(getattr(found, name))
        assert getattr(saved, name).schema.equals(getattr(found, name).schema)


def test_facts_remove_stands_beside_the_relations():
    kept, gone = (qc.dedup(ROWS[:2], differences="all", recall_sample=0, facts=f) for f in ("keep", "remove"))
    assert not len(kept.ledger) and gone.ledger["relation"].to_pylist() == ["variant"]
    named = qc.dedup(ROWS[:2], differences="all", recall_sample=0, relations="exact,variant")
    assert named.ledger["id"].to_pylist() == gone.ledger["id"].to_pylist()
    assert (
        qc.dedup(ROWS[:2], differences="all", recall_sample=0, method=qc.methods.Hybrid(facts="remove")).counts[
            "removed"
        ]
        == 1
    )
    assert kept.counts["variants"] == {"kept_pairs": 1, "kept_by_fact": {"figure": 1}, "removed_by_fact": {}}
    assert gone.counts["variants"] == {"kept_pairs": 0, "kept_by_fact": {}, "removed_by_fact": {"figure": 1}}
    assert "variants kept            1 pair, in figures 1" in kept.summary()
    assert "removed as variants      1, in figures 1" in gone.summary()


def test_facts_have_one_plain_form():
    methods = [qc.methods.Hybrid(facts=f) for f in ("date,figure", " figure , date", "figure,date,figure")]
    assert {m.facts for m in methods} == {"figure,date"} and {m.differences.mode for m in methods} == {"keep"}
    assert methods[0].differences.counted == 0b11
    usual = 2 ** len(FACTS) - 1 - TERM
    assert qc.methods.ShortText().differences.counted == usual == qc.methods.Hybrid(facts="keep").differences.counted
    assert qc.methods.Hybrid(facts="any").differences.counted == usual | TERM
    assert qc.methods.Hybrid(facts="any").differences.mode == "keep"
    asked = [qc.methods.Hybrid(preset=p, facts=f).differences.counted_brief for p, f in
             (("strict", None), ("strict", "keep"), ("strict", "figure"), ("balanced", None), ("training", None))]  # fmt: skip
    assert asked == [TERM, TERM, 0, 0, 0]
    modes = [qc.methods.Hybrid(preset=p, facts=f).differences.mode for p, f in
             (("balanced", None), ("training", None), ("training", "keep"), ("strict", "remove"))]  # fmt: skip
    assert modes == ["keep", "remove", "keep", "remove"]


@pytest.mark.skipif("training" not in PRESETS, reason="the thresholds of the preset are not there yet")
def test_the_preset_training_removes_variants():
    gone, kept = (
        qc.dedup(ROWS[:2], differences="all", recall_sample=0, preset="training", facts=f) for f in (None, "keep")
    )
    assert gone.ledger["relation"].to_pylist() == ["variant"] and not len(kept.ledger)
    assert kept.rethreshold(facts="remove").ledger.to_pylist()[0]["id"] == gone.ledger["id"][0].as_py()


def test_no_pairs_have_the_columns_all_the_same():
    table = qc.dedup(["完全不同的一段话在这里写着"], differences="all", recall_sample=0).pairs
    assert len(table) == 0 and pa.types.is_list(table.schema.field("differences").type)
