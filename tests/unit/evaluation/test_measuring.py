"""Covers: quchong.evaluation.claims, judged, fates and measuring, on runs made by hand.

Compared against: figures reckoned by hand; brute force over all pairs. Run: pytest tests/unit/evaluation/test_measuring.py.
"""

import random
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quchong as qc
from quchong.evaluation import claims as claims_module
from quchong.evaluation.claims import claims_of_tables
from quchong.evaluation.label_reader import read_truth
from quchong.evaluation.labelled_pairs import judge, placed
from quchong.evaluation.measuring import ALL, LABELLED, LISTED, evaluated

COPIES = ("same", "contained")


def run_of(tokens, pairs, removed, fixed=()):
    """The claims of a run: tokens by id, relation by pair of ids, survivor by removed id."""
    ids = sorted(tokens)
    documents = pa.table({
        "id": ids, "tokens": pa.array([tokens[i] for i in ids], pa.uint32()), "priority": pa.array(range(len(ids)), pa.int64()),
        "removed": [i in removed for i in ids], "reference": [False] * len(ids), "protected": [i in fixed for i in ids],
    })  # fmt: skip
    listed = sorted(pairs)
    table = pa.table({
        "left_id": pa.array([a for a, _ in listed], pa.string()), "right_id": pa.array([b for _, b in listed], pa.string()),
        "relation": pa.array([pairs[p] for p in listed], pa.string()),
    })  # fmt: skip
    gone = sorted(removed)
    ledger = pa.table({
        "id": pa.array(gone, pa.string()), "survivor_id": pa.array([removed[i] for i in gone], pa.string()),
        "relation": pa.array(["duplicate"] * len(gone), pa.string()),
    })  # fmt: skip
    return claims_of_tables({"documents": documents, "pairs": table, "ledger": ledger})


def labelled(labels, complete=False):
    rows = [{"left_id": p[0], "right_id": p[1], "label": label} for p, label in labels.items()]
    return read_truth(rows, complete=complete)


SIX = {i: 100 + k for k, i in enumerate("abcdef")}
RUN = run_of(
    SIX,
    {
        ("a", "b"): "duplicate",
        ("c", "d"): "contained_in",
        ("a", "e"): "duplicate",
        ("c", "e"): "partial",
        ("d", "f"): "variant",
    },
    {"a": "b", "c": "d"},
)


def test_a_sample_by_hand():
    """Found: ab, cd, ae. Labels: ab same (found), ae different (found), ef same (missed), df unsure, ce different."""
    truth = labelled({"ab": "same", "ae": "different", "ef": "same", "df": "unsure", "ce": "different"})
    found = evaluated(RUN, truth, "r")
    assert (found.precision.hits, found.precision.of) == (1, 2) and (found.recall.hits, found.recall.of) == (1, 2)
    assert found.f1.value == pytest.approx(0.5) and found.recall_of == LABELLED
    assert {row["relation"]: (row["right"].hits, row["right"].of) for row in found.relation_rows} == {
        "duplicate": (1, 2),
        "partial": (0, 1),
    }
    assert found.clusters is None
    assert found.fates == {"wrongly_removed": [], "wrongly_kept": ["e"]}  # e and f are one, and f is the longer
    assert any("1 pair that the run calls copies has no label" in note for note in found.notes)
    assert any('1 labelled pair is "unsure"' in note for note in found.notes)


def test_a_complete_truth_by_hand():
    """True: ab same, cd contained, ef same. ae is found and wrong, ef is missed. Clusters found {ab}{cd}{e}{f}, true {ab}{cd}{ef}."""
    truth = labelled({"ab": "same", "cd": "contained", "ef": "same"}, complete=True)
    found = evaluated(RUN, truth, "r")
    assert (found.precision.hits, found.precision.of) == (2, 3) and (found.recall.hits, found.recall.of) == (2, 3)
    assert found.recall_of == ALL
    assert [(row["label"], row["found"].hits, row["relation_right"].hits) for row in found.label_rows] == [
        ("same", 1, 1),
        ("contained", 1, 1),
    ]
    assert (found.clusters.precision, found.clusters.recall) == pytest.approx((1, 5 / 6))
    assert (found.removed_wrongly.hits, found.removed_wrongly.of) == (0, 2)
    assert found.fates["wrongly_kept"] == ["e"] and found.kept_wrongly.of == 4


