"""Language of the command line, and help texts in it.

Help texts are written in English where options and commands are defined. Before a command is used they are translated into the
chosen language; the English texts are stored, so that the next command may be in another language.
"""

from __future__ import annotations

import gettext
import inspect
import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click

from quchong.cli.argument_places import hyphened
from quchong.cli.completing import add_completion
from quchong.cli.examples import EXAMPLES
from quchong.cli.kinds import argument_metavar, metavar_of, own_kind, told_metavar
from quchong.cli.options import LANGUAGE
from quchong.cli.parameters import capital
from quchong.cli.wrapping import Context
from quchong.languages import (
    LANGUAGES,
    Language,
    Message,
    known_language,
    language,
    language_of_place,
    speaking,
    translated,
)
from quchong.languages.spoken import CATALOGUES
from quchong.report.visible import Shown

OPTIONS = ("--lang", "--language")
"""Names of the option: the usual one, and an older one."""
_ENGLISH, _METAVAR = "_english", "_metavar"
_LETTERS = 3
"""Most characters of a word with one dash that may be options of one letter, such as -qv."""


def asked_for(arguments: Sequence[str]) -> str | None:
    """Return the value of the last --lang on a command line, at any position, or None."""
    said = None
    given = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    for at, argument in enumerate(given):
        name, sign, value = argument.partition("=")
        if name in OPTIONS:
            said = value if sign else (given[at + 1] if at + 1 < len(given) else said)
    return said


def choose(
    arguments: Sequence[str], environment: Mapping[str, str] | None = None, stream: TextIO | None = None
) -> Language:
    """Return the language of a command line: that of --lang, else of QUCHONG_LANG, else of the locale.

    If only the locale asks for Chinese and the terminal has no Chinese characters, the language is English.
    """
    place = os.environ if environment is None else environment
    said = asked_for(arguments)
    if said in LANGUAGES:
        return "zh" if said == "zh" else "en"
    found = language_of_place(place)
    if found == "zh" and not known_language(place.get("QUCHONG_LANG", "")) and not writes(stream or sys.stdout):
        return "en"
    return found


