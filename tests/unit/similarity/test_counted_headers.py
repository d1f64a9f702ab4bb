"""Covers: quchong.similarity.counted_headers. Compared against: the rule in plain words, on headers made here.

Run: pytest tests/unit/similarity/test_counted_headers.py
"""

import random

import numpy as np

from quchong.similarity.counted_headers import CountedHeaders, together

NOTICE = list(range(100, 140))


def counted(*rows):
    """Headers of suspects: number, shingles, whether few carriers have them."""
    return CountedHeaders(
        np.array([number for number, shingles, _ in rows for _ in shingles], np.int64),
        np.array([one for _, shingles, _ in rows for one in shingles], np.uint64),
        np.array([few for _, shingles, few in rows for _ in shingles], bool),
    )


def test_few_carriers_add_nothing_to_a_notice_that_many_have():
    many, few = (1, NOTICE, False), (2, [*range(90, 100), *NOTICE], True)
    assert counted(many, few).known_shingles().tolist() == NOTICE
    assert counted(few).known_shingles().tolist() == [*range(90, 100), *NOTICE]


def test_few_carriers_tell_a_notice_of_their_own():
    other = list(range(500, 530))
    found = counted((1, NOTICE, False), (2, [*NOTICE[:5], *other], True))
    assert found.known_shingles().tolist() == [*NOTICE, *other]


def test_headers_are_the_same_in_any_parts_and_order():
    rng = random.Random(5)
    rows = [(k, sorted(rng.sample(range(60), rng.randint(1, 30))), rng.random() < 0.6) for k in range(20)]
    whole = counted(*rows).known_shingles().tolist()
    rng.shuffle(rows)
    assert together(counted(row) for row in rows).known_shingles().tolist() == whole
    assert whole == sorted(set(whole))


def test_no_headers():
    assert len(CountedHeaders.none().known_shingles()) == len(together([]).known_shingles()) == 0
