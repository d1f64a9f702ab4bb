"""Warning about a value with > that was typed without quotes: the shell took the rest of it for the name of a file."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

import click

from quchong.errors import shell_word
from quchong.report.visible import Shown


def warn_if_redirected(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the value of --keep; print a warning if the shell seems to have read a `>` in it as a redirection.

    The command cannot see what the shell took away. A file without a suffix, behind a list of sources that has one, is most likely the
    rest of that list: `--keep source:a>b` without quotes writes the output to a file b.
    """
    last = (value or "").split(",")[-1]
    if value is not None and last.startswith("source:") and ">" not in last and (name := _file_of_output()) is not None:
        from quchong.cli.printing import say

        line = f"{param.opts[0]} {shell_word(f'{value}>{name}')}"
        say(
            "warning: standard output is written to the file {}; if this word is part of the value of {}, put "
            "the value into quotes: {}",
            name,
            param.opts[0],
            Shown(line),
            err=True,
        )
    return value


def _file_of_output() -> str | None:
    """Return the name without a suffix of the file that standard output goes to; None for a file with a suffix, and for a terminal."""
    with suppress(OSError, ValueError, AttributeError):
        number = sys.stdout.fileno()
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return None
        name = Path(os.readlink(f"/proc/self/fd/{number}")).name  # noqa: PTH115 - the link itself
        return None if "." in name else name
    return None
