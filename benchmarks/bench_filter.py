"""Filters of exact repeats beside rbloom, in one run, in turn: medians and ratios, and Bloom to trie beside the paper's.

Covers: an Arrow column of short texts in, a mask out. Compared against: rbloom's test-and-add in a loop, as its users write
it (texts as a list of str, its own hash), and its bare adding of all texts at once, which answers nothing. Texts are made
by the script from a seed: strings of 10 to 60 Han characters with marks, `--distinct` of them new, the rest repeats.
Run: see README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

PAPER_RATIO = 14429.8 / 3526.8  # Gao 2014, 2.5 million texts: trie to Bloom
MARKS = "，。！？、：；"


def make_texts(n: int, distinct: float, seed: int) -> list[str]:
    """n texts, a share of them new, the others drawn from those before; no two str objects are one."""
    rng = random.Random(seed)
    han = [chr(0x4E00 + i) for i in range(3000)]
    pool = "".join(rng.choices(han, k=1 << 20))
    new: list[str] = []
    out: list[str] = []
    for _ in range(n):
        if not new or rng.random() < distinct:
            size, at = rng.randint(10, 60), rng.randrange(len(pool) - 60)
            half = size // 2
            text = f"{pool[at : at + half]}{rng.choice(MARKS)}{pool[at + half : at + size]}{rng.randrange(1 << 20)}。"
            new.append(text)
            out.append(text)
        else:
            out.append(rng.choice(new)[:-1] + "。")  # equal, but an object of its own, whose hash is not known yet
    return out


def timed(make: Callable[[], Any], ask: Callable[[Any], Any]) -> tuple[float, int, Any]:
    filter = make()
    start = time.perf_counter()
    mask = ask(filter)
    return time.perf_counter() - start, int(sum(mask) if isinstance(mask, list) else mask.sum()), filter


def ours(name: str, n: int, texts: list[str], error: float, form: str) -> dict[str, float]:
    import pyarrow as pa

    from quchong.filters import Bloom, Confirmed, DigestSet, DigitTrie, PrintedBloom
    from quchong.text import element

    column = pa.array(texts, pa.large_string())
    how = element(form)
    kinds: dict[str, Callable[[], Any]] = {
        "bloom": lambda: Bloom(n, error, how),
        "bloom grown": lambda: Bloom(max(1, n // 20), error, how),
        "bloom confirmed": lambda: Confirmed(Bloom(n, error, how)),
        "bloom printed": lambda: PrintedBloom(20_000_000, form=how),
        "trie": lambda: DigitTrie(form=how),
        "trie as printed": lambda: DigitTrie(hash="bkdr", end_mark=False, form=how),
        "digest": lambda: DigestSet(how),
    }
    seconds, found, filter = timed(kinds[name], lambda f: f.seen_before(column))
    return {"seconds": seconds, "found": found, "filter_mb": filter.memory_bytes / 1e6, "count": filter.count}


def rbloom_loop(n: int, texts: list[str], error: float) -> dict[str, float]:
    import rbloom

    def ask(known: Any) -> list[bool]:
        mask = []
        for text in texts:
            there = text in known
            mask.append(there)
            if not there:
                known.add(text)
        return mask

    seconds, found, filter = timed(lambda: rbloom.Bloom(n, error), ask)
    return {"seconds": seconds, "found": found, "filter_mb": filter.size_in_bits / 8e6, "count": n - found}


def rbloom_add(n: int, texts: list[str], error: float) -> dict[str, float]:
    import rbloom

    filter = rbloom.Bloom(n, error)
    start = time.perf_counter()
    filter.update(texts)
    return {"seconds": time.perf_counter() - start, "found": 0, "filter_mb": filter.size_in_bits / 8e6, "count": n}


OURS = ("bloom", "bloom grown", "bloom confirmed", "bloom printed", "trie", "trie as printed", "digest")
PEERS = {"rbloom": rbloom_loop, "rbloom adding only": rbloom_add}


def child(args: argparse.Namespace) -> None:
    texts = make_texts(args.n, args.distinct, args.seed)
    name, _, form = args.child.partition(":")
    peer = PEERS.get(name)
    got = peer(args.n, texts, args.error_rate) if peer else ours(name, args.n, texts, args.error_rate, form or "strict")
    got["rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps(got))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2_500_000, help="texts")
    parser.add_argument("--distinct", type=float, default=0.5, help="share of the texts that is new")
    parser.add_argument("--error-rate", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--peers", default=sys.executable, help="a Python that has rbloom; none: an empty string")
    parser.add_argument("--only", help="systems, with commas; ours may name a form, as in bloom:raw")
    parser.add_argument("--child")
    args = parser.parse_args()
    if args.child:
        child(args)
        return
    names = args.only.split(",") if args.only else [*OURS, "bloom:raw", *(PEERS if args.peers else ())]
    results: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for rep in range(args.reps):
        for name, runs in results.items():
            python = args.peers if name in PEERS else sys.executable
            command = [python, __file__, "-n", str(args.n), "--distinct", str(args.distinct), "--seed", str(args.seed),
                       "--error-rate", str(args.error_rate), "--child", name]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f"{name} failed:\n{done.stderr[-2000:]}")
            runs.append(json.loads(done.stdout.splitlines()[-1]))
            print(f"rep {rep + 1} {name}: {runs[-1]['seconds']:.3f} s", file=sys.stderr, flush=True)
    report(results, args.n)


def report(results: dict[str, list[dict[str, float]]], n: int) -> None:
    median = {name: statistics.median(r["seconds"] for r in runs) for name, runs in results.items()}
    peer = median.get("rbloom")
    print(
        "| filter | seconds, median | spread | ns a text | filter MB | bytes a text taken in | found | times rbloom |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, runs in results.items():
        times, one = [r["seconds"] for r in runs], runs[0]
        ratio = f"{peer / median[name]:.1f}" if peer else ""
        print(
            f"| {name} | {median[name]:.3f} | {max(times) / min(times):.2f} | {median[name] / n * 1e9:.0f} "
            f"| {one['filter_mb']:.1f} | {one['filter_mb'] * 1e6 / one['count']:.1f} | {one['found']:,.0f} | {ratio} |"
        )
    for bloom, trie in (("bloom", "trie"), ("bloom printed", "trie as printed")):
        if bloom in median and trie in median:
            print(
                f"\n{trie} / {bloom}: {median[trie] / median[bloom]:.2f} (Gao 2014 at 2.5 million: {PAPER_RATIO:.2f})"
            )


if __name__ == "__main__":
    main()
