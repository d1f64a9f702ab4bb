"""The runs of a campaign: each shape in one size or two under each budget, and what is wrong with what they took."""

from __future__ import annotations

import math
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shapes import SHAPES
from watching import Watched, watch

OVER = 1.2
"""Times its budget that a run may hold."""
GROWTH = 1.2
"""Exponent of the time over the bytes of its input that a shape may have. Rows would tell it wrong where they grow with their number."""
TIMED = 5.0
"""Seconds of processors at or above which growth is told: shorter runs mostly begin and end."""
WRITTEN, LITTLE = 20, 200 << 20
"""Times its input that a run may write, and bytes that are not looked at."""
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class Trial:
    """One run.

    Attributes:
        name, size, unit: of the shape.
        budget: as it was given; `given` in bytes.
        read, length: bytes of the input on disk, and of its files: sparse ones are longer.
        took: what was seen.
        exponent: of processor seconds over the bytes of the input, from this run and that of half the size; None where there is none.
        wrong: what is wrong with it, in words.
    """

    name: str
    size: int
    unit: str
    budget: str
    given: int
    read: int
    length: int
    took: Watched
    exponent: float | None
    wrong: tuple[str, ...]


def trials(
    names: Sequence[str], budgets: Sequence[str], *, quick: bool, seconds: float, folder: Path | None
) -> Iterator[Trial]:
    """Run the shapes under the budgets, one after another; the inputs lie in a temporary folder (in `folder`), and go with it."""
    for name in names:
        shape = SHAPES[name]
        sizes = [shape.quick] if quick else [shape.half, shape.full]
        before: dict[str, Trial] = {}
        for size in sizes:
            with tempfile.TemporaryDirectory(prefix="quchong-memory-", dir=folder) as place:
                made = shape.make(Path(place), size)
                for budget in budgets:
                    trial = run(name, size, budget, made, Path(place) / "out", seconds, before.get(budget))
                    before[budget] = trial
                    yield trial


def run(name: str, size: int, budget: str, made: Path, out: Path, seconds: float, before: Trial | None) -> Trial:
    """Run one input under one budget.

    Args:
        made: what the command reads.
        out: the run folder it writes, which is removed.
        before: the run over a smaller size of the shape.
    """
    given = bytes_of(budget)
    called = [*SHAPES[name].command, str(made), "-o", str(out), "--memory", budget, "--quiet"]
    command = [sys.executable, "-m", "quchong", *called]
    took = watch(command, seconds, 4 * given)
    shutil.rmtree(out, ignore_errors=True)
    files = [path.stat() for path in (made.rglob("*") if made.is_dir() else [made]) if path.is_file()]
    read, length = sum(one.st_blocks * 512 for one in files), sum(one.st_size for one in files)
    exponent = None
    if before is not None and before.took.code == took.code == 0:
        exponent = growth((before.length, before.took.cpu), (length, took.cpu))
    return Trial(
        name,
        size,
        SHAPES[name].unit,
        budget,
        given,
        read,
        length,
        took,
        exponent,
        wrong_of(took, given, read, exponent),
    )


def growth(one: tuple[int, float], other: tuple[int, float]) -> float | None:
    """Return the exponent by which seconds grow with bytes, from bytes and seconds of two runs; None where that cannot be told."""
    (length, cpu), (longer, more) = one, other
    if min(cpu, more) < TIMED or not 0 < length < longer:
        return None
    return math.log(more / cpu) / math.log(longer / length)


def wrong_of(took: Watched, given: int, read: int, exponent: float | None) -> tuple[str, ...]:
    """Return what is wrong with a run, in words."""
    found = []
    if took.code is None:
        found.append(f"ended after {took.cpu:.0f} processor seconds with {took.peak / 1e6:,.0f} MB")
    elif took.code:
        found.append(f"exit code {took.code}: {took.said.strip()[-300:]}")
    if took.peak > OVER * given:
        found.append(f"{took.peak / given:.2f} times its budget")
    if took.written > max(WRITTEN * read, LITTLE):
        found.append(f"{took.written / max(read, 1):,.0f} times its input written")
    if exponent is not None and exponent > GROWTH:
        found.append(f"time grows by n^{exponent:.2f}")
    return tuple(found)


def bytes_of(budget: str) -> int:
    """Return the bytes of a size such as 500M."""
    return int(float(budget[:-1]) * _UNITS[budget[-1]]) if budget[-1] in _UNITS else int(budget)
