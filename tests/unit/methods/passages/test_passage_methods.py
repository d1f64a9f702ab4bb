"""Covers: mdr, yap3, winnowing, sif, koala: worked examples, passages, lossless candidates.

Compared against: tests/twins/{features,runs}.py, and all pairs judged. Run: pytest tests/unit/methods.
"""

import random
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import features as ref
from twins.hashing import shingle_hashes

import quchong as qc
from quchong import kernels
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.features.passage_characters import joined_runs
from quchong.features.substrings import Selection, SubstringRule, mostly_han
from quchong.features.winnowed import lossless_widths
from quchong.methods.passages.koala import Koala
from quchong.methods.passages.mdr import Mdr
from quchong.methods.passages.sif import Sif
from quchong.methods.passages.winnowing import Winnowing
from quchong.methods.passages.yap3 import Yap3
from quchong.plan.catalogue import METHODS, build
from quchong.relations import ACCEPTED
from quchong.seam import Documents, settings_of, with_statistics
from quchong.text import form

METHOD_NAMES = ["mdr", "yap3", "winnowing", "sif", "koala"]
VARIANTS = [
    *((name, {}) for name in METHOD_NAMES),
    ("mdr", {"min_length": 20, "structure": "array"}),
    ("mdr", {"min_length": 21, "starts": "word", "least": 0.01}),
    ("yap3", {"mml": 4, "least": 0.3}),
    ("winnowing", {"ngram_size": 6, "window": 3, "least": 0.02}),
    ("winnowing", {"tokens": "char"}),
    ("sif", {"select": "anchors"}),
    ("sif", {"bits": 0, "length": 12}),
    ("koala", {"select": "hash", "stored": 30, "searched": 120}),
    ("koala", {"coarse": 0, "least": 0.05}),
    ("koala", {"select": "random"}),
]


