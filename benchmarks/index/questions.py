"""Questions about copies among articles, and additions of them: milliseconds of the processor, and a digest of all answers.

    python benchmarks/index/questions.py --corpus zh_100k.parquet --work FOLDER                  # 300 copies, 100 new documents
    python benchmarks/index/questions.py --corpus zh_100k.parquet --work FOLDER --calls          # calls of a question by library
    python benchmarks/index/questions.py --corpus zh_100k.parquet --work FOLDER --profile FILE   # for pstats

The index is made once and kept in the folder; additions go to a copy of it. Every question is asked `--rounds` times and the least time
counts, so that others on the machine matter little. Equal digests of two versions mean that all their answers are the same bytes.
"""

from __future__ import annotations

import argparse
import cProfile
import hashlib
import json
import pstats
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from asked import Asked

import quchong

BATCH = 5000
ASKED = 1000
"""Documents that are drawn to be asked about; the first copies and new ones of them are."""


def made_index(folder: Path, data: Asked) -> None:
    """Make the index of the known documents, unless it is there."""
    if folder.exists():
        return
    documents = data.table(data.known)
    cpu = time.process_time()
    with quchong.Index.create(folder) as index:
        for start in range(0, len(documents), BATCH):
            index.add(documents.slice(start, BATCH))
    print(
        json.dumps({"documents": len(documents), "a_cpu_second": round(len(documents) / (time.process_time() - cpu))}),
        flush=True,
    )


def timed(call: Callable[[str], Any], texts: list[str], rounds: int) -> tuple[np.ndarray, list[Any]]:
    """Return the least milliseconds of the processor for each text, and the answers."""
    times, answers = np.full((rounds, len(texts)), np.inf), []
    for k in range(rounds):
        answers = []
        for i, text in enumerate(texts):
            start = time.thread_time()
            answer = call(text)
            times[k, i] = time.thread_time() - start
            answers.append(answer)
    return times.min(axis=0) * 1000, answers


def digest(answers: list[Any]) -> str:
    """Return a digest of answers, their differences among them."""
    told = json.dumps([answer.as_dict() for answer in answers], ensure_ascii=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def figures(times: np.ndarray) -> dict[str, float]:
    """Return the median, 99th percentile and mean."""
    p50, p99 = np.percentile(times, (50, 99))
    return {"p50": round(float(p50), 3), "p99": round(float(p99), 2), "mean": round(float(times.mean()), 3)}


def count_calls(index: quchong.Index, texts: list[str]) -> dict[str, float]:
    """Return the calls of one question: all, of NumPy, of Arrow, of SQLite."""
    profile = cProfile.Profile()
    profile.enable()
    for text in texts:
        index.query(text)
    profile.disable()
    counts = {"all": 0, "numpy": 0, "pyarrow": 0, "sqlite3": 0, "quchong": 0}
    for (file, _, name), (_, calls, *_) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        counts["all"] += calls
        for library in counts:
            if library in file or library in name:
                counts[library] += calls
    return {name: round(calls / len(texts), 1) for name, calls in counts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="a corpus of gen_corpus.py with its truth beside it")
    parser.add_argument("--limit", type=int, default=100_000)
    parser.add_argument("--asked", type=int, default=300, help="copies; a third as many new documents")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--adds", type=int, default=0, help="copies that are added to a copy of the index")
    parser.add_argument("--work", type=Path, required=True, help="folder for the indexes, kept")
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--profile", type=Path)
    args = parser.parse_args()
    data = Asked.read(args.corpus, args.limit, ASKED)
    folder = args.work / f"articles-{args.limit}"
    args.work.mkdir(parents=True, exist_ok=True)
    made_index(folder, data)
    copies = [data.texts[row] for row in data.asked.tolist() if data.truth[row]][: args.asked]
    new = [data.texts[row] for row in data.asked.tolist() if not data.truth[row]][: args.asked // 3]
    with quchong.Index(folder, read_only=True) as index:
        for row in data.known[:20].tolist():
            index.query(data.texts[row])
        if args.profile:
            timed(index.query, copies, 1)  # patterns and dictionaries are loaded
            with cProfile.Profile() as profile:
                for text in copies:
                    index.query(text)
            profile.dump_stats(args.profile)
            return
        out: dict[str, Any] = {}
        for name, texts in (("copies", copies), ("new", new)):
            times, answers = timed(index.query, texts, args.rounds)
            out[name] = {"count": len(texts), **figures(times), "digest": digest(answers)}
            if name == "copies":
                matches = np.array([len(answer.matches) for answer in answers])
                for label, some in (("one or two", matches <= 2), ("12 or more", matches >= 12)):
                    out[f"{name}, {label} matches"] = {"count": int(some.sum()), **figures(times[some])}
        if args.calls:
            out["calls"] = count_calls(index, copies)
    if args.adds:
        other = args.work / "articles-copied"
        least = np.full((args.rounds, min(args.adds, len(copies))), np.inf)
        for k in range(args.rounds):
            shutil.rmtree(other, ignore_errors=True)
            shutil.copytree(folder, other)
            with quchong.Index(other) as index:
                least[k], answers = timed(index.add, copies[: args.adds], 1)
        out["add, copies"] = {"count": least.shape[1], **figures(least.min(axis=0)), "digest": digest(answers)}
        shutil.rmtree(other, ignore_errors=True)
    for name, told in out.items():
        print(name, json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
