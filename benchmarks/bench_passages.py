"""Shared passages: of a corpus, of two texts, and sl-st on a corpus.

Part corpus: `qc.passages` of files, seconds by stage, MB of text a second, peak memory. Part texts: the kernel of mdr (matching
statistics, shared runs) and `qc.align` beside a suffix automaton in plain Python, which is written here and held to the same
result, and beside difflib. Part sl-st: `quchong dedup --method sl-st`, and how many pairs are met of all there are.
Every figure is of a process of its own, in turn, medians; of two texts seconds of CPU, else those of the clock. Run: see README.md here.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SIZES = (1_000, 10_000, 100_000)
LEAST = 60
"""Letters and digits of a run, as mdr has it."""


def cpu(who: int = resource.RUSAGE_SELF) -> float:
    """Seconds of CPU so far, of all threads."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def corpus(files: list[str]) -> dict[str, Any]:
    """Passages of a corpus of files."""
    import quchong as qc

    qc.passages(["先试一次，" * 20] * 2)  # tables and imports, once
    start, used = time.perf_counter(), cpu()
    found = qc.passages([Path(f) for f in files])
    took, used = time.perf_counter() - start, cpu() - used
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    counts, stages, peak = found.manifest["counts"], found.manifest["seconds"], peak_mb()
    size = 0
    for name in files:
        if Path(name).suffix == ".parquet":
            for batch in pq.ParquetFile(name).iter_batches(columns=["text"]):
                size += pc.sum(pc.binary_length(batch["text"])).as_py()
        else:
            with Path(name).open(encoding="utf-8") as lines:
                size += sum(len((json.loads(line)["text"] or "").encode()) for line in lines)
    return {"seconds": took, "cpu": used, "stages": stages, "counts": counts, "text_mb": size / 1e6, "peak_mb": peak}


def text_pairs(size: int, count: int) -> list[tuple[str, str]]:
    """Pairs of written texts of about so many characters: stretches of 50 to 500 of the first stand in the second, as many are its own."""
    from quchong_lab.rng import Rng
    from quchong_lab.web.news import NewsWriter

    writer, rng, pairs = NewsWriter(7), Rng(7, size), []

    def text() -> str:
        out: list[str] = []
        while sum(map(len, out)) < size:
            out += ["".join(s.text for s in block.sentences) for block in writer.fresh().body]
        return "\n".join(out)[:size]

    for _ in range(count):
        left, other, at, mixed = text(), text(), 0, []
        while at < size:
            n = rng.between(50, 500)
            mixed.append((left if rng.chance(0.5) else other)[at : at + n])
            at += n
        pairs.append((left, "".join(mixed)))
    return pairs


class Automaton:
    """Suffix automaton of a sequence (Blumer et al. 1985), in plain Python."""

    def __init__(self, text: list[int]) -> None:
        self.next: list[dict[int, int]] = [{}]
        self.link, self.length = [-1], [0]
        last = 0
        for symbol in text:
            new = len(self.next)
            self.next.append({})
            self.link.append(0)
            self.length.append(self.length[last] + 1)
            p = last
            while p >= 0 and symbol not in self.next[p]:
                self.next[p][symbol] = new
                p = self.link[p]
            if p >= 0:
                q = self.next[p][symbol]
                if self.length[p] + 1 == self.length[q]:
                    self.link[new] = q
                else:
                    clone = len(self.next)
                    self.next.append(dict(self.next[q]))
                    self.link.append(self.link[q])
                    self.length.append(self.length[p] + 1)
                    while p >= 0 and self.next[p].get(symbol) == q:
                        self.next[p][symbol] = clone
                        p = self.link[p]
                    self.link[q] = self.link[new] = clone
            last = new

    def ending(self, text: list[int]) -> list[int]:
        """Of every place of `text` the length of the longest match that ends there."""
        state = length = 0
        out = []
        for symbol in text:
            while state and symbol not in self.next[state]:
                state = self.link[state]
                length = self.length[state]
            if symbol in self.next[state]:
                state = self.next[state][symbol]
                length += 1
            out.append(length)
        return out


def starting(ending: list[int]) -> list[int]:
    """Longest matches by where they start, from those by where they end."""
    out = [0] * len(ending)
    for end, n in enumerate(ending):
        start = end - n + 1
        if n and out[start] < n:
            out[start] = n
    for i in range(1, len(out)):
        out[i] = max(out[i], out[i - 1] - 1)
    return out


