"""Whether a terminal shows colours, and in which roles are drawn."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import click

ROLES: dict[str, dict[str, Any]] = {
    "head": {"bold": True},
    "both": {"fg": "green"},
    "passed": {"fg": "green"},
    "failed": {"fg": "red"},
    "soft": {"dim": True},
    "figure": {"fg": "red", "bold": True},
    "date": {"fg": "yellow", "bold": True},
    "name": {"fg": "magenta", "bold": True},
    "negation": {"fg": "bright_magenta", "bold": True, "underline": True},
    "wording": {"fg": "blue"},
    "noise": {"dim": True, "underline": True},
}
"""Of what is told, and of kinds of differences as `quchong.report.stretches.GROUPS` puts them together."""


def coloured() -> bool:
    """Is standard output a terminal, and does nothing forbid colours (NO_COLOR, TERM=dumb)?"""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint() -> Callable[[str, str], str]:
    """How a text of a role is drawn: in its colour, or as it is."""
    if not coloured():
        return lambda role, text: text
    return lambda role, text: click.style(text, **ROLES.get(role, {})) if text else text
