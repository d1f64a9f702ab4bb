"""Covers: simhash, random-projection, henzinger: signatures, who meets, what equal bits say.

Compared against: plain Python signatures, all pairs, 1 - angle / pi, the binomial of super-shingles. Run: pytest tests/unit/methods.
"""

import math
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.hashing import GOLDEN, M64, mix64, shingle_hashes
from twins.sketch import hamming_distances, simhash

import quchong as qc
from quchong import kernels
from quchong.api import fit_statistics
from quchong.candidates.bitblocks import block_keys, near_wide_signatures
from quchong.candidates.signature_join import near_signatures
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.features.projection import Projection
from quchong.features.samples import SuperShingles
from quchong.kernels.sketch import Signatures
from quchong.methods.signatures.henzinger import Henzinger
from quchong.methods.signatures.projection import RandomProjection
from quchong.methods.signatures.simhash import SimHash
from quchong.plan.catalogue import METHODS, build
from quchong.seam import Documents, HammingJoin, with_statistics
from quchong.text import form

NAMES = ["simhash", "random-projection", "henzinger"]


def documents_of(*texts):
    return Documents.from_texts(pa.array(texts, pa.large_string()))


def ragged(documents):
    offsets = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    return np.array([v for d in documents for v in d], np.uint64), offsets


# --- signatures


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, M64), st.integers(1, 9)), max_size=6), min_size=1, max_size=4))
def test_a_projection_is_the_sign_of_each_weighted_sum(documents):
    """Against plain Python: each piece of 128 bits takes 32 bits of the mixed feature for a token."""
    weight = {v: w << 16 for d in documents for v, w in d}
    values, offsets = ragged([[v for v, _ in d] for d in documents])
    weights = np.array([weight[int(v)] for v in values], np.uint32)
    found = Projection(384).sign(values, offsets, weights)
    for document, words, defined in zip(documents, found.words.tolist(), found.defined, strict=True):
        assert defined == bool(document)
        wanted = []
        for piece in range(1, 4):
            tokens = [mix64(v + piece * GOLDEN & M64) >> 32 for v, _ in document]
            table = {shingle_hashes([t], 1)[0]: weight[v] for t, (v, _) in zip(tokens, document, strict=True)}
            wanted += simhash(tokens, 1, 128, table, 0)
        assert words == wanted


def pairs_at(angle, pairs, terms=400, seed=3):
    """Weights of pairs of documents over as many terms, at an angle of so many degrees, none of them 0."""
    rng = np.random.default_rng(seed)
    cos, out = math.cos(math.radians(angle)), []
    for _ in range(pairs):
        a, b = rng.gamma(2, 1, terms), rng.gamma(2, 1, terms)
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        if angle >= math.degrees(math.acos(a @ b)):  # further apart than two at random: terms of their own
            half = terms // 2
            a[half:], b[:half] = a[half:] * 0, b[:half] * 0
            a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        across = b - (a @ b) * a
        c = cos * a + math.sqrt(1 - cos * cos) * across / np.linalg.norm(across)
        assert c.min() > -1e-12
        out += [a, np.maximum(c, 0)]
    return out


@pytest.mark.parametrize(("angle", "equal"), [(15, 352), (30, 320), (60, 256), (90, 192)])
def test_equal_bits_tell_the_angle(angle, equal):
    """The table of the specification: 384 * (1 - angle / 180) bits agree."""
    pairs = 60
    vectors = pairs_at(angle, pairs)
    terms = np.random.default_rng(9).integers(0, 2**63, (pairs, len(vectors[0])), dtype=np.uint64)
    agree = []
    for p in range(pairs):
        two = [vectors[2 * p], vectors[2 * p + 1]]
        values, offsets = ragged([terms[p][v > 0] for v in two])
        # A term weighs something else in the other document: each is signed by itself.
        words = []
        for i, v in enumerate(two):
            weights = np.round(v[v > 0] * 2**24).astype(np.uint32)
            here = slice(offsets[i], offsets[i + 1])
            words.append(Projection().sign(values[here], np.array([0, len(weights)]), weights).words)
        agree.append(384 - hamming_distances(*(w[0].tolist() for w in words)))
    share = equal / 384
    assert abs(np.mean(agree) - equal) < 4 * math.sqrt(384 * share * (1 - share) / pairs)


TEXTS = ["今天下午三点在市体育馆举行的比赛因大雨改期到下周六上午十点", "今天下午四点在市体育馆举行的比赛因大雨改期到下周日上午九点",
         "The committee will meet again on Friday to discuss the budget.", "好", ""]  # fmt: skip


