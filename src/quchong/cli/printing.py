"""Printing for people; every value is made safe for a terminal first (`quchong.report.visible`)."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from quchong.cli.colours import coloured
from quchong.cli.wrapping import width, wrapped
from quchong.errors import QuchongError
from quchong.languages import Message, several, translated
from quchong.outputs import spell_names
from quchong.report import summary
from quchong.report.stored_alarms import alarm_message
from quchong.report.summary import shown_alarms, summary_labels
from quchong.report.visible import Shown, compose, json_shown, message, shown_name

LABEL = 60
"""Most characters of an id that are shown in a table."""
NARROWEST = 40


def say(template: str, *values: Any, err: bool = False, fg: str | None = None, bold: bool | None = None) -> None:
    """Print one line from a template and values, as `compose` makes it: values from outside cannot control the terminal."""
    line = compose(template, *values)
    click.echo(click.style(line, fg=fg, bold=bold) if fg or bold else line, err=err)


def say_left_alone(messages: Iterable[str]) -> None:
    """Print on standard error the texts of a run that were asked for and not read, and why."""
    from quchong.cli.parameters import option_names

    names = option_names(click.get_current_context().command)
    for one in messages:
        say("{}", message(QuchongError("not read: {}", one).render_message(names)), err=True)


def say_note(error: QuchongError) -> None:
    """Print on standard error, as a note, what would be an error elsewhere; it names options as the command called has them."""
    from quchong.cli.parameters import option_names

    names = option_names(click.get_current_context().command)
    said = message(error.render_message(names))
    say("note: {}", said, err=True)


def prompt(words: str) -> None:
    """Print a question on standard error, without a line break."""
    click.echo(words, nl=False, err=True)


def say_json(value: Any, indent: int | None = None) -> None:
    """Print JSON with the exact values; characters that control a terminal are escaped as in JSON."""
    click.echo(json_shown(json.dumps(spell_names(value), ensure_ascii=False, indent=indent)))


def say_line(line: str) -> None:
    """Print a line that is JSON already; characters that control a terminal are escaped as in JSON."""
    click.echo(json_shown(line))


def say_script(lines: str) -> None:
    """Print a script made from a template of a library, with nothing from outside in it."""
    click.echo(lines)


COLUMNS = "columns"
"""Kind of the note that says which columns were taken, which comes first: whoever sees a wrong column need not read on."""


class Rendered(io.TextIOBase):
    """Text file that renders its input harmless, for libraries that print by themselves."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def write(self, text: str) -> int:
        """Write text in its harmless form; return its length."""
        from quchong.report.visible import visible

        self.file.write(visible(text))
        return len(text)

    def flush(self) -> None:
        """Flush the underlying file."""
        self.file.flush()


def columns() -> int:
    """Return the number of columns of the terminal; COLUMNS of the environment overrides it, and without a terminal it is 100."""
    return max(NARROWEST, shutil.get_terminal_size((100, 24)).columns)


def pad(text: str, columns: int) -> Shown:
    """Render a text and pad it with spaces to a number of columns."""
    shown = compose("{}", text) if isinstance(text, Message | Shown) else shown_name(text, LABEL)
    return Shown(shown + " " * max(0, columns - width(shown)))


def print_summary(manifest: Mapping[str, Any], biggest: list[tuple[str, int]], *, err: bool = False) -> None:
    """Print the columns that were found by usual names, the summary tables of a run, then its other alarms."""
    groups, told = summary(manifest, biggest), list(shown_alarms(manifest))
    print_alarms((alarm for alarm in told if alarm["kind"] == COLUMNS), err=err)
    widest = max((width(pad(label, 0)) for label in summary_labels(manifest, groups)), default=0)
    for title, rows in groups:
        say("{}", title, bold=True, err=err)
        for label, value in rows:
            say("  {}  {}", pad(label, widest), value, err=err)
    print_alarms((alarm for alarm in told if alarm["kind"] != COLUMNS), err=err)


def print_short_summary(manifest: Mapping[str, Any]) -> None:
    """Print the numbers of documents in one line, then the alarms without notes."""
    counts = manifest["counts"]
    bad = Message(", {:,} bad records", counts["skipped"]) if counts.get("skipped") else Message("")
    say("{:,} documents: {:,} kept, {:,} removed{}", counts["read"], counts["kept"], counts["removed"], bad)
    print_alarms(alarm for alarm in manifest["alarms"] if alarm.get("level") != "note")


def print_alarms(alarms: Iterable[Mapping[str, Any]], *, err: bool = False) -> None:
    """Print alarms in yellow, and notes without colour."""
    for alarm in alarms:
        note = alarm.get("level") == "note"
        kind, said = shown_name(translated(alarm["kind"])), shown_name(alarm_message(alarm).translation(), 1000)
        if note:
            say("note: {}: {}", kind, said, err=err)
        else:
            say("alarm: {}: {}", kind, said, err=err, fg="yellow")


def table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns, no wider than the terminal; long cells are wrapped. The first row is the head."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def cell(text: str) -> Text:
        return Text(compose("{}", text) if isinstance(text, Message | Shown) else shown_name(text, 1000))

    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    last = len(rows[0]) - 1
    for k, head in enumerate(rows[0]):
        made.add_column(cell(head), overflow="fold", no_wrap=k == 0 and last > 0)
    for row in rows[1:]:
        made.add_row(*(cell(text) for text in row))
    file = io.StringIO()
    Console(file=file, width=columns(), color_system=None, legacy_windows=False).print(made)
    for i, line in enumerate(file.getvalue().splitlines()):
        click.echo(click.style(line.rstrip(), bold=True) if i == 0 else line.rstrip())


def paragraph(text: str, indent: str = "") -> None:
    """Print text in lines no wider than the terminal; a `Message` is translated and filled."""
    shown = compose("{}", text) if isinstance(text, Message) else shown_name(text, 5000)
    for line in wrapped(shown, columns() - len(indent)):
        click.echo(indent + line)


def highlight() -> Any:
    """Return a function that marks shared passages: by colour on a terminal, by brackets if colours are off."""
    from quchong.report.terminal_marks import bracketed

    return (lambda text: click.style(text, fg="green")) if coloured() else bracketed


def say_pair(names: tuple[str, str], texts: tuple[str, str], passages: Sequence[Any], differences: Sequence[Any], shown: int,
             language: Any) -> None:  # fmt: skip
    """Print two texts, with shared passages and differences coloured, in two columns if the terminal is wide enough."""
    from quchong.cli.pairs import pair_lines

    for line in pair_lines(names, texts, passages, differences, shown, language, columns()):
        click.echo(line)


def say_skipped(count: int, listed: bool = False) -> None:
    """Print how many bad records were skipped; `listed` says that skipped.jsonl has them."""
    told = several("{:,} bad record was skipped", "{:,} bad records were skipped", count)
    say("{}; skipped.jsonl lists them" if listed else "{}", told)


def say_cut(characters: int, documents: int, emptied: int) -> None:
    """Print how many characters were cut out of how many documents, and how many of these have no letters left."""
    cut = several(
        "cut: {1:,} characters of {0:,} document", "cut: {1:,} characters of {0:,} documents", documents, characters
    )
    left = several("no letters are left in {:,} document", "no letters are left in {:,} documents", emptied)
    say("{}; {}", cut, left)
