"""Covers: quchong.decision.reviewed: what a person overturned is not removed again; the rest of the run keeps its promises.

Compared against: the run without decisions, a run told of them anew, the same run restored. Run: pytest tests/unit/decision/test_overturned.py.
"""

from pathlib import Path

import pytest

import quchong as qc
from quchong.errors import InputError, RunError, UsageError
from quchong.runs.acts import Label, Verdict
from quchong.runs.decisions_file import write_acts

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"


@pytest.fixture(scope="module")
def plain():
    return qc.dedup(NEWS)


def book(tmp_path, *acts):
    path = tmp_path / "news.decisions.jsonl"
    write_acts(acts, path)
    return path


def removals(result):
    return {row["id"]: row["survivor_id"] for row in result.ledger.to_pylist()}


def verified(result):
    """Every removed document was compared with the one that stays, and that one stays."""
    gone = removals(result)
    listed = {frozenset((p["left_id"], p["right_id"])): p["relation"] for p in result.pairs.to_pylist()}
    for row in result.ledger.to_pylist():
        assert row["survivor_id"] not in gone
        relation = listed[frozenset((row["id"], row["survivor_id"]))]
        assert relation == row["relation"] or {relation, row["relation"]} == {"contains", "contained_in"}
    return gone


def test_every_removal_overturned_alone_stays_and_takes_nobody_with_it(tmp_path, plain):
    before = removals(plain)
    for gone, survivor in sorted(before.items())[::5]:
        after = verified(qc.dedup(NEWS, decisions=book(tmp_path, Verdict("overturn", gone, survivor)), recall_sample=0))
        assert gone not in after and survivor not in after
        assert set(after) == set(before) - {gone}


def test_all_removals_overturned_leave_nothing_removed(tmp_path, plain):
    acts = [Verdict("overturn", gone, survivor) for gone, survivor in removals(plain).items()]
    result = qc.dedup(NEWS, decisions=book(tmp_path, *acts))
    assert result.counts["removed"] == 0 and result.counts["kept"] == 104
    assert result.manifest["decisions"] == {
        "file": "news.decisions.jsonl", "overturned": 45, "kept": 45, "accepted": 0, "removed_again": 0, "torn": 0, "unknown": 0,
    }  # fmt: skip


def test_the_pair_is_set_apart_whichever_the_policy_prefers(tmp_path):
    """Under the other policy the survivor would go for the overturned document's sake."""
    text = "云河市召开会议，讨论了城市轨道交通建设、教育改革和医疗保障等多个议题，会议持续三天，共有代表参加。"
    rows = [
        {"id": "a", "text": text},
        {"id": "b", "text": text + "又过了几天。"},
        {"id": "c", "text": text + "又过了几天！"},
    ]
    assert removals(qc.dedup(rows, keep="longest")) == {"a": "b", "c": "b"}
    path = book(tmp_path, Verdict("overturn", "a", "b"))
    for keep in ("longest", "shortest", "column:id"):
        gone = verified(qc.dedup(rows, keep=keep, decisions=path))
        assert "a" not in gone and "b" not in gone


def test_accepted_removals_and_labels_change_nothing(tmp_path, plain):
    gone, survivor = next(iter(removals(plain).items()))
    acts = [
        Verdict("accept", gone, survivor),
        Label(gone, survivor, "different"),
        Verdict("accept", "n001", None),
        Label("n001", "n002", "same"),
    ]
    result = qc.dedup(NEWS, decisions=book(tmp_path, *acts))
    assert (
        result.ledger.equals(plain.ledger)
        and result.clusters.equals(plain.clusters)
        and result.pairs.equals(plain.pairs)
    )
    assert result.manifest["decisions"]["removed_again"] == 1 and result.manifest["decisions"]["accepted"] == 2
    taken_back = [Verdict("overturn", gone, survivor), Verdict("accept", gone, survivor)]
    assert removals(qc.dedup(NEWS, decisions=book(tmp_path, *taken_back))) == removals(plain)


@pytest.mark.parametrize("threshold", [0.5, 0.7, 0.9])
def test_rethreshold_of_a_reviewed_run_is_a_new_run_with_the_decisions(tmp_path, plain, threshold):
    acts = [Verdict("overturn", gone, survivor) for gone, survivor in sorted(removals(plain).items())[::3]]
    path = book(tmp_path, *acts)
    result = qc.dedup(NEWS, decisions=path, out=tmp_path / "run")
    new = qc.dedup(NEWS, decisions=path, threshold=threshold)
    in_memory = qc.dedup(NEWS, decisions=path).rethreshold(threshold)
    path.unlink()  # the run folder keeps what it needs
    for again in (result.rethreshold(threshold), qc.load(tmp_path / "run").rethreshold(threshold), in_memory):
        assert removals(again) == verified(new)
        assert again.documents.drop_columns(["source"]).equals(new.documents.drop_columns(["source"]))
        assert (
            again.rethreshold(0.8).counts["removed"]
            == qc.dedup(NEWS, decisions=book(tmp_path, *acts), threshold=0.8).counts["removed"]
        )
        path.unlink()


