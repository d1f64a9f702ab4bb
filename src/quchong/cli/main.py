"""Commands of `quchong`; each is imported when it is called, so that `--help` answers at once."""

from __future__ import annotations

import importlib
import io
import os
import re
import stat
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, NoReturn, cast

import click
from click.shell_completion import CompletionItem

from quchong.cli.examples import EXAMPLES
from quchong.cli.failures import failure_of_file, is_of_standard_output
from quchong.cli.interrupt import INTERRUPTED, interruptible
from quchong.cli.leaving import leave
from quchong.cli.printing import Rendered, say
from quchong.cli.speech import spoken, spoken_as_asked
from quchong.errors import (
    InputError,
    NoSuchFile,
    OutputError,
    QuchongError,
    RunError,
    UsageError,
    is_of_system,
    meant,
    shell_word,
)
from quchong.garbage import collect_rarely
from quchong.languages import Message, join_names, language, translated
from quchong.languages.message import SYSTEM
from quchong.outputs import placed_here, stopped_here
from quchong.patterns import lazy_pattern
from quchong.report.visible import Shown, message, visible
from quchong.runs.command_line import made_by

COMMANDS = {
    "dedup": "Find copies, keep the best of each, and record why the others were removed.",
    "resume": "Resume a run that was stopped.",
    "index": "Store the documents seen so far in an index, and find copies of new documents as they arrive.",
    "serve": "Answer over HTTP whether a document was seen before.",
    "access": "Manage who may call a service: tokens and their roles.",
    "filter": "Remove exact repeats from a stream of short texts.",
    "explain": "Show why a document was removed or kept, and what it is a copy of.",
    "templates": "Show the templates of a run: frames, slots and what fills them.",
    "report": "Show a run as a web page, or list its removals in a workbook.",
    "review": "Decide on removals and label pairs in a browser.",
    "chains": "Show who copied whom: first publisher, order, sources, changes.",
    "eval": "Evaluate runs with labels: precision, recall, clusters, wrong removals.",
    "tune": "Recommend a threshold from one half of the labels, and test it on the other half.",
    "verify": (
        "Decide the removals of a run again from the texts, and find kept documents that are worse than one "
        "of their removed copies."
    ),
    "restore": "Put removed rows back into a run.",
    "compare": "Compare two texts or web pages.",
    "inspect": "Show what a method compares in one or two texts, and how it decides.",
    "decontaminate": "Find the items of test sets in a training corpus, and remove them.",
    "passages": "Show the passages that two texts share, or all repeated passages of a corpus.",
    "statistics": "Count document frequencies for --weights idf.",
    "methods": "List the methods: what each finds, what it costs, and the paper it comes from.",
    "doctor": "Show versions, extras and the limits of this machine, and find what is broken.",
    "completion": "Print the script that lets a shell complete quchong commands.",
    "lab": "Run the experiments of the papers, and show tables and plots next to the published ones.",
}

_USUAL = ("dedup", "report", "explain", "compare", "index", "filter", "passages", "decontaminate", "methods")
"""Commands that are named after a word that is like none."""
PACKAGES = {"lab": "quchong_lab.command"}
"""Modules of the commands that are in packages of their own, which may be missing (docs/decisions/0137)."""

EPILOG = Message(
    "Exit codes: 0 success; 1 internal error or out of memory; 2 wrong usage; 3 input unreadable, or without "
    "any record; 4 output cannot be written; 5 missing or damaged run folder or index; 6 something named by "
    "--fail-on happened; 7 doctor found something broken; 130 stopped by Ctrl-C."
)


