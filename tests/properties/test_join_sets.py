"""Covers: the exact set join by prefixes (PPJoin, PPJoin+): order of tokens, bounds, filters, all pairs above a threshold.

Compared against: tests/twins/join.py, brute force, kernels.sets.meet_sets, worked examples.
Run: pytest tests/properties.
"""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import join as ref

from quchong import kernels
from quchong.candidates import prefixes

token = st.one_of(st.integers(0, 12), st.integers(2**63, 2**63 + 4), st.integers(0, 2**64 - 1))
corpora = st.lists(st.sets(token, max_size=14), max_size=12)
thresholds = st.one_of(st.integers(1, 20).map(lambda k: k / 20), st.floats(0.01, 1))


def built(sets):
    values = np.array([v for s in sets for v in sorted(s)], np.uint64)
    return kernels.sets.feature_sets(values, np.cumsum([0, *(len(s) for s in sets)]).astype(np.int64), workers=2)


def frozen(known):
    ascending = sorted(known.items())
    return np.array([v for v, _ in ascending], np.uint64), np.array([c for _, c in ascending], np.uint32)


def lists_of(records):
    return [records.tokens[a:b].tolist() for a, b in pairwise(records.offsets.tolist())]


def pairs_of(joined):
    return list(zip(joined.left.tolist(), joined.right.tolist(), strict=True))


def letters(*words):
    return built([{ord(c) for c in w} for w in words])


def near_copies(rng, n=30, words=40, length=12, copies=0.5):
    """Sets of skewed tokens, and near copies of some of them."""
    out = []
    for _ in range(n):
        if out and rng.random() < copies:
            made = set(out[rng.integers(len(out))])
            for _ in range(rng.integers(0, 4)):
                made ^= {int(rng.integers(words))}
        else:
            made = {int(words * rng.random() ** 2) for _ in range(rng.integers(1, length))}
        out.append(made)
    return out


def test_the_worked_example():
    sets = letters("ABCDE", "BCDEF")
    # Order A, F, B, C, D, E: prefixes {A, B} and {F, B}.
    assert ref.ordered([set("ABCDE"), set("BCDEF")]) == [list("ABCDE"), list("FBCDE")]
    assert ref.probing_prefix(0.8, 5) == 2 and ref.least_overlap(0.8, 5, 5) == 5
    records = kernels.join.order_sets(sets)
    assert lists_of(records) == [[0, 2, 3, 4, 5], [1, 2, 3, 4, 5]] and records.distinct == 6
    # Both prefixes hold B at (2, 2): 0 + 1 + 3 < 5. The shorter prefix of the listed record does not even reach it.
    assert ref.indexing_prefix(0.8, 5) == 1
    assert kernels.join.join_sets(records, 0.8)[2:] == (0, 0, 0, 0)
    met = kernels.join.join_sets(records, 0.6)
    assert ref.least_overlap(0.6, 5, 5) == 4
    assert pairs_of(met) == [(0, 1)] and (met.candidates, met.by_position, met.verified) == (1, 0, 1)


