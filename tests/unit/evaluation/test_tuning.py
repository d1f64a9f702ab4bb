"""Covers: quchong.evaluation.label_halves, values, sweep, tuning, questions and answers; `quchong.api.tune`.

Compared against: runs of their own at every value; choices made by hand. Run: pytest tests/unit/evaluation/test_tuning.py.
"""

import json
import random

import numpy as np
import pytest

import quchong as qc
from quchong.api.tuning import bench_of
from quchong.errors import OutputError, UsageError
from quchong.evaluation.asked_labels import Answers
from quchong.evaluation.label_halves import LARGE, halves
from quchong.evaluation.label_reader import read_truth
from quchong.evaluation.labelled_pairs import placed
from quchong.evaluation.questions import nearest
from quchong.evaluation.tuning import Goal
from quchong.evaluation.values import DISTANCES, STEPS, tunable
from quchong.plan.catalogue import METHODS, build

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


@pytest.fixture(scope="module")
def corpus():
    """80 texts and a copy of each with some of its characters changed: those of even number lightly, which are the same; those of
    odd number heavily, which are not."""
    draw = random.Random(5)
    rows, truth = [], []
    for i in range(80):
        text = [draw.choice(HAN) for _ in range(240)]
        rows.append({"id": f"t{i:02}", "text": "".join(text)})
        for at in draw.sample(range(240), 6 + draw.randrange(4) if i % 2 == 0 else 22 + draw.randrange(5)):
            text[at] = "，" + draw.choice(HAN)
        rows.append({"id": f"u{i:02}", "text": "".join(text)})
        truth.append({"left_id": f"t{i:02}", "right_id": f"u{i:02}", "label": "same" if i % 2 == 0 else "different"})
    return rows, truth


def test_what_threshold_a_method_has_and_which_values_are_tried():
    assert tunable(build("two-stage")).name == "distance" and tunable(build("two-stage")).values == DISTANCES
    minhash = tunable(build("minhash"))
    assert (minhash.name, minhash.own, minhash.decides, minhash.values) == ("threshold", 0.7, True, STEPS)
    assert tunable(build("hybrid")).own is None
    assert tunable(build("hybrid"), "containment", "0.5:0.7:0.1").values == (0.5, 0.6, 0.7)
    assert tunable(build("shingling"), "agree", [3, 1, 2, 2]).values == (1, 2, 3)
    without = []
    for name in METHODS:
        try:
            tunable(build(name))
        except UsageError as error:
            assert "has no threshold to tune" in str(error)
            without.append(name)
    assert without == ["exact", "imatch", "imatch-random", "imatch-s", "imatch-p"]


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        (None, "0.5:0.9", "values must be numbers"),
        (None, "a,b", "values must be numbers"),
        (None, "", "values must be numbers"),
        (None, [float("nan")], "values must be numbers"),
        (None, 0.5, "values must be numbers"),
        (None, "0.9:0.5:0.1", "values must be numbers"),
        (None, "0:1:0.001", "give at most 200"),
        ("treshold", None, "did you mean threshold"),
        ("preset", None, "has no numeric parameter of that name; it has"),
    ],
)
def test_values_that_cannot_be_meant(name, values, said):
    with pytest.raises(UsageError) as error:
        tunable(build("hybrid"), name, values)
    assert said in str(error.value)


def test_halves_depend_on_ids_and_labels_and_keep_groups_together():
    ids = [f"d{i}" for i in range(200)]
    pairs = [(f"d{3 * i}", f"d{3 * i + k}") for i in range(60) for k in (1, 2)]
    truth = read_truth([{"left_id": a, "right_id": b, "label": "same"} for a, b in pairs])
    found = halves(placed(truth, ids), ids)
    side = dict(zip(ids, found.half.tolist(), strict=True))
    assert all(side[a] == side[b] for a, b in pairs) and not found.split
    assert 15 < sum(side[f"d{3 * i}"] for i in range(60)) < 45
    shuffled = random.Random(1).sample(ids, len(ids))
    again = halves(placed(truth, shuffled), shuffled)
    assert dict(zip(shuffled, again.half.tolist(), strict=True)) == side


def test_a_group_with_most_of_the_labels_is_split():
    ids = [f"d{i}" for i in range(40)]
    truth = read_truth([{"left_id": "d0", "right_id": one, "label": "same"} for one in ids[1:]])
    found = halves(placed(truth, ids), ids)
    assert found.split and LARGE == 0.5 and 5 < found.half.sum() < 35


