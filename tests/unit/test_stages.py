"""Covers: what stages took, as a run tells it. Compared against: what the test itself held meanwhile."""

import json
import subprocess
import sys
import threading

import numpy as np
import pytest

import quchong as qc
from quchong.decision.alarms import over_budget
from quchong.engines.local.memory import unbounded
from quchong.plan.catalogue import build
from quchong.progress import Silent, Stages, anonymous_memory
from quchong.results.folder import all_alarms


class Told(Silent):
    def __init__(self):
        self.calls = []

    def stage(self, name, total, unit):
        self.calls.append((name, total, unit))

    def advance(self, amount):
        self.calls.append(amount)


def test_stages_add_up_and_hand_on_their_steps():
    told = Told()
    stages = Stages(told)
    for _ in range(2):
        with stages.stage("read", 3, "texts") as progress:
            sum(range(10**5))
            progress.advance(3)
    with pytest.raises(KeyError), stages.stage("write"):
        raise KeyError
    assert told.calls == [("read", 3, "texts"), 3, ("read", 3, "texts"), 3, ("write", None, "documents")]
    assert list(stages.seconds) == list(stages.cpu) == ["read", "write"]
    assert stages.seconds["read"] > 0 and stages.cpu["read"] > 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells how much memory is a process's own")
def test_memory_is_the_most_seen_at_the_steps():
    stages = Stages()
    with stages.stage("small"):
        pass
    with stages.stage("large") as progress:
        before, held = anonymous_memory(), np.ones(5 * 10**7)
        progress.advance(1)
        del held
        progress.advance(1)
    assert stages.memory["large"] >= before + 10**8
    assert 0 < stages.memory["small"] < stages.memory["large"]


def test_a_run_tells_what_its_stages_took():
    result = qc.dedup([{"id": "a", "text": "春江潮水连海平"}, {"id": "b", "text": "春江潮水连海平"}], recall_sample=0)
    manifest, shown = result.manifest, str(result.summary())
    assert manifest["cpu_seconds"].keys() == manifest["seconds"].keys()
    assert " s CPU" in shown
    if sys.platform.startswith("linux"):
        assert manifest["memory_bytes"].keys() == manifest["seconds"].keys() and " MB)" in shown


PEAK = """
import numpy as np
from quchong.progress import Stages
stages = Stages()
with stages.watching(), stages.stage("large"):
    np.ones(200_000_000, np.uint8).sum()  # no step, and gone again
with stages.stage("small"):
    pass
print(stages.memory["large"], stages.memory["small"], stages.sampler.whole.private)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells how much memory is a process's own")
def test_a_peak_without_a_step_is_seen():
    """In a process of its own: the kernel's peak is that of the process's whole life."""
    said = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True, timeout=60).stdout
    large, small, whole = map(int, said.split())
    assert 200_000_000 < large < 400_000_000 and small < 200_000_000 and whole == large


def test_no_thread_stays_behind():
    stages = Stages()
    with stages.watching(), stages.stage("one"), stages.stage("two"):
        pass
    with pytest.raises(KeyError), stages.stage("three"):
        raise KeyError
    assert "quchong-memory" not in [thread.name for thread in threading.enumerate()]


def test_a_run_over_its_budget_raises_an_alarm():
    assert over_budget(None, 9, {}) == over_budget(10, 10, {"verify": 10}) == []
    result = qc.dedup([{"id": "a", "text": "春江潮水连海平"}], recall_sample=0)
    stages = Stages()
    stages.given, stages.memory = 500_000_000, {"read and fingerprint": 100_000_000, "verify": 900_000_000}
    stages.sampler.whole.private, stages.before = 950_000_000, 50_000_000
    alarm = all_alarms(result._outcome, stages)[-1]
    assert (alarm.kind, alarm.level) == ("memory exceeded", "alarm")
    assert alarm.figures == {"given": 500_000_000, "peak": 900_000_000, "stage": "verify"}
    assert "used 900 MB" in alarm.message and "500 MB" in alarm.message and "verify" in alarm.message


def test_a_method_that_keeps_to_no_budget_says_so_before():
    lcs = unbounded(build("lcs"), 10**9, 10**9)
    assert lcs is not None and "lcs" in lcs and "1,000 MB" in lcs
    assert unbounded(build("lcs"), 10**6, 10**9) is None and unbounded(build("lcs"), 10**9, None) is None
    assert unbounded(build("hybrid"), 10**9, 10**9) is None


BESIDE = """
import json, subprocess, sys
import quchong as qc
from quchong.progress import anonymous_memory, count_child, uncount_child
holds = "held = b'x' * 400_000_000; print(len(held), flush=True); input()"
with subprocess.Popen([sys.executable, "-c", holds], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as beside:
    beside.stdout.readline()
    before = anonymous_memory()
    manifest = qc.dedup([{"id": "a", "text": "春江潮水连海平"}], recall_sample=0, memory="1G").manifest
    count_child(beside.pid)
    counted = anonymous_memory()
    uncount_child(beside.pid)
    names = ("peak_private_bytes", "peak_memory_bytes", "peak_mapped_bytes", "memory_bytes")
    print(json.dumps({name: manifest[name] for name in names} | {"before": before, "counted": counted}))
    beside.communicate(b"\\n")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells how much memory is a process's own")
def test_run_json_tells_private_and_mapped_memory_apart():
    """In a process of its own, with a child beside that has nothing to do with the run, as a notebook has Spark's Java."""
    said = subprocess.run(
        [sys.executable, "-c", BESIDE], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    found = json.loads(said)
    assert 0 < found["peak_private_bytes"] <= found["peak_memory_bytes"] + (64 << 20)
    assert found["peak_mapped_bytes"] > 0
    assert max(found["memory_bytes"].values()) <= found["peak_private_bytes"] < 400_000_000
    assert found["before"] < 400_000_000 <= found["counted"]
