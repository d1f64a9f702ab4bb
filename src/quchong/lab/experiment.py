"""An experiment: a claim of a paper, a table with our figures beside it, and plots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import pyarrow as pa

Scale: TypeAlias = Literal["quick", "paper", "full"]
"""quick: a look, in seconds. paper: the sizes the paper gives. full: the largest sizes stated for this project."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the paper says. `setting` and `said` are its words in short; `note` is what we know of it."""

    where: str
    setting: str
    said: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """Columns of the table to draw: y over x, one line for each value of `series` (several columns are joined).

    `paper` gives points of the paper, as (x, y, label), drawn as crosses.
    """

    x: str
    y: str
    series: tuple[str, ...] = ()
    log_x: bool = False
    log_y: bool = False
    paper: tuple[tuple[float, float, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """What a run of an experiment gives: the table, remarks that depend on the figures, and further tables by name."""

    table: pa.Table
    remarks: tuple[str, ...] = ()
    more: Mapping[str, pa.Table] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment of a paper.

    Attributes:
        name: as `quchong lab run` takes it, PAPER/WHAT.
        title, paper: one line each; the paper with its section or figure.
        claims: what the paper says.
        plots: pictures of the table.
        run: (scale, seed) -> findings. Deterministic for equal seed but for seconds and bytes.
        repeats: equal seeds give equal figures, timings aside (`answers`); not so where only times are measured.
        counts: (scale, seed) -> what stays the same where the figures do not: what was counted beside the times. None: nothing.
        texts: `run` also takes articles to work on, a table of `title` and `text` (one paragraph a line), or None.
    """

    name: str
    title: str
    paper: str
    claims: tuple[Claim, ...]
    plots: tuple[Plot, ...]
    run: Callable[..., Findings]
    texts: bool = False
    repeats: bool = True
    counts: Callable[[Scale, int], Findings] | None = None
