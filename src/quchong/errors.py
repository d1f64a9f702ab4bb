"""The error tree. Every error names the place and the remedy.

    QuchongError
    ├── UsageError            an option, policy or name that cannot be used (exit code 2)
    ├── InputError            a file that cannot be read as what it is said to be (exit code 3)
    │   └── InputChanged      a file that changed between the two passes over it
    ├── OutputError           a place that cannot be written: exists, full, forbidden (exit code 4)
    └── RunError              a run folder that is missing, foreign or damaged (exit code 5)

A single bad record is no error: it is counted, listed in ``skipped.jsonl`` and kept there.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class QuchongError(Exception):
    """Base of every error this package raises on purpose; `exit_code` is what the CLI returns."""

    exit_code = 1


class UsageError(QuchongError):
    """An option, policy or name that cannot be used; the message says what would be accepted."""

    exit_code = 2


class InputError(QuchongError):
    """An input that cannot be read at all; the message names the file and the remedy."""

    exit_code = 3


class InputChanged(InputError):
    """An input file changed between the pass that reads it and the pass that copies its rows."""


class OutputError(QuchongError):
    """An output that cannot be written: it exists, the disk is full, or it is forbidden."""

    exit_code = 4


class RunError(QuchongError):
    """A run folder that is missing, not ours, or damaged."""

    exit_code = 5


def meant(given: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` for an error about a name, where a known name is like the one given; else nothing."""
    near = difflib.get_close_matches(given, list(known), n=2, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""
