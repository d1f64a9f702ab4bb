"""What the measured code answers on small corpora made from seeds: digests by which figures older than the code are told.

    python benchmarks/small_answers.py                    every digest, as the pages have them, and what measures anew
    python benchmarks/small_answers.py detect kernels     some of them

Times cannot be tested; what was timed can. A section of benchmarks/README.md and of the pages of speed has the digest of pairs, removals
and counts (no times, no memory) that its code gave when it was measured: `<!-- answers of NAME: DIGEST -->`. A test makes each again:
where one differs, the figures are of other code (docs/decisions/0105). Seconds on one processor, and the same on every machine.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent))

Lines = Iterator[str]


class Answer(NamedTuple):
    """What a section measures.

    Attributes:
        command: that measures it, without what hangs on the machine.
        lines: what the code gives on the small corpora.
    """

    command: str
    lines: Callable[[], Lines]


def _table(texts: pa.Array) -> pa.Table:
    return pa.table({"id": [f"p{i:06}" for i in range(len(texts))], "text": texts})


@cache
def posts() -> pa.Table:
    """Posts as benchmarks/make_posts.py has them."""
    import make_posts

    return _table(make_posts.piece(6000, make_posts.SEED))


@cache
def long_posts() -> pa.Table:
    """Its pages of 2 kB."""
    import make_posts

    return _table(make_posts.piece(1000, make_posts.SEED, 333, 1000))


@cache
def pages(language: str = "zh", html: bool = False) -> pa.Table:
    """News with figures and names, copied, edited, cut and set into others."""
    from quchong_lab.web.pages import WebRecipe, web_batches

    recipe = WebRecipe(pages=60 if html else 1000, seed=5, html=html, language=language)
    return pa.concat_tables([batch.pages for batch in web_batches(recipe)])


def decided(table: pa.Table, method: str, **options: Any) -> Lines:
    """Pairs with their relations, and who went."""
    import quchong as qc

    found = qc.dedup(table, method=method, differences="all", recall_sample=0, **options)
    listed = found.pairs.select(["left_id", "right_id", "relation"]).to_pylist()
    yield f"{method}: {len(table)} documents; {sorted(Counter(pair['relation'] for pair in listed).items())}"
    yield from sorted("{left_id} {right_id} {relation}".format(**pair) for pair in listed)
    yield from sorted(found.ledger["id"].to_pylist())


def _written(table: pa.Table, run: Callable[[Path], Any]) -> Any:
    """What comes of a file with the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.parquet"
        pq.write_table(table, path)
        return run(path)


def detect() -> Lines:
    """The default and minhash on posts, Chinese and English pages: as the benchmark counts, and every pair."""
    import bench_detect

    for table in (posts(), pages(), pages("en")):
        for method in ("hybrid", "minhash"):
            found = _written(table, lambda path: bench_detect.ours(path, path.with_suffix(".npy"), method))  # noqa: B023
            yield f"{found['pairs']} {found['grouped']} {found['removed']}"
            yield from decided(table, method)


def days() -> Lines:
    """A later day's posts against an earlier run, by the rows it kept and by its work."""
    import quchong as qc

    for method in ("two-stage", "hybrid"):
        for keeps in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                earlier = Path(folder) / "run"
                qc.dedup(
                    posts()[:5000], method=method, differences="all", recall_sample=0, out=earlier, keep_work=keeps
                )
                yield from decided(posts()[5000:], method, against=str(earlier))


def kernels() -> Lines:
    """The kernels of the table on both languages."""
    from quchong import kernels
    from quchong.text import form

    for table in (pages(), pages("en")):
        texts = table["text"].combine_chunks().cast(pa.large_string())[:200]
        docs = kernels.text.tokenise(form(), texts).docs
        marks = kernels.text.fingerprints(form(), texts)
        for name, found in (
            ("tokens", docs.tokens), ("digests", marks.low), ("fingerprints", marks.anchors),
            ("k-mins", kernels.sketch.k_mins(docs, 5, 128, 1, 1)),
            ("one permutation", kernels.sketch.one_permutation(docs, 5, 128, 1, 1)),
        ):  # fmt: skip
            yield f"{name}: {hashlib.blake2b(np.ascontiguousarray(found).tobytes(), digest_size=8).hexdigest()}"


def filters() -> Lines:
    """What each filter takes for a repeat."""
    import bench_filter

    texts = bench_filter.make_texts(5000, 0.5, 1)
    for name in bench_filter.OURS:
        found = bench_filter.ours(name, len(texts), texts, 0.01, "strict")
        yield f"{name}: {found['found']} {found['count']} {found['filter_mb']}"
    yield f"raw: {bench_filter.ours('bloom', len(texts), texts, 0.01, 'raw')['found']}"


def simhash() -> Lines:
    """Pairs within four bits."""
    import bench_simhash

    yield str(bench_simhash.ours(bench_simhash.short_texts(5000))["pairs"])


def short_methods() -> Lines:
    """Removals by every road, right and wrong."""
    import bench_short_methods as bench

    texts, family, wider = bench.generated(2000)
    for method in bench.METHODS:
        found = bench.score(bench.removed_by(method, texts), family, wider)
        yield f"{method}: {found['removed']} {found['wrong']} {found['missed']}"


def layer_filters() -> Lines:
    """How alike layers are by filters that are kept."""
    import bench_layer_filters as bench

    from quchong.features.layer_filters import LayerFilters, match_filters

    rng = np.random.default_rng(1)
    left, right = rng.integers(0, bench.DOCUMENTS, (2, 2000))
    for size in bench.SIZES:
        filters = LayerFilters(bench.layer_of(size, 2), 1)
        for found in match_filters(filters, filters, left, right, bench.BITS):
            yield f"{size}: {np.asarray(found, np.float64).sum():.6f}"


