"""Covers: quchong.frames.rarities. Compared against: families made here, and a plain loop over the shingles of a small one.

Run: pytest tests/unit/frames/test_rarities.py
"""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from quchong.frames import rarities
from quchong.frames.rarities import meetings_by_rarities
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import take_tokens

HEAD, TAIL = list(range(1, 40)), list(range(50, 90))


def met(docs, family=None, least=2, pieces=1 << 23):
    ragged = Ragged(np.array([t for d in docs for t in d], np.uint32), prefix_sums([len(d) for d in docs]))
    label = np.zeros(len(docs), np.int64) if family is None else np.array(family, np.int64)
    size, before = 4 * ragged.lengths, rarities.BYTES_AT_ONCE
    rarities.BYTES_AT_ONCE = pieces
    try:
        left, right = meetings_by_rarities(label, least, size, lambda some: take_tokens(ragged, some))
    finally:
        rarities.BYTES_AT_ONCE = before
    return list(zip(left.tolist(), right.tolist(), strict=True))


def letters(count, seed=1):
    """Letters under one head and above one foot, each with a few words of its own from a short list, and one copy of every tenth."""
    dice = random.Random(seed)
    docs = [[*HEAD, *(dice.randrange(100, 160) for _ in range(9)), *TAIL] for _ in range(count)]
    copies = {}
    for number in range(0, count, 10):
        one = list(docs[number])
        for place in dice.sample(range(len(HEAD)), 4):  # noise in the head
            one[place] = dice.randrange(1000, 9000)
        copies[number] = len(docs)
        docs.append([*one, 900, 901, 902])  # a line is added, the same to every copy
    return docs, copies


def test_copies_in_a_family_meet_by_what_is_rare_in_it():
    docs, copies = letters(1500)
    pairs = set(met(docs))
    assert sum(pair in pairs for pair in copies.items()) >= 0.98 * len(copies)
    assert len(pairs) <= rarities.BEST * len(docs)


def test_noise_that_others_have_too_does_not_hide_what_a_record_says():
    """Every copy has six single slips in a common foot, each of which some other copy has at the same place."""
    dice = random.Random(3)
    foot = list(range(200, 330))
    docs = [[*HEAD, *(4 * k + dice.randrange(100, 104) for k in range(12)), *foot] for _ in range(1500)]
    copies = {}
    for number in range(0, len(docs), 5):
        one = list(docs[number])
        for place in dice.sample(range(60, len(one) - 5, 5), 6):
            one[place] = 1000 + dice.randrange(40)
        copies[number] = len(docs)
        docs.append(one)
    pairs = set(met(docs))
    assert sum(pair in pairs for pair in copies.items()) >= 0.98 * len(copies)


def test_pairs_are_sorted_each_once_the_lesser_first():
    pairs = met(letters(300)[0])
    assert pairs == sorted(set(pairs)) and all(a < b for a, b in pairs)


def test_small_families_and_no_documents_give_no_pairs():
    docs, _ = letters(100)
    assert met(docs, least=len(docs) + 1) == []
    assert met([]) == []
    assert met([[1, 2], [1, 2], []]) == []  # fewer tokens than a shingle has


def test_a_family_has_the_same_pairs_beside_others_and_read_in_pieces():
    docs, _ = letters(400)
    others, _ = letters(300, seed=7)
    alone = met(docs)
    mixed, place, label = [], {}, []
    for number in range(max(len(docs), len(others))):
        for whose, some in ((0, docs), (1, others)):
            if number < len(some):
                place[whose, number] = len(mixed)
                mixed.append(some[number])
                label.append(whose)
    of_first = {place[0, k] for k in range(len(docs))}
    beside = [pair for pair in met(mixed, label) if pair[0] in of_first]
    assert beside == sorted((place[0, a], place[0, b]) for a, b in alone)
    assert met(docs, pieces=1000) == alone


def test_more_waves_find_the_same(monkeypatch):
    docs, _ = letters(400)
    once = met(docs)
    monkeypatch.setattr(rarities, "AT_ONCE", 50)
    assert met(docs) == once


@pytest.mark.parametrize("seed", range(4))
def test_pairs_by_a_plain_loop(seed):
    """There are counters enough that hardly two shingles share one."""
    docs, _ = letters(60, seed)
    shingles = [{tuple(d[k : k + rarities.WIDTH]) for k in range(len(d) - rarities.WIDTH + 1)} for d in docs]
    counts = Counter(s for one in shingles for s in one)
    rare = [{s for s in one if 1 < counts[s] <= len(docs) // 2} for one in shingles]
    pairs = set(met(docs))
    for a, b in pairs:
        assert rare[a] & rare[b]
    # Two documents that share a shingle that no third one has, and which is among the rarest of both, meet unless both have BEST others.
    partners = Counter(x for pair in pairs for x in pair)
    for a, b in combinations(range(len(docs)), 2):
        few = [len([s for s in rare[x] if counts[s] == 2]) <= rarities.RAREST for x in (a, b)]
        if (
            all(few)
            and any(counts[s] == 2 for s in rare[a] & rare[b])
            and min(partners[a], partners[b]) < rarities.BEST
        ):
            assert (a, b) in pairs
