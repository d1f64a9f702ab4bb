"""Covers: block-digest: blocks, the log of digests and what is merged into it, shares, who meets.

Compared against: the worked example, dictionaries in plain Python. Run: pytest tests/unit/methods/equality/test_block_digest.py
"""

import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.candidates.block_log import BlockLog
from quchong.candidates.set_join import met_by
from quchong.engines.local.joins import meet
from quchong.errors import UsageError
from quchong.features.blocks import blocks_of
from quchong.kernels.arrays import texts_of
from quchong.methods.equality.block_digest import BlockDigest
from quchong.seam import Documents
from quchong.text import form


def log_of(values, first=0):
    codes = np.array(values, np.uint64)
    return BlockLog.from_blocks(codes // np.uint64(4), codes % np.uint64(4), first)


def test_the_worked_example():
    """Increments {a, b, c} and {b, d, b}: b has three members, the oldest of the first increment; as one batch over all six."""
    a, b, c, d = 40, 17, 23, 99
    log = log_of([a, b, c]).merged(log_of([b, d, b], 3))
    oldest, count = log.canonical()
    assert oldest.tolist() == [0, 1, 2, 1, 4, 1]
    assert count.tolist() == [1, 3, 1, 3, 1, 3]
    whole = log_of([a, b, c, b, d, b])
    assert all(np.array_equal(getattr(log, k), getattr(whole, k)) for k in ("high", "low", "block"))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.integers(0, 30), max_size=8), max_size=6), st.integers(1, 7))
def test_increments_give_the_log_of_one_batch(increments, parts):
    """Digests that agree in one half alone are among them: four lows to a high."""
    log, first = log_of([]), 0
    for values in increments:
        log = log.merged(log_of(values, first))
        first += len(values)
    flat = [v for values in increments for v in values]
    whole = log_of(flat)
    assert log.block.tolist() == whole.block.tolist() and log.high.tolist() == whole.high.tolist()
    oldest, count = log.canonical()
    assert oldest.tolist() == [flat.index(v) for v in flat]
    assert count.tolist() == [Counter(flat)[v] for v in flat]
    pieces = log.partitioned(parts)
    assert len(pieces) == parts and np.concatenate([p.block for p in pieces]).tolist() == log.block.tolist()


def test_partitions_can_be_merged_by_themselves():
    rng = random.Random(1)

    def draw(n):
        return np.array([rng.randrange(1 << 64) for _ in range(n)], np.uint64)

    one, two = draw(200), draw(100)
    two[:40] = one[:40]
    old, new = BlockLog.from_blocks(one, one), BlockLog.from_blocks(two, two, 200)
    merged = [a.merged(b) for a, b in zip(old.partitioned(5), new.partitioned(5), strict=True)]
    assert min(len(m.block) for m in merged) > 20
    assert np.concatenate([m.block for m in merged]).tolist() == old.merged(new).block.tolist()


def made(texts, unit="paragraph", size=16, least=1):
    return blocks_of(texts_of([pa.array(texts, pa.large_string())]), form(), unit, size, least)


def test_paragraphs_are_lines_and_equal_in_normal_form():
    text = "Rain fell.\n\n... \n天氣很好！River rose"
    found = made([text, "天气很好river ROSE", ""])
    assert found.offsets.tolist() == [0, 2, 3, 3] and found.length.tolist() == [2, 6, 6]
    assert [text[a:b] for a, b in zip(found.start[:2], found.end[:2], strict=True)] == [
        "Rain fell",
        "天氣很好！River rose",
    ]
    assert found.high[1] == found.high[2] and found.low[1] == found.low[2] and found.high[0] != found.high[1]
    assert made([text, "天气很好river ROSE"], least=3).offsets.tolist() == [0, 1, 2]


def test_chunks_cover_the_text_and_an_edit_changes_few():
    rng = random.Random(4)
    for _ in range(20):
        text = "".join(rng.choices("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳", k=2000))
        at = rng.randrange(2000)
        found = made([text, text[:at] + "云腾致雨" + text[at:]], "chunk", 64)
        one, other = (found.high[a:b] for a, b in zip(found.offsets[:-1], found.offsets[1:], strict=True))
        lengths = found.length[: len(one)]
        assert lengths.sum() == 2000 and lengths[:-1].min() >= 16 and lengths.max() <= 256
        assert 2000 / len(one) == pytest.approx(80, rel=0.5)
        assert len(set(one.tolist()) - set(other.tolist())) <= 6


