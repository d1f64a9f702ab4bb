"""Fuzzes every reader: damaged files of every format, tables in memory, states, statistics and run folders.

    python tools/fuzz/readers.py --seconds 600 [--seed N] [--kind NAME]... [--shared DIR] [--replay SEED:NUMBER]

Each input must end in an error of quchong's or leave every record in exactly one place (`reader_checks`). Inputs are numbered
and follow from the seed, their number and the samples of --shared. Workers are forked for batches of them, with bounded memory and
processor time; one that dies is told with the number it died at, and the rest of its batch goes on. Findings are kept
below --findings: the input, made smaller where it ended in a traceback, and a line in findings.jsonl with the command that
repeats it. Runs for hours; exit code 1 where something was found.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import mmap
import os
import random
import resource
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import IO, Any

from reader_checks import CHECKS, Bench
from reader_inputs import Samples

from quchong.errors import QuchongError

MEMORY = 4 << 30
"""Address space of a worker, bytes."""
STALLED = 300.0
"""Seconds without a new input after which a worker is ended even where it used no processor time."""
SMALLER = 150
"""Tries at making a finding smaller."""

NO_THREAD_MEMORY = 127
"""Exit code by which glibc ends a process that has no memory for a thread's data, such as after what earlier inputs left."""
AGAIN = 77
"""Exit code of a worker that asks for the input it is at to be run by a fresh one."""

_SIGNALS = {
    signal.SIGPROF: "used too much processor time",
    signal.SIGKILL: "was killed from outside, perhaps for want of memory",
}


def kind_of(dice: random.Random, kinds: list[str]) -> str:
    """The sort of an input."""
    return dice.choices(kinds, [CHECKS[kind][0] for kind in kinds])[0]


def one(
    seed: str, number: int, kinds: list[str], samples: Samples, folder: Path, data: bytes | None = None
) -> tuple[str, Bench, str]:
    """Runs one input: its kind, its bench, and "read" or "refused". Whatever else is raised is a finding; so is the bench left."""
    dice = random.Random(f"{seed}:{number}")
    kind = kind_of(dice, kinds)
    bench = Bench(dice, folder, samples, data)
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    _Last.bench, _Last.kind = bench, kind
    try:
        CHECKS[kind][1](bench)
    except QuchongError as error:
        str(error)
        return kind, bench, "refused"
    return kind, bench, "read"


class _Last:
    """The input under way, for whoever catches what it raised."""

    bench: Bench
    kind: str


def _where(error: BaseException) -> str:
    """What was raised, and the deepest place of ours it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = next((f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames) if "quchong" in f.filename), "")
    ours = ours or f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
    return f"{type(error).__name__} at {ours}: {str(error)[:200]}"


def _smaller(seed: str, number: int, kinds: list[str], samples: Samples, folder: Path, data: bytes, how: str) -> bytes:
    """A part of the input that ends in the same way: stretches are left out as long as it does."""
    tries, size = 0, len(data) // 2
    while size and tries < SMALLER:
        at, before = 0, len(data)
        while at < len(data) and tries < SMALLER:
            shorter, tries = data[:at] + data[at + size :], tries + 1
            try:
                one(seed, number, kinds, samples, folder, shorter)
            except Exception as error:
                if _where(error).split(": ")[0] == how.split(": ")[0]:
                    data = shorter
                    continue
            at += size
        size = size // 2 if len(data) == before else min(size, max(len(data) // 2, 1))
    return data


def work(
    seed: str, numbers: range, kinds: list[str], samples: Samples, at: mmap.mmap, pipe: int, stacks: IO[bytes], hang: float
) -> None:  # fmt: skip
    """A worker: tells counts and findings as lines of JSON, and where its threads stand when it is asked by SIGUSR1."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    faulthandler.disable()
    faulthandler.register(signal.SIGUSR1, stacks, all_threads=True)
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="quchong-fuzz-") as place, os.fdopen(pipe, "w") as told:
        for number in numbers:
            at[:8] = struct.pack("<q", number)
            signal.setitimer(signal.ITIMER_PROF, hang)
            try:
                kind, _, how = one(seed, number, kinds, samples, Path(place))
                counts[f"{kind}|{how}"] += 1
            except BaseException as error:
                if isinstance(error, MemoryError) and number != numbers.start:  # perhaps of what earlier inputs left
                    told.write(json.dumps({"counts": counts}) + "\n")
                    told.flush()
                    os._exit(AGAIN)
                wrong, kind, data = _where(error), _Last.kind, _Last.bench.data
                counts[f"{kind}|found"] += 1
                signal.setitimer(signal.ITIMER_PROF, 20 * hang)
                if data is not None and isinstance(error, Exception):
                    data = _smaller(seed, number, kinds, samples, Path(place), data, wrong)
                told.write(
                    json.dumps(
                        {"number": number, "kind": kind, "how": wrong, "data": None if data is None else data.hex()}
                    )
                    + "\n"
                )
                told.flush()
            if number % 25 == 24:
                told.write(json.dumps({"counts": counts}) + "\n")
                told.flush()
                counts.clear()
        signal.setitimer(signal.ITIMER_PROF, 0)
        told.write(json.dumps({"counts": counts}) + "\n")


