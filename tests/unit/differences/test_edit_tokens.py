"""Covers: which lists the tokens of edits are in, and hints of texts that are read once. Compared against: every token looked up by itself,
and hints read anew.

Run: pytest tests/unit/differences/test_edit_tokens.py
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from quchong.differences.edit_tokens import TokenLists, edit_tokens
from quchong.differences.edits import ANCHORED, READ, Edits
from quchong.differences.hinted_documents import HintedDocuments, hints_of
from quchong.differences.source_code import may_have_code
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.seam import Documents


def made_edits(rng, docs, left, right, count):
    """Edits of chance within the documents of pairs, some too long and some without equal tokens beside them."""
    pair = np.sort(rng.integers(0, len(left), count))
    spans = []
    for document in (left[pair], right[pair]):
        size = docs.lengths[document]
        first = rng.integers(0, size + 1)
        spans += [first, np.minimum(first + rng.choice([0, 1, 2, 5, READ, READ + 3], count), size)]
    places = np.column_stack(spans)
    a, b = places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]
    beside = rng.integers(0, ANCHORED + 1, (2, count))
    return Edits(pair, places, a, b, beside[0], beside[1])


def test_lists_of_edits_are_those_of_their_tokens():
    rng = np.random.default_rng(3)
    docs = Ragged(rng.integers(0, 60, 900).astype(np.uint32), prefix_sums(np.full(30, 30)))
    left, right = rng.integers(0, 30, (2, 20))
    edits = made_edits(rng, docs, left, right, 400)
    lists = {1: np.array([3, 5, 8], np.uint32), 2: np.array([5, 59], np.uint32), 256: np.array([0, 8, 8], np.uint32)}
    found = edit_tokens(docs, left, right, edits, TokenLists.from_lists(lists))
    expected = np.zeros((2, 400), int)
    for k in range(400):
        if max(edits.a[k], edits.b[k]) > READ or edits.before[k] + edits.after[k] < ANCHORED:
            continue
        for row, (side, at) in enumerate(((left, 0), (right, 2))):
            start = docs.offsets[side[edits.pair[k]]]
            here = docs.tokens[start + edits.places[k, at] : start + edits.places[k, at + 1]]
            expected[row, k] = sum(bit for bit, some in lists.items() if np.isin(here, some).any())
    assert np.array_equal(found.left, expected[0]) and np.array_equal(found.right, expected[1])
    assert found.every == 1 | 2 | 256
    for bit in lists:
        mine, theirs = (expected & bit) != 0
        assert np.array_equal(found.on_either_side(bit), mine | theirs)
        assert np.array_equal(found.on_both_sides(bit), mine & theirs)
        assert (mine & theirs).any() and not (mine | theirs).all()


def test_edits_without_a_listed_token_are_in_no_list():
    docs = Ragged(np.arange(20, dtype=np.uint32), np.array([0, 10, 20]))
    one, none = np.array([0]), np.zeros(0, np.int64)
    sides, lists = (np.array([0]), np.array([1])), TokenLists.from_lists({4: np.array([99], np.uint32)})
    edits = Edits(one, np.array([[1, 3, 1, 3]]), one + 2, one + 2, one + 5, one + 5)
    found = edit_tokens(docs, *sides, edits, lists)
    assert (found.every, found.left.tolist(), found.right.tolist()) == (0, [0], [0])
    nothing = edit_tokens(docs, *sides, Edits(none, np.zeros((0, 4), np.int64), none, none, none, none), lists)
    assert (nothing.every, len(nothing.left)) == (0, 0)


def test_hints_are_those_of_the_documents_asked_for_whatever_was_asked_before():
    texts = [
        "def glow(self):\n    return 1\n",
        "河水上涨。",
        "河水上涨。\n阅读 1234\n",
        "import os\n",
        "The river rose.",
    ] * 3
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    hinted = HintedDocuments(documents)
    for some in ([0, 1], [1, 2], [1, 2], [0, 3, 4], [3], [0, 3, 4, 7], []):
        which = np.array(some, np.int64)
        taken = documents.texts.take(which)
        assert hinted.may_have_code(which).tolist() == may_have_code(taken).tolist()
        assert [values.tolist() for values in hinted.hints(which)] == [values.tolist() for values in hints_of(taken)]
        assert hinted.may_have_code(which).tolist() == may_have_code(taken).tolist()
