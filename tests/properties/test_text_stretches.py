"""Covers: where stretches of tokens stand in their texts. Compared against: tests/twins/text.py, and the places of tokens.

Run: pytest tests/properties/test_text_stretches.py
"""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import text as ref

from quchong import kernels
from quchong.text import form
from quchong.text.normalise import NUMBER_WORDS
from quchong.text.opencc import folds, phrases

TABLES = ref.Tables(folds(), *phrases(), NUMBER_WORDS)
PIECES = [
    "网页去重", "網頁去重與軟體", "滑鼠", "二〇二〇年", "一百二十", "十一", "http://a.b/c?d=1", "www.q.com", "&nbsp;", "&#x4e2d;", "1,234.5",
    "3.5kg", "。" * 253, "w" * 254 + "。", "v" * 255, " " * 600, "http://" + "u" * 300, "ＡＢＣ１２３", "①㈱½㍿㋀", "ｶﾞ", "ﬁ", "May five", "😀👍", "𠮷𪚥", "，。！", " ", "\n", "-5.3%", "5 °C", "¥5", "车輛", "İΣς", "\0",
]  # fmt: skip
texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=9).map("".join), min_size=1, max_size=4)
asked = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 40), st.integers(0, 45), st.sampled_from([0, 0, 1, 3, 10, 255])),
    max_size=12,
)
forms = st.tuples(st.booleans(), st.booleans())


def form_of(full=True, characters=False):
    return form("standard" if full else "plain", "char" if characters else "auto")


def native(items, stretches, full=True, characters=False, workers=2):
    """Stretches of texts that are normalised for it, which are those of texts whose places were kept."""
    columns = [[one[k] for one in stretches] for k in range(4)]
    how, array = form_of(full, characters), pa.array(items, pa.large_string())
    asked = (*(np.array(column, np.uint32) for column in columns[:3]), np.array(columns[3], np.uint8), workers)
    found = kernels.text.stretches(how, array, *asked)
    found.windows.validate(full=True)
    again = kernels.text.placed_stretches(kernels.text.tokenise_placed(how, array, workers)[1], array, *asked)
    assert again.places.tolist() == found.places.tolist()
    assert again.windows.equals(found.windows)
    return [(tuple(p), w) for p, w in zip(found.places.tolist(), found.windows.to_pylist(), strict=True)]


@settings(max_examples=500, deadline=None)
@given(texts, asked, forms, st.booleans())
def test_stretches_equal_the_twin(items, some, how, in_order):
    some = [(text % len(items), *rest) for text, *rest in some]
    some = sorted(some, key=lambda one: one[0]) if in_order else some  # first and last come in any order
    assert native(items, some, *how) == ref.stretches(items, some, TABLES, full=how[0], characters=how[1])


@settings(max_examples=200, deadline=None)
@given(texts, asked, forms)
def test_places_are_in_order_and_windows_are_what_is_written_there(items, some, how):
    some = [(text % len(items), *rest) for text, *rest in some]
    for ((w0, a, b, w1), window), (text, first, last, margin) in zip(native(items, some, *how), some, strict=True):
        assert 0 <= w0 <= a <= b <= w1 <= len(items[text])
        assert window == items[text][w0:w1]
        if margin == 0:
            assert (w0, w1) == (a, b)
        if last <= first:
            assert a == b


@settings(max_examples=100, deadline=None)
@given(texts, forms)
def test_single_tokens_stand_where_the_tokeniser_says(items, how):
    array = pa.array(items, pa.large_string())
    found = kernels.text.tokenise(
        form("standard" if how[0] else "plain", "char" if how[1] else "auto"), array, places=True
    )
    lengths = found.docs.lengths.tolist()
    each = [(text, k, k + 1, 0) for text, n in enumerate(lengths) for k in range(n)]
    places = [(a, b) for (_, a, b, _), _ in native(items, each, *how)]
    assert places == list(zip(found.start.tolist(), found.end.tolist(), strict=True))


@settings(max_examples=300, deadline=None)
@given(texts, forms, st.sampled_from([1, 3]))
def test_kept_places_equal_the_twin_and_their_tokens_are_those_without_places(items, how, workers):
    array = pa.array(items * 40, pa.large_string())  # several chunks
    found, places = kernels.text.tokenise_placed(form_of(*how), array, workers)
    tokens = [ref.tokenise(text, TABLES, full=how[0], characters=how[1]) for text in items]
    steps, lengths, far = ref.narrow_places(tokens * 40)
    assert (places.steps.tolist(), places.lengths.tolist(), places.far.tolist()) == (steps, lengths, far)
    bare = kernels.text.tokenise(form_of(*how), array, workers=1)
    for one, other in (
        (found.docs.tokens, bare.docs.tokens),
        (found.docs.offsets, bare.docs.offsets),
        (found.singles, bare.singles),
    ):
        assert one.tolist() == other.tolist()
    assert found.moved.numbers.tolist() == bare.moved.numbers.tolist()
    assert places.offsets.tolist() == found.docs.offsets.tolist()


