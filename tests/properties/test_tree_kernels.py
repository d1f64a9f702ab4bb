"""Covers: structure trees, what their nodes are known by, and layers beside each other.

Compared against: tests/twins/tree.py. Run: pytest tests/properties.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import tree as ref
from twins.text import Tables

from quchong import kernels
from quchong.text import form

PIECES = [
    "天", "气很", "好人", "去重", "算法", "网页", "一", "十", "二、", "第一章", "第3节", "（二）", "(3)", "1.", "12、", "1.5", "1,234",
    "12:30", "9:", "，", "。", "｡", "！", "?", "……", ".", ". ", ".” ", "”", "」", "、", "；", "：", ",", " ", "\u3000", "\t", "\n", "\n", "\n",
    "abc", "the", "X", "é", "。”", "http://a.cn/x", "國際", "２",
]  # fmt: skip
text = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
block = st.none() | st.lists(st.sampled_from("123456bpp"), max_size=8).map("".join)


@st.composite
def document(draw):
    body = draw(text)
    n = body.count("\n") + 1
    fits = st.lists(st.sampled_from("123bpppp"), min_size=n, max_size=n).map("".join)
    title = st.none() | text.map(lambda t: t.replace("\n", ""))
    line = draw(st.sampled_from(body.split("\n")))
    return body, draw(st.one_of(block, fits, fits)), draw(st.one_of(title, st.just(line), st.just(line + "_某网")))


documents = st.lists(document(), max_size=4)


def tables():
    from quchong.text.normalise import NUMBER_WORDS
    from quchong.text.opencc import folds, phrases

    return Tables(folds(), *phrases(), NUMBER_WORDS)


TABLES = tables()


def strings(values):
    return pa.array(list(values), pa.large_string())


def both(docs, cuts=0, heading=40, normalise="standard", workers=2):
    native = kernels.tree.outline(
        form(normalise), strings(d[0] for d in docs), strings(d[1] for d in docs), strings(d[2] for d in docs),
        cuts=cuts, heading_characters=heading, workers=workers,
    )  # fmt: skip
    twins = [ref.tree(*d, TABLES, full=normalise == "standard", cuts=cuts, heading_characters=heading) for d in docs]
    return native, twins


def ragged(result):
    values, offsets = result
    return [values[a:b].tolist() for a, b in pairwise(offsets.tolist())]


@settings(max_examples=400, deadline=None)
@given(documents, st.integers(0, 127), st.integers(0, 45), st.sampled_from(["standard", "plain"]))
def test_trees_equal_the_twin(docs, cuts, heading, normalise):
    native, twins = both(docs, cuts, heading, normalise)
    assert native.sizes.tolist() == [len(t.depth) for t in twins]
    assert native.depth.tolist() == [d for t in twins for d in t.depth]
    assert native.parent.tolist() == [p for t in twins for p in t.parent]
    assert native.mark_counts.tolist() == [t.counts for t in twins]
    nodes, sentences, marks = native.sentence_tokens()
    flat = [n for t in twins for n in t.nodes]
    assert np.diff(nodes).tolist() == [len(n) for n in flat]
    assert np.diff(sentences).tolist() == [len(s.tokens) for n in flat for s in n]
    assert marks.tolist() == [sum(1 << k for k in s.marks) for n in flat for s in n]
    assert ragged(native.title_pairs()) == [ref.title_pairs(t) for t in twins]
    assert ragged(native.terms()) == [ref.document_terms(t) for t in twins]
    assert ragged(native.terms(title=True)) == [
        ref.document_terms(t) + list(ref.terms(t.title, t.title_joined)) for t in twins
    ]


@settings(max_examples=300, deadline=None)
@given(documents, st.integers(1, 3), st.integers(0, 9), st.integers(1, 4), st.integers(0, 127), st.data())
def test_features_of_nodes_equal_the_twin(docs, count, more_from, least, marks, data):
    native, twins = both(docs)
    flat = [n for t in twins for n in t.nodes]
    which = np.array(data.draw(st.lists(st.integers(0, len(flat) - 1), max_size=9)) if flat else [], np.int64)
    assert ragged(native.long_sentences(which, count, more_from, least)) == [
        [ref.sentence_hash(s) for s in ref.long_sentences(flat[i], count, more_from, least)] for i in which
    ]
    assert ragged(native.head_tails(which, marks)) == [
        [ref.two_hashes(f) for f in ref.head_tails(flat[i], marks)] for i in which
    ]


@settings(max_examples=300, deadline=None)
@given(documents, st.integers(1, 6), st.integers(1, 9), st.data())
def test_keywords_and_key_sentences_equal_the_twin(docs, count, rate, data):
    native, twins = both(docs)
    known = sorted({t for tree in twins for t in ref.document_terms(tree)})
    idf = {t: data.draw(st.integers(1, 4)) for t in known[:5]}
    table = kernels.sketch.feature_weights(np.array(list(idf), np.uint64), np.array(list(idf.values()), np.uint32), 2)
    found = native.keywords(table, count)
    wanted = [ref.keywords(t, idf, 2, count) for t in twins]
    assert ragged((found.values, found.offsets)) == [[v for v, _ in k] for k, _ in wanted]
    assert found.weights.tolist() == [w for k, _ in wanted for _, w in k]
    assert found.best.tolist() == [b for _, b in wanted]
    which = np.arange(len(native.depth))
    assert ragged(native.key_sentences(which, found, rate)) == [
        [ref.sentence_hash(s) for s in ref.key_sentences(node, dict(wanted[d][0]), rate)]
        for d, t in enumerate(twins)
        for node in t.nodes
    ]


value = st.sampled_from([x << 32 | y for x in range(5) for y in (0, 64, 1000)]) | st.integers(0, 2**63 - 1)
side = st.lists(st.lists(st.lists(value, max_size=5).map(lambda v: sorted(set(v))), max_size=5), min_size=3, max_size=3)


def layer(documents):
    nodes = [n for d in documents for n in d]
    return kernels.tree.Layer(
        np.array([v for n in nodes for v in n], np.uint64),
        np.cumsum([0, *(len(n) for n in nodes)]).astype(np.int64),
        np.cumsum([0, *(len(d) for d in documents)]).astype(np.int64),
    )


@settings(max_examples=300, deadline=None)
@given(side, side, st.sampled_from(["share", "filters", "whole"]), st.sampled_from([0.0, 0.5, 1.0]))
def test_layers_beside_each_other_equal_the_twin(a, b, how, least):
    left, right = np.array([0, 1, 2, 0, 2]), np.array([0, 1, 2, 2, 1])
    found = kernels.tree.match_layers(layer(a), layer(b), left, right, how=how, least=least, bits=64, workers=2)
    wanted = [ref.match_layers(a[i], b[j], how, least, 64) for i, j in zip(left, right, strict=True)]
    assert np.allclose(np.stack(found, 1), np.array(wanted), rtol=1e-12, atol=1e-12)
    turned = kernels.tree.match_layers(layer(b), layer(a), right, left, how=how, least=least, bits=64, workers=1)
    assert np.allclose(np.stack(found, 1), np.stack(turned, 1)[:, [1, 0, 3, 2]], rtol=1e-12, atol=1e-12)


def test_check_values_of_the_hashes():
    assert (ref.bkdr(b"abc"), ref.ap(b"abc")) == (1677554, 511219427)
    assert (ref.bkdr("今天天气很好".encode()), ref.ap("今天天气很好".encode())) == (1054510133, 1300858890)
    assert (ref.bkdr("重复文本".encode()), ref.ap("重复文本".encode())) == (807147338, 1547984610)


def test_a_filter_of_1024_bits_counts_fifty():
    rng = np.random.default_rng(7)
    runs = [ref.bloom(rng.integers(0, 2**63, 50).tolist(), 1024) for _ in range(200)]
    assert abs(np.mean([r.bit_count() for r in runs]) - 95.3) < 0.5
    assert abs(np.mean([ref.held(r, 1024) for r in runs]) - 50) < 0.5


def test_what_cannot_be_used_is_refused():
    native, _ = both([("天气", None, None)])
    with pytest.raises(ValueError, match="beyond"):
        native.long_sentences(np.array([1]))
    with pytest.raises(ValueError, match="single characters"):
        kernels.tree.outline(form(tokens="char"), strings(["天"]))
    with pytest.raises(ValueError, match="2 values for 1"):
        kernels.tree.outline(form(), strings(["天"]), strings(["p", "p"]))
    with pytest.raises(ValueError, match="power of two"):
        kernels.tree.match_layers(layer([[]]), layer([[]]), np.zeros(0), np.zeros(0), bits=1000)
