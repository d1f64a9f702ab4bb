"""Streams made to hurt an index: what one addition and one question take, beside an ordinary stream of the same size.

    python benchmarks/index/streams.py --work FOLDER

Near-equal posts (one text with one to four characters changed), one boilerplate of 300 characters on every page, one sentence in all texts,
equal texts, and ordinary pages. Each stream has an index of its own: all but the last 1,000 texts are added in batches of 500,
the last ones are asked about and added one by one.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import quchong

HAN = [chr(0x4E00 + k) for k in range(3000)]
COUNT, SINGLE, BATCH = 20_000, 1000, 500


def _han(r: random.Random, n: int) -> str:
    return "".join(r.choices(HAN, k=n))


def _page(r: random.Random) -> str:
    return "。".join(_han(r, r.randint(12, 40)) for _ in range(r.randint(8, 30))) + "。"


def ordinary(r: random.Random, n: int) -> list[str]:
    """Return pages, three of ten of which are copies of one before with a few characters changed."""
    out: list[str] = []
    for _ in range(n):
        if out and r.random() < 0.3:
            text = list(r.choice(out))
            for _ in range(3):
                text[r.randrange(len(text))] = r.choice(HAN)
            out.append("".join(text))
        else:
            out.append(_page(r))
    return out


def near_equal(r: random.Random, n: int) -> list[str]:
    """Return posts that are one text with one to four characters changed."""
    base, out = _han(r, 60), []
    for _ in range(n):
        text = list(base)
        for _ in range(r.randint(1, 4)):
            text[r.randrange(len(text))] = r.choice(HAN)
        out.append("".join(text))
    return out


def boilerplate(r: random.Random, n: int) -> list[str]:
    """Return pages that all end with one text of 300 characters."""
    foot = _han(r, 300)
    return [_page(r) + foot for _ in range(n)]


def one_key(r: random.Random, n: int) -> list[str]:
    """Return pages that share one sentence, so that a key or two of each is in all."""
    shared = _han(r, 24)
    return [_page(r) + shared + "。" + _page(r) for _ in range(n)]


def equal(r: random.Random, n: int) -> list[str]:
    """Return one page again and again."""
    return [_page(r)] * n


STREAMS: dict[str, Callable[[random.Random, int], list[str]]] = {
    "ordinary": ordinary, "near-equal": near_equal, "boilerplate": boilerplate, "one key": one_key, "equal": equal,
}  # fmt: skip


def timed(call: Callable[[str], Any], texts: list[str]) -> dict[str, list[float]]:
    """Return the median, 99th percentile and maximum of one call in milliseconds, of clock and processor."""
    times = np.empty((len(texts), 2))
    for k, text in enumerate(texts):
        cpu, start = time.process_time(), time.perf_counter()
        call(text)
        times[k] = time.perf_counter() - start, time.process_time() - cpu
    return {
        name: [round(float(v) * 1000, 2) for v in np.percentile(times[:, c], (50, 99, 100))]
        for c, name in enumerate(("clock", "cpu"))
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for the indexes, each deleted after its stream"
    )
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--streams", default=",".join(STREAMS))
    parser.add_argument("--method", default="hybrid")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    for name in args.streams.split(","):
        texts = STREAMS[name](random.Random(1), args.count)
        folder = args.work / "stream"
        shutil.rmtree(folder, ignore_errors=True)
        single = min(SINGLE, args.count // 4)
        with quchong.Index.create(folder, method=args.method) as index:
            cpu, start = time.process_time(), time.perf_counter()
            for at in range(0, args.count - single, BATCH):
                index.add(texts[at : min(at + BATCH, args.count - single)])
            spent, cpu = time.perf_counter() - start, time.process_time() - cpu
            out: dict[str, Any] = {"stream": name, "documents": args.count, "batches_a_second": round((args.count - single) / spent),
                                   "batches_a_cpu_second": round((args.count - single) / cpu)}  # fmt: skip
            out["query"], out["add"] = timed(index.query, texts[-single:]), timed(index.add, texts[-single:])
            figures = index.stats()
            out |= {"pairs": figures.pairs, "bytes_a_document": round(sum(figures.bytes.values()) / args.count)}
        print(json.dumps(out), flush=True)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