def documents(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def judged(method, left, right):
    found = method.score(documents(left, right), np.array([0], np.uint32), np.array([1], np.uint32), 1)
    return {k: v[0] for k, v in found.items()}


def passages(method, left, right):
    spans = method.passages(documents(left, right), np.array([0], np.uint32), np.array([1], np.uint32), 1)
    assert spans.exact.all()
    return [(left[a:b], right[c:d]) for a, b, c, d in spans.places.tolist()]


def han(rng, n, first=0x4E8C, kinds=3000):
    """Han characters that are no numerals and have no other form."""
    letters = form("standard")
    out = ""
    while len(out) < n:
        c = chr(rng.randrange(first, first + kinds))
        if c not in "两亖兩" and kernels.text.tokenise(
            letters, pa.array([c], pa.large_string())
        ).docs.tokens.tolist() == [ord(c)]:
            out += c
    return out


@pytest.fixture(scope="module")
def prose():
    return han(random.Random(3), 700)


# Worked examples


def test_mdr_s_example():
    found = judged(Mdr(min_length=3), "xabcdy", "zabcdw")
    assert found["covered_left"] == found["covered_right"] == found["evidence"] == pytest.approx(2 / 3)
    assert passages(Mdr(min_length=3), "xabcdy", "zabcdw") == [("abcd", "abcd")]


def test_yap3_s_example():
    a, b = "the quick brown fox jumps over the lazy dog", "over the lazy dog a quick brown fox jumps"
    found = judged(Yap3(mml=2), a, b)
    assert found["evidence"] == pytest.approx(8 / 9)
    assert (found["covered_left"], found["features_left"]) == (pytest.approx(8 / 9), 9)
    assert passages(Yap3(mml=2), a, b) == [
        ("quick brown fox jumps", "quick brown fox jumps"), ("over the lazy dog", "over the lazy dog"),
    ]  # fmt: skip


def test_sif_s_example():
    """A toy: 3 characters, kept where the sum of their code points is even."""

    def even(s):
        return sum(map(ord, s)) % 2 == 0

    a, b = (ref.kept_substrings(t, 3, even) for t in ("abcdefgh", "xxcdefgh"))
    assert (a, b) == ({"abc", "cde", "efg"}, {"cde", "efg"})
    assert ref.shares(a, b) == (pytest.approx(2 / 3), 1.0)
    whole = judged(Sif(length=3, bits=0, min_features=1), "abcdefgh", "xxcdefgh")
    assert (whole["covered_left"], whole["features_left"]) == (pytest.approx(4 / 6), 6)


def test_koala_s_examples():
    """Of 50,000 substrings 100 stored and 1,000 searched: a self-query gives 1, drawn at random about 2 of 100."""
    rng = np.random.default_rng(11)
    text = "".join(map(chr, rng.integers(0x4E00, 0x9FA5, 50_011)))
    texts = documents(text, text + "。")
    both = np.array([0], np.uint32), np.array([1], np.uint32)
    for select in ("rare", "hash"):
        method = with_statistics(Koala(select=select), texts)
        assert method.evidence_of(texts, *both)["evidence"].tolist() == [1.0]
    shares = []
    for i in range(12):
        text = "".join(map(chr, np.random.default_rng(i).integers(0x4E00, 0x9FA5, 50_011)))
        shares += Koala(select="random").evidence_of(documents(text, text), *both)["covered_left"].tolist()
    assert 0.005 < np.mean(shares) < 0.04


def test_winnowing_s_guarantee(prose):
    other = han(random.Random(4), 400, first=0x6C00)
    for n in (20, 21, 35):
        a, b = prose[:200] + prose[300 : 300 + n], other[:150] + prose[300 : 300 + n] + other[150:]
        assert judged(Winnowing(), a, b)["covered_left"] > 0
        assert passages(Winnowing(), a, b) == [(prose[300 : 300 + n],) * 2]
    assert judged(Winnowing(), prose[:200] + prose[300:309], other + prose[300:309])["covered_left"] == 0
    words = [f"w{i}q" for i in range(200)]
    a, b = " ".join(words[:100]), " ".join(["other"] * 3 + words[40:48] + ["same"] * 9)
    assert judged(Winnowing(), a, b)["covered_left"] > 0
    assert passages(Winnowing(), a, b) == [(" ".join(words[40:48]),) * 2]


@pytest.mark.parametrize("start", range(0, 120, 10))
def test_winnowing_marks_runs_that_hold_a_fingerprint_only(prose, start):
    """A run of 7 characters holds no k-gram, though one begins in it that goes on in another run."""
    text = prose[start : start + 100]
    other = han(random.Random(4), 60, first=0x6C00)
    assert passages(Winnowing(), text, other[:30] + text[:7] + other[30:] + text[4:60]) == [(text[4:60],) * 2]


def test_fingerprints_of_mdr_catch_every_run_long_enough():
    for n in range(1, 200):
        ngram, window = lossless_widths(n)
        assert ngram + window - 1 == n and 1 <= ngram <= kernels.checked.MAX_NGRAM and window >= 1


# Against the twins


def codes(text):
    return [ord(c) for c in text]


def letters(rng, n, latin):
    return "".join(rng.choice("abcdeiosut" if latin else "天气好看书包水火") for _ in range(n))


@pytest.mark.parametrize("seed", range(6))
def test_substrings_are_those_of_the_twins(seed):
    rng = random.Random(seed)
    texts = [letters(rng, rng.randrange(0, 60), latin) for latin in (True, False) * 4]
    plain, array = form("plain", "char"), pa.array(texts, pa.large_string())
    chinese = mostly_han(kernels.text.names(plain, array).docs).tolist()
    assert chinese == [t == "" or ord(t[0]) > 0x2E80 for t in texts]

    def hash_of(s):
        return shingle_hashes(codes(s), len(s))[0]

    kept = SubstringRule(4, 6, 2).sets(plain, array)
    anchored = SubstringRule(4, 6, 0, "好,st").sets(plain, array)
    for i, (t, zh) in enumerate(zip(texts, chinese, strict=True)):
        n = 4 if zh else 6
        for sets, keep in ((kept, lambda s: hash_of(s) % 4 == 0), (anchored, lambda s: s.startswith(("好", "st")))):
            want = sorted(map(hash_of, ref.kept_substrings(t, n, keep)))
            assert sets.values[sets.offsets[i] : sets.offsets[i + 1]].tolist() == want

    reduced = [t if zh else "".join(c for c in t if c not in "aeiou") for t, zh in zip(texts, chinese, strict=True)]
    begin = [{t[i : i + (2 if zh else 3)] for i in range(len(t) - 4)} for t, zh in zip(reduced, chinese, strict=True)]
    frequency = {p: sum(p in b for b in begin) for b in begin for p in b}
    for coarse, table in ((0, frequency), (1, {p: n.bit_length() - 1 for p, n in frequency.items()})):
        method = with_statistics(
            Koala(normalise="plain", stored=3, searched=7, alpha=5, word_prefix=3, coarse=coarse, min_features=1),
            Documents.from_texts(array),
        )
        for sets, count in zip(method._sets(Documents.from_texts(array), 2), (3, 7), strict=True):
            for i, (t, zh) in enumerate(zip(reduced, chinese, strict=True)):
                want = sorted(map(hash_of, ref.rarest(t, 5, 2 if zh else 3, count, table, hash_of)))
                assert sets.values[sets.offsets[i] : sets.offsets[i + 1]].tolist() == want


def test_least_by_key_equals_the_twin():
    rng = np.random.default_rng(2)
    for _ in range(50):
        lengths = rng.integers(0, 12, 5)
        values = rng.integers(0, 9, lengths.sum()).astype(np.uint64)
        keys = rng.integers(0, 3, 9).astype(np.uint64)[values.astype(int)]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        found = kernels.features.least_by_key(values, keys, offsets, 4, 2)
        for i, (a, b) in enumerate(pairwise(offsets.tolist())):
            want = ref.least_by_key(values[a:b].tolist(), keys[a:b].tolist(), 4)
            assert found.values[found.offsets[i] : found.offsets[i + 1]].tolist() == want
    with pytest.raises(ValueError, match="keys"):
        kernels.features.least_by_key(np.zeros(2, np.uint64), np.zeros(1, np.uint64), np.array([0, 2]), 1)


def test_prefixes_are_known_by_length():
    texts = pa.array(["天气好看书", "天气真好看书", "ab cd ef gh"], pa.large_string())
    sets = Selection((3, 2), (4, 3)).prefixes(form("plain", "char"), texts)
    assert sets.lengths.tolist() == [3, 4, 3]  # bcdfgh without its vowels: bcd, cdf, dfg
    assert np.isin(sets.values[:3], sets.values[3:7]).sum() == 2  # 天气, 好看


# Passages and coverage


def test_swapping_two_paragraphs_leaves_coverage_as_it_is(prose):
    parts = [prose[i : i + 140] for i in range(0, 700, 140)]
    moved = [parts[3], parts[1], parts[2], parts[0], parts[4]]
    a, b, c = "\n".join(parts), "\n".join([*parts[:4], parts[4][:70]]), "\n".join([*moved[:4], moved[4][:70]])
    assert judged(Yap3(), a, b)["evidence"] == judged(Yap3(), a, c)["evidence"] > 0.9
    assert judged(Mdr(), a, b)["evidence"] == judged(Mdr(), a, c)["evidence"] > 0.85
    assert [x for x, _ in passages(Yap3(), a, c)] == [parts[0], "\n".join(parts[1:3]), parts[3], parts[4][:70]]


def test_matches_at_word_starts_only():
    a, b = "the cattle stood in green meadows", "my battle stood in greener meadows"
    assert passages(Mdr(min_length=12), a, b) == [("attle stood in green", "attle stood in green")]
    assert passages(Mdr(min_length=12, starts="word"), a, b) == [("stood in green", "stood in green")]
    longer = [p for p, _ in passages(Mdr(min_length=4, starts="word"), a, b)]
    assert longer == ["stood in green", "meadows"]
    text, other = "甲乙丙丁戊己庚辛", "子丑丙丁戊己寅卯"
    assert passages(Mdr(min_length=4, starts="word"), text, other) == [("丙丁戊己", "丙丁戊己")]


def test_a_passage_that_stands_twice_is_covered_twice_by_mdr_and_once_by_tiles(prose):
    block = prose[:80]
    twice, once = block + prose[100:150] + block, prose[400:460] + block + prose[500:560]
    assert passages(Mdr(), twice, once) == [(block, block)] * 2
    assert judged(Mdr(), twice, once)["covered_left"] == pytest.approx(160 / 210)
    assert passages(Yap3(), twice, once) == [(block, block)]
    assert judged(Yap3(), twice, once)["covered_left"] == pytest.approx(80 / 210)


def test_runs_that_go_on_in_both_texts_are_joined():
    offsets = np.array([0, 3, 4])
    runs = np.array([[0, 5, 4], [4, 9, 2], [6, 0, 3], [9, 3, 2]], np.uint32)
    places, out = joined_runs(offsets, runs)
    assert out.tolist() == [[0, 5, 6], [6, 0, 3], [9, 3, 2]]
    assert places.tolist() == [0, 2, 3]


def test_mml_goes_by_the_texts():
    words = [f"w{i}q" for i in range(60)]
    a, b = " ".join(words[:30]), " ".join([*words[40:60], *words[10:15]])
    assert judged(Yap3(), a, b)["covered_left"] == pytest.approx(5 / 30)
    assert judged(Yap3(mml=6), a, b)["covered_left"] == 0
    rng = random.Random(9)
    text, other = han(rng, 40), han(rng, 40, first=0x6C00)
    assert judged(Yap3(), text, other + text[5:12])["covered_left"] == 0
    assert judged(Yap3(), text, other + text[5:13])["covered_left"] == pytest.approx(8 / 40)


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_relations(name, prose):
    other = han(random.Random(5), 900, first=0x6C00)
    rows = [
        {"id": "a", "text": prose},
        {"id": "b", "text": prose[:320] + "换" + prose[321:]},
        {"id": "c", "text": prose[:200] + "。"},
        {"id": "d", "text": other[:300] + prose[350:650] + other[300:600]},
    ]
    found = {(p["left_id"], p["right_id"]): p for p in qc.dedup(rows, method=name, recall_sample=0).pairs.to_pylist()}
    assert found["a", "b"]["relation"] == "duplicate"
    assert found["a", "c"]["relation"] == "contains" and found["a", "c"]["covered_right"] > 0.95
    assert found["a", "d"]["relation"] == "partial" and 0.1 < found["a", "d"]["covered_left"] < 0.6
    assert ("c", "d") not in found
    told = qc.compare(prose, rows[3]["text"], method=name)
    assert [prose[p.start : p.end] for p in told.passages] == [prose[350:650]]
    assert {p.kind for p in told.passages} == {"exact"}


# What all promise


@pytest.mark.parametrize(("name", "how"), VARIANTS)
def test_order_and_workers_change_nothing(edited, name, how):
    one = qc.dedup(edited, method=name, workers=1, recall_sample=0, **how)
    other = qc.dedup(edited[::-1], method=name, workers=2, recall_sample=0, **how)
    assert one.pairs.equals(other.pairs) and one.ledger.equals(other.ledger)
    assert one.manifest["config_hash"] == other.manifest["config_hash"]
    relations = {p["relation"] for p in one.pairs.to_pylist()}
    assert "exact" in relations and (relations & {"duplicate", "contains"} or how.get("select") == "random")


@pytest.mark.parametrize(("name", "how"), VARIANTS)
def test_candidates_are_complete(edited, name, how):
    """Every pair the method would list is met: against all pairs judged."""
    texts = documents(*dict.fromkeys(r["text"] for r in edited))
    method = with_statistics(build(name, how), texts, 2)
    left, right = (x.astype(np.uint32) for x in np.triu_indices(len(texts), 1))
    measures = method.score(texts, left, right, 2)
    listed = method.rule.floor(measures)
    true = set(zip(left[listed].tolist(), right[listed].tolist(), strict=True))
    met = meet(method.candidates, texts, None, 0, 2)
    assert (met.left < met.right).all()
    assert true <= set(zip(met.left.tolist(), met.right.tolist(), strict=True))
    assert len(true) >= 20


small = st.lists(st.text(alphabet="天气好看书包", max_size=40), min_size=2, max_size=9)


@settings(max_examples=150, deadline=None)
@given(
    small,
    st.sampled_from([
        ("yap3", {"mml": 3}), ("yap3", {"mml": 2}), ("mdr", {"min_length": 5}), ("mdr", {"min_length": 1}),
        ("winnowing", {"ngram_size": 3, "window": 2}), ("sif", {"length": 3, "bits": 1, "min_features": 1}),
        ("koala", {"alpha": 3, "word_prefix": 2, "stored": 4, "searched": 9, "min_features": 1, "coarse": 0}),
    ]),
    st.sampled_from([0.05, 0.3, 0.6]),
    st.data(),
)  # fmt: skip
def test_candidates_of_repetitive_texts_are_complete(texts, chosen, least, data):
    """Few letters: tiles of the least length, texts that cover each other many times; within scopes, beyond references."""
    name, how = chosen
    docs = documents(*texts)
    method = with_statistics(build(name, how | {"least": least}), docs, 2)
    scope = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(texts), max_size=len(texts))), np.uint64)
    references = data.draw(st.integers(0, len(texts)))
    left, right = (x.astype(np.uint32) for x in np.triu_indices(len(texts), 1))
    allowed = (scope[left] == scope[right]) & (right >= references)
    left, right = left[allowed], right[allowed]
    listed = method.rule.floor(method.score(docs, left, right, 1))
    met = meet(method.candidates, docs, scope, references, 1)
    found = set(zip(met.left.tolist(), met.right.tolist(), strict=True))
    assert set(zip(left[listed].tolist(), right[listed].tolist(), strict=True)) <= found
    assert found <= set(zip(left.tolist(), right.tolist(), strict=True))


