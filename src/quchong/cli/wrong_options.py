"""Hints for an option that a command does not have: the option that was probably meant."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import click

from quchong.cli.argument_places import argument_places, hyphened
from quchong.cli.meant_options import suggested_line
from quchong.cli.needless_options import needless_in
from quchong.cli.option_words import INPUT, OPTIONS
from quchong.cli.options import option_shown
from quchong.errors import shell_word
from quchong.languages import Message, join_names
from quchong.languages.habits import compound_entry, entry_with
from quchong.parameters.other_names import measure_advice
from quchong.report.visible import Shown

_VALUES = {
    "最早": "earliest",
    "最新": "latest",
    "最晚": "latest",
    "最长": "longest",
    "最短": "shortest",
    "中文": "zh",
    "英文": "en",
}
_LOADERS = ("json", "csv", "parquet", "text", "arrow")
"""Names of loaders of Datasets, which people give as the value of --path."""
_FORMATS = ("format", "output-format", "out-format", "type", "to")
_WRITTEN = {"report": ("html", "xlsx"), "chains": ("xlsx", "csv", "jsonl", "parquet")}
"""Endings of the files that commands with one output file write, the most used first."""
_KINDS_SAID = {
    "excel": "xlsx",
    "xls": "xlsx",
    "web": "html",
    "htm": "html",
    "webpage": "html",
    "json": "jsonl",
    "ndjson": "jsonl",
}
_OPENS = ("open", "browser", "show", "view", "打开", "查看")
"""Words of options by which people want to look at a page."""
_CONSENT = ("yes", "y", "force", "f")
"""Options by which people agree to something, which mean --overwrite where a command has it."""
_FOLDERS = ("r", "R", "recursive")
_DOCUMENTS = ("id", "ids", "doc", "document")
_OUTPUTS = ("o", "output", "out", "to", "dest")
_COMMON_CHOICES = ("all", "none", "any", "en", "zh", "main", "read", "text")
"""Choices that say too little about the option that has them."""
SPARK_SETTINGS = {
    "conf": "",
    "c": "",
    "executor-memory": "spark.executor.memory",
    "executor-cores": "spark.executor.cores",
    "num-executors": "spark.executor.instances",
    "executors": "spark.executor.instances",
    "total-executor-cores": "spark.cores.max",
    "driver-memory": "spark.driver.memory",
    "driver-cores": "spark.driver.cores",
    "deploy-mode": "spark.submit.deployMode",
    "queue": "spark.yarn.queue",
    "jars": "spark.jars",
    "packages": "spark.jars.packages",
    "py-files": "spark.submit.pyFiles",
    "app-name": "spark.app.name",
    "shuffle-partitions": "spark.sql.shuffle.partitions",
}
"""Settings of Spark by the options of spark-submit; "" for the option that takes a setting as it is."""
_LIKE = 0.7
"""Share of letters that two options have in the same order, from which on one may be the other misspelt."""
_SHORT_WORD = 4
"""Letters up to which two options are spelt alike only if they begin with the same letter."""
_FEW = 5
"""Number of options, up to which those that begin with a given word are named."""
_NAMES = {"name", "shell", "method"}
"""Arguments that are no inputs."""


@dataclass(frozen=True)
class _UnknownOption:
    """Option that a command does not have, as it was typed."""

    name: str
    command: click.Command
    argv: Sequence[str]
    path: str

    @property
    def word(self) -> str:
        return self.name.lstrip("-")

    @cached_property
    def own(self) -> set[str]:
        shown = [
            param for param in self.command.params if not getattr(param, "hidden", False)
        ]  # not those of every method
        return {flag for param in shown for flag in (*param.opts, *param.secondary_opts)}

    @property
    def wide_parts(self) -> tuple[str, str]:
        """Option and value that were typed with a colon or a full-width sign between them; the value is "" if there is no such sign."""
        parts = re.split("[:\uff1a\uff1d]", self.name, maxsplit=1)
        return (parts[0], parts[1]) if len(parts) > 1 else (parts[0], "")

    @cached_property
    def arguments(self) -> set[str | None]:
        return {param.name for param in self.command.params if isinstance(param, click.Argument)}

    @property
    def first_argument(self) -> str | None:
        return next((param.name for param in self.command.params if isinstance(param, click.Argument)), None)

    @property
    def plain_words(self) -> list[str]:
        """Arguments on the command line: the words that are neither options nor their values."""
        return [self.argv[at] for at in argument_places(self.command, self.argv)]

    def line_with(self, value: str) -> str:
        """Return the command line with a value as its last argument; other options keep their place where the command has them.

        `decontaminate --train a.jsonl --test b.jsonl` becomes `decontaminate a.jsonl --against b.jsonl`.
        """
        words = list(self.argv)[len(self.path.split()) - 1 :]
        if " " not in self.path.removeprefix("quchong ") and any(
            one.startswith("--") and hyphened(one) != self.name for one in words
        ):
            line = suggested_line(self.command.name or "", words)
            if not line.endswith(" ..."):
                return line
        others = [one for one in self.plain_words if one != value]
        if self.first_argument in ("run", "index") and os.path.isdir(value):
            return " ".join([self.path, *map(shell_word, [value, *others])])
        if "..." not in others and len(self.arguments) > 1 and not others:
            others = ["..."]
        return " ".join([self.path, *map(shell_word, [*others, value])])

    @cached_property
    def value_behind(self) -> str:
        """Value that follows the option on the command line; "" if there is none."""
        argv, name = self.argv, self.name
        here = next((at for at, one in enumerate(argv) if hyphened(one).startswith(name)), len(argv))
        if here == len(argv):
            return ""
        return argv[here].partition("=")[2] or (argv[here + 1] if here + 1 < len(argv) else "")


CALLED = Message("in quchong this option is called {}")
"""Hint that names the option of quchong; its value is the option, perhaps with the value of the option behind it."""
AS_ARGUMENT = Message("inputs are given without an option: {}")
"""Hint that inputs need no option; its value is the command line without the option."""


def option_hint(error: click.NoSuchOption, command: click.Command, argv: Sequence[str]) -> Message | None:
    """Return what to type instead of an option that a command does not have; None if nobody knows.

    Args:
        error: that of click; command: the command called; argv: the words of the command line.
    """
    asked = _UnknownOption(
        error.option_name, command, argv, f"quchong {command.name}" if error.ctx is None else error.ctx.command_path
    )
    name, value = asked.wide_parts
    if value and name in asked.own:
        return Message("write a space between an option and its value: {}", Shown(f"{name} {shell_word(value)}"))
    found = (
        _of_measure(asked)
        or _of_spark(asked)
        or (_of_redirection(asked) if "inputs" in asked.arguments else None)
        or _of_argument(asked)
        or _of_page(asked)
        or needless_in(asked.path.removeprefix("quchong "), asked.word)
        or needless_in(command.name or "", asked.word)
        or _of_redirection(asked)
        or _of_format(asked)
        or _of_choice(asked)
        or _of_other_word(asked)
        or (needless_in("", asked.word) if asked.word not in _CONSENT or "--overwrite" not in asked.own else None)
    )
    return None if found is None else _with_own_folder(found, asked)


def _with_own_folder(said: Message, asked: _UnknownOption) -> Message:
    """Return a message in which the example paths `run/` and `seen/` are replaced by the run or index that the user named."""
    example = {"run": "run/", "index": "seen/"}.get(asked.first_argument or "")
    own = next(iter(asked.plain_words), "") if example else ""
    if not example or not own or not os.path.isdir(own):
        return said
    values = [
        value.replace(f" {example}", f" {shell_word(own.rstrip('/') + '/')}")
        if isinstance(value, str) and "quchong" in value
        else value
        for value in said.values
    ]
    return Message(said.template, *(Shown(value) for value in values))


def typed_option(error: click.NoSuchOption, argv: Sequence[str]) -> click.NoSuchOption:
    """Return the error about an option with the word that was typed, if click named only its first letter.

    >>> typed_option(click.NoSuchOption("-n"), ["dedup", "-num-perm", "128"]).option_name
    '-num-perm'
    """
    if error.option_name.startswith("--"):
        return error
    typed = next((one for one in argv if one.startswith(error.option_name) and one[1:2] != "-"), error.option_name)
    return click.NoSuchOption(typed.partition("=")[0], possibilities=error.possibilities, ctx=error.ctx)


def _of_measure(asked: _UnknownOption) -> Message | None:
    """Return a hint how a similarity measure is chosen, if the option's value names one and the command takes a method; else None."""
    return measure_advice(asked.value_behind, option_shown) if "--method" in asked.own else None


