"""Covers: what the ledger says of a removal (`quchong.decision.ledger`, `quchong.engines.local.ledger`)."""

import random

import pytest

import quchong as qc

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