def writes(stream: Any, sign: str = "文") -> bool:
    """Return True if the encoding of a stream has a sign, or if the stream has no encoding."""
    if not isinstance(stream, io.TextIOWrapper):
        return True
    try:
        sign.encode(stream.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


_told_so: list[click.Command] = []
"""Commands whose help was translated from English."""


@contextmanager
def spoken_as_asked(arguments: Sequence[str]) -> Iterator[None]:
    """Use the language of this command line in the block, also for the texts of click, which gettext looks up by the environment."""
    domain, before = gettext.textdomain(), os.environ.get("LANGUAGE")
    gettext.bindtextdomain("click", CATALOGUES)
    gettext.textdomain("click")
    try:
        with speaking(choose(arguments)):
            os.environ["LANGUAGE"] = language()
            yield
    finally:
        os.environ.pop("LANGUAGE", None)
        if before is not None:
            os.environ["LANGUAGE"] = before
        gettext.textdomain(domain)
        with speaking("en"):  # the language of the environment may be another one
            while _told_so:
                spoken(_told_so.pop())


def spoken(command: click.Command, group: str = "") -> click.Command:
    """Add --lang to a command and its subcommands, and translate their help into the chosen language; return the command.

    `group` is the name of the command that it is a subcommand of.
    """
    command.context_class = Context
    _show_examples(command, f"{group} {command.name}".strip())
    add_completion(command)
    _read_as_meant(command)
    if language() != "en":
        _told_so.append(command)
    if not any(option in param.opts for param in command.params for option in OPTIONS[:1]):
        command.params.append(lang_option())
    help, *others = vars(command).setdefault(_ENGLISH, english(command))
    command.help = told_help(help)
    command.options_metavar = told_metavar("[OPTIONS]")
    command.short_help, command.epilog = (text and translated(_flat(text)) for text in others)
    if isinstance(command, click.Group):
        command.subcommand_metavar = told_metavar("COMMAND [ARGS]...") or ""
    for param in command.params:
        param.type = own_kind(param.type)
        if isinstance(param, click.Argument):
            param.metavar = argument_metavar(param)
        if isinstance(param, click.Option):
            param.metavar = told_metavar(vars(param).setdefault(_METAVAR, metavar_of(param)))
            words = vars(param).setdefault(_ENGLISH, english(param))
            param.help = (
                capital(words.translation()) if isinstance(words, Message) else words and _translate(_flat(words))
            )
    if "_help_option" in vars(command):
        vars(command)["_help_option"] = None  # click keeps it, in the language of the command before
    for sub in getattr(command, "commands", {}).values():
        spoken(sub, command.name or "")
    return command


def _show_examples(command: click.Command, name: str) -> None:
    """Let the help of a command show its examples below its text; a command without examples, or that shows them, is left as it is.

    `name` is that of the command as it is typed behind `quchong`.
    """
    lines = EXAMPLES.get(name)
    if lines is None or "format_help_text" in vars(command):
        return
    text = command.format_help_text

    def with_examples(ctx: click.Context, formatter: click.HelpFormatter) -> None:
        text(ctx, formatter)
        with formatter.section(translated("Examples")):
            for line in lines:
                formatter.write(f"{' ' * formatter.current_indent}{line}\n")

    vars(command)["format_help_text"] = with_examples


def _read_as_meant(command: click.Command) -> None:
    """Let a command accept its options with _ for hyphens, and refuse those typed with dashes of a word processor."""
    if "parse_args" in vars(command) or isinstance(command, click.Group):
        return
    parse = command.parse_args

    def parse_args(ctx: click.Context, args: list[str]) -> list[str]:
        own = {flag for param in command.get_params(ctx) for flag in (*param.opts, *param.secondary_opts)}
        end = args.index("--") if "--" in args else len(args)
        words = [_option_meant(ctx, word, own, command) for word in args[:end]]
        try:
            rest = parse(ctx, [*words, *args[end:]])
        except click.BadOptionUsage as error:  # click does not say of which command
            error.ctx = error.ctx or ctx
            raise
        if not ctx.resilient_parsing and not ctx.params.get("quiet"):
            _note_foreign_names(words, command)
        return rest

    vars(command)["parse_args"] = parse_args


def _note_foreign_names(words: Sequence[str], command: click.Command) -> None:
    """Print a note for each option that was given by its name in another tool, such as --column."""
    from quchong.cli.printing import say
    from quchong.parameters.other_names import is_of_other_tool, name_elsewhere

    flags = {word.partition("=")[0] for word in words if word.startswith("--")}
    for param in command.params:
        for flag in sorted(flags & set(param.opts[1:])):
            if is_of_other_tool(flag):
                say("note: {}", name_elsewhere(flag, param.opts[0]), err=True)


def _option_meant(ctx: click.Context, word: str, own: set[str], command: click.Command) -> str:
    """Return a word of the command line, an option with hyphens in place of _.

    Raises:
        UsageError: an option with other dashes than hyphens, or with one where it needs two.
    """
    if word[:1] not in "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u30fc" or len(word) < 2:
        return word
    from quchong.cli.wrong_words import with_plain_dashes

    if (plain := with_plain_dashes(word, own)) is not None:
        raise click.UsageError(
            Message("{} begins with a dash that does not mark an option: type {}", word, plain).translation(), ctx
        )
    name, sign, value = word.partition("=")
    if len(name) > _LETTERS and f"-{name}".replace("_", "-") in own and word[0] == "-" != word[1]:
        long = Shown(f"-{name}".replace("_", "-") + sign + value)
        raise click.UsageError(
            Message("{} would be read as several options of one letter: type {}", word, long).translation(), ctx
        )
    hyphens = hyphened(name)
    if word.startswith("--") and "_" in name and name not in own and (hyphens in own or hasattr(command, "learn")):
        return hyphens + sign + value
    return word


def english(said: click.Command | click.Option) -> Any:
    """Return the original English help of a command (help, short help and epilog) or of an option."""
    if isinstance(said, click.Option):
        return vars(said).get(_ENGLISH, getattr(said, "words", None) or said.help)
    return vars(said).get(_ENGLISH, (said.help, said.short_help, said.epilog))


def lang_option() -> click.Option:
    """Return the option --lang, which every command has; its value was read earlier, by `choose`."""
    return click.Option([OPTIONS[0]], type=click.Choice(LANGUAGES), help=str(LANGUAGE), expose_value=False)


def paragraphs(help: str | None) -> list[str]:
    """Split a help text into paragraphs, each on one line, as in the catalogue."""
    return [_flat(part) for part in inspect.cleandoc(help).partition("\f")[0].split("\n\n")] if help else []


def told_help(help: str | None) -> str | None:
    """Translate the help of a command into the chosen language; None stays None."""
    return help if language() == "en" or help is None else "\n\n".join(map(translated, paragraphs(help)))


def _translate(words: str) -> str:
    """Translate a text by our catalogue, else by that of click; English stays as it is, without a look for catalogues on the disk."""
    if language() == "en":
        return words
    found = translated(words)
    return found if found != words else gettext.gettext(words)


def _flat(text: str) -> str:
    return text if "\n" not in text else " ".join(text.split())
