"""Stores that several processes may share, in one run: postings in and out, documents in and out, bytes.

Run: python benchmarks/shared_stores CORPUS STORE, see README.md in the folder above. The server runs already.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from contenders import Postgres, Redis

import quchong as qc


def percentiles(times: list[float]) -> list[int]:
    """Return median and 99th percentile, in microseconds."""
    return [round(1e6 * float(np.percentile(times, p))) for p in (50, 99)]


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("corpus", type=Path)
    asked.add_argument("store", help="postgres, postgres/16 (partitions), or redis")
    asked.add_argument("address")
    asked.add_argument("--documents", type=int, default=20_000)
    asked.add_argument("--batch", type=int, default=1_000)
    given = asked.parse_args()
    name, _, parts = given.store.partition("/")
    store: Any = Redis(given.address) if name == "redis" else Postgres(given.address, int(parts or 0))
    table = pq.read_table(given.corpus).slice(0, given.documents + 1000)
    with tempfile.TemporaryDirectory() as folder, qc.Index.create(Path(folder) / "seen") as index:
        reader = index._open.reader
        batches = list(reader.records([{"text": text} for text in table["text"].to_pylist()], []))
        arrived = [reader.arrived(batch) for batch in batches]
    known = [one.known for one in arrived]
    keys = np.concatenate([one.keys for one in known])
    offsets = np.concatenate([[0], np.cumsum(np.concatenate([np.diff(one.offsets) for one in known]))])
    bodies = [text.encode() for text in table["text"].to_pylist()]
    spent = []
    for first in range(0, given.documents, given.batch):
        end, start = first + given.batch, time.perf_counter()
        some = offsets[first : end + 1]
        store.add(first, keys[some[0] : some[-1]], some - some[0], bodies[first:end])
        spent.append(time.perf_counter() - start)
    single, lists, texts = [], [], []
    draw = np.random.default_rng(7)
    for k, (a, b) in enumerate(pairwise(offsets[given.documents :].tolist())):
        start = time.perf_counter()
        store.lists(keys[a:b])
        lists.append(time.perf_counter() - start)
        numbers = draw.integers(0, given.documents, 5).tolist()
        start = time.perf_counter()
        store.bodies(numbers)
        texts.append(time.perf_counter() - start)
        if k < 200:
            start = time.perf_counter()
            store.add(
                given.documents + k,
                keys[a:b],
                np.array([0, b - a]),
                bodies[given.documents + k : given.documents + k + 1],
            )
            single.append(time.perf_counter() - start)
    start = time.perf_counter()
    many = offsets[given.documents]
    store.lists(keys[many:])
    batch = time.perf_counter() - start
    postings, documents = store.bytes()
    print(json.dumps({
        "store": given.store, "keys a document": round(len(keys) / len(table), 1), "documents/s in, first and last tenth": [
            round(given.batch * len(part) / sum(part)) for part in (spent[:2], spent[-2:])],
        "one document added, us": percentiles(single), "lists of a document, us": percentiles(lists),
        "lists of 1,000 documents, s": round(batch, 3), "5 texts, us": percentiles(texts),
        "bytes a document: postings, text": [round(postings / given.documents), round(documents / given.documents)],
    }))  # fmt: skip


if __name__ == "__main__":
    main()
