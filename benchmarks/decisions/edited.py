"""Corpora of the pairs of `tools/edits`: real texts, each with a copy by one edit. Made where the shared data sets are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from corpora import Row

EDITS = Path(__file__).resolve().parents[2] / "tools" / "edits"
HALVES = {"tune": "tune", "report": "held"}
"""Names of the halves there."""


def cell_rows(kind: str, length: int, half: str, count: int) -> list[Row]:
    """Return the texts of a cell: rows of a pair have one original where the edit changes no fact.

    Raises:
        FileNotFoundError: the shared data sets are absent.
    """
    _find_modules()
    from bases import data_folder
    from cells import cell
    from kinds import GOES

    folder = data_folder()
    if folder is None:
        raise FileNotFoundError("the shared data sets are absent: set QUCHONG_SHARED to the folder above data/")
    rows = []
    name = f"{kind} {length}"
    for i, pair in enumerate(cell(folder, kind, length, HALVES[half], count=count)):
        first, second = f"{i:03d}a", f"{i:03d}b"
        rows.append({"id": first, "text": pair.original, "family": name, "half": half, "original": first, "copy": ""})
        copied = kind in GOES
        rows.append(
            {"id": second, "text": pair.edited, "family": name, "half": half}
            | {"original": first if copied else second, "copy": kind if copied else ""}
        )
    return rows


def cells(lengths: list[int], halves: list[str]) -> Iterator[tuple[str, int, str]]:
    """Yield kind, length and half of every cell that can be made with what is installed."""
    _find_modules()
    from kinds import lengths_of, made_here

    for kind in made_here():
        for length in lengths_of(kind, lengths):
            for half in halves:
                yield kind, length, half


def is_fact(kind: str) -> bool:
    """Return True if the edit changes a fact, so that both texts must stay."""
    _find_modules()
    from kinds import APART

    return kind in APART


def _find_modules() -> None:
    """Let the modules of tools/edits be imported by their plain names; those of this folder come first."""
    if str(EDITS) not in sys.path:
        sys.path.append(str(EDITS))