class LazyCommands(click.Group):
    """Group of commands that knows their names and short helps, and imports a command's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of commands in the order of their use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command and return it, with help in the chosen language; None for the name of no command.

        Raises:
            UsageError: a name that is like one of a command, or a command of a package that is not installed.
        """
        if cmd_name not in COMMANDS:
            from quchong.cli.wrong_words import command_for, command_meant, instead_of_command

            words = sys.argv[1:]
            rest = words[words.index(cmd_name) + 1 :] if cmd_name in words else []
            if "\u3000" in cmd_name:  # the blank of a Chinese keyboard
                typed = " ".join(["quchong", *cmd_name.split("\u3000"), *rest])
                raise click.UsageError(
                    Message(
                        "No such command {!r}{}", cmd_name, Message("; did you mean {}?", Shown(typed))
                    ).translation(),
                    ctx,
                )
            if (named_data := command_for(cmd_name, rest)) is not None:
                said = Message("No such command {!r}; try {}", cmd_name, Shown(named_data))
                raise click.UsageError(said.translation(), ctx)
            if (other_way := instead_of_command(cmd_name, rest)) is not None:
                raise click.UsageError(Message("No such command {!r}; {}", cmd_name, other_way).translation(), ctx)
            line = command_meant(cmd_name, rest)
            near = meant(cmd_name, COMMANDS) if line is None else Message("; did you mean {}?", Shown(line))
            if near:
                raise click.UsageError(Message("No such command {!r}{}", cmd_name, near).translation(), ctx)
            usual = Message("No such command {!r}; the usual ones are {}", cmd_name, join_names(_USUAL))
            raise click.UsageError(usual.translation(), ctx)
        name = PACKAGES.get(cmd_name, f"quchong.cli.{cmd_name}")
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if cmd_name not in PACKAGES or error.name != name.partition(".")[0]:
                raise
            raise UsageError(
                "quchong {} is in the package quchong-{}: install it with pip install ./packages/{} in the source folder of quchong",
                cmd_name, cmd_name, cmd_name,
            ) from error  # fmt: skip
        module.command.name = cmd_name
        return spoken(module.command)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that complete a word, without importing a command."""
        names = [name for name in COMMANDS if name.startswith(incomplete) and not incomplete.startswith("-")]
        found = [CompletionItem(name, help=translated(COMMANDS[name])) for name in names]
        return found or click.Command.shell_complete(self, ctx, incomplete)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of a command; addresses of this machine, such as file:///tmp/x, become the paths that they name."""
        return super().parse_args(ctx, [_local_word(word) for word in args])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors name parameters by their options, and run.json records the command line."""
        _check_current_folder()
        try:
            with made_by(sys.argv[1:]):
                return super().invoke(ctx)
        except OSError as error:
            if not is_of_system(error) or not is_of_standard_output(error):
                raise
            raise StandardOutputError from error
        except QuchongError as error:
            # The command itself may be what is not installed.
            command = self.get_command(ctx, ctx.invoked_subcommand) if ctx.invoked_subcommand else None
            if command is not None:
                from quchong.cli.parameters import option_names

                error.args = (Message("{}", error.render_message(option_names(command))),)
            if isinstance(error, RunError) and ctx.invoked_subcommand not in ("index", "serve"):
                from quchong.cli.missing_runs import run_meant

                if (said := run_meant(sys.argv[1:])) is not None:
                    error.args = (said,)
            if isinstance(error, NoSuchFile) and (hint := _missing_path(error)) is not None:
                error.args = (Message("{}: no such file; {}", *hint),)
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section(translated("Commands")):
            formatter.write_dl([(name, translated(words)) for name, words in COMMANDS.items()])


def _check_current_folder() -> None:
    """Raise an InputError if the current folder was removed: no relative path has a meaning then, and Java does not start."""
    if {"-h", "--help", "--help-all"} & set(sys.argv[1:]):
        return
    try:
        Path.cwd()
    except FileNotFoundError:
        raise InputError("the current folder no longer exists: change to another one, such as cd ~") from None


def _missing_path(error: NoSuchFile) -> tuple[str, Message] | None:
    """Return the path of an error and what to do about it; None if nothing is known."""
    from quchong.cli.missing_paths import path_hint

    words = sys.argv[1:]
    hint = path_hint(error.path, words)
    return None if hint is None else (error.path, hint)


def _local_word(word: str) -> str:
    """Return a word of the command line, of the form file://..., -ofile://... or --output=file://..., with a plain path."""
    found = re.match(r"(-[a-zA-Z]|--[a-z-]+=)?((?:file|local)://)", word, re.IGNORECASE)
    if found is None:
        return word
    from quchong.io.files.addresses import is_address, local_spelling

    given = word[found.start(2) :]
    if is_address(given):
        from quchong.io.files.stores import unknown_protocol

        raise UsageError("{}: {}", given, unknown_protocol(given))
    return f"{found[1] or ''}{local_spelling(given)}"


