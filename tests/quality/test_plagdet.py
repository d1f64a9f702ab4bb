"""Covers: the measures of PAN text alignment, and its baseline. Compared against: figures worked out by hand.

Run: pytest tests/quality/test_plagdet.py
"""

from math import log2

import pytest
from pan_baseline import baseline
from plagdet import covered, detects, plagdet, score

CASE = (100, 200, 0, 100)


def test_one_detection_that_is_the_case():
    s = plagdet([[CASE]], [[CASE]])
    assert (s.precision, s.recall, s.granularity, s.plagdet, s.cases, s.detections) == (1, 1, 1, 1, 1, 1)


def test_a_case_in_two_detections_pays_by_granularity():
    s = plagdet([[CASE]], [[(100, 150, 0, 50), (150, 200, 50, 100)]])
    assert (s.precision, s.recall, s.granularity) == (1, 1, 2)
    assert s.plagdet == pytest.approx(1 / log2(3))


def test_detections_that_overlap_count_a_character_once():
    # left 100-160 and 140-180 cover 80 of 100; right 0-60 and 20-50 cover 60 of 100: 140 of 200
    found = [(100, 160, 0, 60), (140, 180, 20, 50)]
    s = plagdet([[CASE]], [found])
    assert s.recall == pytest.approx(140 / 200)
    assert (s.precision, s.granularity) == (1, 2)
    assert s.plagdet == pytest.approx(2 * 0.7 / 1.7 / log2(3))


def test_precision_is_the_mean_over_detections_and_recall_over_cases():
    # the first detection is half right: 50 + 100 of its 100 + 200 characters; the second is wrong
    cases, found = [[CASE, (500, 600, 200, 300)]], [[(150, 250, 0, 200), (800, 810, 800, 810)]]
    s = plagdet(cases, found)
    assert s.precision == pytest.approx((150 / 300 + 0) / 2)
    assert s.recall == pytest.approx((150 / 200 + 0) / 2)
    assert s.granularity == 1
    assert s.plagdet == pytest.approx(2 * 0.25 * 0.375 / 0.625)


def test_an_overlap_on_one_side_only_detects_nothing():
    wrong = (100, 200, 300, 400)
    assert not detects(wrong, CASE)
    assert not detects((200, 300, 0, 100), CASE)  # it touches, and shares no character
    assert detects((199, 300, 99, 100), CASE)
    s = plagdet([[CASE]], [[wrong]])
    assert (s.precision, s.recall, s.granularity, s.plagdet) == (0, 0, 1, 0)


def test_cases_of_one_pair_are_not_found_in_another():
    assert plagdet([[CASE], []], [[], [CASE]]).plagdet == 0


def test_one_detection_over_two_cases_counts_for_each():
    # 200 of its 300 left characters are cases, and so are all 200 on the right
    s = plagdet([[(0, 100, 0, 100), (200, 300, 100, 200)]], [[(0, 300, 0, 200)]])
    assert s.precision == pytest.approx(400 / 500)
    assert (s.recall, s.granularity) == (1, 1)


def test_nothing_found_and_nothing_there():
    missed, invented, quiet = plagdet([[CASE]], [[]]), plagdet([[]], [[CASE]]), plagdet([[], []], [[], []])
    assert (missed.precision, missed.recall, missed.plagdet, missed.granularity) == (0, 0, 0, 1)
    assert (invented.precision, invented.recall, invented.plagdet, invented.granularity) == (0, 0, 0, 1)
    assert (quiet.precision, quiet.recall, quiet.plagdet) == (1, 1, 1)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="of 1 pairs, detections of 2"):
        plagdet([[CASE]], [[], []])
    for place in ((5, 5, 7, 7), (5, 4, 0, 9)):
        with pytest.raises(ValueError, match="characters"):
            covered(place, [])


def test_score_asks_for_each_pair():
    assert (
        score([("ab", "b", [(1, 2, 0, 1)]), ("x", "y", [])], lambda a, b: [(1, 2, 0, 1)] if a == "ab" else []).plagdet
        == 1
    )


COPIED = "Each of these words is read, one by one, by a patient reader who wants to know where it was taken from!"


def test_the_baseline_finds_a_copy_whatever_its_marks_and_spaces():
    left = f"Some words of its own. {COPIED.upper()} And others?"
    right = f"{COPIED.replace(' ', '  ').replace(',', ';')} What follows is new."
    (found,) = baseline(left, right)
    assert left[found[0] : found[1]] == COPIED.upper()[:-1]
    assert right[found[2] : found[3]].startswith("Each") and right[found[2] : found[3]].endswith("from")


def test_the_baseline_takes_the_longest_of_several_places_and_goes_on_behind_it():
    short = COPIED[:70]
    found = baseline(COPIED + " # " + COPIED, f"{short} ... {COPIED}")
    assert [f[2:] for f in found] == [(75, 75 + len(COPIED) - 1)] * 2
    assert found[0][1] <= found[1][0]


def test_the_baseline_needs_a_whole_window():
    word = "abcdefghij" * 5
    assert baseline(f"{word[:-1]}!", f"{word[:-1]}!") == []
    assert baseline(word, word) == [(0, 50, 0, 50)]
    assert baseline("", word) == baseline(word, "") == []
    with pytest.raises(ValueError, match="length"):
        baseline(word, word, 0)
