"""What a campaign found, as lines and as a page."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from campaign import GROWTH, OVER, WRITTEN, Trial
from shapes import SHAPES

_HEAD = (
    "shape",
    "size",
    "input MB",
    "budget",
    "peak private MB",
    "of budget",
    "with files MB",
    "s",
    "CPU s",
    "growth",
    "written MB",
)


def line(trial: Trial) -> str:
    """Return one run as a line of text."""
    return "  ".join(_cells(trial)) + ("" if not trial.wrong else "  WRONG: " + "; ".join(trial.wrong))


def _cells(trial: Trial) -> list[str]:
    took = trial.took
    growth = "" if trial.exponent is None else f"n^{trial.exponent:.2f}"
    over = f"{took.peak / trial.given:.2f}"
    return [
        trial.name, f"{trial.size:,} {trial.unit}", f"{trial.read / 1e6:,.1f}", trial.budget, f"{took.peak / 1e6:,.0f}",
        f"**{over}**" if took.peak > OVER * trial.given else over, f"{took.highest / 1e6:,.0f}",
        f"{took.seconds:,.1f}" + ("" if took.code is not None else " (ended)"), f"{took.cpu:,.1f}", growth, f"{took.written / 1e6:,.0f}",
    ]  # fmt: skip


def write(path: Path, found: Sequence[Trial], *, quick: bool) -> None:
    """Write the page."""
    wrong = [
        f"- {trial.name}, {trial.size:,} {trial.unit}, {trial.budget}: {why}" for trial in found for why in trial.wrong
    ]
    names = dict.fromkeys(trial.name for trial in found)
    lines = [
        "# Memory under a budget",
        "",
        f"Made by `python tools/memory{' --quick' if quick else ''} --report docs/results/memory.md` on "
        f"{datetime.date.today().isoformat()}: `quchong dedup --memory BUDGET` over {len(names)} of {len(SHAPES)} shapes of input, each "
        "run a process of its own.",
        "",
        f"A run must hold at most {OVER} times its budget of private memory, write at most {WRITTEN} times its input, and take time that "
        f"grows by at most n^{GROWTH}. Peak private: RssAnon of the process and its children every 20 ms. With files: VmHWM, the kernel's "
        "own peak of the process, pages of mapped files included. Growth: the exponent of the processor seconds over n, the bytes of the "
        "input, from two sizes where both took 5 s.",
        "",
        f"{len(found)} runs, {len(wrong)} findings.",
        "",
        *wrong,
        *([""] if wrong else []),
        "| " + " | ".join(_HEAD) + " |",
        "|" + "---|" * len(_HEAD),
        *("| " + " | ".join(_cells(trial)) + " |" for trial in found),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
