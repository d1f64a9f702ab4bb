"""Covers: SL (windows of sentence lengths), COPS (chunks), partial duplicates (runs of signed sentences), what they share.

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
from quchong.features.chunks import Chunks
from quchong.features.sentences import SentenceTerms
from quchong.features.signatures import STRATEGIES, Signatures
from quchong.kernels.runs import Matches
from quchong.methods.sentences.cops import Cops
from quchong.methods.sentences.partial import Partial
from quchong.methods.sentences.sl import Sl
from quchong.seam import Documents, with_statistics
from quchong.text import form
from quchong.text.words import word_starts

LEFT, RIGHT = np.array([0], np.uint32), np.array([1], np.uint32)
METHODS = [
    Sl(), Cops(), Cops(chunks="B", k=2), Cops(chunks="C"), Cops(chunks="D"), Partial(drift=1),
    *(Partial(signature=s) for s in STRATEGIES),
]  # fmt: skip


def docs_of(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def judged(method, *texts):
    return {k: v[0] for k, v in method.score(docs_of(*texts), LEFT, RIGHT, 1).items()}


def shown(method, *texts):
    """The passages of two texts, as text."""
    s = method.passages(docs_of(*texts), LEFT, RIGHT)
    return [
        (texts[0][a:b], texts[1][c:d], e) for (a, b, c, d), e in zip(s.places.tolist(), s.exact.tolist(), strict=True)
    ]


def words(*lengths):
    return "".join(" ".join(["word"] * n) + ". " for n in lengths)


S = [
    f"这里是第{c}句话，说的是{t}的事情和{p}。"
    for c, t, p in zip("一二三四五六七八九", "桥路电水茶盐铁煤木", "山海林田湖草沙原谷", strict=True)
]


def test_windows_of_lengths():
    a, b = words(5, 12, 7, 9, 3), words(8, 12, 7, 9, 3, 5)
    found = judged(Sl(), a, b)
    assert (found["features_left"], found["features_right"]) == (3, 4)
    assert found["evidence"] == pytest.approx(0.4)
    assert found["covered_left"] == pytest.approx(2 / 3)
    assert found["covered_right"] == 0.5


def test_a_short_text_is_one_window():
    assert judged(Sl(min_sentences=2), words(5, 12), words(5, 12))["evidence"] == 1
    assert judged(Sl(min_sentences=2), words(5, 12), words(5, 12, 7))["evidence"] == 0
    assert judged(Sl(min_sentences=2), words(5), words(5))["evidence"] == 0  # one length says nothing
    assert judged(Sl(min_sentences=1), words(5), words(5))["evidence"] == 1
    assert (
        judged(Sl(min_sentences=2), "今天天气很好。我们去公园。", "昨天老师生病。他们在学校。")["evidence"] == 1
    )  # no words are compared


def test_half_of_the_suspicious_text_is_registered():
    d, r = S[0] + S[1] + S[2] + S[3], S[1] + S[3] + S[8]
    found = judged(Cops(), d, r)
    assert found["covered_left"] == 0.5
    assert found["covered_right"] == pytest.approx(2 / 3)
    assert shown(Cops(), d, r) == [(S[1], S[1], True), (S[3], S[3], True)]
    assert shown(Cops(), d, S[8] + S[1] + S[2]) == [(S[1] + S[2], S[1] + S[2], True)]


def test_four_ways_of_chunking():
    units, offsets = np.arange(1, 7, dtype=np.uint64), np.array([0, 6])  # ABCDEF

    def cut(kind, values=units, k=3):
        c = Chunks.from_units(values, offsets, kind, k)
        return ["ABCDEF"[f : f + n] for f, n in zip(c.first.tolist(), c.count.tolist(), strict=True)]

    assert cut("A") == list("ABCDEF")
    assert cut("B") == ["ABC", "DEF"]
    assert cut("B", k=4) == ["ABCD", "EF"]
    assert cut("C") == ["ABC", "BCD", "CDE", "DEF"]
    assert cut("C", k=9) == ["ABCDEF"]
    assert cut("D", np.array([1, 4, 3, 2, 6, 5], np.uint64)) == ["ABC", "DE", "F"]
    two = Chunks.from_units(np.array([1, 2, 3, 1, 2], np.uint64), np.array([0, 3, 3, 5]), "C", 2)
    assert two.offsets.tolist() == [0, 2, 2, 3] and two.value[0] == two.value[2] != two.value[1]


@pytest.mark.parametrize(("gap", "wanted"), [(1, [[0, 0, 0, 0, 1]]), (0, [[0, 0, 1, 1, 2]])])
def test_runs_of_the_worked_example(gap, wanted):
    i, j = np.array([0, 1, 3, 4, 10], np.uint32), np.array([5, 6, 8, 9, 2], np.uint32)
    assert [kernels.runs.diagonal_runs(Matches(i, j, np.array([0, 5])), gap=gap).tolist()] == wanted


def test_runs_go_over_a_gap_and_a_lone_short_sentence_is_none():
    """The worked example as texts: sentences 0 1 3 4 10 match 5 6 8 9 2."""
    left = [f"甲{k}号人物今天在{w}里读书。" for k, w in enumerate("天地玄黄宇宙洪荒日月盈")]
    right = [f"乙{k}号老师昨晚去{w}外散步。" for k, w in enumerate("春夏秋冬东南西北中发")]
    for a, b in ((0, 5), (1, 6), (3, 8), (4, 9), (10, 2)):
        right[b] = left[a]
    one, two = "".join(left), "".join(right)
    method = Partial(signature="kth_in_sentence")
    assert shown(method, one, two) == [("".join(left[:5]), "".join(right[5:]), False)]
    found = judged(method, one, two)
    assert (found["covered_left"], found["covered_right"], found["evidence"]) == (4 / 11, 4 / 10, 4 / 11)
    apart = Partial(signature="kth_in_sentence", gap=0)
    assert shown(apart, one, two) == [(left[0] + left[1],) * 2 + (True,), (left[3] + left[4],) * 2 + (True,)]
    lone = Partial(signature="kth_in_sentence", min_chars=10)
    assert (left[10], right[2], True) in shown(lone, one, two)


def test_an_inserted_sentence_needs_drift():
    one, two = "".join(S[:4]), S[0] + S[1] + S[7] + S[2] + S[3]
    assert len(shown(Partial(), one, two)) == 2
    assert shown(Partial(drift=1), one, two) == [(one, two, False)]
    assert judged(Partial(drift=1), one, two)["covered_left"] == 1


def test_signatures():
    texts = pa.array(["one two three four five six seven. red green blue.", "alpha."], pa.large_string())
    made = next(SentenceTerms(form(), stop_words="none").pieces(texts))
    assert [len(made[1].value), made[0].counts.tolist()] == [11, [2, 1]]
    first, owner = Signatures("kth_in_sentence", n_terms=2).sentence_signatures(*made)
    assert owner.tolist() == [0, 1, 2] and (first == made[0].first).all()
    _, owner = Signatures("winnowing", n_terms=2, window=3).sentence_signatures(*made)
    assert set(owner.tolist()) == {0, 1, 2}
    every, owner = Signatures("0_mod_p", n_terms=2, modulus=1).sentence_signatures(*made)
    assert np.bincount(owner).tolist() == [6, 2, 1]
    some, _ = Signatures("0_mod_p", n_terms=2, modulus=3).sentence_signatures(*made)
    assert set(some.tolist()) == {v for v in every.tolist() if v % 3 == 0}
    least, owner = Signatures("winnowing", n_terms=2, window=6).sentence_signatures(*made)
    of = {
        s: [
            v
            for v, o in zip(
                every.tolist(), Signatures("0_mod_p", 2, 1).sentence_signatures(*made)[1].tolist(), strict=True
            )
            if o == s
        ]
        for s in range(3)
    }
    assert dict(zip(owner.tolist(), least.tolist(), strict=True)) == {s: min(v) for s, v in of.items()}
    # By idf the words that stand in fewer texts sign, in whatever order they come.
    terms = np.unique(made[1].value)
    rare = np.where(np.isin(terms, made[1].value[[2, 5]]), 1, 9)
    signed = Signatures("idf", n_terms=2).sentence_signatures(*made, (terms, rare, 20))[0][0]
    again = next(SentenceTerms(form(), stop_words="none").pieces(pa.array(["three two six one."], pa.large_string())))
    assert signed == Signatures("idf", n_terms=2).sentence_signatures(*again, (terms, rare, 20))[0][0]


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_what_has_features_is_like_itself_and_what_has_none_is_like_nothing(method):
    rng = np.random.default_rng(2)
    texts = ["".join(S[k] for k in rng.integers(0, 9, n)) for n in (3, 5, 9, 40, 90)]
    texts += ["", "。", "……！", "，，，"]
    every = np.arange(len(texts), dtype=np.uint32)
    found = method.evidence_of(docs_of(*texts), every, every)
    featured = found["features_left"] > 0
    assert not featured[5:].any() and featured[2:5].all()
    for key in ("evidence", "covered_left", "covered_right"):
        assert (found[key][featured] == 1).all() and (found[key][~featured] == 0).all()
    assert not method.rule.floor(found)[~featured].any()


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_no_pair_is_lost_against_all_pairs_and_neither_side_is_the_left_one(method):
    rng = np.random.default_rng(3)
    pool = [f"{S[k % 9][:-1]}，{'很' * (k // 9)}好。" for k in range(60)]
    texts = ["".join(pool[k] for k in rng.integers(0, 60, rng.integers(1, 9))) for _ in range(70)]
    texts += [t + pool[k] for k, t in enumerate(texts[:20])]
    documents = docs_of(*texts)
    fitted = with_statistics(method, documents)
    left, right = (np.array(x, np.uint32) for x in zip(*combinations(range(len(texts)), 2), strict=True))
    found = fitted.evidence_of(documents, left, right, 2)
    accepted = fitted.rule.floor(found)
    met = meet(fitted.candidates, documents, None, 0, 2)
    wanted = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
    assert len(wanted) > 5
    assert set(zip(met.left.tolist(), met.right.tolist(), strict=True)) == wanted
    turned = fitted.evidence_of(documents, right, left, 1)
    assert (turned["evidence"] == found["evidence"]).all() and (turned["covered_left"] == found["covered_right"]).all()
    spans = fitted.passages(documents, left[accepted], right[accepted], 2) if hasattr(fitted, "passages") else None
    if spans is not None:
        assert (np.diff(spans.offsets) > 0).all()
        rows = np.column_stack([spans.pair, spans.places])
        assert (np.lexsort(rows.T[::-1]) == np.arange(len(rows))).all()
        for p, (a, b, c, d), exact in zip(
            spans.pair.tolist(), spans.places.tolist(), spans.exact.tolist(), strict=True
        ):
            x, y = texts[left[accepted][p]], texts[right[accepted][p]]
            assert 0 <= a < b <= len(x) and 0 <= c < d <= len(y)
            if exact:
                assert x[a:b] == y[c:d]


def test_whole_sentences_in_another_order_are_the_same_chunks():
    one = judged(Cops(), "".join(S), "".join(S[5:] + S[:5]))
    assert one["evidence"] == 1
    assert len(shown(Cops(), "".join(S), "".join(S[5:] + S[:5]))) == 2


def test_a_sentence_many_times_over_stays_bounded():
    """5,000 times one sentence: 1,024 matches of the first ones with each other, the rest in their order; all is covered."""
    text = S[0] * 5000
    found = judged(Partial(signature="kth_in_sentence"), text, text)
    assert found["evidence"] == 1
    assert judged(Cops(), text, S[0] * 4000)["evidence"] == 0.8


@pytest.mark.parametrize("name", ["sl", "cops", "partial"])
def test_a_run(edited, name):
    result = qc.dedup(edited, method=name, recall_sample=0)
    relation = {r["id"]: (r["relation"], r["survivor_id"]) for r in result.ledger.to_pylist()}
    assert not {f"z{i}" for i in range(4)} & set(relation)
    if name != "sl":  # these sentences are of a few lengths, so that to it all articles are alike
        for i in range(20):
            assert {relation.get(f"b{i:02}", ("", ""))[1], relation.get(f"a{i:02}", ("", ""))[1]} & {
                f"a{i:02}",
                f"b{i:02}",
            }
        assert all(relation[f"c{i:02}"] == ("contained_in", f"a{i:02}") for i in range(20, 25))
        assert len(relation) == 30
    again = qc.dedup(edited[::-1], method=name, recall_sample=0, workers=1)
    assert again.ledger.equals(result.ledger) and again.pairs.equals(result.pairs)


def test_words_begin_where_the_dictionary_says():
    texts = pa.array(
        ["记者今天从市政府获悉，GDP增长7%。", "記者今天從市政府獲悉，ＧＤＰ增長７%。", "", "abc def"], pa.large_string()
    )
    found = kernels.text.names(form(), texts, places=True)
    cut = np.split(word_starts(found), found.docs.offsets[1:-1])
    assert cut[0].tolist() == cut[1].tolist()
    assert len(cut[2]) == 0 and cut[3].tolist() == [True, True]
    first = texts[0].as_py()
    starts = [first[found.start[k]] for k in np.flatnonzero(cut[0])]
    assert starts == ["记", "今", "从", "市", "获", "G", "增", "7"]


def test_words_do_not_depend_on_how_texts_are_batched(monkeypatch):
    import quchong.text.words as module

    texts = pa.array(["记者今天从市政府获悉，今年将修建十条道路。abc研究生命起源"] * 40, pa.large_string())
    found = kernels.text.names(form(), texts, places=True)
    whole = word_starts(found)
    monkeypatch.setattr(module, "PIECE", 7)
    assert (word_starts(found) == whole).all()
    assert len({tuple(c.tolist()) for c in np.split(whole, found.docs.offsets[1:-1])}) == 1


def test_what_cannot_be_used_is_refused():
    for wrong in ({"width": 0}, {"min_sentences": 0}, {"tokens": "x"}):
        with pytest.raises(UsageError):
            Sl(**wrong)
    for wrong in ({"chunks": "E"}, {"k": 0}):
        with pytest.raises(UsageError):
            Cops(**wrong)
    for wrong in ({"signature": "x"}, {"gap": -1}, {"repeats": 0}, {"min_chars": 0}, {"window": 0}):
        with pytest.raises(UsageError):
            Partial(**wrong)
    with pytest.raises(UsageError, match="signature='idf'"):
        Partial(signature="winnowing", statistics=with_statistics(Partial(), docs_of("".join(S))).statistics)
