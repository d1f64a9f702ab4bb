"""Options of a command line that is suggested, by the names that its command has for them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence

import click

from quchong.cli.option_words import INPUT, OPTIONS
from quchong.errors import shell_word
from quchong.languages.habits import entry_with
from quchong.parameters.other_names import OPTION_NAMES, TOOL_WORDS


def suggested_line(command: str, words: Sequence[str], also: Sequence[str] = ()) -> str:
    """Return the line that calls a command with these words; options that have another name there get that name.

    An input that an option names becomes an argument. A line with an option that nobody knows would fail when typed: then `...` stands
    for all words.

    Args:
        command: such as "dedup"; its module is imported if a word is an option.
        words: those behind the name of the command, as they were typed; also: words at the end, such as --method minhash.

    >>> suggested_line("dedup", ["--input", "a.jsonl", "--ngram", "5"], ["--method", "minhash"])
    'quchong dedup a.jsonl --ngram-size 5 --method minhash'
    >>> suggested_line("dedup", ["a.jsonl", "--frobnicate", "5"])
    'quchong dedup ...'
    """
    own = _own_words(command, words) if any(word.startswith("--") for word in words) else list(words)
    return " ".join(["quchong", command, *(["..."] if own is None else map(shell_word, own)), *also])


def line_with_method(command: str, words: Sequence[str], method: str) -> str:
    """Return the line that calls a command with a method, which was typed as a word of its own or in place of the command.

    Args:
        command, words: as of `suggested_line`; the name of the method is left out of the words; method: its name.

    >>> line_with_method("inspect", ["minhash", "a.txt"], "minhash")
    'quchong inspect a.txt --method minhash'
    """
    return suggested_line(command, [word for word in words if word != method], ["--method", method])


def method_among(words: Sequence[str]) -> str | None:
    """Return the first of several words that names a method and not a file; None if no word does.

    >>> method_among(["a.txt", "minhash"])
    'minhash'
    """
    from quchong.methods import PLACES

    return next((word for word in words if word in PLACES and not os.path.lexists(word)), None)


def _own_words(command: str, words: Sequence[str]) -> list[str] | None:
    """Return words with the options of a command; None if one is unknown."""
    options = _options(command)
    by_name = {str(option.name): flag for flag, option in reversed(options.items()) if flag.startswith("--")}
    own, at = list[str](), 0
    while at < len(words):
        word, at = words[at], at + 1
        if word == "--":
            return [*own, *words[at - 1 :]]
        if not word.startswith("--"):
            own.append(word)
            continue
        flag, sign, value = word.partition("=")
        if flag not in options:
            name = flag[2:].replace("-", "_")
            target = TOOL_WORDS.get(name) or OPTION_NAMES.get(name)
            if target == "data" or flag[2:] in INPUT:
                if sign:
                    own.append(value)
                continue  # what follows is an argument
            known = {one: said for one, said in OPTIONS.items() if one in options}
            found = by_name.get(target or "") or entry_with(known, flag[2:])
            if found is None:
                return None
            flag = found
        own.append(flag + sign + value)
        if not sign and not options[flag].is_flag and at < len(words):
            own.append(words[at])
            at += 1
    return own


def _options(command: str) -> dict[str, click.Option]:
    """Return the options of a command by their flags, with those of every method."""
    from quchong.cli.parameters import MethodCommand

    found = importlib.import_module(f"quchong.cli.{command}").command
    if isinstance(found, MethodCommand):
        found.learn()
    given = [param for param in found.params if isinstance(param, click.Option)]
    return {flag: option for option in given for flag in (*option.opts, *option.secondary_opts)}
