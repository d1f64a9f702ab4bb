"""Covers: shingle sets, MinHash of sets, SpotSigs' index, word paths, sentence breaks, contained weighted sets.

Compared against: tests/twins/{features,sets,sketch}.py. Run: pytest tests/properties.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import features as ref_features
from twins import sets as ref_sets
from twins import sketch as ref_sketch
from twins import text as ref_text

from quchong import kernels
from quchong.candidates.partitions import length_partitions
from quchong.text import sentences

tokens = st.lists(st.one_of(st.integers(0, 4), st.integers(0, 2**32 - 1)), max_size=12)
bag = st.lists(st.integers(0, 7), max_size=14)
bags = st.lists(bag, max_size=12)


def ragged(documents, dtype=np.uint32):
    flat = np.array([t for d in documents for t in d], dtype)
    return flat, np.cumsum([0, *(len(d) for d in documents)]).astype(np.int64)


def built(documents):
    return kernels.sets.feature_sets(*ragged(documents, np.uint64), weighted=True, workers=2)


def as_dicts(sets):
    return [
        dict(zip(sets.values[a:b].tolist(), sets.weights[a:b].tolist(), strict=True))
        for a, b in pairwise(sets.offsets.tolist())
    ]


def pairs(met):
    return list(zip(met.left.tolist(), met.right.tolist(), strict=True))


@settings(max_examples=200, deadline=None)
@given(st.lists(tokens, max_size=6), st.integers(1, 9))
def test_ragged_shingles_equal_the_twin(documents, ngram):
    values, offsets = kernels.features.ragged_shingles(kernels.arrays.Ragged(*ragged(documents)), ngram, 2)
    found = [values[a:b].tolist() for a, b in pairwise(offsets.tolist())]
    assert found == ref_features.ragged_shingles(documents, ngram)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(0, 2**64 - 1), max_size=8), max_size=5), st.integers(1, 70), st.integers(0, 2**63))
def test_minima_of_sets_equal_the_twin(documents, num_perm, seed):
    sets = kernels.sets.feature_sets(*ragged(documents, np.uint64))
    signed = kernels.sketch.set_mins(sets, num_perm, seed, 2)
    assert signed.tolist() == [ref_sketch.set_mins(sorted(set(d)), num_perm, seed) for d in documents]


@settings(max_examples=400, deadline=None)
@given(bags, st.sampled_from([0.3, 0.44, 0.5, 0.7, 0.85, 1.0]), st.integers(1, 6), st.data())
def test_safe_pruning_loses_nothing(documents, threshold, shortest, data):
    sets = built(documents)
    scope = data.draw(st.lists(st.integers(0, 1), min_size=len(documents), max_size=len(documents)))
    references = data.draw(st.integers(0, len(documents)))
    ends = [last for _, last in length_partitions(threshold, shortest, 12)][:-1]
    met = kernels.sets.meet_spots(
        sets, threshold, ends, scope=np.array(scope, np.uint64), references=references,
        workers=data.draw(st.integers(1, 3)),
    )  # fmt: skip
    assert pairs(met) == ref_sets.meet_spots(as_dicts(sets), threshold, scope, references)


@settings(max_examples=300, deadline=None)
@given(bags, st.sampled_from([0.3, 0.44, 0.6, 0.85]), st.integers(1, 6))
def test_published_pruning_equals_the_twin(documents, threshold, shortest):
    sets = built(documents)
    ends = [last for _, last in length_partitions(threshold, shortest, 12)][:-1]
    met = kernels.sets.meet_spots(sets, threshold, ends, paper=True, workers=2)
    twins = as_dicts(sets)
    assert pairs(met) == ref_sets.published(twins, threshold, ends)
    every = ref_sets.meet_spots(twins, threshold, [0] * len(twins), 0)
    assert set(pairs(met)) <= set(every)


def test_the_published_rule_loses_a_pair_the_safe_one_keeps():
    """|d| = 10, |d'| = 9, d' = d without the signature visited first: similarity 0.9, threshold 0.85.

    Seen from d the published rule prunes it (1 + 1 > 1.5); from d' it does not, so scanning from both finds it.
    """
    sets = built([range(10), range(1, 10), [3], [4]])
    ends = [last for _, last in length_partitions(0.85, 4, 40)][:-1]
    assert pairs(kernels.sets.meet_spots(sets, 0.85, ends)) == [(0, 1)]
    assert pairs(kernels.sets.meet_spots(sets, 0.85, ends, paper=True)) == [(0, 1)]
    assert list(ref_sets._met(0, as_dicts(sets)[0], [0, 1], as_dicts(sets), sets.sizes.tolist(), 0.85)) == []
    assert list(ref_sets._met(1, as_dicts(sets)[1], [0, 1], as_dicts(sets), sets.sizes.tolist(), 0.85)) == [0]


def test_what_published_pruning_loses_is_counted():
    """Few distinct, repeated signatures: the published early exit rejects true pairs, the safe one does not."""
    rng = np.random.default_rng(4)
    documents = [rng.choice(6, rng.integers(4, 40), p=[0.4, 0.2, 0.2, 0.1, 0.05, 0.05]).tolist() for _ in range(700)]
    sets = built(documents)
    threshold = 0.44
    ends = [last for _, last in length_partitions(threshold, 4, 1000)][:-1]
    safe = kernels.sets.meet_spots(sets, threshold, ends)
    published = kernels.sets.meet_spots(sets, threshold, ends, paper=True)
    left, right = np.triu_indices(len(documents), 1)
    weight, _ = kernels.sets.shared_sets(sets, left, right)
    size = sets.sizes
    true = int((weight >= threshold * (size[left] + size[right] - weight) - 1e-9).sum())
    lost = true - len(published.left)
    assert len(safe.left) == true
    assert 0 < lost < 0.1 * true
    assert set(pairs(published)) < set(pairs(safe))


@settings(max_examples=200, deadline=None)
@given(bags, st.integers(1, 3))
def test_a_cap_keeps_the_first_longer_partners(documents, cap):
    sets = built(documents)
    size = sets.sizes.tolist()
    every = pairs(kernels.sets.meet_spots(sets, 0.4, []))
    asked = {}  # each pair is asked for by the shorter one, of equal ones by the later
    for a, b in every:
        shorter, longer = (b, a) if (size[b], -b) < (size[a], -a) else (a, b)
        asked.setdefault(shorter, []).append(longer)
    kept = sorted(
        ((min(d, x), max(d, x)) for d, found in asked.items() for x in sorted(found)[:cap]), key=lambda p: p[::-1]
    )
    met = kernels.sets.meet_spots(sets, 0.4, [], cap=cap, workers=2)
    assert pairs(met) == kept
    assert met.capped == sum(len(f) > cap for f in asked.values())
    assert met.largest == max([len(f) for f in asked.values() if len(f) > cap], default=0)


@settings(max_examples=200, deadline=None)
@given(bags, st.sampled_from([0.3, 0.44, 0.6, 0.85]))
def test_published_pruning_loses_nothing_of_plain_sets(documents, threshold):
    sets = kernels.sets.feature_sets(*ragged(documents, np.uint64))
    ends = [last for _, last in length_partitions(threshold, 1, 12)][:-1]
    assert pairs(kernels.sets.meet_spots(sets, threshold, ends, paper=True)) == pairs(
        kernels.sets.meet_spots(sets, threshold, ends)
    )


def test_the_papers_partitions():
    last = 2**64 - 1
    want = [(4, 5), (6, 8), (9, 11), (12, 15), (16, 19), (20, 24), (25, 30), (31, 37), (38, last)]
    assert length_partitions(0.85, 4, 40) == want


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.85, 0.95])
def test_partners_stand_in_the_same_partition_or_the_next(threshold):
    parts = length_partitions(threshold, 1, 300)
    of = {n: next(i for i, (_, last) in enumerate(parts) if n <= last) for n in range(1, 301)}
    for n in range(1, 301):
        for other in range(n, 301):
            if n >= threshold * other - 1e-9:
                assert of[other] - of[n] in (0, 1)
                if of[other] > of[n]:
                    end = parts[of[n]][1]
                    assert end - n <= (1 - threshold) * end + 1e-9


def named(documents):
    values, offsets = ragged(documents)
    return kernels.arrays.Names(values.astype(np.uint64), offsets)


path_docs = st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), max_size=9), max_size=5)


@settings(max_examples=200, deadline=None)
@given(path_docs, st.integers(1, 5))
def test_paths_equal_the_twin(documents, depth):
    words, offsets = ragged([[t for t, _ in d] for d in documents])
    sentence = np.array([s for d in documents for _, s in d], np.uint32)
    weight = (words * 7 + 3).astype(np.uint32)
    sets = kernels.features.path_sets(
        kernels.arrays.Names(words.astype(np.uint64), offsets), sentence, weight, depth, 2
    )
    assert as_dicts(sets) == [
        ref_features.path_sets(words[a:b].tolist(), sentence[a:b].tolist(), weight[a:b].tolist(), depth)
        for a, b in pairwise(offsets.tolist())
    ]


prose = st.text(alphabet=st.sampled_from("天气好ab3。！？!?….”’\"')] \n\u3000,，「"), max_size=50)


@settings(max_examples=400, deadline=None)
@given(st.lists(prose, max_size=4))
def test_breaks_equal_the_twin_and_part_letters_as_sentences_do(texts):
    places, offsets = kernels.text.sentence_breaks(pa.array(texts, pa.large_string()), 2)
    for text, (a, b) in zip(texts, pairwise(offsets.tolist()), strict=True):
        found = places[a:b].tolist()
        assert found == ref_text.sentence_breaks(text)
        letters = [i for i, c in enumerate(text) if c.isalnum()]
        spans = sentences(text)
        number = [next(k for k, (s, e) in enumerate(spans) if s <= i < e) for i in letters]
        mine = [sum(p <= i for p in found) for i in letters]
        assert [x == y for x, y in pairwise(number)] == [x == y for x, y in pairwise(mine)]


@settings(max_examples=400, deadline=None)
@given(bags, st.floats(0.05, 1), st.data())
def test_contained_sets_are_all_found(documents, threshold, data):
    sets = built(documents)
    scope = data.draw(st.lists(st.integers(0, 1), min_size=len(documents), max_size=len(documents)))
    references = data.draw(st.integers(0, len(documents)))
    met = kernels.sets.meet_contained(
        sets, threshold, scope=np.array(scope, np.uint64), references=references, workers=data.draw(st.integers(1, 3))
    )
    assert pairs(met) == ref_sets.meet_contained(as_dicts(sets), threshold, scope, references)
    assert met.capped == 0


@settings(max_examples=200, deadline=None)
@given(bags, st.integers(1, 4))
def test_a_cap_loses_pairs_beyond_it_only(documents, cap):
    sets = built(documents)
    twins = as_dicts(sets)
    met = kernels.sets.meet_contained(sets, 0.5, cap=cap, workers=2)
    every = ref_sets.meet_contained(twins, 0.5, [0] * len(twins), 0)
    assert set(pairs(met)) <= set(every)
    size = sets.sizes.tolist()
    heaviest = sorted(range(len(twins)), key=lambda d: (-size[d], d))
    lists = {v: [d for d in heaviest if v in twins[d]] for t in twins for v in t}
    for a, b in every:  # one of them is among the first of every list they share
        if all(min(lists[v].index(a), lists[v].index(b)) < cap for v in twins[a].keys() & twins[b].keys()):
            assert (a, b) in pairs(met)


@pytest.mark.parametrize(
    "call",
    [
        lambda s: kernels.sets.meet_spots(s, 0, []),
        lambda s: kernels.sets.meet_spots(s, 0.5, [5, 3]),
        lambda s: kernels.sets.meet_spots(s, 0.5, [], cap=0),
        lambda s: kernels.sets.meet_spots(s, 0.5, [], references=5),
        lambda s: kernels.sets.meet_spots(s, 0.5, [], scope=np.zeros(3, np.uint64)),
        lambda s: kernels.sets.meet_contained(s, 1.5),
        lambda s: kernels.sets.meet_contained(s, 0.5, cap=0),
        lambda s: kernels.sets.meet_contained(s, 0.5, references=9),
        lambda s: kernels.sketch.set_mins(s, 0, 1),
        lambda s: kernels.features.path_sets(named([[1]]), np.ones(1, np.uint32), np.ones(1, np.uint32), 0),
        lambda s: kernels.features.path_sets(named([[1]]), np.ones(2, np.uint32), np.ones(1, np.uint32), 2),
        lambda s: kernels.features.path_sets(named([[1]]), np.ones(1, np.uint32), np.full(1, 2**31, np.uint32), 4),
    ],
)
def test_what_cannot_be_used_is_refused(call):
    with pytest.raises(ValueError, match=r"must|have|large|needs"):
        call(built([[1]]))
