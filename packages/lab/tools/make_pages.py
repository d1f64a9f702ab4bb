"""Writes a labelled corpus of web pages of any size, from a seed and in pieces: pages, labels and the truth behind them.

    python packages/lab/tools/make_pages.py 3000 pages.parquet                       invented news in invented templates
    python packages/lab/tools/make_pages.py 200000 pages.parquet --text              body text alone, no html
    python packages/lab/tools/make_pages.py 3000 pages.jsonl --bodies docs.jsonl --pairs pairs_measured.jsonl
    quchong dedup pages.parquet -o run

Columns id, html (bytes in the site's character set) or text, url, site, title, time. Beside pages.parquet stand
pages.labels.parquet (left_id, right_id, relation, overlap, ratio) and pages.truth.parquet (what was done to each page, and
where its sentences come from). With .jsonl all three are JSON lines, and html is decoded, for JSON holds no bytes.

--bodies takes JSON lines with title and text, a paragraph a line; with ids and --pairs (lines with a and b) only the first of
each set of connected documents is used, so that copies among the bodies cannot confuse the labels. --drop takes out of
each paragraph what matches a pattern, as what a site puts into every article; bodies below 100 characters are
left out. See `quchong_lab.web.pages`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.errors import QuchongError
from quchong_lab.web.bodies import one_per_cluster
from quchong_lab.web.pages import WebCorpus, WebRecipe, web_batch, web_batches
from quchong_lab.web.words import LANGUAGES

SHORTEST = 100


def lines(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as found:
        return [json.loads(line) for line in found if line.strip()]


def bodies(path: Path, pairs: Path | None, drop: str | None) -> list[tuple[str, list[str]]]:
    """Title and paragraphs of each article to use."""
    rows = {row.get("id", str(i)): row for i, row in enumerate(lines(path))}
    chosen = one_per_cluster(list(rows), ((p["a"], p["b"]) for p in lines(pairs))) if pairs else list(rows)
    out = []
    for name in chosen:
        paragraphs = [re.sub(drop, "", p).strip() if drop else p for p in rows[name]["text"].splitlines()]
        if sum(map(len, paragraphs)) >= SHORTEST:
            out.append((rows[name].get("title") or "", paragraphs))
    return out


def columns(batch: WebCorpus, text: bool, decoded: bool) -> pa.Table:
    """The columns to write."""
    pages = batch.pages.drop_columns(["html" if text else "text"])
    if not text and decoded:
        charsets = batch.truth["charset"].to_pylist()
        html = [h.decode(c) for h, c in zip(pages["html"].to_pylist(), charsets, strict=True)]
        pages = pages.set_column(1, "html", pa.array(html, pa.large_string()))
    return pages


def batches(recipe: WebRecipe, given: list[tuple[str, list[str]]] | None, workers: int) -> Iterator[WebCorpus]:
    """The pieces in their order, whoever makes them."""
    if given is not None or workers < 2:
        yield from web_batches(recipe, given)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(partial(web_batch, recipe), range(recipe.batches))


class Writer:
    """One file, Parquet or JSON lines by its name."""

    def __init__(self, path: Path) -> None:
        self.path, self._parquet, self._lines = path, None, None

    def write(self, table: pa.Table) -> None:
        """Append the rows of a table."""
        if self.path.suffix == ".jsonl":
            self._lines = self._lines or self.path.open("w", encoding="utf-8", newline="\n")
            self._lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in table.to_pylist())
        else:
            self._parquet = self._parquet or pq.ParquetWriter(self.path, table.schema, compression="zstd")
            self._parquet.write_table(table)

    def close(self) -> None:
        """Close the file, if it was opened."""
        for file in (self._parquet, self._lines):
            if file:
                file.close()


def main() -> None:
    """Reads the arguments and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=int)
    parser.add_argument("out", type=Path, help=".parquet or .jsonl")
    parser.add_argument("--text", action="store_true", help="body text instead of html")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--copies", type=float, default=WebRecipe().copies)
    parser.add_argument("--siblings", type=float, default=WebRecipe().siblings)
    parser.add_argument("--sites", type=int, default=WebRecipe().sites)
    parser.add_argument("--language", choices=LANGUAGES, default="zh", help="of articles, edits and sites")
    parser.add_argument("--workers", type=int, default=1, help="processes; not with --bodies, which go in order")
    parser.add_argument("--bodies", type=Path)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--drop")
    args = parser.parse_args()
    if args.out.suffix not in (".parquet", ".jsonl"):
        parser.error(f"{args.out} ends neither in .parquet nor in .jsonl")
    names = [args.out, *(args.out.with_suffix(f".{part}{args.out.suffix}") for part in ("labels", "truth"))]
    writers = [Writer(name) for name in names]
    start, made = time.perf_counter(), 0
    try:
        recipe = WebRecipe(args.pages, args.seed, args.copies, args.siblings, sites=args.sites, html=not args.text,
                           language=args.language)  # fmt: skip
        given = bodies(args.bodies, args.pairs, args.drop) if args.bodies else None
        for batch in batches(recipe, given, args.workers):
            tables = (columns(batch, args.text, args.out.suffix == ".jsonl"), batch.labels, batch.truth)
            for writer, table in zip(writers, tables, strict=True):
                writer.write(table)
            made += batch.pages.num_rows
    except (QuchongError, OSError) as error:
        raise SystemExit(f"make_pages: {error}") from error
    finally:
        for writer in writers:
            writer.close()
    seconds, peak = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{made:,} pages in {seconds:.1f} s, {made / seconds:,.0f} a second, peak {peak:,} MB: {' '.join(map(str, names))}"
    )


if __name__ == "__main__":
    main()
