"""Covers: the text kernels. Compared against: tests/twins/{text,hashing}.py. Run: pytest tests/properties."""

import random

import _quchong
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import align as ref_align
from twins import hashing as ref_hashing
from twins import pairs as ref_pairs
from twins import text as ref_text
from twins.characters import mapped

from quchong import kernels
from quchong.text import Preparer, form
from quchong.text.normalise import NUMBER_WORDS
from quchong.text.opencc import folds, phrases

TABLES = ref_text.Tables(folds(), *phrases(), NUMBER_WORDS)
PREPARER = Preparer()

pieces = st.sampled_from(
    [
        "网页去重", "網頁去重與軟體", "滑鼠", "乾坤著名", "一百二十", "二〇二〇", "十一", "一百二", "三千零五", "三五成群", "千百",
        "http://a.b/c?d=1", "HTTPS://x.y", "www.q.com", "awww.q.com", "&nbsp;", "&#38;", "&#x4e2d;", "&bad", "1,234.5",
        "3.5", "1.2.3", "12,34", "1,234,567", "3.5kg", "ＡＢＣ１２３", "①㈱½", "é", "e\u0301", "ガ", "ｶﾞ", "한국", "\u1112\u1161\u11ab",
        "ไทย", "May", "five", "13800138000", "\0", "\u200b", "😀👍🏽", "İΣς", "，。！", " ", "\n", "\r\n", "𠮷𪚥", "㍿㋀",
        "車輛", "⾞", "\ufeff", "ﬁ", "\u0958", "mh0ta8bk", "5G", "—", "…",
        "−5.3%", "+5.3", "-5℃", "5 °C", "涨幅-5%", "3天-5天", "3%-5%", "¥5", "5 €", "$-1,234", "±3", "-5--3", "2019年-3.2%", "％",
    ]
)  # fmt: skip
texts = st.lists(
    st.one_of(
        pieces,
        st.text(max_size=6),
        st.text("一二三百十零网頁a1.,:/ ", max_size=8),
        st.text("年ac15.,-−+±%‰°℃$€ \u3000", max_size=9),
        st.text("年a1 \n-−+*/<>=!|&#^()【】★☆▲●✓👍≥＋", max_size=10),
    ),
    max_size=12,
).map("".join)
safe_texts = texts.map(lambda s: s.encode("utf-8", "ignore").decode())


def known(text: str) -> bool:
    """Only characters the committed table (Unicode 14) and this Python agree on."""
    import unicodedata

    return unicodedata.unidata_version == "14.0.0" or all(unicodedata.category(c) != "Cn" for c in text)


def large(items):
    return pa.array(items, pa.large_string())


CODE = ref_text.Tables(code=True)
lines_of_code = st.lists(
    st.one_of(
        st.sampled_from(
            ["def f(a_b, *$c):", "return x-1 if y != 2.5e3 else None", "//注释（说明）", "Foo::bar<T>&&", "\t", "\n", "İ", "ﬁ", "＿Ａ＋（", "…", "¥5"]
        ),
        st.text("aB_$1.-+*/<>=!|&#^()[]{}@`~'\"\\,;:? \n年（×−", max_size=9),
        pieces,
    ),
    max_size=8,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(lines_of_code, max_size=4))
def test_tokens_of_code_equal_the_twin(items):
    items = [t.encode("utf-8", "ignore").decode() for t in items if known(t)]
    texts = large(items)
    tokens = [ref_text.tokenise(t, CODE) for t in items]
    hashed, _ = kernels.text.hashes(form(tokens="code"), texts)
    lists = [hashed.tokens[a:b].tolist() for a, b in zip(hashed.offsets[:-1], hashed.offsets[1:], strict=True)]
    assert lists == [[t.value for t in some] for some in tokens]
    named = kernels.text.names(form(tokens="code"), texts, places=True)
    assert named.start.tolist() == [t.start for some in tokens for t in some]
    assert named.end.tolist() == [t.end for some in tokens for t in some]


