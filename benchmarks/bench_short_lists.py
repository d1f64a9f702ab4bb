"""`quchong.distinct` on lists of 100 records, as the hits of a search, beside `quchong.dedup`: milliseconds a list.

Covers: lists with few and with many copies; the first 200 characters of each record, and whole texts. Times of the clock, and of the
processor in brackets, which say what a quiet machine would take. Compared against: `dedup` with recall_sample=0. Run: see README.md here.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import quchong as qc

CALLS = {
    "distinct, hybrid": lambda hits: qc.distinct(hits).removed,
    "distinct, minhash": lambda hits: qc.distinct(hits, method="minhash").removed,
    "distinct, ccdet": lambda hits: qc.distinct(hits, method="ccdet").removed,
    "distinct, exact": lambda hits: qc.distinct(hits, method="exact").removed,
    "dedup, hybrid": lambda hits: qc.dedup(hits, keep="first", recall_sample=0).ledger["id"],
    "dedup, minhash": lambda hits: qc.dedup(hits, method="minhash", keep="first", recall_sample=0).ledger["id"],
}
WARM = 20
"""Lists answered before the clock starts: dictionaries are read once a process."""

Hits = list[dict[str, Any]]


def lists(rows: Hits, count: int, copies: int, size: int = 100, seed: int = 7) -> list[Hits]:
    """Lists of records of which about `copies` belong to families of copies, in an order of chance."""
    chance, families = random.Random(seed), defaultdict(list)
    by_id = {str(row["id"]): row for row in rows}
    for row in qc.dedup(rows, recall_sample=0).clusters.to_pylist():
        families[row["cluster_id"]].append(by_id[str(row["id"])])
    related = {str(row["id"]) for family in families.values() for row in family}
    alone, groups = [row for row in rows if str(row["id"]) not in related], list(families.values())
    made = []
    for _ in range(count):
        hits = chance.sample(alone, size - copies)
        while len(hits) < size:
            hits += chance.choice(groups)[: size - len(hits)]
        chance.shuffle(hits)
        made.append(hits)
    return made


def timed(call: Callable[[Hits], Any], given: list[Hits]) -> dict[str, float]:
    """Milliseconds a list, of the clock and of the processor, and records removed of a list."""
    clock, processor, removed = [], [], 0
    for number, hits in enumerate(given):
        used, start = time.process_time(), time.perf_counter()
        found = call(hits)
        spent, cpu = time.perf_counter() - start, time.process_time() - used
        if number >= WARM:
            clock.append(spent * 1e3)
            processor.append(cpu * 1e3)
            removed += len(found)
    clock.sort()
    processor.sort()
    n = len(clock)
    return {
        "p50": clock[n // 2], "p99": clock[n * 99 // 100], "cpu50": processor[n // 2], "cpu99": processor[n * 99 // 100],
        "removed": removed / n,
    }  # fmt: skip


def main() -> None:
    """Prints the table of the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="JSON lines with id and text")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--lists", type=int, default=WARM + 200)
    given = parser.parse_args()
    with given.corpus.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in itertools.islice(lines, given.rows)]
    print(
        "| call | records | of families | clock p50 / p99 | processor p50 / p99 | removed of a list |\n|---|---|---|---|---|---|"
    )
    for copies in (0, 40):
        drawn = lists(rows, given.lists, copies)
        for shape, cut in (("200 characters", 200), ("whole texts", None)):
            hits = [[{**row, "text": row["text"][:cut]} for row in some] for some in drawn]
            for name, call in CALLS.items():
                t = timed(call, hits)
                times = f"{t['p50']:.1f} / {t['p99']:.1f} | {t['cpu50']:.1f} / {t['cpu99']:.1f}"
                print(f"| {name} | {shape} | {copies} | {times} | {t['removed']:.1f} |", flush=True)


if __name__ == "__main__":
    main()
