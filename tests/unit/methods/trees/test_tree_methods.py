"""Covers: structure trees and the methods on them, with worked examples and the flow of Ya 2013.

Compared against: worked figures, tests/twins/tree.py. Run: pytest tests/unit/methods.
"""

import random
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import tree as ref
from twins.text import Tables

import quchong as qc
from quchong import kernels
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.features.statistics import FeatureStatistics
from quchong.features.trees import Comparison, Layers, distinct_nodes, tree_scores
from quchong.kernels.tree import MARKS, Keywords
from quchong.methods.bases.terms import term_form
from quchong.methods.trees.layers import TreeFeatureString, TreeKeySentence, TreeLongSentence, frequent_marks
from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE
from quchong.seam import Documents, KeyJoin, settings_of, with_statistics
from quchong.text import form

METHODS = (TreeLongSentence, TreeKeySentence, TreeFeatureString)
NAMES = tuple(m.name for m in METHODS)
PARAGRAPH = "网页去重很重要。天气不错。我们提出网页去重算法，效果好。"
PLAIN = Tables()


def strings(*values):
    return pa.array(values, pa.large_string())


def outlined(text, blocks=None, title=None, **how):
    return kernels.tree.outline(form(), strings(text), strings(blocks), strings(title), **how)


def documents(*rows):
    """Documents of (text, blocks, title)."""
    texts, blocks, titles = zip(*[(*r, None, None)[:3] for r in rows], strict=True)
    return Documents.from_texts(strings(*texts), blocks=strings(*blocks), title=strings(*titles))


def evidence(method, *rows, left=0, right=1):
    method = with_statistics(method, documents(*rows))
    return method.evidence_of(documents(*rows), np.array([left]), np.array([right]))


def relation(method, *rows):
    found = method.score(documents(*rows), np.array([0], np.uint32), np.array([1], np.uint32), 1)
    return method.rule.decide(found)[0][0] if method.rule.floor(found)[0] else "none"


# --- B0


def test_the_tree_of_the_worked_example():
    lines, blocks = ["题目", "段一", "节一", "段二", "段三", "节二", "段四", "小节三", "段五"], "1p2pp2p3p"
    tree = outlined("\n".join(lines), blocks)
    # T is the root; then p1 S1 p2 p3 S2 p4 S3 p5
    assert tree.depth.tolist() == [1, 1, 2, 2, 1, 2, 2, 3]
    assert tree.parent.tolist() == [-1, -1, 1, 1, -1, 4, 4, 6]
    twin = ref.tree("\n".join(lines), blocks, None, PLAIN)
    assert (twin.depth, twin.parent) == (tree.depth.tolist(), tree.parent.tolist())
    assert [chr(t) for t in twin.title] == ["题", "目"]


@pytest.mark.parametrize(
    ("line", "weight"),
    [("一、总则", 9), ("第一章 总则", 9), ("第12节 方法", 9), ("（一）范围", 8), ("1. 范围", 7), ("1、范围", 7), ("(1) 范围", 6),
     ("1.5万人参加", 0), ("一些人来了", 0), ("今天天气很好", 0), ("一、" + "长" * 40, 0)],
)  # fmt: skip
def test_numbered_lines_weigh_what_they_should(line, weight):
    assert ref.heading_weight(line, "p", 40) == weight
    tree = outlined(f"开头的段落\n{line}\n后面的段落")
    assert tree.depth.tolist() == ([1, 1, 2] if weight else [1, 1, 1])


def test_numbered_headings_nest():
    tree = outlined("一、甲事\n（一）乙事\n1. 丙事\n(1) 丁事\n正文在此\n（二）戊事\n二、己事\n正文又来")
    assert tree.depth.tolist() == [1, 2, 3, 4, 5, 2, 1, 2]


