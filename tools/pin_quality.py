"""Measures quality on the shared data sets again and raises the floors of tests/quality/baseline.json.

    python tools/pin_quality.py                             measure; write what rose
    python tools/pin_quality.py --dry                       measure and show, write nothing
    python tools/pin_quality.py zh_weibo_ced                only these sets
    python tools/pin_quality.py --allow-regression "why"    let floors fall, never below what is required; kept on record
    python tools/pin_quality.py --data                      also pin the digests of the data files anew

A floor is what was measured less its epsilon, and at least what is required. Without --allow-regression nothing is
written when a floor would fall.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import json
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import quchong

TESTS = Path(__file__).resolve().parents[1] / "tests" / "quality"
BASELINE = TESTS / "baseline.json"
ROUNDING = 1e-9

Entry = dict[str, Any]
"""One figure: direction (at_least, at_most, equal), required (or null), epsilon, floor, measured."""


class LowerFloor(Exception):
    """A floor would fall."""


def holds(value: float, entry: Entry) -> bool:
    """Does a figure stand on the right side of its floor?"""
    if entry["direction"] == "at_least":
        return bool(value >= entry["floor"] - ROUNDING)
    if entry["direction"] == "at_most":
        return bool(value <= entry["floor"] + ROUNDING)
    return bool(abs(value - entry["floor"]) <= ROUNDING)


def repin(entry: Entry, value: float, *, allow: bool = False) -> Entry:
    """The entry with what was measured now, its floor raised where that is better.

    Raises:
        LowerFloor: the figure is behind its floor and that is not allowed, or it is behind what is required.
    """
    required, epsilon = entry["required"], entry["epsilon"]
    if required is not None and not holds(value, {**entry, "floor": required}):
        raise LowerFloor(f"{value:g} misses what is required, {entry['direction']} {required:g}")
    behind = not holds(value, entry)
    if behind and not allow:
        raise LowerFloor(f"{value:g} is behind the floor, {entry['direction']} {entry['floor']:g}")
    floor: float = value
    if entry["direction"] != "equal":
        better = max if entry["direction"] == "at_least" else min
        floor = value - epsilon if entry["direction"] == "at_least" else value + epsilon
        kept = [x for x in (required, None if behind else entry["floor"]) if x is not None]
        floor = better([floor, *kept])
    return {**entry, "floor": round(floor, 6), "measured": round(value, 6)}


def load(name: str) -> ModuleType:
    """A module of tests/quality by path."""
    spec = importlib.util.spec_from_file_location(f"quality_{name}", TESTS / f"{name}.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{TESTS / name}.py is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Measures, shows a table, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--data", action="store_true")
    parser.add_argument("--allow-regression", metavar="REASON")
    args = parser.parse_args()
    if args.allow_regression is not None and len(args.allow_regression.split()) < 3:
        parser.error("--allow-regression wants a reason somebody can understand later")

    sys.path.insert(0, str(TESTS))  # where test_quality finds its other files
    conftest, tests = load("conftest"), load("test_quality")
    shared = conftest.Shared()
    if not shared.folder.is_dir():
        sys.exit(f"{shared.folder} is absent: set QUCHONG_SHARED to the folder that holds data/")
    unknown = sorted(set(args.sets) - set(tests.MEASURES))
    if unknown:
        parser.error(f"unknown {', '.join(unknown)}: use {', '.join(tests.MEASURES)}")
    baseline = json.loads(BASELINE.read_text("utf-8"))
    digests = {name: shared.digest(name) for name in baseline["data"]}
    changed = [name for name, digest in digests.items() if baseline["data"][name] != digest]
    if changed and not args.data:
        sys.exit(f"other data than the floors were measured on: {', '.join(changed)}; give --data to pin them anew")
    baseline["data"] = digests

    refused = 0
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    for name in args.sets or tests.MEASURES:
        start = time.perf_counter()
        figures = tests.MEASURES[name](shared, conftest.Twin)
        print(f"{name}  ({time.perf_counter() - start:.1f} s)")
        for figure, value in figures.items():
            old = baseline["figures"][name][figure]
            fell = not holds(value, old)
            try:
                new = repin(old, value, allow=args.allow_regression is not None)
            except LowerFloor as error:
                refused += 1
                print(f"  {figure:<32} {value:<10.6g} REFUSED: {error}")
                continue
            print(f"  {figure:<32} {value:<10.6g} {old['direction']} {old['floor']:g} -> {new['floor']:g}")
            if fell:
                baseline["regressions"].append(
                    {"date": today, "set": name, "figure": figure, "from": old["floor"], "to": new["floor"],
                     "reason": args.allow_regression}
                )  # fmt: skip
            baseline["figures"][name][figure] = new
    if refused:
        sys.exit(f"{refused} figures behind: nothing written")
    if not args.dry:
        baseline["pinned"] = {"date": today, "quchong": quchong.__version__, "command": "python tools/pin_quality.py"}
        BASELINE.write_text(json.dumps(baseline, indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(f"wrote {BASELINE}")


if __name__ == "__main__":
    main()
