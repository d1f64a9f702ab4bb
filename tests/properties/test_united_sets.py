"""Covers: candidates by several sets of a document (`quchong.candidates.united`): documents of which one set is enough like that of another,
one at a time and in batches, by scopes, up to the most.
Compared against: counting in Python.
Run: pytest tests/properties/test_united_sets.py.
"""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from quchong.candidates.postings import MemoryPostings, Represented
from quchong.candidates.united import united_candidates, united_sets
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sets import feature_sets
from quchong.seam import Documents, UnitedSets


def made(sets):
    """Lists of numbers as sets of features."""
    return feature_sets(
        np.array([v for one in sets for v in sorted(one)], np.uint64), prefix_sums([len(one) for one in sets])
    )


def alike(one, other, least, dice):
    shared = len(one & other)
    size = (len(one) + len(other)) / 2 if dice else min(len(one), len(other))
    return shared > 0 and shared >= least * size - 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_documents_meet_those_before_them_whose_titles_or_keywords_are_alike(seed):
    draw = random.Random(seed)
    count, most = 40, draw.choice([0, 0, 2])
    least = (draw.choice([0.5, 0.8]), draw.choice([0.3, 0.5]))
    titles, keys = ([{draw.randrange(9) for _ in range(draw.randrange(6))} for _ in range(count)] for _ in range(2))
    scope = np.array([draw.randrange(2) for _ in range(count)], np.uint64)
    here = range(0)

    def sets(documents, workers):
        return made([titles[i] for i in here]), made([keys[i] for i in here])

    join = UnitedSets(sets, least, (True, False), cap=1000, most=most)
    postings, found = MemoryPostings(), set()
    while here.stop < count:
        here = range(here.stop, min(count, here.stop + draw.choice([1, 3, 10])))
        documents = Documents.from_texts(pa.array([""] * len(here), pa.large_string()))
        values, sizes = united_sets(join, documents, scope[here.start : here.stop])
        some = Represented(values.values, values.weights, values.offsets, sizes, np.zeros((len(here), 0), np.uint64))
        numbers = postings.append(some)
        got = united_candidates(join, some, postings.lookup(some.keys), numbers, 0)
        found |= set(zip((here.start + got.asking).tolist(), got.document.tolist(), strict=True))
    wanted = set()
    for i in range(count):
        near = [
            j for j in range(i)
            if scope[i] == scope[j]
            and (alike(titles[i], titles[j], least[0], True) or alike(keys[i], keys[j], least[1], False))
        ]  # fmt: skip
        wanted |= {(i, j) for j in (near[:most] if most else near)}
    assert found == wanted