def texts(system: str, size: int, count: int, budget: float) -> dict[str, Any]:
    """A system on pairs of texts, until the seconds are used up; at least one pair. Seconds of CPU: all use one thread."""
    import numpy as np

    import quchong as qc
    from quchong import kernels

    pairs = text_pairs(size, count)
    codes = [tuple(np.frombuffer(t.encode("utf-32-le"), np.uint32) for t in pair) for pair in pairs]
    qc.align("先试一次，" * 20, "先试一次，" * 20)  # tables, once
    spent, found, done = 0.0, 0, 0
    for (left, right), (a, b) in zip(pairs, codes, strict=True):
        flat = kernels.arrays.Ragged(np.concatenate([a, b]), np.array([0, len(a), len(a) + len(b)], np.int64))
        x, y = (t.tolist() for t in (a, b))
        start = time.process_time()
        if system == "statistics":
            found += int(kernels.runs.matching_statistics(a, b).lengths.astype(np.int64).sum())
        elif system == "python automaton":
            found += sum(starting(Automaton(y).ending(x)))
        elif system == "shared runs":
            found += int(kernels.runs.shared_runs(flat, [0], [1], LEAST, workers=1).covered_left[0])
        elif system == "align":
            found += sum(p.end - p.start for p in qc.align(left, right))
        else:
            import difflib

            found += sum(m.size for m in difflib.SequenceMatcher(None, left, right, False).get_matching_blocks())
        spent += time.process_time() - start
        done += 1
        if spent > budget:
            break
    return {"seconds": spent / done, "pairs": done, "found": found / done, "peak_mb": peak_mb()}


