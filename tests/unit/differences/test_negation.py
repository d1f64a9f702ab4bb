"""Covers: the English negations at an edit.

Compared against: a search of the whole text with their pattern.

Run: pytest tests/unit/differences/test_negation.py
"""

import random

from quchong.differences import negation
from quchong.differences.negation import negated, negates
from quchong.differences.windows import Window

PIECES = (
    "not no never none cannot can't don't isn't nothing nobody refused refuses to denied denies that deny nearly died avoided going used "
    "he it the was is to selling sold plans no longer without fail failed to stop stopped doing 0not not0 _no nót noé won't n't it's "
    "almost hardly against decided ruled out opposed signing"
).split()


def found(window):
    return [m.span() for m in negation._english().finditer(window.text) if window.touches(*m.span())]


def test_negations_tried_where_words_begin_are_those_of_a_search():
    rng = random.Random(23)
    some = 0
    for _ in range(6000):
        text = "".join(rng.choice(PIECES) + rng.choice([" ", " ", " ", "", "-", "'", ", ", "_", "é"]) for _ in range(9))
        start, end = sorted(rng.sample(range(len(text) + 1), 2))
        window = Window(text, start, end)
        told = [m.span() for m in negation._english_negations(window)]
        assert told == found(window), window
        some += len(told)
    assert some > 3000


def test_a_negation_that_only_looks_so_counts_for_nothing():
    text = "he had no doubt and did not go"
    assert [
        negates(Window(text, text.index(word), text.index(word) + len(word))) for word in ("no doubt", "not", "go")
    ] == [0, 1, 0]


def test_denying_and_stating_sides_are_told():
    text = "the firm {} to sell the plant"
    mine, theirs = (Window(text.format(word), 9, 9 + len(word)) for word in ("refused", "plans"))
    assert negated(mine, theirs)
    assert not negated(theirs, theirs)
