"""Covers: what stages took, as a run tells it. Compared against: what the test itself held meanwhile."""

import sys

import numpy as np
import pytest

import quchong as qc
from quchong.progress import Silent, Stages, anonymous_memory


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
