"""Experiment of a paper: its claims, a table of our figures, and plots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa

Scale: TypeAlias = Literal["quick", "paper", "full"]
"""Size of an experiment. quick: seconds. paper: the sizes the paper gives. full: the largest sizes stated for this project."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim of a paper: `setting` and `said` summarise its words; `note` is our comment."""

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
    """Results of an experiment: the table, remarks computed from the figures, and further tables by name."""

    table: pa.Table
    remarks: tuple[str, ...] = ()
    more: Mapping[str, pa.Table] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Published:
    """F1 that a paper gives for a system.

    Attributes:
        f1: the figure.
        source: the paper, and the collection and threshold of the figure.
    """

    f1: float
    source: str


SPOTSIGS = Published(0.94, "Theobald 2008: 2,160 English news pages, at 0.44; from memory")
"""The only F1 among the papers that their text gives; all others are curves, of which no figure can be read."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment of a paper.

    Attributes:
        name: name for `quchong lab run`, PAPER/WHAT.
        title, paper: one line each; the paper with its section or figure.
        claims: claims of the paper.
        plots: pictures of the table.
        run: (scale, seed) -> findings. Equal seeds give equal findings, except seconds and bytes.
        repeats: True if equal seeds give equal figures besides timings (`answers`); False if only times are measured.
        counts: (scale, seed) -> the figures that do repeat if `repeats` is False, such as numbers of pairs; None if there are none.
        systems: True if methods are compared on labelled documents, so that a further one can be measured, and the documents exported.
        published: F1 of papers by system, where one gives a figure that can be read. A name stands for all systems that begin with it
            and a comma, which have other parameters.
        texts: True if `run` also takes articles, a table of `title` and `text` (one paragraph a line), or None.
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
    systems: bool = False
    published: Mapping[str, Published] = field(default_factory=dict)