SHINGLES = {
    "天地": 0xD6B48ACCC70AA4DC,
    "地人": 0x68DAD9B1EABBC277,
    "人山": 0xBB8A3D9A79AB2936,
    "人水": 0x582EE5397C5B79B9,
}
"""Hashes of pairs of characters."""


def test_the_worked_example_of_simhash():
    """By hand: of three shingles a bit is what two of them have. The first 16 bits:

    天地  1101 0110 1011 0100     天地  1101 0110 1011 0100
    地人  0110 1000 1101 1010     地人  0110 1000 1101 1010
    人山  1011 1011 1000 1010     人水  0101 1000 0010 1110
    most  1111 1010 1001 1010     most  0101 1000 1011 1110     5 differ, of all 64 bits 19
    """
    assert [int(v) for v in shingle_hashes([ord(c) for c in "天地人水"], 2)] == [
        SHINGLES[k] for k in ("天地", "地人", "人水")
    ]
    signed = SimHash().sign(documents_of("天地人山", "天地人水"))
    one, other = (int(w) for w in signed.words[:, 0])
    assert (one, other) == (0xFA9A9998EBABA076, 0x58BEC9B9EE1BE0FD)
    assert one >> 48 == 0b1111_1010_1001_1010 and other >> 48 == 0b0101_1000_1011_1110
    assert (one ^ other).bit_count() == 19
    found = qc.compare("天地人山", "天地人水", method="simhash", threshold=45 / 64)
    assert (found.relation, found.rule, found.measures["evidence"]) == ("duplicate", "simhash", 45 / 64)
    assert qc.compare("天地人山", "天地人水", method="simhash", threshold=46 / 64).relation != "duplicate"
    assert qc.compare("天地人山", "天地人水", method="simhash").relation != "duplicate"  # fewer than 5 may differ


def test_a_shingle_counts_as_often_as_it_stands_and_a_tie_is_no_bit():
    """天地天地人: 天地 twice, 地天 and 地人 once: a bit is 1 where 天地 has it and another one, for 2 to 2 is a tie. 天地天地天 has 天地 and 地天
    twice each: a bit is 1 where both have it.
    """
    back = shingle_hashes([ord(c) for c in "地天"], 2)[0]
    one, other = (int(w) for w in SimHash().sign(documents_of("天地天地人", "天地天地天")).words[:, 0])
    assert one == SHINGLES["天地"] & (back | SHINGLES["地人"])
    assert other == SHINGLES["天地"] & back


@pytest.mark.parametrize("bits", [64, 128])
def test_signatures_of_64_and_128_bits_are_those_of_two_stage(bits):
    documents = documents_of(*TEXTS)
    method = SimHash(bits=bits)
    signed = method.sign(documents)
    docs = kernels.text.names(form("standard", "char"), documents.texts).docs
    for i in range(3):
        tokens = docs.tokens[docs.offsets[i] : docs.offsets[i + 1]].tolist()
        assert signed.words[i].tolist() == simhash(tokens, 2, bits)
    assert signed.defined.tolist() == [True, True, True, False, False]
    old = build("two-stage", {"bits": bits}).sign(documents.texts)
    assert np.array_equal(signed.words[:3], old.words[:3])


def test_a_wide_signature_of_a_text_is_the_projection_of_its_shingles():
    documents = documents_of(*TEXTS)
    docs = kernels.text.names(form("standard", "char"), documents.texts).docs
    hashes = [
        shingle_hashes(docs.tokens[a:b].tolist(), 2) for a, b in zip(docs.offsets, docs.offsets[1:], strict=False)
    ]
    assert np.array_equal(SimHash(bits=384).sign(documents).words, Projection().sign(*ragged(hashes)).words)


def test_wider_signatures_scatter_less():
    """The share of equal bits of one pair of texts, over many pairs at the same angle: standard error sqrt(p (1 - p) / bits)."""
    rng = np.random.default_rng(4)
    spread = {}
    texts = []
    for _ in range(300):
        words = [f"w{k}" for k in rng.integers(0, 10**9, 130)]
        texts += [" ".join(words[:100]), " ".join(words[30:])]
    left = np.arange(0, 600, 2)
    for bits in (64, 128, 384):
        method = SimHash(bits=bits, ngram_size=1, tokens="auto")
        share = method.agreeing(documents_of(*texts), left, left + 1)
        p = 1 - math.acos(0.7) / math.pi  # 70 words of 100 in common
        assert abs(share.mean() - p) < 4 * math.sqrt(p * (1 - p) / bits / len(left)) + 0.01  # few words: a tie is 0
        spread[bits] = share.std() / math.sqrt(p * (1 - p) / bits)
    assert all(0.8 < s < 1.2 for s in spread.values())


