"""Fuzzes every kernel: small valid arguments, held to the Python twin, and broken ones, which must be refused.

    python tools/fuzz/kernels.py --seconds 600 [--seed N] [--kernel NAME]... [--replay SEED:NUMBER]

A case is valid arguments and some dozen ways to break them, each an input. Cases are numbered, and follow from the seed and
their number alone. Workers are forked for batches of them; one that dies, or takes longer than --hang seconds for a case,
is told with the command that repeats the case, and the rest of its batch goes on.
Of valid inputs some are held to the twin (or computed again by three threads); broken ones may answer, or
raise ValueError, TypeError, MemoryError or one of quchong's errors: nothing else, and no warning. Runs for hours; exit code 1 where
something was found.

With AddressSanitizer: see `make sanitize` for the build and its environment.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import mmap
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from dice import Dice, at, broken, leaves, put
from kernel_arguments import KERNELS, Call

from quchong.errors import QuchongError

REFUSALS = (ValueError, TypeError, MemoryError, QuchongError)
TWINS, THREADS = 0.4, 0.1
"""Shares of valid inputs: those held to the twin, and those computed again by three threads."""
MEMORY = 6 << 30


class Counts(NamedTuple):
    """Inputs of one kernel, by what became of them."""

    valid: int
    twins: int
    refused: int
    answered: int


class Wrong(Exception):
    """A kernel answered what its twin does not."""


def case(
    seed: str,
    number: int,
    names: list[str],
    count: Callable[[str, str], None],
    say: Callable[[str], None] | None = None,
) -> None:
    """Runs one case: arguments as they are, then broken in different ways; `count(name, what)` for each input.

    Raises what should not have been raised. The first input that raises ends the case.
    """
    dice = Dice(f"{seed}:{number}")
    name = names[number % len(names)]
    call = KERNELS[name](dice)
    if say:
        say(f"{name}: {call.arguments!r}")
    count(name, _valid(dice, name, call))
    paths = list(leaves(call.arguments))
    for _ in range(call.variants - 1 if paths else 0):
        arguments = call.arguments
        for _ in range(1 if dice.random() < 0.8 else 2):
            path = dice.choice(paths)
            new = broken(dice, at(call.arguments, path))
            if not (isinstance(new, int) and call.largest < new < 2**61):
                arguments = put(arguments, path, new)
            if say:
                say(f"{'.'.join(path)} = {new!r}")
        try:
            call.function(**arguments)
        except REFUSALS as refused:
            count(name, "refused")
            if say:
                say(f"  {type(refused).__name__}: {refused}")
        else:
            count(name, "answered")


def _valid(dice: Dice, name: str, call: Call) -> str:
    answer = call.function(**call.arguments)
    chance = dice.random()
    if chance < TWINS and call.right is not None:
        if not call.right(answer):
            raise Wrong(f"{name} answered {answer!r}\nfor {call.arguments!r}")
        return "twins"
    if chance > 1 - THREADS and "workers" in call.arguments:
        again = call.function(**{**call.arguments, "workers": 3})
        if not same(answer, again):
            raise Wrong(f"{name} answered {answer!r}\nand with three threads {again!r}\nfor {call.arguments!r}")
    return "valid"


def same(a: Any, b: Any) -> bool:
    """Two answers of kernels."""
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if hasattr(a, "words") and hasattr(a, "defined"):
        return same((a.words, a.defined), (b.words, b.defined))
    return type(a).__module__ == "quchong.kernels.tree" or bool(a == b)


class Shared:
    """What a worker tells as it goes: the case at work, and counts; read by the parent when it has died."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self._map = mmap.mmap(-1, 8 * (1 + len(names) * len(Counts._fields)))
        self.cells = np.frombuffer(self._map, np.int64)

    def count(self, name: str, what: str) -> None:
        """One more input."""
        self.cells[1 + self.names.index(name) * len(Counts._fields) + Counts._fields.index(what)] += 1

    def table(self) -> dict[str, Counts]:
        """All counts."""
        rows = self.cells[1:].reshape(-1, len(Counts._fields)).tolist()
        return {n: Counts(*r) for n, r in zip(self.names, rows, strict=True)}


def work(seed: str, numbers: range, names: list[str], shared: Shared, out: int) -> None:
    """The life of a worker: cases one after another; what should not be is written to `out`, a line each."""
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    for number in numbers:
        shared.cells[0] = number
        try:
            case(seed, number, names, shared.count)
        except Exception:
            told = {"number": number, "how": traceback.format_exc(limit=-6)}
            os.write(out, (json.dumps(told) + "\n").encode())
    shared.cells[0] = numbers.stop