@settings(max_examples=400, deadline=None)
@given(st.lists(safe_texts, max_size=5), st.booleans(), st.booleans())
def test_tokens_places_and_stream_equal_the_twin(items, full, characters):
    items = [t for t in items if known(t)]
    prepared = PREPARER.prepare(large(items))
    how = form("standard" if full else "plain", "char" if characters else "auto")
    got = kernels.text.tokenise(how, prepared.texts, places=True, workers=2)
    bare = kernels.text.tokenise(how, prepared.texts, workers=1)
    prints = kernels.text.fingerprints(how, prepared.texts, ngram=3, short_window=2, long_window=4, long_tokens=9)
    kept = kernels.text.fingerprints(
        how, prepared.texts, ngram=3, short_window=2, long_window=4, long_tokens=9, keep=True
    )
    assert bare.docs.tokens.tolist() == got.docs.tokens.tolist() == kept.docs.tokens.tolist()
    assert bare.docs.offsets.tolist() == kept.docs.offsets.tolist()
    assert all(np.array_equal(a, b) for a, b in zip(prints[:6], kept[:6], strict=True))
    assert prints.docs is None
    for i in range(len(items)):
        text = prepared.texts[i].as_py()
        want = ref_text.tokenise(text, TABLES, full=full, characters=characters)
        part = slice(got.docs.offsets[i], got.docs.offsets[i + 1])
        assert got.docs.tokens[part].tolist() == [t.value for t in want]
        assert list(zip(got.start[part].tolist(), got.end[part].tolist(), strict=True)) == [
            (t.start, t.end) for t in want
        ]
        assert got.singles[i] == sum(ref_text.is_single(t.text) for t in want) == prints.singles[i]
        stream = ref_text.stream(want, characters=characters)
        assert prints.tokens[i] == len(want)
        assert int(prints.high[i]) == ref_hashing.sequence_hash(stream, 0x71756368)
        assert int(prints.low[i]) == ref_hashing.sequence_hash(stream, 0x6F6E6721)
        hashes = ref_hashing.shingle_hashes([t.value for t in want], 3)
        anchors = prints.anchors[prints.offsets[i] : prints.offsets[i + 1]].tolist()
        assert anchors == ref_hashing.winnow(hashes, 2 if len(want) < 9 else 4)


