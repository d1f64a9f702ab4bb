"""Outputs whose runs were begun by this process and did not end."""

from __future__ import annotations

from pathlib import Path

UNFINISHED: list[Path] = []


def stopped_here() -> tuple[Path, ...]:
    """Return the outputs of runs that this process began and did not end, and that can be continued."""
    return tuple(UNFINISHED)
