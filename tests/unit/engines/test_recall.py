"""The sample that recall is measured on: as large as was asked for, smaller where it would meet very many."""

from __future__ import annotations

import random

import numpy as np
import pytest

import quchong as qc
from quchong.engines.local import recall
from quchong.engines.local.recall import affordable, affordable_bytes, wilson

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def text(seed, size):
    return "".join(random.Random(seed).choices(HAN, k=size))


def test_the_interval_is_wilson_s():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_what_a_sample_would_meet_bounds_it(monkeypatch):
    monkeypatch.setattr(recall, "MEETINGS", 1000)
    assert affordable(np.ones(50, int), 10_000) == 50  # each meets itself alone
    assert affordable(np.full(50, 50), 100) == 10  # 49 of 50: 98 of 100, ten times
    assert affordable(np.full(50, 50), 10_000) == 2  # two documents' worth at least, however many there are
    assert affordable(np.array([1, 1, 2, 2]), 1500) == 4
    assert affordable(np.zeros(0, int), 5) == 0


@pytest.mark.parametrize("method", ["hybrid", "minhash"])
def test_a_family_costs_a_smaller_sample_and_the_same_truth(monkeypatch, method):
    """Half of the texts share most of what they hold; the sample stays what it was where there is no such family."""
    shared = text("shared", 90)
    alone = [{"id": f"a{i}", "text": text(i, 150)} for i in range(60)]
    family = [{"id": f"f{i}", "text": shared + text(1000 + i, 60)} for i in range(60)]
    whole = qc.dedup([*alone, *family], method=method, recall_sample=80).manifest["recall"]
    monkeypatch.setattr(recall, "MEETINGS", 500)
    bounded = qc.dedup([*alone, *family], method=method, recall_sample=80).manifest["recall"]
    assert whole["sampled_documents"] == 80
    assert 5 < bounded["sampled_documents"] < 60
    again = qc.dedup([*family, *alone][::-1], method=method, recall_sample=80, workers=1).manifest["recall"]
    assert again == bounded
    asked = qc.dedup([*alone, *family], method=method, recall_sample=bounded["sampled_documents"]).manifest["recall"]
    assert asked == bounded
    assert qc.dedup(alone, method=method, recall_sample=50).manifest["recall"]["sampled_documents"] == 50


def test_the_bytes_of_what_a_sample_would_meet_bound_it(monkeypatch):
    monkeypatch.setattr(recall, "MET_BYTES", 1000)
    assert affordable_bytes(np.zeros(50), 10_000, 10) == 50  # none meets another
    assert affordable_bytes(np.full(50, 50.0), 100, 10) == 10  # 50 bytes with the sample: 100 with all, ten times
    assert affordable_bytes(np.full(50, 50.0), 100, 1000) == 50  # which is little beside the texts themselves
    assert affordable_bytes(np.array([0, 0, 900, 900]), 4, 0) == 3
    assert affordable_bytes(np.zeros(0), 5, 5) == 0


@pytest.mark.parametrize("method", ["hybrid", "minhash"])
def test_nested_beginnings_are_read_a_few_times_and_not_once_for_each_pair(monkeypatch, method):
    whole = text("whole", 8000)
    nested = [{"id": f"n{i}", "text": whole[: 80 * i]} for i in range(1, 101)]
    every = qc.dedup(nested, method=method, recall_sample=90)
    monkeypatch.setattr(recall, "MET_BYTES", 1 << 20)
    bounded = qc.dedup(nested, method=method, recall_sample=90)
    few, all_of_them = bounded.manifest["recall"], every.manifest["recall"]
    assert all_of_them["sampled_documents"] == 90 and 3 < few["sampled_documents"] < 30
    true = [sum(run[name]["true"] for name in ("duplicate", "contained_in")) for run in (few, all_of_them)]
    assert 0 < true[0] < true[1] / 2
    assert bounded.pairs.equals(every.pairs) and bounded.ledger.equals(every.ledger)
    assert qc.dedup(nested[::-1], method=method, recall_sample=90, workers=1).manifest["recall"] == few
    monkeypatch.setattr(
        recall, "MEETINGS", 200
    )  # both bounds hold, also where bytes end the sample before all of it was looked at
    assert qc.dedup(nested, method=method, recall_sample=90).manifest["recall"]["sampled_documents"] <= 4


def test_a_measurement_that_is_stopped_compares_no_more(monkeypatch):
    """Ctrl-C sets the stop; the sample is then neither doubled nor compared with all documents."""
    compared, plain = [], recall.kernels.pairs.kept_overlaps

    def overlaps(docs, singles, index, *more, **how):
        compared.append(len(index))
        how["stop"].set()
        return plain(docs, singles, index, *more, **how)

    monkeypatch.setattr(recall, "FIRST", 4)
    monkeypatch.setattr(recall.kernels.pairs, "kept_overlaps", overlaps)
    assert qc.dedup([text(i, 150) for i in range(60)], recall_sample=60).manifest.get("recall") is None
    assert compared == [4]