def _of_argument(asked: _UnknownOption) -> Message | None:
    """Return a hint how to give as an argument what was typed as an option, such as `--input FILE`; None for other options."""
    word, path, behind = asked.word, asked.path, asked.value_behind
    if word in INPUT and asked.arguments - _NAMES and not behind.isdigit():
        if behind.lower() in _LOADERS:  # of Datasets: --path json --data_files news.jsonl
            return AS_ARGUMENT.holding(Shown(f"{path} FILE"))
        return AS_ARGUMENT.holding(Shown(asked.line_with(behind or "FILE")))
    if word in _FOLDERS and not behind.isdigit() and "inputs" in asked.arguments:
        return Message(
            "all files in a folder and its subfolders are read, so no option is needed: leave out the option"
        )
    if word in _DOCUMENTS and {"id", "ids"} & asked.arguments and not Path(behind or "-").suffix:
        return Message("ids are given without an option: {}", Shown(asked.line_with(behind or "ID")))
    if word in _OUTPUTS and "copy" in asked.arguments:
        line = f"{path} seen/ {shell_word(behind or 'copy/')}"
    elif (word not in asked.arguments and f"{word}s" not in asked.arguments) or (
        word == "ids" and Path(behind or "-").suffix
    ):
        return None
    elif len(asked.arguments) > 1 and behind and word == asked.first_argument:
        others = [one for one in asked.plain_words if one != behind]
        line = " ".join([path, *map(shell_word, [behind, *(others or ["..."])])])
    else:
        line = f"{path} {'... ' * (len(asked.arguments) > 1)}{shell_word(behind or word.upper())}"
    return Message("write the value without an option: {}", Shown(line))