def test_a_place_far_behind_and_a_long_token_are_kept():
    text = "去" + " " * 254 + "重" + " " * 253 + "w" * 255 + "页" + "w" * 254
    _, places = kernels.text.tokenise_placed(form(), pa.array(["", text], pa.large_string()))
    assert places.far.tolist() == [1, 255, 256, 2, 509, 764, 3, 764, 765]
    assert native(["", text], [(1, 1, 5, 0)])[0][0] == (255, 255, 1019, 1019)


def test_beyond_the_end_stands_behind_the_last_token():
    text = "。去重！"
    assert native([text], [(0, 2, 2, 0), (0, 9, 99, 0), (0, 1, 99, 0), (0, 9, 9, 1), (0, 0, 0, 1), (0, 2, 0, 9)]) == [
        ((3, 3, 3, 3), ""), ((3, 3, 3, 3), ""), ((2, 2, 3, 3), "重"), ((2, 3, 3, 3), "重"), ((1, 1, 1, 2), "去"),
        ((1, 3, 3, 3), "去重"),
    ]  # fmt: skip
    assert native(["", "，。"], [(0, 0, 1, 9), (1, 0, 1, 9), (1, 3, 4, 9)]) == [((0, 0, 0, 0), "")] * 3


def test_marks_within_a_stretch_belong_to_it_and_those_around_do_not():
    text = "“网页，去重。”共3,500个。"
    assert native([text], [(0, 1, 3, 0), (0, 2, 2, 0), (0, 5, 6, 1)]) == [
        ((2, 2, 5, 5), "页，去"), ((4, 4, 4, 4), ""), ((8, 9, 14, 15), "共3,500个"),
    ]  # fmt: skip


def test_long_texts_and_many_stretches_of_several_texts():
    items = ["".join(PIECES[k % len(PIECES)] for k in range(start, start + 60)) for start in (0, 7, 19)]
    some = [(text, 3 * k % 200, 3 * k % 200 + k % 7, k % 12) for text in (2, 0, 1, 0) for k in range(300)]
    want = ref.stretches(items, some[:60] + some[300:340] + some[-40:], TABLES)
    one, four = native(items, some, workers=1), native(items, some, workers=4)
    assert one == four
    assert one[:60] + one[300:340] + one[-40:] == want


def test_no_stretches_at_all():
    assert native(["去重"], []) == []
    assert native([], []) == []


@pytest.mark.parametrize("one", [(1, 0, 1, 0), (-1, 0, 1, 0)])
def test_a_text_that_is_not_there_is_refused(one):
    text, *rest = one
    with pytest.raises(ValueError, match="text"):
        kernels.text.stretches(
            form(), pa.array(["去重"], pa.large_string()), np.array([text]), *(np.array([r]) for r in rest)
        )


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"steps": np.zeros(1, np.uint8)}, "offsets"),
        ({"lengths": np.zeros(1, np.uint8)}, "lengths"),
        ({"far": np.zeros(2, np.int64)}, "far"),
        ({"offsets": np.array([0, 1, 2])}, "places of 2 texts"),
        ({"offsets": np.array([0, 3])}, "offsets"),
    ],
)
def test_places_that_do_not_fit_are_refused(changed, match):
    array = pa.array(["去重"], pa.large_string())
    places = kernels.text.tokenise_placed(form(), array)[1]
    one = np.zeros(1, np.uint32)
    with pytest.raises(ValueError, match=match):
        kernels.text.placed_stretches(places._replace(**changed), array, one, one, one, np.zeros(1, np.uint8))


@given(st.lists(st.integers(-300, 300), max_size=12), st.lists(st.integers(0, 255), min_size=8, max_size=8))
def test_false_places_give_some_answer_within_the_text(far, bytes_):
    array = pa.array(["网页去重"], pa.large_string())
    made = np.array(bytes_, np.uint8)
    places = kernels.text.TokenPlaces(
        made[:4], made[4:], np.array(far[: len(far) // 3 * 3], np.int64), np.array([0, 4])
    )
    first = np.arange(4, dtype=np.uint32)
    found = kernels.text.placed_stretches(
        places, array, np.zeros(4, np.uint32), first, first + 1, np.full(4, 2, np.uint8)
    )
    found.windows.validate(full=True)
    assert all(window in "网页去重" for window in found.windows.to_pylist())


def test_columns_of_different_lengths_are_refused():
    array = pa.array(["去重"], pa.large_string())
    with pytest.raises(ValueError, match="last"):
        kernels.text.stretches(form(), array, np.array([0]), np.array([0]), np.array([0, 1]), np.array([0], np.uint8))
    with pytest.raises(ValueError, match="margin"):
        kernels.text.stretches(form(), array, np.array([0]), np.array([0]), np.array([1]), np.array([256]))