def test_without_headings_there_is_one_layer_below_the_title():
    assert outlined("第一段话\n\n　\n——\n第二段话", None, "题目").depth.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("text", "blocks", "title", "nodes"),
    [
        ("大雪来了北京\n段落", "1p", "大雪来了北京_某某网", 1),  # the heading is the title, the site's name is not
        ("大雪来了北京\n段落", None, "大雪来了北京", 1),  # so is a first line that equals it
        ("段落\n大雪来了北京", None, "大雪来了北京", 2),  # but no later paragraph
        ("新闻\n段落", "1p", "大雪新闻来了", 2),  # nor a short word that happens to stand in it
        ("段落\n小题\n段落", "p3p", None, 2),  # without a title the first heading is the title
        ("段落\n小题\n段落", "p3", None, 3),  # weights of other lines than these are ignored
    ],
)
def test_the_line_that_is_the_title_is_no_node(text, blocks, title, nodes):
    assert outlined(text, blocks, title).sizes.tolist() == [nodes]


def test_the_layer_score_of_the_worked_example():
    a, b = [["x1"], ["a", "b", "c"], ["p", "q"]], [["x1"], ["a", "b", "d"], ["p"]]
    code = {c: [i + 1] for i, c in enumerate(["x1", "a", "b", "c", "d", "p", "q"])}
    layers = [
        ref.match_layers([code[c] for c in x], [code[c] for c in y], "share", 0.0, 64)
        for x, y in zip(a, b, strict=True)
    ]
    assert ref.layer_score(layers, dice=True) == pytest.approx(5 / 6)
    first = ("东方的红日\n甲地的故事\n丙说的是这\n丁说的是那\n乙地的故事\n戊地的故事", "23pp33", "标题是什么呢")
    second = ("东方的红日\n甲地的故事\n丙说的是这\n乙地的故事\n己地的故事", "23p33", "标题是什么呢")
    assert evidence(TreeLongSentence(measure="dice"), first, second)["evidence"][0] == pytest.approx(5 / 6)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(*[st.lists(st.sets(st.integers(1, 6), max_size=2), max_size=4)] * 2), min_size=1, max_size=4),
       st.booleans(), st.floats(0, 0.6))  # fmt: skip
def test_layers_are_scored_as_the_twin_does(pair, dice, least):
    """Two documents of as many layers as there are, their nodes known by any sets."""

    class Given:
        def __init__(self):
            rows = [(d, at + 1, sorted(node)) for d in (0, 1) for at, layers in enumerate(pair) for node in layers[d]]
            self.depth = np.array([r[1] for r in rows], np.int64)
            self.document = np.array([r[0] for r in rows], np.int64)
            self.values = [r[2] for r in rows]

        def __len__(self):
            return 2

        def features(self, which):
            picked = [self.values[i] for i in which]
            return np.array([v for p in picked for v in p], np.uint64), np.cumsum([0, *(len(p) for p in picked)])

    given = Given()
    layers = Layers(given, given.features)
    score = tree_scores(layers, np.array([0]), np.array([1]), Comparison(layer=least, dice=dice)).score
    height = max(layers.height)
    distinct = [[[sorted(n) for n in {frozenset(n) for n in side} if n] for side in layer] for layer in pair[:height]]
    wanted = ref.layer_score([ref.match_layers(*layer, "share", 0.0, 64) for layer in distinct], dice=dice, least=least)
    assert score[0] == pytest.approx(wanted)


def test_equal_nodes_of_a_layer_count_once():
    layer = distinct_nodes(
        np.array([5, 5, 7, 7, 5, 5], np.uint64), np.array([0, 1, 2, 4, 6, 6]), np.array([0, 0, 0, 1, 1]), 3
    )
    assert (layer.values.tolist(), layer.nodes.tolist(), layer.documents.tolist()) == (
        [5, 7, 5],
        [0, 1, 2, 3],
        [0, 2, 3, 3],
    )


def test_features_of_a_layer_are_made_only_where_the_one_above_passed():
    same = ("甲的标题在此\n" + "\n".join(f"小节的正文第{c}段" for c in "甲乙丙丁"), "2pppp", "题目甲乙丙")
    other = ("乙的标题在此\n" + "\n".join(f"小节的正文第{c}段" for c in "甲乙丙丁"), "2pppp", "题目甲乙丙")
    outline = kernels.tree.outline(
        form(), strings(same[0], other[0]), strings(same[1], other[1]), strings(same[2], other[2])
    )
    layers = Layers(outline, lambda which: outline.long_sentences(which))
    score = tree_scores(layers, np.array([0]), np.array([1]), Comparison()).score
    assert (score[0], layers.made) == (0.0, 2)
    assert tree_scores(layers, np.array([0]), np.array([0]), Comparison()).score[0] == 1.0
    assert layers.made == 6  # the second document's paragraphs were never looked at


