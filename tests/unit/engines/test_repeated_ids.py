"""Covers: which of several rows with one id keeps it, whatever the order and the form of the input; scopes without a value.

Compared against: the same rows in every order.
"""

import itertools
import json

import pyarrow as pa
import pytest

import quchong as qc

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"

TEXT = "今天上午九点，市政府召开了新闻发布会，市长介绍了今年的十项工作，记者提出了十二个问题。"
ROWS = [
    {"id": "x", "text": TEXT, "note": "first", "stars": 3},
    {"id": "x", "text": TEXT, "note": "second"},
    {"id": "x", "text": TEXT, "stars": 4, "note": "first"},
    {"id": "x", "text": TEXT + "会后大家合影。", "note": "longer"},
    {"id": "y", "text": TEXT, "note": "first", "stars": 3},
]


def kept(data, tmp_path=None):
    result = qc.dedup(data, keep="column:id", recall_sample=0)
    notes = {(r["id"], r["note"], r.get("stars")) for r in result.kept.to_pylist()}
    return notes, result.ledger.select(["id", "survivor_id"]).to_pylist()


def test_rows_with_one_id_and_one_text_are_told_apart_by_all_their_columns():
    answers = [kept([ROWS[i] for i in order]) for order in itertools.permutations(range(len(ROWS)))]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][1] and answers[0][1][-1]["survivor_id"] == "x"


def test_the_order_of_keys_in_a_record_does_not_matter(tmp_path):
    answers = []
    for turned in (False, True):
        rows = [dict(reversed(r.items())) if turned else r for r in ROWS]
        one, two = tmp_path / f"a{turned}.jsonl", tmp_path / f"b{turned}.jsonl"
        one.write_text("\n".join(json.dumps(r) for r in rows[:2]) + "\n")
        two.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows[2:]) + "\n")
        answers += [kept(list(paths)) for paths in ((one, two), (two, one))]
    assert all(answer == answers[0] for answer in answers)
    assert kept(pa.Table.from_pylist(ROWS)) == answers[0] == kept(ROWS)


def test_pages_of_one_id_and_one_text():
    pages = [f"<html><body><p>{TEXT}</p><!-- {i} --></body></html>" for i in range(3)]
    rows = [{"id": "x", "html": page, "note": page[-30:], "stars": None} for page in pages]
    answers = [kept([rows[i] for i in order])[0] for order in itertools.permutations(range(3))]
    assert all(answer == answers[0] for answer in answers) and len(answers[0]) == 1


@pytest.mark.parametrize("scope", ["per", "same_site"])
def test_a_missing_value_is_a_value_of_its_own(scope):
    rows = [{"id": "a", "text": TEXT, "kind": None}, {"id": "b", "text": TEXT, "kind": ""}, {"id": "c", "text": TEXT, "kind": None},
            {"id": "d", "text": TEXT, "kind": "x"}, {"id": "e", "text": TEXT, "kind": "x"}, {"id": "f", "text": TEXT, "kind": "y"}]  # fmt: skip
    if scope == "per":
        removed = [{"c": "a", "e": "d"}, qc.dedup(rows, per="kind", recall_sample=0)]
    else:  # an empty site is no site
        rows = [dict(r, site=r["kind"]) for r in rows]
        removed = [{"b": "a", "c": "a", "e": "d"}, qc.dedup(rows, same_site=True, recall_sample=0)]
    assert {r["id"]: r["survivor_id"] for r in removed[1].ledger.to_pylist()} == removed[0]


def test_two_scopes_at_once_do_not_run_into_each_other():
    rows = [{"id": "a", "text": TEXT, "kind": "x\n", "site": "y"}, {"id": "b", "text": TEXT, "kind": "x", "site": "\ny"},
            {"id": "c", "text": TEXT, "kind": "x", "site": "\ny"}]  # fmt: skip
    result = qc.dedup(rows, per="kind", same_site=True, recall_sample=0)
    assert {r["id"]: r["survivor_id"] for r in result.ledger.to_pylist()} == {"c": "b"}


def test_every_row_that_came_with_a_protected_id_is_protected():
    assert qc.dedup([{"id": "x", "text": SPRING}] * 3, protect="x").counts["removed"] == 0
