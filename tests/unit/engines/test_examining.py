"""Covers: processes that examine differences beside a run.

Compared against: the same examination without processes, block by block and run by run; also with processes that end in the middle.

Run: pytest tests/unit/engines/test_examining.py
"""

import io
import random

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.engines.local import examining
from quchong.engines.local.examining import Examining
from quchong.engines.local.examining_process import Pairs, examined, message_of, serve, steps_of
from quchong.plan.catalogue import build
from quchong.plan.plan import Plan
from quchong.progress import memory
from quchong.seam import Documents, active_differences
from quchong.text import Edit
from quchong.work.values import receive_value, send_value

WORDS = "市政府 昨天 召开 会议 研究 三号线 工程 预计 2026年 投资 12亿元 居民 表示 欢迎 专家 建议 增加 车站 改为 五站 ohio open plan".split()


def texts(count, seed=1):
    dice = random.Random(seed)
    base = [dice.choice(WORDS) for _ in range(60)]
    made = []
    for _ in range(count):
        words = list(base)
        for at in dice.sample(range(60), dice.randrange(1, 6)):
            words[at] = dice.choice(WORDS)
        made.append(" ".join(words) + "。")
    return made


def block(method, count=12, edits=()):
    documents = Documents.from_texts(pa.array(texts(count), pa.large_string()))
    left, right = (np.ascontiguousarray(one, np.uint32) for one in np.triu_indices(count, 1))
    return Pairs(documents, left, right, method.score(documents, left, right, 1), np.arange(count) + 7, dict(edits))


def same(one, other):
    (told, lists), (told_too, lists_too) = one, other
    assert {k: (v.dtype, v.tolist()) for k, v in told.items()} == {
        k: (v.dtype, v.tolist()) for k, v in told_too.items()
    }
    assert [(x.dtype, x.tolist()) for x in lists.arrays()] == [(x.dtype, x.tolist()) for x in lists_too.arrays()]


METHODS = [
    ("hybrid", {}), ("hybrid", {"preset": "training"}), ("hybrid", {"tokens": "char", "facts": "figure"}), ("hybrid", {"tokens": "code"}),
    ("short-text", {}), ("hybrid", {"preset": "strict", "normalise": "plain"}), ("hybrid", {"threshold": 0.5}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), METHODS)
def test_steps_built_from_a_message_are_the_same(name, options):
    steps = active_differences(build(name, options))
    stream = io.BytesIO()
    send_value(stream, message_of(steps))
    stream.seek(0)
    assert steps_of(receive_value(stream)) == steps


def test_steps_of_another_package_are_not_sent():
    steps = active_differences(build("hybrid"))

    class Others(type(steps)):
        pass

    assert message_of(Others(steps.form, steps.test)) is None
    assert message_of(type(steps)(steps.form._replace(tables=None), steps.test)) is None


@pytest.mark.parametrize(("name", "options"), METHODS)
def test_a_process_answers_what_is_found_here(name, options):
    method = build(name, options)
    steps = active_differences(method)
    pairs = block(method, edits=[(9, Edit((3,), ((2, 3, 9),)))])
    asked, answers = io.BytesIO(), io.BytesIO()
    for message in (message_of(steps), pairs.message(), ["no block"], pairs.message()):
        send_value(asked, message)
    asked.seek(0)
    with pytest.raises(EOFError):
        serve(asked, answers)
    answers.seek(0)
    first, second, third = (receive_value(answers) for _ in range(3))
    assert second is None
    here = examined(steps, pairs, 2)
    for told, lists in (first, third):
        same((told, type(here[1]).of_arrays(lists)), here)
    assert any((here[1].counts > 0).tolist())


@pytest.fixture
def few(monkeypatch):
    """Processes are started for every run, and blocks are small."""
    monkeypatch.setattr(examining, "PAIRS", 1)
    monkeypatch.setattr("quchong.engines.local.scores.BLOCK_PAIRS", 30)
    started = []

    class Watched(examining._Process):
        def __init__(self, steps):
            super().__init__(steps)
            self.asked = 0
            started.append(self)

        def ask(self, pairs):
            self.asked += 1
            return super().ask(pairs)

    monkeypatch.setattr(examining, "_Process", Watched)
    return started


def rows():
    return [{"id": f"{seed}-{k}", "text": text} for seed in range(6) for k, text in enumerate(texts(9, seed))]


def tables(**options):
    found = qc.dedup(rows(), recall_sample=0, **options)
    return found.pairs.to_pylist(), found.ledger.to_pylist(), found.clusters.to_pylist()


@pytest.mark.parametrize("options", [{}, {"preset": "training"}, {"method": "short-text"}])
def test_a_run_with_processes_finds_the_same(few, options):
    alone = tables(**options, workers=1)
    assert not few
    assert tables(**options, workers=3) == alone
    assert len(few) == 2
    assert sum(process.asked for process in few) > 0
    # All have ended, and are counted no more.
    assert all(process._child.poll() is not None for process in few)
    assert memory._counted.isdisjoint(process._child.pid for process in few)


def test_what_a_process_that_ends_was_asked_is_examined_here(few, monkeypatch):
    alone = tables(workers=1)
    ask = examining._Process.ask

    def killed(self, pairs):
        self._child.kill()
        self._child.wait()
        return ask(self, pairs)

    monkeypatch.setattr(examining._Process, "ask", killed)
    assert tables(workers=3) == alone
    assert [process.asked for process in few] == [1, 1]  # one that has ended is asked no more


def test_a_process_that_never_starts_costs_nothing_but_time(few, monkeypatch):
    alone = tables(workers=1)
    monkeypatch.setattr(examining, "_CALL", "raise SystemExit(3)")
    assert tables(workers=2) == alone

    def refused(*_of_call, **_by_name):
        raise PermissionError("no processes here")

    monkeypatch.setattr(examining.subprocess, "Popen", refused)
    assert tables(workers=2) == alone


def test_an_error_of_the_examination_is_raised_here(few, monkeypatch):
    monkeypatch.setattr(examining._Process, "ask", lambda self, pairs: None)

    def fails(*_of_call):
        raise ZeroDivisionError("of the run")

    monkeypatch.setattr(examining, "examined", fails)
    with pytest.raises(ZeroDivisionError):
        tables(workers=2)
    assert all(process._child.poll() is not None for process in few)


def test_processes_are_as_many_as_are_worth_it(monkeypatch):
    plan = Plan(method=build("hybrid"), workers=6)
    giga = 1 << 30
    for pairs, limit, wanted in (
        (0, None, 0), (49_999, None, 0), (50_000, None, 1), (10**7, None, 5), (10**7, giga, 0), (10**7, 2 * giga - 1, 0), (10**7, 3 * giga, 2),
    ):  # fmt: skip
        assert Examining(plan, limit)._worth(pairs) == wanted
    assert Examining(Plan(method=build("hybrid"), workers=1))._worth(10**7) == 0
    assert Examining(Plan(method=build("hybrid"), workers=60))._worth(10**8) == examining.MOST
    monkeypatch.setattr(examining.sys, "executable", "")
    assert Examining(plan)._worth(10**7) == 0


def test_modules_of_the_working_folder_are_not_imported(few, tmp_path, monkeypatch):
    for name in ("numpy", "json", "hashlib", "quchong", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    monkeypatch.chdir(tmp_path)
    alone = tables(workers=1)
    assert tables(workers=2) == alone
    assert few[0].asked > 0
    assert not (tmp_path / "ran").exists()