def test_labels_that_a_run_is_not_to_find_count_neither_way():
    truth = labelled({"ab": "same", "cd": "contained", "ef": "same"}, complete=True)
    same = evaluated(RUN, truth, "r", ("same",))
    assert (same.precision.hits, same.precision.of, same.recall.of) == (1, 2, 2)
    inside = evaluated(RUN, truth, "r", ("contained",))
    assert (inside.precision.hits, inside.precision.of, inside.recall.of) == (1, 1, 1)


def test_a_removal_that_leaves_no_copy_is_wrong():
    """a goes for b, of which it is no copy."""
    found = evaluated(RUN, labelled({"ab": "different", "cd": "same"}), "r")
    assert found.fates["wrongly_removed"] == ["a"] and (found.removed_wrongly.hits, found.removed_wrongly.of) == (1, 2)


def test_what_contains_another_may_not_go_for_it():
    run = run_of({"long": 500, "short": 50}, {("long", "short"): "contains"}, {"long": "short"})
    found = evaluated(run, labelled({("long", "short"): "contained"}, complete=True), "r")
    assert found.fates["wrongly_removed"] == ["long"]
    right = run_of({"long": 500, "short": 50}, {("long", "short"): "contains"}, {"short": "long"})
    assert (
        evaluated(right, labelled({("long", "short"): "contained"}, complete=True), "r").fates["wrongly_removed"] == []
    )


def test_of_copies_that_all_stay_one_is_not_wrong_and_neither_is_what_cannot_go():
    truth = labelled({"ab": "same", "ac": "same", "bc": "same"}, complete=True)
    assert len(evaluated(run_of(dict.fromkeys("abc", 9), {}, {}), truth, "r").fates["wrongly_kept"]) == 2
    assert evaluated(run_of(dict.fromkeys("abc", 9), {}, {}, fixed="bc"), truth, "r").fates["wrongly_kept"] == ["a"]


def test_a_roundup_of_two_is_not_counted_among_what_it_contains():
    truth = labelled({("a", "r"): "contained", ("b", "r"): "contained"}, complete=True)
    kept = evaluated(run_of({"a": 50, "b": 60, "r": 300}, {}, {}), truth, "r")
    assert kept.fates["wrongly_kept"] == ["a", "b"]


def test_clusters_speak_of_the_documents_they_list():
    truth = read_truth([{"id": i, "cluster": c} for i, c in zip("abcd", "xxyz", strict=True)])
    found = evaluated(RUN, truth, "r")
    assert (found.precision.hits, found.precision.of) == (1, 2)  # ab right, cd wrong; e is not listed
    assert (found.recall.hits, found.recall.of) == (
        1,
        1,
    ) and found.recall_of == "all pairs of the documents in the truth"
    assert found.fates["wrongly_removed"] == ["c"]
    assert any("2 documents of the run are not in the truth" in note for note in found.notes)
    whole = evaluated(RUN, truth.mark_complete(True), "r")
    assert (whole.precision.of, whole.recall_of) == (3, ALL)  # ae is wrong: both are alone


def test_pairs_of_exact_copies_that_no_table_lists_are_found():
    """Of a text with many copies a run lists each with the kept one only."""
    run = run_of(
        dict.fromkeys("abcd", 9),
        {("a", "b"): "exact", ("a", "c"): "exact", ("a", "d"): "exact"},
        dict.fromkeys("bcd", "a"),
    )
    truth = read_truth([{"id": i, "cluster": 1} for i in "abcd"])
    assert (evaluated(run, truth, "r").recall.hits, evaluated(run, truth, "r").recall.of) == (6, 6)