def pairs_of_words(pairs, common, most, seed=8):
    """Texts in pairs: so many words that stand in all of them, up to `most` times; and 400 rare ones, of which a pair shares half."""
    rng = random.Random(seed)
    texts = []
    for k in range(pairs):
        rare = [f"r{k}x{i}" for i in range(600)]
        for own in (rare[:400], rare[200:]):
            words = [word for i in range(common) for word in [f"common{i}"] * rng.randint(1, most)] + own
            texts.append(" ".join(rng.sample(words, len(words))))
    return texts


def expected_share(texts, weight):
    """The mean of 1 - angle / pi over the pairs, of vectors weight(count, df, documents), in plain Python; and its standard error at a bit."""
    counts = [Counter(t.split()) for t in texts]
    df = Counter(w for c in counts for w in c)
    vectors = [{w: weight(n, df[w], len(texts)) for w, n in c.items()} for c in counts]
    norm = [math.sqrt(sum(x * x for x in v.values())) for v in vectors]
    shares = []
    for i in range(0, len(texts), 2):
        a, b = vectors[i], vectors[i + 1]
        cosine = sum(x * b.get(w, 0) for w, x in a.items()) / norm[i] / norm[i + 1]
        shares.append(1 - math.acos(min(1.0, cosine)) / math.pi)
    mean = sum(shares) / len(shares)
    return mean, math.sqrt(mean * (1 - mean) / len(shares))


WEIGHTS = {
    "tf": lambda n, df, of: n,
    "tf-idf": lambda n, df, of: n * (1 + math.log((of + 1) / (df + 1))),
    "idf": lambda n, df, of: n * math.log((of + 1) / (df + 1)),
}
"""What a word weighs by how often it stands in a text, and in how many of how many texts."""
FEW, MANY = (12, 3), (80, 6)
"""Common words that tell tf from idf and leave bits of two pairs nearly independent; and those that tell 1 + rarity from rarity."""


@pytest.mark.parametrize(
    ("name", "how", "right", "wrong", "common"),
    [
        ("random-projection", {"weights": "tf"}, "tf", "tf-idf", FEW),
        ("random-projection", {}, "tf-idf", "tf", FEW),
        ("random-projection", {}, "tf-idf", "idf", MANY),
        ("henzinger", {}, "tf", "tf-idf", FEW),
        ("henzinger", {"weights": "tf-idf"}, "tf-idf", "tf", FEW),
        *(("simhash", {"bits": bits, "weights": "unit"}, "tf", "idf", FEW) for bits in (64, 128, 384)),
        *(("simhash", {"bits": bits, "weights": "idf"}, "idf", "tf", FEW) for bits in (64, 128, 384)),
        ("simhash", {"bits": 384, "weights": "idf"}, "idf", "tf-idf", MANY),
    ],
)
def test_equal_bits_tell_the_angle_of_the_weights_asked_for(name, how, right, wrong, common):
    """Within four standard errors of 1 - angle / pi of the vectors of plain Python, and not of those with other weights."""
    texts = pairs_of_words(150, *common)
    documents = documents_of(*texts)
    method = with_statistics(
        build(name, how | ({"ngram_size": 1, "tokens": "auto"} if name == "simhash" else {})), documents
    )
    left = np.arange(0, len(texts), 2)
    share = method.agreeing(documents, left, left + 1).mean()
    away = {}
    for weights in (right, wrong):
        mean, error = expected_share(texts, WEIGHTS[weights])
        away[weights] = abs(share - mean) / (error / math.sqrt(method.width))
    assert away[right] < 4 < away[wrong], away


@pytest.mark.parametrize("name", ["random-projection", "henzinger"])
def test_too_few_terms_make_no_signature(name):
    signed = build(name, {"weights": "tf"}).sign(documents_of("apple pear plum", "apple pear plum cherry", ""))
    assert signed.defined.tolist() == [False, True, False]


