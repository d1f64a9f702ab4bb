"""Outputs whose runs were begun by this process and did not end."""

from __future__ import annotations

from pathlib import Path

UNFINISHED: list[Path] = []


def stopped_here() -> tuple[Path, ...]:
    """Outputs of runs this process began and did not end, and that go on with what they have kept when they are called again."""
    return tuple(UNFINISHED)