def test_the_positional_filter_of_the_example():
    """Of full prefixes the pair of the example is one candidate, and none behind the positional filter."""
    positions, sizes = np.array([2]), np.array([5])
    assert prefixes.least_overlap(0.8, sizes, sizes).tolist() == [5]
    assert not prefixes.passes_position(0.8, sizes, positions, sizes, positions, np.array([0])).any()
    assert prefixes.passes_position(0.6, sizes, positions, sizes, positions, np.array([0])).all()
    # The same inside the join: B stands second in one prefix and fourth in the other, 1 + 6 < 9.
    known = frozen({ord(c): 2 for c in "BCDEGHIJK"})
    records = kernels.join.order_sets(letters("FBCDEGHIJK", "LMNBCDEGHI"), known)
    met = kernels.join.join_sets(records, 0.7)
    assert ref.least_overlap(0.7, 10, 10) == 9
    assert (met.candidates, met.by_position, met.verified, len(met.left)) == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("threshold", "size", "least"), [(0.8, 5, 4), (0.6, 5, 3), (0.7, 10, 7), (0.9, 10, 9), (1.0, 7, 7)]
)
def test_ceilings_are_not_off_by_one(threshold, size, least):
    assert ref.least_share(threshold, size) == least
    assert prefixes.least_share(threshold, np.array([size])).tolist() == [least]


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 1000))
def test_bounds_are_the_ceilings_of_the_paper(a, b, per_mille):
    t, exact = per_mille / 1000, Fraction(per_mille, 1000)
    assert ref.least_share(t, a) == -(-exact * a // 1)
    assert ref.least_overlap(t, a, b) == -(-(exact / (1 + exact)) * (a + b) // 1)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 3000), st.integers(1, 3000)), min_size=1, max_size=5), thresholds)
def test_bounds_of_many_equal_the_twin(sizes, t):
    a, b = np.array(sizes).T
    assert prefixes.least_share(t, a).tolist() == [ref.least_share(t, n) for n in a.tolist()]
    assert prefixes.least_overlap(t, a, b).tolist() == [ref.least_overlap(t, x, y) for x, y in sizes]
    assert prefixes.probing_prefix(t, a).tolist() == [ref.probing_prefix(t, n) for n in a.tolist()]


@settings(max_examples=300, deadline=None)
@given(
    corpora, st.dictionaries(token, st.integers(0, 2**32 - 1), max_size=20), st.booleans(), st.integers(1, 3), st.data()
)
def test_records_equal_the_twin(sets, known, given_, workers, data):
    wave, order = data.draw(st.sampled_from([1, 8, 1 << 24])), known if given_ else None
    records = kernels.join.order_sets(built(sets), frozen(known) if given_ else None, workers, wave=wave)
    assert lists_of(records) == ref.order_sets(sets, order)
    assert records.distinct == len(set().union(*sets))


@settings(max_examples=200, deadline=None)
@given(corpora, st.integers(1, 3))
def test_document_frequencies(sets, least):
    values, counts = kernels.join.count_tokens(built(sets), least, 2)
    assert list(zip(values.tolist(), counts.tolist(), strict=True)) == ref.count_tokens(sets, least)


@settings(max_examples=600, deadline=None)
@given(corpora, thresholds, st.sampled_from([0, 1, 2, 5]), st.integers(1, 3), st.integers(1, 3), st.data())
def test_all_pairs_above_the_threshold_are_found(sets, t, depth, least, workers, data):
    known = data.draw(st.one_of(st.none(), st.dictionaries(token, st.integers(0, 9), max_size=20)))
    scope = data.draw(st.one_of(st.none(), st.lists(st.integers(0, 1), min_size=len(sets), max_size=len(sets))))
    references = data.draw(st.integers(0, len(sets)))
    records = kernels.join.order_sets(built(sets), None if known is None else frozen(known))
    joined = kernels.join.join_sets(
        records, t, suffix_depth=depth, min_size=least, scope=None if scope is None else np.array(scope, np.uint64),
        references=references, workers=workers,
    )  # fmt: skip
    as_lists = lists_of(records)
    assert pairs_of(joined) == ref.brute_force(as_lists, t, least, scope, references)
    found, ended = ref.join_sets(as_lists, t, depth, least, scope, references)
    assert pairs_of(joined) == found
    verified = ended.get("overlap", 0) + ended.get("similar", 0)
    assert (joined.by_position, joined.by_suffix, joined.verified) == (
        ended.get("position", 0), ended.get("suffix", 0), verified,
    )  # fmt: skip
    assert joined.candidates == joined.by_position + joined.by_suffix + joined.verified


@settings(max_examples=300, deadline=None)
@given(corpora, thresholds, st.sampled_from([0, 2]), st.integers(1, 3))
def test_pairs_given_are_screened_as_the_twin_says(sets, t, depth, workers):
    records = kernels.join.order_sets(built(sets))
    as_lists = lists_of(records)
    left, right = (i.ravel() for i in np.indices((len(sets), len(sets))))
    keep = left != right
    left, right = left[keep], right[keep]
    got = kernels.join.screen_pairs(records, left, right, t, suffix_depth=depth, workers=workers)
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    for k, ((a, b), (stage, first)) in enumerate(zip(pairs, ref.screen_pairs(as_lists, pairs, t, depth), strict=True)):
        assert kernels.join.STAGES[got.stage[k]] == stage
        place = got.first[k]
        assert (None if place == kernels.join.NO_TOKEN else as_lists[a][place]) == first
        assert got.shared[k] == (len(set(as_lists[a]) & set(as_lists[b])) if stage == "similar" else 0)
    similar = got.stage == kernels.join.STAGES.index("similar")
    again = {(a, b) for a, b in zip(left[similar].tolist(), right[similar].tolist(), strict=True) if a < b}
    assert again == set(ref.brute_force(as_lists, t))


@settings(max_examples=200, deadline=None)
@given(corpora, thresholds)
def test_prefixes_of_sets_hold_a_token_of_every_similar_pair(sets, t):
    made = built(sets)
    records = kernels.join.order_sets(made)
    features, counts = kernels.join.count_tokens(made)
    frequency = counts[np.searchsorted(features, made.values)]
    rows = prefixes.prefix_tokens(made, frequency, t)
    as_lists, order = lists_of(records), sorted(set().union(*sets), key=lambda v: (sum(v in s for s in sets), v))
    for d, r in enumerate(as_lists):
        mine = rows.document == d
        wanted = r[: ref.probing_prefix(t, len(r))] if r else []
        assert [order.index(v) for v in rows.values[mine].tolist()] == wanted
        assert rows.position[mine].tolist() == list(range(1, len(wanted) + 1))


def met_in_full_prefixes(x, y, t):
    """Candidates of the published filters without the shorter prefix, without and with the positional filter: 0 or 1 each."""
    x, y = sorted((x, y), key=len, reverse=True)
    if not y or len(y) < ref.least_share(t, len(x)):
        return 0, 0
    ahead = y[: ref.probing_prefix(t, len(y))]
    places = [(i, ahead.index(v)) for i, v in enumerate(x[: ref.probing_prefix(t, len(x))]) if v in ahead]
    least = ref.least_overlap(t, len(x), len(y))
    passes = all(met + min(len(x) - i, len(y) - j) >= least for met, (i, j) in enumerate(places))
    return int(bool(places)), int(bool(places) and passes)


def test_ppjoin_ppjoin_plus_and_brute_force_agree_300_times():
    """A random check: no difference, and the positional filter about halves the candidates."""
    rng = np.random.default_rng(8)
    candidates = verified = verified_plus = full = behind_position = pairs = 0
    for run in range(300):
        sets = near_copies(rng, words=60, length=20, copies=0.1)
        t = (0.5, 0.6, 0.7, 0.8, 0.9)[run % 5]
        records = kernels.join.order_sets(built(sets))
        plain, plus = (
            kernels.join.join_sets(records, t, workers=2),
            kernels.join.join_sets(records, t, suffix_depth=2, workers=1),
        )
        as_lists = lists_of(records)
        assert pairs_of(plain) == ref.brute_force(as_lists, t) == pairs_of(plus)
        assert plain.candidates == plus.candidates and plus.verified <= plain.verified
        candidates, pairs = candidates + plain.candidates, pairs + len(plain.left)
        verified, verified_plus = verified + plain.verified, verified_plus + plus.verified
        for a, b in combinations(as_lists, 2):
            met, passed = met_in_full_prefixes(a, b, t)
            full, behind_position = full + met, behind_position + passed
    assert pairs > 500
    assert 0.3 < behind_position / full < 0.55, (behind_position, full)
    assert candidates < full and verified < 0.7 * candidates, (verified, candidates)
    assert verified_plus < 0.5 * verified, (verified_plus, verified)


@pytest.mark.parametrize("t", [0.3, 0.6, 0.8, 0.9, 1.0])
def test_the_pairs_are_those_of_meet_sets(t):
    sets = built(near_copies(np.random.default_rng(3), n=400, words=2000, length=60))
    met = kernels.sets.meet_sets(sets, t, jaccard=True, workers=2)
    assert len(met.left) > 20
    assert pairs_of(kernels.join.join_sets(kernels.join.order_sets(sets), t, workers=2)) == pairs_of(met)


def test_one_footer_in_all_documents_costs_no_candidates():
    rng = np.random.default_rng(5)
    footer = set(range(100))
    sets = built([footer | {int(v) for v in rng.integers(1000, 2**60, 60)} for _ in range(500)])
    assert kernels.join.join_sets(kernels.join.order_sets(sets), 0.8)[2:] == (0, 0, 0, 0)


@pytest.mark.parametrize("how", [{"threshold": 0}, {"threshold": 1.1}, {"suffix_depth": -1}, {"suffix_depth": 33}, {"min_size": 0},
                                 {"scope": np.zeros(3, np.uint64)}, {"references": 2}])  # fmt: skip
def test_what_cannot_be_used_is_refused(how):
    records = kernels.join.order_sets(letters("A"))
    with pytest.raises(ValueError, match=f"^{next(iter(how))} must"):
        kernels.join.join_sets(records, **({"threshold": 0.5} | how))


def test_frequencies_out_of_order_and_tokens_beyond_are_refused():
    with pytest.raises(ValueError, match="ascending"):
        kernels.join.order_sets(letters("A"), (np.array([2, 1], np.uint64), np.array([1, 1], np.uint32)))
    with pytest.raises(ValueError, match="beyond"):
        records = kernels.join.order_sets(letters("AB"))
        kernels.join.join_sets(kernels.join.OrderedSets(records.tokens, records.offsets, 1), 0.5)