latin_words = st.lists(
    st.one_of(
        st.text("abcxyzÉéßþÿ", min_size=1, max_size=18),
        st.sampled_from(["a" * 7, "b" * 8, "c" * 15, "d" * 16, "e" * 17, "f" * 63, "three", "hundred", "twothree", "a1", "12", "Āb", "ｅｎ", "中", "-5", "$3", "²"]),
    ),
    max_size=60,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(latin_words, st.text(" ,.-'\n/$", min_size=1, max_size=3), st.integers(0, 70))
def test_words_of_latin_letters_equal_the_twin_by_every_instruction_set(words, between, shift):
    # Words are read in blocks of 64 characters: the shift moves where a block ends.
    text = " " * shift + between.join(words)
    want = ref_text.tokenise(text, TABLES)
    stream = ref_text.stream(want)
    for name in _quchong.available_loops():
        _quchong.use_loops(name)
        got = kernels.text.tokenise(form(), large([text]), places=True)
        assert got.docs.tokens.tolist() == [t.value for t in want]
        assert list(zip(got.start.tolist(), got.end.tolist(), strict=True)) == [(t.start, t.end) for t in want]
        assert int(kernels.text.fingerprints(form(), large([text])).high[0]) == ref_hashing.sequence_hash(
            stream, 0x71756368
        )
        hashed, _ = kernels.text.hashes(form(), large([text]))
        assert hashed.tokens.tolist() == [t.value for t in want]


@settings(max_examples=300, deadline=None)
@given(safe_texts)
def test_preparing_then_mapping_is_nfkc_of_the_whole_text(text):
    import unicodedata

    if not known(text):
        return
    prepared = PREPARER.prepare(large([text])).texts[0].as_py()
    whole = unicodedata.normalize("NFKC", text.replace("，", "、"))
    want = [c for ch in whole for c in mapped(ch) if c.isalnum()]
    got = [t.text for t in ref_text.tokenise(prepared, TABLES, full=False, characters=True)]
    assert [c for c in got if c.isalnum()] == want


@settings(max_examples=200, deadline=None)
@given(safe_texts)
def test_edits_lead_back_to_the_original(text):
    prepared = PREPARER.prepare(large([text]))
    edit = prepared.edits.get(0)
    new = prepared.texts[0].as_py()
    if edit is None:
        assert new == text
        return
    import unicodedata

    starts = [edit.back(i, i + 1)[0] for i in range(len(new))]
    assert starts == sorted(starts)
    for i, c in enumerate(new):
        a, b = edit.back(i, i + 1)
        assert 0 <= a < b <= len(text)
        assert c in unicodedata.normalize("NFKC", text[a:b]) or c == text[a:b]


@given(st.lists(st.integers(0, 2**32 - 1), max_size=40), st.integers(1, 12), st.integers(1, 20))
def test_shingles_and_winnowing_equal_the_twin(tokens, ngram, window):
    array = np.array(tokens, np.uint32)
    want = ref_hashing.shingle_hashes(tokens, ngram)
    for name in _quchong.available_loops():
        _quchong.use_loops(name)
        assert kernels.text.shingle_hashes(array, ngram).tolist() == want
        assert kernels.text.winnow(np.array(want, np.uint64), window).tolist() == ref_hashing.winnow(want, window)


@settings(max_examples=200, deadline=None)
@given(st.lists(safe_texts, min_size=2, max_size=6), st.data())
def test_equal_forms_and_passages_equal_the_twin(items, data):
    items = [t for t in items if known(t)]
    if len(items) < 2:
        return
    array = PREPARER.prepare(large(items)).texts
    plain = [array[i].as_py() for i in range(len(items))]
    n = len(items)
    pairs = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=6))
    left, right = (np.array([p[k] for p in pairs], np.uint32) for k in (0, 1))
    got = kernels.text.equal_forms(form(), array, left, right, 2).tolist()
    tokens = [ref_text.tokenise(t, TABLES) for t in plain]
    assert got == [
        int(ref_text.stream(tokens[a]) == ref_text.stream(tokens[b]) or plain[a] == plain[b]) for a, b in pairs
    ]
    w, least = np.full(len(pairs), 3, np.uint8), np.full(len(pairs), 2, np.uint32)
    offsets, places = kernels.align.passages(form(), array, left, right, w, least, 2)
    for k, (a, b) in enumerate(pairs):
        va, vb = [t.value for t in tokens[a]], [t.value for t in tokens[b]]
        want = [
            (tokens[a][j].start, tokens[a][j + m - 1].end, tokens[b][i].start, tokens[b][i + m - 1].end)
            for i, j, m in ref_align.equal_runs(vb, va, 3, 2)
        ]
        assert [tuple(p) for p in places[offsets[k] : offsets[k + 1]].tolist()] == want


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_passages_with_one_text_are_those_of_each_pair_alone(seed, width):
    """Copies of one text, equal ones among them, at changing widths: what was prepared for one pair is not taken for another."""
    draw = random.Random(seed)
    whole = [draw.choice(["天地人", "river ", "水 12", "a ", "山。"]) for _ in range(draw.randint(1, 40))]
    items = ["".join(whole)]
    for _ in range(8):
        copy = list(whole)
        for _ in range(draw.randint(0, 2)):
            copy[draw.randrange(len(copy))] = draw.choice(["海", "lake ", ""])
        items.append("".join(copy))
    array = large([*items, "", ""])
    pairs = [
        (draw.randrange(len(array)), draw.randrange(3) if draw.random() < 0.7 else draw.randrange(len(array)))
        for _ in range(30)
    ]
    left, right = (np.array([p[k] for p in pairs], np.uint32) for k in (0, 1))
    w = np.array([draw.randint(1, width) for _ in pairs], np.uint8)
    least = np.array([draw.randint(1, 5) for _ in pairs], np.uint32)
    offsets, places = kernels.align.passages(form(), array, left, right, w, least, 2)
    for k in range(len(pairs)):
        alone = kernels.align.passages(form(), array, *(column[k : k + 1] for column in (left, right, w, least)), 1)[1]
        assert np.array_equal(places[offsets[k] : offsets[k + 1]], alone)


