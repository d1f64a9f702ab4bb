"""Whole jobs of tools that, as ours, read files and write what is left: seconds by the clock, one after another.

Covers: `quchong dedup FILE -o RUN`. Compared against: datatrove (its four MinHash stages) and text-dedup (MinHash), each in a Python of
its own, with characters as tokens (`characters`) and as they come (`stock`). All have 128 values in 16 bands of 8 where they can be told.
Run: `python benchmarks/bench_jobs.py --corpus FILE.parquet --datatrove PYTHON --text-dedup PYTHON`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

BANDS, ROWS, NGRAM = 16, 8, 5


def datatrove(corpus: Path, work: Path, stock: bool) -> int:
    """How many documents are left."""
    import numpy  # noqa: F401  # datatrove asks for it by name only when a stage runs
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import (
        MinhashDedupBuckets,
        MinhashDedupCluster,
        MinhashDedupFilter,
        MinhashDedupSignature,
    )
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import ParquetReader
    from datatrove.pipeline.writers import JsonlWriter
    from datatrove.utils.text import TextNormConfig

    class Characters:
        def word_tokenize(self, text: str) -> list[str]:
            return list(text)

    plain = TextNormConfig(
        lowercase=False,
        norm_whitespace=False,
        remove_punctuation=False,
        norm_unicode_diacritics=False,
        norm_numbers=False,
    )
    config = MinhashConfig(
        n_grams=NGRAM, num_buckets=BANDS, hashes_per_bucket=ROWS, norm_config=TextNormConfig() if stock else plain
    )
    files = work / "in"
    files.mkdir()
    halves(corpus, files)
    signature = MinhashDedupSignature(str(work / "signed"), config=config, language="cmn_Hani" if stock else "eng")
    if not stock:
        signature.word_tokenizer = Characters()
    steps: list[tuple[list[Any], int]] = [
        ([ParquetReader(str(files), text_key="text", id_key="id"), signature], 2),
        ([MinhashDedupBuckets(str(work / "signed"), str(work / "met"), config=config)], BANDS),
        ([MinhashDedupCluster(str(work / "met"), str(work / "gone"), config=config)], 1),
        (
            [
                ParquetReader(str(files), text_key="text", id_key="id"), MinhashDedupFilter(str(work / "gone")),
                JsonlWriter(str(work / "out"), compression=None),
            ],
            2,
        ),
    ]  # fmt: skip
    for number, (pipeline, tasks) in enumerate(steps):
        LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=2, logging_dir=str(work / f"log{number}")).run()
    return sum(part.read_bytes().count(b"\n") for part in (work / "out").iterdir())


def halves(corpus: Path, out: Path) -> None:
    """Two files, for two workers."""
    import pyarrow.parquet as pq

    table = pq.read_table(corpus, columns=["id", "text"])
    middle = len(table) // 2
    for number, part in enumerate((table.slice(0, middle), table.slice(middle))):
        pq.write_table(part.set_column(0, "id", part["id"].cast("string")), out / f"{number}.parquet")


def text_dedup(corpus: Path, work: Path, stock: bool) -> int:
    """How many documents are left."""
    os.environ["HF_HOME"] = str(work)
    import datasets

    datasets.config.HF_DATASETS_CACHE = str(work)
    import text_dedup.minhash as job
    from text_dedup.config.algorithms.minhash import MinHashAlgorithmConfig
    from text_dedup.config.base import load_config_from_toml

    if not stock:
        MinHashAlgorithmConfig._get_tokenize_func = lambda self: list  # type: ignore[attr-defined]
    told = work / "job.toml"
    told.write_text(
        f'[input]\ninput_type="local_files"\nfile_type="parquet"\n[input.read_arguments]\npath="parquet"\ndata_files=["{corpus}"]\n'
        f'split="train"\n[algorithm]\ntext_column="text"\nseed=42\nnum_proc=2\nalgorithm_name="minhash"\nalgo_name="minhash"\n'
        f"num_perm={BANDS * ROWS}\nbands={BANDS}\nrows={ROWS}\nngram_size={NGRAM}\nthreshold=0.8\nmin_length=5\nhash_bits=64\n"
        f'check_false_positive=false\n[output]\noutput_dir="{work / "out"}"\nsave_clusters=true\nclean_cache=false\n'
        "[debug]\nenable_profiling=false\n",
        encoding="utf-8",
    )
    config = load_config_from_toml(told)
    table, _, _ = job.load_and_preprocess(config)
    met = job.fingerprint(config, table)
    assigned = job.cluster(config, met)
    left = job.remove_duplicates(config, job.assign(config, table, assigned))
    left.save_to_disk(str(work / "out"))
    return len(left)


JOBS = {"datatrove": datatrove, "text-dedup": text_dedup}


def timed(command: list[str]) -> tuple[float, str]:
    """Seconds by the clock, since some jobs are done by processes that are not their children; and the last line that was said."""
    start = time.perf_counter()
    ran = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if ran.returncode:
        raise SystemExit(f"{' '.join(command)}: {ran.stderr[-2000:]}")
    return seconds, ran.stdout.strip().split("\n")[-1]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--corpus", type=Path, required=True)
    asked.add_argument("--datatrove", metavar="PYTHON")
    asked.add_argument("--text-dedup", metavar="PYTHON")
    asked.add_argument("--job", nargs=2, metavar=("NAME", "HOW"), help="one job, in this process")
    given = asked.parse_args()
    if given.job:
        name, how = given.job
        with tempfile.TemporaryDirectory() as work:
            print(JOBS[name](given.corpus.resolve(), Path(work), how == "stock"))
        return
    with tempfile.TemporaryDirectory() as work:
        ours = [sys.executable, "-m", "quchong", "dedup", str(given.corpus), "-o", f"{work}/run", "--json"]
        seconds, told = timed(ours)
    rows = [("quchong dedup", seconds, str(json.loads(told)["counts"]["kept"]))]
    for name, python in (("datatrove", given.datatrove), ("text-dedup", given.text_dedup)):
        for how in ("characters", "stock") if python else ():
            job = [python, __file__, "--corpus", str(given.corpus), "--job", name, how]
            rows.append((f"{name}, {how}", *timed(job)))
    print("| job | seconds | times ours | documents left |\n|---|---|---|---|")
    for name, took, left in rows:
        print(f"| {name} | {took:.1f} | {took / seconds:.1f} | {left} |")


if __name__ == "__main__":
    main()
