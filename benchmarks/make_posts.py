"""Writes any number of short posts to a Parquet file, from a seed and in pieces: the corpus of the memory figures.

    python benchmarks/make_posts.py 10000000 posts.parquet
    python benchmarks/make_posts.py 10000000 pages.parquet --shortest 333 --longest 1000     2 kB each
    python benchmarks/make_posts.py 50000000 more.parquet --start 50000000                   the second half of 100 million
    quchong dedup posts.parquet -o run --method two-stage

Columns id and text. Texts have 10 to 70 Chinese characters, or as many as is said; a tenth repeat another letter by letter, a fifth
copy one with one or two characters changed, a mention or a forwarding mark added (`quchong_lab.short_text.posts`).
"""

from __future__ import annotations

import argparse

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from quchong_lab.short_text.posts import edited

SEED, PIECE = 20261122, 250_000
REPEATED, EDITED = 0.1, 0.2
SHORTEST, LONGEST = 10, 70


def piece(count: int, seed: int, shortest: int = SHORTEST, longest: int = LONGEST) -> pa.Array:
    """So many texts: repeats stand anywhere behind edited copies and originals of the same piece, or before them."""
    repeats = round(count * REPEATED)
    texts = edited(count - repeats, EDITED / (1 - REPEATED), seed, shortest, longest).texts
    rng = np.random.default_rng(seed + 7)
    which = np.concatenate([np.arange(len(texts)), rng.integers(0, len(texts), repeats)])
    return texts.take(pa.array(rng.permutation(which)))


def main() -> None:
    """Reads how many and where, and writes."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("count", type=int)
    asked.add_argument("path")
    asked.add_argument("--start", type=int, default=0, help="number of the first post, a multiple of 250,000")
    asked.add_argument("--shortest", type=int, default=SHORTEST, help="characters")
    asked.add_argument("--longest", type=int, default=LONGEST, help="characters")
    given = asked.parse_args()
    if given.start % PIECE:
        asked.error(f"--start must be a multiple of {PIECE:,}")
    schema = pa.schema([pa.field("id", pa.string()), pa.field("text", pa.string())])
    with pq.ParquetWriter(given.path, schema, compression="zstd") as writer:
        for at in range(given.start, given.start + given.count, PIECE):
            count = min(PIECE, given.start + given.count - at)
            texts = piece(count, SEED + 10 * (at // PIECE), given.shortest, given.longest)
            ids = pa.array([f"p{i:09}" for i in range(at, at + count)])
            writer.write_table(pa.table([ids, texts.cast(pa.string())], schema=schema))


if __name__ == "__main__":
    main()
