"""Man pages from the helps of commands: a formatter that writes roff where click's writes columns."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from quchong.cli.main import COMMANDS
from quchong.cli.parameters import EVERYTHING
from quchong.languages import language, translated

HEADINGS = {
    "en": {
        "name": "NAME",
        "usage": "SYNOPSIS",
        "text": "DESCRIPTION",
        "examples": "EXAMPLES",
        "options": "OPTIONS",
        "see": "SEE ALSO",
    },
    "zh": {"name": "名称", "usage": "用法", "text": "说明", "examples": "示例", "options": "选项", "see": "另见"},
}
"""Titles of the sections of a page, as manuals of the language have them."""


def roff(text: str) -> str:
    """Escape a text for roff; a hyphen is one that can be copied and typed."""
    told = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^(?=[.'])", r"\\&", told)


class ManualFormatter(click.HelpFormatter):
    """Formatter of help that writes the sections of a man page."""

    def __init__(self) -> None:
        super().__init__(width=10_000)  # click breaks nothing: roff does
        self._opened = False

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how the command is called, and begin its description."""
        words = HEADINGS[language()]
        self.write(f".SH {words['usage']}\n.B {roff(prog)}\n{roff(args)}\n.SH {words['text']}\n")

    def write_heading(self, heading: str) -> None:
        """Begin a group of options, or the list of commands."""
        self.write(f".SS {roff(heading)}\n")

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Write a section: examples by themselves, all groups of options and commands in one."""
        words = HEADINGS[language()]
        if name == translated("Examples"):
            self.write(f".SH {words['examples']}\n.nf\n")
            yield
            self.write(".fi\n")
            return
        if not self._opened:
            self.write(f".SH {words['options']}\n")
        if self._opened or name not in {gettext.gettext("Options"), translated("Options")}:
            self.write_heading(name)
        self._opened = True
        yield

    def write_paragraph(self) -> None:
        """Write nothing: paragraphs are begun by `write_text`."""

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        for part in text.split("\n\n"):
            if part.strip():
                self.write(f".PP\n{roff(' '.join(part.split()))}\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options or commands with their descriptions."""
        for name, told in rows:
            self.write(f".TP\n.B {roff(name)}\n{roff(' '.join(told.split())) or chr(92) + '&'}\n")


def page(words: tuple[str, ...], command: click.Command) -> str:
    """Return the man page of a command in the chosen language; `words` are those that call it."""
    above = None
    for word in words[:-1]:  # the usage line of a command begins with the words of its groups
        above = click.Context(click.Group(word), info_name=word, parent=above)
    context = click.Context(command, info_name=words[-1], parent=above)
    context.meta[EVERYTHING] = True  # a manual has every option, as --help-all shows them
    formatter = ManualFormatter()
    command.format_help(context, formatter)
    body = re.sub(r"(?m)^ +(?=quchong)", "", formatter.getvalue())
    name, titles = "-".join(words), HEADINGS[language()]
    body = re.sub(r"(\.SH \S+)\n\.PP\n", r"\1\n", body)  # a section begins with a paragraph of its own
    head = f'.TH {roff(name.upper())} 1 "" quchong\n.SH {titles["name"]}\n{roff(name)} \\- {roff(_short(words, command))}\n'
    others = ["quchong-" + other for other in COMMANDS if other != "lab"] if len(words) == 1 else ["quchong"]
    others += ["-".join((*words, sub)) for sub in getattr(command, "commands", {})]
    if len(words) == 3:
        others.append("-".join(words[:2]))
    see = ",\n".join(f".BR {roff(other)} (1)" for other in others)
    return f"{head}{body}.SH {titles['see']}\n{see}\n"


def _short(words: tuple[str, ...], command: click.Command) -> str:
    """Return the one line that the list of commands has for a command."""
    if len(words) == 1:
        return (command.help or "").partition("\n")[0].rstrip(".。")
    return (translated(COMMANDS[words[1]]) if len(words) == 2 else command.get_short_help_str(200)).rstrip(".。")