def _of_redirection(asked: _UnknownOption) -> Message | None:
    """Return how the output of a command without `-o` is written to a file by the shell; None for other options and commands."""
    if asked.word not in _OUTPUTS or "-o" in asked.own or not asked.arguments:
        return None
    path, behind = asked.path, asked.value_behind
    if asked.command.name == "filter":
        line = f"{path} ... > {shell_word(_file_name(behind) or 'new.jsonl')}"
        return Message("records that pass the filter are written to standard output: {}", Shown(line))
    if not asked.plain_words:
        return None
    words = [one for one in list(asked.argv)[len(path.split()) - 1 :] if one not in (asked.name, behind)]
    words = [one for one in words if one.partition("=")[0] != asked.name]
    plain = Path(behind).suffix in (".txt", ".md", ".log")
    as_json = ["--json"] if "--json" in asked.own and "--json" not in words and not plain else []
    file = Path(behind or "out.txt")
    file = file.with_suffix(".jsonl") if as_json and file.name and file.suffix != ".json" else file
    line = f"{' '.join([path, *map(shell_word, words), *as_json])} > {shell_word(file)}"
    return Message("to write the output to a file, let the shell redirect it: {}", Shown(line))


def _of_page(asked: _UnknownOption) -> Message | None:
    """Return how the page of a report is looked at, with its name, for an option that people try to open it; None for others."""
    if asked.command.name != "report" or not any(word in asked.word for word in _OPENS):
        return None
    page = f"{(asked.plain_words or ['run'])[0].rstrip('/')}.html"
    return Message("open the written page in a browser: {}", Shown(shell_word(page)))


def _file_name(path: str) -> str:
    """Return the name of a JSON lines file made from the name of a folder; any other path is returned unchanged."""
    return f"{path.rstrip('/')}.jsonl" if path.endswith("/") or os.path.isdir(path) else path


def _of_spark(asked: _UnknownOption) -> Message | None:
    """Return advice to write an option of spark-submit as --spark-conf, if the command has that option; None otherwise."""
    if "--spark-conf" not in asked.own or (setting := SPARK_SETTINGS.get(asked.word)) is None:
        return None
    value = asked.value_behind or "..."
    given = value if setting == "" else f"{setting}={value}"
    return Message("give settings of Spark with {}", Shown(f"--spark-conf {shell_word(given)}"))


def _of_choice(asked: _UnknownOption) -> Message | None:
    """Return a hint at the only option that has the typed word among its choices; None if no option has it, or several have."""
    owners = [
        param
        for param in asked.command.params
        if isinstance(param, click.Option) and isinstance(param.type, click.Choice) and asked.word in param.type.choices
    ]
    if len(owners) != 1 or asked.word in _COMMON_CHOICES:
        return None
    flag = next((one for one in owners[0].opts if one.startswith("--")), owners[0].opts[0])
    return CALLED.holding(Shown(f"{flag} {asked.word}"))


def _of_format(asked: _UnknownOption) -> Message | None:
    """Return a hint that a file's name chooses the format of an input or output; None for other options."""
    if "-o" in asked.own and (kinds := _WRITTEN.get(asked.command.name or "")) is not None:
        said = asked.value_behind.lower().lstrip(".") if asked.word in _FORMATS else asked.word
        ending = _KINDS_SAID.get(said, said)
        if asked.word in _FORMATS and ending not in kinds:
            if (advice := needless_in(asked.command.name or "", said)) is not None:
                return advice
            ending = kinds[0]
        if ending in kinds and (asked.word in _FORMATS or f"--{ending}" not in asked.own):
            return Message("the suffix of the output sets the format: {}", Shown(f"-o {asked.command.name}.{ending}"))
    if asked.word in _FORMATS and asked.value_behind.lower() in ("json", "jsonl") and "--json" in asked.own:
        return CALLED.holding("--json")
    if asked.word == "format" and asked.path == "quchong index export":
        return Message("documents are written as Parquet to a folder: {}", Shown("quchong index export seen/ -o run/"))
    if asked.word == "format" and "--format" not in asked.own and "inputs" in asked.arguments:
        return Message(
            "the suffix of the file name sets the format: .jsonl, .csv, .parquet ...; for standard input it "
            "is JSON lines (jsonl)"
        )
    return None


