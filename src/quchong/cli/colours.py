"""Colours of terminals: whether they are used, and the style of each role."""

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
"""Styles by role: roles of printed lines, and groups of differences as in `quchong.report.marked_html.GROUPS`."""


def coloured() -> bool:
    """Return True if standard output is a terminal and colours are not forbidden (NO_COLOR, TERM=dumb)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint() -> Callable[[str, str], str]:
    """Return a function (role, text) that colours a text by its role, or returns it unchanged if colours are off."""
    if not coloured():
        return lambda role, text: text
    return lambda role, text: click.style(text, **ROLES.get(role, {})) if text else text
