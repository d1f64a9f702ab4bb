"""One process: every method over the files of some variants; digests of what each decided, as JSON on stdout."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import _quchong
import pyarrow as pa
import pyarrow.parquet as pq

import quchong as qc
from quchong.errors import UsageError
from quchong.plan.catalogue import METHODS

MORE: dict[str, dict[str, Any]] = {
    "hybrid, keep earliest": {"keep": "earliest,longest"},
    "hybrid, keep by source": {"keep": "source:云河晚报>青岚日报,shortest"},
    "hybrid, within": {"within": "36h"},
    "hybrid, per": {"per": "source"},
    "hybrid, same site": {"same_site": True},
    "hybrid, variants removed": {"facts": "remove"},
    "hybrid, strip": {"strip": "dateline,source,editor"},
    "hybrid, duplicates only": {"duplicates_only": True},
    "hybrid, whole pages": {"body": "all"},
    "hybrid, recall": {"recall_sample": 40},
    "hybrid, strict": {"preset": "strict"},
    "hybrid, lenient": {"preset": "lenient"},
    "short-text, relations": {"method": "short-text", "relations": "exact,duplicate"},
    "two-stage, idf": {"method": "two-stage", "weights": "idf"},
    "two-stage, bloom confirmed": {"method": "two-stage", "stage1": "bloom", "confirm": True},
    "two-stage, trie confirmed": {"method": "two-stage", "stage1": "trie", "confirm": True},
    "shingling, mod-m": {"method": "shingling", "sketch": "mod-m"},
    "ccdet, verified": {"method": "ccdet", "verify": "exact"},
}
"""Further settings beside every method by itself."""
EXCLUDED = (
    "keep first and last: they ask for the order of the input",
    "two-stage with stage1 bloom or trie without confirm: so does the filter",
)
SETTINGS: dict[str, dict[str, Any]] = {**{name: {"method": name} for name in METHODS}, **MORE}


def digest(table: pa.Table) -> str:
    """Of a table as the run folder has it."""
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd", compression_level=1)
    return hashlib.blake2b(out.getvalue(), digest_size=8).hexdigest()


def _rows(table: pa.Table) -> str:
    """Of a set of rows, whatever their order."""
    ids = sorted(table["id"].to_pylist()) if len(table) else []
    return hashlib.blake2b(json.dumps(ids).encode(), digest_size=8).hexdigest()


def decided(paths: list[str], workers: int, options: dict[str, Any]) -> dict[str, Any]:
    """What one setting decides."""
    try:
        found = qc.dedup(
            [Path(path) for path in paths], **{"differences": "all", "recall_sample": 0, "workers": workers} | options
        )
    except UsageError as error:
        return {"refused": str(error)}
    documents = found.documents.drop_columns(["source", "row"]).sort_by("id")
    answer = {
        "ledger": digest(found.ledger.table), "pairs": digest(found.pairs.table), "clusters": digest(found.clusters.table),
        "documents": digest(documents), "recall": json.dumps(found.manifest["recall"]), "pair count": len(found.pairs),
    }  # fmt: skip
    if options == {"method": "hybrid"}:  # rows are copied by one code for all methods
        answer |= {"kept": _rows(found.kept), "removed": _rows(found.removed)}
    return answer


def answers(job: dict[str, Any], settings: list[str]) -> dict[str, Any]:
    """What every setting decides on one variant."""
    os.environ["TZ"] = job["zone"]
    time.tzset()
    if job["loops"] and not _quchong.use_loops(job["loops"]):
        sys.exit(f"this machine has no {job['loops']}")
    found = {name: decided(job["paths"], job["workers"], SETTINGS[name]) for name in settings or SETTINGS}
    if not settings:
        shared = qc.passages([Path(path) for path in job["paths"]], min_chars=30, workers=job["workers"])
        found["passages"] = {"table": digest(shared.table), "pair count": len(shared.table)}
    return found


def main() -> None:
    """Reads jobs and settings on stdin."""
    asked = json.load(sys.stdin)
    json.dump([answers(job, asked["settings"]) for job in asked["jobs"]], sys.stdout)


if __name__ == "__main__":
    main()
