"""Covers: commands stopped at their file calls, and outputs in odd places (a short run of tools/faults, without chance).

Run: pytest tests/faults. What it prints of a stop that went wrong has the command that does it again.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NO_FAULTS = 77


def campaign(tmp_path, *argv):
    """Runs it; what it said. Skips where faults cannot be injected."""
    done = subprocess.run(
        [sys.executable, "tools/faults", *argv, "--kept", str(tmp_path / "kept")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode == NO_FAULTS:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize(
    ("case", "stops"),
    [
        ("overwrite-jsonl", 4),
        ("dedup-parquet", 2),
        ("passages-cut", 2),
        ("restore-one", 3),
        ("statistics-overwrite", 2),
        ("filter", 2),
        pytest.param("overwrite-jsonl", 8, marks=pytest.mark.campaign),
        pytest.param("dedup-parquet", 3, marks=pytest.mark.campaign),
        pytest.param("passages-cut", 4, marks=pytest.mark.campaign),
        pytest.param("restore-one", 4, marks=pytest.mark.campaign),
        pytest.param("statistics-overwrite", 4, marks=pytest.mark.campaign),
        pytest.param("filter", 4, marks=pytest.mark.campaign),
        pytest.param("overwrite-xlsx", 2, marks=pytest.mark.campaign),
        pytest.param("report-overwrite", 2, marks=pytest.mark.campaign),
        pytest.param("chains", 2, marks=pytest.mark.campaign),
    ],
)
def test_after_a_stop_nothing_is_lost_and_the_command_given_again_does_its_work(tmp_path, case, stops):
    said = campaign(tmp_path, "--case", case, "--even", "--stops", str(stops))
    assert said.count("ok ") == stops and f"{stops} stops ({stops} struck)" in said


PLACES = (
    "over-input/kept", "over-input/link", "over-input/folder-overwrite", "foreign-file-in-run", "output-link/run",
    "together/overwrite-overwrite-0.7", "together/restore-explain-0.7", "changing/jsonl-rewritten-0.5",
    "changing/parquet-replaced-0.3", "hanging/jsonl-read-0.5", "hanging/jsonl-write-0.95", "hanging/parquet-write-0.5",
)  # fmt: skip


@pytest.mark.parametrize(
    "names", [PLACES[::2], pytest.param(PLACES[1::2], marks=pytest.mark.campaign)], ids=["some", "others"]
)
def test_odd_places_two_at_once_changing_inputs_and_hanging_calls(tmp_path, names):
    said = campaign(tmp_path, "--case", *names)
    assert said.count("ok ") == len(names)


HANDLED = """
import ctypes, os, signal, sys
sys.path.insert(0, sys.argv[1])
import shim

SIZE = 1 << 16
class Stack(ctypes.Structure):
    _fields_ = [("sp", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]

buffer = ctypes.create_string_buffer(SIZE)
libc = ctypes.CDLL(None, use_errno=True)
assert libc.sigaltstack(ctypes.byref(Stack(ctypes.addressof(buffer), 0, SIZE)), None) == 0
reading, writing = os.pipe()
os.set_blocking(writing, False)
signal.set_wakeup_fd(writing)
signal.signal(signal.SIGTERM, lambda *_: None)
page = shim.page() or shim.Page()
page.root, page.pid = b"/nowhere", os.getpid()
for _ in range(2):
    ctypes.memset(buffer, 0xAA, SIZE)
    os.kill(os.getpid(), signal.SIGTERM)
print(SIZE - next(n for n, byte in enumerate(buffer.raw) if byte != 0xAA))
"""
"""Prints how many bytes of the handlers' stack a signal took."""


def test_counting_leaves_a_signal_handler_its_stack(tmp_path):
    """faulthandler's is of 10 kB; what is taken beyond spoils the heap of the command, which then crashes at its end."""
    tools = ROOT / "tools" / "faults"
    code = "import sys; sys.path.insert(0, sys.argv[1]); import shim, pathlib; print(shim.why_not() or shim.build(pathlib.Path(sys.argv[2])))"
    told = subprocess.run(
        [sys.executable, "-c", code, tools, tmp_path], capture_output=True, text=True, check=True
    ).stdout
    if not told.strip().endswith(".so"):
        pytest.skip(told.strip())
    took = []
    for more in ({}, {"LD_PRELOAD": told.strip()}):
        done = subprocess.run(
            [sys.executable, "-c", HANDLED, tools], capture_output=True, text=True, env=os.environ | more
        )
        assert done.returncode == 0, done.stderr
        took.append(int(done.stdout))
    assert took[0] > 0 and took[1] < took[0] + 3000, took


def test_a_stop_that_loses_something_is_noticed(tmp_path):
    """The tool itself: a command that is killed while nothing protects its output is told as wrong."""
    source = """
import sys
sys.path.insert(0, sys.argv[1])
import trial, shim
from boxes import Box
from cases import CASES
from pathlib import Path
import child
box = Box(CASES["overwrite-jsonl"], Path(sys.argv[2]) / "box", Path(sys.argv[2]) / "p", Path(sys.argv[2]) / "s")
(box.folder / "run").mkdir(parents=True)
(box.folder / "run" / "kept.jsonl").write_text("half")
box.untouched, box.old, box.new = {"/": "", "mine.txt": "1"}, {"/": "", "kept.jsonl": "old"}, {"/": "", "kept.jsonl": "new"}
ended = child.Ended(4, "", "Traceback", 5, 5, True, "", False)
for line in trial.at_once(box, shim.FAULTS["enospc"], ended):
    print(line)
"""
    done = subprocess.run(
        [sys.executable, "-c", source, str(ROOT / "tools" / "faults"), str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for told in ("a traceback", "foreign files: mine.txt missing", "neither the old nor the new one"):
        assert told in done.stdout
