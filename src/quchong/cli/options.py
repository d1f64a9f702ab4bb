"""Options that several commands share: columns of text, id and others, and the part of a page that is its text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from quchong.errors import Param, shell_word
from quchong.languages import LANGUAGES, Message
from quchong.report.visible import Shown

LANGUAGE = Message("Language.  [default: QUCHONG_LANG, or the locale]")


def option_shown(name: str, value: str) -> Shown:
    """Return a parameter and its value as the command line writes them, for a message.

    >>> print(option_shown("method", "minhash"))
    --method minhash
    """
    return Shown(f"--{name.replace('_', '-')} {shell_word(value)}")


def is_given(ctx: click.Context, name: str) -> bool:
    """Return True if the command line, a file of options or the environment gives a parameter a value."""
    return ctx.get_parameter_source(name) not in (None, click.core.ParameterSource.DEFAULT)


class OneName(click.Option):
    """Option with further names, used by other tools, of which the help shows only the first."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the first name and the help."""
        record = super().get_help_record(ctx)
        return None if record is None else (f"{self.opts[0]} {self.make_metavar(ctx)}", record[1])


class LocalPath(click.Path):
    """Path of a file or folder that is of this machine alone: an address is refused by its name, and shown without a password."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path.

        Raises:
            UsageError: it is an address.
        """
        if isinstance(value, str) and "://" in value and param is not None and param.name:
            from quchong.plan.parameters import PARAMETERS

            PARAMETERS["path"](Param(param.name), value)
        return super().convert(value, param, ctx)


class PathArgument(os.PathLike[str]):
    """Argument that names files, character for character; a Path would drop the last slash of a glob."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __fspath__(self) -> str:
        return self.text


def named_files(arguments: Iterable[str]) -> list[PathArgument]:
    """Wrap arguments as file names for the API, where a list of str would mean texts."""
    return [PathArgument(one) for one in arguments]


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def html_option(help: str) -> Decorator:
    """Return the option --html-key: column or key of web pages."""
    return click.option(
        "--html-key", "--html", "html", cls=OneName, metavar="NAME", default="html", show_default=True, help=help
    )


body_option: Decorator = click.option(
    "--body", type=click.Choice(["main", "accurate", "all"]), default="main", show_default=True,
    help=(
        "Text to read from a page: the article (main), the article as extracted by trafilatura (accurate), or "
        "all text (all)."
    ),
)  # fmt: skip
"""Option --body: the part of a page that is its text."""
language_option: Decorator = click.option("--lang", "--language", "lang", cls=OneName, type=click.Choice(LANGUAGES),
                                          expose_value=False, help=str(LANGUAGE))  # fmt: skip
"""Option --lang, with a second name that two commands had before all had it."""

texts_option: Decorator = click.option(
    "--texts", type=click.Path(path_type=Path), multiple=True, metavar="FOLDER",
    help="Folder with the texts that RUN does not store; quchong reads their present contents (repeatable).",
)  # fmt: skip
"""Option --texts, of commands that read a run folder, which may come from another person."""


_TEXT = click.option("--text-key", "--text", "--column", "--text-field", "text", cls=OneName, metavar="NAMES", default="text",
                     show_default=True, help="Columns of the text, separated by commas, or fields in columns: "
                                             "content.text.")  # fmt: skip
_FORMAT = click.option("--format", metavar="NAME",
                       type=click.Choice(["jsonl", "json", "csv", "tsv", "parquet", "arrow", "xlsx", "txt", "html", "warc"]),
                       help=(
                           "Format, if the file name does not show it: jsonl (stdin), json, csv, tsv, parquet, "
                           "arrow, xlsx, txt, html, warc."
                       ))  # fmt: skip
_ENCODING = click.option("--encoding", metavar="NAME",
                         help="Encoding of text, CSV and JSON lines.  [default: detected]")  # fmt: skip
_MAX_RECORD = click.option("--max-record", metavar="SIZE",
                           help="Skip larger records.  [default: memory/8, to 256M]")  # fmt: skip
_OTHERS: tuple[Decorator, ...] = (
    click.option("--id-key", "--id", "--id-field", "id", cls=OneName, metavar="NAME",
                 help="Column of the id.  [default: id, if there is one]"),
    click.option("--time-key", "--time", "time", cls=OneName, metavar="NAME", default="time", show_default=True,
                 help="Column of the time."),
    click.option("--source-key", "--source", "source", cls=OneName, metavar="NAME", default="source", show_default=True,
                 help="Column of the source."),
)  # fmt: skip


def counting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the text to a command: its column, pages, format, encoding, largest record."""
    return _TEXT(
        html_option("Column of web pages, read if a record has no text.")(
            body_option(_FORMAT(_ENCODING(_MAX_RECORD(command))))
        )
    )


def column_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for text, page, id, time and source columns to a command, and the part of a page that is its text."""
    for option in reversed(_OTHERS):
        command = option(command)
    return _TEXT(html_option("Column of web pages, read if a record has no text.")(body_option(command)))


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for text, id, time and source columns to a command."""
    for option in reversed(_OTHERS):
        command = option(command)
    return counting_options(command)
