"""Removals of a run on one of the shared sets, for a person to read; it writes nothing.

    python tools/edits/readings.py zh_news_reprints                        50 removals of the default method, seed 1
    python tools/edits/readings.py zh_weibo_ced --method short-text --n 50 --seed 2
    python tools/edits/readings.py zh_weibo_ced --below 0.6 --ids          of pairs below that Jaccard; ids and measures as CSV
    python tools/edits/readings.py zh_weibo_ced --verdicts read.csv        only those that file has no verdict of

Of exact removals nothing is to be read, so none are drawn. The removed text is read against its survivor:
[-only in the removed one-], {+only in the survivor+}. Texts stay on the terminal; verdicts (id, survivor, right or wrong, why) are
noted by hand, as the files docs/results/read-*.csv.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from pathlib import Path
from typing import Any

from bases import ROOT, lot
from inline import inline

import quchong
from quchong.relations import EXACT

FILES = ("docs.jsonl", "paragraphs.jsonl", "microblogs.jsonl")
LONGEST = 160  # characters shown of a stretch that stands on one side only
MEASURES = ("jaccard", "containment", "survivor_containment")

Row = dict[str, Any]


def found(name: str) -> Path:
    """The file of a set: NAME or NAME/FILE in the shared data."""
    given = os.environ.get("QUCHONG_SHARED")
    folder = (Path(given) if given else ROOT.parent / "shared") / "data"
    if not folder.is_dir():
        sys.exit(f"{folder} is absent: set QUCHONG_SHARED to the folder that holds data/")
    for path in (folder / name, *(folder / name / file for file in FILES)):
        if path.is_file():
            return path
    sys.exit(f"no such set: {folder / name}")


def drawn(ledger: list[Row], n: int, seed: int, below: float | None) -> list[Row]:
    """Up to n removals that are not exact, by a lot of seed and ids alone: a changed rule replaces few of them."""
    rows = [r for r in ledger if r["relation"] != EXACT and r["survivor_id"] is not None]
    rows = [r for r in rows if below is None or r["jaccard"] < below]
    return sorted(rows, key=lambda r: lot(seed, r["id"], r["survivor_id"]))[:n]


def main() -> None:
    """Reads the arguments and prints."""
    parser = argparse.ArgumentParser(
        prog="python tools/edits/readings.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", help="a folder of the shared data, or a file below it")
    parser.add_argument("--method", default="hybrid")
    parser.add_argument("--n", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--below", type=float, metavar="JACCARD", help="only pairs below it")
    parser.add_argument("--verdicts", type=Path, help="CSV with columns a and b: pairs that need no reading")
    parser.add_argument("--ids", action="store_true", help="ids and measures as CSV, no text")
    asked = parser.parse_args()
    path = found(asked.set)
    ledger = quchong.dedup(path, method=asked.method, recall_sample=0).ledger.to_pylist()
    rows = drawn(ledger, asked.n, asked.seed, asked.below)
    print(
        f"{len(ledger)} removed, {sum(r['relation'] == EXACT for r in ledger)} of them exact, {len(rows)} drawn",
        file=sys.stderr,
    )
    if asked.verdicts:
        with asked.verdicts.open(encoding="utf-8", newline="") as lines:
            known = {frozenset((r["a"], r["b"])) for r in csv.DictReader(lines)}
        rows = [r for r in rows if frozenset((r["id"], r["survivor_id"])) not in known]
    if asked.ids:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(["a", "b", "relation", "rule", *MEASURES])
        writer.writerows(
            [r["id"], r["survivor_id"], r["relation"], r["rule"], *(round(r[m], 4) for m in MEASURES)] for r in rows
        )
        return
    with path.open(encoding="utf-8") as lines:
        docs = {r["id"]: r for r in map(json.loads, lines)}
    for number, row in enumerate(rows, 1):
        a, b = docs[row["id"]], docs[row["survivor_id"]]
        measures = " ".join(f"{m} {row[m]:.3f}" for m in MEASURES)
        print(f"\n#{number} {row['id']} -> {row['survivor_id']}  {row['relation']} ({row['rule']}) {measures}")
        print(f"   {len(a['text'])} and {len(b['text'])} characters | {a.get('title', '')} | {b.get('title', '')}")
        print("   " + inline(a["text"], b["text"], longest=LONGEST))


if __name__ == "__main__":
    main()
