"""A service under load: requests a second, latencies, errors and memory, by wrk over some connections and over one.

Documents of a corpus are put into an index, which `quchong serve` answers from; wrk asks about documents of which half are new and half
are copies of indexed ones without one sentence, or without a tenth where no sentence ends, or adds them. Prints a table, and how many of
the copies were made in which way.
Run: see README.md in the folder above. wrk is a package of Debian.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import quchong as qc

HERE = Path(__file__).parent
ENDS = re.compile("(?<=[。！？.!?])")


def documents(corpus: Path, count: int) -> list[str]:
    """Return the texts of the first records of a file of JSON lines."""
    out = []
    with corpus.open(encoding="utf-8") as file:
        for line in file:
            out.append(json.loads(line)["text"])
            if len(out) == count:
                break
    return out


def shortened(text: str, draw: random.Random) -> tuple[str, str]:
    """Return a text without one of its sentences, or without a tenth of it where it has no three of them, and which of both."""
    parts = [one for one in ENDS.split(text) if one]
    if len(parts) > 2:
        del parts[draw.randrange(len(parts))]
        return "".join(parts), "a sentence"
    tenth = max(1, len(text) // 10)
    start = draw.randrange(len(text) - tenth + 1)
    return text[:start] + text[start + tenth :], "a tenth"


def bodies(known: list[str], fresh: list[str], lacking: Counter[str], *, ids: bool) -> Iterator[str]:
    """Yield requests, of which every second is about a copy of a known document; count in `lacking` what the copies lack."""
    draw = random.Random(37)
    for k, text in enumerate(fresh):
        copy, lack = shortened(draw.choice(known), draw)
        lacking[lack] += 1
        for kind, one in (("new", text), ("copy", copy)):
            yield json.dumps(({"id": f"{kind}{k}"} if ids else {}) | {"text": one}, ensure_ascii=False)


class Served:
    """A service as a process, whose memory is sampled every second, that of its processes included."""

    def __init__(self, index: Path, *options: str):
        command = [sys.executable, "-m", "quchong", "serve", str(index), "--port", "0", "-q", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[-1]
        self.megabytes: list[float] = []
        self.ended = threading.Event()
        self.watch = threading.Thread(target=self.sample)
        self.watch.start()

    def sample(self) -> None:
        while not self.ended.wait(1):
            self.megabytes.append(sum(map(resident, family(self.process.pid))))

    def close(self) -> None:
        self.ended.set()
        self.watch.join()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def family(pid: int) -> list[int]:
    """Return a process and those that it started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        children = []
    return [pid, *(one for child in children for one in family(int(child)))]


def resident(pid: int) -> float:
    """Return the memory of a process that it shares with no other one, in megabytes."""
    try:
        fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines())
    except OSError:
        return 0.0
    return sum(int(fields.get(name, "0").split()[0]) for name in ("RssAnon", "RssShmem")) / 1024


def processor_seconds(pids: list[int]) -> float:
    """Return the seconds of processor that processes have used."""
    ticks = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def load(url: str, path: Path, connections: int, seconds: int, start: float = 0.0) -> dict[str, Any]:
    """Have wrk ask for some seconds; return what it tells."""
    argv = [
        "wrk",
        "-t",
        "1",
        "-c",
        str(connections),
        "-d",
        f"{seconds}s",
        "--timeout",
        "30s",
        "-s",
        str(HERE / "ask.lua"),
        url,
        "--",
    ]
    ran = subprocess.run([*argv, str(path), str(start)], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout.strip().splitlines()[-1])
    return found


def row(name: str, told: dict[str, Any], megabytes: list[float], cpu: float) -> str:
    rate = told["requests"] / told["seconds"]
    memory = f"{megabytes[0]:,.0f} to {megabytes[-1]:,.0f}, at most {max(megabytes):,.0f}" if megabytes else "-"
    errors = told["bad_status"] + told["broken"]
    each = 1000 * cpu / max(1, told["requests"])
    return f"| {name} | {rate:,.0f} | {each:.2f} | {told['p50']:.2f} | {told['p99']:.1f} | {told['longest']:,.0f} | {errors} | {memory} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="JSON lines with text")
    parser.add_argument("--work", type=Path, required=True, help="folder for the index, which is made anew")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument(
        "--asked", type=int, default=10_000, help="new documents that are asked about, and as many copies"
    )
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--processes", default=None, help="as for quchong serve")
    parser.add_argument(
        "--only", nargs="+", metavar="ROW", help="rows that are measured, such as 'query, 64 connections'"
    )
    arguments = parser.parse_args()
    work: Path = arguments.work
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    texts = documents(arguments.corpus, arguments.documents + arguments.asked)
    known, fresh = texts[: arguments.documents], texts[arguments.documents :]
    with qc.Index.create(work / "seen") as index:
        for start in range(0, len(known), 5_000):
            index.add([{"id": f"d{start + k}", "text": one} for k, one in enumerate(known[start : start + 5_000])])
    lacking: Counter[str] = Counter()
    for name, ids in (("asked", False), ("added", True)):
        lacking.clear()  # the same copies both times
        (work / name).write_text("\n".join(bodies(known, fresh, lacking, ids=ids)) + "\n", encoding="utf-8")
    options = [] if arguments.processes is None else ["--processes", arguments.processes]
    served = Served(work / "seen", *options)
    print(f"{len(known):,} documents, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print("copies without " + ", ".join(f"{what}: {count:,}" for what, count in lacking.most_common()))
    print(
        "| | requests/s | CPU ms a request | p50 ms | p99 ms | longest ms | errors | MB of memory |\n|---|---|---|---|---|---|---|---|"
    )
    try:
        load(f"{served.url}/query", work / "asked", 4, 3)  # what is loaded by the first questions
        for name, path, connections in (
            ("query, 1 connection", "query", 1), (f"query, {arguments.connections} connections", "query", arguments.connections),
            ("add, 1 connection", "documents", 1), (f"add, {arguments.connections} connections", "documents", arguments.connections),
        ):  # fmt: skip
            if arguments.only and name not in arguments.only:
                continue
            before = len(served.megabytes)
            bodies_of = work / ("asked" if path == "query" else "added")
            cpu = processor_seconds(family(served.process.pid))
            told = load(
                f"{served.url}/{path}", bodies_of, connections, arguments.seconds, 0.5 if connections > 1 else 0.0
            )
            cpu = processor_seconds(family(served.process.pid)) - cpu
            print(row(name, told, served.megabytes[before:], cpu), flush=True)
    finally:
        served.close()
    print(f"load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