@click.group(
    cls=LazyCommands,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="quchong")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Finds, explains and removes copies in text: exact copies, near-duplicates and contained documents.

    Works on Chinese, English and mixed text without a language option.
    """
    if ctx.invoked_subcommand is None:
        from quchong.cli.welcome import print_welcome

        print_welcome()


def run() -> NoReturn:
    """Run the command `quchong` (see `main`), then end the process with its exit code."""
    code: int | str | None = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    leave(code if isinstance(code, int) else 0 if code is None else 1)


def main() -> None:
    """Run a command; errors become one line and an exit code."""
    _printable()
    collect_rarely()
    with spoken_as_asked(sys.argv[1:]), interruptible():
        spoken(cli)
        _run()


def _run() -> None:
    before, begun = len(placed_here()), len(stopped_here())
    try:
        cli.main(prog_name="quchong", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        done = ", ".join(str(place) for place in placed_here()[before:])
        if done:
            say("\nquchong: stopped; {} was written and is complete", done, err=True)
        else:
            say("\nquchong: stopped; no output was written or changed", err=True)
        _say_kept(begun)
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        if _shows_help(error):
            error.show(cast(IO[str], Rendered(sys.stderr)))
        else:
            _complain(usage_line(error))
        sys.exit(error.exit_code)
    except QuchongError as error:
        _complain(message(error.render_message(str)))
        _say_kept(begun)
        sys.exit(error.exit_code)
    except (StandardOutputError, OSError) as error:
        if isinstance(error, OSError) and not is_of_system(error):
            _tell_failure(error)
        if isinstance(error, OSError) and not is_of_standard_output(error):
            _complain(failure_of_file(error))
            _say_kept(begun)
            sys.exit(OutputError.exit_code)
        _give_up_output()
        cause = error.__cause__ if isinstance(error, StandardOutputError) else error
        if isinstance(cause, BrokenPipeError):
            sys.exit(0)
        said = translated(cause.strerror or str(cause), SYSTEM) if isinstance(cause, OSError) else str(cause)
        say("quchong: standard output cannot be written: {}", message(said), err=True)
        sys.exit(OutputError.exit_code)
    except MemoryError:
        say("quchong: not enough memory: free memory, or split the input and run the parts one by one (dedup: "
            "give the kept rows of finished parts with --against)", err=True)  # fmt: skip
        _say_kept(begun)
        sys.exit(1)
    except Exception as error:
        _tell_failure(error)


def _tell_failure(error: Exception) -> NoReturn:
    """Print an error that no command expects with its lines, and end with code 1."""
    sys.stderr.write(visible(traceback.format_exc()))
    say("quchong: internal error: {}. Please report it together with the lines above.", message(repr(error)), err=True)
    sys.exit(1)


def _complain(said: object) -> None:
    """Print one line of an error on standard error; print nothing if the reader of a pipe has closed it."""
    try:
        say("quchong: {}", said, err=True)
    except OSError:
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


class StandardOutputError(Exception):
    """Error of standard output, whose cause is the OSError; click would end the command for it by itself."""


def _give_up_output() -> None:
    """Send what is still to be written to standard output nowhere."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _option_before_command(error: click.NoSuchOption, help_line: Shown) -> Message | None:
    """Return the line of an error about an option in front of the command; None if nobody knows what was meant."""
    from quchong.cli.wrong_options import hint_before_command

    found = hint_before_command(error.option_name, sys.argv[1:], list(COMMANDS)) or _command_of(error.option_name)
    return None if found is None else Message("no option {}: {}; see {}", error.option_name, found, help_line)


def _command_of(option: str) -> Message | None:
    """Return the line that does what an option without a command is tried for, such as -v; None if nobody knows."""
    from quchong.cli.wrong_words import command_meant

    line = command_meant(option.lstrip("-"), [])
    return None if line is None else Message("did you mean {}?", Shown(line))


def _all_commands(ctx: click.Context) -> dict[str, click.Command]:
    """Return all commands by their names, those of a group behind its name; without those of packages that are not installed."""
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        with suppress(UsageError):
            command = cli.get_command(ctx, name)
            if command is not None:
                found[name] = command
            if isinstance(command, click.Group):
                found |= {f"{name} {below}": one for below, one in command.commands.items()}
    return found


_ASIDE = lazy_pattern(r"[.。]( ?[(（])")
"""A full stop before words in brackets, which belong to its sentence."""
_ITEMS = lazy_pattern(r"(?<=['\"]), (?=['\"])")
"""The comma between quoted names of a list."""


def _shows_help(error: click.ClickException) -> bool:
    """Return True if a command without any argument was called, for which its help is shown."""
    return type(error).__name__ == "NoArgsIsHelpError"


