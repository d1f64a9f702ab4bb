"""Covers: quchong.Index beside the road of conformance: ids, stores without texts, shadows, runs made of an index and an index of a run,
an index as a reference corpus, passages, figures.
Run: pytest tests/promises/test_index_answers.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from index_records import records

import quchong as qc

NEWS = Path(__file__).parents[2] / "examples" / "news.jsonl"
TEXT = "云河市召开会议，共有2人参加，会议持续三天，讨论了城市轨道交通建设、教育改革和医疗保障等多个议题。会议由市长主持，各区县代表参加。"


@pytest.fixture
def seen(tmp_path):
    with qc.Index.create(tmp_path / "seen") as index:
        yield index


def removed_by(run):
    return {row["id"]: row["survivor_id"] for row in run.ledger.table.to_pylist()}


def removed_in(index):
    found = {id: index.matches(id) for id in index.ids()}
    return {id: answer.survivor_id for id, answer in found.items() if answer.removed}


@pytest.mark.parametrize(
    "keep", ["longest,earliest", "earliest,longest", "earliest,first", "latest", "source:s2>s1,longest"]
)
def test_the_index_keeps_what_a_run_keeps(tmp_path, keep):
    some = records(3, families=5)
    with qc.Index.create(tmp_path / "seen", keep=keep, templates="remove") as index:
        for one in some[:40]:
            index.add(one)
        index.add(some[40:])
        found = removed_in(index)
    run = qc.dedup(some, keep=keep, templates="remove", recall_sample=0)
    assert found.keys() == removed_by(run).keys()


@pytest.mark.parametrize(
    "times", [(None, None), ("2020-01-01", "2020-01-01"), ("2020-01-02", "2020-01-01"), (None, "2020-01-01")]
)
@pytest.mark.parametrize("order", [1, -1])
def test_the_index_protects_what_came_first_as_a_run_does(tmp_path, times, order):
    texts = (TEXT[:40], "转给大家看。" + TEXT)
    some = [{"id": k, "text": t, "time": s} for k, t, s in zip("ba", texts, times, strict=True)][::order]
    with qc.Index.create(tmp_path / "seen", keep="earliest,first", social="all") as index:
        for one in some:
            index.add(one)
        found = removed_in(index)
    run = qc.dedup(some, keep="earliest,first", social="all", recall_sample=0)
    assert found == removed_by(run) and bool(found) == (times[0] != times[1] or (order == -1))


@pytest.mark.parametrize("roundups", [None, "keep"])
def test_the_index_treats_a_roundup_as_a_run_with_its_preset(tmp_path, roundups):
    parts = [
        TEXT,
        "北岸港务局公布新航线，每天往返六班，票价六十八元，户籍居民凭证二十五元。",
        "护鸟员用望远镜数白鹭，退渔还湿后鱼塘改造成深浅不一的滩涂，候鸟北归达到高峰。",
    ]
    some = [{"id": f"p{k}", "text": text} for k, text in enumerate(parts)] + [{"id": "r", "text": "\n".join(parts)}]
    with qc.Index.create(tmp_path / "seen", preset="training", roundups=roundups) as index:
        for one in some:
            index.add(one)
        found = removed_in(index)
    run = qc.dedup(some, preset="training", roundups=roundups, recall_sample=0)
    assert found == removed_by(run) and set(found) == ({"r"} if roundups is None else set())


def test_an_answer_says_relation_facts_and_passages(seen):
    assert seen.add({"id": "a", "text": TEXT}).new
    answer = seen.add({"id": "b", "text": TEXT.replace("2人", "3人")})
    (match,) = answer.matches
    assert (match.id, match.relation, match.facts, answer.removed) == ("a", "variant", ("figure",), False)
    assert match.differing() == "figure 3 → 2" and match.differences[0].left_start == TEXT.index("2")
    again = seen.query("据报道，" + TEXT, passages=True)
    assert again.removed is False and again.id not in seen  # the longer one is kept
    best = again.matches[0]
    assert best.id == "a" and best.passages != ()
    assert all(TEXT[p.survivor_start : p.survivor_end] == ("据报道，" + TEXT)[p.start : p.end] for p in best.passages)
    assert seen.query(TEXT).survivor_id == "a" and len(seen) == 2


def test_a_better_copy_replaces_earlier_ones_and_gives_their_place_back_when_it_is_deleted(seen):
    seen.add([{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT + "。"}])
    better = seen.add({"id": "c", "text": TEXT + "会议还听取了专家意见。"})
    assert better.replaces == ("a",) and not better.removed
    assert removed_in(seen) == {"a": "c", "b": "c"}
    assert seen.delete("c") == 1 and seen.delete("c") == 0
    assert removed_in(seen) == {"b": "a"}
    assert seen.delete("a") == 1
    assert removed_in(seen) == {} and seen.query(TEXT).matches[0].id == "b"


def test_ids_keep_their_type_and_come_once(seen):
    found = seen.add([{"id": 7, "text": TEXT}, {"id": 8, "text": "别的一篇文章，与前面的没有关系。"}])
    assert [one.id for one in found] == [7, 8]
    assert seen.ids() == [7, 8] and 7 in seen and "7" in seen and 9 not in seen
    for again in (7, "7"):  # one id, however a stream spells it
        with pytest.raises(qc.InputError, match="already in the index"):
            seen.add({"id": again, "text": TEXT})
        with pytest.raises(qc.InputError, match="with another text"):
            seen.add({"id": again, "text": "x"})
    again = seen.add([{"id": 9, "text": TEXT}, {"id": 9, "text": TEXT}, {"id": 8, "text": TEXT}])
    assert [one.id for one in again] == [9] and [one.place for one in again.bad] == [1, 2]
    assert seen.add("没有编号的一篇。").id == "#3"
    assert seen.add([]).found == () and len(seen) == 4


def test_tables_and_files_are_answered_as_lists_are(tmp_path):
    rows = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
    answers = []
    for kind in (rows, pa.Table.from_pylist(rows), NEWS):
        with qc.Index.create(tmp_path / str(len(answers))) as index:
            answers.append([one.as_dict() for one in index.add(kind)])
    assert answers[0] == answers[1] == answers[2]


def test_an_empty_text_is_kept_and_equals_nothing(seen):
    found = seen.add(
        [{"id": "a", "text": ""}, {"id": "b", "text": "  "}, {"id": "c", "text": "！！"}, {"id": "d", "text": "！！"}]
    )
    assert [one.new for one in found] == [True, True, True, False] and found[3].matches[0].relation == "exact"


def test_an_index_becomes_a_run_and_a_run_an_index(tmp_path, seen):
    seen.add(NEWS)
    run = qc.load(seen.export(tmp_path / "run"))
    direct = qc.dedup(NEWS, recall_sample=0)
    assert removed_by(run) == removed_by(direct) and removed_in(seen).keys() == removed_by(direct).keys()
    saved = direct.save(tmp_path / "saved")
    with qc.Index.create(tmp_path / "again", from_run=saved) as again:
        assert set(again.ids()) == set(direct.kept["id"].to_pylist())
        assert again.query(seen.text("n009")).matches[0].relation == "contained_in"


def test_an_index_is_a_reference_corpus(tmp_path, seen):
    seen.add([{"id": "a", "text": TEXT}])
    seen.close()
    new = [{"id": "x", "text": TEXT}, {"id": "y", "text": "毫不相干的另一篇文章，只为凑数。"}]
    run = qc.dedup(new, against=tmp_path / "seen", recall_sample=0)
    assert removed_by(run) == {"x": "seen/a"} or set(removed_by(run)) == {"x"}
    assert run.kept["id"].to_pylist() == ["y"]
    saved = qc.dedup(new, against=tmp_path / "seen", out=tmp_path / "run", recall_sample=0)
    assert saved.kept["id"].to_pylist() == ["y"]


@pytest.mark.parametrize("store", ["features", "none"])
def test_without_texts_answers_say_so(tmp_path, store):
    with qc.Index.create(tmp_path / "seen", store=store) as index:
        index.add(NEWS)
        assert index.text("n001") is None
    with qc.Index(tmp_path / "seen") as index:
        first = json.loads(NEWS.read_text("utf-8").splitlines()[0])["text"]
        answer = index.query(first + "多一句话。")
        assert answer.matches[0].id == "n001" and answer.matches[0].relation == "duplicate"
        assert answer.matches[0].by_features and not answer.matches[0].differences
        assert index.query(first).matches[0].relation == "exact"
        with pytest.raises(qc.UsageError, match="stores no texts"):
            index.export(tmp_path / "run")


def test_by_tokens_shares_are_exact(tmp_path):
    shares = []
    for store in ("text", "features"):
        with qc.Index.create(tmp_path / store, store=store) as index:
            found = index.add(NEWS)
            shares.append({(one.id, m.id): (m.jaccard, m.containment) for one in found for m in one.matches})
    assert shares[0] == shares[1]


def test_a_store_that_a_method_cannot_compare_is_refused(tmp_path):
    for store in ("features", "none"):
        with pytest.raises(qc.UsageError, match=r"the index must store texts"):
            qc.Index.create(tmp_path / "seen", method="winnowing", store=store)
    with pytest.raises(qc.UsageError, match="needs all documents at once"):
        qc.Index.create(tmp_path / "seen", method="spotsigs")
    with pytest.raises(qc.UsageError, match="needs statistics of a corpus before documents can arrive one at a time"):
        qc.Index.create(tmp_path / "seen", method="imatch")
    assert not (tmp_path / "seen").exists()


def test_a_shadow_answers_beside_and_its_log_says_where_they_differ(tmp_path):
    with qc.Index.create(tmp_path / "seen", shadow={"facts": "remove"}) as index:
        index.add({"id": "a", "text": TEXT})
        answer = index.add({"id": "b", "text": TEXT.replace("2人", "3人")})
        assert not answer.removed and answer.shadow.removed and answer.shadow.survivor_id == "a"
        (line,) = (tmp_path / "seen" / "shadow.jsonl").read_text("utf-8").splitlines()
        assert json.loads(line)["id"] == "b" and json.loads(line)["shadow"]["removed"]
        asked = index.query(TEXT.replace("2人", "4人"))
        assert not asked.removed and asked.shadow.removed
        index.add({"id": "c", "text": "与此无关的又一篇文章，讲的是别的事情。"})
        assert index.delete("c") == 1
    # What the shadow lacks after an interruption is added when it is opened.
    with qc.Index(tmp_path / "seen") as index:
        assert index._shadow.index.ids() == ["a", "b"]
        index._stored.add(index._stored.reader.records([{"id": "d", "text": TEXT}], []).__next__())
    with qc.Index(tmp_path / "seen") as index:
        assert index._shadow.index.ids() == ["a", "b", "d"]


def test_figures_count_what_was_not_yet_given_back(seen):
    seen.add(NEWS)
    seen.delete(["n001", "n030"])
    figures = seen.stats()
    assert (figures.documents, figures.deleted) == (102, 2) and figures.kept == 102 - len(removed_in(seen))
    assert seen.compact().deleted == 0
    assert seen.expire("3650d") == 0 and len(seen) == 102


def test_a_closed_index_says_so(seen):
    seen.close()
    with pytest.raises(qc.UsageError, match="this index has been closed"):
        seen.query(TEXT)


def test_a_record_with_one_of_several_text_columns_is_answered_alone_as_among_others(tmp_path):
    text = "".join(f"The {n}th ferry left the quay at dusk while the keeper counted lamps. " for n in range(6))
    records = [{"title": "Ferries", "text": text}, {"text": text}, {"title": text}, {"html": f"<p>{text}</p>"}]
    with qc.Index.create(tmp_path / "seen", text="title,text") as index:
        index.add({"id": "a", "title": "Ferries", "text": text})
        together = index.query(records)
        assert [one.matches for one in together] == [index.query(one).matches for one in records]
        assert [one.matches[0].relation for one in together] == ["exact", *["duplicate"] * 3]
        with pytest.raises(qc.errors.InputError, match="has no column 'title'"):
            index.query({"body": text})
