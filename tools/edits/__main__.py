"""Pairs made of real texts by one edit each, and how many of them quchong has right.

    python tools/edits                                   every cell, both methods: tables on the terminal (minutes)
    python tools/edits --out docs/results/facts.md       the same as the page
    python tools/edits --only negation,opposite --methods hybrid --halves tune --lengths 80,600
    python tools/edits --only "one figure" --lengths 80 --show wrong     pairs of a cell, differences only, to read
    python tools/edits --pin                             measures the small part of tests/quality again and raises its floors

The base texts stand in ../shared/data, or below the folder named by QUCHONG_SHARED, and are never written anywhere.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from bases import HALVES, LENGTHS, data_folder
from cells import PAIRS, cell
from floors import pin
from inline import inline
from judge import METHODS, Score, facts_of, relations, right, score
from kinds import KINDS, lengths_of, made_here
from page import page, summary, table


def _list(text: str, known: list[str], what: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"unknown {what}: {', '.join(unknown)}; known: {', '.join(known)}")
    return names or known


def show(
    folder: Path, kinds: list[str], lengths: list[int], halves: list[str], method: str, asked: argparse.Namespace
) -> None:
    """Prints pairs with their relation and what differs in them."""
    for kind in kinds:
        for length in lengths_of(kind, lengths):
            for half in halves:
                pairs = cell(folder, kind, length, half, count=asked.pairs, seed=asked.seed)
                for pair, relation in zip(pairs, relations(pairs, method, facts_of(kind)), strict=True):
                    if asked.show == "all" or not right(kind, relation):
                        print(
                            f"{kind} {length} {half} {pair.base}: {relation}\n   {inline(pair.original, pair.edited)}"
                        )


def main() -> None:
    """Reads the arguments, makes, judges, prints or writes."""
    parser = argparse.ArgumentParser(
        prog="python tools/edits", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="write the page")
    parser.add_argument("--json", type=Path, help="write every cell as a JSON line, with its relations")
    parser.add_argument("--only", default="", help="these kinds, with commas")
    parser.add_argument("--lengths", default="", help=f"of {', '.join(map(str, LENGTHS))}")
    parser.add_argument("--halves", default="", help="tune, held")
    parser.add_argument("--methods", default="", help=f"instead of {', '.join(METHODS)}")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of a cell, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", choices=["wrong", "all"], help="print pairs instead of counting")
    parser.add_argument("--pin", action="store_true", help="raise the floors of tests/quality")
    parser.add_argument("--allow-lower", action="store_true", help="with --pin: let floors fall too")
    asked = parser.parse_args()
    folder = data_folder()
    if folder is None:
        sys.exit("the shared data sets are absent: set QUCHONG_SHARED to the folder above data/")
    if asked.pin:
        sys.exit(pin(folder, lower=asked.allow_lower))
    here = made_here()
    missing = [kind for kind in KINDS if kind not in here]
    if missing:
        print(f"left out, for opencc is not installed: {', '.join(missing)}", file=sys.stderr)
    kinds = _list(asked.only, here, "kinds")
    lengths = [int(n) for n in _list(asked.lengths, list(map(str, LENGTHS)), "lengths")]
    halves = _list(asked.halves, list(HALVES), "halves")
    methods = [name.strip() for name in asked.methods.split(",") if name.strip()] or list(METHODS)
    if asked.show:
        show(folder, kinds, lengths, halves, methods[0], asked)
        return
    begun, found = time.monotonic(), list[Score]()
    for kind in kinds:
        for length in lengths_of(kind, lengths):
            for half in halves:
                found += [score(folder, m, kind, length, half, count=asked.pairs, seed=asked.seed) for m in methods]
        print(f"{time.monotonic() - begun:6.0f} s  {kind}", file=sys.stderr, flush=True)
    if asked.json:
        asked.json.write_text("".join(json.dumps(s.as_dict(), ensure_ascii=False) + "\n" for s in found), "utf-8")
    if asked.out:
        asked.out.write_text(page(found, methods, asked.seed, f"python tools/edits --out {asked.out}"), "utf-8")
    for method in methods:
        print(f"{table(found, method)}\n\n{summary(found, method)}\n")


if __name__ == "__main__":
    main()
