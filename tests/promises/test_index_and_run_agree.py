"""Covers: quchong.Index: documents added in any order and any batches, some deleted on the way, have the pairs of a run over those that are
left, under equal frozen statistics; by every method that an index offers.
Compared against: `quchong.dedup`.
Run: pytest tests/promises/test_index_and_run_agree.py.
"""

from __future__ import annotations

import random

import pytest
from index_records import fill, pairs_of_index, pairs_of_run, parameters_for, records
from method_kinds import of_each_kind

import quchong as qc
from quchong.candidates.arrivals import can_arrive
from quchong.plan.catalogue import build

OFFERED = [one for one in of_each_kind(also=("hybrid",)) if can_arrive(build(one.values[0], {}).candidates)]


@pytest.mark.parametrize("name", OFFERED)
def test_documents_added_in_any_order_have_the_pairs_of_a_run(tmp_path, name):
    draw = random.Random(name)
    some = records(draw.randrange(1000))
    with qc.Index.create(tmp_path / "seen", method=name, fit=some, templates="remove", **parameters_for(name)) as index:
        left = fill([index], some, draw)
        frozen = index._open.plan.method
        found = pairs_of_index(index)
    run = qc.dedup(left, method=frozen, differences="all", templates="remove", recall_sample=0)
    assert found == pairs_of_run(run)
    with qc.Index(tmp_path / "seen", read_only=True) as again:
        assert pairs_of_index(again) == found
