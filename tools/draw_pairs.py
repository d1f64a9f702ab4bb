"""Draws pairs for a reader: removals of a run on zh_news_reprints, accepted short pairs nearest to the boundary, and what
the method short-text merges although few 3-grams are shared.

    python tools/draw_pairs.py removals            50 rows of the ledger, drawn with a fixed seed
    python tools/draw_pairs.py boundary            60 accepted pairs with the least margin, half of each short set
    python tools/draw_pairs.py merged-below        50 pairs of zh_weibo_ced that short-text accepts below 3-gram Jaccard 0.5
    python tools/draw_pairs.py boundary --unread   only those without a verdict in docs/results
    python tools/draw_pairs.py removals --ids      ids and measures as CSV, no text
    python tools/draw_pairs.py boundary --score    verdicts of what is drawn now, precision with its 95% Wilson interval

Verdicts are kept in docs/results as ids, verdict and reason; the texts themselves never enter the repository.
The data stand in ../shared/data, or below the folder named by QUCHONG_SHARED.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

import quchong
from quchong.relations import ACCEPTED, EXACT
from quchong.similarity import Thresholds
from quchong.similarity.thresholds import TINY_TOKENS

ROOT = Path(__file__).resolve().parents[1]
SEED = 20261121
NEWS = "zh_news_reprints/docs.jsonl"
SHORT = ("zh_short_titles/docs.jsonl", "zh_weibo_ced/microblogs.jsonl")
RESULTS = {
    "removals": ROOT / "docs/results/read-zh_news_reprints.csv",
    "boundary": ROOT / "docs/results/read-short-boundary.csv",
    "merged-below": ROOT / "docs/results/read-short-text-below.csv",
}
DRAWN = {"removals": 50, "boundary": 60, "merged-below": 50}
BELOW = 0.5  # of the 3-gram Jaccard measured with the data
SHOWN_WHOLE = 160  # characters; of longer texts the differences are shown
EQUAL_SHOWN = 24

Row = dict[str, Any]


def data_folder() -> Path:
    """Where the data sets lie."""
    given = os.environ.get("QUCHONG_SHARED")
    folder = (Path(given) if given else ROOT.parent / "shared") / "data"
    if not folder.is_dir():
        sys.exit(f"{folder} is absent: set QUCHONG_SHARED to the folder that holds data/")
    return folder


def texts(path: Path) -> dict[str, Row]:
    """Records by id."""
    with path.open(encoding="utf-8") as lines:
        return {r["id"]: r for r in map(json.loads, lines)}


def lot(row: Row) -> bytes:
    """A random place in the order of drawing, from the seed and the ids alone: a rule changed later changes few lots."""
    a, b = (row["id"], row["survivor_id"]) if "survivor_id" in row else (row["left_id"], row["right_id"])
    return hashlib.blake2b(f"{SEED} {a} {b}".encode(), digest_size=16).digest()


def removals(folder: Path, count: int) -> list[Row]:
    """Ledger rows of the default run, drawn at random."""
    ledger = sorted(quchong.dedup(str(folder / NEWS)).ledger.to_pylist(), key=lot)
    return [
        {"set": NEWS, "a": r["id"], "b": r["survivor_id"], "relation": r["relation"], "rule": r["rule"],
         "jaccard": r["jaccard"], "containment": r["containment"]}
        for r in sorted(ledger[:count], key=lambda r: r["id"])
    ]  # fmt: skip


def margin(pair: Row, thresholds: Thresholds) -> float:
    """How far the thresholds would have to rise before the pair is no longer accepted: the best of its margins.

    A pair is accepted when any test passes, so one that stands far above the Jaccard threshold is not near the boundary
    because its containment is.
    """
    han = np.array([pair["han"]])
    shares = sorted((pair["containment_left"], pair["containment_right"]))
    shorter = min(pair["tokens_left"], pair["tokens_right"])
    if shorter < TINY_TOKENS:
        return pair["jaccard"] - thresholds.tiny_jaccard
    by_jaccard = pair["jaccard"] - float(thresholds.jaccard_for(np.array([shorter]), han)[0])
    return max(by_jaccard, shares[1] - float(thresholds.containment_for(han)[0]))


def boundary(folder: Path, count: int) -> list[Row]:
    """Accepted pairs that are not exact, least margin first; what one set lacks the other gives."""
    near: dict[str, list[Row]] = {}
    for name in SHORT:
        result = quchong.dedup(str(folder / name), differences="all")
        thresholds = result._outcome.plan.method.rule.test
        found = [
            {"set": name, "a": p["left_id"], "b": p["right_id"], "relation": p["relation"], "rule": p["rule"],
             "jaccard": p["jaccard"], "containment": max(p["containment_left"], p["containment_right"]),
             "margin": margin(p, thresholds)}
            for p in result.pairs.to_pylist()
            if p["relation"] in ACCEPTED and p["relation"] != EXACT
        ]  # fmt: skip
        near[name] = sorted(found, key=lambda r: (r["margin"], r["a"], r["b"]))
    first, second = (near[name] for name in SHORT)
    take = min(len(first), max(count // 2, count - len(second)))
    return first[:take] + second[: count - take]


def merged_below(folder: Path, count: int) -> list[Row]:
    """Pairs the method short-text accepts whose 3-gram Jaccard, as it came with the data, is below 0.5 or not listed."""
    with (folder / "zh_weibo_ced/microblog_pairs_measured.jsonl").open(encoding="utf-8") as lines:
        measured = {frozenset((p["a"], p["b"])): p["jaccard3"] for p in map(json.loads, lines)}
    pairs = quchong.dedup(
        str(folder / SHORT[1]), method="short-text", differences="all", recall_sample=0
    ).pairs.to_pylist()
    low = [
        p for p in pairs
        if p["relation"] in ACCEPTED and measured.get(frozenset((p["left_id"], p["right_id"])), 0.0) < BELOW
    ]  # fmt: skip
    print(f"{len(low)} such pairs", file=sys.stderr)
    return [
        {"set": SHORT[1], "a": p["left_id"], "b": p["right_id"], "relation": p["relation"], "rule": p["rule"],
         "jaccard": p["jaccard"], "containment": max(p["containment_left"], p["containment_right"])}
        for p in sorted(low, key=lot)[:count]
    ]  # fmt: skip


def differences(a: str, b: str, *, whole: bool) -> str:
    """B read against a: [-only in a-], {+only in b+}; long equal stretches, and without `whole` long additions, cut."""
    out = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            same = a[i:j]
            short = len(same) <= 3 * EQUAL_SHOWN
            out.append(same if short else f"{same[:EQUAL_SHOWN]}…<{len(same)} equal>…{same[-EQUAL_SHOWN:]}")
            continue
        if j > i:
            out.append(f"[-{a[i:j]}-]")
        if m > k:
            more = b[k:m]
            cut = not whole and len(more) > 2 * EQUAL_SHOWN
            out.append("{+" + (f"{more[:EQUAL_SHOWN]}…<{len(more)} more>" if cut else more) + "+}")
    return "".join(out).replace("\n", "⏎")


def show(number: int, row: Row, docs: dict[str, Row]) -> None:
    """One pair for the reader; of removals `a` is the removed one."""
    a, b = docs[row["a"]], docs[row["b"]]
    figures = " ".join(f"{k} {row[k]:.3f}" for k in ("jaccard", "containment", "margin") if k in row)
    print(f"\n#{number} {row['a']} -> {row['b']}  {row['relation']} ({row['rule']}) {figures}")
    print(f"   {len(a['text'])} and {len(b['text'])} characters | {a.get('title', '')} | {b.get('title', '')}")
    if max(len(a["text"]), len(b["text"])) <= SHOWN_WHOLE:
        for text in (a["text"], b["text"]):
            print("   " + text.replace("\n", "⏎"))
    else:
        print("   " + differences(a["text"], b["text"], whole=len(b["text"]) <= 400))


def wilson(right: int, drawn: int) -> tuple[float, float]:
    """95% Wilson interval of a share."""
    z, p = 1.959964, right / drawn
    middle = (p + z * z / (2 * drawn)) / (1 + z * z / drawn)
    half = z / (1 + z * z / drawn) * (p * (1 - p) / drawn + z * z / (4 * drawn * drawn)) ** 0.5
    return middle - half, min(1.0, middle + half)


def verdicts(what: str) -> dict[frozenset[str], Row]:
    """What readers said so far, by pair."""
    if not RESULTS[what].exists():
        return {}
    with RESULTS[what].open(encoding="utf-8", newline="") as lines:
        return {frozenset((r["a"], r["b"])): r for r in csv.DictReader(lines)}


def score(rows: list[Row], known: dict[frozenset[str], Row]) -> None:
    """Prints how the pairs drawn now were judged."""
    judged = [known.get(frozenset((r["a"], r["b"]))) for r in rows]
    right = sum(j is not None and j["verdict"] == "right" for j in judged)
    print(f"drawn {len(rows)}, without a verdict {judged.count(None)}, right {right}")
    for j in judged:
        if j is not None and j["verdict"] != "right":
            print(f"  {j['a']} {j['b']}  {j['verdict']}: {j['reason']}")
    if None not in judged:
        low, high = wilson(right, len(rows))
        print(f"precision {right / len(rows):.3f}, 95% Wilson interval {low:.3f} to {high:.3f}")


def main() -> None:
    """Reads the arguments and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=sorted(RESULTS))
    parser.add_argument("--count", type=int)
    parser.add_argument("--unread", action="store_true", help="only pairs without a verdict")
    parser.add_argument("--ids", action="store_true", help="ids and measures as CSV, no text")
    parser.add_argument("--score", action="store_true", help="count the verdicts of the pairs drawn now")
    args = parser.parse_args()
    folder = data_folder()
    draw = {"removals": removals, "boundary": boundary, "merged-below": merged_below}[args.what]
    rows = draw(folder, args.count or DRAWN[args.what])
    known = verdicts(args.what)
    if args.score:
        score(rows, known)
        return
    if args.unread:
        rows = [r for r in rows if frozenset((r["a"], r["b"])) not in known]
    if args.ids:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        names = [
            "set",
            "a",
            "b",
            "relation",
            "rule",
            "jaccard",
            "containment",
            *(["margin"] if args.what == "boundary" else []),
        ]
        writer.writerow(names)
        writer.writerows([round(r[n], 4) if isinstance(r[n], float) else r[n] for n in names] for r in rows)
        return
    docs = {name: texts(folder / name) for name in {r["set"] for r in rows}}
    for number, row in enumerate(rows, 1):
        show(number, row, docs[row["set"]])


if __name__ == "__main__":
    main()
