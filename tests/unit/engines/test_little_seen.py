"""Covers: removals that rest on a small share of the texts, and documents in which a method finds nothing in it to compare.

Compared against: texts made here, whose common part is known. Run: pytest tests/unit/engines/test_little_seen.py
"""

import random

import numpy as np
import pytest

import quchong as qc
from quchong.decision.alarms import UNSEEN_SHARE
from quchong.plan.catalogue import METHODS, build
from quchong.similarity.paper_rules import LEAST_SHARE, rests_on_little

SIGNS = "山水风云花月春秋江河天地人心明清白日夜星辰海松竹梅兰鹤鹿雪雨雷电火石金木土"
CLOSING = ["愿你平安归来见故乡明月。", "从此山高水长各自珍重。"]
WORDS = ["apple", "pear", "river", "stone", "house", "garden", "street", "music"]


def poems(lines=40, stop=""):
    """Two poems with no line in common, and the same two closing sentences."""
    rng = random.Random(1)

    def line():
        return "".join(rng.choices(SIGNS, k=7)) + stop

    return [{"id": name, "text": "\n".join([*(line() for _ in range(lines)), *CLOSING])} for name in "ab"]


def sayings(n=20):
    rng = random.Random(2)
    return [
        {"id": f"e{i}", "text": f"Text number {i} has " + " ".join(rng.choices(WORDS, k=30)) + "."} for i in range(n)
    ]


def kinds(result):
    return {alarm["kind"]: alarm["figures"] for alarm in result.alarms}


@pytest.mark.parametrize("method", ["block-digest", "sl", "imatch", "ccdet", "feature-code"])
def test_poems_with_the_same_end_are_told_apart_from_copies(method):
    result = qc.dedup(poems(), method=method, recall_sample=0)
    (row,) = result.ledger.to_pylist()
    assert row["rule"] == "small share" and row["relation"] == "duplicate"
    assert row["threshold"] == build(method).limit and row["evidence"] >= row["threshold"]
    assert result.counts["small_shares"] == 1
    assert kinds(result)["small shares"] == {"documents": 1, "removed": 1, "share": LEAST_SHARE}
    assert "verify='exact'" in str(result.alarms) and "less than a quarter" in str(result.explain(row["id"]))
    assert "small share" in result.explain(row["id"])._repr_html_()
    exact = qc.dedup(poems(), method=method, verify="exact", recall_sample=0)
    assert not len(exact.ledger) and "small shares" not in kinds(exact)


@pytest.mark.parametrize("method", ["block-digest", "sl", "imatch", "ccdet", "feature-code"])
def test_copies_keep_the_rule_of_the_method(method):
    one, _ = poems(stop="。")
    rows = [one, one | {"id": "c", "text": one["text"].replace("愿你平安", "愿君平安")}]
    for row in qc.dedup(rows, method=method, recall_sample=0).ledger.to_pylist():
        assert row["rule"] != "small share"


def test_the_default_compares_letters_and_needs_no_such_rule():
    result = qc.dedup(poems(), recall_sample=0)
    assert not len(result.ledger) and result.counts["small_shares"] == 0


def test_a_contained_text_is_judged_by_its_own_share():
    relation = np.array(["contained_in", "contains", "duplicate", "partial", "contained_in"], object)
    measures = {
        "containment_left": np.array([0.2, 0.9, 0.2, 0.1, 0.25]),
        "containment_right": np.array([0.9, 0.2, 0.3, 0.1, 0.0]),
    }
    assert rests_on_little(relation, measures).tolist() == [True, True, False, False, False]


@pytest.mark.parametrize("method", ["ccdet", "imatch-p", "lsh-p", "feature-code", "kmatch", "imatch"])
def test_texts_in_which_a_method_sees_nothing_are_unscored(method):
    """English without a Chinese full stop, and words that all lie outside the idf band."""
    rows = sayings()
    result = qc.dedup(rows, method=method, recall_sample=0)
    assert result.unscored == sorted(row["id"] for row in rows)
    assert (result.counts["unscored"], result.counts["unseen"]) == (20, 20)
    assert kinds(result)["many without features"] == {"documents": 20, "method": method}
    assert (
        "the document has nothing that the method can compare" in str(result.explain("e3"))
        and "the document has nothing that the method can compare" in result.explain("e3")._repr_html_()
    )


def test_the_exact_copies_of_such_a_text_are_unscored_too_and_removed():
    rows = sayings(3)
    result = qc.dedup([*rows, rows[0] | {"id": "z"}], method="ccdet", recall_sample=0)
    assert result.unscored == ["e0", "e1", "e2", "z"] and result.counts["removed_by_relation"] == {"exact": 1}


def test_a_few_such_texts_are_counted_without_an_alarm():
    rng = random.Random(3)
    rows = [
        {"id": f"c{i}", "text": "。".join("".join(rng.choices(SIGNS, k=20)) for _ in range(9)) + "。"}
        for i in range(30)
    ]
    few = sayings(int(UNSEEN_SHARE * 30) - 1)
    result = qc.dedup([*rows, *few], method="ccdet", recall_sample=0)
    assert result.counts["unseen"] == len(few) and "many without features" not in kinds(result)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_tells_where_it_sees_nothing(method):
    """Texts without any word, figure or full stop that a method could use; the default and its like compare letters."""
    rows = [{"id": f"w{i}", "text": f"zz{i} yy{i} xx{i} ww{i} vv{i}"} for i in range(12)]
    result = qc.dedup(rows, method=method, recall_sample=0)
    assert result.counts["unscored"] == result.counts["unseen"] == len(result.unscored)
    if build(method).traits.evidence == "text":
        assert not result.unscored


def test_a_run_opened_again_and_decided_again_knows_them(tmp_path):
    rows = [*poems(), *sayings(3)]
    qc.dedup(rows, method="feature-code", recall_sample=0, out=tmp_path / "run")
    opened = qc.load(tmp_path / "run")
    assert opened.unscored == ["e0", "e1", "e2"]
    again = opened.rethreshold(0.9)
    assert again.unscored == ["e0", "e1", "e2"] and again.counts["small_shares"] == 1
    assert "the document has nothing that the method can compare" in str(again.explain("e0"))