@pytest.mark.parametrize(
    ("run", "digits"),
    [("一百二十", "120"), ("二〇二〇", "2020"), ("十一", "11"), ("三千零五", "3005"), ("一千零五十", "1050"), ("二十", "20"),
     ("一百二", None), ("千百", None), ("百二十", None), ("三千零", None), ("零零七", "007"), ("一百零一", "101")],
)  # fmt: skip
def test_numeral_runs(run, digits):
    assert ref_text.numeral(run) == digits


def test_broken_utf8_is_read_without_harm():
    bad = [b"\xff\xfe\xe4\xb8", "好".encode() + b"\xe5\xa5", b"\xf0\x9f\x98", b"\xc3"]
    array = pa.array(bad, pa.large_binary()).cast(pa.large_string(), safe=False) if False else None
    if array is None:
        data = b"".join(bad)
        offsets = np.cumsum([0, *map(len, bad)]).astype(np.int64)
        array = pa.LargeStringArray.from_buffers(4, pa.py_buffer(offsets), pa.py_buffer(data))
    got = kernels.text.tokenise(form(), array, places=True)
    assert got.docs.tokens.tolist() == [ord("好")]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(safe_texts, min_size=1, max_size=6),
    st.lists(safe_texts, min_size=1, max_size=4),
    st.sampled_from([0.2, 0.5, 1.0]),
)
def test_overlaps_with_a_sample_equal_the_twin(items, sample, least):
    items, sample = ([t for t in group if known(t)] or ["今天"] for group in (items, sample))
    texts, chosen = (PREPARER.prepare(large(group)).texts for group in (items, sample))
    docs, singles, *_ = kernels.text.tokenise(form(), chosen)
    is_long = ((docs.lengths >= 9) & (2 * singles.astype(np.int64) >= docs.lengths)).astype(np.uint8)
    got = kernels.pairs.sample_overlaps(
        form(), texts, docs, is_long, w_short=2, w_long=3, long_tokens=9, least=least, workers=2
    )
    got = sorted(zip(*(a.tolist() for a in got), strict=True))
    tokenised = [ref_text.tokenise(texts[i].as_py(), TABLES) for i in range(len(items))]
    want = []
    for i, mine in enumerate(tokenised):
        long = len(mine) >= 9 and 2 * sum(ref_text.is_single(t.text) for t in mine) >= len(mine)
        values = [t.value for t in mine]
        for k in range(len(sample)):
            other = docs.tokens[docs.offsets[k] : docs.offsets[k + 1]].tolist()
            w = 3 if long and is_long[k] else 2
            shared, mine_size = ref_pairs.shared_shingles(values, other, w), ref_pairs.distinct_shingles(values, w)
            if shared and shared >= least * min(mine_size, ref_pairs.distinct_shingles(other, w)):
                want.append((i, k, shared, mine_size))
    assert got == sorted(want)
    kept, ones, *_ = kernels.text.tokenise(form(), texts)
    index = np.arange(len(items))[::-1].copy()
    of_kept = kernels.pairs.kept_overlaps(
        kept, ones, index, docs, is_long, w_short=2, w_long=3, long_tokens=9, least=least, workers=2
    )
    turned = [
        (int(index[i]), k, shared, size) for i, k, shared, size in zip(*(a.tolist() for a in of_kept), strict=True)
    ]
    assert sorted(turned) == sorted(want)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=5), min_size=1, max_size=6), st.data())
def test_taken_tokens_are_those_of_the_documents_named(docs, data):
    offsets = np.cumsum([0, *map(len, docs)]).astype(np.int64)
    ragged = kernels.arrays.Ragged(np.array([t for doc in docs for t in doc], np.uint32), offsets)
    index = data.draw(st.lists(st.integers(0, len(docs) - 1), max_size=200))
    taken = kernels.text.take_tokens(ragged, np.array(index, np.int64), 2)
    assert [p.tolist() for p in np.split(taken.tokens, taken.offsets[1:-1])][: len(index)] == [docs[i] for i in index]
    assert taken.lengths.tolist() == [len(docs[i]) for i in index]
