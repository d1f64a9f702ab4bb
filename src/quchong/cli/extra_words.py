"""Advice about a word too many, or about one that was given instead of a missing argument or option."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from gettext import ngettext
from pathlib import Path

import click

from quchong.cli.argument_places import argument_places
from quchong.cli.examples import EXAMPLES
from quchong.cli.meant_options import line_with_method, method_among
from quchong.cli.truth import LABEL_FILE
from quchong.errors import shell_word
from quchong.languages import Message
from quchong.report.visible import Shown

_LIKE_FOLDERS = ("run/", "passages/", "clean/")
"""Values of `-o` in examples that are folders: a name with the ending of a file becomes one."""


def command_completed(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the command line with what it lacks, made of its own words; None if only an example can show it.

    Args:
        error: that of click; ctx: the context of the command; argv: the words of the command line.
    """
    return (
        command_with_labels(error, ctx, argv)
        or _command_with_index(error, ctx, argv)
        or _command_with_file(error, ctx, argv)
        or _command_of_records(error, ctx, argv)
        or _command_with_test_sets(error, ctx, argv)
        or _command_with_option(error, ctx, argv)
        or _command_with_id(error, ctx, argv)
        or _command_with_own_words(error, ctx, argv)
    )


def _command_with_id(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the command line with an id of the run or the index that it names, or with a run before the id; None for other lines."""
    from quchong.cli.completing import known_ids
    from quchong.cli.missing_runs import runs_here

    words = [argv[at] for at in argument_places(ctx.command, argv)]
    if error.param is None or error.param.name != "ids" or len(words) != 1:
        return None
    (word,) = words
    if os.path.isdir(word):
        found = known_ids(Path(word), "")[:1]
        return " ".join([ctx.command_path, shell_word(word), *map(shell_word, found)]) if found else None
    if os.path.exists(word) or "/" in word or not (runs := runs_here()):
        return None
    holding = next((one for one in runs if word in known_ids(Path(one), word)), runs[0])
    return " ".join([ctx.command_path, holding, shell_word(word)])


def _command_with_own_words(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the example of a command with the arguments that the line has in place of the first ones of the example."""
    lines = EXAMPLES.get(ctx.command_path.removeprefix("quchong "), ())
    own = [argv[at] for at in argument_places(ctx.command, argv)]
    if not isinstance(error.param, click.Argument) or not lines or not own or "|" in lines[0]:
        return None
    begin = len(ctx.command_path.split())
    words = lines[0].split()
    places = [begin + at for at in argument_places(ctx.command, words[begin:])]
    if len(places) <= len(own):
        return None
    for place, word in zip(places, own, strict=False):
        words[place] = shell_word(word)
    return " ".join(words)


def command_with_labels(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the command line with the option for labels before the last file named; None if no file could be theirs.

    Args:
        error: that of click; ctx: the context of the command; argv: the words of the command line.
    """
    if error.param is None or error.param.name != "truth":
        return None
    files = [word for word in argv[1:] if not word.startswith("-") and LABEL_FILE.search(word)]
    others = [word for word in argv[1:] if not word.startswith("-") and word not in files]
    if ctx.command.name == "tune":  # it reads a corpus, which is a file too
        files, others = files[1:], files[:1] or others
    if not files:
        return None
    shown = map(shell_word, others or ["run/" if ctx.command.name == "eval" else "news.jsonl"])
    return " ".join([ctx.command_path, *shown, "--truth", shell_word(files[-1])])


def _command_with_index(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the command line with an index before the file that was named in its place; None if none was."""
    from quchong.cli.index_opening import is_index

    if error.param is None or error.param.name != "inputs" or not ctx.command_path.startswith("quchong index "):
        return None
    files = [
        word for word in argv[2:] if not word.startswith("-") and os.path.exists(word) and not is_index(Path(word))
    ]
    return " ".join([ctx.command_path, "seen/", *map(shell_word, files)]) if files else None


def _command_of_records(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the command line that compares the records of a file with each other, for `compare` with a file of records alone."""
    from quchong.cli.wrong_words import DATA

    words = [argv[at] for at in argument_places(ctx.command, argv)]
    if ctx.command_path != "quchong compare" or len(words) != 1 or not words[0].lower().endswith(DATA):
        return None
    return f"quchong dedup {shell_word(words[0])}"


def _command_with_file(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the command line with the file of the example before a word that was given in its place; None if none was.

    `quchong access add alice` names a caller where the file of callers belongs.
    """
    arguments = [param for param in ctx.command.params if isinstance(param, click.Argument)]
    if len(arguments) != 2 or error.param is not arguments[1] or arguments[0].name != "file":
        return None
    (word, *_) = [argv[at] for at in argument_places(ctx.command, argv)] or [""]
    lines = EXAMPLES.get(ctx.command_path.removeprefix("quchong "), ())
    if not word or not lines or Path(word).suffix or "/" in word or os.path.exists(word):
        return None
    file = lines[0].split()[len(ctx.command_path.split())]
    at = argv.index(word)
    return " ".join(["quchong", *map(shell_word, argv[:at]), file, *map(shell_word, argv[at:])])


def _command_with_test_sets(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the line of `decontaminate` with the files that are test sets by their columns behind --against; None if no file is one."""
    if ctx.command_path != "quchong decontaminate" or error.param is None or error.param.name != "against":
        return None
    from quchong.engines.contamination.exchange import test_sets_among

    places = argument_places(ctx.command, argv)
    tests = test_sets_among([argv[at] for at in places])
    if not tests:
        return None
    others = [word for at, word in enumerate(argv) if at not in places or word not in tests]
    example = [] if len(places) > len(tests) else ["corpus.jsonl"]
    behind = [word for one in tests for word in ("--against", shell_word(one))]
    return " ".join(["quchong", *map(shell_word, others), *example, *behind])


def _command_with_option(error: click.MissingParameter, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the command line with a missing option before the word that is its value, or with the value of the example."""
    option = error.param
    lines = EXAMPLES.get(ctx.command_path.removeprefix("quchong "), ())
    if not isinstance(option, click.Option) or not lines:
        return None
    flag = next((one for one in option.opts if any(f" {one} " in line for line in lines)), None)
    if flag is None or len(argv) <= len(ctx.command_path.split()) - 1 or any("://" in word for word in argv):
        return None  # an address may have a password
    line = next(one for one in lines if f" {flag} " in one)
    value, *rest = line.split(f" {flag} ")[1].split()
    words = list(argv)
    several = any(param.nargs == -1 for param in ctx.command.params)
    plain = argument_places(ctx.command, argv)
    if (extra := extra_word(ctx.command, argv)) is not None:
        words.remove(extra)
        value = _value_of(option, extra) or value
    elif several and option.name == "against" and len(plain) > 1:
        value = words.pop(plain[-1])
    if flag == "-o":
        value = _output(value, line.split(" -o ")[1].split()[0])
    return " ".join(["quchong", *map(shell_word, words), flag, shell_word(value), *rest])


def _value_of(option: click.Option, word: str) -> str | None:
    """Return a word as a value of an option: 30d for 一个月 where a span is asked for; None if the option does not take it."""
    if option.name == "older_than":
        from quchong.plan.plan import span_meant

        return span_meant(word)
    return word if fits(option, word) else None


def fits(option: click.Option | None, value: str) -> bool:
    """Return True if the type of an option takes a value."""
    if option is None:
        return False
    try:
        option.type.convert(value, option, None)
    except Exception:  # the type says why when the line is typed
        return False
    return True


def _output(value: str, example: str) -> str:
    """Return a value for `-o` that fits the example: a folder in place of a file if the example is a folder, and an unused name."""
    if example not in _LIKE_FOLDERS:
        return value
    if value == example:
        from quchong.cli.preview import free_folder

        return free_folder([])
    folder = Path(value)
    return f"{folder.with_suffix('') if folder.suffix else folder}/"


def extra_words(error: click.ClickException, argv: Sequence[str]) -> Message | None:
    """Return what to do about words behind the last argument of a command; None for other errors.

    Args:
        error: that of click; argv: the words of the command line.
    """
    ctx = getattr(error, "ctx", None)
    if type(error) is not click.UsageError or ctx is None or not error.message.startswith(_too_many()):
        return None
    if not (extra := extra_word(ctx.command, argv)):
        return None
    at = argv.index(extra)
    if at > 1 and argv[at - 2] in _with_value(ctx.command):
        value = span_of_words(argv[at - 1], extra) or f"{argv[at - 1]} {extra}"
        joined = Shown(f"{argv[at - 2]} {shell_word(value)}")
        return Message(
            "{!r} is one word too many; if it belongs to {}, write one word, such as {}", extra, argv[at - 2], joined
        )
    if ctx.command_path == "quchong index create":
        folder, data = (extra, argv[at - 1]) if os.path.isfile(argv[at - 1]) else (argv[at - 1], extra)
        return Message("create an empty index first: {}; then add documents: {}",
                       Shown(f"quchong index create {shell_word(folder)}"),
                       Shown(f"quchong index add {shell_word(folder)} {shell_word(data)}"))  # fmt: skip
    takes_method = any(option.name == "method" for option in ctx.command.params)
    if takes_method and (named := method_among(argv[1:])) is not None:
        line = line_with_method(argv[0], argv[1:], named)
        return Message("{} is a method: choose it with an option: {}", named, Shown(line))
    return _without(extra, ctx, argv)


def _without(extra: str, ctx: click.Context, argv: Sequence[str]) -> Message:
    """Return the message about a word too many, with the usage of the command and its line without all such words."""
    if (compared := _of_run(ctx, argv)) is not None:
        return Message("{!r} is one word too many; to compare documents of a run, use {}", extra, Shown(compared))
    if (shown := _of_document(extra, ctx, argv)) is not None:
        return Message("{!r} is one word too many; to show a document, use {}", extra, Shown(shown))
    if (written := _as_output(extra, ctx, argv)) is not None:
        return Message("{!r} is one word too many; to write to this file, use {}", extra, Shown(written))
    usage = " ".join([ctx.command_path, *ctx.command.collect_usage_pieces(ctx)])
    beyond = set(argument_places(ctx.command, argv)[_most_arguments(ctx.command) or 0 :])
    line = " ".join(["quchong", *(shell_word(word) for at, word in enumerate(argv) if at not in beyond)])
    return Message(
        "{!r} is one word too many: the usage is {}; without this word: {}", extra, Shown(usage), Shown(line)
    )


def _of_document(extra: str, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the line that explains a document, for a run and an id where only a run is taken; None for other lines."""
    from quchong.runs.layout import is_run

    words = [argv[at] for at in argument_places(ctx.command, argv)]
    first = next((param.name for param in ctx.command.params if isinstance(param, click.Argument)), None)
    if first != "run" or _most_arguments(ctx.command) != 1 or not is_run(Path(words[0])):
        return None
    if os.path.exists(extra) or Path(extra).suffix or extra.endswith("/") or extra.isdecimal():
        return None
    return " ".join(["quchong explain", *map(shell_word, words)])


def _as_output(extra: str, ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the line that writes to a word behind the last argument; None if the command does not write, or the word is no output."""
    flags = {flag for param in ctx.command.params for flag in param.opts}
    if "-o" not in flags or {"-o", "--output"} & set(argv) or os.path.exists(extra):
        return None
    if not (Path(extra).suffix or extra.endswith("/")):
        return None
    words = [
        shell_word(word)
        for at, word in enumerate(argv)
        if at != argument_places(ctx.command, argv)[_most_arguments(ctx.command) or 0]
    ]
    return " ".join(["quchong", *words, "-o", shell_word(extra)])


def _of_run(ctx: click.Context, argv: Sequence[str]) -> str | None:
    """Return the line that compares two documents of a run, for `compare` with a run and two words; None for other lines."""
    from quchong.runs.layout import is_run

    plain = [argv[at] for at in argument_places(ctx.command, argv)]
    if ctx.command_path != "quchong compare" or len(plain) != 3 or not is_run(Path(plain[0])):
        return None
    return " ".join(["quchong inspect", *map(shell_word, plain)])


def _too_many() -> tuple[str, ...]:
    """Return the beginnings of click's sentences about words too many, in the language of the command line."""
    said = (
        ngettext("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", n) for n in (1, 2)
    )
    return tuple(re.split("[(（]", one)[0] for one in said)


def _with_value(command: click.Command) -> set[str]:
    """Return the long options of a command that take a value."""
    options = [one for one in command.params if isinstance(one, click.Option) and not one.is_flag]
    return {flag for one in options for flag in one.opts if flag.startswith("--")}


def span_of_words(number: str, unit: str) -> str | None:
    """Return a span of time as an option takes it, of a number and a word; None for other words.

    >>> span_of_words("1", "month"), span_of_words("7", "days"), span_of_words("8", "G")
    ('30d', '7d', None)
    """
    if not (number.isascii() and number.isdigit()):
        return None
    word = unit.lower().removesuffix("s")
    days = {"month": 30, "year": 365, "个月": 30, "年": 365}.get(word)
    if days:
        return f"{int(number) * days}d"
    words = "s sec second m min minute h hour d day 天 w week".split()
    letter = {one: "d" if one == "天" else one[0] for one in words}
    return number + letter[word] if word in letter else None


def extra_word(command: click.Command, argv: Sequence[str]) -> str | None:
    """Return the first word behind the last argument of a command; None if there is none, or where it may be the value of an option."""
    most, places = _most_arguments(command), argument_places(command, argv)
    return argv[places[most]] if most is not None and len(places) > most else None


def _most_arguments(command: click.Command) -> int | None:
    """Return how many arguments a command takes; None for any number."""
    takes = [param.nargs for param in command.params if isinstance(param, click.Argument)]
    return None if -1 in takes else sum(takes)