def ccdet() -> Lines:
    """Pairs with relations, and the whole run."""
    import bench_ccdet

    yield str(bench_ccdet.ours(pages())["pairs"])
    yield from decided(pages(), "ccdet")


def bodies() -> Lines:
    """Bodies of pages, and all of their lines."""
    from quchong.pages import read_page

    for page in chain.from_iterable(pages(language, html=True)["html"].to_pylist() for language in ("zh", "en")):
        for what in ("main", "all"):
            yield hashlib.blake2b(read_page(page, what).text.encode(), digest_size=8).hexdigest()


def passages() -> Lines:
    """Every shared passage of a corpus."""
    import quchong as qc

    columns = ["left_id", "left_start", "left_end", "right_id", "right_start", "right_end"]
    for language in ("zh", "en"):
        for row in qc.passages(pages(language)).table.select(columns).to_pylist():
            yield " ".join(str(value) for value in row.values())


def two_texts() -> Lines:
    """What every system finds in pairs of texts."""
    import bench_passages

    for system in ("statistics", "python automaton", "shared runs", "align", "difflib"):
        yield f"{system}: {bench_passages.texts(system, 1000, 5, float('inf'))['found']:.1f}"


def sl_st() -> Lines:
    """Pairs met, and those that stay."""
    import bench_passages

    yield str(_written(pages(), lambda path: bench_passages.met(str(path))))
    yield from decided(pages(), "sl-st")


def adversarial() -> Lines:
    """Pairs and removals of every method on every shape, families beyond the bound a document."""
    import bench_adversarial as bench

    import quchong as qc
    from quchong.plan.catalogue import METHODS

    for shape, (make, _) in bench.SHAPES.items():
        rows = make({"family": 140, "long-text": 2}.get(shape, 30))
        for method in METHODS:
            found = qc.dedup(rows, method=method, differences="all", recall_sample=0)
            yield f"{shape} {method}: {len(found.pairs)} {len(found.ledger)}"


def index() -> Lines:
    """Matches of pages that are added to an index in batches and one by one, and what becomes of them; of pages that are asked about."""
    import quchong as qc

    table = pages()
    with tempfile.TemporaryDirectory() as folder, qc.Index.create(Path(folder) / "seen") as seen:
        found = list(seen.add(table.slice(0, 200)))
        found += [seen.add(row) for row in table.slice(200, 50).to_pylist()]
        found += list(seen.query(table.slice(250, 50)))
    for one in found:
        yield f"{one.id}: {one.removed} {one.survivor_id} " + " ".join(
            f"{match.id} {match.relation}" for match in one.matches
        )


def short_lists() -> Lines:
    """What goes of lists of 100 pages, and for which of them."""
    import bench_short_lists as bench

    import quchong as qc

    rows = pages().select(["id", "text"]).to_pylist()
    for number, hits in enumerate(bench.lists(rows, 4, 40)):
        for method in ("hybrid", "minhash", "ccdet"):
            found = qc.distinct(hits, method=method).removed
            yield f"{number} {method}: " + " ".join(f"{one.position} {one.survivor} {one.relation}" for one in found)


ANSWERS = {
    "adversarial": Answer("bench_adversarial.py --out runs.jsonl --limit 10", adversarial),
    "detect": Answer("bench_detect.py --corpus FILE --peers PYTHON", detect),
    "jobs": Answer("bench_jobs.py --corpus FILE --datatrove PYTHON --text-dedup PYTHON", lambda: decided(pages(), "hybrid")),
    "growth": Answer("bench_growth.py --work FOLDER", lambda: decided(posts(), "two-stage")),
    "large/posts": Answer("make_posts.py 50000000 FILE, and the run", lambda: decided(posts(), "two-stage")),
    "large/pages": Answer("make_posts.py 10000000 FILE --shortest 333 --longest 1000, and the run",
                          lambda: decided(long_posts(), "hybrid")),
    "days": Answer("make_posts.py 1000000 FILE, and the runs", days),
    "kernels": Answer("bench_kernels.py --corpus FILE", kernels),
    "filter": Answer("bench_filter.py -n 2500000 --peers PYTHON", filters),
    "simhash": Answer("bench_simhash.py --peers PYTHON", simhash),
    "short-methods": Answer("bench_short_methods.py", short_methods),
    "layer-filters": Answer("bench_layer_filters.py", layer_filters),
    "ccdet": Answer("bench_ccdet.py --peers PYTHON --run", ccdet),
    "bodies": Answer("bench_pages.py --shared FOLDER", bodies),
    "passages": Answer("bench_passages.py --corpus FILE", passages),
    "two-texts": Answer("bench_passages.py --texts", two_texts),
    "sl-st": Answer("bench_passages.py --sl-st FILE", sl_st),
    "index": Answer("index --corpus FILE --peers PYTHON --work FOLDER", index),
    "short-lists": Answer("bench_short_lists.py FILE", short_lists),
}  # fmt: skip
"""Name on the pages: the command in this folder, and what its code gives."""


def answers(name: str) -> str:
    """Sixteen hexadecimal digits of what the code gives now."""
    whole = hashlib.blake2b(digest_size=8)
    for line in ANSWERS[name].lines():
        whole.update(f"{line}\n".encode())
    return whole.hexdigest()


if __name__ == "__main__":
    for one in sys.argv[1:] or ANSWERS:
        print(f"<!-- answers of {one}: {answers(one)} --> python benchmarks/{ANSWERS[one].command}", flush=True)
