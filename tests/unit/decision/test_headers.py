"""Covers: a header that many documents share is no copy for itself: what is left decides; quoted articles and vendored copies are copies as before."""

import random

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from header_corpus import (
    DISCLAIMER,
    LICENCE,
    article,
    brief_of_reprints,
    disclaimed,
    in_roundups,
    licensed,
    prose,
    quoted,
    rows,
)

import quchong as qc
from quchong.tables import SHARED_HEADER


def removed(texts, **options):
    """Removed ids with their survivors, and the result."""
    result = qc.dedup(rows(texts), recall_sample=0, **options)
    return dict(zip(result.ledger["id"].to_pylist(), result.ledger["survivor_id"].to_pylist(), strict=True)), result


def rules(result):
    return pc.value_counts(result.pairs["rule"]).to_pylist()


@pytest.mark.parametrize("made", [licensed, disclaimed])
def test_small_documents_with_a_header_are_not_contained_in_long_ones(made):
    texts = made(random.Random(1))
    gone, result = removed(texts)
    assert not gone
    shared = result.pairs.filter(pc.equal(result.pairs["rule"], SHARED_HEADER))
    assert set(shared["relation"].to_pylist()) == {"partial"}
    headed = {name for name in texts if not name.startswith("long")}
    assert result.counts["shared_headers"] == len(headed)
    # Without guards the header counts as any text does.
    gone, _ = removed(texts, guards=False)
    assert headed <= gone.keys()


@pytest.mark.parametrize(("made", "header"), [(licensed, LICENCE), (disclaimed, DISCLAIMER)])
def test_what_is_left_is_contained(made, header):
    rng = random.Random(2)
    texts = made(rng)
    own = prose(rng, 40) if header is LICENCE else article(rng, 2)
    parts = (header, own) if header is LICENCE else (own, header)
    texts["part"] = "\n".join(parts)
    texts["whole"] = "\n".join((header, own, prose(rng, 500)) if header is LICENCE else (own, article(rng, 20), header))
    gone, result = removed(texts)
    assert gone == {"part": "whole"}
    assert result.ledger["relation"].to_pylist() == ["contained_in"]


@pytest.mark.parametrize("made", [licensed, disclaimed])
def test_copies_under_a_header_are_copies(made):
    texts = made(random.Random(3))
    texts |= {"again": texts["long03"] + " ba", "bare again": texts["bare"] + " Copyright 2026"}
    assert set(map(frozenset, removed(texts)[0].items())) == {
        frozenset(("again", "long03")),
        frozenset(("bare again", "bare")),
    }


@pytest.mark.parametrize("method", ["hybrid", "short-text"])
@pytest.mark.parametrize("made", [in_roundups, quoted, brief_of_reprints])
def test_what_is_quoted_is_no_header(made, method):
    texts = made(random.Random(4))
    gone, result = removed(texts, method=method, roundups="whole")
    assert next(iter(texts)) in gone
    assert not result.counts["shared_headers"]
    # A post that others quote with a mark is their original; the method for posts reads no marks.
    kept = made is quoted and method == "hybrid"
    assert (next(iter(texts)) in removed(texts, method=method)[0]) == (not kept)


def test_few_documents_are_no_evidence():
    texts = licensed(random.Random(5), long=5, small=0)
    assert list(removed(texts)[0]) == ["bare"]


def test_explain_and_the_counts_of_run_json_tell_them(tmp_path):
    texts = licensed(random.Random(6))
    result = qc.dedup(rows(texts), out=tmp_path / "run", recall_sample=0)
    read = qc.load(tmp_path / "run")
    assert read.counts["shared_headers"] == result.counts["shared_headers"] == 13
    assert "This document shares with the others only a header that many documents have" in str(read.explain("bare"))
    assert "header" not in str(read.explain("long01")).replace(SHARED_HEADER, "")
    assert "13, similar to others only because of a block that many documents share" in str(read.summary())
    # The same decisions from the stored table, with other thresholds too.
    assert read.rethreshold().ledger.equals(result.ledger)
    lower = qc.dedup(rows(texts), recall_sample=0, containment=0.7)
    assert read.rethreshold(containment=0.7).pairs["rule"].equals(lower.pairs["rule"])


def test_pairs_that_a_header_alone_makes_near_are_read_when_they_are_asked_for(tmp_path):
    texts = disclaimed(random.Random(13))
    all_read = qc.dedup(rows(texts), recall_sample=0, differences="all")
    result = qc.dedup(rows(texts), recall_sample=0, out=tmp_path / "run")
    assert result.ledger.equals(all_read.ledger)
    assert result.counts["shared_headers"] == all_read.counts["shared_headers"]
    for name in ("relation", "jaccard", "rest_left", "rest_right"):
        assert result.pairs[name].equals(all_read.pairs[name]), name
    headed = pc.equal(result.pairs["rule"], SHARED_HEADER)
    assert pc.all(pc.is_null(result.pairs["differences"].filter(headed))).as_py()
    assert pc.all(pc.equal(all_read.pairs["rule"], SHARED_HEADER).filter(headed)).as_py()
    # What is shown of one of them tells how they differ.
    read, full = (one.examined_pairs.to_pylist() for one in (qc.load(tmp_path / "run"), all_read))
    assert read == full


def test_references_and_two_texts_alone():
    texts = licensed(random.Random(7))
    small = {name: texts.pop(name) for name in list(texts) if not name.startswith("long")}
    result = qc.dedup(rows(small), against=rows(texts), recall_sample=0)
    assert not len(result.ledger)
    assert qc.compare(small["bare"], texts["long00"]).relation == "contained_in"  # two texts are no corpus


def test_recall_counts_no_headers():
    texts = licensed(random.Random(8))
    rng = random.Random(9)
    texts |= {f"part{i}": " ".join(texts[f"long{i:02}"].split()[100:200]) + prose(rng, 5) for i in range(3)}
    recall = qc.dedup(rows(texts), recall_sample=100).manifest["recall"]["contained_in"]
    assert recall["true"] == 3


def test_the_order_of_documents_does_not_matter():
    texts = licensed(random.Random(10)) | {f"zh{k}": v for k, v in disclaimed(random.Random(11)).items()}
    first = qc.dedup(rows(texts), recall_sample=0)
    mixed = rows(texts)
    random.Random(12).shuffle(mixed)
    assert qc.dedup(mixed, recall_sample=0, workers=1).pairs.equals(first.pairs)
    halves = [pa.Table.from_pylist(mixed[:30]), pa.Table.from_pylist(mixed[30:])]
    assert qc.dedup(pa.concat_tables(halves), recall_sample=0).pairs.equals(first.pairs)