# --- B1


def test_the_long_sentence_of_the_worked_example():
    (node,) = ref.tree(PARAGRAPH, None, None, PLAIN).nodes
    assert [len(s.spoken) for s in node] == [7, 4, 13] and sum(len(s.spoken) for s in node) == 24
    (longest,) = ref.long_sentences(node)
    assert longest is node[2]
    values, _ = outlined(PARAGRAPH).long_sentences(np.array([0]))
    assert values.tolist() == [ref.sentence_hash(node[2])]


def test_figures_marks_and_spaces_do_not_change_a_long_sentence():
    a, b = (
        outlined(t).long_sentences(np.array([0]))[0] for t in ("他们 3 日去公园，堆雪人。", "他们15日去公园堆“雪人”！")
    )
    assert a.tolist() == b.tolist()


# --- B2


def bigram(word):
    return next(iter(ref.terms([ord(c) for c in word], [False, True])))


def test_the_key_sentences_of_the_worked_example():
    weights = {bigram("网页"): 2, bigram("去重"): 4, bigram("算法"): 3}  # twice 1.0, 2.0, 1.5
    (node,) = ref.tree(PARAGRAPH, None, None, PLAIN).nodes
    assert [sum(weights.get(t, 0) for t in ref.terms(s.tokens, s.joined)) / 2 for s in node] == [3.0, 0, 4.5]
    assert ref.key_sentences(node, weights) == [node[2], node[0]]
    keywords = Keywords(
        np.array(list(weights), np.uint64), np.array(list(weights.values()), np.uint64), np.array([0, 3]), np.array([3])
    )
    values, _ = outlined(PARAGRAPH).key_sentences(np.array([0]), keywords)
    assert values.tolist() == [ref.sentence_hash(node[2]), ref.sentence_hash(node[0])]


def test_keywords_are_frequent_here_and_rare_elsewhere():
    corpus = documents(*[(f"这是第{c}篇文章。公园里有人。", None, None) for c in "甲乙丙丁戊己庚辛"])
    known = with_statistics(TreeKeySentence(), corpus).statistics
    table = TreeKeySentence(statistics=known)
    best = table.keywords_of(outlined("公园里有雪人，雪人很大，雪人很白。", None, None))
    assert best.values[0] == bigram("雪人")
    title = replace(table, keywords=2).keywords_of(outlined("公园里有雪人，雪人很大，雪人很白。" * 3, None, "灯塔"))
    assert bigram("灯塔") in title.values.tolist()[int(title.best[0]) :]


def test_statistics_are_frozen_in_the_settings_and_checked():
    corpus = documents((PARAGRAPH, None, None))
    fitted = with_statistics(TreeKeySentence(), corpus)
    assert settings_of(fitted)["statistics"] == fitted.statistics.digest
    assert with_statistics(fitted, documents(("别的文章", None, None))) is fitted
    wrong = FeatureStatistics(1, np.zeros(1, np.uint64), np.ones(1, np.uint32), 2, {"normalise": "plain"})
    with pytest.raises(UsageError, match="make new statistics"):
        TreeKeySentence(statistics=wrong)
    assert dict(fitted.statistics.form) == term_form("standard")


def test_statistics_can_be_saved_and_named(tmp_path):
    fitted = with_statistics(TreeKeySentence(), documents((PARAGRAPH, None, None)))
    path = fitted.statistics.save(tmp_path / "terms.parquet")
    assert TreeLongSentence(statistics=path).statistics.digest == fitted.statistics.digest


# --- B3


