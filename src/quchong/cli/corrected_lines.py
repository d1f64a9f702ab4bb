"""Command lines corrected: each option that a command does not have is replaced by the one that was meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click

from quchong.cli.argument_places import hyphened
from quchong.cli.extra_words import fits, span_of_words
from quchong.cli.options import OneName
from quchong.cli.parameters import DEFAULT_METHOD, MethodCommand
from quchong.errors import shell_word
from quchong.patterns import lazy_pattern

_LOADERS = ("json", "csv", "parquet", "text", "arrow")
"""Names of loaders of Datasets, which people give as the value of --path."""
_OTHER_UNITS = frozenset("batch_size chunksize min_tokens window_days".split())
"""Words of other tools whose values are not those of our option."""
_SECRET = lazy_pattern(r"://\S*[@?]|password|token", re.IGNORECASE)
"""Words that a message does not repeat, because they may have a password."""
_VALUE = lazy_pattern(r"--?[A-Za-z]")
"""Beginning of a word that is an option, and not the value of the one before it."""


@dataclass(frozen=True)
class Replacement:
    """Replacement of an option in a command line: the option of quchong, and a value.

    Attributes:
        flag: our option; "" if the value becomes an argument.
        value: our value; None to keep the one that was typed.
    """

    flag: str
    value: str | None = None


def own_flags(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by their flags; a command with the options of methods has them once it has learned them."""
    options = [one for one in command.params if isinstance(one, click.Option)]
    return {flag: one for one in options for flag in (*one.opts, *one.secondary_opts)}


def unknown_flags(command: click.Command, words: Sequence[str]) -> dict[str, str]:
    """Return the long options among some words that the command does not have: with hyphens, and as they were typed."""
    own = own_flags(command)
    end = words.index("--") if "--" in words else len(words)
    typed = [one.partition("=")[0] for one in words[:end] if one.startswith("--")]
    behind = {words[at + 1] for at in range(end - 1) if _takes_value(own.get(hyphened(words[at])))}
    return {hyphened(one): one for one in typed if one not in own and hyphened(one) not in own and one not in behind}


def _takes_value(option: click.Option | None) -> bool:
    return option is not None and not option.is_flag and not option.count


def corrected_line(
    path: str, command: click.Command, words: Sequence[str], meant: Mapping[str, Replacement]
) -> str | None:
    """Return the line that calls a command with these words; options of other tools have our names there, and a method that takes them.

    Args:
        path: the command as it is typed, such as "quchong dedup"; words: those behind it.
        meant: what replaces the options that the command does not have, by their names with hyphens.

    Returns:
        None if a line cannot be completed: an option or a value is wrong, a value or an argument is missing, or it may have a password.
    """
    if any(_SECRET.search(word) for word in words):
        return None
    found = _corrected(own_flags(command), list(words), meant)
    if found is None or found.arguments < _needed(command):
        return None
    method = _method_for(command, found.flags)
    if method is None:
        return None
    return " ".join([path, *map(shell_word, found.words), *(["--method", method] if method else [])])


def _needed(command: click.Command) -> int:
    """Return how many arguments a command needs at least."""
    return sum(max(param.nargs, 1) for param in command.params if isinstance(param, click.Argument) and param.required)


@dataclass
class _Words:
    """Words of a corrected line, the options among them with their values, and the number of arguments."""

    words: list[str]
    flags: dict[str, str]
    arguments: int = 0


def _corrected(own: Mapping[str, click.Option], left: list[str], meant: Mapping[str, Replacement]) -> _Words | None:
    """Return the words with our options; None if one cannot be replaced."""
    out = _Words([], {})
    while left:
        word = left.pop(0)
        if word == "--":
            out.words += [word, *left]
            out.arguments += len(left)
            break
        if not word.startswith("-") or word == "-":
            out.words.append(word)
            out.arguments += 1
        elif not word.startswith("--"):  # -o FILE, -oFILE, -q
            option = own.get(word[:2])
            if option is None:
                return None
            out.words.append(word)
            if len(word) == 2 and _takes_value(option) and left:
                out.words.append(left.pop(0))
        elif not _add_option(out, word, left, own, meant):
            return None
    return out


def _add_option(
    out: _Words, word: str, left: list[str], own: Mapping[str, click.Option], meant: Mapping[str, Replacement]
) -> bool:
    """Add a long option with its value, which is taken from the words `left`; return False if that cannot be done."""
    typed, sign, value = word.partition("=")
    flag = typed if typed in own else hyphened(typed)
    ours = meant.get(flag) if flag not in own else Replacement(_usual_name(own[flag], flag))
    if ours is None or (flag not in own and flag[2:].replace("-", "_") in _OTHER_UNITS):
        return False
    option = own.get(ours.flag)
    takes = not ours.flag or _takes_value(option)
    if takes and not sign:
        if not left or _VALUE.match(left[0]):
            return False
        value = left.pop(0)
    if not ours.flag:
        if value.lower() not in _LOADERS:
            out.words.append(value)
            out.arguments += 1
        return True
    if sign and not takes:
        return False
    value = value if ours.value is None else ours.value
    if flag not in own:  # --days 30 is --older-than 30d
        value = span_of_words(value, flag[2:]) or value
    if flag not in own and takes and not fits(option, value):
        return False
    out.flags[ours.flag] = value
    out.words += [f"{ours.flag}={value}"] if sign else [ours.flag, value] if takes else [ours.flag]
    return True


def _usual_name(option: click.Option, flag: str) -> str:
    """Return the first name of an option that was given under one that other tools have; any other flag is returned unchanged."""
    return option.opts[0] if isinstance(option, OneName) and flag in option.opts else flag


def _method_for(command: click.Command, flags: Mapping[str, str]) -> str | None:
    """Return a method that takes all parameters in `flags`, "" if the one of the line takes them; None if no method does."""
    if not isinstance(command, MethodCommand):
        return ""
    from quchong.parameters import parameters_of
    from quchong.plan.catalogue import usable

    asked = {
        option.name
        for flag, option in own_flags(command).items()
        if flag in flags and (option.name in command.learned or option.name not in command.other_options)
    }
    kinds = usable()
    takes = [name for name, kind in kinds.items() if asked <= set(parameters_of(kind))]
    named = flags.get("--method", DEFAULT_METHOD)
    if named in takes or not asked:
        return ""
    return None if "--method" in flags or not takes else "minhash" if "minhash" in takes else takes[0]