def batch(
    seed: str, numbers: range, kinds: list[str], samples: Samples, hang: float
) -> tuple[Counter[str], list[dict[str, Any]]]:
    """All inputs of a range, whatever becomes of workers: counts by kind and outcome, and findings."""
    counts: Counter[str] = Counter()
    found: list[dict[str, Any]] = []
    at = mmap.mmap(-1, 8)
    while len(numbers):
        read, write = os.pipe()
        stacks = tempfile.TemporaryFile()  # noqa: SIM115 - of both processes
        pid = os.fork()
        if not pid:
            code = 1
            try:
                os.close(read)
                work(seed, numbers, kinds, samples, at, write, stacks, hang)
                code = 0
            finally:
                os._exit(code)
        os.close(write)
        status = _listened(pid, read, at, counts, found)
        stood = _stood(stacks)
        if status == 0:
            break
        number = struct.unpack("<q", at[:8])[0]
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        if code == AGAIN or (code == NO_THREAD_MEMORY and number != numbers.start):
            numbers = range(number, numbers.stop)
            continue
        how = f"ended with exit code {os.WEXITSTATUS(status)}"
        if os.WIFSIGNALED(status):
            how = _SIGNALS.get(os.WTERMSIG(status), f"ended by signal {os.WTERMSIG(status)}")
        kind = kind_of(random.Random(f"{seed}:{number}"), kinds)
        counts[f"{kind}|found"] += 1
        found.append({"number": number, "kind": kind, "how": f"stalled: {stood}" if stood else how, "data": None})
        numbers = range(number + 1, numbers.stop)
    return counts, found


def _listened(pid: int, read: int, at: mmap.mmap, counts: Counter[str], found: list[dict[str, Any]]) -> int:
    """Takes what a worker tells until it ends; its status."""
    os.set_blocking(read, False)
    told, last, since = b"", b"", time.monotonic()
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        try:
            while piece := os.read(read, 1 << 16):
                told += piece
        except BlockingIOError:
            pass
        if done:
            break
        if at[:8] != last:
            last, since = at[:8], time.monotonic()
        elif time.monotonic() - since > STALLED:
            os.kill(pid, signal.SIGUSR1)
            time.sleep(1)
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    os.close(read)
    for line in told.splitlines():
        try:
            item = json.loads(line)
        except ValueError:  # cut off with the worker
            continue
        if "counts" in item:
            counts.update(item["counts"])
        else:
            found.append(item)
    return status


def _stood(stacks: IO[bytes]) -> str:
    """Where the threads of a worker stood when it was ended for standing still; empty where it was not."""
    with stacks:
        stacks.seek(0)
        return stacks.read().decode(errors="replace")


def run(
    seed: str, kinds: list[str], samples: Samples, seconds: float, inputs: int | None, size: int, hang: float, findings: Path | None = None,
    told: Any = None,
) -> tuple[Counter[str], list[dict[str, Any]]]:  # fmt: skip
    """Batches of inputs until the time is over or so many were run: counts by "kind|outcome", and findings."""
    counts: Counter[str] = Counter()
    found: list[dict[str, Any]] = []
    start, first = time.monotonic(), 0
    while time.monotonic() - start < seconds and (inputs is None or first < inputs):
        last = first + size if inputs is None else min(first + size, inputs)
        some, more = batch(seed, range(first, last), kinds, samples, hang)
        counts += some
        for finding in more:
            _keep(finding, seed, kinds, findings)
            if told is not None:
                told(finding)
        found += more
        first = last
    return counts, found


def _keep(finding: dict[str, Any], seed: str, kinds: list[str], folder: Path | None) -> None:
    """Adds the command that repeats a finding, and writes both down."""
    some = "".join(f" --kind '{kind}'" for kind in kinds) if kinds != list(CHECKS) else ""
    finding["command"] = f"python tools/fuzz/readers.py --replay {seed}:{finding['number']}{some}"
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    data = finding.pop("data")
    if data is not None:
        name = f"{finding['kind'].replace(' ', '-')}-{seed}-{finding['number']}"
        (folder / name).write_bytes(bytes.fromhex(data))
        finding["file"] = name
    with (folder / "findings.jsonl").open("a") as file:
        file.write(json.dumps(finding, ensure_ascii=False) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--inputs", type=int, help="stop after so many")
    parser.add_argument("--seed", default=str(time.time_ns() & 0xFFFFFFFF))
    parser.add_argument("--kind", action="append", choices=sorted(CHECKS), help="of these alone")
    parser.add_argument("--batch", type=int, default=2_000, help="inputs of a worker")
    parser.add_argument("--hang", type=float, default=10.0, help="seconds of processor time an input may take")
    parser.add_argument("--shared", type=Path, help="folder of real files to begin from, beside examples/")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--replay", metavar="SEED:NUMBER")
    args = parser.parse_args()
    kinds = args.kind or list(CHECKS)
    samples = Samples.of(Path(__file__).parents[2] / "examples", args.shared)
    if args.replay:
        seed, number = args.replay.rsplit(":", 1)
        faulthandler.enable()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        with tempfile.TemporaryDirectory() as place:
            kind, bench, how = one(seed, int(number), kinds, samples, Path(place))
        print(f"{kind}: {how}; {len(bench.data or b''):,} bytes")
        return 0
    print(f"readers: seed {args.seed}", flush=True)
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    counts, found = run(
        args.seed, kinds, samples, args.seconds, args.inputs, args.batch, args.hang, args.findings,
        lambda finding: print(f"\n{finding['kind']}: {finding['how']}\n  again: {finding['command']}", flush=True),
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    for kind in kinds:
        print(f"{kind:14}" + "".join(f"{how:>9} {counts[f'{kind}|{how}']:>8,}" for how in ("read", "refused", "found")))
    print(
        f"{sum(counts.values()):,} inputs, {len(found)} findings, {cost:.0f} s of processor time in {time.monotonic() - start:.0f} s"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