# --- who meets


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 6))
def test_keys_are_equal_where_blocks_are(seed, blocks, words):
    blocks = min(blocks, 64 * words)
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 2**64, (1, words), dtype=np.uint64)
    bit = int(rng.integers(0, 64 * words))
    other = base.copy()
    other[0, bit // 64] ^= np.uint64(1) << np.uint64(bit % 64)
    keys = block_keys(np.concatenate([base, other, base]), blocks)
    cuts = [round(i * 64 * words / blocks) for i in range(blocks + 1)]
    (differs,) = np.flatnonzero(keys[0] != keys[1])
    assert cuts[differs] <= bit < cuts[differs + 1]
    assert np.array_equal(keys[0], keys[2]) and len(set(keys[0].tolist())) == blocks


def near_by_hand(words, defined, distance, scope, references):
    return {
        (a, b)
        for b in range(len(words))
        for a in range(b)
        if b >= references and defined[a] and defined[b] and (scope is None or scope[a] == scope[b])
        and hamming_distances(words[a].tolist(), words[b].tolist()) <= distance
    }  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 40), st.booleans(), st.integers(0, 20))
def test_wide_signatures_that_are_near_meet(seed, distance, scoped, references):
    """Lossless: every pair within the distance, and no other."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 2**64, (40, 6), dtype=np.uint64)
    for i in range(10, 40):  # near an earlier one
        words[i] = words[rng.integers(0, i)]
        for bit in rng.integers(0, 384, rng.integers(0, distance + 3)):
            words[i, bit // 64] ^= np.uint64(1) << np.uint64(bit % 64)
    defined = rng.random(40) < 0.9
    scope = rng.integers(0, 2, 40).astype(np.uint64) if scoped else None
    join = HammingJoin(lambda d, w: None, 384, distance, 64, all_pairs=False)
    met = near_signatures(join, Signatures(words, defined), scope, references)
    assert not met.bounded
    found = set(zip(met.left.tolist(), met.right.tolist(), strict=True))
    assert found == near_by_hand(words, defined, distance, scope, references)
    assert len(found) == len(met.left)


def test_a_crowd_meets_the_best_by_policy_and_the_run_says_so():
    words = np.zeros((50, 6), np.uint64)
    join = HammingJoin(lambda d, w: None, 384, 12, 5, all_pairs=False)
    met = near_wide_signatures(join, Signatures(words, np.ones(50, bool)), None, 0)
    assert len(met.left) == sum(min(i, 5) for i in range(50)) and met.left.max() == 4
    ((message, figures),) = met.bounded
    assert (
        figures == {"documents": 44, "cap": 5}
        and "44 texts differ by at most 12 bits from more than 5 other texts" in message
    )


@pytest.mark.parametrize(
    ("name", "how"),
    [("simhash", {}), ("simhash", {"bits": 128, "weights": "idf"}), ("simhash", {"bits": 384, "weights": "idf"}),
     ("random-projection", {}), ("random-projection", {"weights": "tf", "threshold": 0.9}), ("henzinger", {"rows": 4})],
)  # fmt: skip
def test_nothing_that_the_rule_accepts_is_missed(edited, name, how):
    documents = documents_of(*(r["text"] for r in edited if r["text"]))
    method = with_statistics(build(name, how), documents, 2)
    met = meet(method.candidates, documents, None, 0, 2)
    left, right = (x.astype(np.uint32) for x in np.triu_indices(len(documents), 1))
    accepted = method.rule.floor(method.evidence_of(documents, left, right, 2))
    true = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
    assert len(true) >= 5
    assert true <= set(zip(met.left.tolist(), met.right.tolist(), strict=True))


# --- decisions


def test_random_projection_does_not_see_order():
    words = "the river rose after three days of rain and the lower town was under water by noon on sunday".split()
    texts = [
        " ".join(words),
        " ".join(reversed(words)),
        " ".join([*words[:-6], "a", "cat", "slept", "near", "my", "stove"]),
    ]
    evidence = RandomProjection(weights="tf").agreeing(documents_of(*texts), np.array([0, 0]), np.array([1, 2]))
    assert evidence[0] == 1.0 and evidence[1] < 372 / 384


def test_henzinger_keeps_355_equal_bits_and_rejects_354():
    method = Henzinger()
    assert method.rule.floor({"evidence": np.array([354, 355]) / 384}).tolist() == [False, True]
    assert RandomProjection().rule.floor({"evidence": np.array([371, 372]) / 384}).tolist() == [False, True]
    assert SimHash().rule.floor({"evidence": np.array([59, 60]) / 64}).tolist() == [False, True]
    assert (RandomProjection().distance, method.distance, SimHash().distance, SimHash(bits=384).distance) == (
        12,
        29,
        4,
        24,
    )


def test_henzinger_asks_both(edited, monkeypatch):
    """What super-shingles do not propose is nothing, whatever the projection says; what they do is held to it."""
    documents = documents_of(*(r["text"] for r in edited[:60]))
    left, right = np.triu_indices(60, 1)
    method = Henzinger(rows=6)
    groups = method.super_shingles.sign(
        kernels.sets.feature_sets(
            *kernels.features.ragged_shingles(kernels.text.names(form(), documents.texts).docs, 8)
        )
    )
    proposed = (groups[left] == groups[right]).sum(axis=1) >= 2
    own = method.evidence_of(documents, left, right)["evidence"]
    assert 5 < proposed.sum() < 60 and not own[~proposed].any()
    assert np.array_equal(own[proposed], method.agreeing(documents, left[proposed], right[proposed]))
    for equal, accepted in ((354, 0), (355, proposed.sum())):
        monkeypatch.setattr(Henzinger, "agreeing", lambda s, d, a, b, w=None, e=equal: np.full(len(a), e / 384))
        assert method.rule.floor(method.evidence_of(documents, left, right)).sum() == accepted


@pytest.mark.parametrize(("jaccard", "theory"), [(0.8, 0.026), (0.9, 0.415), (0.95, 0.879)])
def test_super_shingles_catch_as_the_theory_says(jaccard, theory):
    """At least 2 of 6 groups of 14 agree: binomial of jaccard ** 14."""
    p = jaccard**14
    assert 1 - (1 - p) ** 6 - 6 * p * (1 - p) ** 5 == pytest.approx(theory, abs=6e-4)
    rng, pairs = np.random.default_rng(2), 600
    shared = 380
    own = round((shared / jaccard - shared) / 2)
    draws = rng.integers(0, 2**63, (pairs, shared + 2 * own), dtype=np.uint64)
    sets = [s for d in draws for s in (d[: shared + own], np.concatenate([d[:shared], d[shared + own :]]))]
    signed = SuperShingles().sign(kernels.sets.feature_sets(*ragged(sets)))
    caught = ((signed[::2] == signed[1::2]).sum(axis=1) >= 2).mean()
    assert abs(caught - theory) < 4 * math.sqrt(theory * (1 - theory) / pairs)


@pytest.mark.parametrize(
    ("name", "how"),
    [("simhash", {"weights": "idf", "bits": 384, "threshold": 0.85}), ("random-projection", {"threshold": 0.85})],
)
def test_statistics_that_would_be_counted_can_be_given(edited, name, how, tmp_path):
    compared = [r for r in edited if r["id"][0] in "abc"]  # what exact classes leave
    path = fit_statistics(compared, method=name, **how).save(tmp_path / "df.parquet")
    counted = qc.dedup(edited, method=name, recall_sample=0, **how)
    given_ = qc.dedup(edited, method=name, recall_sample=0, statistics=str(path), **how)
    assert given_.pairs.equals(counted.pairs) and len(counted.pairs) > 5
    assert given_.manifest["config_hash"] == counted.manifest["config_hash"]
    with pytest.raises(UsageError, match="make new statistics"):
        build(name, how | {"statistics": str(path), "normalise": "plain"})


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("simhash", {"bits": 100}, "64, 128 or 384"), ("simhash", {"threshold": 0.5}, "at least 0.688"),
        ("simhash", {"bits": 384, "threshold": 0.6}, "at least 0.669"), ("simhash", {"most": 5}, "does not take"),
        ("simhash", {"statistics": "df.parquet"}, "needs"), ("simhash", {"ngram_size": 0}, "1 to 63"),
        ("simhash", {"weights": "tf"}, "unit or idf"), ("random-projection", {"threshold": 0.6}, "at least 0.669"),
        ("random-projection", {"weights": "tf", "statistics": "df.parquet"}, "needs"),
        ("random-projection", {"min_features": 0}, "min_features"), ("henzinger", {"agree": 7}, "1 to 6"),
        ("henzinger", {"groups": 4096, "rows": 14}, "4096"), ("henzinger", {"weights": "idf"}, "tf or tf-idf"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(name, wrong, said):
    with pytest.raises(UsageError) as caught:
        METHODS[name](**wrong)
    assert said in str(caught.value)


def test_the_least_threshold_named_in_the_message_is_taken():
    for bits, least in ((64, 0.688), (128, 0.68), (384, 0.67)):
        assert bits // (SimHash(bits=bits, threshold=least).distance + 1) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_exact_copies_have_no_evidence_of_their_own(edited, name):
    """No share of equal bits was looked at: null, not 0."""
    pairs = qc.dedup(edited, method=name, recall_sample=0).pairs.to_pylist()
    assert {p["evidence"] for p in pairs if p["relation"] == "exact"} == {None}
    assert all(p["features_left"] == p["features_right"] > 0 for p in pairs if p["relation"] == "duplicate")
