"""The floors of tests/quality/test_edited_pairs.py: a small part of the truth, and how much of it must be right."""

from __future__ import annotations

import json
from pathlib import Path

from bases import ROOT
from judge import score
from kinds import lengths_of, made_here

FLOORS = ROOT / "tests/quality/edit_floors.json"
PINNED_PAIRS = 20
PINNED_LENGTHS = [30, 80, 600]
HALF = "held"
METHOD = "hybrid"


def measured(folder: Path) -> dict[str, dict[str, int]]:
    """Right of 20 pairs, by kind and length, of the held half under the default method."""
    return {
        kind: {
            str(n): score(folder, METHOD, kind, n, HALF, count=PINNED_PAIRS).right
            for n in lengths_of(kind, PINNED_LENGTHS)
        }
        for kind in made_here()
    }


def floors() -> dict[str, dict[str, int]]:
    """What must be right at least."""
    found: dict[str, dict[str, int]] = json.loads(FLOORS.read_text("utf-8"))
    return found


def pin(folder: Path, *, lower: bool = False) -> int:
    """Measures and raises the floors; with `lower` they may fall as well. How many would have fallen and may not."""
    old = floors() if FLOORS.exists() else {}
    new: dict[str, dict[str, int]] = {}
    behind = 0
    for kind, cells in measured(folder).items():
        new[kind] = {}
        for length, count in cells.items():
            was = old.get(kind, {}).get(length, 0)
            if count < was and not lower:
                behind += 1
                print(f"behind its floor: {kind} at {length}, {count} < {was}")
            new[kind][length] = count if lower else max(count, was)
    lines = [f" {json.dumps(kind)}: {json.dumps(cells)}" for kind, cells in (old | new).items()]
    FLOORS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"wrote {FLOORS.relative_to(ROOT)}")
    return behind
