"""Kernels alone, by instruction set, as documents per second, and beside their Python twins.

Covers: tokenise, fingerprints, both MinHash sketches. Compared against: the baseline loops; the twins on 200 documents.
Run: see README.md in this folder.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import _quchong
import pyarrow as pa
import pyarrow.parquet as pq

from quchong import kernels
from quchong.text import form
from quchong.text.normalise import NUMBER_WORDS
from quchong.text.opencc import folds, phrases

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from twins import hashing as ref_hashing
from twins import sketch as ref_sketch
from twins import text as ref_text


def best(call, reps: int = 3) -> float:
    times = []
    for _ in range(reps):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    column = pq.read_table(args.corpus, columns=["text"])["text"].slice(0, args.limit).combine_chunks()
    texts = (column.chunk(0) if isinstance(column, pa.ChunkedArray) else column).cast(pa.large_string())
    how, n, workers = form(), len(texts), args.workers
    docs = kernels.text.tokenise(how, texts).docs
    calls = {
        "tokenise": lambda: kernels.text.tokenise(how, texts, workers=workers),
        "fingerprints": lambda: kernels.text.fingerprints(how, texts, workers=workers),
        "k-mins 128": lambda: kernels.sketch.k_mins(docs, 5, 128, 1, workers),
        "one permutation 128": lambda: kernels.sketch.one_permutation(docs, 5, 128, 1, workers),
    }
    few = [texts[i].as_py() for i in range(min(200, n))]
    tables = ref_text.Tables(folds(), *phrases(), NUMBER_WORDS)
    values = [[t.value for t in ref_text.tokenise(t, tables)] for t in few[:5]]

    def anchors(text: str) -> list[int]:
        return ref_hashing.winnow(ref_hashing.shingle_hashes([t.value for t in ref_text.tokenise(text, tables)], 5), 16)

    twins = {
        "tokenise": len(few) / best(lambda: [ref_text.tokenise(t, tables) for t in few], 1),
        "fingerprints": len(few) / best(lambda: [anchors(t) for t in few], 1),
        "k-mins 128": 5 / best(lambda: [ref_sketch.k_mins(v, 5, 128, 1) for v in values], 1),
        "one permutation 128": 5 / best(lambda: [ref_sketch.one_permutation(v, 5, 128, 1) for v in values], 1),
    }  # fmt: skip
    sets = _quchong.available_loops()
    print(f"{n:,} documents, {workers} thread(s), documents per second\n")
    print("| kernel | " + " | ".join(sets) + " | twin | native / twin |\n|---" * 1 + "|---" * (len(sets) + 2) + "|")
    for name, call in calls.items():
        rates = []
        for loops in sets:
            _quchong.use_loops(loops)
            rates.append(n / best(call))
        cells = " | ".join(f"{r:,.0f}" for r in rates)
        print(f"| {name} | {cells} | {twins[name]:,.0f} | {rates[-1] / twins[name]:,.0f} |")


if __name__ == "__main__":
    main()