def features(text, marks):
    bits = sum(1 << MARKS.index(c) for c in marks)
    tree = ref.tree(text, None, None, PLAIN)
    found = [f for node in tree.nodes for f in ref.head_tails(node, bits)]
    native = outlined(text)
    assert native.head_tails(np.arange(len(native.depth)), bits)[0].tolist() == [ref.two_hashes(f) for f in found]
    return found


def test_the_feature_strings_of_the_worked_example():
    first = features("今天，北京下了大雪。孩子们很高兴！他们去公园，堆了一个雪人。", "，。")
    second = features("昨天，北京下了大雪。孩子们都很高兴！他们去公园，堆了一个雪人。", "，。")
    assert (first, second) == (["今雪", "他人"], ["昨雪", "他人"])
    assert len(set(first) & set(second)) / len(set(first) | set(second)) == pytest.approx(1 / 3)


han = st.sampled_from("天地人山水火木金土日月星云风雨雪春夏秋冬")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(han, min_size=2, max_size=8).map("".join), min_size=1, max_size=6), st.data())
def test_edits_strictly_inside_a_sentence_leave_the_features_unchanged(sentences, data):
    whole = "".join(s + "。" for s in sentences)
    edited = "".join(
        s[0] + data.draw(st.text(st.sampled_from("东西南北，、“”ab 7"), max_size=4)) + s[1:] + "。" for s in sentences
    )
    assert features(whole, "。") == features(edited, "。") == [s[0] + s[-1] for s in sentences]


def test_high_frequency_marks_are_the_fewest_that_cover_the_share():
    assert frequent_marks(np.array([30, 45, 10, 3, 5, 4, 3]), 0.8) == "，。、"
    assert frequent_marks(np.array([30, 60, 10, 0, 0, 0, 0]), 0.8) == "，。"
    assert frequent_marks(np.zeros(7, np.int64), 0.8) == "，。、"
    assert with_statistics(TreeFeatureString(), documents(("天，地，人。", None, None))).marks == "，。"
    assert with_statistics(TreeFeatureString(marks="！"), documents(("天，地，人。", None, None))).marks == "！"


def test_clauses_are_cut_at_high_frequency_marks():
    rows = [("今天早上，北京下了大雪。", None, "题目"), ("今天早上，北京下了大雪。", None, "题目")]
    method = TreeFeatureString(unit="clause", marks="，。")
    outline = kernels.tree.outline(form(), strings(rows[0][0]), cuts=method.cuts)
    values, _ = method.nodes(outline, None, np.array([0]))
    assert values.tolist() == [ref.two_hashes("今上"), ref.two_hashes("北雪")]


# --- all three

ROW = st.lists(st.lists(han, min_size=4, max_size=9).map(lambda c: "".join(c) + "，甚好。"), min_size=1, max_size=6)


@pytest.mark.parametrize("kind", METHODS)
@settings(max_examples=60, deadline=None)
@given(ROW, ROW, st.integers(0, 6))
def test_scores_are_symmetric_within_bounds_and_1_with_oneself(kind, first, second, shared):
    rows = [("\n".join(first), None, "同一个标题"), ("\n".join(first[:shared] + second), None, "同一个标题")]
    method = with_statistics(kind(min_shared=1), documents(*rows))
    one, other = (evidence(method, *rows, left=a, right=b)["evidence"][0] for a, b in ((0, 1), (1, 0)))
    assert one == pytest.approx(other) and 0 <= one <= 1
    assert evidence(method, *rows, left=0, right=0)["evidence"][0] == pytest.approx(1.0)


@pytest.mark.parametrize("kind", METHODS)
def test_documents_without_features_are_never_pairs(kind):
    rows = [
        ("", None, "同一个标题"),
        ("", None, "同一个标题"),
        ("，。！", None, "同一个标题"),
        ("12 34", None, "同一个标题"),
    ]
    method = with_statistics(kind(min_shared=1), documents(*rows))
    assert not len(meet(method.candidates, documents(*rows), None, 0).left)
    left, right = np.array([0, 0, 2]), np.array([1, 3, 3])
    assert not method.evidence_of(documents(*rows), left, right)["evidence"].any()


