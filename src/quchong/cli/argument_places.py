"""Places of the words of a command line that are arguments."""

from __future__ import annotations

from collections.abc import Sequence

import click


def argument_places(command: click.Command, argv: Sequence[str]) -> list[int]:
    """Return the places of the words of a command line that are its arguments: no options, and no values behind them.

    The word - alone is an argument, and every word behind -- is one. An option that the command does not have takes no value.

    Args:
        command: the command called; argv: the words of the command line, with the name of the command among the first.
    """
    flags = {flag: param for param in command.params for flag in (*param.opts, *param.secondary_opts)}
    depth = next((at for at, word in enumerate(argv) if word == command.name), -1) + 1
    places, behind, plain = list[int](), False, False
    for at, word in enumerate(argv[depth:], depth):
        option = flags.get(word)
        if behind:
            behind = False
        elif plain or not word.startswith("-") or word == "-":
            places.append(at)
        elif word == "--":
            plain = True
        else:
            behind = isinstance(option, click.Option) and not option.is_flag
    return places
