"""Covers: strict form, element hashes, filters. Compared against: tests/twins/{elements,filters}.py.

Run: pytest tests/properties.
"""

import unicodedata

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from twins import elements as ref_elements
from twins import filters as ref_filters
from twins import hashing as ref_hashing
from twins.text import Tables

from quchong.filters import Bloom, Confirmed, DigestSet, DigitTrie, PrintedBloom
from quchong.kernels import elements, filters
from quchong.text import Preparer, element
from quchong.text.normalise import NUMBER_WORDS
from quchong.text.opencc import folds, phrases

TABLES = Tables(folds(), *phrases(), NUMBER_WORDS, symbols=False)

pieces = st.sampled_from(
    [
        "重复", "今天天气很好", "，", "。", "！", " ", "　", "\t\n", "the", "rapist", "Ａ１", "ABC", "é", "e\u0301", "\u0301", "ガ", "ｶﾞ", "①",
        "㍿", "ﬁ", "\u00a8", "\ufdfa", "𠮷", "😀", "\0", "\u1112\u1161\u11ab", "İ", "ß", "\u2126", "\u023a", "//@用户:", "網頁", "\x85", "\u2028",
        "\u0958", "K", "\u212a", "\x1f", "·", "…", "3.5", "x" * 17, "中" * 11, "\ufeff", "\u200b", "ǅ", "\U0001d400",
    ]
)  # fmt: skip
texts = (
    st.lists(st.one_of(pieces, st.text(max_size=8), st.text("aA 中，。é\u0301　", max_size=24)), max_size=10)
    .map("".join)
    .map(lambda s: s.encode("utf-8", "ignore").decode())
)
FORMS = ("raw", "strict", "loose")


def known(text):
    """Only characters the committed table (Unicode 14) and this Python agree on."""
    return unicodedata.unidata_version == "14.0.0" or all(unicodedata.category(c) != "Cn" for c in text)


def in_form(text, form):
    if form == "raw":
        return text
    if form == "strict":
        return ref_elements.strict_form(text)
    return ref_elements.loose_form(Preparer().prepare(pa.array([text], pa.large_string())).texts[0].as_py(), TABLES)


@settings(max_examples=500, deadline=None)
@given(st.lists(texts, max_size=6), st.sampled_from(FORMS))
def test_elements_and_their_hashes_equal_the_twin(items, form):
    assume(all(known(t) for t in items))
    how = element(form)
    want = [in_form(t, form) for t in items]
    for workers in (1, 2):
        digests = elements.element_digests(how, items, workers)
        assert list(zip(digests.high.tolist(), digests.low.tolist(), strict=True)) == [
            ref_elements.digest(t.encode()) for t in want
        ]
        assert digests.empty.tolist() == [int(not t) for t in want]
        for unit in ("utf8", "utf16"):
            hashes = elements.element_hashes(how, items, unit, workers)
            units = [ref_elements.units_of(t, unit) for t in want]
            assert hashes.bkdr.tolist() == [ref_elements.bkdr(u) for u in units]
            assert hashes.ap.tolist() == [ref_elements.ap(u) for u in units]
            assert hashes.empty.tolist() == digests.empty.tolist()


@settings(max_examples=200, deadline=None)
@given(texts)
def test_the_strict_form_is_a_form(text):
    assume(known(text))
    once = ref_elements.strict_form(text)
    assert not once.startswith(" ") and not once.endswith(" ") and "  " not in once
    assert "".join(once.split()) == "".join(
        "".join(map(ref_elements.small, unicodedata.normalize("NFKC", text))).split()
    )


@given(st.binary(max_size=70))
def test_bytes_that_are_no_text_are_safe(data):
    offsets = pa.py_buffer(np.array([0, len(data)], np.int64))
    broken = pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, pa.py_buffer(data)])
    for form in FORMS:
        elements.element_digests(element(form), broken)
    assert elements.element_digests(element("raw"), broken).high.tolist() == [ref_elements.digest(data)[0]]


small = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=60)


