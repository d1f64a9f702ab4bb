"""Covers: a removal is decided on letters, not on hashes of words: with hashes of few bits every method decides as it does with many,
and codes, names and figures of one hash stay apart. Run: pytest tests/promises/test_letters.py
"""

import random
from collections import defaultdict

import numpy as np
import pytest
from word_hash_tables import forget_tables

import quchong as qc
from quchong import kernels
from quchong.methods import PLACES
from quchong.text import normalise

WORDS = (
    "alpha beta gamma delta report market growth city minister percent profit shares board river train station school music film actor "
    "league match goal weather storm rain"
).split()
NEWS = (
    "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全。记者从现场了解到，"
    "今年花期比往年提前5天，预计持续到4月中旬。"
)
BY_HASHES = ("hybrid", "minhash", "short-text")
"""Methods whose candidates come from hashes of words; which of them are copies is decided on letters."""


def corpus():
    """Notices with codes, contracts with amounts, English texts with near-copies and contained ones, Chinese ones with names."""
    rng = random.Random(5)
    out = [
        f"订单 q{rng.randrange(10**6)} 已发货，请注意查收。包裹编号 {rng.randrange(10**8)} 由顺丰承运。"
        for _ in range(24)
    ]
    out += [
        f"合同金额为{rng.randrange(10000, 99999)}元，甲方{rng.choice('张王李赵')}先生于2024年{1 + i % 12}月签署。"
        for i in range(12)
    ]
    for _ in range(12):
        words = [rng.choice(WORDS) + str(rng.randrange(999)) * (rng.random() < 0.1) for _ in range(60)]
        out += [" ".join(words) + ".", " ".join([*words, *(rng.choice(WORDS) for _ in range(12))])]
        words[rng.randrange(60)] = f"word{rng.randrange(10**5)}"
        out.append(" ".join(words))
    out += [NEWS * 2 + f"本报讯 No{i} 记者 Smith{i}。" for i in range(6)]
    return [{"id": f"{i:03}", "text": text} for i, text in enumerate(out)]


ROWS = corpus()


@pytest.fixture
def hash_bits(monkeypatch):
    """Sets the bits of a word's hash for texts that are read from now on."""

    def set_to(bits):
        monkeypatch.setattr(normalise, "HASH_BITS", bits)
        forget_tables()

    yield set_to
    monkeypatch.undo()
    forget_tables()


@pytest.mark.parametrize("method", sorted(PLACES))
def test_every_method_decides_alike_with_hashes_of_few_bits(method, hash_bits):
    results = []
    for bits in (30, 8):
        hash_bits(bits)
        results.append(qc.dedup(ROWS, method=method, recall_sample=0))
    wide, narrow = results
    if method not in BY_HASHES:
        for table in ("pairs", "ledger", "clusters"):
            assert getattr(wide, table).equals(getattr(narrow, table)), table
        return
    found = [{(p["left_id"], p["right_id"]): p for p in result.pairs.to_pylist()} for result in results]
    both = found[0].keys() & found[1].keys()
    assert len(both) > 100
    assert all(found[0][pair] == found[1][pair] for pair in both)


def test_two_texts_are_compared_alike_with_hashes_of_few_bits(hash_bits):
    texts = [ROWS[i]["text"] for i in (0, 1, 24, 25, 36, 37, 38, 72, 73)]
    pairs = [(a, b) for i, a in enumerate(texts) for b in texts[:i]]
    found = []
    for bits in (30, 1):
        hash_bits(bits)
        found.append([repr(qc.compare(a, b)) for a, b in pairs])
    assert found[0] == found[1]


def test_passages_are_those_of_wide_hashes(hash_bits):
    found = []
    for bits in (30, 2):
        hash_bits(bits)
        found.append(qc.passages(ROWS, min_chars=20).table)
    assert found[0].num_rows and found[0].equals(found[1])


def colliding(words, least):
    """Groups of at least so many words of one hash, by 30 bits."""
    groups = defaultdict(list)
    tables = normalise.tables()
    for word in words:
        groups[kernels.text.word_hash(tables, word)].append(word)
    return [group for group in groups.values() if len(group) >= least]


def test_figures_and_codes_of_one_hash_stay_apart():
    """Pairs of five-digit figures that have one hash of 30 bits: orders and contracts over them are not copies."""
    pairs = colliding(map(str, range(10_000, 90_000)), 2)
    assert pairs, "no two figures of one hash: the test shows nothing"
    rows = []
    for first, second in (pair[:2] for pair in pairs):
        for figure in (first, second):
            rows.append(f"订单 {figure} 已发货")
            rows.append(f"本合同由甲乙双方签订，总金额为 {figure} 元，付款方式为银行转账，自签字之日起生效。")
    for method in ("hybrid", "short-text", "minhash"):
        result = qc.dedup([{"id": str(i), "text": t} for i, t in enumerate(rows)], method=method)
        assert [p for p in result.pairs.to_pylist() if p["jaccard"] == 1.0] == []
        if method != "minhash":  # which looks at no facts
            assert result.ledger.num_rows == 0
    first, second = pairs[0][:2]
    contracts = [f"本合同由甲乙双方签订，总金额为 {figure} 元，付款方式为银行转账。" for figure in (first, second)]
    told = qc.compare(*contracts)
    assert told.relation == "variant" and told.jaccard < 1
    assert told.facts == ("figure",)


@pytest.fixture
def names_of_6_bits(monkeypatch):
    """Features are made of names of 6 bits, so that different words are taken for one another everywhere."""
    names = kernels.text.names

    def narrow(*given, **how):
        found = names(*given, **how)
        docs = found.docs._replace(tokens=found.docs.tokens & np.uint64(63))
        return found._replace(docs=docs)

    monkeypatch.setattr(kernels.text, "names", narrow)


@pytest.mark.parametrize("method", ["ppjoin", "feature-code", "imatch", "simhash", "lcs", "winnowing"])
def test_with_verify_exact_letters_decide_whatever_the_names(method, names_of_6_bits):
    """Names propose too many pairs; what goes has passed the default method's test, whose counts compare letters."""
    rows = [{"id": str(i), "text": " ".join(row)} for i, row in enumerate(random_words(60, 12))]
    rows += [{"id": f"{row['id']}-copy", "text": row["text"] + " indeed"} for row in rows[:10]]
    by_rule = qc.dedup(rows, method=method, recall_sample=0)
    result = qc.dedup(rows, method=method, verify="exact", recall_sample=0)
    texts = {row["id"]: row["text"].split() for row in rows}
    for row in result.ledger.to_pylist():
        assert row["id"].split("-")[0] == row["survivor_id"].split("-")[0]
        one, other = (set(zip(t, t[1:], t[2:], strict=False)) for t in (texts[row["id"]], texts[row["survivor_id"]]))
        assert row["jaccard"] == pytest.approx(len(one & other) / len(one | other))
    assert by_rule.ledger.num_rows >= result.ledger.num_rows


def test_names_of_6_bits_do_deceive_the_rule_of_a_paper(names_of_6_bits):
    rows = [{"id": str(i), "text": " ".join(row)} for i, row in enumerate(random_words(400, 12))]
    settings = {"method": "ppjoin", "ngram_size": 1, "threshold": 0.5, "recall_sample": 0}
    assert qc.dedup(rows, **settings).ledger.num_rows > 0
    assert qc.dedup(rows, verify="exact", **settings).ledger.num_rows == 0


def random_words(texts, words):
    """Texts of words that no two of them share."""
    rng = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [["".join(rng.choices(letters, k=9)) for _ in range(words)] for _ in range(texts)]
