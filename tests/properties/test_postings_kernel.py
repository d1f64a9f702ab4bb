"""Covers: candidates of one document from posting lists, and that documents that ask one after the other find the pairs of whole joins.

Compared against: tests/twins/postings.py; `kernels.join.join_keys` and `kernels.sets.meet_sets` of all documents, with every limit on.
Run: pytest tests/properties.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import postings as ref

from quchong import kernels
from quchong.kernels.postings import DocumentSizes, PostingLists, select_candidates

bags = st.lists(st.dictionaries(st.integers(0, 6), st.integers(1, 3), max_size=6), max_size=14)


def sizes_of(sizes):
    columns = zip(*sizes, strict=True) if sizes else ([], [], [], [])
    return DocumentSizes(
        *(np.array(list(c), t) for c, t in zip(columns, (np.float64, np.uint32, np.float64, np.uint64), strict=True))
    )


def asked(queries):
    """Arguments of the kernel for documents that ask: for each its (weight, postings) by key."""
    flat = [(w, postings) for lists in queries for w, postings in lists]
    lists = PostingLists(
        np.array([d for _, p in flat for d, _ in p], np.uint32), np.array([w for _, p in flat for _, w in p], np.uint32),
        np.cumsum([0, *(len(p) for _, p in flat)]).astype(np.int64),
    )  # fmt: skip
    own = np.cumsum([0, *(len(lists) for lists in queries)]).astype(np.int64)
    return lists, own, np.array([w for w, _ in flat], np.uint32)


def postings_of(documents):
    lists = {}
    for d, bag in enumerate(documents):
        for key, weight in bag.items():
            lists.setdefault(key, []).append((d, weight))
    return lists


@settings(max_examples=300, deadline=None)
@given(documents=bags, data=st.data())
def test_the_candidates_are_those_of_the_twin(documents, data):
    n = len(documents)
    draw = data.draw
    rule = draw(st.sampled_from(["keys", "smaller", "jaccard"]))
    times = sorted(draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))
    sizes = [
        ref.Sizes(float(sum(bag.values())), draw(st.integers(1, 3)), float(t), draw(st.integers(0, 1)))
        for bag, t in zip(documents, times, strict=True)
    ]
    how = {
        "rule": rule, "cap": draw(st.sampled_from([None, 1, 2, 4])), "min_shared": draw(st.integers(1, 2)),
        "share": draw(st.sampled_from([0.0, 0.3, 0.6, 1.0])), "most": draw(st.integers(0, 4)), "few": draw(st.integers(0, 2)),
        "crowd": draw(st.sampled_from([0, 2, 3])), "references": draw(st.integers(0, n)), "exact": draw(st.booleans()),
    }  # fmt: skip
    if rule == "keys" and not how["references"]:
        how["within"] = draw(st.sampled_from([None, 0.0, 2.0, 5.0]))
    before = draw(st.lists(st.integers(0, n), min_size=n, max_size=n))
    lists = postings_of(documents)
    queries = [[(w, lists[key]) for key, w in bag.items()] for bag in documents]
    mine = sizes_of(sizes)
    found = select_candidates(*asked(queries), np.array(before, np.int64), mine, mine, workers=2, **how)
    for i in range(n):
        pairs, bounded, crowded = ref.select_candidates(queries[i], before[i], sizes[i], sizes, **how)
        own = found.asking == i
        assert list(zip(found.document[own].tolist(), found.shared[own].tolist(), strict=True)) == pairs
        assert (found.bounded[i], found.crowded[i]) == (bounded, crowded)
    assert (np.diff(found.asking.astype(np.int64)) >= 0).all()


def arriving(documents, sizes, **how):
    """Pairs of documents that ask one after the other, each of the lists of those before it: the lists grow as they come."""
    lists, pairs, bounded = {}, [], 0
    whole = sizes_of(sizes)
    for d, bag in enumerate(documents):
        query = [(w, lists.get(key, [])) for key, w in bag.items()]
        mine, before = (DocumentSizes(*(c[a:b] for c in whole)) for a, b in ((d, d + 1), (0, d)))
        references = min(how.get("references", 0), d)
        found = select_candidates(
            *asked([query]), np.array([d]), mine, before, workers=1, **how | {"references": references}
        )
        if d >= how.get("references", 0):  # a reference asks nobody
            pairs += [(x, d, s) for x, s in zip(found.document.tolist(), found.shared.tolist(), strict=True)]
            bounded += int(found.bounded[0])
        for key, weight in bag.items():
            lists.setdefault(key, []).append((d, weight))
    return pairs, bounded


@settings(max_examples=300, deadline=None)
@given(documents=st.lists(st.lists(st.integers(0, 6), max_size=8), max_size=14), data=st.data())
def test_arriving_documents_find_the_pairs_of_the_join_of_keys(documents, data):
    n, draw = len(documents), data.draw
    size, window = (draw(st.lists(st.integers(1, top), min_size=n, max_size=n)) for top in (9, 3))
    how = {
        "cap": draw(st.integers(1, 3)), "min_shared": draw(st.integers(1, 2)), "share": draw(st.sampled_from([0.0, 0.4, 1.0])),
        "most": draw(st.integers(0, 4)), "references": draw(st.integers(0, n)),
    }  # fmt: skip
    times = sorted(draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))
    if not how["references"]:
        how["within"] = draw(st.sampled_from([None, 1.0, 4.0]))
    values = np.array([v for d in documents for v in d], np.uint64)
    offsets = np.cumsum([0, *(len(d) for d in documents)]).astype(np.int64)
    met = kernels.join.join_keys(
        values, offsets, size=np.array(size, np.uint32), window=np.array(window, np.uint32),
        time=np.array(times, np.float64), workers=2, **how,
    )  # fmt: skip
    sizes = [
        ref.Sizes(s * (len(set(own)) / len(own)) if own else float(s), w, float(t))
        for own, s, w, t in zip(documents, size, window, times, strict=True)
    ]
    pairs, bounded = arriving([dict.fromkeys(own, 1) for own in documents], sizes, rule="keys", **how)
    assert pairs == list(zip(met.left.tolist(), met.right.tolist(), met.shared.tolist(), strict=True))
    assert bounded == met.bounded


@settings(max_examples=300, deadline=None)
@given(documents=bags, data=st.data())
def test_arriving_documents_find_the_pairs_of_the_join_of_sets(documents, data):
    n, draw = len(documents), data.draw
    if draw(st.booleans()):
        documents = [dict.fromkeys(bag, 1) for bag in documents]
    jaccard, scope = draw(st.booleans()), draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    how = {
        "cap": draw(st.sampled_from([None, 1, 2, 3])), "min_shared": draw(st.integers(1, 2)),
        "most": draw(st.integers(0, 4)), "references": draw(st.integers(0, n)),
    }  # fmt: skip
    share = draw(st.sampled_from([0.1, 0.4, 0.7, 1.0]))
    values = [v for bag in documents for v in sorted(bag)]
    sets = kernels.arrays.FeatureSets(
        np.array(values, np.uint64), np.array([bag[v] for bag in documents for v in sorted(bag)], np.uint32),
        np.cumsum([0, *(len(bag) for bag in documents)]).astype(np.int64),
    )  # fmt: skip
    met = kernels.sets.meet_sets(sets, share, jaccard=jaccard, scope=np.array(scope, np.uint64), workers=2, **how)
    weighed = any(w != 1 for bag in documents for w in bag.values())
    sizes = [ref.Sizes(float(sum(bag.values())), scope=c) for bag, c in zip(documents, scope, strict=True)]
    pairs, bounded = arriving(
        documents, sizes, rule="jaccard" if jaccard else "smaller", share=share, exact=how["most"] > 0 or weighed, **how
    )
    assert [p[:2] for p in pairs] == list(zip(met.left.tolist(), met.right.tolist(), strict=True))
    assert bounded == met.bounded


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sets(st.integers(0, 3), max_size=4), max_size=16),
    st.integers(1, 5),
    st.integers(1, 2),
    st.integers(2, 5),
)
def test_a_list_that_becomes_a_crowd_later_loses_no_pair_of_the_join(documents, most, few, crowd):
    """A document that came before its list was a crowd keeps more; one that comes after it the same as in the join."""
    values = np.array([v for d in documents for v in sorted(d)], np.uint64)
    offsets = np.cumsum([0, *(len(d) for d in documents)]).astype(np.int64)
    how = {"cap": 9, "most": most, "few": min(most, few), "crowd": crowd}
    met = kernels.join.join_keys(values, offsets, workers=2, **how)
    whole = set(zip(met.left.tolist(), met.right.tolist(), met.shared.tolist(), strict=True))
    sizes = [ref.Sizes(1.0)] * len(documents)
    pairs, _ = arriving([dict.fromkeys(d, 1) for d in documents], sizes, rule="keys", **how)
    assert whole <= set(pairs)
    later = {d for d, own in enumerate(documents) if any(sum(v in e for e in documents[:d]) + 1 > crowd for v in own)}
    assert {p for p in pairs if p[1] in later} == {p for p in whole if p[1] in later}


NONE = PostingLists(np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(1, np.int64))
ONE = DocumentSizes.from_columns(np.ones(1))


@pytest.mark.parametrize(
    ("lists", "own", "before"),
    [
        (PostingLists(np.array([1, 0], np.uint32), np.ones(2, np.uint32), np.array([0, 2])), [0, 1], [2]),  # descend
        (PostingLists(np.array([0, 0], np.uint32), np.ones(2, np.uint32), np.array([0, 2])), [0, 1], [2]),  # twice
        (PostingLists(np.array([7], np.uint32), np.ones(1, np.uint32), np.array([0, 1])), [0, 1], [2]),  # has no size
        (PostingLists(np.array([0], np.uint32), np.ones(2, np.uint32), np.array([0, 1])), [0, 1], [2]),
        (NONE, [0, 1], [2]),  # no such list
        (NONE, [0, 0], [3]),  # beyond the documents
        (NONE, [0, 0], [0, 0]),
        (NONE, [0], [0]),
    ],
)
def test_what_no_lists_are_is_refused(lists, own, before):
    documents = DocumentSizes.from_columns(np.ones(2))
    with pytest.raises(ValueError):
        select_candidates(
            lists, np.array(own), np.ones(len(lists), np.uint32), np.array(before), ONE, documents, workers=1
        )


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="rule"):
        select_candidates(
            NONE, np.array([0, 0]), np.zeros(0, np.uint32), np.array([0]), ONE, ONE, rule="none", workers=1
        )