def test_beyond_the_first_thousands_copies_of_a_text_leave_pairs_but_not_documents(monkeypatch):
    monkeypatch.setattr(claims_module, "LARGEST", 3)
    ids = [f"d{i}" for i in range(6)]
    run = run_of(dict.fromkeys(ids, 9), {}, {})
    found = evaluated(run, read_truth([{"id": i, "cluster": 1} for i in ids]), "r")
    assert found.recall.of == 3 and len(found.fates["wrongly_kept"]) == 5
    assert any("3 more copies" in note for note in found.notes)


def test_variants_are_copies_where_the_run_removes_them():
    pairs = {("a", "b"): "variant"}
    truth = labelled({"ab": "same"}, complete=True)
    assert evaluated(run_of(dict.fromkeys("ab", 9), pairs, {}), truth, "r").recall.hits == 0
    run = run_of(dict.fromkeys("ab", 9), pairs, {"a": "b"})
    run_variants = type(run)(**{name: getattr(run, name) for name in run.__slots__} | {"accepted": (*run.accepted, 4)})
    assert evaluated(run_variants, truth, "r").recall.hits == 1


def test_labels_taken_from_the_runs_own_list_cannot_tell_what_it_never_listed():
    found = evaluated(RUN, labelled({"ab": "same", "ce": "different"}), "r")
    assert found.recall_of == LISTED and any("so the labels cannot show missed copies" in note for note in found.notes)


def test_unknown_ids_are_told_and_not_fatal():
    found = evaluated(RUN, labelled({("a", "b"): "same", ("a", "zz"): "same"}), "r")
    assert found.recall.of == 1 and any(
        "1 id of the truth is not in the run, such as 'zz', so 1 labelled pair" in n for n in found.notes
    )
    nothing = evaluated(RUN, labelled({("x", "y"): "same"}), "r")
    assert nothing.recall.value is None and any("nothing can be measured" in note for note in nothing.notes)
    assert "recall                  -" in str(nothing)


def test_ids_of_the_corpus_compared_against_are_found_without_their_prefix(article):
    rows = [{"id": i, "text": article(n)} for i, n in (("a", 1), ("b", 2))]
    others = [{"id": i, "text": article(n)} for i, n in (("x", 1), ("b", 3))]
    result = qc.dedup(rows, against=others)
    truth = [
        {"left_id": "a", "right_id": "x", "label": "same"},
        {"left_id": "b", "right_id": "x", "label": "different"},
    ]
    found = qc.evaluate(result, truth, complete=True)
    assert (found.precision.value, found.recall.value, found.fates["wrongly_removed"]) == (1, 1, [])
    assert found.truth["unknown_ids"] == 0
    twice = [*others, {"id": "y", "text": article(1)}]  # references are not compared with each other
    again = qc.evaluate(
        qc.dedup(rows, against=twice), [*truth, {"left_id": "x", "right_id": "y", "label": "same"}], complete=True
    )
    assert again.recall.of == 1 and again.precision.of == 2
    clusters = [{"id": "a", "cluster": 1}, {"id": "x", "cluster": 1}, {"id": "b", "cluster": 2}]
    assert qc.evaluate(result, clusters).recall.hits == 1


def test_without_labels_that_say_different_precision_is_not_told():
    truth = read_truth([{"left_id": "a", "right_id": "b"}])
    found = evaluated(RUN, truth, "r")
    assert found.precision.value is None and found.f1.value is None and found.recall.value == 1
    assert evaluated(RUN, truth.mark_complete(True), "r").precision.value == pytest.approx(1 / 3)


