"""Families of near-equal documents: pairs grow with their number, not with its square, and an alarm says so."""

import random

import pytest

import quchong as qc

HAN = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"


def family(n, changes=1):
    rng = random.Random(1)
    base = rng.choices(HAN, k=60)
    rows = []
    for i in range(n):
        text = list(base)
        for _ in range(changes):
            text[rng.randrange(60)] = rng.choice(HAN)
        rows.append({"id": f"p{i:04d}", "text": "".join(text)})
    return rows


def prefixes(n):
    rng = random.Random(2)
    whole = "".join(rng.choices(HAN, k=15 * (n + 10)))
    return [{"id": f"p{i:04d}", "text": whole[: 15 * (i + 10)]} for i in range(n)]


def bounded(result):
    return [a for a in result.manifest["alarms"] if a["kind"] == "candidates bounded"]


@pytest.mark.parametrize("method", ["hybrid", "minhash", "short-text"])
@pytest.mark.parametrize("shape", [family, prefixes])
def test_pairs_grow_with_the_number_of_documents(method, shape):
    small, large = (qc.dedup(shape(n), method=method, most=16, recall_sample=0) for n in (150, 300))
    assert small.manifest["counts"]["candidates"] <= 16 * 150
    assert large.manifest["counts"]["candidates"] <= 16 * 300
    assert bounded(large)


def test_a_family_of_1000_goes_almost_as_far_as_without_a_bound():
    rows = family(1000, 2)
    free, usual = (qc.dedup(rows, method="minhash", most=most, recall_sample=0) for most in (0, 128))
    assert len(usual.pairs) < 0.8 * len(free.pairs)
    assert len(usual.ledger) >= 0.9 * len(free.ledger) > 100


def test_small_families_are_not_bounded():
    result = qc.dedup(family(129, 3), recall_sample=0)
    assert not bounded(result)


def test_a_reference_corpus_has_a_bound_of_its_own():
    rows = family(60, 2)
    result = qc.dedup(rows[:20], against=rows[20:], method="minhash", most=4, recall_sample=0)
    free = qc.dedup(rows[:20], against=rows[20:], method="minhash", most=0, recall_sample=0)
    assert len(result.ledger) >= 0.8 * len(free.ledger)
    with_reference = [p for p in result.pairs.to_pylist() if "against/" in p["left_id"] + p["right_id"]]
    assert 0 < len(with_reference) <= 4 * 20
