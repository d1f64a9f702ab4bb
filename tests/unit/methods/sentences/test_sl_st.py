"""Covers: SL+ST: strings of sentence lengths, blocks, both routes, the filter of neighbours, passages.

Compared against: worked examples, brute force over all pairs. Run: pytest tests/unit/methods.
"""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong import kernels
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.features import lengths
from quchong.features.lengths import LengthStrings
from quchong.features.sentences import Sentences
from quchong.methods.sentences.sl_st import SlSt
from quchong.seam import Documents

LEFT, RIGHT = np.array([0], np.uint32), np.array([1], np.uint32)
WORDS = [a + b for a in "bcdfghjklmnp" for b in ("ra", "ti", "lo", "mu")]


def docs_of(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def sentence(length, first=0):
    """A sentence of so many words, the first two of which say `first`."""
    return " ".join([f"x{first}", f"y{first}", *WORDS, *WORDS][:length]) + ". "


def text(*lengths, other=()):
    """Sentences of these lengths; those in `other` (places) begin with other words."""
    return "".join(sentence(n, first=1 if k in other else 0) for k, n in enumerate(lengths))


def judged(method, *texts):
    return {k: v[0] for k, v in method.score(docs_of(*texts), LEFT, RIGHT, 1).items()}


def blocks(method, *texts):
    strings = method._strings(docs_of(*texts), 1)
    found = strings.blocks(LEFT, RIGHT, split=method.route == "split", min_block=method.min_block)
    return [tuple(b) for b in found.blocks.tolist()]


@pytest.fixture(params=["combined", "split"])
def route(request):
    return request.param


def test_worked_example_one(route):
    method = SlSt(route=route)
    five = (5, 7, 9, 6, 8)
    assert blocks(method, text(*five), text(*five, other={2})) == [(0, 0, 2), (3, 3, 2)]
    four = (5, 7, 9, 6)
    assert blocks(method, text(*four), text(*four, other={1, 2})) == []
    assert judged(method, text(*four), text(*four, other={1, 2}))["evidence"] == 0


def test_worked_example_two(route):
    a, b = text(5, 12, 7, 9, 3), text(8, 12, 7, 9, 3, 5, other={4})
    strings = SlSt()._strings(docs_of(a, b), 1)
    lengths = np.split(strings.lengths.symbols, strings.lengths.offsets[1:-1])
    assert [x.tolist() for x in lengths] == [[5, 12, 7, 9, 3], [8, 12, 7, 9, 3, 5]]
    raw, _ = kernels.runs.maximal_runs(*lengths)
    assert raw.tolist() == [[0, 5, 1], [1, 1, 4]]
    method = SlSt(route=route)
    assert blocks(method, a, b) == [(1, 1, 3)]
    found = judged(method, a, b)
    assert found["evidence"] == 3 / 8
    assert max(found["covered_left"], found["covered_right"]) == 3 / 5
    assert (found["features_left"], found["features_right"]) == (5, 6)


def test_blocks_as_features():
    """One block; the first sentence of A, and of B the first and what follows the block: 1 / (1 + 2 + 2)."""
    a, b = text(5, 12, 7, 9, 3), text(8, 12, 7, 9, 3, 5, other={4})
    assert judged(SlSt(mode="blocks"), a, b)["evidence"] == 1 / 5
    assert judged(SlSt(mode="blocks"), a, a)["evidence"] == 1
    assert judged(SlSt(mode="blocks"), text(5, 6), text(7, 8))["evidence"] == 0
    # A wholly in B, which goes on: one stretch.
    assert judged(SlSt(mode="blocks"), text(5, 6, 7), text(5, 6, 7, 9, 4))["evidence"] == 1 / 2


def test_long_sentences_are_left_out_or_kept_as_gaps():
    a, b = text(5, 6, 40, 7, 8), text(5, 6, 7, 8)
    joined = judged(SlSt(max_len=35), a, b)
    assert joined["evidence"] == 1 and joined["features_left"] == 4
    apart = SlSt(max_len=35, keep_gap=True)
    assert blocks(apart, a, b) == [(0, 0, 2), (3, 2, 2)]
    assert judged(apart, a, a)["evidence"] == 1
    for mode in ("sentences", "blocks"):
        assert judged(SlSt(max_len=35, keep_gap=True, mode=mode), a, a)["evidence"] == 1


def test_a_sentence_of_one_term_agrees_with_its_like_alone():
    a, b = "Xylem. Tigers roar loudly. ", "Yeast. Tigers roar loudly. "
    assert judged(SlSt(), a, a)["evidence"] == 1
    assert judged(SlSt(), a, b)["evidence"] == 0
    assert judged(SlSt(), "The tigers. They roar. ", "A tigers. We roar. ")["evidence"] == 1  # stop words aside
    assert judged(SlSt(stop_words="none"), "The tigers. They roar. ", "A tigers. We roar. ")["evidence"] == 0


def test_words_of_chinese_are_those_of_its_simplified_form():
    simple = "记者从市政府获悉今年将修建十条道路。专家认为这将改善交通状况。市民表示非常支持这一决定。"
    complicated = "記者從市政府獲悉今年將修建十條道路。專家認為這將改善交通狀況。市民表示非常支持這一決定。"
    found = judged(SlSt(), simple, complicated)
    assert found["evidence"] == 1 and found["features_left"] == 3
    lengths = SlSt(stop_words="none")._strings(docs_of(simple), 1).lengths.symbols
    characters = SlSt(stop_words="none", tokens="auto")._strings(docs_of(simple), 1).lengths.symbols
    assert (lengths < characters).all() and (lengths >= 5).all()


def corpus(rng, n=60):
    pool = [text(*rng.integers(2, 9, 3), other=set(rng.integers(0, 3, 1).tolist())) for _ in range(25)]
    return ["".join(pool[k] for k in rng.integers(0, len(pool), rng.integers(1, 6))) for _ in range(n)]


@pytest.mark.parametrize("least", [0.05, 0.3, 0.5])
@pytest.mark.parametrize(
    "settings", [{}, {"min_block": 3}, {"min_block": 1}, {"mode": "blocks"}, {"max_len": 6, "keep_gap": True}]
)
def test_the_filter_of_neighbours_loses_no_pair(least, settings):
    """Against all pairs by brute force, repeated sentences and all."""
    documents = docs_of(*corpus(np.random.default_rng(4)))
    method = SlSt(least=least, **settings)
    met = meet(method.candidates, documents, None, 0, 2)
    left, right = (np.array(x, np.uint32) for x in zip(*combinations(range(len(documents)), 2), strict=True))
    accepted = method.rule.floor(method.evidence_of(documents, left, right, 2))
    wanted = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
    assert 20 < len(wanted) < len(left)
    assert set(zip(met.left.tolist(), met.right.tolist(), strict=True)) == wanted


def test_a_sentence_between_two_gaps_counts_though_no_block_holds_it():
    """The 5 of A and the 9 of B differ: two of three sentences are common, 2 / (3 + 3 - 2), as without `keep_gap`."""
    a, b = text(40, 5, 40, 6, 7), text(40, 9, 40, 6, 7)
    apart = judged(SlSt(max_len=35, keep_gap=True), a, b)
    assert (apart["features_left"], apart["features_right"]) == (3, 3)
    assert apart["evidence"] == judged(SlSt(max_len=35), a, b)["evidence"] == 2 / 4
    assert apart["covered_left"] == 2 / 3
    # By blocks: one block, and one stretch on either side.
    assert judged(SlSt(max_len=35, keep_gap=True, mode="blocks"), a, b)["evidence"] == 1 / 3
    # No stretch is long enough for a block: there is nothing to compare.
    assert judged(SlSt(max_len=35, keep_gap=True), text(5, 40, 6, 40, 7), a)["features_left"] == 0


def test_both_routes_say_the_same_and_neither_side_is_the_left_one():
    documents = docs_of(*corpus(np.random.default_rng(5), 40))
    left, right = (np.array(x, np.uint32) for x in zip(*combinations(range(40), 2), strict=True))
    for settings in ({}, {"mode": "blocks"}, {"max_len": 6, "keep_gap": True}, {"min_block": 3}):
        one = SlSt(**settings).evidence_of(documents, left, right, 2)
        other = SlSt(route="split", **settings).evidence_of(documents, right, left, 1)
        assert ((one["evidence"] >= 0) & (one["evidence"] <= 1)).all() and (one["evidence"] > 0).any()
        for key in one:
            turned = key.replace("left", "#").replace("right", "left").replace("#", "right")
            assert (one[key] == other[turned]).all(), key


def test_what_has_features_is_like_itself_and_what_has_none_is_like_nothing():
    texts = [*corpus(np.random.default_rng(6), 30), "", "。", "Only one sentence here.", "……！"]
    every = np.arange(len(texts), dtype=np.uint32)
    found = SlSt().evidence_of(docs_of(*texts), every, every)
    featured = found["features_left"] > 0
    assert featured.sum() == 30
    assert (found["evidence"][featured] == 1).all() and (found["evidence"][~featured] == 0).all()
    assert not SlSt().rule.floor(found)[~featured].any()
    assert len(meet(SlSt().candidates, docs_of("", "。", "One.", "Two."), None, 0).left) == 0


def test_passages_are_blocks_and_say_whether_all_is_equal():
    a = "One begins the story. Tigers roar loudly at night. Lions sleep deeply all day. The end comes. "
    b = "Tigers roar loudly at night! Lions sleep deeply all week. Nothing else follows there. "
    spans = SlSt().passages(docs_of(a, b), LEFT, RIGHT)
    (la, lb, ra, rb), exact = spans.places[0].tolist(), spans.exact.tolist()
    assert a[la:lb] == "Tigers roar loudly at night. Lions sleep deeply all day."
    assert b[ra:rb] == "Tigers roar loudly at night! Lions sleep deeply all week."
    assert exact == [False] and spans.offsets.tolist() == [0, 1]
    same = SlSt().passages(docs_of(a, b.replace("week", "day")), RIGHT, LEFT)
    assert same.exact.tolist() == [True] and same.places[0].tolist() == [ra, rb - 1, la, lb]
    over = "Tigers roar loudly at night. It is so. Lions sleep deeply all day. "  # stop words alone: no term, yet text
    assert SlSt().passages(docs_of(a, over), LEFT, RIGHT).exact.tolist() == [False]


def test_reordered_sentences_lose_at_most_the_blocks_cut():
    sentences = [sentence(n, first=n) for n in (4, 5, 6, 7, 8, 9, 10, 11)]
    whole, turned = "".join(sentences), "".join(sentences[4:] + sentences[:4])
    assert judged(SlSt(), whole, turned)["evidence"] == 1
    one = judged(SlSt(), whole, "".join([sentences[0], *sentences[2:], sentences[1]]))
    assert one["covered_left"] == 6 / 8


def test_a_run(edited):
    result = qc.dedup(edited, method="sl-st", recall_sample=0)
    relation = {r["id"]: (r["relation"], r["survivor_id"]) for r in result.ledger.to_pylist()}
    assert all(
        relation[f"b{i:02}"] == ("duplicate", f"a{i:02}") or relation[f"a{i:02}"][1] == f"b{i:02}" for i in range(20)
    )
    assert all(relation[f"c{i:02}"] == ("contained_in", f"a{i:02}") for i in range(20, 25))
    assert not {f"z{i}" for i in range(4)} & set(relation)
    assert all(r["passages"] for r in result.ledger.to_pylist())
    text_of = {r["id"]: r["text"] for r in edited}
    row = next(r for r in result.ledger.to_pylist() if r["id"] == "c20")
    assert [p["kind"] for p in row["passages"]] == ["exact"]
    p = row["passages"][0]
    assert text_of["c20"][p["start"] : p["end"]] == text_of["a20"][p["survivor_start"] : p["survivor_end"]]


def test_what_cannot_be_used_is_refused():
    for wrong in ({"mode": "x"}, {"route": "x"}, {"max_len": 0}, {"min_block": 0}, {"tokens": "x"}, {"n_terms": 0}):
        with pytest.raises(UsageError):
            SlSt(**wrong)
    assert "run again" in (SlSt(mode="blocks").rule.lacks(SlSt(mode="blocks", threshold=0.3).rule) or "")
    assert SlSt().rule.lacks(SlSt(threshold=0.3).rule) is None


def test_no_sentence_at_all():
    empty = Sentences(*(np.zeros(n, t) for n, t in ((1, np.int64), *((0, np.uint32),) * 4, *((0, np.uint64),) * 2)))
    strings = LengthStrings.from_sentences(empty, 35, 2, True)
    assert len(strings.grams(2)) == 0 and len(strings.counts) == 0


@pytest.mark.parametrize(
    "how", [{}, {"keep_gap": True, "max_len": 20}, {"mode": "blocks"}, {"min_block": 1}, {"tokens": "auto"}]
)
def test_every_road_gives_the_same_blocks(edited, route, how):
    """Of all pairs of edited articles: sentences in common, scores, passages."""
    documents = Documents.from_texts(pa.array([r["text"] for r in edited[::2]], pa.large_string()))
    left, right = (x.astype(np.uint32) for x in np.triu_indices(len(documents), 1))
    found = {}
    for road in ("size", "scan", "suffix-array", "automaton"):
        method = SlSt(route=route, road=road, **how)
        spans = method.passages(documents, left, right)
        found[road] = (method.evidence_of(documents, left, right), spans.offsets, spans.places, spans.exact)
    measures, *spans = found.pop("size")
    assert measures["covered_left"].max() > 0.5
    for other, *there in found.values():
        assert all(np.array_equal(measures[k], other[k]) for k in measures)
        assert all(np.array_equal(a, b) for a, b in zip(spans, there, strict=True))


@pytest.mark.parametrize("road", ["size", "scan", "suffix-array", "automaton"])
def test_the_road_asked_for_is_taken(edited, monkeypatch, road):
    taken, by = set(), lengths._runs_by

    def noted(road, *rest):
        taken.add(road)
        return by(road, *rest)

    monkeypatch.setattr(lengths, "_runs_by", noted)
    documents = Documents.from_texts(pa.array([r["text"] for r in edited[:6]], pa.large_string()))
    left, right = (x.astype(np.uint32) for x in np.triu_indices(len(documents), 1))
    SlSt(road=road).evidence_of(documents, left, right)
    SlSt(road=road).passages(documents, left, right)
    assert taken == (set() if road == "size" else {road})


def test_too_many_runs_are_bounded_alike_by_every_road(monkeypatch):
    monkeypatch.setattr("quchong.features.lengths.MOST_RUNS", 40)
    from quchong.features.lengths import _runs_by

    rng = np.random.default_rng(3)
    a, b = (rng.integers(1, 3, 30).astype(np.uint64) for _ in "ab")
    runs, bounded = _runs_by("automaton", a, b, 1)
    kernel, also = kernels.runs.maximal_runs(a, b, 1, limit=40, road="suffixes")
    assert bounded and also and runs == [tuple(r) for r in kernel.tolist()] and len(runs) > 5
