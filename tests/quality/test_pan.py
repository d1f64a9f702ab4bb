"""Covers: aligned passages beside the baseline of PAN 2013, on the same 520 pairs with true offsets.

Compared against: the organisers' cases, and the figures they published for their baseline on their whole test set.
The floors of our own figures stand in baseline.json and are held in test_quality (set en_pan13; pan_figures.py).
Run: pytest tests/quality/test_pan.py (about 20 s)
"""

import pytest
from pan_baseline import baseline as pan_baseline
from pan_figures import KINDS, cases, detections, read, scored

pytestmark = pytest.mark.shared

PUBLISHED = {"verbatim": 0.93, "random": 0.07, "translation": 0.11, "summary": 0.04}


@pytest.fixture(scope="module")
def scores(shared):
    """Per kind and for all: ours, the baseline's."""
    texts, pairs = read(shared)
    ours = detections(texts, pairs)
    theirs = [pan_baseline(texts[p["susp"]], texts[p["src"]]) for p in pairs]
    return {
        name: [scored(pairs, found, lambda p, name=name: name in ("all", p["kind"])) for found in (ours, theirs)]
        for name in (*KINDS, "all")
    }


def test_the_cases_lie_in_their_texts(shared):
    texts, pairs = read(shared)
    assert len(pairs) == 520
    for pair in pairs:
        for a0, a1, b0, b1 in cases(pair):
            assert 0 <= a0 < a1 <= len(texts[pair["susp"]]) and 0 <= b0 < b1 <= len(texts[pair["src"]])
            if pair["kind"] == "verbatim":
                left, right = texts[pair["susp"]][a0:a1], texts[pair["src"]][b0:b1]
                assert left.split() == right.split()


@pytest.mark.parametrize("kind", PUBLISHED)
def test_the_baseline_scores_as_published_within_the_sample(kind, scores):
    # our subset: 277, 129, 60 and 12 cases of about a thousand each
    assert scores[kind][1].plagdet == pytest.approx(PUBLISHED[kind], abs=0.06)


@pytest.mark.parametrize("kind", [*PUBLISHED, "all"])
def test_we_are_above_the_baseline(kind, scores):
    ours, theirs = scores[kind]
    assert ours.plagdet > theirs.plagdet
    if kind == "random":
        assert ours.plagdet > 5 * theirs.plagdet


def test_neither_finds_anything_where_nothing_was_reused(scores):
    assert [s.detections for s in scores["none"]] == [0, 0]