def met(path: str) -> dict[str, Any]:
    """Pairs of sl-st's index before its rule, of all pairs of distinct texts."""
    import pyarrow.parquet as pq

    from quchong import kernels
    from quchong.features.lengths import LengthStrings
    from quchong.methods.sentences.sl_st import SlSt
    from quchong.seam import Documents

    column = pq.read_table(path, columns=["text"])["text"].combine_chunks()
    distinct = column.unique()
    method = SlSt()
    strings = LengthStrings.from_sentences(
        method.sentences(Documents.from_texts(distinct), None), method.max_len, method.min_block, method.keep_gap
    )
    share = method.floor * (method.min_block - 1) / method.min_block
    found = len(kernels.sets.meet_sets(strings.grams(2), share, cap=method.cap).left)
    n = len(distinct)
    return {"texts": len(column), "distinct": n, "met": found, "all": n * (n - 1) // 2}


def child(*arguments: str, timeout: float | None = None) -> dict[str, Any] | None:
    """What a process of its own says; None where it took too long."""
    try:
        done = subprocess.run(
            [sys.executable, __file__, "--child", *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.exit(f"{arguments} failed:\n{done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def middle(runs: list[dict[str, Any]], key: str) -> float:
    return statistics.median(float(r[key]) for r in runs)


def spread(runs: list[dict[str, Any]]) -> float:
    """The longest of the runs to the shortest."""
    took = [float(r["seconds"]) for r in runs]
    return max(took) / min(took)


def report_corpus(sets: list[list[str]], reps: int) -> None:
    runs: dict[int, list[dict[str, Any]]] = {i: [] for i in range(len(sets))}
    for _ in range(reps):
        for i, files in enumerate(sets):
            got = child("corpus", *files)
            assert got is not None
            runs[i].append(got)
            print(f"corpus {i}: {got['seconds']:.1f} s", file=sys.stderr, flush=True)
    names = list(runs[0][0]["stages"])
    print(
        "\n| corpus | documents | MB of text | passages | seconds | spread | CPU seconds | MB/s | peak MB | peak / text | "
        + " | ".join(names)
        + " |"
    )
    print("|" + "---|" * (10 + len(names)))
    for i, files in enumerate(sets):
        got = runs[i]
        size, took, peak = got[0]["text_mb"], middle(got, "seconds"), max(r["peak_mb"] for r in got)
        stages = [f"{statistics.median(r['stages'][n] for r in got):.2f}" for n in names]
        print(
            f"| {' + '.join(Path(f).stem for f in files)} | {got[0]['counts']['read']:,} | {size:,.0f} | {got[0]['counts']['passages']:,} "
            f"| {took:.2f} | {spread(got):.2f} | {middle(got, 'cpu'):.2f} | {size / took:.1f} | {peak:,.0f} | {peak / size:.1f} | "
            + " | ".join(stages)
            + " |"
        )


def report_texts(sizes: list[int], count: int, reps: int, budget: float, timeout: float) -> None:
    systems = ("statistics", "python automaton", "shared runs", "align", "difflib")
    beside = {"python automaton": ("statistics",), "difflib": ("shared runs", "align")}
    print(
        "\n| characters | system | pairs | ms of CPU a pair, median | spread | peak MB | found a pair | beside ours |"
    )
    print("|" + "---|" * 8)
    for size in sizes:
        runs: dict[str, list[dict[str, Any]]] = {s: [] for s in systems}
        late: set[str] = set()
        for _ in range(reps):
            for system in systems:
                if system in late:
                    continue
                got = child("texts", system, str(size), str(count), str(budget), timeout=timeout)
                if got is None:
                    late.add(system)
                else:
                    runs[system].append(got)
        for system in systems:
            if system in late:
                least = [
                    f"more than {timeout / middle(runs[o], 'seconds'):,.0f} times {o}" for o in beside.get(system, ())
                ]
                print(
                    f"| {size:,} | {system} | 0 | more than {timeout * 1000:,.0f} | | | | {', '.join(least)} |",
                    flush=True,
                )
                continue
            got = runs[system]
            took = middle(got, "seconds")
            ratios = [f"{took / middle(runs[o], 'seconds'):,.0f} times {o}" for o in beside.get(system, ())]
            if system == "python automaton" and got[0]["pairs"] == runs["statistics"][0]["pairs"]:
                assert got[0]["found"] == runs["statistics"][0]["found"], "the automaton and the kernel disagree"
            peak = max(r["peak_mb"] for r in got)
            print(
                f"| {size:,} | {system} | {got[0]['pairs']} | {1000 * took:,.3f} | {spread(got):.2f} | {peak:,.0f} "
                f"| {got[0]['found']:,.0f} | {', '.join(ratios)} |", flush=True,
            )  # fmt: skip


def report_sl_st(path: str, reps: int) -> None:
    command = [sys.executable, "-m", "quchong.cli.main", "dedup", path, "--method", "sl-st", "--dry-run", "--json", "-q",
               "--recall-sample", "0"]  # fmt: skip
    runs = []
    for _ in range(reps):
        start, used = time.perf_counter(), cpu(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        told = json.loads(done.stdout)
        took, used = time.perf_counter() - start, cpu(resource.RUSAGE_CHILDREN) - used
        runs.append({"seconds": took, "cpu": used, "counts": told["counts"]})
        print(f"sl-st: {runs[-1]['seconds']:.1f} s", file=sys.stderr, flush=True)
    counts, got = runs[0]["counts"], child("met", path)
    assert got is not None
    print(
        "\n| corpus | texts | seconds | spread | CPU seconds | texts/s | pairs | removed | peak MB | met by the index | of all pairs |"
    )
    print("|" + "---|" * 11)
    took, used = middle(runs, "seconds"), middle(runs, "cpu")
    print(
        f"| {Path(path).stem} | {got['texts']:,} | {took:.1f} | {spread(runs):.2f} | {used:.1f} | {got['texts'] / took:,.0f} "
        f"| {counts['pairs']:,} | {counts['removed']:,} | {max(r['counts']['peak_memory_bytes'] for r in runs) / 1e6:,.0f} "
        f"| {got['met']:,} | {got['met'] / got['all']:.1e} of {got['all']:,} |"
    )


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        what, *rest = sys.argv[2:]
        if what == "corpus":
            got = corpus(rest)
        elif what == "texts":
            got = texts(rest[0], int(rest[1]), int(rest[2]), float(rest[3]))
        else:
            got = met(rest[0])
        print(json.dumps(got))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append", nargs="+", default=[], metavar="FILE",
                        help="Parquet or JSONL files that are one corpus; may be given several times")  # fmt: skip
    parser.add_argument("--texts", type=int, nargs="*", metavar="CHARACTERS", help=f"sizes of pairs; none: {SIZES}")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--budget", type=float, default=10, help="seconds after which a system gets no further pair")
    parser.add_argument("--timeout", type=float, default=120, help="seconds after which a system is given up")
    parser.add_argument("--sl-st", metavar="PARQUET", help="dedup this file by sl-st")
    parser.add_argument("--reps", type=int, default=3)
    args = parser.parse_args()
    if args.corpus:
        report_corpus(args.corpus, args.reps)
    if args.texts is not None:
        report_texts(args.texts or list(SIZES), args.pairs, args.reps, args.budget, args.timeout)
    if args.sl_st:
        report_sl_st(args.sl_st, args.reps)


if __name__ == "__main__":
    main()
