"""Covers: what methods say they see (`Extras.sights`) and hold a pair to (`Extras.gates`).

Compared against: the papers' own examples, the sets the methods really compare, `compare`. Run: pytest tests/unit/methods/test_sights.py.
"""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from method_package import CODE

import quchong as qc
from quchong.kernels.elements import strings
from quchong.methods import PLACES
from quchong.plan.catalogue import build
from quchong.seam import Documents, Gate, Marks, SetJoin, Signature, TextValues, Values, with_statistics

ROOT = Path(__file__).parents[3]
NEWS = {row["id"]: row for row in map(json.loads, (ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines())}
PAIRS = {"excerpt": ("n009", "n005"), "exact": ("n006", "n005"), "apart": ("n001", "n050"), "english": ("n090", "n091")}
SHORT = ("今天天气很好", "今天天气真好")
RALLY = (
    "at a rally to kick off a weeklong campaign for the south carolina primary obama tried to set the record straight from an "
    "attack circulating widely on the internet that is designed to play into prejudices against muslims and fears of terrorism"
)


def documents(*texts, **columns):
    return Documents.from_texts(pa.array(texts, pa.large_string()), **{k: pa.array(v) for k, v in columns.items()})


def sights(method, docs, **parameters):
    return {s.what: s for s in with_statistics(build(method, parameters), docs, 1).sights(docs, 1)}


def said(marks, docs, i=0):
    """What stands for the marks of a document that count."""
    text = strings(docs.texts)[i]
    here = marks.rows_of(i)
    words = marks.words[here] if marks.words is not None else [text[a:b] for a, b in marks.places[here].tolist()]
    return [w for w, counts in zip(words, marks.counted[here].tolist(), strict=True) if counts]


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("pair", PAIRS)
def test_every_method_says_what_it_sees_and_the_scores_are_those_of_compare(name, pair):
    left, right = (NEWS[i] for i in PAIRS[pair])
    found, compared = qc.inspect(left, right, method=name), qc.compare(left, right, method=name)
    assert found.comparison == compared
    assert found.seen.sights and all(isinstance(s, Marks | Signature | Values | TextValues) for s in found.seen.sights)
    columns = {**compared.measures, "jaccard": compared.jaccard, "containment_left": compared.containment_left,
               "containment_right": compared.containment_right}  # fmt: skip
    told = [g for g in found.seen.gates if g.column and g.column not in ("facts", "name_swap")]
    assert told or compared.relation == "exact" or name == "exact"
    for gate in told:
        assert gate.value == pytest.approx(columns[gate.column], abs=0), (gate, name)
    for sight in found.seen.sights:
        if isinstance(sight, Marks):
            assert len(sight.places) == len(sight.values) == len(sight.counted) == sight.offsets[-1]
            assert all(len(v) == len(sight.values) for v in sight.figures.values())
            for i, text in enumerate(found.seen.texts):
                places = sight.places[sight.rows_of(i)]
                assert (places >= 0).all() and (places <= len(text)).all() and (places[:, 0] <= places[:, 1]).all()


@pytest.mark.parametrize("name", PLACES)
def test_every_method_looks_at_one_document_at_short_ones_and_at_none_of_words(name):
    for given in ((NEWS["n005"],), SHORT, ("", "。！"), ("哈", "哈哈"), ("one word", "two words here")):
        found = qc.inspect(*given, method=name)
        assert found.seen.sights and str(found) and found.to_dict()["method"] == name
        assert (found.comparison is None) == (len(given) == 1)


OF_THE_WHOLE = {
    "url",
    "hamming-lsh",
    "henzinger",
    "lsh",
    "lsh-s",
    "lsh-p",
    "imatch",
    "imatch-s",
    "imatch-p",
    "imatch-random",
    "kmatch",
    "graph",
    "check",
    "lcs",
    "sl-st",
}
"""What documents meet by under these has no one place in a text: keys made of many features, pairs of sentences or of words, words
counted over a whole section."""
PLACED = [n for n in PLACES if n not in OF_THE_WHOLE and isinstance(build(n, {}).candidates, SetJoin)]


@pytest.mark.parametrize("name", PLACED)
def test_what_a_set_join_compares_has_its_place_in_the_text(name):
    docs = documents(NEWS["n005"]["text"], NEWS["n090"]["text"], NEWS["n006"]["text"][40:])
    method = with_statistics(build(name, {}), docs, 1)
    sets, seen = method.candidates.sets(docs, 1), [s for s in method.sights(docs, 1) if isinstance(s, Marks)]
    assert len(PLACED) > 10 and len(sets.values)
    for i in range(3):
        mine = sets.values[sets.offsets[i] : sets.offsets[i + 1]]
        placed = np.concatenate([s.values[s.rows_of(i)][s.counted[s.rows_of(i)]] for s in seen])
        assert np.isin(mine, placed).all(), name


def test_anchors_are_the_shingles_that_winnowing_selects():
    docs = documents(NEWS["n005"]["text"])
    method = build("hybrid", {})
    (anchors,) = method.sights(docs, 1)
    keys = np.unique(method.represent(docs.texts, 1).values)
    assert np.array_equal(np.unique(anchors.values[anchors.counted]), keys)
    assert all(len(w) >= 5 for w in said(anchors, docs))


def test_two_equal_blocks_stand_around_the_sentence_with_other_first_terms():
    """Feng 2015a: of five sentences the third begins otherwise."""
    same = [
        "市政府周一召开新闻发布会。",
        "新线路全长二十公里。",
        "工程计划明年六月完工。",
        "市民可以通过热线提出意见。",
    ]
    texts = [
        "".join([*same[:2], third, *same[2:]]) for third in ("记者昨天采访了三位居民。", "专家上午回答了两个问题。")
    ]
    marks = sights("sl-st", documents(*texts))["lengths"]
    assert marks.figures["block"].tolist() == [1, 1, 0, 2, 2] * 2
    four = [
        "".join([same[0], *middle, same[3]])
        for middle in (("记者昨天采访了三位居民。", "专家们都来了。"), ("天气很好。", "居民提问。"))
    ]
    assert not sights("sl-st", documents(*four))["lengths"].figures["block"].any()


def test_sentences_too_long_are_seen_and_left_out():
    text = "短句在前面。第二句也短。" + "城桥" * 150 + "。" + "后面还有一句。最后再来一句。"
    marks = sights("sl-st", documents(text, text + "多一句。"), tokens="char")["lengths"]
    assert marks.why == "too long" and marks.counted[marks.rows_of(0)].tolist() == [True, True, False, True, True]


def test_the_seven_spot_signatures_of_the_paper():
    """Theobald 2008, its own sentence."""
    docs = documents(RALLY)
    given = {"antecedents": "a,an,the,is", "chain": 2, "idf_low": 0.0,
             "stop_words": "a,an,the,is,at,to,off,for,from,on,that,into,against,and,of"}  # fmt: skip
    assert said(sights("spotsigs", docs, **given)["spots"], docs) == [
        "a·rally·kick", "a·weeklong·campaign", "the·south·carolina", "the·record·straight", "an·attack·circulating",
        "the·internet·designed", "is·designed·play",
    ]  # fmt: skip


def test_full_stops_know_what_stands_before_them():
    """Wei 2013, the rules' example: white space and an empty sentence make nothing, and what follows the last 。 is not seen."""
    text = (
        "首页新闻体育今天上午九点市政府召开了新闻发布会。会议很成功。。市长出席并回答了记者提出的十二个问题。版权所有"
    )
    docs = documents(text)
    expected = ["政府召开了新闻发布会。", "会议很成功。", "记者提出的十二个问题。"]
    assert said(sights("ccdet", docs)["stops"], docs) == expected
    assert len(sights("ccdet", docs, characters="normal")["stops"].values) == 3
    around = sights("feature-code", docs, length=8)["stops"]
    assert said(around, docs)[0] == "闻发布会。会议很成"


@pytest.mark.parametrize("closing", ["”", "」 ", "）\n"])
def test_closing_quotes_behind_a_stop_belong_to_no_feature(closing):
    docs = documents(f"他说：“明天会下雨。{closing}第二天果然下了雨。完")
    method = build("ccdet", {})
    (marks,) = method.sights(docs, 1)
    sets = method.sets_of(docs, 1)
    assert len(marks.values) == 2 and set(marks.values.tolist()) == set(sets.values.tolist())


def test_what_a_site_says_on_every_page_is_noise():
    """Wei 2013, pruning: what stands on three pages of one site does not count there."""
    rows = [json.loads(line) for line in (ROOT / "examples" / "papers" / "sites.jsonl").read_text("utf-8").splitlines()]
    result = qc.dedup(rows, method="ccdet")
    seen = result.inspect("p1", "q1").seen
    (marks,) = seen.sights
    assert marks.why == "noise" and marks.counted.tolist() == [True, True, False, True, True]
    gates = {g.what: g for g in seen.gates}
    assert gates["evidence.ccdet"].value == 1 and gates["clr"].value == 1 and seen.counted == "run"
    assert {g.what: g.value for g in result.inspect("p1", "q2").seen.gates}["evidence.ccdet"] == 0


def test_the_long_and_the_key_sentences_of_a_paragraph():
    """Huang 2010; Ya 2013, chapter 3."""
    docs = documents("网页去重很重要。天气不错。我们提出网页去重算法，效果好。")
    assert said(sights("tree-long-sentence", docs)["sentences.tree-long-sentence"], docs) == [
        "我们提出网页去重算法，效果好。"
    ]
    key = said(sights("tree-key-sentence", docs)["sentences.tree-key-sentence"], docs)
    assert "网页去重很重要。" in key and "我们提出网页去重算法，效果好。" in key


def test_first_and_last_characters_count_where_a_frequent_mark_stands():
    """Ya 2013, chapter 4: a change inside a sentence changes nothing."""
    docs = documents(
        "今天，北京下了大雪。孩子们很高兴！他们去公园，堆了一个雪人。",
        "昨天，北京下了大雪。孩子们都很高兴！他们去公园，堆了一个雪人。",
    )
    marks = sights("tree-feature-string", docs, marks="，。")["sentences.tree-feature-string"]
    assert marks.counted.tolist() == [True, False, True] * 2
    own = [set(marks.values[marks.rows_of(i)][marks.counted[marks.rows_of(i)]].tolist()) for i in (0, 1)]
    assert len(own[0] & own[1]) == 1 and len(own[0] | own[1]) == 3  # Jaccard 1/3


def test_the_tree_of_a_page_has_the_depths_of_the_specification():
    text = "年度报告总览\n第一段正文。\n线路\n第二段正文。\n第三段正文。\n车站\n第四段正文。\n换乘\n第五段正文。"
    docs = documents(text, blocks=["1p2pp2p3p"], title=[None])
    tree = sights("tree-key-sentence", docs)["tree"]
    assert tree.figures["depth"].tolist() == [1, 1, 2, 2, 1, 2, 2, 3]
    assert said(tree, docs) == text.split("\n")[1:]


def test_layers_are_told_with_their_scores():
    one = "地铁四号线今天开通。\n早班车六点发车。\n票价两元起步。"
    two = "地铁四号线今天开通。\n早班车六点发车。\n末班车十点收车。"
    docs = documents(one, two, title=["地铁四号线开通运营"] * 2, blocks=["ppp"] * 2)
    method = with_statistics(build("tree-long-sentence", {}), docs, 1)
    both = np.array([0]), np.array([1])
    gates = {g.what: g for g in method.gates(docs, method.score(docs, *both, 1), 1)}
    assert gates["title"].value == 1 and gates["layer 1"].value == pytest.approx(2 / 3)
    assert gates["evidence.tree-long-sentence"].value == pytest.approx(2 / 3) and "keywords" not in gates


def test_bits_that_differ_are_as_many_as_the_distance():
    docs = documents(*SHORT)
    bits = sights("two-stage", docs)["bits"]
    method = build("two-stage", {})
    measured = method.score(docs, np.array([0]), np.array([1]), 1)["evidence"][0]
    assert int((bits.values[0] != bits.values[1]).sum()) == measured
    assert bits.values.shape == (2, 64) and set(np.unique(bits.values)) <= {0, 1}


def test_values_of_a_signature_agree_about_as_often_as_the_shingles():
    docs = documents(NEWS["n005"]["text"], NEWS["n005"]["text"][:400])
    signed = sights("minhash", docs, num_perm=1024)["minhash"]
    agree = (signed.values[0] == signed.values[1]).mean()
    exact = qc.compare(NEWS["n005"]["text"], NEWS["n005"]["text"][:400], method="minhash").jaccard
    assert abs(agree - exact) < 4 * (exact * (1 - exact) / 1024) ** 0.5


def test_containment_of_the_smaller_shingle_set():
    """Broder 1997a: b c d e in a b c d e f g has containment 1."""
    found = qc.inspect("b c d e", "a b c d e f g", method="shingling", ngram_size=1)
    gates = {g.what: g for g in found.seen.gates}
    assert gates["inside"].value == pytest.approx(1) and gates["evidence.shingling"].value == pytest.approx(4 / 7)


def test_a_method_of_another_package_has_a_view_without_a_line_of_its_own():
    space = {"__name__": "quchong_opening"}
    exec(compile(CODE, "quchong_opening.py", "exec", dont_inherit=True), space)  # the guide's own
    Opening = space["Opening"]
    found = qc.inspect(NEWS["n005"], NEWS["n006"], method=Opening())
    assert [s.what for s in found.seen.sights] == ["keys"] and isinstance(found.seen.sights[0], Values)
    assert [g.what for g in found.seen.gates] == ["equal"]
    differs = qc.inspect(NEWS["n005"]["text"], NEWS["n005"]["text"][:-30], method=Opening())
    assert {"met.keys", "jaccard"} <= {g.what for g in differs.seen.gates} and "keys" in str(differs)


def test_places_are_those_of_the_original_where_something_was_taken_out():
    text = "看这里 https://example.com/a/b?c=d 今天召开新闻发布会。会议开得很成功。"
    found = qc.inspect(text, method="ccdet", strip="urls" if "urls" in _strips() else next(iter(_strips())))
    (marks,) = found.seen.sights
    for start, end in marks.places.tolist():
        assert found.seen.texts[0][start:end].endswith("。")


def _strips():
    from quchong.text.prepare import STRIP_PATTERNS

    return STRIP_PATTERNS


def test_a_gate_is_plain_data():
    assert Gate("x", 1.0) == Gate("x", 1.0) and Gate("x", 1.0).passed is None