def usage_line(error: click.ClickException) -> Message:
    """Return an error of click as one line in the style of all errors, with the help command to read."""
    from quchong.cli.extra_words import extra_words
    from quchong.cli.unknown_options import unknown_option_line
    from quchong.cli.wrong_options import similar_options
    from quchong.cli.wrong_words import choices_of, wants_value

    if isinstance(error, click.NoSuchOption) and error.possibilities:
        near = similar_options(error.option_name, error.possibilities)
        error = click.NoSuchOption(error.option_name, possibilities=near or None, ctx=error.ctx)
    said = (
        choices_of(error)
        or wants_value(error)
        or _ASIDE.sub(r"\1", " ".join(error.format_message().split())).rstrip(".。")
    )
    if language() == "zh":  # click joins with English commas and blanks
        said = _ITEMS.sub("、", said).replace(" （", "（")
    if said[:1].isupper() and said[1:2].islower():
        said = said[:1].lower() + said[1:]
    ctx = getattr(error, "ctx", None)
    if ctx is None:
        return Message("{}", Shown(visible(said)))
    help_line = Shown(f"{ctx.command_path} --help")
    if (more := extra_words(error, sys.argv[1:])) is not None:
        return Message("{}; see {}", more, help_line)
    if isinstance(error, click.NoSuchOption):
        in_group = isinstance(ctx.command, LazyCommands)
        line = (
            _option_before_command(error, help_line)
            if in_group
            else unknown_option_line(error, ctx, sys.argv[1:], partial(_all_commands, ctx.find_root()))
        )
        if line is not None:
            return line
    if isinstance(error, click.MissingParameter):
        return _missing_line(error, ctx, Shown(visible(said)))
    asks = said.endswith(("?", "？"))
    return (
        Message("{} See {}", Shown(visible(said)), help_line)
        if asks
        else Message("{}; see {}", Shown(visible(said)), help_line)
    )


def _missing_line(error: click.MissingParameter, ctx: click.Context, said: Shown) -> Message:
    """Return the line of an error about a missing argument or option, with an example."""
    from quchong.cli.extra_words import command_completed
    from quchong.cli.wrong_words import to_new_folder

    if _has_piped_input(error, ctx):
        line = " ".join(["quchong", *map(shell_word, sys.argv[1:]), "-"])
        return Message("{}; for standard input, write {}: {}", said, "-", Shown(line))
    if error.param is not None and error.param.name == "against":
        said = Shown(
            Message(
                "{}: the corpus is given without an option, and the test sets with {}", said, "--against"
            ).translation()
        )
    own = command_completed(error, ctx, sys.argv[1:])
    if ctx.command_path == "quchong explain" and (id := _id_without_run(sys.argv[2:])):
        said = Shown(Message("no run folder is named before the id {}", id).translation())
        if own is None or not own.endswith(f" {shell_word(id)}"):
            own = f"quchong explain run/ {shell_word(id)}"
    if own:
        return Message("{}; see {}, or try: {}", said, Shown(f"{ctx.command_path} --help"), Shown(own))
    example = [to_new_folder(line) for line in EXAMPLES.get(ctx.command_path.removeprefix("quchong "), ())[:1]]
    if example:
        return Message("{}; see {}, or try: {}", said, Shown(f"{ctx.command_path} --help"), Shown(example[0]))
    return Message("{}; see {}", said, Shown(f"{ctx.command_path} --help"))


def _id_without_run(words: Sequence[str]) -> str:
    """Return the only argument among the words of a command if it is an id, not the path of something; "" otherwise."""
    given = [one for one in words if not one.startswith("-")]
    return given[0] if len(given) == len(words) == 1 and not os.path.lexists(given[0]) and "/" not in given[0] else ""


def _has_piped_input(error: click.MissingParameter, ctx: click.Context) -> bool:
    """Return True if a command lacks its inputs, and standard input is a pipe or a file."""
    from quchong.cli.index_opening import is_index

    if error.param is None or error.param.name != "inputs":
        return False
    if ctx.command_path.startswith("quchong index ") and not (len(sys.argv) > 3 and is_index(Path(sys.argv[3]))):
        return False
    with suppress(OSError, ValueError, AttributeError):
        mode = os.fstat(sys.stdin.fileno()).st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)
    return False


def _say_kept(before: int) -> None:
    """Print how to continue each run that was interrupted; the first `before` of them are old."""
    for out in stopped_here()[before:]:
        say(
            "the finished work is stored: to continue, give the same command again, or run quchong resume {}",
            shell_word(out),
            err=True,
        )


def _printable() -> None:
    """Let standard output and error escape characters that their encoding lacks, which would otherwise end the command with an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    run()
