"""Wrapping of help and paragraphs to the width of the terminal, where a Chinese character takes two columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

import click

from quchong.languages import language
from quchong.patterns import lazy_pattern

WIDEST = 100
"""Most columns of a help, on terminals that have so many."""
_WIDE = "\u2e80-\u303f\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
_CLOSING = "，。；：！？、）》〉】」』”’…"
_OPENING = "（《〈【「『“‘(["
_UNIT = lazy_pattern(rf"\s+|[{re.escape(_OPENING)}]*(?:[{_WIDE}]|[^\s{_WIDE}{_OPENING}{_CLOSING}]+)[{_CLOSING}]*|\S")
"""Pattern of a unit that is not broken: a word, or a Chinese character with its punctuation."""


def width(text: str) -> int:
    """Return the columns of a text on a terminal; wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def wrapped(text: str, columns: int) -> Iterator[str]:
    """Wrap a paragraph into lines of at most `columns` columns, broken at spaces and between Chinese characters.

    No line begins with closing or ends with opening punctuation. A unit wider than a line is cut.
    """
    line, used = "", 0
    for unit in _UNIT.findall(text):
        if unit.isspace():
            if line:
                line, used = line + unit, used + width(unit)
            continue
        if used + width(unit) > columns and line.strip():
            yield line.rstrip()
            line, used = "", 0
        for c in unit:
            if used + width(c) > columns and line:
                yield line
                line, used = "", 0
            line, used = line + c, used + width(c)
    if line.strip():
        yield line.rstrip()


class Formatter(click.HelpFormatter):
    """Formatter of help that counts columns, not characters, and ends headings in Chinese style; English help is left to click."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line that shows how a command is called."""
        super().write_usage(prog, args, prefix if language() == "en" else "用法：")

    def write_heading(self, heading: str) -> None:
        """Write the title of a group of options."""
        if language() == "en":
            super().write_heading(heading)
        else:
            self.write(f"{' ' * self.current_indent}{heading}：\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, wrapped by columns."""
        if language() == "en":
            super().write_text(text)
            return
        indent = " " * self.current_indent
        told = [
            "\n".join(indent + line for line in wrapped(" ".join(part.split()), self.width - len(indent)))
            for part in text.split("\n\n")
        ]
        self.write("\n\n".join(told) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of options or commands with their descriptions."""
        if language() == "en":
            super().write_dl(list(rows), col_max, col_spacing)
            return
        rows, indent = list(rows), " " * self.current_indent
        first = min(max((width(name) for name, _ in rows), default=0), col_max) + col_spacing
        for name, told in rows:
            lines = [" " * first + line for line in wrapped(told, max(self.width - first - 2, 10))]
            if lines and width(name) <= first - col_spacing:
                lines[0] = name + lines[0][width(name) :]
            else:
                lines.insert(0, name)
            self.write("".join(f"{indent}{line}\n" for line in lines))


class Context(click.Context):
    """Context of a called command, with help in its language."""

    formatter_class = Formatter

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        if self.max_content_width is None:
            self.max_content_width = WIDEST
