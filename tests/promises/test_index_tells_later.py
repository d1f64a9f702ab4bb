"""Covers: differences of answers that are described when they are looked at, and documents that one question reads once.

Compared against: the differences of `compare`, and of the document once it is in the index; statements counted at the database.
"""

import dataclasses
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

import quchong
from quchong.engines.index.answers import Match
from quchong.engines.index.told_later import DescribedOnce, DifferencesLater
from quchong.findings import Difference

TEXT = (
    "云河市于2026年3月5日召开会议，共有200人参加，讨论了城市轨道交通建设和教育改革的下一步安排，会议由市长李建国主持。"
)
OTHERS = {
    "a": TEXT.replace("200", "300"),
    "b": TEXT.replace("教育", "医疗") + "散会时天色已晚。",
    "c": TEXT.replace("云河", "清河").replace("主持", "召集"),
}


@pytest.fixture
def index(tmp_path):
    with quchong.Index.create(tmp_path / "seen") as made:
        made.add([{"id": id, "text": text} for id, text in OTHERS.items()])
        yield made


def test_differences_are_those_of_the_two_texts_whoever_is_left(index):
    answer = index.query({"id": "ask", "text": TEXT})
    assert {match.id for match in answer.matches} == set(OTHERS)
    for match in answer.matches:
        compared = quchong.compare(TEXT, OTHERS[match.id])
        told = [(d.kind, d.conflict, d.left, d.right, d.left_start, d.right_start) for d in match.differences]
        assert told
        assert told == [
            (d.kind, d.conflict, d.left, d.right, d.left_start, d.right_start) for d in compared.differences
        ]
    index.add({"id": "ask", "text": TEXT})
    # The same once it is stored and read back, and turned: "z" has the greater id, "ask" the smaller than "b".
    assert {m.id: m.differences for m in index.matches("ask").matches} == {m.id: m.differences for m in answer.matches}
    turned = next(m for m in index.matches("b").matches if m.id == "ask")
    straight = next(m for m in answer.matches if m.id == "b")
    assert turned.differences == tuple(d.turned for d in straight.differences)


def test_a_match_is_the_same_value_before_and_after_a_look(index):
    (one, *_), (other, *_) = (index.query({"id": "ask", "text": TEXT}).matches for _ in range(2))
    looked = one.differences
    assert type(looked) is tuple
    assert looked is one.differences, "described twice"
    assert one == other
    assert hash(one) == hash(other)
    for made in (index.query({"id": "ask", "text": TEXT}).matches[0] for _ in range(4)):
        copy = dataclasses.replace(made, kept=False)
        assert copy.differences == looked
    fresh = index.query({"id": "ask", "text": TEXT}).matches[0]
    assert pickle.loads(pickle.dumps(fresh)) == one
    fresh = index.query({"id": "ask", "text": TEXT}).matches[0]
    assert fresh.as_dict() == one.as_dict()
    fresh = index.query({"id": "ask", "text": TEXT}).matches[0]
    assert repr(fresh) == repr(one)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.differences = ()
    assert Match("x", "exact", "equal", 1.0, 1.0, 1.0).differences == ()


def test_nothing_is_described_before_a_look_and_once_for_all_pairs():
    calls = []

    def describe():
        calls.append(1)
        return [[("wording", False, "x", "y", 0, 1, 2, 3)], None]

    once = DescribedOnce(describe)
    straight = Match("i", "duplicate", "r", 1.0, 1.0, 1.0, differences=DifferencesLater(once, 0))
    turned = Match("i", "duplicate", "r", 1.0, 1.0, 1.0, differences=DifferencesLater(once, 0).turned_if(turned=True))
    none = Match("i", "partial", "r", 1.0, 1.0, 1.0, differences=DifferencesLater(once, 1))
    assert not calls
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda match: match.differences, [straight] * 8))
    assert found == [(Difference("wording", False, "x", "y", 0, 1, 2, 3),)] * 8
    assert turned.differences == (Difference("wording", False, "y", "x", 2, 3, 0, 1),)
    assert none.differences == ()
    assert 1 <= len(calls) <= 4  # threads that looked at the same moment may each have described


def test_a_question_reads_each_document_once(index, tmp_path):
    index.query({"id": "ask", "text": TEXT})
    catalogue = index._open.catalogue
    seen: list[str] = []
    catalogue.reader.set_trace_callback(seen.append)
    answer = index.query({"id": "ask", "text": TEXT})
    catalogue.reader.set_trace_callback(None)
    assert len(answer.matches) == len(OTHERS)
    read = [
        sql
        for sql in seen
        if " FROM documents WHERE number IN" in sql and sql.startswith("SELECT ") and "EXISTS" not in sql
    ]
    assert len(read) == 1, read


def test_a_question_after_a_change_sees_it(index):
    assert {m.id for m in index.query(TEXT).matches} == set(OTHERS)
    index.delete("b")
    assert {m.id for m in index.query(TEXT).matches} == set(OTHERS) - {"b"}
    index.add({"id": "b", "text": OTHERS["b"]})
    assert {m.id for m in index.query(TEXT).matches} == set(OTHERS)