def batch(seed: str, numbers: range, names: list[str], shared: Shared, hang: float) -> list[dict[str, Any]]:
    """Runs cases in workers, a new one after each that dies: what was found."""
    found: list[dict[str, Any]] = []
    while numbers:
        read, write = os.pipe()
        sys.stdout.flush()
        shared.cells[0] = numbers.start
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.close(read)
                work(seed, numbers, names, shared, write)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(write)
        told, died = _watched(pid, read, shared, hang)
        found += told
        if died is None:
            return found
        number = int(shared.cells[0])
        if died == 0 or number >= numbers.stop:
            return found
        found.append({"number": number, "how": died})
        numbers = range(number + 1, numbers.stop)
    return found


def _watched(pid: int, read: int, shared: Shared, hang: float) -> tuple[list[dict[str, Any]], str | None]:
    """Waits for a worker; kills it where one case takes too long. What it told, and how it died."""
    os.set_blocking(read, False)
    raw, before, since, hung = b"", -1, time.monotonic(), False
    while True:
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(read, 1 << 16):
                raw += piece
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        if int(shared.cells[0]) != before:
            before, since = int(shared.cells[0]), time.monotonic()
        elif time.monotonic() - since > hang and not hung:
            os.kill(pid, signal.SIGKILL)
            hung = True
        time.sleep(0.02)
    with contextlib.suppress(BlockingIOError):
        while piece := os.read(read, 1 << 16):
            raw += piece
    os.close(read)
    told = [json.loads(line) for line in raw.decode().splitlines()]
    if hung:
        return told, f"took longer than {hang:g} s"
    if os.WIFSIGNALED(status):
        return told, f"ended by signal {os.WTERMSIG(status)}"
    code = os.waitstatus_to_exitcode(status)
    return told, None if code == 0 else f"ended with exit code {code}"


def run(
    seconds: float, seed: str, names: list[str], size: int, hang: float, cases: int | None = None
) -> tuple[Shared, list[dict[str, Any]]]:
    """Batches of cases until the time is over (or so many cases were run): counts, and what was found."""
    shared, found, start, first = Shared(names), [], time.monotonic(), 0
    while time.monotonic() - start < seconds and (cases is None or first < cases):
        last = first + size if cases is None else min(first + size, cases)
        for finding in batch(seed, range(first, last), names, shared, hang):
            finding["command"] = _command(seed, finding["number"], names)
            print(f"\n{finding['how']}\n  again: {finding['command']}", flush=True)
            found.append(finding)
        first = last
    return shared, found


def _command(seed: str, number: int, names: list[str]) -> str:
    some = "".join(f" --kernel {n}" for n in names) if names != sorted(KERNELS) else ""
    return f"python tools/fuzz/kernels.py --replay {seed}:{number}{some}"


def replay(told: str, names: list[str]) -> None:
    """Runs one case again, in this process, and says what it does."""
    seed, number = told.rsplit(":", 1)
    case(seed, int(number), names, lambda _, what: None, lambda line: print(line, flush=True))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, help="stop after so many")
    parser.add_argument("--seed", default=str(time.time_ns() & 0xFFFFFFFF))
    parser.add_argument("--kernel", action="append", choices=sorted(KERNELS), help="of these alone")
    parser.add_argument("--batch", type=int, default=5_000, help="cases of a worker")
    parser.add_argument("--hang", type=float, default=10.0, help="seconds a case may take")
    parser.add_argument("--failures", type=Path, help="file that findings are added to, one JSON object a line")
    parser.add_argument("--counts", action="store_true", help="show what became of each kernel's inputs")
    parser.add_argument("--replay", metavar="SEED:NUMBER")
    args = parser.parse_args()
    names = sorted(args.kernel or KERNELS)
    if args.replay:
        replay(args.replay, names)
        return
    print(f"kernels: seed {args.seed}, {len(names)} kernels, {args.seconds:g} s", flush=True)
    start = time.monotonic()
    shared, found = run(args.seconds, args.seed, names, args.batch, args.hang, args.cases)
    table = shared.table()
    if args.counts:
        for name, counts in table.items():
            print(f"  {name:24}" + "".join(f"{n:10} {what}" for what, n in counts._asdict().items()))
    total = Counts(*(sum(column) for column in zip(*table.values(), strict=True)))
    print(
        f"kernels: {sum(total):,} inputs in {time.monotonic() - start:.0f} s, seed {args.seed}: {total.valid + total.twins:,} valid "
        f"({total.twins:,} held to the twin), {total.refused:,} broken and refused, {total.answered:,} changed and answered; "
        f"{len(found)} findings"
    )
    if found and args.failures:
        with args.failures.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(f, ensure_ascii=False) + "\n" for f in found)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
