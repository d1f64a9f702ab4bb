"""Covers: what a run will take, reckoned from its first documents (`quchong.engines.local.estimate`, `quchong.estimate`), by itself and
before a large run.
"""

import json
import random
from dataclasses import replace

import pyarrow as pa
import pytest
from answer_corpus import small_corpus

import quchong as qc
from quchong.cli.estimate import plan_line
from quchong.engines.local import estimate as local_estimate
from quchong.engines.local import memory, sample_costs
from quchong.engines.local.beginnings import Beginning
from quchong.engines.local.estimate import Estimate
from quchong.engines.local.inputs import RunInputs
from quchong.errors import InputError, UsageError
from quchong.io import from_object
from quchong.io.open import open_inputs as open_sources
from quchong.io.source import WantedColumns
from quchong.plan.request import make_plan
from quchong.work import Work


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in small_corpus(1)), "utf-8")
    return path


def test_it_counts_what_it_sampled_and_writes_nothing(tmp_path, corpus):
    found = qc.estimate(corpus, out=tmp_path / "run", memory="4G")
    assert found.documents == found.sampled == len(corpus.read_text("utf-8").splitlines())
    assert found.seconds > 0 and found.files == 0 and found.given == 4 << 30 and 0 < found.memory <= found.given
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_files_are_reckoned_where_the_input_is_large_beside_the_memory(corpus, monkeypatch):
    monkeypatch.setattr(memory, "HELD", (1 << 30) // corpus.stat().st_size)
    small, large = qc.estimate(corpus, memory="1200M"), qc.estimate(corpus, memory="800M")
    assert small.files == 0 < large.files
    assert large.files > corpus.stat().st_size  # texts alone are about as much


def test_what_a_limit_keeps_out_of_memory_is_reckoned_in_files(corpus, monkeypatch):
    """The process with its word lists and buffers is the least that a run takes; all beyond its part of the limit is mapped to files."""
    monkeypatch.setattr(memory, "HELD", (1 << 30) // corpus.stat().st_size)
    monkeypatch.setattr(local_estimate, "A_DOCUMENT", 50 << 20)
    tight, loose = qc.estimate(corpus, memory="200M"), qc.estimate(corpus, memory="800M")
    least = local_estimate.BASE + local_estimate.LEXICONS + local_estimate.BUFFERS
    assert tight.memory == least > int(local_estimate.BOUNDED * 200e6) and loose.memory == int(
        local_estimate.BOUNDED * loose.given
    )
    assert tight.files - loose.files == pytest.approx(loose.memory - tight.memory, rel=0.02)


@pytest.mark.parametrize("method", ["two-stage", "short-text", "ccdet"])
def test_of_every_kind_of_join(corpus, method):
    assert qc.estimate(corpus, method=method, against=corpus).seconds > 0


def test_what_cannot_be_counted_is_told_so(tmp_path, corpus):
    path = tmp_path / "a.arrow"
    with pa.ipc.new_stream(str(path), pa.schema([("text", pa.string())])) as stream:
        stream.write_table(pa.table({"text": ["第一篇", "第二篇", "第三篇"]}))
    found = qc.estimate(path)
    assert (found.documents, found.seconds, found.files) == (None, None, None) and found.sampled == 3


def test_wrong_calls_name_the_remedy(tmp_path):
    with pytest.raises(UsageError, match="only once"):
        qc.estimate(iter([{"text": "a"}]))
    with pytest.raises(InputError, match="no such file"):
        qc.estimate(tmp_path / "nothere.jsonl")
    with pytest.raises(UsageError, match="threshold"):
        qc.estimate([{"text": "a"}], threshold=7)


class Watching:
    """Keeps what a run tells before it begins."""

    def __init__(self):
        self.plans, self.stages = [], []

    def stage(self, name, total, unit):
        self.stages.append(name)

    def advance(self, amount): ...

    def planned(self, found):
        assert not self.stages
        self.plans.append(found)


def test_a_large_run_tells_it_before_it_begins_and_a_small_one_does_not(tmp_path, corpus, monkeypatch):
    told = Watching()
    plain = qc.dedup(corpus, out=tmp_path / "small", progress=told)
    assert not told.plans
    monkeypatch.setattr(memory, "HELD", 1 << 40)
    found = qc.dedup(corpus, out=tmp_path / "large", progress=(told := Watching()))
    assert told.plans[0].files > 0 and told.plans[0].output > corpus.stat().st_size and told.plans[0].short is None
    assert found.ledger.equals(plain.ledger) and found.pairs.equals(plain.pairs)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "large", "small"]
    assert sorted(p.name for p in found.folder.iterdir()) == sorted(p.name for p in plain.folder.iterdir())


def test_so_does_one_over_many_documents(tmp_path, corpus, monkeypatch):
    monkeypatch.setattr(local_estimate, "MANY", 10)
    qc.dedup(corpus, out=tmp_path / "run", progress=(told := Watching()))
    assert len(told.plans) == 1 and told.plans[0].files == 0 < told.plans[0].seconds


def test_a_run_that_goes_on_is_not_reckoned_again(tmp_path, corpus, monkeypatch):
    put, count = Work.store, []

    def stopped(self, name, value):
        kept = put(self, name, value)
        count.append(name)
        if name == "classes":
            raise KeyboardInterrupt
        return kept

    monkeypatch.setattr(Work, "store", stopped)
    with pytest.raises(KeyboardInterrupt):
        qc.dedup(corpus, out=tmp_path / "run", work=tmp_path / "work")
    monkeypatch.setattr(Work, "store", put)
    monkeypatch.setattr(local_estimate, "MANY", 1)
    qc.dedup(corpus, out=tmp_path / "run", work=tmp_path / "work", progress=(told := Watching()))
    assert count and not told.plans


def test_what_cannot_be_read_is_left_to_the_run_to_tell(tmp_path, monkeypatch):
    monkeypatch.setattr(local_estimate, "MANY", 0)
    path = tmp_path / "in.parquet"
    path.write_bytes(b"PAR1 no table PAR1")
    with pytest.raises(InputError, match="parquet"):
        qc.dedup(path, out=tmp_path / "run", progress=Watching())
    assert [one.name for one in tmp_path.iterdir()] == ["in.parquet"]


def test_a_disk_with_less_room_than_is_reckoned_is_named(tmp_path, corpus, monkeypatch):
    usage = local_estimate.shutil.disk_usage
    monkeypatch.setattr(local_estimate.shutil, "disk_usage", lambda place: usage(place)._replace(free=1000))
    assert qc.estimate(corpus, out=tmp_path / "run").short == str(tmp_path)
    assert qc.estimate(corpus).short is None  # nothing is written


def test_a_sample_is_read_once(corpus):
    found = qc.estimate(corpus)
    beginning = Beginning(open_sources([corpus])[0], 5)
    batches, _ = beginning.batches(WantedColumns(("text",), None))
    assert beginning.batches(WantedColumns(("text",), None))[0] is batches and sum(map(len, batches)) == 5
    assert found.documents >= beginning.read > 5


def notices(count):
    return [
        {"id": str(i), "text": f"您的快递已到达小区南门驿站，取件码{i:08d}，请于今晚九点前领取，逾期将退回寄件人。"}
        for i in range(count)
    ]


@pytest.fixture
def runs(monkeypatch):
    """Counts of the sample runs of an estimate."""
    counts, plain = [], sample_costs.run

    def counted(*given, **more):
        outcome = plain(*given, **more)
        counts.append(outcome.counts)
        return outcome

    monkeypatch.setattr(sample_costs, "run", counted)
    return counts


def test_of_records_on_one_template_few_are_run_and_the_pairs_of_all_are_counted(monkeypatch, runs):
    monkeypatch.setattr(sample_costs, "PAIRS", 300)
    rows = notices(500)
    found = qc.estimate(rows, method="minhash")
    compared = [one["candidates"] for one in runs]
    assert len(compared) == 2 and max(compared) <= 300 and min(compared) > 0
    assert found.sampled == 500
    runs.clear()
    counts = qc.dedup(rows, method="minhash", recall_sample=0).counts
    assert counts["candidates"] > 20_000
    held = local_estimate.BASE + 500 * local_estimate.A_DOCUMENT
    held += counts["pairs"] * local_estimate.A_PAIR + local_estimate.TEXTS * 500 * len(rows[0]["text"].encode())
    assert found.memory == pytest.approx(held, rel=0.3)


def test_of_other_documents_all_that_are_sampled_are_run(runs, corpus):
    plan = make_plan(recall_sample=0)
    costs = sample_costs.measured_costs(RunInputs(open_sources([corpus])), plan, 20, None)
    assert costs.documents == 20
    assert [one["read"] for one in runs] == [20, 20, 2]
    assert runs[0]["candidates"] <= costs.pairs <= sample_costs.PAIRS  # pairs of exact copies are counted too


def families(count, size, shuffled):
    """Texts in families of near-copies, one after the other or anywhere."""
    rng = random.Random(3)
    letters = [chr(0x4E00 + i) for i in range(3000)]
    texts = []
    for _ in range(count):
        text = "".join(rng.choices(letters, k=80))
        texts += [text[:at] + rng.choice(letters) + text[at + 1 :] for at in rng.sample(range(80), size)]
    if shuffled:
        rng.shuffle(texts)
    return [{"id": str(i), "text": text} for i, text in enumerate(texts)]


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("size", [1, 2, 6])
def test_pairs_of_all_follow_from_how_they_grow_in_the_sample(size, shuffled):
    rows = families(4800 // size, size, shuffled)
    plan = make_plan(recall_sample=0)
    costs = sample_costs.measured_costs(RunInputs([from_object(rows, plan.wanted_columns)]), plan, 1600, None)
    found = qc.dedup(rows, recall_sample=0).counts
    assert costs.pairs_of(4800) == pytest.approx(found["candidates"], rel=0.3, abs=10)
    assert sample_costs.followers(4800, found["candidates"]) == pytest.approx(found["removed"], rel=0.3, abs=10)


@pytest.mark.parametrize("shuffled", [False, True])
def test_both_ways_in_which_copies_may_lie_are_told(shuffled):
    """Copies side by side grow with the documents; of others a sample does not tell how far apart they lie."""
    rows = families(800, 6, shuffled)
    plan = make_plan(recall_sample=0)
    costs = sample_costs.measured_costs(RunInputs([from_object(rows, plan.wanted_columns)]), plan, 1600, None)
    least, most = costs.pairs_nearby(48_000), costs.pairs_of(48_000)
    assert most > 20 * least > 0 if shuffled else most == pytest.approx(least, rel=0.1)
    assert costs.pairs_nearby(1600) == costs.pairs_of(1600) == costs.pairs
    found = qc.estimate(rows, memory="4G")
    assert 0 < found.least_seconds <= found.seconds and 0 == found.least_files == found.files


def test_a_plan_tells_a_span_where_it_is_wide():
    known = Estimate(10_000_000, 20_000, 46_000.0, 4 << 30, 4 << 30, 548 << 30, 70 << 30, 1 << 30, None)
    wide = replace(known, least_seconds=400.0, least_files=30 << 30)
    assert str(plan_line(wide)) == (
        "plan: 10,000,000 documents, about 7 min to 767 min; memory 4.3 GB of 4.3 GB; files during the run: 32.2 GB to 588.4 GB, "
        "free disk space: 75.2 GB (the lower figures are for copies near each other, the higher ones and all others for copies anywhere in the input)"
    )
    narrow = replace(known, least_seconds=45_000.0, least_files=500 << 30)
    assert str(plan_line(narrow)).endswith(
        "about 767 min; memory 4.3 GB of 4.3 GB; files during the run: 588.4 GB, free disk space: 75.2 GB"
    )
    # What is wide in one figure alone is told of both, once where they look alike.
    held = replace(known, seconds=100.0, files=0, least_seconds=10.0, least_files=0)
    assert str(plan_line(held)).startswith(
        "plan: 10,000,000 documents, about 10 s to 100 s; memory 4.3 GB of 4.3 GB (the lower"
    )


@pytest.mark.parametrize("shuffled", [False, True])
def test_whole_families_are_run_until_they_have_enough_pairs(monkeypatch, runs, shuffled):
    """A part of a family would have fewer pairs a document than the sample, whose density is what a pair's cost depends on."""
    monkeypatch.setattr(sample_costs, "PAIRS", 800)
    rows = families(40, 20, shuffled)
    plan = make_plan(recall_sample=0)
    costs = sample_costs.measured_costs(RunInputs([from_object(rows, plan.wanted_columns)]), plan, len(rows), None)
    assert len(runs) == 2 and all(400 <= one["candidates"] <= 800 for one in runs)
    for one in runs:
        assert one["read"] % 20 == 0
        assert one["candidates"] / one["read"] == pytest.approx(costs.pairs / costs.documents, rel=0.2)


def test_pairs_of_exact_copies_are_foretold(monkeypatch):
    """They are listed without being candidates, and the first half of them has fewer than half of these pairs."""
    texts = [text["text"] for text in families(60, 1, False)]
    rows = [{"id": str(i), "text": text} for i, text in enumerate(texts * 10)]
    random.Random(1).shuffle(rows)
    plan = make_plan(recall_sample=0)
    costs = sample_costs.measured_costs(RunInputs([from_object(rows, plan.wanted_columns)]), plan, 300, None)
    found = qc.dedup(rows, recall_sample=0).counts
    assert found["candidates"] == 0 and found["pairs"] == 60 * 45
    assert costs.listed * costs.pairs_of(len(rows)) == pytest.approx(found["pairs"], rel=0.3)


def test_processor_seconds_are_told_too():
    found = qc.estimate(families(20, 5, True))
    assert found.cpu_seconds > 0 and found.seconds > 0
