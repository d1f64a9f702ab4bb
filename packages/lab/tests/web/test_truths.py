"""Covers: three truths about the same pairs; thresholds decided again against runs; the ablation of the structure tree.

Compared against: figures counted by hand; a run for each threshold.
"""

import pytest

from quchong.plan.catalogue import METHODS
from quchong.relations import CONTAINS, DUPLICATE
from quchong_lab.sentences.methods import SYSTEMS
from quchong_lab.web import labelled as lab
from quchong_lab.web.ccdet import FAMILIES, FIRST, PRUNINGS
from quchong_lab.web.english import SYSTEMS as ENGLISH
from quchong_lab.web.english import recipe
from quchong_lab.web.labelled import find, labelled, scores, sweep
from quchong_lab.web.layers import corpus, flat
from quchong_lab.web.pages import WebRecipe
from quchong_lab.web.seeds import spread
from quchong_lab.web.trees import METHODS as TREES
from quchong_lab.web.truths import bests, jaccard_of, other_truths

SWEPT = {
    (method, tuple(sorted(parameters.items())))
    for _, method, parameters in (*FIRST, *FAMILIES, *PRUNINGS, *SYSTEMS, *((n, m, {}) for n, m in TREES))
    if "threshold" in METHODS[method].traits.decided_by and method != "cluster"
}
SWEPT_ENGLISH = {
    (method, tuple(sorted(parameters.items())))
    for _, method, parameters in ENGLISH
    if "threshold" in METHODS[method].traits.decided_by
}


@pytest.fixture(scope="module")
def pages():
    return labelled(WebRecipe(pages=120, seed=4), "all")


@pytest.fixture(scope="module")
def english():
    return labelled(recipe(120, 4), "all")


def test_jaccard_comes_from_overlap_and_ratio():
    assert jaccard_of(1, 1) == 1
    assert jaccard_of(1, 0.5) == 0.5  # the smaller half of the larger
    assert jaccard_of(0.5, 1) == pytest.approx(1 / 3)
    assert jaccard_of(0, 0.7) == 0


def test_each_truth_counts_its_own_pairs():
    relation = {("a", "b"): DUPLICATE, ("a", "c"): CONTAINS, ("b", "c"): DUPLICATE}
    jaccard = {("a", "b"): 0.9, ("a", "c"): 0.2, ("b", "c"): 0.45, ("a", "d"): 0.5}
    found = other_truths([("a", "b"), ("a", "c"), ("x", "y")], relation, frozenset(), jaccard)
    # duplicates: ab of ab, bc found; ac counts neither way; xy is wrong
    assert (found["precision_duplicates"], found["recall_duplicates"]) == (1 / 2, 1 / 2)
    # Jaccard: ab of ab, ad found; ac and xy are wrong
    assert (found["precision_jaccard"], found["recall_jaccard"], found["f1_jaccard"]) == (1 / 3, 1 / 2, 2 / 5)
    nothing = other_truths([], {}, frozenset(), {})
    assert set(nothing.values()) == {None}


def test_the_best_of_each_truth_has_its_own_threshold():
    rows = [
        {"s": "x", "threshold": 0.1, "f1": 0.5, "f1_duplicates": 0.9, "f1_jaccard": None},
        {"s": "x", "threshold": 0.2, "f1": 0.6, "f1_duplicates": 0.9, "f1_jaccard": 0.1},
    ]
    assert bests(rows, "s") == [
        {
            "s": "x",
            "f1": 0.6,
            "at": 0.2,
            "f1_duplicates": 0.9,
            "at_duplicates": 0.1,
            "f1_jaccard": 0.1,
            "at_jaccard": 0.2,
        }
    ]


def test_pages_have_all_three_truths(pages):
    same = {pair for pair, share in pages.jaccard.items() if share >= 0.5}
    duplicates = {pair for pair, said in pages.relation.items() if said == DUPLICATE}
    assert 0 < len(duplicates) < len(pages.relation) and 0 < len(same) < len(pages.relation)
    perfect = scores(pages, list(pages.relation), list(pages.relation.values()))
    assert perfect["f1"] == perfect["f1_duplicates"] == 1
    assert perfect["precision_jaccard"] < 0.9  # what is contained is wrong there


