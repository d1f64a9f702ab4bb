"""Note about an option that a command line gives more than once, of which only the last value counts."""

from __future__ import annotations

from collections.abc import Sequence

import click

from quchong.errors import shell_word
from quchong.languages import Message
from quchong.report.visible import Shown

LISTS = frozenset(("keep", "relations", "facts", "social", "strip", "text", "fail_on", "add_columns", "labels"))
"""Parameters whose value may be several words with commas between them."""


def repeated_option(command: click.Command, words: Sequence[str]) -> Message | None:
    """Return the note about the first option with several values; None if there is none, or where all values are the same.

    Args:
        command: the command called; words: the words behind its name.
    """
    flags = {flag: param for param in command.params for flag in param.opts if isinstance(param, click.Option)}
    given: dict[str, list[str]] = {}
    end = words.index("--") if "--" in words else len(words)
    at = 0
    while at < end:
        name, sign, value = words[at].partition("=")
        option = flags.get(name)
        at += 1
        if not isinstance(option, click.Option) or option.is_flag or option.multiple or option.nargs != 1:
            continue
        if not sign:
            value = words[at] if at < end else ""
            at += 1
        given.setdefault(option.name or "", []).append(value)
    for name, values in given.items():
        option = next(one for one in flags.values() if one.name == name)
        if len(set(values)) == 1:
            continue
        if name in LISTS:
            joined = Shown(f"{option.opts[0]} {shell_word(','.join(dict.fromkeys(values)))}")
            return Message(
                "{} is given more than once, and only the last counts: join the values, {}", option.opts[0], joined
            )
        last = Shown(f"{option.opts[0]} {shell_word(values[-1])}")
        return Message("{} is given more than once, and only the last counts: {}", option.opts[0], last)
    return None
