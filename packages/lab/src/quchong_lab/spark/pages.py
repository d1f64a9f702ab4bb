"""Pages of about 4 kB in Parquet, of any number, for runs on one machine and on a cluster."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.errors import UsageError
from quchong_lab.web.pages import WebRecipe, web_batch

SHORTEST, LONGEST = 800, 1_900
"""Characters of an article, about. With these, pages have 4,000 bytes of text on average (3,995 over 1,000 of them)."""
BATCH, FILE = 1_000, 100_000
"""Numbers of pages: of a row group, which is a batch of the recipe, and of a file, which Spark can split."""


def recipe(pages: int, seed: int) -> WebRecipe:
    """Return the recipe of a corpus of `pages` pages: text without HTML, and a number of sites that grows with it (60 to 20,000).

    Raises:
        UsageError: `pages` is below 1.
    """
    if pages < 1:
        raise UsageError("a corpus to measure needs one page or more, not {}", pages)
    sites = max(60, min(20_000, pages // 500))
    return WebRecipe(pages, seed, sites=sites, shortest=SHORTEST, longest=LONGEST, html=False, batch=BATCH)


def pages_in(folder: Path, pages: int, seed: int, workers: int = 2) -> list[Path]:
    """Return the files of a corpus (id, text, url, site, title, time) in order; they are generated if missing.

    The folder of a corpus gets its name when it is complete. Equal arguments give equal pages on every machine. One process makes
    about 2,000 pages a second.
    """
    made = folder / f"pages-{pages}-{seed}"
    if not made.exists():
        unfinished = made.with_suffix(".partial")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        batches = _batches(recipe(pages, seed), workers)
        for number in range(-(-pages // FILE)):
            path = unfinished / f"part-{number:05}.parquet"
            _write(path, islice(batches, FILE // BATCH))
        unfinished.rename(made)
    return sorted(made.glob("part-*.parquet"))


def _write(path: Path, batches: Iterator[pa.Table]) -> None:
    first = next(batches)
    with pq.ParquetWriter(path, first.schema, compression="zstd") as writer:
        writer.write_table(first)
        for table in batches:
            writer.write_table(table)


def _batches(of: WebRecipe, workers: int) -> Iterator[pa.Table]:
    make = partial(_batch, of)
    if workers < 2 or of.batches < 2:
        yield from map(make, range(of.batches))
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(make, range(of.batches))


def _batch(of: WebRecipe, number: int) -> pa.Table:
    return web_batch(of, number).pages.drop_columns(["html"])