SENTENCES = [f"{a}{b}在{c}边说了一番话，众人{d}。" for a, b, c, d in zip("天地人山水火木金土日月星", "云风雨雪春夏秋冬东西南北",
             "江湖河海村乡城镇店铺桥梁", "喜怒哀乐惊恐悲欢爱恨忧愁", strict=True)]  # fmt: skip


@pytest.mark.parametrize("kind", METHODS)
def test_a_page_split_from_another_is_contained_in_it(kind):
    whole = ("\n".join(SENTENCES), None, "长文一篇共三页")
    part = ("\n".join(SENTENCES[4:8]), None, "长文一篇共三页")
    method = with_statistics(kind(), documents(whole, part))
    assert relation(method, part, whole) == CONTAINED_IN
    assert relation(method, whole, part) == CONTAINS
    assert relation(replace(method, subtree=False), part, whole) == CONTAINED_IN
    alien = ("\n".join(reversed(SENTENCES[0:1])) + "\n别的事情在别处，说完了。" * 3, None, "长文一篇共三页")
    assert relation(method, alien, whole) == "none"


@pytest.mark.parametrize("measure", ["overlap", "dice"])
@pytest.mark.parametrize("kind", METHODS)
def test_a_part_of_more_than_half_the_nodes_is_contained_not_a_duplicate(kind, measure):
    whole = ("\n".join(SENTENCES), None, "长文一篇共三页")
    part = ("\n".join(SENTENCES[5:]), None, "长文一篇共三页")
    shorter = ("\n".join(SENTENCES[2:]), None, "长文一篇共三页")
    method = with_statistics(kind(measure=measure), documents(whole, part, shorter))
    assert 2 * len(SENTENCES[5:]) > len(SENTENCES)
    assert relation(method, part, whole) == CONTAINED_IN
    assert relation(method, whole, part) == CONTAINS
    assert relation(method, whole, shorter) == DUPLICATE
    assert evidence(method, whole, part)["evidence"][0] >= method.limit


@pytest.mark.parametrize("kind", METHODS)
def test_a_split_page_is_found_at_the_depth_it_has_there(kind):
    lines, blocks = [], ""
    for i in range(3):
        lines += [f"小节{'甲乙丙'[i]}的题目", *SENTENCES[4 * i : 4 * i + 4]]
        blocks += "2pppp"
    whole, part = ("\n".join(lines), blocks, "长文一篇共三页"), ("\n".join(SENTENCES[4:8]), "pppp", "长文一篇共三页")
    assert evidence(kind(), part, whole)["evidence"][0] == pytest.approx(1.0)
    assert relation(with_statistics(kind(), documents(part, whole)), part, whole) == CONTAINED_IN


@pytest.mark.parametrize("kind", (TreeLongSentence, TreeKeySentence))
def test_one_paragraph_here_and_three_there(kind):
    whole = ("".join(SENTENCES[:3]) + "\n" + SENTENCES[3] + "\n" + SENTENCES[4], None, "长文一篇共三页")
    one = ("".join(SENTENCES[:3]), None, "长文一篇共三页")
    assert relation(with_statistics(kind(), documents(one, whole)), one, whole) == CONTAINED_IN
    more = (whole[0] + "\n" + SENTENCES[5], None, whole[2])
    assert (
        relation(with_statistics(kind(), documents(one, more)), one, more) == "none"
    )  # one node says too little of four


@pytest.mark.parametrize("kind", METHODS)
def test_neither_title_nor_keywords_alike_ends_the_comparison(kind):
    a = ("\n".join(SENTENCES[:4]), None, "春天的故事")
    b = ("\n".join(SENTENCES[:4]), None, "秋天里收成")
    different = kind(keyword=1.0, keywords=100, title=1.0)
    assert evidence(different, a, (b[0] + "\n" + SENTENCES[5], None, b[2]))["evidence"][0] == 0
    assert evidence(different, a, (b[0] + "\n" + SENTENCES[5], None, a[2]))["evidence"][0] > 0.7
    assert evidence(kind(), a, (b[0] + "\n" + SENTENCES[5], None, b[2]))["evidence"][0] > 0.7  # by keywords