def test_by_length_and_by_site():
    run = run_of(
        {"a": 10, "b": 70, "c": 250, "d": 5000, "e": 1500},
        {("a", "b"): "duplicate", ("d", "e"): "exact"},
        {"a": "b", "e": "d"},
    )
    truth = labelled({"ab": "same", "cd": "same", "de": "same"}, complete=True)
    found = evaluated(run, truth, "r", COPIES, ["x", "x", "y", "y", None], "site")
    assert [(one.name, one.recall.hits, one.recall.of) for one in found.lengths] == [
        ("under 60 tokens", 1, 1), ("200 to 999 tokens", 0, 1), ("1,000 tokens and more", 1, 1),
    ]  # fmt: skip
    assert [(one.name, one.recall.hits, one.recall.of) for one in found.sites] == [
        ("within one value", 1, 2), ("y", 1, 2), ("x", 1, 1),
    ]  # fmt: skip


HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


@pytest.fixture
def article():
    return lambda seed: "".join(random.Random(seed).choices(HAN, k=150))


DOCUMENTS = "abcdefg"
ALL_PAIRS = list(combinations(DOCUMENTS, 2))
LISTED_PAIRS = st.dictionaries(
    st.sampled_from(ALL_PAIRS), st.sampled_from(["duplicate", "contains", "contained_in", "variant", "partial"])
)
LABELLED_PAIRS = st.dictionaries(
    st.sampled_from(ALL_PAIRS), st.sampled_from(["same", "contained", "different", "unsure"]), min_size=1
)


@given(LISTED_PAIRS, LABELLED_PAIRS, st.booleans(), st.sampled_from([COPIES, ("same",), ("contained",)]))
def test_pairs_counted_as_by_looking_at_every_one(listed, labels, complete, counted):
    run = run_of(dict.fromkeys(DOCUMENTS, 50), listed, {})
    judged = judge(run, placed(labelled(labels, complete), run.ids), counted)
    hits = [0, 0, 0]
    for pair in ALL_PAIRS:
        label = labels.get(pair, "different" if complete else None)
        relation = listed.get(pair)
        found = relation in ("duplicate", "contains", "contained_in")
        if label in (None, "unsure") or (label in COPIES and label not in counted):
            continue
        of = "contained" if relation in ("contains", "contained_in") else "same"
        if found and label == "different" and of not in counted:
            continue
        right = label in counted
        hits[0] += found and right
        hits[1] += found and not right
        hits[2] += right and not found
    f, r = judged.found, judged.right_pair
    assert [(f & r).sum(), (f & ~r).sum(), (r & ~f).sum()] == hits


@given(LISTED_PAIRS, LABELLED_PAIRS, st.booleans(), st.randoms(use_true_random=False))
def test_figures_do_not_depend_on_any_order(listed, labels, complete, shuffle):
    one = evaluated(run_of(dict.fromkeys(DOCUMENTS, 50), listed, {}), labelled(labels, complete), "r")
    rows = list(labels.items())
    shuffle.shuffle(rows)
    two = evaluated(run_of(dict.fromkeys(DOCUMENTS, 50), listed, {}), labelled(dict(rows), complete), "r")
    assert one.as_dict() == two.as_dict()


@given(LISTED_PAIRS, st.lists(st.integers(0, 3), min_size=7, max_size=7))
def test_clusters_and_the_pairs_they_stand_for_give_the_same_figures(listed, of):
    run = run_of(dict.fromkeys(DOCUMENTS, 50), listed, {"a": "b"})
    clusters = read_truth([{"id": i, "cluster": c} for i, c in zip(DOCUMENTS, of, strict=True)], complete=True)
    pairs = {p: "same" for p in ALL_PAIRS if of[DOCUMENTS.index(p[0])] == of[DOCUMENTS.index(p[1])]}
    if not pairs:
        return
    one, two = evaluated(run, clusters, "r").as_dict(), evaluated(run, labelled(pairs, complete=True), "r").as_dict()
    for key in ("pairs", "relations", "labels", "clusters", "documents"):
        assert one[key] == two[key]


def test_no_documents_at_all():
    found = evaluated(run_of({}, {}, {}), labelled({"ab": "same"}, complete=True), "r")
    assert found.precision.value is None and found.clusters is None and np.isfinite(found.precision.low)
