"""Indexes beside each other in one run: building, one question, one addition, bytes of keys, what is found.

Each system gets the same documents in a process of its own, is asked about documents that it does not have, then they are added
one by one, and it is asked again. Times of one call are of the clock and, in brackets, of the processor: read the latter on a
machine where others work.
Run: see README.md in the folder above.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from asked import Asked
from systems import SYSTEMS, System

AGAIN = 200
"""Documents that are asked about once more right after all were added."""


def spans(call: Callable[[int], Any], rows: list[int]) -> tuple[dict[int, Any], np.ndarray]:
    """Return the answer to each row, and milliseconds of clock and processor, shape (rows, 2)."""
    answers, times = {}, np.empty((len(rows), 2))
    for k, row in enumerate(rows):
        cpu, start = time.process_time(), time.perf_counter()
        answers[row] = call(row)
        times[k] = time.perf_counter() - start, time.process_time() - cpu
    return answers, times * 1000


def percentiles(times: np.ndarray) -> dict[str, list[float]]:
    """Return the median and 99th percentile, of clock and processor."""
    return {
        name: [round(float(np.percentile(times[:, k], p)), 3) for p in (50, 99)]
        for k, name in enumerate(("clock", "cpu"))
    }


def measure(name: str, options: dict[str, str], work: Path, data: Asked) -> dict[str, Any]:
    truth, _ = data.truth, data.forms
    system: System = SYSTEMS[name](work, **options)
    documents = data.table(data.known)
    cpu, start = cpu_seconds(), time.perf_counter()
    system.build(documents)
    seconds, cpu = time.perf_counter() - start, cpu_seconds() - cpu
    out: dict[str, Any] = {
        "system": name,
        "options": options,
        "documents": len(documents),
        "seconds": round(seconds, 2),
        "cpu": round(cpu, 2),
    }
    out["documents_a_second"] = round(len(documents) / seconds)
    out["key_bytes"] = round(system.key_bytes() / len(documents))
    del documents
    rows = data.asked.tolist()
    for row in data.known[:20].tolist():
        system.query(data.texts[row])
    answers, times = spans(lambda row: system.query(data.texts[row]), rows)
    new = np.array([not truth[row] for row in rows])
    out["query"], out["query_new"], out["query_copies"] = (
        percentiles(times),
        percentiles(times[new]),
        percentiles(times[~new]),
    )
    out["asked"] = {"new": int(new.sum()), "copies": int((~new).sum())}
    for kind in ("like", "contained"):
        wanted = [(row, other) for row, found in truth.items() for other, k in found.items() if k == kind]
        out[kind] = [sum(data.named(other, answers[row]) for row, other in wanted), len(wanted)]
    out["others"] = sum(
        bool(data.families[row] != data.families[other]) for row, found in answers.items() for other in found
    )
    out["add"] = percentiles(spans(lambda row: system.add(row, data.texts[row]), rows)[1])
    drawn = data.known[:: max(1, len(data.known) // AGAIN)].tolist()
    out["query_after_adds"] = percentiles(spans(lambda row: system.query(data.texts[row]), drawn)[1])
    seen, _ = spans(lambda row: system.query(data.texts[row]), rows[:AGAIN])
    out["visible_at_once"] = sum(data.named(row, found) for row, found in seen.items()) / len(seen)
    out["notes"] = system.notes()
    system.close()
    if hasattr(system, "opened"):
        out["opened_ms"] = round(system.opened * 1000, 1)
    out["peak_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
    return out


def cpu_seconds() -> float:
    """Return the processor seconds of this process and of its ended children."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def report(results: list[dict[str, Any]]) -> None:
    """Print the table of docs/results/index.md."""

    def of(figures: dict[str, list[float]]) -> str:
        return (
            f"{figures['clock'][0]:.2f} / {figures['clock'][1]:.2f} ({figures['cpu'][0]:.2f} / {figures['cpu'][1]:.2f})"
        )

    print(
        "| system | build, CPU s | documents/s | key bytes | query | of new ones | of copies | add | query after the adds "
        "| like | contained | others | peak MB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for r in results:
        label = " ".join([r["system"], *(f"{k}={v.rpartition('/')[2]}" for k, v in r["options"].items())])
        print(
            f"| {label} | {r['cpu']:.1f} | {r['documents_a_second']:,} | {r['key_bytes']:,} | {of(r['query'])} | {of(r['query_new'])} "
            f"| {of(r['query_copies'])} | {of(r['add'])} | {of(r['query_after_adds'])} | {r['like'][0]} of {r['like'][1]} "
            f"| {r['contained'][0]} of {r['contained'][1]} | {r['others']} | {r['peak_mb']:,} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="*", default=["quchong", "lance", "gaoya", "datasketch"],
                        help="a name, or name:option=value,... such as datasketch:redis=redis-server")  # fmt: skip
    parser.add_argument("--corpus", type=Path, required=True, help="a corpus of gen_corpus.py with its truth beside it")
    parser.add_argument("--limit", type=int, default=100_000)
    parser.add_argument("--asked", type=int, default=1000)
    parser.add_argument("--peers", default=sys.executable, help="a Python that has pylance, datasketch, gaoya")
    parser.add_argument("--work", type=Path, required=True, help="folder for the indexes, deleted after each system")
    parser.add_argument("--child", action="store_true")
    args = parser.parse_args()
    if args.child:
        name, _, options = args.systems[0].partition(":")
        chosen = dict(part.split("=") for part in options.split(",") if part)
        print(json.dumps(measure(name, chosen, args.work, Asked.read(args.corpus, args.limit, args.asked))))
        return
    results = []
    for system in args.systems:
        folder = args.work / "index"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        python = sys.executable if system.startswith("quchong") else args.peers
        command = [python, __file__, "--child", system, "--corpus", str(args.corpus), "--limit", str(args.limit),
                   "--asked", str(args.asked), "--work", str(folder)]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        shutil.rmtree(folder)
        if done.returncode:
            print(f"{system} failed:\n{done.stderr[-2000:]}", file=sys.stderr)
            continue
        results.append(json.loads(done.stdout.splitlines()[-1]))
        print(done.stdout.splitlines()[-1], file=sys.stderr, flush=True)
    report(results)


if __name__ == "__main__":
    main()
