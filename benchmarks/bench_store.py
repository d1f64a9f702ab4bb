"""Shards read from an S3 store on this machine, and from the disk: documents of all of them, by `qc.dedup --method exact` without output.

The store (moto) is a process of its own, which shares the processors of this machine: its processor seconds are told apart.
Reading from the store is compared with reading from the disk by the processor seconds of the reader; by the clock only where the
machine is quiet and has processors for both.
What it costs to make and to send the shards is told before the table, the ratio of both after it, for each number of shards.
Run: python benchmarks/bench_store.py zh_100k.jsonl --shards 4 10 20 --size 50 --work FOLDER
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path

SERVER = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
"""
READER = """
import json, resource, sys, time
from pathlib import Path
import quchong as qc
inputs, options, workers = json.loads(sys.argv[1])
start, before = time.perf_counter(), time.process_time()
found = qc.dedup([Path(one) for one in inputs], method="exact", recall_sample=0, storage_options=options, workers=workers)
used = resource.getrusage(resource.RUSAGE_SELF)
stage = found.manifest["seconds"]["read and fingerprint"]
cpu = time.process_time() - before
print(json.dumps([found.counts["read"], time.perf_counter() - start, stage, cpu, used.ru_maxrss / 1000]))
"""


def cut(corpus: Path, folder: Path, shards: int, size: int) -> list[Path]:
    """Write shards of about `size` MB with the lines of a corpus, again from the beginning where they end."""
    folder.mkdir(parents=True, exist_ok=True)
    lines, made = cycle(corpus.read_bytes().splitlines(keepends=True)), []
    for number in range(shards):
        path = folder / f"part-{number:03}.jsonl"
        held: list[bytes] = []
        full = 0
        while full < size * 1_000_000:
            line = next(lines)
            row = json.loads(line) | {"id": f"{number}-{len(held)}"}
            held.append(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            full += len(held[-1])
        path.write_bytes(b"".join(held))
        made.append(path)
    return made


def seconds_of(process: int) -> float:
    """Processor seconds of another process so far."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read(inputs: list[str], options: dict[str, object] | None, workers: int | None) -> list[float]:
    """Documents, seconds, seconds of reading, processor seconds and peak MB of a run in a process of its own."""
    asked = json.dumps([inputs, options, workers])
    done = subprocess.run([sys.executable, "-c", READER, asked], capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--shards", type=int, nargs="+", default=[8], help="numbers of shards, each measured")
    parser.add_argument("--size", type=int, default=50, metavar="MB")
    parser.add_argument("--reps", type=int, default=2)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--work", type=Path, required=True)
    given = parser.parse_args()
    import boto3

    start = time.perf_counter()
    paths = cut(given.corpus, given.work / "shards", max(given.shards), given.size)
    made = time.perf_counter() - start
    with subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None and server.stdin is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        client = boto3.client(
            "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret"
        )
        client.create_bucket(Bucket="shards")
        start = time.perf_counter()
        for path in paths:
            client.upload_file(str(path), "shards", path.name)
        size = sum(path.stat().st_size for path in paths) / 1e6
        print(
            f"{len(paths)} shards, {size:.0f} MB: made in {made:.0f} s, sent in {time.perf_counter() - start:.0f} s\n"
        )
        options: dict[str, object] = {"endpoint_url": url, "key": "key", "secret": "secret"}
        titles = (
            "shards | from | documents | seconds | reading, seconds | reader, CPU s | store, CPU s | peak MB | load"
        )
        print(f"| {titles} |\n" + "|---" * 9 + "|", flush=True)
        used: dict[tuple[int, str], list[float]] = {}
        for shards in given.shards:
            for _ in range(given.reps):
                for name in ("disk", "store"):
                    before = seconds_of(server.pid)
                    from_store = name == "store"
                    there = [f"s3://shards/{one.name}" if from_store else str(one) for one in paths[:shards]]
                    count, seconds, reading, cpu, peak = read(there, options if from_store else None, given.workers)
                    used.setdefault((shards, name), []).append(cpu)
                    row = [
                        f"{count:,.0f}",
                        *(f"{one:.1f}" for one in (seconds, reading, cpu, seconds_of(server.pid) - before)),
                    ]
                    print(
                        f"| {shards} | {name} | {' | '.join(row)} | {peak:.0f} | {os.getloadavg()[0]:.1f} |", flush=True
                    )
        server.stdin.close()
    print("\n| shards | disk, CPU s a shard | store, CPU s a shard | speed from the store |\n|---|---|---|---|")
    for shards in given.shards:
        disk, store = (statistics.median(used[shards, name]) for name in ("disk", "store"))
        print(f"| {shards} | {disk / shards:.2f} | {store / shards:.2f} | {disk / store:.0%} |")


if __name__ == "__main__":
    main()
