"""Places of the words of a command line that are arguments."""

from __future__ import annotations

from collections.abc import Sequence

import click

from quchong.patterns import lazy_pattern

_NUMBER = lazy_pattern(r"[\d.]+%?")


def hyphened(word: str) -> str:
    """Return an option with hyphens in place of underscores in its name, by which a command knows it; other words are returned unchanged.

    >>> hyphened("--num_perm=2_56"), hyphened("my_file")
    ('--num-perm=2_56', 'my_file')
    """
    name, sign, value = word.partition("=")
    return name.replace("_", "-") + sign + value if word.startswith("--") else word


def argument_places(command: click.Command, argv: Sequence[str]) -> list[int]:
    """Return the places of the words of a command line that are its arguments: no options, and no values behind them.

    The word - alone is an argument, and every word behind -- is one. An option that the command does not have takes no value but a number.

    Args:
        command: the command called; argv: the words of the command line, with the name of the command among the first.
    """
    flags = {flag: param for param in command.params for flag in (*param.opts, *param.secondary_opts)}
    depth = next((at for at, word in enumerate(argv) if word == command.name), -1) + 1
    places, behind, plain = list[int](), False, False
    for at, word in enumerate(argv[depth:], depth):
        option = flags.get(word) or flags.get(hyphened(word))
        if behind:
            behind = False
        elif plain or not word.startswith("-") or word == "-":
            places.append(at)
        elif word == "--":
            plain = True
        else:
            behind = isinstance(option, click.Option) and not option.is_flag
            if option is None and word.startswith("--") and "=" not in word:
                behind = _NUMBER.fullmatch("".join(argv[at + 1 : at + 2])) is not None
    return places
