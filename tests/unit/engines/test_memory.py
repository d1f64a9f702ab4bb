"""What keeps a run over many short texts small."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from quchong import kernels
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