@given(small, st.integers(1, 90), st.sampled_from(["all", "any"]))
def test_the_printed_filter_equals_the_twin(stream, bits, rule):
    native, twin = filters.PrintedBloom(bits), ref_filters.PrintedBloom(bits, rule)
    first, second = (np.array([s[k] for s in stream], np.uint32) for k in (0, 1))
    assert native.seen_before(first, second, None, rule == "any").tolist() == [
        twin.seen_before(a, b) for a, b in stream
    ]
    assert native.bits_set == len(twin.set)
    assert {i for i in range(bits) if int(native.words()[i // 64]) >> i % 64 & 1} == twin.set


digests = st.lists(
    st.tuples(st.sampled_from([0, 1, 2**63, 2**64 - 1, 0x123456789ABCDEF]), st.integers(0, 2**64 - 1).map(lambda x: x & ~0xF0F0)),
    max_size=80,
)  # fmt: skip


@given(
    digests, st.lists(st.tuples(st.integers(1, 3), st.integers(1, 30), st.integers(1, 20)), min_size=81, max_size=81)
)
@settings(max_examples=60, deadline=None)
def test_slices_equal_the_twin(stream, sizes):
    native, twin = filters.BlockedBloom(), ref_filters.BlockedBloom(sizes)
    native.add_slice(*sizes[0])
    used, got = 1, []
    high, low = (np.array([s[k] for s in stream], np.uint64) for k in (0, 1))
    while len(got) < len(stream):
        done, mask = native.seen_before(high[len(got) :], low[len(got) :], None)
        assert done == len(mask)
        got += mask.tolist()
        if len(got) < len(stream):
            native.add_slice(*sizes[used])
            used += 1
    assert got == [twin.seen_before(a, b) for a, b in stream]
    assert native.counts == twin.counts
    for i, (blocks, _, _) in enumerate(sizes[:used]):
        words = native.words(i)
        assert {(b, k) for b in range(blocks) for k in range(512) if int(words[8 * b + k // 64]) >> k % 64 & 1} == {
            (b, (bit >> 6 & 7) * 64 + (bit & 63)) for b, bit in twin.bits[i]
        }


@given(digests)
def test_the_digest_table_equals_a_set(stream):
    native, twin = filters.DigestTable(), ref_filters.DigestTable()
    got = native.seen_before([a for a, _ in stream], [b for _, b in stream], None)
    assert got.tolist() == [twin.seen_before(a, b) for a, b in stream]
    pairs = native.dump().reshape(-1, 2).tolist()
    assert sorted(map(tuple, pairs)) == sorted(twin.known) and native.count == len(twin.known)


numbers = st.lists(
    st.one_of(st.integers(-40, 40), st.integers(-(2**32) + 1, 2**32 - 1), st.sampled_from([4, 12, 38, 120, 400, 4000, 40000])),
    max_size=120,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(numbers, st.booleans())
def test_the_digit_trie_equals_the_trie_that_spells_all_digits(stream, end_mark):
    native, twin = filters.DigitTrie(end_mark), ref_filters.DigitTrie(end_mark)
    assert native.seen_before(np.array(stream, np.int64), None).tolist() == [twin.seen_before(k) for k in stream]
    assert native.printed_nodes == twin.nodes


@pytest.mark.parametrize("end_mark", [True, False])
def test_a_large_trie_equals_the_twin(end_mark):
    """Beyond the size from which a group's look-ups are asked for together."""
    roots = np.random.default_rng(3).integers(0, 60_000, 40_000) ** 2 % 2**32
    native, twin = filters.DigitTrie(end_mark), ref_filters.DigitTrie(end_mark)
    assert native.seen_before(roots, None).tolist() == [twin.seen_before(k) for k in roots.tolist()]
    assert native.printed_nodes == twin.nodes


def test_the_digest_table_grows_as_a_set_would():
    rng = np.random.default_rng(5)
    high = rng.integers(0, 2**64, 200_000, np.uint64)[rng.integers(0, 150_000, 300_000)]
    native = filters.DigestTable()
    first = np.zeros(len(high), bool)
    first[np.unique(high, return_index=True)[1]] = True
    assert (native.seen_before(high, high ^ np.uint64(7), None) == ~first).all()
    assert native.count == first.sum()


def unmixed(x):
    """The value mix64 makes x of."""
    x = x ^ x >> 31 ^ x >> 62
    x = x * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
    x = x ^ x >> 27 ^ x >> 54
    x = x * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
    return x ^ x >> 30 ^ x >> 60


def test_digests_made_for_one_place_make_the_digest_table_no_larger():
    """The last place: growing moves it with them, and there is never room behind it for more than the slack."""
    last = unmixed(2**64 - 1)
    assert ref_hashing.mix64(last) == 2**64 - 1
    low = np.arange(1, 1001, dtype=np.uint64)
    high = np.uint64(last) - np.uint64(ref_hashing.GOLDEN) * low
    native = filters.DigestTable()
    assert not native.seen_before(high, low, None).any()
    assert native.seen_before(high, low, None).all()
    assert (native.count, native.dump().size) == (1000, 2000)
    assert native.memory < 1 << 20


MAKERS = {
    "printed": lambda: PrintedBloom(bits=300),
    "printed, any": lambda: PrintedBloom(bits=5000, filter_mode="any", unit="utf16"),
    "bloom": lambda: Bloom(1000, 1e-6),
    "bloom that grows": lambda: Bloom(3, 0.01),
    "trie": DigitTrie,
    "trie, literal": lambda: DigitTrie(hash="bkdr", end_mark=False),
    "digest": DigestSet,
    "confirmed": lambda: Confirmed(PrintedBloom(bits=20)),
}


@pytest.mark.parametrize("name", MAKERS)
@settings(max_examples=40, deadline=None)
@given(st.lists(texts, max_size=40), st.data())
def test_answers_do_not_depend_on_batches_and_no_repeat_is_missed(name, items, data):
    assume(all(known(t) for t in items))
    stream = [*items, *data.draw(st.permutations(items))]
    whole, single, cut = (MAKERS[name]() for _ in range(3))
    got = whole.seen_before(stream).tolist()
    assert got == [bool(single.seen_before([t])[0]) for t in stream]
    places = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=4)))
    parts = [
        cut.seen_before(pa.array(stream[a:b], pa.string()), workers=1)
        for a, b in zip([0, *places], [*places, len(stream)], strict=True)
    ]
    assert np.concatenate(parts).tolist() == got
    assert whole.state().numbers == single.state().numbers == cut.state().numbers
    for a, b in zip(whole.state().sections, single.state().sections, strict=True):
        assert (a == b).all()
    known_forms = set()
    for text, there in zip(stream, got, strict=True):
        form = ref_elements.strict_form(text)
        assert there or form not in known_forms, "a repeat was let through"
        assert form or not there, "an empty text was removed"
        if form:
            known_forms.add(form)
    if name in ("digest", "confirmed"):
        assert sum(got) == sum(bool(ref_elements.strict_form(t)) for t in stream) - len(known_forms)
    assert (whole.tested, whole.seen_count) == (len(stream), sum(got))
