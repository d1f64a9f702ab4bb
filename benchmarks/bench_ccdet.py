"""ccdet beside shingling by datasketch: from the texts of generated pages to pairs with relations, documents a second.

Covers: features, statistics, pruning by site, inverted index, CCS, CLR and relations; with --run also the whole
`quchong dedup --method ccdet`, where every pair is measured exactly as well. Compared against: datasketch's MinHash and
MinHashLSH on shingles of 5 characters, on as many pages as it can do in a minute or so. Run: see README.md here.
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

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.seam import with_statistics


def pages(path: Path, count: int) -> pa.Table:
    """The corpus, made once."""
    if not path.exists():
        from quchong_lab.web.pages import WebRecipe, web_batches

        writer = None
        for batch in web_batches(WebRecipe(pages=count, html=False)):
            table = batch.pages.drop_columns(["html"])
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
        assert writer is not None
        writer.close()
    return pq.read_table(path, columns=["id", "text", "site"])


def ours(table: pa.Table) -> dict[str, float]:
    import numpy as np

    from quchong.engines.local.joins import meet
    from quchong.methods.sets.ccdet import CCDet
    from quchong.seam import Documents

    text, site = (table[c].combine_chunks() for c in ("text", "site"))
    CCDet().evidence_of(
        Documents.from_texts(text.slice(0, 2)), np.zeros(1, np.uint32), np.ones(1, np.uint32)
    )  # tables, once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    documents = Documents.from_texts(text, site=site)
    method = with_statistics(CCDet(), documents)
    met = meet(method.candidates, documents, None, 0)
    evidence = method.evidence_of(documents, met.left.astype(np.uint32), met.right.astype(np.uint32))
    relation = method.rule.relations(evidence)
    seconds = time.perf_counter() - start
    return {
        "seconds": seconds, "documents": len(table), "pairs": len(relation),
        "own_mb": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000,
    }  # fmt: skip


def datasketch(table: pa.Table) -> dict[str, float]:
    from datasketch import MinHash, MinHashLSH

    texts = table["text"].to_pylist()
    start = time.perf_counter()
    lsh = MinHashLSH(threshold=0.5, num_perm=128)
    pairs = 0
    for i, text in enumerate(texts):
        sketch = MinHash(num_perm=128)
        sketch.update_batch({text[k : k + 5].encode() for k in range(len(text) - 4)})
        pairs += len(lsh.query(sketch))
        lsh.insert(i, sketch)
    return {"seconds": time.perf_counter() - start, "documents": len(texts), "pairs": pairs, "own_mb": 0}


SYSTEMS = {"quchong ccdet": ours, "datasketch": datasketch}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=Path("pages_200k.parquet"), help="made where missing")
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--peer-pages", type=int, default=5_000, help="the first so many are given to datasketch")
    parser.add_argument("--peers", default=sys.executable, help="a Python that has datasketch and pyarrow")
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--run", action="store_true", help="the whole command as well")
    parser.add_argument("--child")
    args = parser.parse_args()
    if args.child:
        table = pages(args.corpus, args.pages)
        got = SYSTEMS[args.child](table if args.child != "datasketch" else table.slice(0, args.peer_pages))
        got["rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        print(json.dumps(got))
        return
    table = pages(args.corpus, args.pages)
    print(f"{len(table):,} pages, {table['text'].nbytes / 1e6:,.0f} MB of text", file=sys.stderr)
    runs: dict[str, list[dict[str, float]]] = {}
    for _ in range(args.reps):  # in turn, so that a busy minute of the machine hits both
        for name in SYSTEMS:
            python = args.peers if name == "datasketch" else sys.executable
            command = [
                python,
                __file__,
                "--child",
                name,
                "--corpus",
                str(args.corpus),
                "--peer-pages",
                str(args.peer_pages),
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f"{name} failed:\n{done.stderr[-2000:]}")
            runs.setdefault(name, []).append(json.loads(done.stdout.splitlines()[-1]))
            print(f"{name}: {runs[name][-1]['seconds']:.3f} s", file=sys.stderr, flush=True)
    rate = {n: statistics.median(r["documents"] / r["seconds"] for r in got) for n, got in runs.items()}
    print("| system | pages | seconds, median | pages/s | pairs | MB beside the texts | peak MB | times datasketch |")
    print("|---|---|---|---|---|---|---|---|")
    for name, got in runs.items():
        middle = statistics.median(r["seconds"] for r in got)
        print(
            f"| {name} | {got[0]['documents']:,} | {middle:.2f} | {rate[name]:,.0f} | {got[0]['pairs']:,} "
            f"| {max(r['own_mb'] for r in got):,.0f} | {max(r['rss_mb'] for r in got):,.0f} | {rate[name] / rate['datasketch']:.1f} |"
        )
    if args.run:
        command = [sys.executable, "-m", "quchong.cli.main", "dedup", str(args.corpus), "--method", "ccdet", "--dry-run",
                   "--json", "-q", "--recall-sample", "0"]  # fmt: skip
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        told = json.loads(done.stdout)["counts"]
        print(f"\nquchong dedup --method ccdet --dry-run: {time.perf_counter() - start:.1f} s, "
              f"{told['pairs']:,} pairs, peak {told['peak_memory_bytes'] / 1e6:,.0f} MB")  # fmt: skip


if __name__ == "__main__":
    main()
