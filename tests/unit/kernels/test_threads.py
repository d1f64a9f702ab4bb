"""Covers: cpp/machine/parallel.hpp where the system gives fewer threads than were asked for. Run: pytest tests/unit/kernels."""

import subprocess
import sys

import pytest

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
