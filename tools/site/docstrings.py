"""Docstrings of the house, which mark nothing but `code`, as reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

OPEN_NAMES = re.compile(r"^\s*(?:\*{0,2}\w+, )*\*{0,2}\w+,\s*$")
"""A line of names of arguments that the next line continues."""
CODE = re.compile(r"(`[^`]+`)")
SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Attributes):$")


def escaped(line: str) -> str:
    """Return a line in which only code in backticks is marked."""
    parts = CODE.split(line)
    for number in range(0, len(parts), 2):
        parts[number] = re.sub(r"([*|])", r"\\\1", re.sub(r"(\w)_(?!\w)", r"\1\\_", parts[number]))
    return "".join(parts)


def as_markup(lines: Sequence[str]) -> list[str]:
    """Return the lines of a docstring for Sphinx: nothing but code is marked, and names of one description are on one line.

    Lines of examples stay as they are.
    """
    made: list[str] = []
    example, names, section = False, "", ""
    for line in lines:
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if example:
            made.append(line)
            continue
        section = line.strip(":") if SECTION.match(line) else section if not line or line[0] == " " else ""
        if names:
            line, names = f"{names} {line.strip()}", ""
        if section == "Args" and OPEN_NAMES.match(line):
            names = line.rstrip()
            continue
        made.append(escaped(line))
    return [*made, names] if names else made


def process(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Rewrite the lines of a docstring where they are, as autodoc asks it of its listeners."""
    lines[:] = as_markup(lines)
