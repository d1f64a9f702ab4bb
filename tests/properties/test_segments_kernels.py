"""Covers: segments packed, looked up and merged as their twin says, and hostile buffers, which are refused or answered within themselves.

Compared against: tests/twins/segments.py; lists of the postings themselves.
Run: pytest tests/properties.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import segments as ref

from quchong.kernels.segments import SortedPostings, lookup_segments, merge_segments, pack_segment, segment_info

KEYS = st.one_of(st.integers(0, 30), st.integers(0, 2**64 - 1))
BITS = st.sampled_from([32, 40, 47, 56])


@st.composite
def postings(draw, first=0, most=12, weighted=None):
    """Distinct (key, document, weight), in any order, and the number of documents."""
    count = draw(st.integers(0, most))
    if count == 0:
        return [], 0
    pairs = draw(st.sets(st.tuples(KEYS, st.integers(first, first + count - 1)), max_size=150))
    weights = st.integers(1, 2**32 - 1) if draw(st.booleans()) else st.integers(1, 3)
    heavy = draw(st.booleans()) if weighted is None else weighted
    return [(k, d, draw(weights) if heavy else 1) for k, d in draw(st.permutations(sorted(pairs)))], count


def columns(some):
    kinds = (np.uint64, np.uint32, np.uint32)
    return [np.array([p[i] for p in some], kind) for i, kind in enumerate(kinds)]


def packed(some, first, count, bits=40, workers=1):
    return pack_segment(*columns(some), first=first, count=count, bits=bits, workers=workers)


def run_of(some):
    return SortedPostings(*columns(sorted(some)))


def bitmap(gone, length):
    out = np.zeros(-(-length // 8), np.uint8)
    for d in gone:
        if d < length:
            out[d // 8] |= 1 << d % 8
    return out


def answered(out):
    lists, lengths = out
    parts = [
        list(zip(lists.documents[a:b].tolist(), lists.weights[a:b].tolist(), strict=True))
        for a, b in zip(lists.offsets, lists.offsets[1:], strict=False)
    ]
    return list(zip(parts, lengths.tolist(), strict=True))


@settings(max_examples=150, deadline=None)
@given(data=st.data(), first=st.sampled_from([0, 7, 2**32 - 100]), bits=BITS)
def test_a_segment_is_packed_as_by_the_twin_and_unpacks_to_its_postings(data, first, bits):
    some, count = data.draw(postings(first))
    made = packed(some, first, count, bits)
    assert made.tobytes() == ref.pack_segment(*(c.tolist() for c in columns(some)), first=first, count=count, bits=bits)
    assert np.array_equal(made, packed(some, first, count, bits, workers=3))
    assert tuple(segment_info(made)) == tuple(ref.segment_info(made.tobytes()))
    whole = {}
    for k, d, w in some:
        code = ref.code_of(k, bits)
        whole[code, d] = max(w, whole.get((code, d), 0))
    assert ref.unpack(made.tobytes()) == sorted((code, d, w) for (code, d), w in whole.items())


@st.composite
def shelves(draw):
    """Segments of following documents, with runs after them: (postings, first, count) of each, and how many are segments."""
    out, first = [], 0
    for _ in range(draw(st.integers(1, 5))):
        some, count = draw(postings(first))
        out.append((some, first, count))
        first += count + draw(st.integers(0, 2))
    return out, draw(st.integers(0, len(out))), first


@settings(max_examples=200, deadline=None)
@given(shelf=shelves(), data=st.data(), bits=BITS)
def test_lists_of_segments_and_runs_are_those_of_the_twin(shelf, data, bits):
    parts, sealed, end = shelf
    segments = [packed(some, first, count, bits) for some, first, count in parts[:sealed]]
    runs = [sorted(some) for some, _, _ in parts[sealed:]]
    keys = data.draw(st.lists(KEYS, max_size=8)) + [p[0] for some, _, _ in parts for p in some[:3]]
    gone = data.draw(st.one_of(st.none(), st.sets(st.integers(0, max(end - 1, 0)))))
    before = data.draw(st.one_of(st.none(), st.lists(st.integers(0, end), min_size=len(keys), max_size=len(keys))))
    how = {
        "most": data.draw(st.sampled_from([0, 1, 2, 5])),
        "counted": data.draw(st.sampled_from([0, 1, 3, 9])),
        "before": before,
    }
    more = {
        **how,
        "gone": None if gone is None else bitmap(gone, data.draw(st.integers(0, end)) if gone == set() else end),
    }
    if before is not None:
        more["before"] = np.array(before, np.int64)
    wanted = ref.lookup_segments([s.tobytes() for s in segments], runs, keys, gone=gone or (), **how)
    ask = np.array(keys, np.uint64)
    found = lookup_segments(segments, [run_of(some) for some in runs], ask, workers=1, **more)
    assert answered(found) == wanted
    assert answered(lookup_segments(segments, [run_of(some) for some in runs], ask, workers=3, **more)) == wanted


@settings(max_examples=150, deadline=None)
@given(shelf=shelves(), data=st.data(), bits=BITS)
def test_merged_segments_are_those_of_all_postings(shelf, data, bits):
    parts, _, end = shelf
    segments = [packed(some, first, count, bits) for some, first, count in parts]
    whole = packed([p for some, _, _ in parts for p in some], 0, sum(parts[-1][1:]), bits)
    for piece in (1, 1 << 20):
        assert np.array_equal(np.concatenate(list(merge_segments(segments, piece=piece, workers=1))), whole)
    gone = data.draw(st.sets(st.integers(0, max(end - 1, 0))))
    wanted = ref.merge_segments([s.tobytes() for s in segments], gone=gone)
    for workers in (1, 3):
        made = merge_segments(segments, gone=bitmap(gone, end), piece=data.draw(st.integers(1, 5000)), workers=workers)
        assert np.concatenate(list(made)).tobytes() == wanted


def test_many_postings_of_a_few_keys_and_of_many_come_back():
    """Lists far longer than a bucket, and some thousand buckets, in pieces."""
    draw = np.random.default_rng(5)
    n = 40_000
    keys = np.concatenate([draw.integers(0, 2**64, 200_000, dtype=np.uint64), np.repeat(np.uint64(77), n)])
    documents = np.concatenate([draw.integers(0, n, 200_000).astype(np.uint32), np.arange(n, dtype=np.uint32)])
    halves = [documents < n // 3, documents >= n // 3]
    ones = np.ones(len(keys), np.uint32)
    whole = pack_segment(keys, documents, ones, first=0, count=n, workers=2)
    parts = [
        pack_segment(keys[h], documents[h], ones[h], first=f, count=c, workers=2)
        for h, f, c in zip(halves, (0, n // 3), (n // 3, n - n // 3), strict=True)
    ]
    assert np.array_equal(np.concatenate(list(merge_segments(parts, piece=50_000, workers=2))), whole)
    some = keys[::97]
    for shelf in ([whole], parts):
        lists, lengths = lookup_segments(shelf, (), some, workers=2)
        assert (lengths >= 1).all()
        wanted = dict(zip(some.tolist(), documents[::97].tolist(), strict=True))
        for i in range(0, 2000, 111):
            assert wanted[int(some[i])] in lists.documents[lists.offsets[i] : lists.offsets[i + 1]]
        front, lengths = lookup_segments(shelf, (), np.array([77], np.uint64), most=3, counted=1000)
        assert (front.documents.tolist(), lengths.tolist()) == ([0, 1, 2], [1000])
        all_of_it, lengths = lookup_segments(shelf, (), np.array([77], np.uint64))
        assert np.array_equal(all_of_it.documents, np.arange(n))
        assert lengths.tolist() == [n]


@pytest.mark.parametrize("narrow", [False, True], ids=["keys of 64 bits", "keys below 5000"])
def test_some_ten_thousand_keys_at_once_find_what_each_finds_alone(narrow):
    """Sorted by digits, in several pieces and buckets abreast: with keys that repeat and keys that nobody has, in segments and runs."""
    draw = np.random.default_rng(11)
    top = 5_000 if narrow else 2**64
    pool = draw.integers(0, top, 30_000, dtype=np.uint64)
    pairs = {
        (key, d)
        for key, d in zip(draw.choice(pool, 60_000).tolist(), draw.integers(0, 4_000, 60_000).tolist(), strict=True)
    }
    parts = [
        sorted(p for p in pairs if a <= p[1] < b) for a, b in ((0, 3000), (3000, 3500), (3500, 3900), (3900, 4000))
    ]
    some = [[(key, d, 1) for key, d in part] for part in parts]
    segments, runs = [packed(some[0], 0, 3000), packed(some[1], 3000, 500)], [run_of(some[2]), run_of(some[3])]
    keys = np.concatenate([draw.choice(pool, 15_000), draw.integers(0, top, 5_000, dtype=np.uint64)])
    lists = {}
    for key, d in sorted(pairs):
        lists.setdefault(key, []).append(d)
    for workers in (1, 2):
        found, lengths = lookup_segments(segments, runs, keys, most=3, counted=5, workers=workers)
        wanted = [lists.get(key, []) for key in keys.tolist()]
        assert [ones.tolist() for ones in np.split(found.documents, found.offsets[1:-1])] == [
            ones[:3] for ones in wanted
        ]
        assert lengths.tolist() == [min(len(ones), 5) for ones in wanted]


def some_segment(draw, weighted=True):
    documents = np.repeat(np.arange(60, dtype=np.uint32), 9)
    keys = draw.integers(0, 300, len(documents), dtype=np.uint64)
    keys, documents = np.unique(np.stack([keys, documents.astype(np.uint64)]), axis=1)
    weights = draw.integers(1, 9 if weighted else 2, len(keys)).astype(np.uint32)
    return pack_segment(keys, documents.astype(np.uint32) + 5, weights, first=5, count=60)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_damaged_segment_is_refused_or_answers_within_its_documents(weighted):
    """Every byte changed in several ways, every length cut: nothing else than an answer or a ValueError."""
    draw = np.random.default_rng(2)
    segment, refused, answers = some_segment(draw, weighted), 0, 0
    keys = np.arange(300, dtype=np.uint64)
    broken = [segment[:n] for n in range(len(segment))]
    for at in range(len(segment)):
        for value in (0, 255, int(segment[at]) ^ 1, int(segment[at]) ^ 128):
            one = segment.copy()
            one[at] = value
            broken.append(one)
    for one in broken:
        for ask in (
            lambda s: lookup_segments([s], (), keys, workers=1),
            lambda s: list(merge_segments([s], workers=1)),
        ):
            try:
                found = ask(one)
            except ValueError:
                refused += 1
            else:
                answers += 1
                if isinstance(found, tuple) and len(found[0].documents):
                    info = segment_info(one)
                    assert (
                        info.first <= found[0].documents.min() <= found[0].documents.max() < info.first + info.documents
                    )
    assert refused > 2 * len(segment)
    assert answers > 50


@pytest.mark.parametrize(
    ("how", "message"),
    [({"documents": [9]}, "documents must be"), ({"weights": [0]}, "a weight is 1"), ({"bits": 31}, "bits must be"),
     ({"count": 2**32}, "count must be"), ({"keys": [1, 2]}, "must have 2 entries")],
)  # fmt: skip
def test_postings_that_cannot_be_packed_are_refused(how, message):
    given_ = {"keys": [1], "documents": [0], "weights": [1], "first": 0, "count": 3} | how
    with pytest.raises(ValueError, match=message):
        pack_segment(**given_)


def test_segments_out_of_order_are_refused():
    a, b = packed([(1, 0, 1)], 0, 2), packed([(1, 2, 1)], 2, 2)
    with pytest.raises(ValueError, match="in the order of their documents"):
        lookup_segments([b, a], (), np.array([1], np.uint64))
    with pytest.raises(ValueError, match="unequal numbers of bits"):
        list(merge_segments([a, packed([(1, 2, 1)], 2, 2, 32)]))
    with pytest.raises(ValueError, match="no segments"):
        list(merge_segments([]))
    with pytest.raises(ValueError, match="damaged"):
        lookup_segments([], [run_of([(1, 3, 1)]), run_of([(1, 2, 1)])], np.array([1], np.uint64))