def test_a_goal_orders_values():
    tp, fp, fn = np.array([5, 8, 9.0]), np.array([0, 1, 9.0]), np.array([5, 2, 1.0])
    assert Goal().score(tp, fp, fn).argmax() == 1
    assert Goal(least_precision=0.95).score(tp, fp, fn).argmax() == 0
    assert Goal(least_recall=0.9).score(tp, fp, fn).argmax() == 2
    missed = Goal(least_precision=1.0).score(tp[1:], fp[1:], fn[1:])
    assert missed.argmax() == 0 and missed.max() < 1


@pytest.mark.parametrize("method", ["hybrid", "minhash", "two-stage", "ccdet", "shingling"])
def test_what_is_reported_is_what_a_run_with_the_value_gives(corpus, method):
    rows, truth = corpus
    found = qc.tune(rows, truth, method=method)
    chosen = {one.parameter: one.value for one in (found, *found.further) if one.value is not None}
    result = qc.dedup(rows, method=method, recall_sample=0, **chosen)
    ids = sorted(row["id"] for row in rows)
    known = placed(read_truth(truth), ids)
    side = dict(zip(ids, halves(known, ids).half.tolist(), strict=True))
    held = [one for one in truth if side[one["left_id"]] == 1]
    told = qc.evaluate(result, held)
    assert (found.reported.f1.value, found.reported.precision.hits) == (told.f1.value, told.precision.hits)
    assert found.call == {"method": method, **chosen}
    assert found.labels["reported"] == {"pairs": len(held), "copies": sum(one["label"] == "same" for one in held)}


@pytest.mark.parametrize(
    "method", [name for name in METHODS if name not in ("exact", "imatch", "imatch-random", "imatch-s", "imatch-p")]
)
def test_every_method_that_has_a_threshold_can_be_tuned(corpus, method):
    rows, truth = corpus
    values = [2, 6] if method == "two-stage" else [0.75, 0.9]
    found = qc.tune(rows[:16], truth[:8], method=method, values=values)
    assert {one.value for one in found.tried} >= set(values) and found.call["method"] == method
    assert found.reported.value == found.value


def test_a_threshold_between_copies_and_others_is_found_whatever_the_order(corpus):
    rows, truth = corpus
    found = qc.tune(rows, truth, method="minhash")
    assert found.low <= found.value <= found.high and found.value > 0.3
    assert found.reported.f1.value > max(found.tried[0].f1.value, found.tried[-1].f1.value)
    mixed, asked = random.Random(2).sample(rows, len(rows)), random.Random(3).sample(truth, len(truth))
    assert qc.tune(mixed, asked, method="minhash", workers=1).as_dict() == found.as_dict()


@pytest.fixture(scope="module")
def copied_in_part():
    """60 texts; of those of even number 7 tenths stand in a longer one, which counts as contained; of those of odd number half does,
    which does not."""
    draw = random.Random(11)
    rows, truth = [], []
    for i in range(60):
        text = [draw.choice(HAN) for _ in range(240)]
        kept = 168 if i % 2 == 0 else 120
        other = [draw.choice(HAN) for _ in range(400)]
        rows.append({"id": f"t{i:02}", "text": "".join(text)})
        rows.append({"id": f"u{i:02}", "text": "".join([*other[:200], *text[:kept], *other[200:]])})
        truth.append(
            {"left_id": f"t{i:02}", "right_id": f"u{i:02}", "label": "contained" if i % 2 == 0 else "different"}
        )
    return rows, truth


def test_of_a_method_with_two_thresholds_both_are_tuned_and_one_that_is_not_at_fault_stays(copied_in_part):
    rows, truth = copied_in_part
    found = qc.tune(rows, truth)
    (inside,) = found.further
    assert (found.parameter, found.value, inside.parameter) == ("threshold", None, "containment")
    assert inside.low <= inside.value <= inside.high and inside.own is None and 0.5 < inside.value < 0.7
    assert found.call == {"method": "hybrid", "containment": inside.value}
    assert found.reported.f1.value == 1.0 and found.before.f1.value == 0.0
    assert [one.f1.value for one in inside.tried if one.value == inside.value] == [1.0]
    assert found.as_dict()["further"][0]["value"] == inside.value
    assert f"recommended containment: {inside.value}" in str(found) and "threshold, containment: highest F1" in str(
        found
    )
    assert "containment 0." in repr(found) and "the other thresholds had their recommended values" in " ".join(
        found.notes
    )


def test_naming_a_parameter_or_values_tunes_that_alone(copied_in_part):
    rows, truth = copied_in_part
    for options in ({"parameter": "threshold"}, {"values": [0.6, 0.7]}, {"parameter": "containment"}):
        assert qc.tune(rows, truth, **options).further == ()
    assert qc.tune(rows, truth, method="minhash").further == ()


