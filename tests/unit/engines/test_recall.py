"""Covers: the sample that recall is measured on, whose work is bounded, and the estimates from it.

Compared against: the recall by all pairs of the sample; counts of what is compared and judged; Wilson's interval by hand.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

import quchong as qc
from quchong.decision.intervals import stratified_total, wilson
from quchong.engines.local import recall, recall_pairs, recall_sample, run
from quchong.engines.local.known_relations import KnownRelations
from quchong.report import summary

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def text(seed, size):
    return "".join(random.Random(seed).choices(HAN, k=size))


def family(count, seed="family", field=4):
    """Notices on one template, each with fields of its own; every third is a copy of the one before it, with a source."""
    frame = [text(f"{seed}{k}", 14) for k in range(4)]
    out, before = [], ""
    for i in range(count):
        one = "".join(part + text(f"{seed}{i} {k}", field) for k, part in enumerate(frame))
        before = before + text("source", 6) if i % 3 == 2 else one
        out.append({"id": f"{seed}{i}", "text": before})
    return out


def measured(documents, **more):
    return qc.dedup(documents, **{"method": "hybrid", "recall_sample": 80, **more}).manifest["recall"]


@pytest.fixture
def worked(monkeypatch):
    """Counts of one measurement: pairs met, documents looked up, pairs judged."""
    counts = {"met": 0, "looked_up": 0, "judged": 0}
    plain, relations = recall_sample.kernels.pairs.kept_overlaps, recall._pair_relations

    def overlaps(docs, singles, index, sample, *more, **how):
        found = plain(docs, singles, index, sample, *more, **how)
        counts["met"] += len(found[0])
        counts["looked_up"] += len(index)
        return found

    def judged(corpus, plan, classes, left, right, *more):
        counts["judged"] += len(left)
        return relations(corpus, plan, classes, left, right, *more)

    monkeypatch.setattr(recall_sample.kernels.pairs, "kept_overlaps", overlaps)
    monkeypatch.setattr(recall, "_pair_relations", judged)
    return counts


def test_the_interval_is_wilson_s():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_a_total_of_strata_is_sure_only_where_all_were_drawn():
    true = np.array([True, False, True, False, False])
    whole = stratified_total(np.zeros(5, int), np.ones(5), true)
    assert (whole.value, whole.low, whole.high) == (2, 2, 2)
    # A second stratum of five drawn of fifty: Wilson's limits of 1 of 5 are 0.0362 and 0.6245.
    some = stratified_total(np.repeat([0, 1], 5), np.repeat([1.0, 10.0], 5), np.append(true, [True] + 4 * [False]))
    assert some.value == 12
    assert (some.low, some.high) == pytest.approx((2 + 50 * 0.0362, 2 + 50 * 0.6245), abs=0.01)
    none = stratified_total(np.zeros(5, int), np.full(5, 10.0), np.zeros(5, bool))
    assert none.value == none.low == 0
    assert none.high == pytest.approx(50 * wilson(0, 5)[1])
    nothing = stratified_total(np.zeros(0, int), np.zeros(0), np.zeros(0, bool))
    assert (nothing.value, nothing.low, nothing.high) == (0, 0, 0)


def test_strata_give_as_many_pairs_as_the_least_of_them():
    assert recall_pairs._most_of_each(np.array([0, 3, 100, 100]), 43) == 20
    assert recall_pairs._most_of_each(np.array([0, 3, 100, 100]), 1000) == 100
    assert recall_pairs._most_of_each(np.array([7, 7]), 1) == 0
    assert recall_pairs._most_of_each(np.zeros(0, int), 10) == 0


@pytest.mark.parametrize("method", ["hybrid", "minhash"])
def test_without_families_every_pair_is_judged(worked, method):
    alone = [{"id": f"a{i}", "text": text(i, 150)} for i in range(60)]
    copies = [{"id": f"c{i}", "text": text(i, 150) + text("end", 8)} for i in range(20)]
    found = measured(alone + copies, method=method)
    assert found["sampled_documents"] == 80
    assert found["pairs"] == found["judged_pairs"] == worked["judged"] >= 20
    assert found["duplicate"]["true"] == 20
    assert found["duplicate"]["interval_95"] == [round(x, 4) for x in wilson(found["duplicate"]["found"], 20)]


@pytest.mark.parametrize(
    ("rows", "sampled"), [([], 0), (["天"] * 3, 0), ([text(1, 90)], 1), ([text(1, 90), text(2, 90)], 2)]
)
def test_without_documents_or_pairs_nothing_is_true(rows, sampled):
    found = measured(rows)
    assert (found["sampled_documents"], found["pairs"], found["judged_pairs"]) == (sampled, 0, 0)
    assert found["duplicate"] == {"found": 0, "true": 0, "recall": None, "interval_95": [0.0, 1.0]}


def test_the_work_on_a_family_does_not_grow_with_it(worked, monkeypatch):
    monkeypatch.setattr(recall_sample, "MET", 2000)
    monkeypatch.setattr(recall_pairs, "JUDGED", 300)
    monkeypatch.setattr(recall_sample, "FIRST", 8)
    for count in (300, 900, 2700):
        found = measured(family(count), method="minhash", most=8, recall_sample=40)
        assert found["sampled_documents"] == 40
        assert found["judged_pairs"] == worked["judged"] <= 300
        assert worked["met"] <= 2000 + 40 * 8  # the first documents are met whatever they have in common
        assert worked["looked_up"] <= count
        assert found["pairs"] == pytest.approx(40 * (count - 1) - 40 * 39 / 2, rel=0.15)
        worked.update(met=0, looked_up=0, judged=0)


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("hybrid", {}), ("hybrid", {"preset": "training"}), ("hybrid", {"differences": "all"}), ("hybrid", {"facts": "remove"}),
        ("hybrid", {"threshold": 0.6}), ("short-text", {}), ("minhash", {}), ("minhash", {"threshold": 0.6}),
    ],
)  # fmt: skip
def test_pairs_that_the_run_decided_are_not_compared_again(method, more, monkeypatch):
    """Beside copies with other figures, names and words stand excerpts and records on a template; recall is that of comparing all pairs."""
    plain = [text(i, 150) for i in range(24)]
    rows = [{"id": f"a{i}", "text": one} for i, one in enumerate(plain)]
    rows += [{"id": f"b{i}", "text": f"{one[:80]}共{i + 3}人{one[80:]}"} for i, one in enumerate(plain)]
    rows += [{"id": f"c{i}", "text": f"{one[:80]}共{i + 5}人{one[90:]}"} for i, one in enumerate(plain)]
    rows += [{"id": f"d{i}", "text": one[20:120]} for i, one in enumerate(plain[:12])] + family(40)
    compared = [0]
    plainly = recall._compared

    def counted(corpus, plan, classes, left, *given):
        compared[0] += len(left)
        return plainly(corpus, plan, classes, left, *given)

    monkeypatch.setattr(recall, "_compared", counted)
    told = measured(rows, method=method, **more)
    few, compared[0] = compared[0], 0
    monkeypatch.setattr(
        run, "known_relations", lambda plan, classes, *rest: KnownRelations(classes, np.zeros(0, int), np.zeros(0))
    )
    assert measured(rows, method=method, **more) == told
    assert few < compared[0]


def test_the_estimate_is_near_the_recall_by_all_pairs(monkeypatch):
    """Beside a family stand ordinary documents with copies; eight families, each drawn by its own ids."""
    alone = [{"id": f"a{i}", "text": text(i % 30, 60 + 2 * (i // 30))} for i in range(60)]
    exact, estimates, inside = [], [], 0
    for seed in range(8):
        rows = family(120, f"s{seed}-", field=2) + alone
        given = {"method": "minhash", "threshold": 0.6, "bands": 3, "rows": 5, "recall_sample": 100}
        whole = measured(rows, **given)
        with monkeypatch.context() as patch:
            patch.setattr(recall_sample, "MET", 3000)
            patch.setattr(recall_pairs, "JUDGED", 600)
            patch.setattr(recall_sample, "FIRST", 16)
            some = measured(rows, **given)
        assert some["judged_pairs"] <= 600 < whole["judged_pairs"] == whole["pairs"]
        one, other = whole["duplicate"], some["duplicate"]
        exact.append((one["found"], one["true"]))
        estimates.append((other["found"], other["true"]))
        inside += other["interval_95"][0] <= one["recall"] <= other["interval_95"][1]
    assert np.sum(estimates, 0) == pytest.approx(np.sum(exact, 0), rel=0.15)
    assert inside == 8


def test_the_sample_depends_on_ids_alone(monkeypatch):
    monkeypatch.setattr(recall_sample, "MET", 1000)
    monkeypatch.setattr(recall_pairs, "JUDGED", 200)
    monkeypatch.setattr(recall_sample, "FIRST", 8)
    rows = family(200)
    found = measured(rows)
    assert found["judged_pairs"] <= 200 < found["pairs"]
    assert measured(rows[::-1], workers=1) == found


@pytest.mark.parametrize("method", ["hybrid", "minhash"])
def test_long_texts_that_are_alike_are_read_a_few_times_and_not_once_for_each_pair(monkeypatch, worked, method):
    whole = text("whole", 8000)
    nested = [{"id": f"n{i}", "text": whole[: 80 * i]} for i in range(1, 101)]
    every = qc.dedup(nested, method=method, recall_sample=90)
    assert worked["judged"] == every.manifest["recall"]["judged_pairs"]
    pairs, worked["judged"] = worked["judged"], 0
    monkeypatch.setattr(recall_pairs, "JUDGED_BYTES", 1 << 20)
    bounded = qc.dedup(nested, method=method, recall_sample=90)
    few, all_of_them = bounded.manifest["recall"], every.manifest["recall"]
    assert 0 < worked["judged"] == few["judged_pairs"] < pairs / 10  # a pair has 24,000 bytes on average
    true = [sum(run[name]["true"] for name in ("duplicate", "contained_in")) for run in (few, all_of_them)]
    assert true[0] == pytest.approx(true[1], rel=0.5)
    assert bounded.pairs.equals(every.pairs) and bounded.ledger.equals(every.ledger)
    assert qc.dedup(nested[::-1], method=method, recall_sample=90, workers=1).manifest["recall"] == few
    worked["met"] = 0
    monkeypatch.setattr(recall_sample, "MET_BYTES", 1 << 20)
    monkeypatch.setattr(recall_sample, "MET_TIMES", 0)
    qc.dedup(nested, method=method, recall_sample=90)
    assert worked["met"] <= 90 * 8  # each met the first few only, which are more than its part already


def test_a_sample_of_long_texts_is_smaller(monkeypatch):
    rows = [{"id": str(i), "text": text(i, 400)} for i in range(40)]
    monkeypatch.setattr(recall_sample, "TOKENS", 4000)
    assert measured(rows)["sampled_documents"] == 10
    monkeypatch.setattr(recall_sample, "TOKENS", 100)
    assert measured(rows)["sampled_documents"] == 1


def test_a_measurement_that_is_stopped_compares_no_more(monkeypatch):
    """Ctrl-C sets the stop; no further documents are met then, and nothing is judged."""
    compared, plain = [], recall_sample.kernels.pairs.kept_overlaps

    def overlaps(docs, singles, index, *more, **how):
        compared.append(len(index))
        how["stop"].set()
        return plain(docs, singles, index, *more, **how)

    monkeypatch.setattr(recall_sample, "FIRST", 4)
    monkeypatch.setattr(recall_sample.kernels.pairs, "kept_overlaps", overlaps)
    assert measured([text(i, 150) for i in range(60)]) is None
    assert compared == [8]


def test_a_summary_has_no_recall_where_no_document_was_compared():
    """One text too short to score leaves nothing to sample: the block of the measured recall is left out."""
    titles = [
        {str(title) for title, _ in summary(qc.dedup(rows).manifest, [])}
        for rows in (
            [{"id": "a", "text": "今天"}],
            [{"id": str(n), "text": f"{n} " + "湖边的渡口又开了船，" * 9} for n in range(3)],
        )
    ]
    assert titles[1] - titles[0] == {"candidate recall, measured"}