@pytest.mark.parametrize(("method", "parameters"), sorted(SWEPT, key=str))
def test_deciding_again_gives_what_a_run_gives(pages, method, parameters):
    decided_again_as_run(pages, method, parameters)


@pytest.mark.parametrize(("method", "parameters"), sorted(SWEPT_ENGLISH, key=str))
def test_deciding_again_gives_what_a_run_gives_in_english(english, method, parameters):
    decided_again_as_run(english, method, parameters)


def decided_again_as_run(pages, method, parameters):
    found = find(pages, method, threshold=0.1, **dict(parameters))
    for threshold in (0.4, 0.8):
        again = found.at(threshold=threshold)
        run = find(pages, method, threshold=threshold, **dict(parameters)).at()
        assert sorted(zip(*again, strict=True)) == sorted(zip(*run, strict=True))


@pytest.mark.parametrize("method", ["cluster", "ccdet"])
def test_thresholds_are_swept_by_runs_where_a_cap_was_reached(pages, monkeypatch, method):
    runs, real = [], lab.find

    def counted(data, method, **parameters):
        runs.append(parameters["threshold"])
        found = real(data, method, **parameters)
        return lab.FoundPairs(found.method, found.ids, found.exact, found.measures, bounded=True)

    monkeypatch.setattr(lab, "find", counted)
    rows = sweep(pages, method, (0.3, 0.6))
    assert {0.3, 0.6} <= set(runs) and [r["threshold"] for r in rows] == [0.3, 0.6]
    assert all(r["f1"] > 0.5 for r in rows)


def test_a_reached_cap_is_seen(pages, monkeypatch):
    class Told:
        kind = "candidates bounded"

    real = lab.run
    assert not find(pages, "ccdet", threshold=0.3).bounded

    def told(*values):
        outcome = real(*values)
        outcome.alarms.append(Told())
        return outcome

    monkeypatch.setattr(lab, "run", told)
    assert find(pages, "ccdet", threshold=0.3).bounded


def test_the_ablation_takes_headings_away_and_nothing_else():
    kept, lost = corpus(8, 4, True, 1), corpus(8, 4, False, 1)
    levels = dict(zip(lost.table["id"].to_pylist(), lost.table["blocks"].to_pylist(), strict=True))
    assert all("2" in b and "3" in b for i, b in levels.items() if not i.endswith("b"))
    assert all(set(b) == {"p"} for i, b in levels.items() if i.endswith("b"))
    for data in (kept, lost):
        for text, blocks in zip(data.table["text"].to_pylist(), data.table["blocks"].to_pylist(), strict=True):
            assert len(text.split("\n")) == len(blocks)
    plain = flat(kept)
    assert plain.table["text"].equals(kept.table["text"]) and set("".join(plain.table["blocks"].to_pylist())) == {"p"}
    copies = {(f"l{i:06}a", f"l{i:06}b") for i in range(8)}
    assert set(kept.relation) == set(lost.relation) == copies  # an outline alone is no copy


def test_seeds_are_told_by_their_range_and_their_distance_from_the_reference():
    def row(seed, made, duplicates, jaccard):
        figures = {"f1": made, "f1_duplicates": duplicates, "f1_jaccard": jaccard}
        return {"body": "all", "system": "CoDet", "seed": seed} | figures

    (line,) = spread([row(1, 0.9, 1.0, 0.8), row(2, 0.97, 0.99, 0.88), row(3, 0.95, None, 0.85)])
    assert (line["least"], line["f1"], line["most"]) == (0.9, 0.95, 0.97)  # 0.966 is within
    assert (line["least_duplicates"], line["f1_duplicates"], line["most_duplicates"]) == (0.0, 0.99, 1.0)
    assert line["reference_jaccard"] == 0.894 and line["from_reference"] == pytest.approx(0.014)
    assert spread([row(1, 0.966, 0.996, 0.894)])[0]["from_reference"] == 0