@pytest.mark.parametrize(("name", "how"), VARIANTS)
def test_a_document_is_most_like_itself_and_scores_are_symmetric(edited, name, how):
    texts = documents(*(r["text"][3 * (i % 40) :] for i, r in enumerate(edited)))  # of many lengths
    method = with_statistics(build(name, how), texts, 2)
    every = np.arange(len(texts), dtype=np.uint32)
    own = method.evidence_of(texts, every, every, 2)
    featured = own["features_left"] > 0
    if how.get("select") != "random":
        assert (own["evidence"][featured] == 1).all() and featured.sum() >= 60
    for column in ("evidence", "covered_left", "covered_right"):
        assert (own[column][~featured] == 0).all()
    there, back = (method.evidence_of(texts, a, b, 2) for a, b in ((every[:-1], every[1:]), (every[1:], every[:-1])))
    assert np.array_equal(there["evidence"], back["evidence"])
    assert np.array_equal(there["covered_left"], back["covered_right"])
    for values in there.values():
        assert (values >= 0).all()
    assert there["covered_left"].max() <= 1 and there["evidence"].max() <= 1


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_texts_without_features_are_no_pair(edited, name):
    rows = [*edited, {"id": "y1", "text": "好吗"}, {"id": "y2", "text": "你好"}]
    result = qc.dedup(rows, method=name, recall_sample=0)
    for p in result.pairs.to_pylist():
        assert not {p["left_id"][0], p["right_id"][0]} & set("zy")
    assert not {i for i in result.removed["id"].to_pylist() if i[0] in "zy"}
    for few in ([], rows[-2:], [{"id": "1", "text": ""}, {"id": "2", "text": "。"}]):
        assert not len(qc.dedup(few, method=name).pairs)


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_scope_and_references_are_kept(edited, name):
    rows = [{**r, "day": r["id"][0]} for r in edited]
    assert not [
        p
        for p in qc.dedup(rows, method=name, per="day", recall_sample=0).pairs.to_pylist()
        if p["left_id"][0] != p["right_id"][0]
    ]
    a, b = [r for r in edited if r["id"][0] == "a"], [r for r in edited if r["id"][0] in "bce"]
    against = qc.dedup(b, method=name, against=a, recall_sample=0)
    ids = {(p["left_id"][0], p["right_id"][0]) for p in against.pairs.to_pylist()}
    assert {("a", "e"), ("a", "b")} <= ids and ("a", "a") not in ids
    assert set(against.removed["id"].to_pylist()) <= {r["id"] for r in b}


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_removed_documents_show_where_they_agree(edited, name):
    text = {r["id"]: r["text"] for r in edited}
    result = qc.dedup(edited, method=name, recall_sample=0)
    near = [r for r in result.ledger.to_pylist() if r["relation"] != "exact"]
    assert near and {r["relation"] for r in near} <= set(ACCEPTED)
    for row in near:
        assert row["passages"]
        for p in row["passages"]:
            mine, other = (
                text[row["id"]][p["start"] : p["end"]],
                text[row["survivor_id"]][p["survivor_start"] : p["survivor_end"]],
            )
            assert mine == other and p["kind"] == "exact"
    assert (build(name).extras.passages is not None) == (name in ("mdr", "yap3", "winnowing"))


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_what_a_cap_bounds_is_said(edited, name):
    text = edited[0]["text"]
    rows = [{"id": "o", "text": text}, *({"id": f"x{i:02}", "text": f"{text}第{i}页。"} for i in range(12))]
    result = qc.dedup(rows, method=name, cap=3, recall_sample=0)
    assert any(a["figures"].get("cap") == 3 for a in result.manifest["alarms"])
    assert 10 <= len(result.removed) <= 12
    whole = qc.dedup(rows, method=name, recall_sample=0)
    assert len(whole.removed) == 12 and not whole.manifest["alarms"]


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_a_lower_least_needs_a_new_run_and_a_higher_one_does_not(edited, name):
    once = qc.dedup(edited, method=name, recall_sample=0, least=0.3)
    higher, new = once.rethreshold(least=0.5), qc.dedup(edited, method=name, recall_sample=0, least=0.5)
    assert higher.ledger.drop_columns("config_hash").equals(new.ledger.drop_columns("config_hash"))
    with pytest.raises(UsageError, match=r": for 0\.2, run again"):
        once.rethreshold(least=0.2)