def test_the_documents_say_who_overturned(tmp_path, plain):
    gone, survivor = sorted(removals(plain).items())[0]
    result = qc.dedup(NEWS, decisions=book(tmp_path, Verdict("overturn", gone, survivor)), out=tmp_path / "run")
    fates = {row["id"]: row for row in result.documents.to_pylist()}
    assert fates[gone]["policy"] == "overturned" and fates[gone]["protected"] and not fates[gone]["removed"]
    assert "a person overturned the removal of this document" in str(result.explain(gone))
    assert (tmp_path / "run" / "decisions.jsonl").is_file()
    qc.dedup(NEWS, out=tmp_path / "run", overwrite=True)  # it is a file of the run
    assert not (tmp_path / "run" / "decisions.jsonl").exists()


def test_a_run_that_lost_its_decisions_is_not_decided_again(tmp_path, plain):
    gone, survivor = sorted(removals(plain).items())[0]
    result = qc.dedup(NEWS, decisions=book(tmp_path, Verdict("overturn", gone, survivor)), out=tmp_path / "run")
    (tmp_path / "run" / "decisions.jsonl").unlink()
    with pytest.raises((InputError, RunError), match=r"decisions\.jsonl"):
        result.rethreshold(0.8)


def test_decisions_about_documents_that_are_not_there_are_told(tmp_path):
    some = qc.dedup(
        NEWS, decisions=book(tmp_path, Verdict("overturn", "n009", "n005"), Verdict("accept", "gone", "n005"))
    )
    assert [(a["kind"], a["level"]) for a in some.alarms] == [("decisions without documents", "note")]
    none = qc.dedup(
        NEWS, decisions=book(tmp_path, Verdict("overturn", "x", "y"), Verdict("overturn", "half \ud800", "y"))
    )
    assert [(a["kind"], a["level"]) for a in none.alarms] == [("decisions without documents", "alarm")]
    assert "2 of 2 decisions in news.decisions.jsonl" in none.alarms[0]["message"]


def test_a_torn_line_is_left_out_and_told(tmp_path):
    path = book(tmp_path, Verdict("overturn", "n009", "n005"))
    path.write_bytes(path.read_bytes() + b'{"act": "overturn", "id": "n0')
    result = qc.dedup(NEWS, decisions=path)
    assert "n009" not in removals(result) and result.manifest["decisions"]["torn"] == 1
    assert [(a["kind"], a["level"]) for a in result.alarms] == [("decisions torn", "alarm")]
    assert "1 line of news.decisions.jsonl was skipped because of damage" in result.alarms[0]["message"]
    assert (
        "kept by a person's decision" in result.summary()
        and "1 of 1 removal that a person overturned" in result.summary()
    )


def test_ids_that_are_numbers_are_meant_whichever_way_they_are_written(tmp_path):
    text = "云河市召开会议，讨论了城市轨道交通建设、教育改革和医疗保障等多个议题，会议持续三天。"
    rows = [{"id": 10, "text": text}, {"id": 9, "text": text}]
    gone = removals(qc.dedup(rows))
    assert gone == {9: 10}
    for one, other in ((9, 10), ("9", "10")):
        assert not removals(qc.dedup(rows, decisions=book(tmp_path, Verdict("overturn", one, other))))


def test_what_a_filter_removed_unconfirmed_stays_too(tmp_path):
    rows = [{"id": f"p{k}", "text": f"第{k}条：今天在云河市第{k * 7}号街区看到一只猫"} for k in range(600)]
    given = {"method": "two-stage", "stage1": "bloom", "error_rate": 0.2, "capacity": 600}
    before = qc.dedup(rows, **given)
    lost = [row["id"] for row in before.ledger.to_pylist() if row["survivor_id"] is None]
    assert lost
    after = qc.dedup(rows, decisions=book(tmp_path, Verdict("overturn", lost[0], None)), **given)
    assert lost[0] not in removals(after)


def test_documents_compared_against_are_never_removed_and_may_be_survivors(tmp_path):
    text = "云河市召开会议，讨论了城市轨道交通建设、教育改革和医疗保障等多个议题，会议持续三天。"
    plain = qc.dedup([{"id": "a", "text": text}], against=[{"id": "z", "text": text}])
    ((gone, survivor),) = removals(plain).items()
    after = qc.dedup(
        [{"id": "a", "text": text}],
        against=[{"id": "z", "text": text}],
        decisions=book(tmp_path, Verdict("overturn", gone, survivor)),
    )
    assert not removals(after)


def test_restore_puts_back_what_was_overturned(tmp_path, plain):
    some = sorted(removals(plain).items())[:6]
    acts = [Verdict("overturn", gone, survivor) for gone, survivor in some] + [
        Verdict("clear", *some[0]),
        Verdict("overturn", "nobody", "n001"),
    ]
    path = book(tmp_path, *acts)
    result = qc.dedup(NEWS, out=tmp_path / "run")
    done = result.restore(decisions=path)
    assert list(done.ids) == [gone for gone, _ in some[1:]]
    assert set(removals(result)) == set(removals(plain)) - set(done.ids)
    assert result.restore(decisions=path).ids == ()
    reviewed = qc.dedup(NEWS, decisions=path)
    assert set(removals(reviewed)) == set(removals(result))  # both ways lead to the same documents
    with pytest.raises(UsageError, match="leave out ids and other options that name rows"):
        result.restore("n009", decisions=path)
