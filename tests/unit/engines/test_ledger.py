"""Covers: what the ledger says of a removal (`quchong.decision.ledger`, `quchong.engines.local.ledger`)."""

import random

import pytest

import quchong as qc
from quchong.engines.local import scores

HAN = [chr(0x4E00 + i) for i in range(100, 3000)]


def drawn(n, seed):
    return "".join(random.Random(seed).sample(HAN, n))


def test_the_ledger_shows_the_threshold_that_decided():
    a = drawn(90, 3)
    rows = [{"id": "a", "text": a}, {"id": "b", "text": a[:40] + drawn(16, 4) + a[56:]}]
    (row,) = qc.dedup(rows).ledger.to_pylist()
    assert row["rule"] == "jaccard"
    assert row["threshold"] == pytest.approx(0.45)
    assert row["jaccard"] >= row["threshold"]


@pytest.mark.parametrize("block", [1, 12 << 20])
@pytest.mark.parametrize("workers", [1, 2])
def test_passages_and_differences_of_each_removal_are_those_of_its_own_pair(monkeypatch, block, workers):
    """Searched survivor by survivor, in batches, beside the differences: rows by id have to get their own."""
    monkeypatch.setattr(scores, "BLOCK_BYTES", block)
    texts = {}
    for family in range(3):
        text = drawn(200, family)
        texts[f"9{family}"] = text + drawn(30, 50 + family)  # longer than its copies, so it is kept
        for copy in range(4):
            at = 20 + 30 * copy + family
            texts[f"{copy}{family}"] = text[:at] + drawn(3 + copy, 90 + copy) + text[at + 9 :]
    rows = [{"id": name, "text": text} for name, text in texts.items()]
    ledger = qc.dedup(rows, workers=workers).ledger.to_pylist()
    assert [row["id"] for row in ledger] == sorted(name for name in texts if name[0] != "9")
    assert len({row["survivor_id"] for row in ledger}) == 3
    for row in ledger:
        pair = [one for one in rows if one["id"] in (row["id"], row["survivor_id"])]
        (alone,) = qc.dedup(pair, workers=workers).ledger.to_pylist()
        assert row["passages"] == alone["passages"]
        assert len(row["passages"]) >= 2
        assert row["differences"] == alone["differences"]