def _of_other_word(asked: _UnknownOption) -> Message | None:
    """Return the hint that names the option which other tools call by the unknown word; None if the command has no such option."""
    known = {flag: words for flag, words in OPTIONS.items() if flag in asked.own}
    meant = entry_with(known, asked.word) or (None if asked.word.isascii() else compound_entry(known, asked.word))
    if meant is None:
        return None
    if re.fullmatch(r"\d+/\d+", asked.value_behind) and "--part" in asked.own:
        return CALLED.holding(Shown(f"--part {asked.value_behind}"))
    if meant == "--host" and (found := re.fullmatch(r"(.*):(\d+)", asked.value_behind)) and "--port" in asked.own:
        return CALLED.holding(
            Shown(f"--host {shell_word(found[1] or '0.0.0.0')} --port {found[2]}"),
        )
    if meant == "-o" and (ending := _KINDS_SAID.get(asked.value_behind.lower())) in _WRITTEN.get(
        asked.command.name or "", ()
    ):
        return CALLED.holding(Shown(f"-o {asked.command.name}.{ending}"))
    if meant == "--source-key" and asked.path == "quchong chains":
        return Message("{} names the column of the publisher; to see the chains of one publisher, write all of them to a table: {}",
                       "--source-key", "-o chains.xlsx")  # fmt: skip
    value = _VALUES.get(asked.value_behind) or next(
        (one for word, one in _VALUES.items() if word in asked.value_behind), None
    )
    if meant == "--values":
        value = _grid(asked)
    if meant == "--older-than" and re.fullmatch(r"\d{4}\W\d{1,2}\W\d{1,2}.*", asked.value_behind):
        value = "30d"  # an age, not a date
    return CALLED.holding(Shown(f"{meant} {value}" if value else meant))


def _grid(asked: _UnknownOption) -> str:
    """Return numbers between the two that follow an option, as --values takes them; an example if two numbers do not follow."""
    numbers = [one for one in asked.argv if re.fullmatch(r"0?\.\d+|[01]", one)]
    return f"{numbers[0]}:{numbers[-1]}:0.05" if len(numbers) > 1 else "0.5:0.9:0.05"


def hint_before_command(word: str, argv: Sequence[str], commands: Sequence[str]) -> Message | None:
    """Return a hint to move an option behind its command; None if no command follows it."""
    called = next((one for one in argv if one in commands), None)
    if called is None:
        return None
    return Message("options of a command are written after it: {}", Shown(f"quchong {called} ... {word} ..."))


def hint_of_words(error: click.NoSuchOption, command: click.Command) -> Message | None:
    """Return the options of a command with the words of one that it does not have; None if there are none, or many."""
    shown = [param for param in command.params if not getattr(param, "hidden", False)]  # not those of every method
    own = {flag for param in shown for flag in (*param.opts, *param.secondary_opts)}
    akin = _of_same_words(error.option_name, own)
    return similar_hint(akin) if 0 < len(akin) <= _FEW else None


def similar_hint(flags: Sequence[str]) -> Message:
    """Return the hint that an unknown option is called by this name in quchong, or of several names that these are the most similar."""
    if len(flags) == 1:
        return CALLED.holding(flags[0])
    return Message("the most similar options are {}", join_names(flags))


def _of_same_words(name: str, own: Iterable[str]) -> list[str]:
    """Return the options that have all words of `name` and more, or only words of `name` and fewer; sorted.

    >>> _of_same_words("--ssl-cert", ["--cert", "--key"]), _of_same_words("--min", ["--min-chars", "--limit"])
    (['--cert'], ['--min-chars'])
    """
    words = {word for word in name.lstrip("-").split("-") if len(word) > 1}
    flags = [(flag, set(flag.lstrip("-").split("-"))) for flag in own if flag.startswith("--")]
    return sorted(flag for flag, said in flags if words and (words < said or said < words))


def similar_options(option: str, others: Sequence[str]) -> list[str]:
    """Return the options among `others` that are spelt like `option`, by a stricter measure than click's.

    >>> similar_options("--outptu", ["--output", "--text"]), similar_options("--gpu", ["--gap", "--output"])
    (['--output'], [])
    """
    word = option.lstrip("-")
    others = [one for one in others if one.lstrip("-")[:1] == word[:1] or len(word) > _SHORT_WORD]
    return [one for one in others if difflib.SequenceMatcher(None, word, one.lstrip("-")).ratio() >= _LIKE]