LETTERS = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def corpus():
    """Twelve articles, each with a reprint that lost its last paragraphs and won another, and with a page split from it."""
    rng = random.Random(3)

    def passage(n):
        return "".join(rng.choice(LETTERS) for _ in range(n))

    rows = []
    for i in range(12):
        body = [f"{passage(9)}，{passage(12)}。{passage(15)}。" for _ in range(12)]
        name = passage(10)
        rows.append({"id": f"a{i}", "title": name, "text": "\n".join(body)})
        rows.append({"id": f"b{i}", "title": name + "（转载）", "text": "\n".join([*body[:9], "新添一段话，完。"])})
        rows.append({"id": f"c{i}", "title": name, "text": "\n".join(body[3:8])})
    return rows


@pytest.mark.parametrize("name", NAMES)
def test_results_do_not_depend_on_order_or_workers(name):
    rows = corpus()
    first = qc.dedup(rows, method=name, recall_sample=0, workers=1)
    shuffled = random.Random(9).sample(rows, len(rows))
    second = qc.dedup(shuffled, method=name, recall_sample=0, workers=3)
    drop = ("row", "source")
    told = [[{k: v for k, v in r.items() if k not in drop} for r in x.ledger.to_pylist()] for x in (first, second)]
    assert told[0] == told[1]
    assert first.pairs.to_pylist() == second.pairs.to_pylist()
    assert {r["id"] for r in told[0]} == {f"{k}{i}" for k in "bc" for i in range(12)}
    assert {r["relation"] for r in told[0]} == {DUPLICATE, CONTAINED_IN}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_exact_is_exact_and_verify_exact_asks_for_more(name):
    rows = corpus()[:3]
    rows.append({**rows[0], "id": "z"})
    found = {r["id"]: r["relation"] for r in qc.dedup(rows, method=name, recall_sample=0).ledger.to_pylist()}
    assert found["z"] == "exact" and found["b0"] == DUPLICATE
    strict = qc.dedup(rows, method=name, verify="exact", threshold=0.6, recall_sample=0).pairs.to_pylist()
    assert all(p["rule"].startswith(("layers", "equal", "below")) for p in strict)


def test_pairs_meet_only_within_their_scope_and_references_not_with_each_other():
    rows = [
        ("\n".join(SENTENCES[:6]), None, "同题"),
        ("\n".join(SENTENCES[:5]), None, "同题"),
        ("\n".join(SENTENCES[:4]), None, "同题"),
    ]
    for kind in METHODS:
        method = with_statistics(kind(), documents(*rows))
        assert not isinstance(method.candidates, KeyJoin)
        met = meet(method.candidates, documents(*rows), np.array([1, 1, 2], np.uint64), 0)
        assert list(zip(met.left, met.right, strict=True)) == [(0, 1)]
        met = meet(method.candidates, documents(*rows), None, 2)
        assert sorted(zip(met.left, met.right, strict=True)) == [(0, 2), (1, 2)]


@pytest.mark.parametrize(
    ("kind", "how"),
    [(TreeLongSentence, {"layer": 2}), (TreeLongSentence, {"measure": "cosine"}), (TreeLongSentence, {"sentences": 0}),
     (TreeLongSentence, {"min_shared": 0}), (TreeKeySentence, {"rate": 0}), (TreeKeySentence, {"share": 1.5}),
     (TreeFeatureString, {"unit": "word"}), (TreeFeatureString, {"marks": "x"}), (TreeFeatureString, {"marks": ""}),
     (TreeFeatureString, {"bits": 1000}), (TreeFeatureString, {"coverage": 0}), (TreeFeatureString, {"title": 0}),
     (TreeLongSentence, {"title": 0}), (TreeLongSentence, {"keyword": 0}), (TreeKeySentence, {"share": 0}),
     (TreeFeatureString, {"filters": "none"}), (TreeFeatureString, {"threshold": 1.5})],
)  # fmt: skip
def test_parameters_that_cannot_be_used_are_refused(kind, how):
    with pytest.raises(UsageError):
        kind(**how)