def test_statistics_of_koala_are_part_of_the_configuration(edited, tmp_path):
    compared = documents(*(r["text"] for r in edited if r["id"][0] in "abc"))
    known = with_statistics(Koala(), compared, 2).statistics
    path = known.save(tmp_path / "statistics.parquet")
    counted = qc.dedup(edited, method="koala", recall_sample=0)
    given = qc.dedup(edited, method="koala", statistics=str(path), recall_sample=0)
    assert given.pairs.equals(counted.pairs) and given.manifest["config_hash"] == counted.manifest["config_hash"]
    assert settings_of(build("koala", {"statistics": str(path)}))["statistics"] == known.digest
    with pytest.raises(UsageError, match="make new statistics"):
        Koala(statistics=known, alpha=9)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("mdr", {"min_length": 0}), ("mdr", {"starts": "line"}), ("mdr", {"structure": "tree"}), ("mdr", {"least": 0.9}),
        ("yap3", {"mml": 0}), ("yap3", {"mml": 64}), ("yap3", {"mml": 2.5}), ("yap3", {"tokens": "word"}),
        ("winnowing", {"ngram_size": 64}), ("winnowing", {"window": 0}), ("winnowing", {"window": 1.5}),
        ("winnowing", {"tokens": "word"}),
        ("sif", {"length": 0}), ("sif", {"length": 3.5}), ("sif", {"select": "all"}), ("sif", {"bits": 33}), ("sif", {"min_features": 0}),
        ("sif", {"select": "anchors", "anchors": ", ，"}),
        ("koala", {"stored": 0}), ("koala", {"stored": 2000}), ("koala", {"select": "all"}), ("koala", {"prefix": 13}),
        ("koala", {"alpha": 64}), ("koala", {"alpha": 2.5}), ("koala", {"min_features": 0}), ("koala", {"coarse": -1}),
        *((name, {"threshold": 0}) for name in METHOD_NAMES), *((name, {"containment": 1.5}) for name in METHOD_NAMES),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(name, how):
    with pytest.raises(UsageError):
        build(name, how)


def test_their_names_and_traits_are_told():
    for name in METHOD_NAMES:
        kind = METHODS[name]
        assert kind.name == name and kind.traits.title and kind.traits.paper
        assert {"duplicate", "contained_in", "partial"} <= set(kind.traits.finds)
