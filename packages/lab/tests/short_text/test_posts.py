"""Covers: made posts: as many, as distinct and as long as asked for, and edited copies that know their family."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from quchong_lab.short_text.posts import edited, originals, repeated


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 400), st.floats(0, 1), st.integers(0, 50), st.booleans())
def test_repeated_texts_have_the_share_of_distinct_ones_asked_for(count, distinct, seed, zipf):
    made = repeated(count, distinct, seed, zipf)
    texts = made.texts.to_pylist()
    assert len(texts) == count
    assert made.distinct == len(set(texts)) == max(1, round(count * distinct))
    assert [texts.index(t) for t in texts] == made.origin.tolist()
    assert repeated(count, distinct, seed, zipf).texts.equals(made.texts)


def test_originals_have_the_lengths_asked_for():
    lengths = {len(t) for t in originals(3000, 5, 10, 12).to_pylist()}
    assert lengths == {10, 11, 12}
    assert len(originals(0, 1)) == 0


def test_edited_copies_differ_a_little_and_know_their_family():
    made = edited(800, 0.4, 3)
    texts = made.texts.to_pylist()
    assert made.distinct == 480
    assert len(set(texts)) > 780  # nearly every copy is changed
    families = {}
    for i, origin in enumerate(made.origin.tolist()):
        families.setdefault(origin, []).append(texts[i])
    for members in families.values():
        grams = [{t[k : k + 2] for k in range(len(t) - 1)} for t in members]
        assert all(g & grams[0] for g in grams)
    assert (np.sort(np.unique(made.origin)) == np.flatnonzero(made.origin == np.arange(800))).all()
