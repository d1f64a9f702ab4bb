"""Covers: ids that an index makes for documents without one: never the id of another document, in one addition or in several.
Run: pytest tests/promises/test_index_made_ids.py.
"""

import pytest
from index_records import ZH

import quchong as qc

TEXTS = [one + "。" for one in ZH.split("。") if len(one) > 8]
"""Sentences with nothing in common."""


def ids_of(index):
    return sorted(str(one) for one in index.ids())


@pytest.mark.parametrize("order", ["the id first", "the id last", "between others"])
def test_an_id_of_the_same_addition_is_not_made_again(tmp_path, order):
    given, others = {"id": "#1", "text": TEXTS[0]}, [{"text": one} for one in TEXTS[1:4]]
    records = {"the id first": [given, *others], "the id last": [*others, given]}.get(
        order, [others[0], given, *others[1:]]
    )
    with qc.Index.create(tmp_path / "seen") as index:
        answers = index.add(records)
        assert len({answer.id for answer in answers}) == len(records) == len(set(ids_of(index)))
        assert index.text("#1") == TEXTS[0]


def test_an_id_of_an_earlier_addition_is_not_made_again(tmp_path):
    with qc.Index.create(tmp_path / "seen") as index:
        index.add([{"id": "#1", "text": TEXTS[0]}, {"id": "#2", "text": TEXTS[1]}, {"id": "#2~2", "text": TEXTS[2]}])
        index.delete(["#1"])
        made = [index.add([{"text": one}])[0].id for one in TEXTS[3:6]]
        assert len(set(ids_of(index))) == len(ids_of(index)) == 5
        assert index.text("#2") == TEXTS[1]
        assert [index.text(one) for one in made] == TEXTS[3:6]
