"""What keeps a run over many short texts small."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from quchong import kernels
from quchong.engines.local.memory import heap_bounds
from quchong.methods.verified.hybrid import Hybrid
from quchong.seam import Features


def _features(texts):
    return Hybrid().represent(pa.array(texts, pa.large_string()), 1)


def test_joined_features_are_those_of_all_texts_at_once_and_the_parts_are_let_go():
    texts = [
        "今天天气很好我们去公园散步",
        "",
        "股市收盘上涨百分之三成交放大",
        "！！",
        "今天天气很好我们去公园玩耍",
        "a b c d e f",
    ]
    parts = [_features(texts[:2]), _features(texts[2:3]), _features([]), _features(texts[3:])]
    joined, whole = Features.concat(parts), _features(texts)
    assert parts == []
    for name in ("tokens", "singles", "high", "low", "offsets", "values"):
        got, want = getattr(joined, name), getattr(whole, name)
        assert got.dtype == want.dtype
        assert np.array_equal(got, want), name
    none = Features.concat([])
    assert (len(none.tokens), none.offsets.tolist(), len(none.values)) == (0, [0], 0)


def test_bounds_of_what_is_given_back_are_checked():
    for size in (0, 4095, (32 << 20) + 1):
        with pytest.raises(ValueError, match="4096"):
            kernels.machine.give_back_from(size)
    for kept in (-1, (1 << 30) + 1):
        with pytest.raises(ValueError, match="kept"):
            kernels.machine.give_back_from(kept=kept)


def test_a_heap_keeps_more_the_more_memory_a_run_has():
    assert heap_bounds(None) == (1 << 20, 128 << 10)
    assert heap_bounds(64 << 20) == (1 << 20, 1 << 20)
    assert heap_bounds(2 << 30) == (8 << 20, 32 << 20)
    assert heap_bounds(1 << 40) == (32 << 20, 256 << 20)
    limits = [heap_bounds(1 << n) for n in range(20, 42)]
    assert limits == sorted(limits)


HEAP = """
import numpy as np
import pyarrow as pa
from quchong.cli.heap import keep_heap
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
from quchong.kernels.machine import give_back_from
assert give_back_from()
keep_heap({memory!r})
blocks = [np.ones(3 << 20, np.uint8) for _ in range(20)]
full = resident()
del blocks
print(pa.default_memory_pool().backend_name, full - resident())
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc")
def test_a_command_keeps_freed_blocks_where_memory_is_large_and_returns_them_where_it_is_small():
    """In a process of its own: the setting concerns all of it."""

    def of(memory: str, pool: str | None = None) -> tuple[str, int]:
        environment = {name: value for name, value in os.environ.items() if name != "ARROW_DEFAULT_MEMORY_POOL"}
        environment |= {} if pool is None else {"ARROW_DEFAULT_MEMORY_POOL": pool}
        code = HEAP.format(memory=memory)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        if "AssertionError" in done.stderr:
            pytest.skip("the C library is not glibc")
        assert done.returncode == 0, done.stderr
        backend, returned = done.stdout.split()
        return backend, int(returned)

    assert of("16G")[0] == of("not a size")[0] == "system"
    assert of("16G")[1] < 20 << 20 < 50 << 20 < of("256M")[1]
    assert of("not a size")[1] > 50 << 20, "a size that is refused later leaves the bounds of a small process"
    assert of("16G", "system")[0] == "system"
    assert of("16G", "mimalloc")[0] != "system" or "mimalloc" not in pa.supported_memory_backends()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc")
def test_blocks_between_others_are_given_back():
    """In a process of its own: the setting concerns all of it."""
    code = """
import numpy as np
from quchong import kernels
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
assert kernels.machine.give_back_from(1 << 20)
first = np.ones(30 << 20, np.uint8)  # without the setting, letting this go makes glibc keep blocks below 30 MB
del first
blocks = [np.ones(8 << 20, np.uint8) for _ in range(20)]
full = resident()
del blocks[:19]  # the last one holds the end of the heap
print(full - resident())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if "AssertionError" in done.stderr:
        pytest.skip("the C library is not glibc")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 19 * (7 << 20)
