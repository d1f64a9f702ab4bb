"""Covers: cpp/machine/parallel.hpp where the system gives fewer threads than were asked for; kernels that several threads of Python
call at once, also without a lock of the interpreter. Run: pytest tests/unit/kernels."""

import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import _quchong
import pyarrow as pa
import pytest

from quchong import kernels
from quchong.text import form

resource = pytest.importorskip("resource", reason="limits of memory are set by the resource module")

FEW_THREADS = """
import resource, sys
import numpy as np, pyarrow as pa
from quchong import kernels
from quchong.text import form

texts = pa.array(["网页去重%d" % i for i in range(4000)], pa.large_string())
one = kernels.text.tokenise(form(), texts, workers=1)
with open("/proc/self/statm") as memory:
    pages = int(memory.read().split()[0])
limit = pages * resource.getpagesize() + 3 * int(sys.argv[1]) // 2  # room for the stack of one thread more
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
many = kernels.text.tokenise(form(), texts, workers=16)
assert many.docs.tokens.tolist() == one.docs.tokens.tolist()
print("equal")
"""

LARGE_STACK = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_STACK, (int(sys.argv[1]), resource.RLIM_INFINITY))
os.execv(sys.executable, [sys.executable, "-c", sys.argv[2], sys.argv[1]])
"""
"""Threads get what was the limit when the process began."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="address space is limited and told as Linux does")
def test_where_threads_run_out_those_there_are_do_the_work():
    stack = 256 << 20
    done = subprocess.run(
        [sys.executable, "-c", LARGE_STACK, str(stack), FEW_THREADS], capture_output=True, text=True, timeout=300, check=False
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "equal"), done.stderr


AT_ONCE = 8
"""Threads that call the same kernels at the same time."""


def answers(texts, wait=lambda: None):
    """What kernels of several families say of texts; `wait` is called before each."""
    wait()
    docs = kernels.text.tokenise(form(), texts, workers=2).docs
    wait()
    signatures = kernels.sketch.k_mins(docs, 5, 64, 1, workers=2)
    wait()
    keys = kernels.sketch.band_keys(signatures, 16, 4, workers=2)
    wait()
    shingles, ends = kernels.features.ragged_shingles(docs, 5, workers=2)
    return [one.tolist() for one in (docs.tokens, signatures, keys, shingles, ends)]


def test_kernels_that_threads_call_at_once_answer_as_alone():
    """The texts, the lookup tables of the normal form and the choice of loops are shared by all threads; loops are chosen meanwhile."""
    texts = pa.array([f"第{i}号公告：网页去重要看原文，共{i * 7}项。" for i in range(300)], pa.large_string())
    alone, barrier = answers(texts), Barrier(AT_ONCE)
    loops = kernels.machine.loops()

    def call(_):
        barrier.wait()
        assert _quchong.use_loops(loops)
        return answers(texts, barrier.wait)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert all(told == alone for told in pool.map(call, range(AT_ONCE)))
    other = answers(texts.slice(1))
    assert other != alone


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter always has its lock")
def test_the_module_does_not_bring_the_lock_of_the_interpreter_back():
    code = "import sys, _quchong; print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "False"), done.stderr
