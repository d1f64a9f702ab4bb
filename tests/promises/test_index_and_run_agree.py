"""Covers: quchong.Index: documents added in any order and any batches, some deleted on the way, have the pairs of a run over those that are
left, under equal frozen statistics; by every method that an index offers.
Compared against: `quchong.dedup`.
Run: pytest tests/promises/test_index_and_run_agree.py.
"""

from __future__ import annotations

import random

import pytest
from index_records import pairs_of_index, records

import quchong as qc
from quchong.candidates.arrivals import can_arrive
from quchong.plan.catalogue import METHODS, build

OFFERED = sorted(name for name in METHODS if can_arrive(build(name, {}).candidates))
SMALL = {"min_features": 1, "min_length": 4, "min_terms": 1, "idf_low": 0.05, "idf_high": 1.0}
"""Parameters by which short texts are compared at all."""


def parameters_for(name):
    known = METHODS[name].__dataclass_fields__
    return {k: v for k, v in SMALL.items() if k in known}


def pairs_of_run(result):
    return {
        (row["left_id"], row["right_id"]): (
            row["relation"], row["rule"], round(row["jaccard"], 9), round(row["containment_left"], 9), round(row["containment_right"], 9),
        )
        for row in result.pairs.table.to_pylist()
    }  # fmt: skip


def fill(index, some, draw):
    """Add records in batches of chance, delete a few, and add some of these again; return the records that are left."""
    some = list(some)
    draw.shuffle(some)
    left = {}
    while some:
        n = draw.choice([1, 1, 3, 10])
        batch, some = some[:n], some[n:]
        given = batch[0] if n == 1 else batch
        index.add(given)
        left.update({one["id"]: one for one in batch})
        if draw.random() < 0.2:
            gone = draw.choice(sorted(left))
            assert index.delete(gone) == 1
            if draw.random() < 0.5:
                some.append(left[gone])
            del left[gone]
        if draw.random() < 0.1:
            index._open.tidy()
    return [left[id] for id in sorted(left)]


@pytest.mark.parametrize("name", OFFERED)
def test_documents_added_in_any_order_have_the_pairs_of_a_run(tmp_path, name):
    draw = random.Random(name)
    some = records(draw.randrange(1000))
    with qc.Index.create(tmp_path / "seen", method=name, fit=some, templates="remove", **parameters_for(name)) as index:
        left = fill(index, some, draw)
        frozen = index._open.plan.method
        found = pairs_of_index(index)
    run = qc.dedup(left, method=frozen, differences="all", templates="remove", recall_sample=0)
    assert found == pairs_of_run(run)
    with qc.Index(tmp_path / "seen", read_only=True) as again:
        assert pairs_of_index(again) == found
