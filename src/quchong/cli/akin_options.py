"""Known options similar to an unknown one: a name of a method or command, an abbreviation, an option of another command."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import click

from quchong.cli.examples import EXAMPLES
from quchong.cli.options import option_shown
from quchong.cli.parameters import MethodCommand
from quchong.errors import shell_word
from quchong.languages import OR, Message, join_messages, join_names
from quchong.parameters.other_names import OPTION_NAMES, TOOL_WORDS
from quchong.report.visible import Shown

_OF_FOLDERS = ("explain", "report")
"""Commands that take a run or an index."""
_SHORTEST = 3
"""Letters of a word from which on it may be the beginning of a longer one."""
_FEW = 3
"""Number of options or commands up to which a hint names them."""
_LETTERS = 6
"""Number of options up to which a hint names those that begin with a letter."""
_COMMON = ("threshold", "test", "source", "sources")
"""Words for commands that are names of options too."""
_EVERYWHERE = frozenset(
    "-o --output --dry-run --json --overwrite -q --quiet --progress --all --show --workers --memory --from".split()
)
"""Options that many commands have, each for its own: another command with one is no advice."""
_GENERAL = frozenset(
    "local size file files column name names number num count only min max path text with from list type mode level dedup use set"
    " length".split()
)
"""Words that say little about an option."""
_PARAMETERS = ("bands", "rows", "num_perm", "ngram_size", "threshold", "containment", "bits", "seed")
"""Parameters of methods that words of other tools lead to."""
_LISTED = 14
"""Number of options of a command up to which an error lists them all."""


def akin_hint(
    error: click.NoSuchOption, command: click.Command, others: Callable[[], Mapping[str, click.Command]]
) -> Message | None:
    """Return what to type instead of an option that a command does not have, by its spelling alone; None if nobody knows.

    Args:
        error: that of click; command: the command called; others: gives all commands by their names.
    """
    from quchong.cli.option_words import OPTIONS
    from quchong.cli.wrong_options import hint_of_words, similar_options
    from quchong.cli.wrong_words import COMMANDS
    from quchong.methods import PLACES

    word = error.option_name.lstrip("-")
    shown = [param for param in command.params if not getattr(param, "hidden", False)]  # not those of every method
    own = {flag for param in shown for flag in (*param.opts, *param.secondary_opts)}
    if len(word) == 1:
        usual = [param for param in shown if param.name not in getattr(command, "rare", ())]
        own = {_flag_of(param) for param in usual if isinstance(param, click.Option)}
    steps: tuple[Callable[[], Message | None], ...] = (
        partial(method_of_word, word, own, PLACES),
        lambda: owners_of(error.option_name, others(), _path_of(error, command)),
        lambda: command_of_word(word, set(others()) - {_path_of(error, command)}, COMMANDS, _own_words(error, command)),
        partial(options_beginning, word, own, OPTIONS),
        partial(hint_of_words, error, command),
        partial(options_by_part, word, own, OPTIONS, isinstance(command, MethodCommand)),
    )
    for step in steps:
        if (found := step()) is not None:
            return found
    if similar_options(error.option_name, error.possibilities or ()):
        return None  # the message of click has them
    return options_by_help(word, shown) or all_options(shown) or Message("no option is similar: leave out the option")


def _path_of(error: click.NoSuchOption, command: click.Command) -> str:
    ctx = error.ctx
    return (command.name or "") if ctx is None else ctx.command_path.removeprefix("quchong ")


def _own_words(error: click.NoSuchOption, command: click.Command) -> list[str]:
    """Return the folder and the id that the command line names, for a command about a run or an index; an empty list for others."""
    from quchong.cli.argument_places import argument_places

    first = next((param.name for param in command.params if isinstance(param, click.Argument)), None)
    words = [sys.argv[1:][at] for at in argument_places(command, sys.argv[1:])] if first in ("run", "index") else []
    return words[:1] + ([one for one in words[1:2] if not os.path.lexists(one)])


def command_of_word(
    word: str, commands: Iterable[str], words: Mapping[str, str], own: Sequence[str] = ()
) -> Message | None:
    """Return a hint at the command whose name was typed as an option, with an example; None if the word names no command.

    Args:
        word: the option without its dashes; commands: names of commands; words: words that people try for commands.
        own: the folder and the id of the command line, which are shown to a command that takes them.
    """
    known = set(commands)
    bare = word.removeprefix("html-").removeprefix("show-")
    parts = [part for part in _words_of(word) if part in known and part != "dedup"]
    found = (
        bare
        if bare in known
        else parts[0]
        if parts
        else next((name for name, tried in words.items() if bare in tried.split()), None)
    )
    if found not in known or found not in EXAMPLES or bare in _COMMON:
        return None
    line = EXAMPLES[found][0]
    if own and found in _OF_FOLDERS:
        line = " ".join(["quchong", found, *map(shell_word, own[: 1 if found == "report" else 2])])
        line += " ID" if found == "explain" and len(own) == 1 else ""
    return Message("quchong has a separate command for this: {}", Shown(line))


def method_of_word(word: str, own: Iterable[str], methods: Iterable[str]) -> Message | None:
    """Return how a method is chosen whose name was given as an option; None if the command has no option for it."""
    from quchong.cli.wrong_options import CALLED

    squeezed = word.lower().replace("-", "").replace("_", "")
    name = next((one for one in methods if one.replace("-", "") == squeezed or one in _words_of(word)), None)
    return CALLED.holding(option_shown("method", name)) if name and "--method" in own else None


def options_beginning(word: str, own: Iterable[str], words: Mapping[str, str]) -> Message | None:
    """Return the options of a command that a word abbreviates, or the words that people try for them; None if none or many.

    >>> print(options_beginning("sim", ["--threshold", "--output"], {}))
    in quchong this option is called --threshold
    """
    flags = {flag for flag in own if flag.startswith("--")}
    if len(word) == 1:
        return _called((flag for flag in flags if flag.startswith(f"--{word}")), _LETTERS)
    if len(word) < _SHORTEST:
        return None
    found = {flag for flag in flags if flag.startswith(f"--{word}")}
    for name, target in [*OPTION_NAMES.items(), *TOOL_WORDS.items()]:
        if name.replace("_", "-").startswith(word):
            found |= {f"--{target.replace('_', '-')}"} & flags
    if not found:
        found = {
            flag for flag, tried in words.items() if flag in flags and any(w.startswith(word) for w in tried.split())
        }
    return _called(found)


def options_by_part(word: str, own: Iterable[str], words: Mapping[str, str], methods: bool = False) -> Message | None:
    """Return a hint at the options that one word of a compound such as `min-sim-score` names; None if no option fits, or many do.

    Args:
        word: the option without its dashes; own: options of the command; words: words that people try for options.
        methods: True if the command also takes the parameters of methods.

    >>> print(options_by_part("cluster-size", ["--keep-per-cluster", "--shard-size"], {}))
    in quchong this option is called --keep-per-cluster
    """
    flags = {flag for flag in own if flag.startswith("--")}
    parts = _words_of(word)
    found = set[str]()
    for part in parts if len(parts) > 1 else ():
        target = TOOL_WORDS.get(part) or OPTION_NAMES.get(part)
        called = f"--{(target or part).replace('_', '-')}"
        found |= {called} if target and methods and target in _PARAMETERS else {called} & flags
        found |= {flag for flag, tried in words.items() if flag in flags and part in tried.split()}
        found |= {flag for flag in flags if part in flag.split("-") and part not in _GENERAL}
    return _called(found)


def options_by_help(word: str, options: Iterable[click.Parameter]) -> Message | None:
    """Return the options of a command whose help has words of another one, with the help; None if none or many."""
    parts = [part for part in _words_of(word) if len(part) > _SHORTEST and part not in _GENERAL]
    if not word.isascii():
        parts = [word[at : at + 2] for at in range(len(word) - 1) if not word[at : at + 2].isascii()]
    scored = [
        (sum(part.removesuffix("s") in (option.help or "").lower() for part in parts), option)
        for option in options
        if isinstance(option, click.Option) and option.name not in ("lang", "help", "help_all")
    ]
    most = max((score for score, _ in scored), default=0)
    if word.isascii() and 2 * most < len(parts):
        return None  # most of its words say something else
    best = [option for score, option in scored if score == most > 0]
    if not 0 < len(best) <= _FEW:
        return None
    told = [
        Message("{} ({})", _flag_of(option), Shown((option.help or "").split("  [")[0].rstrip(".。")))
        for option in best
    ]
    return Message("the most similar option is {}", join_messages(told, OR))


def _flag_of(option: click.Parameter) -> str:
    """Return the first long name of an option."""
    return next((name for name in option.opts if name.startswith("--")), option.opts[0])


def _words_of(word: str) -> list[str]:
    """Return the words of a compound."""
    return [part for part in word.lower().replace("_", "-").split("-") if len(part) >= _SHORTEST]


def owners_of(option: str, commands: Mapping[str, click.Command], called: str) -> Message | None:
    """Return the commands that have an option which another one lacks, those of the same group first; None if none has it, or many do.

    Args:
        option: with its dashes; commands: by their names; called: the name of the command that lacks it.
    """
    if option in _EVERYWHERE:
        return None
    owners = [
        name
        for name, command in commands.items()
        if name != called and any(option in (*param.opts, *param.secondary_opts) for param in command.params)
    ]
    group = called.partition(" ")[0] + " "
    owners = [name for name in owners if name.startswith(group)] or owners
    if len(owners) > _FEW and "dedup" in owners:
        return Message(
            "the option belongs to {} and other commands, not to this one: leave out the option", Shown("quchong dedup")
        )
    if not 0 < len(owners) <= _FEW:
        return None
    if len(owners) == 1 and " " not in owners[0] and " " not in called:
        from quchong.cli.meant_options import suggested_line

        line = suggested_line(owners[0], sys.argv[2:])
        needs_folder = next(
            (one.name for one in commands[owners[0]].params if isinstance(one, click.Argument)), None
        ) in ("run", "index")
        if line.endswith(" ...") or (needs_folder and not any(os.path.isdir(one) for one in sys.argv[2:])):
            return Message(
                "this option belongs to {}, not to this command: leave out the option", Shown(f"quchong {owners[0]}")
            )
        return Message("this option belongs to {}", Shown(line))
    named: Sequence[str] = [Shown(f"quchong {name}") for name in owners]
    return Message("this option belongs to {}, not to this command: leave out the option", join_messages(named, OR))


def all_options(own: Iterable[click.Parameter]) -> Message | None:
    """Return the list of options of a command; None if it has many, which its help shows in groups."""
    flags = [
        _flag_of(param)
        for param in own
        if isinstance(param, click.Option) and not param.hidden and param.name not in ("lang", "help")
    ]
    if not flags:
        return Message("the command has no options")
    if len(flags) == 1:
        return Message("no option is similar: leave out the option; the only option is {}", flags[0])
    if len(flags) > _LISTED:
        return None
    return Message("no option is similar: leave out the option; the available options are {}", join_names(flags))


def _called(found: Iterable[str], most: int = _FEW) -> Message | None:
    from quchong.cli.wrong_options import similar_hint

    names = sorted(found)
    return similar_hint(names) if 0 < len(names) <= most else None
