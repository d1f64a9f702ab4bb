"""Detection and the whole run beside other tools, in one run, in turn: medians and ratios.

Covers: texts to verified, typed pairs and survivors, by the default method, which tells what differs, and by `minhash`, which is what
the peers do, with every pair verified; Parquet in, run folder out; `quchong loaded` is the default with its dictionaries in memory
before the clock starts, as in a service or a notebook that has run once. Compared against: gaoya and rensa (their own detection), pyarrow
(reading and writing the same file). Run: see README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

BANDS, ROWS = 16, 8  # 128 values for every peer that lets us choose


def ours(
    path: Path, save: Path, method: str = "hybrid", preset: str | None = None, loaded: bool = False
) -> dict[str, float]:
    import numpy as np
    import pyarrow.parquet as pq

    from quchong.api import make_plan
    from quchong.decision.classes import find_classes
    from quchong.decision.clusters import clusters
    from quchong.decision.expansion import expand
    from quchong.decision.pairs import to_table
    from quchong.decision.survivors import fates
    from quchong.differences.warming import load_tables
    from quchong.engines.local.candidates import find_candidates
    from quchong.engines.local.corpus import load
    from quchong.engines.local.crowds import score_crowds
    from quchong.engines.local.examine import Examiner
    from quchong.engines.local.examined_parts import RememberedExaminations
    from quchong.engines.local.examining import Examining
    from quchong.engines.local.inputs import RunInputs
    from quchong.engines.local.scores import equal_texts
    from quchong.io import from_object
    from quchong.progress import Stages

    table = pq.read_table(path, columns=["id", "text"])
    plan = make_plan(method=method, **({"preset": preset} if preset else {}))
    source = from_object(table, plan.wanted_columns)
    if loaded:
        load_tables(plan.method.form)
    start = time.perf_counter()
    stages = Stages()
    corpus, keys = load(RunInputs([source]), plan, [], stages)
    nobody = np.zeros(len(corpus), bool)
    corpus = corpus.under(plan, nobody)
    documents, join = corpus.documents, plan.method.candidates
    with stages.stage("exact copies"):
        classes = find_classes(documents, partial(equal_texts, corpus, plan), join.cap)
    candidates = find_candidates(documents, plan, keys, join.limits, classes, stages)
    with Examining(plan) as beside:
        known = RememberedExaminations(len(classes.first)) if len(candidates.crowded) else None
        found = score_crowds(corpus, plan, classes, candidates, stages, beside=beside, known=known)
        found = Examiner(corpus, plan, classes, stages, known=known, beside=beside).with_deciding(classes, found)
    pairs = expand(documents, plan, classes, classes, found)
    fate = fates(documents, pairs, plan, nobody)
    listed, grouped = to_table(documents, pairs), clusters(documents, fate)
    seconds = time.perf_counter() - start
    near = pairs.measures["jaccard"] >= 0.7
    np.save(save, np.stack([pairs.left[near], pairs.right[near]], 1))
    return {
        "seconds": seconds,
        "pairs": len(listed),
        "grouped": len(grouped),
        "removed": int(fate.removed.sum()),
        **stages.seconds,
    }


def texts(path: Path) -> list[str]:
    import pyarrow.parquet as pq

    return pq.read_table(path, columns=["text"])["text"].to_pylist()


def _flat(found: list[list[int]], save: Path) -> int:
    import numpy as np

    lengths = np.fromiter((len(x) for x in found), np.int64, len(found))
    left = np.repeat(np.arange(len(found)), lengths)
    right = np.fromiter((y for x in found for y in x), np.int64, int(lengths.sum()))
    pairs = np.unique(np.stack([np.minimum(left, right), np.maximum(left, right)], 1)[left != right], axis=0)
    np.save(save, pairs)
    return len(pairs)


def gaoya(path: Path, save: Path) -> dict[str, float]:
    import gaoya

    docs = texts(path)
    start = time.perf_counter()
    index = gaoya.minhash.MinHashStringIndex(
        hash_size=32, jaccard_threshold=0.8, num_bands=BANDS, band_size=ROWS, analyzer="char", lowercase=False,
        ngram_range=(5, 5), id_container="vec",
    )  # fmt: skip
    index.par_bulk_insert_docs(list(range(len(docs))), docs)
    found = index.par_bulk_query(docs)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "pairs": _flat(found, save)}


def rensa(path: Path, save: Path) -> dict[str, float]:
    import rensa

    docs = texts(path)
    start = time.perf_counter()
    signatures = []
    for i in range(0, len(docs), 4096):
        sets = [[t[k : k + 5] for k in range(len(t) - 4)] or [t] for t in docs[i : i + 4096]]
        signatures += rensa.RMinHash.from_token_sets(sets, 128, 42)
    index = rensa.RMinHashLSH(0.8, 128, BANDS)
    index.insert_many(signatures)
    found = index.query_all(signatures)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "pairs": _flat(found, save)}


def whole(path: Path, save: Path) -> dict[str, float]:
    out = Path(tempfile.mkdtemp()) / "run"
    start = time.perf_counter()
    command = [
        sys.executable,
        "-c",
        "from quchong.cli.main import run; run()",
        "dedup",
        str(path),
        "-o",
        str(out),
        "-q",
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    manifest = json.loads(done.stdout)
    shutil.rmtree(out.parent)
    cpu = used.ru_utime + used.ru_stime
    return {"seconds": seconds, "cpu": cpu, "peak_mb": manifest["peak_memory_bytes"] / 1e6, **manifest["seconds"]}


def arrow(path: Path, save: Path) -> dict[str, float]:
    import pyarrow.parquet as pq

    codec = pq.ParquetFile(path).metadata.row_group(0).column(0).compression
    out = Path(tempfile.mkdtemp()) / "copy.parquet"
    start = time.perf_counter()
    pq.write_table(pq.read_table(path), out, compression=codec)
    seconds = time.perf_counter() - start
    shutil.rmtree(out.parent)
    return {"seconds": seconds}


SYSTEMS = {
    "quchong": ours,
    "quchong loaded": partial(ours, loaded=True),
    "quchong training": partial(ours, preset="training"),
    "quchong minhash": partial(ours, method="minhash"),
    "gaoya": gaoya,
    "rensa": rensa,
    "whole run": whole,
    "arrow": arrow,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--corpus", type=Path, required=True, help="Parquet or JSON lines, with the columns id and text"
    )
    parser.add_argument("--peers", default=sys.executable, help="a Python that has the peers")
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--only", default=",".join(name for name in SYSTEMS if name != "quchong loaded"))
    parser.add_argument("--save", type=Path, default=Path(tempfile.gettempdir()) / "quchong-bench")
    parser.add_argument("--child")
    args = parser.parse_args()
    args.save.mkdir(parents=True, exist_ok=True)
    if args.child:
        got = SYSTEMS[args.child](args.corpus, args.save / f"{args.child}.npy")
        got["rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        print(json.dumps(got))
        return
    corpus = as_parquet(args.corpus, args.save)
    results: dict[str, list[dict[str, float]]] = {name: [] for name in args.only.split(",")}
    for rep in range(args.reps):
        for name, runs in results.items():
            python = args.peers if name in ("gaoya", "rensa") else sys.executable
            command = [python, __file__, "--corpus", str(corpus), "--save", str(args.save), "--child", name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f"{name} failed:\n{done.stderr[-2000:]}")
            runs.append(json.loads(done.stdout.splitlines()[-1]))
            print(f"rep {rep + 1} {name}: {runs[-1]['seconds']:.2f} s", file=sys.stderr, flush=True)
    report(results)


def as_parquet(corpus: Path, folder: Path) -> Path:
    """Return the corpus as a Parquet file of the columns id and text; lines of JSON are converted, and numbered where ids repeat."""
    if corpus.suffix != ".jsonl":
        return corpus
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [json.loads(line) for line in corpus.read_text("utf-8").splitlines() if line.strip()]
    ids = [str(row.get("id", number)) for number, row in enumerate(rows)]
    if len(set(ids)) < len(ids):
        ids = [str(number) for number in range(len(rows))]
    path = folder / f"{corpus.parent.name}.parquet"
    pq.write_table(pa.table({"id": ids, "text": [str(row.get("text") or "") for row in rows]}), path)
    return path


def report(results: dict[str, list[dict[str, float]]]) -> None:
    median = {name: statistics.median(r["seconds"] for r in runs) for name, runs in results.items()}
    peers = [name for name in ("gaoya", "rensa") if name in median]
    fastest = min(peers, key=lambda name: median[name]) if peers else None
    print(
        "| system | seconds, median | spread | pairs | peak MB | times the fastest peer's speed |\n|---|---|---|---|---|---|"
    )
    for name, runs in results.items():
        times = [r["seconds"] for r in runs]
        spread = max(times) / min(times)
        peak = max(r.get("peak_mb", r["rss_mb"]) for r in runs)
        ratio = f"{median[fastest] / median[name]:.1f}" if fastest else ""
        print(
            f"| {name} | {median[name]:.2f} | {spread:.2f} | {int(runs[0].get('pairs', 0)) or ''} | {peak:.0f} | {ratio} |"
        )
    if "arrow" in median and "whole run" in median:
        print(f"\nwhole run / pyarrow reading and writing the file: {median['whole run'] / median['arrow']:.2f}")
    if "whole run" in results:
        busy = statistics.median(r["cpu"] / r["seconds"] for r in results["whole run"])
        print(f"whole run, processor seconds a second: {busy:.2f}")
    for name in ("quchong", "quchong minhash", "whole run"):
        if name in results:
            stages = {k: statistics.median(r[k] for r in results[name]) for k in results[name][0] if k not in
                      ("seconds", "cpu", "pairs", "grouped", "removed", "rss_mb", "peak_mb")}  # fmt: skip
            print(f"{name}, seconds by stage: " + ", ".join(f"{k} {v:.2f}" for k, v in stages.items()))


if __name__ == "__main__":
    main()
