"""Covers: an index in PostgreSQL: its answers are those of an index in a folder, document by document, by methods of every kind of join;
documents moved from one to the other, and runs against what was exported.
Compared against: an index in a folder, `quchong.dedup`.
Run: pytest tests/promises/test_shared_index.py (a PostgreSQL server is started; skipped where none is installed).
"""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest
from index_records import fill, pairs_of_index, pairs_of_run, parameters_for, records
from matrices import some_of

import quchong as qc


def both(tmp_path, postgres, name, **settings):
    return [qc.Index.create(place, **settings) for place in (tmp_path / name, postgres.address(name))]


@pytest.mark.parametrize(
    "method", some_of(["hybrid", "simhash", "ccdet", "ppjoin", "minhash", "short-text", "tree-feature-string"], 4)
)
def test_answers_and_pairs_are_those_of_an_index_in_a_folder_and_of_a_run(tmp_path, postgres, method):
    draw = random.Random(method)
    some = records(draw.randrange(1000))
    name = method.replace("-", "_")
    indexes = both(tmp_path, postgres, name, method=method, fit=some, templates="remove", **parameters_for(method))
    left = fill(indexes, some, draw)
    frozen = indexes[0]._open.plan.method
    assert indexes[1].ids() == indexes[0].ids() and len(indexes[1]) == len(left)
    for id in indexes[0].ids():
        assert indexes[1].matches(id, passages=True) == indexes[0].matches(id, passages=True)
        assert indexes[1].text(id) == indexes[0].text(id)
    found = pairs_of_index(indexes[1])
    assert found == pairs_of_index(indexes[0])
    for index in indexes:
        index.close()
    run = qc.dedup(left, method=frozen, differences="all", templates="remove", recall_sample=0)
    assert found == pairs_of_run(run)
    with qc.Index(postgres.address(name), read_only=True) as again:
        assert pairs_of_index(again) == found


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("window", {"within": "5d", "keep": "earliest"}),
        ("users", {"per": "source", "method": "short-text"}),
        ("sites", {"same_site": True, "roundups": "whole"}),
        ("features", {"store": "features"}),
        ("no_texts", {"store": "none", "method": "minhash"}),
        ("unsynced", {"sync": "none", "keep": "source:s2>s1,longest"}),
    ],
)
def test_scopes_policies_and_stores_are_those_of_an_index_in_a_folder(tmp_path, postgres, name, settings):
    draw = random.Random(name)
    some = records(draw.randrange(1000))
    indexes = both(tmp_path, postgres, name, **settings)
    fill(indexes, some, draw)
    assert pairs_of_index(indexes[1]) == pairs_of_index(indexes[0])
    for day in ("2026-03-15", "2026-03-29"):
        moment = datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
        assert indexes[1]._open.expire(moment) == indexes[0]._open.expire(moment) > 0
        assert pairs_of_index(indexes[1]) == pairs_of_index(indexes[0])
    for index in indexes:
        assert len(index) == 0
        index.close()


def test_a_list_that_is_longer_than_its_front_is_counted(tmp_path, postgres):
    text = "今天下午市政府召开新闻发布会，会上介绍了地铁四号线的建设情况，工程预计明年三月通车，票价从两元起步。"
    some = [{"id": f"c{i:04}", "text": f"{text}第{i}期，编号{i * 7919 % 9973}。"} for i in range(150)]
    some[3]["text"] = some[0]["text"]
    indexes = both(tmp_path, postgres, "crowd", cap=4, most=8)
    one, other = (index.add(some) for index in indexes)
    assert one == other
    gone = [f"c{i:04}" for i in range(0, 150, 3)]
    assert [index.delete(gone) for index in indexes] == [50, 50]
    for index in indexes:
        index.compact()
        assert index.stats().deleted == 0
    assert indexes[1].query(some[1]) == indexes[0].query(some[1])
    assert pairs_of_index(indexes[1]) == pairs_of_index(indexes[0])
    for index in indexes:
        index.close()


def test_an_index_moves_to_a_database_and_back_and_its_export_is_a_reference(tmp_path, postgres):
    some = records(11)
    with qc.Index.create(tmp_path / "seen", fit=some, method="ccdet", **parameters_for("ccdet")) as seen:
        seen.add(some)
        seen.delete([one["id"] for one in some[:5]])
        seen.add({"text": "没有编号的一条：" + some[7]["text"]})
        pairs, ids = pairs_of_index(seen), seen.ids()
        answers = [seen.matches(id) for id in ids]
        first = seen.query(some)
    with qc.Index.create(postgres.address("moved"), from_run=tmp_path / "seen") as moved:
        assert (pairs_of_index(moved), moved.ids()) == (pairs, ids)
        assert [moved.matches(id) for id in ids] == answers
        assert moved.query(some) == first
        unnamed = moved.add({"text": "又一条没有编号的"}).id
        assert moved.stats().settings["method"] == "ccdet"
    with qc.Index.create(tmp_path / "back", from_run=postgres.address("moved")) as back:
        assert back.ids() == [*ids, unnamed]
        assert back.query(some) == first
        assert back.add({"text": "再来一条没有编号的"}).id not in [*ids, unnamed]
        back.export(tmp_path / "run")
    against = qc.dedup(some, against=tmp_path / "run", method="exact", recall_sample=0)
    with qc.Index(postgres.address("moved"), read_only=True) as moved:
        moved.export(tmp_path / "second")
    assert qc.load(tmp_path / "second").kept.num_rows >= 1
    again = qc.dedup(some, against=tmp_path / "second", method="exact", recall_sample=0)
    assert again.removed.num_rows >= against.removed.num_rows > 0


def test_ids_keep_their_type_and_letters(tmp_path, postgres):
    indexes = both(tmp_path, postgres, "ids")
    some = [{"id": 5, "text": "一二三四五六七"}, {"id": 2**62, "text": "七六五四三二一"}]
    odd = [{"id": "a\0b", "text": "甲乙丙丁戊己庚"}, {"id": '“引号” \\ "q"', "text": "庚己戊丁丙乙甲\0尾"}]
    for batch in (some, odd):
        one, other = (index.add(batch) for index in indexes)
        assert one == other
    assert indexes[1].ids() == indexes[0].ids() == [5, 2**62, "a\0b", '“引号” \\ "q"']
    assert [5 in index and "5" in index and 6 not in index for index in indexes] == [True, True]
    assert indexes[1].text(odd[1]["id"]) == odd[1]["text"]
    refused = [index.add([{"id": 5, "text": "别的"}, {"id": 9, "text": "新的一条"}]) for index in indexes]
    assert refused[0] == refused[1] and len(refused[0].bad) == 1
    for index in indexes:
        index.close()