def test_each_threshold_has_the_highest_f1_with_the_others_as_recommended(corpus, copied_in_part):
    """Held to a run for every value of either."""
    rows = corpus[0] + [{"id": f"x{row['id']}", "text": row["text"]} for row in copied_in_part[0]]
    inside = [
        {"left_id": f"x{t['left_id']}", "right_id": f"x{t['right_id']}", "label": t["label"]} for t in copied_in_part[1]
    ]
    truth = corpus[1] + inside
    found = qc.tune(rows, truth, method="shingling")
    by_hand = {}
    for moved in (found, *found.further):
        fixed = {k: v for k, v in found.call.items() if k not in ("method", moved.parameter)}
        alone = qc.tune(rows, truth, method="shingling", parameter=moved.parameter, by_runs=True, **fixed)
        assert [one.describe() for one in alone.tried] == [one.describe() for one in moved.tried]
        by_hand[moved.parameter] = alone.value
    assert by_hand == {one.parameter: one.value for one in (found, *found.further)}


def test_a_further_threshold_that_the_method_refuses_is_passed_over(corpus):
    rows, truth = corpus
    found = qc.tune(rows, truth, method="two-stage")
    assert found.parameter == "distance" and found.further == ()
    exact = qc.tune(rows, truth, method="two-stage", verify="exact")
    assert [one.parameter for one in exact.further] == ["threshold", "containment"]


def test_decided_again_or_by_runs_the_answer_is_the_same(corpus):
    rows, truth = corpus
    values = [0.4, 0.55, 0.7, 0.85]
    one = qc.tune(rows, truth, method="shingling", values=values).as_dict()
    two = qc.tune(rows, truth, method="shingling", values=values, by_runs=True).as_dict()
    assert (one.pop("swept_by"), two.pop("swept_by")) == ("one run, decided again", "runs")
    assert one == two


def test_where_lists_of_candidates_were_cut_the_other_end_is_run_and_the_answer_is_that_of_runs():
    draw, rows, truth = random.Random(4), [], []
    for i in range(12):
        text = [draw.choice(HAN) for _ in range(240)]
        for k in range(7):
            for at in draw.sample(range(240), 4 * k):
                text[at] = draw.choice(HAN)
            rows.append({"id": f"{i:02}{k}", "text": "".join(text)})
        truth += [
            {"left_id": f"{i:02}0", "right_id": f"{i:02}{k}", "label": "same" if k < 4 else "different"}
            for k in range(1, 7)
        ]
    run = qc.dedup(rows, most=2, threshold=0.3, recall_sample=0)
    assert "candidates bounded" in [alarm["kind"] for alarm in run.alarms]
    one = qc.tune(rows, truth, most=2, complete=True).as_dict()
    two = qc.tune(rows, truth, most=2, complete=True, by_runs=True).as_dict()
    assert (one.pop("swept_by"), two.pop("swept_by")) == ("one run, decided again", "runs")
    assert one == two


def test_where_a_run_says_something_else_than_deciding_again_every_value_is_run(corpus, monkeypatch):
    """A method that loses pairs at its loosest value: what is decided again from there would be wrong."""
    rows, truth = corpus
    wanted = qc.tune(rows, truth, method="shingling", by_runs=True).as_dict()
    from quchong.evaluation import sweep as module

    def losing(outcome, name, values):
        for value, claims in decisions(outcome, name, values):
            some = np.arange(len(claims.left)) % 3 > 0
            yield value, type(claims)(**{k: getattr(claims, k) for k in claims.__slots__}
                                      | {k: getattr(claims, k)[some] for k in ("left", "right", "relation")})  # fmt: skip

    decisions = module.decisions
    monkeypatch.setattr(module, "decisions", losing)
    assert qc.tune(rows, truth, method="shingling").as_dict() == wanted


def test_a_run_is_tuned_on_its_own_rows_and_options(corpus, tmp_path):
    rows, truth = corpus
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({"key": r["id"], "body": r["text"]}) + "\n" for r in rows), "utf-8")
    qc.dedup(path, method="minhash", id="key", text="body", out=tmp_path / "run", num_perm=64)
    direct = qc.tune(path, truth, method="minhash", id="key", text="body", num_perm=64)
    assert qc.tune(tmp_path / "run", truth).as_dict() == direct.as_dict()
    assert qc.tune(qc.load(tmp_path / "run"), truth, method="shingling").method == "shingling"
    assert direct.call["num_perm"] == 64


def test_notes_tell_what_the_labels_cannot(corpus):
    rows, truth = corpus
    few = " ".join(qc.tune(rows, truth[:4], method="minhash").notes)
    assert (
        "pairs labelled as copies: label more pairs before you rely on the result" in few and "read as a sample" in few
    )
    edge = " ".join(qc.tune(rows, truth, method="minhash", values=[0.95, 1.0]).notes)
    assert "is the lowest value tried: try lower values too" in edge
    refused = " ".join(qc.tune(rows, truth, method="simhash", values=[0.1, 0.9, 0.95]).notes)
    assert "1 value was not tried, such as 0.1" in refused
    plain = " ".join(qc.tune(rows, truth, method="minhash", values=[0.1, 0.11]).notes)
    assert "threshold makes no difference" not in plain
    missed = " ".join(qc.tune(rows, truth, method="minhash", values=[0.95], least_recall=1).notes)
    assert "no value has a recall of 1 or more" in missed


