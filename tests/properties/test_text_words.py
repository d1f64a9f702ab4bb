"""Covers: numbers, hashes and names of words: two tokens of one call are equal where their letters are. Compared against:
tests/twins/text.py, with hashes of few bits, so that many words have one. Run: pytest tests/properties/test_text_words.py
"""

from functools import cache

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import text as ref

from quchong import kernels
from quchong.engines.local.numbering import number_words
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import Form, text_tables
from quchong.seam import Documents

BITS = (1, 3, 8, 30)
words = st.one_of(
    st.text("ab1", min_size=1, max_size=3), st.sampled_from(["网页", "12.5", "may", "may", "13800138000", "-5%", "三"])
)
texts = st.lists(words, max_size=9).map(" ".join)


@cache
def how(bits, full=True):
    none = np.zeros(0, np.uint32)
    return Form(text_tables(none, none, none, np.array([3, *map(ord, "may"), 1, ord("b")], np.uint32), bits), full)


def twin(bits):
    return ref.Tables(number_words=frozenset(["may", "b"]), hash_bits=bits)


def large(items):
    return pa.array(items, pa.large_string())


def lists(docs):
    return [docs.tokens[a:b].tolist() for a, b in zip(docs.offsets[:-1], docs.offsets[1:], strict=True)]


@settings(max_examples=300, deadline=None)
@given(st.lists(texts, max_size=8), st.sampled_from(BITS), st.sampled_from([1, 2, 5]), st.sampled_from([1, 40]))
def test_numbers_hashes_and_names_equal_the_twin(items, bits, workers, times):
    """`times`: texts enough for several pieces, which several threads take."""
    items = items * times
    tokens = [ref.tokenise(t, twin(bits)) for t in items]
    numbers, moved = ref.numbered(tokens)
    found = kernels.text.tokenise(how(bits), large(items), workers=workers)
    assert lists(found.docs) == numbers
    assert dict(zip(found.moved.numbers.tolist(), found.moved.hashes.tolist(), strict=True)) == moved
    assert found.moved.numbers.tolist() == sorted(moved)
    hashes, _ = kernels.text.hashes(how(bits), large(items), workers)
    assert lists(hashes) == [[t.value for t in text] for text in tokens]
    assert found.moved.hashed(found.docs.tokens).tolist() == hashes.tokens.tolist()
    named = kernels.text.names(how(bits), large(items), places=True, workers=workers)
    assert lists(named.docs) == [[ref.name(t) for t in text] for text in tokens]
    assert named.start.tolist() == [t.start for text in tokens for t in text]
    kept = kernels.text.fingerprints(how(bits), large(items), anchors=False, keep=True, workers=workers)
    assert lists(kept.docs) == numbers
    assert kept.words.numbers.tolist() == sorted({n for doc in numbers for n in doc if n >= ref.WORD_TOKEN})


@settings(max_examples=100, deadline=None)
@given(st.lists(texts, max_size=6), st.sampled_from(BITS))
def test_documents_have_the_same_hashes_before_and_after_their_words_are_numbered(items, bits):
    before, after = (Documents.from_texts(large(items)) for _ in range(2))
    after.tokenised(how(bits), 1)
    one, other = before.hashed(how(bits), 1), after.hashed(how(bits), 1)
    assert lists(one) == lists(other) and before.hashed(how(bits), 1) is one
    assert lists(before.tokenised(how(bits), 1)[0]) == lists(after.tokenised(how(bits), 1)[0])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(texts, max_size=4), max_size=4), st.sampled_from(BITS), st.sampled_from([1, 2]))
def test_tokens_of_several_batches_are_equal_where_their_letters_are(batches, bits, workers):
    kept = [
        kernels.text.fingerprints(how(bits), large(batch), anchors=False, keep=True, workers=workers)
        for batch in batches
    ]
    numbering = number_words([k.words for k in kept])
    tokens = np.concatenate(
        [np.zeros(0, np.uint32), *(numbering.renumbered(k.docs.tokens, b) for b, k in enumerate(kept))]
    )
    letters = [t for batch in batches for text in batch for t in ref.tokenise(text, twin(bits))]
    number_of, word_of = {}, {}
    for number, token in zip(tokens.tolist(), letters, strict=True):
        assert number_of.setdefault((token.value, token.text), number) == number
        assert word_of.setdefault(number, token.text) == token.text
        assert (number >> 30) == (token.value >> 30)  # the mark stays
    assert numbering.moved.hashed(tokens).tolist() == [t.value for t in letters]


@settings(max_examples=100, deadline=None)
@given(st.lists(texts, min_size=2, max_size=6), st.sampled_from(BITS[:3]))
def test_shared_runs_of_pairs_do_not_depend_on_the_width_of_hashes(items, bits):
    left, right = (np.array(side) for side in zip(*((i, j) for i in range(len(items)) for j in range(i)), strict=True))
    widths, shortest = np.full(len(left), 2, np.uint8), np.ones(len(left), np.uint32)
    found = [kernels.align.passages(how(b), large(items), left, right, widths, shortest, workers=2) for b in (bits, 30)]
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))


def test_many_words_of_one_hash_cost_no_more_than_others():
    """20,000 different words of two hashes each for words and figures: every one gets a number of its own."""
    codes = [f"q{i}" for i in range(20_000)]
    found = kernels.text.tokenise(how(1), large([" ".join(codes), codes[7]]), workers=2)
    assert len(np.unique(found.docs.tokens)) == len(codes)
    assert found.docs.tokens[-1] == found.docs.tokens[7]


def test_shingles_of_one_hash_are_told_apart():
    """Two pairs of tokens that have one hash of 64 bits, as hostile texts might: they are not counted as shared."""
    a, b = (7, 2579905064), (3349529858, 7)
    one_hash = [kernels.text.shingle_hashes(np.array(pair, np.uint32), 2).tolist() for pair in (a, b)]
    assert one_hash[0] == one_hash[1]
    docs, left = Ragged(np.array([*a, *b], np.uint32), np.array([0, 2, 4])), np.zeros(1, np.uint32)
    assert kernels.pairs.shared_shingles(docs, left, left + 1, np.array([2], np.uint8)).tolist() == [0]
    both = Ragged(np.array([*a, 1, *b], np.uint32), np.array([0, 5]))
    assert kernels.pairs.distinct_shingles(both, np.array([2], np.uint8)).tolist() == [4]
