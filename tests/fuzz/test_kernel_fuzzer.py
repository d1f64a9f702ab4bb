"""Covers: every kernel under random and broken arguments (a short run), and the fuzzer itself: that it knows every kernel, and
tells what dies, hangs or answers wrongly.

Run: pytest tests/fuzz; for longer, python tools/fuzz/kernels.py --seconds 600.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import _quchong
import pytest

from quchong import kernels

TOOLS = Path(__file__).resolve().parents[2] / "tools" / "fuzz"
NO_KERNELS = {"use_loops", "Stop.set", "Stop.is_set"}
"""What chooses an instruction set or ends a kernel early."""


def fuzz(*arguments):
    command = [sys.executable, str(TOOLS / "kernels.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="workers are forked")
def test_no_kernel_dies_hangs_or_answers_wrongly():
    done = fuzz("--seed", "tests", "--cases", 1600, "--seconds", 900, "--hang", 300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert re.search(r"2\d,\d{3} inputs .* 0 findings", done.stdout), done.stdout


def takes_arguments(function):
    return not re.match(r"\w+\((self)?\)", function.__doc__ or "")


def native_names():
    """Every function and method of the compiled module that takes arguments."""
    names = set()
    for name in dir(_quchong):
        found = getattr(_quchong, name)
        if name.startswith("_"):
            continue
        if isinstance(found, type):
            methods = {m: getattr(found, m) for m in dir(found) if not m.startswith("_")}
            names |= {f"{name}.{m}" for m, method in methods.items() if takes_arguments(method)}
        elif callable(found) and takes_arguments(found):
            names.add(name)
    return names - NO_KERNELS


class Recorder:
    """The compiled module, or an object of it, that notes what is called."""

    def __init__(self, of, name, used):
        self._of, self._name, self._used = of, name, used

    def __getattr__(self, key):
        found = getattr(self._of, key)
        if not callable(found):
            return found
        name = f"{self._name}.{key}" if self._name else key

        def call(*arguments):
            self._used.add(name)
            out = found(*(a._of if isinstance(a, Recorder) else a for a in arguments))
            kind = type(out)
            return (
                Recorder(out, kind.__name__, self._used)
                if kind.__module__ == "_quchong" and kind.__name__ in HELD
                else out
            )

        return call


HELD = ("Outline", "PrintedBloom", "BlockedBloom", "DigestTable", "DigitTrie")
"""Objects that wrappers keep and call."""


def test_every_kernel_of_the_compiled_module_is_fuzzed(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    import dice
    import kernel_arguments

    used = set()
    recorder = Recorder(_quchong, "", used)
    for name, module in list(sys.modules.items()):
        if name.startswith("quchong.kernels.") and getattr(module, "_quchong", None) is _quchong:
            monkeypatch.setattr(module, "_quchong", recorder)
    for name, make in kernel_arguments.KERNELS.items():
        for seed in range(8):  # some take tokens or their names
            call = make(dice.Dice(f"{name}{seed}"))
            call.function(**call.arguments)
    assert native_names() - used == set()


def test_every_public_kernel_is_fuzzed(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    import kernel_arguments

    functions = {
        name
        for family in map(kernels.__dict__.get, kernels.__all__)
        for name, found in vars(family).items()
        if callable(found) and name[0].islower() and getattr(found, "__module__", "") == family.__name__
        and family.__name__.rpartition(".")[2] not in PYTHON
    }  # fmt: skip
    assert len(functions) > 50
    assert functions - {"strings", "text_views", "batches"} - set(kernel_arguments.KERNELS) == set()


PYTHON = {"arrays", "checked", "composing", "hashing"}
"""Families without a compiled part, with tests of their own."""

PLANTED = """
import ctypes, json, sys, time
sys.path.insert(0, sys.argv[1])
import kernels as fuzz
from kernel_arguments import KERNELS, Call

def planted(kind):
    def make(dice):
        hit = dice.random() < 0.1
        function = {
            "dies": lambda: ctypes.string_at(8) if hit else 0,
            "hangs": lambda: time.sleep(60 if hit else 0),
            "raises": lambda: {}["x"] if hit else 0,
            "lies": lambda: 1,
        }[kind]
        return Call(function, {}, (lambda out: not hit) if kind == "lies" else None)
    return make

kind = sys.argv[2]
KERNELS.clear()
KERNELS[kind] = planted(kind)
shared, found = fuzz.run(600, "planted", [kind], 20, 1.0, 60 if kind != "hangs" else 20)
print(json.dumps([f["how"].strip().splitlines()[-1] for f in found]))
print(json.dumps([f["command"] for f in found]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="workers are forked")
@pytest.mark.parametrize(
    ("kind", "how"),
    [
        ("dies", "ended by signal 11"),
        ("hangs", "took longer than 1 s"),
        ("raises", "KeyError: 'x'"),
        ("lies", "for {}"),
    ],
)
def test_what_goes_wrong_is_found_and_told_with_its_command(kind, how):
    done = subprocess.run(
        [sys.executable, "-c", PLANTED, str(TOOLS), kind], capture_output=True, text=True, timeout=600, check=False
    )
    told, commands = (json.loads(line) for line in done.stdout.splitlines()[-2:])
    assert told and set(told) == {how}, done.stdout + done.stderr
    assert all(re.search(r"--replay planted:\d+$", c) for c in commands)
    assert len(set(commands)) == len(told)