def test_calls_that_cannot_be_meant(corpus):
    rows, truth = corpus
    for options, said in (
        ({"method": "exact"}, "has no threshold to tune"),
        ({"least_precision": 0.9, "least_recall": 0.9}, "cannot be used together: leave out one of them"),
        ({"least_precision": 2}, "least_precision must be a share from 0 to 1"),
        ({"values": [5]}, "accepts none of the values of threshold"),
        ({"labels": "different"}, "labels must be same, contained or both"),
        ({"truth_keys": 3}, "truth_keys must be ROLE=COLUMN pairs"),
        ({"by_runs": "yes"}, "by_runs must be True or False"),
        ({"only_against": True}, "only_against needs a corpus"),
    ):
        with pytest.raises(UsageError) as error:
            qc.tune(rows, truth, **options)
        assert said in str(error.value)


def test_questions_are_pairs_whose_fate_hangs_on_the_threshold_nearest_first(corpus):
    rows, _ = corpus
    for method in ("minhash", "two-stage", "hybrid"):
        bench = bench_of(rows, method, {"workers": 1})
        swept = bench.sweep(None, None, False)
        value = swept.values[len(swept.values) // 2]
        asked = nearest(swept, value, ())
        assert asked and len(set(asked)) == len(asked) and all(a < b for a, b in asked)

        def found(pair, at, swept=swept):
            claims = swept.claims[at]
            left, right = sorted(claims.ids.index(one) for one in pair)
            here = (claims.left == left) & (claims.right == right)
            return bool(here.any()) and claims.relation[here][0] in claims.accepted

        for pair in asked:
            assert len({found(pair, v) for v in swept.values}) == 2
        steps = [
            next(i for i, v in enumerate(swept.values[:-1]) if found(p, v) != found(p, swept.values[i + 1]))
            for p in asked
        ]
        at = swept.values.index(value)
        assert abs(steps[0] - at) <= abs(steps[-1] - at) + 1
        assert asked[0] not in nearest(swept, value, {asked[0]})
        assert nearest(swept, None, ()) if None in swept.claims else True


def test_exact_copies_are_asked_about_once(corpus):
    rows, _ = corpus
    swept = bench_of(rows, "minhash", {"workers": 1}).sweep(None, None, False)
    value = swept.values[len(swept.values) // 2]
    one, other = nearest(swept, value, ())[0]
    again = [{**row, "id": f"again {row['id']}"} for row in rows if row["id"] in (one, other)]
    both = bench_of([*rows, *again], "minhash", {"workers": 1}).sweep(None, None, False)
    kinds = [tuple(sorted(name.removeprefix("again ") for name in pair)) for pair in nearest(both, value, ())]
    assert kinds.count((one, other)) == 1 and len(set(kinds)) == len(kinds)
    known = [
        tuple(sorted(name.removeprefix("again ") for name in pair)) for pair in nearest(both, value, {(one, other)})
    ]
    assert (one, other) not in known and len(known) == len(kinds) - 1


def test_answers_are_appended_one_by_one_and_never_written_over(tmp_path):
    path = tmp_path / "labels.jsonl"
    answers = Answers(path)
    assert answers.read() is None and not path.exists()
    answers.add("a", "b", "same")
    path.write_bytes(path.read_bytes() + b'{"left_id": "c", "ri')  # cut in the middle of a line
    Answers(path).add("c", "d", "different")
    assert path.read_text("utf-8").splitlines()[0] == '{"left_id": "a", "right_id": "b", "label": "same"}'
    truth = Answers(path).read()
    assert list(zip(truth.left, truth.right, strict=True)) == [("a", "b"), ("c", "d")] and len(truth.skipped) == 1


def test_places_that_answers_cannot_go_to(corpus, tmp_path):
    rows, _ = corpus
    qc.dedup(rows[:4], out=tmp_path / "run")
    clusters = tmp_path / "clusters.jsonl"
    clusters.write_text('{"id": "a", "cluster": 1}\n')
    for place, kind in (
        (tmp_path / "labels.csv", UsageError), (tmp_path / "none" / "labels.jsonl", OutputError), (tmp_path / "run" / "labels.jsonl", OutputError),
        (clusters, UsageError),
    ):  # fmt: skip
        with pytest.raises(kind):
            Answers(place)
    assert clusters.read_text() == '{"id": "a", "cluster": 1}\n'
