"""Writes any number of short posts to a Parquet file, from a seed and in pieces: the corpus of the memory figures.

    python benchmarks/make_posts.py 10000000 posts.parquet
    python benchmarks/make_posts.py 20000 new.parquet 1000000      # 20,000 others, as if they came after so many
    quchong dedup posts.parquet -o run --method two-stage

Columns id and text. Texts have 10 to 70 Chinese characters; a tenth of the posts repeat another letter by letter, a fifth
copy one with one or two characters changed, a mention or a forwarding mark added (`quchong.lab.short_text.posts`).
"""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from quchong.lab.short_text.posts import edited

SEED, PIECE = 20261122, 250_000
REPEATED, EDITED = 0.1, 0.2
LONGEST = 70


def piece(count: int, seed: int) -> pa.Array:
    """So many texts: repeats stand anywhere behind edited copies and originals of the same piece, or before them."""
    repeats = round(count * REPEATED)
    texts = edited(count - repeats, EDITED / (1 - REPEATED), seed, longest=LONGEST).texts
    rng = np.random.default_rng(seed + 7)
    which = np.concatenate([np.arange(len(texts)), rng.integers(0, len(texts), repeats)])
    return texts.take(pa.array(rng.permutation(which)))


def main() -> None:
    """Reads how many and where, perhaps behind how many, and writes."""
    count, path = int(sys.argv[1]), sys.argv[2]
    first = -(-int(sys.argv[3]) // PIECE) * PIECE if len(sys.argv) > 3 else 0
    schema = pa.schema([pa.field("id", pa.string()), pa.field("text", pa.string())])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(first, first + count, PIECE):
            texts = piece(min(PIECE, first + count - start), SEED + 10 * (start // PIECE))
            ids = pa.array([f"p{i:08}" for i in range(start, start + len(texts))])
            writer.write_table(pa.table([ids, texts.cast(pa.string())], schema=schema))


if __name__ == "__main__":
    main()