def corpus(seed, n=60):
    rng = random.Random(seed)
    lines = [" ".join(f"w{rng.randrange(40)}" for _ in range(rng.randrange(1, 12))) for _ in range(60)]
    return ["\n".join(rng.choices(lines, k=rng.randrange(1, 9))) for _ in range(n)]


def test_shares_are_those_of_the_definition():
    texts = corpus(2)
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    left, right = np.triu_indices(len(texts), 1)
    found = BlockDigest(min_length=3).evidence_of(documents, left, right)
    counted = [Counter(line for line in t.split("\n") if len(line.split()) >= 3) for t in texts]
    total = [sum(n * len(line.split()) for line, n in c.items()) for c in counted]
    for k, (i, j) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        common = sum(n * len(line.split()) for line, n in (counted[i] & counted[j]).items())
        assert found["covered_left"][k] == pytest.approx(common / total[i] if total[i] else 0)
        assert found["covered_right"][k] == pytest.approx(common / total[j] if total[j] else 0)


@pytest.mark.parametrize("how", [{}, {"unit": "chunk", "chunk": 16}, {"unit": "document"}, {"least": 0.5}])
def test_every_pair_the_rule_accepts_meets_in_batches_too(how, monkeypatch):
    documents = Documents.from_texts(
        pa.array([t for seed in range(2) for t in corpus(seed)] + ["w1 w2 w3 w4"] * 3, pa.large_string())
    )
    method = BlockDigest(most=0, min_length=2, **how)
    left, right = np.triu_indices(len(documents), 1)
    accepted = method.rule.floor(method.evidence_of(documents, left, right))
    true = set(zip(left[accepted].tolist(), right[accepted].tolist(), strict=True))
    monkeypatch.setattr(
        "quchong.methods.equality.block_digest.places", lambda texts: np.array_split(np.arange(len(texts)), 7)
    )
    met = meet(method.candidates, documents, None, 0)
    pairs = set(zip(met.left.tolist(), met.right.tolist(), strict=True))
    assert true <= pairs and len(true) >= 3
    log = method.logged(documents)[1]
    monkeypatch.undo()
    whole = method.logged(documents)[1]
    assert log.block.tolist() == whole.block.tolist()


@pytest.mark.parametrize("how", [{}, {"unit": "chunk", "chunk": 16}, {"unit": "document"}, {"least": 0.5}])
def test_the_sets_a_cluster_joins_meet_as_the_log_does(how):
    """`sets_of`: blocks weigh their tokens, one that stands twice in a text twice; no two digests are one value here."""
    documents = Documents.from_texts(
        pa.array(corpus(3) + corpus(4) + corpus(4)[:4] + ["w1 w2 w3 w4\nw1 w2 w3 w4\nw5 w6"], pa.large_string())
    )
    method = BlockDigest(most=0, min_length=2, **how)
    sets, made = method.sets_of(documents), method.blocks(documents)
    assert sets.sizes.tolist() == np.bincount(made.document, made.length, len(documents)).astype(int).tolist()
    digests = set(zip(made.high.tolist(), made.low.tolist(), strict=True))
    assert len(set(sets.values.tolist())) == len(digests)
    found = [
        set(zip(met.left.tolist(), met.right.tolist(), strict=True))
        for met in (met_by(sets, method.join_limits(), None, 0), method.meet(documents, None, 0))
    ]
    assert found[0] == found[1] and len(found[0]) >= 3


def test_common_blocks_are_the_passages():
    a, b = (
        "云河地铁四号线开始空载试运行。\n列车不载客，检验各个系统。",
        "今天的要闻在这里一一列出。\n列車不載客,檢驗各個系統",
    )
    found = qc.compare(a, b, method="block-digest")
    assert found.relation == "partial" and [(a[p.start : p.end], p.kind) for p in found.passages] == [
        ("列车不载客，检验各个系统", "exact")
    ]


@pytest.mark.parametrize("wrong", [{"unit": "byte"}, {"chunk": 8}, {"min_length": 0}, {"least": 0.9}])
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        BlockDigest(**wrong)
