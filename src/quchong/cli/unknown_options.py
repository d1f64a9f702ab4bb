"""Line of an error about options that a command does not have: what is meant by each, and the whole line corrected."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import click

from quchong.cli.akin_options import akin_hint
from quchong.cli.corrected_lines import Replacement, corrected_line, own_flags, unknown_flags
from quchong.cli.parameters import MethodCommand, option_names
from quchong.cli.wrong_options import AS_ARGUMENT, CALLED, option_hint, similar_options, typed_option
from quchong.errors import QuchongError
from quchong.languages import SEMICOLON, Message, join_messages, join_names
from quchong.parameters.other_names import OPTION_NAMES, RENAMED, RENAMED_OF_METHOD, TOOL_WORDS, hint_of
from quchong.report.visible import Shown

Commands = Callable[[], Mapping[str, click.Command]]
_MANY = 8
"""Number of methods that share a parameter, at or above which a hint does not list them."""
_NEAR = "did you mean {}?"


def unknown_option_line(
    error: click.NoSuchOption, ctx: click.Context, argv: Sequence[str], others: Commands
) -> Message | None:
    """Return the line about all options of a command line that its command does not have; None if nobody knows what the first one means.

    Args:
        error: that of click, about the first one; ctx: the context of the command; argv: the words of the command line.
        others: gives all commands by their names.
    """
    depth = len(ctx.command_path.split()) - 1
    error = typed_option(error, argv)
    typed = unknown_flags(ctx.command, argv[depth:])
    names = [error.option_name, *(one for one in typed if one != error.option_name)]
    hints = {name: _hint_about(error, name, ctx, argv, others) for name in names}
    first = hints[error.option_name]
    if first is None:
        return None
    meant = {name: _replacement(name, hint, ctx.command) for name, hint in hints.items()}
    known = {name: one for name, one in meant.items() if one is not None}
    line = corrected_line(ctx.command_path, ctx.command, argv[depth:], known) if len(known) == len(names) else None
    see = Shown(f"{ctx.command_path} --help")
    shown = [typed.get(name, name) for name in names]
    if line is not None and (len(names) > 1 or first.template in (AS_ARGUMENT.template, _NEAR)):
        listed = join_names(shown)
        if first.template == AS_ARGUMENT.template and len(names) == 1:
            return Message("no option {}: {}; see {}", listed, AS_ARGUMENT.holding(Shown(line)), see)
        return Message("no option {}: did you mean {}? See {}", listed, Shown(line), see)
    if line is not None:
        return Message("no option {}: {}; write {}; see {}", shown[0], first, Shown(line), see)
    if len(names) == 1 and first.template == _NEAR:
        return Message("no option {}: did you mean {}? See {}", shown[0], *first.values, see)
    told = [CALLED.holding(*one.values) if one and one.template == _NEAR else one for one in hints.values()]
    said = [Message("no option {}: {}", one, hint) for one, hint in zip(shown, told, strict=True) if hint]
    return Message("{}; see {}", join_messages(said, SEMICOLON), see)


def _hint_about(
    error: click.NoSuchOption, name: str, ctx: click.Context, argv: Sequence[str], others: Commands
) -> Message | None:
    """Return what to type instead of one unknown option; None if nobody knows, or several are spelt like it."""
    one = error
    if name != error.option_name:
        near = difflib.get_close_matches(name, [flag for flag in own_flags(ctx.command) if flag.startswith("--")])
        one = click.NoSuchOption(name, possibilities=near or None, ctx=ctx)
    found = (
        option_hint(one, ctx.command, argv)
        or _other_word(one, ctx.command, argv)
        or akin_hint(one, ctx.command, others)
    )
    near = similar_options(name, one.possibilities or ())
    return Message(_NEAR, near[0]) if found is None and len(near) == 1 else found


def _replacement(name: str, hint: Message | None, command: click.Command) -> Replacement | None:
    """Return what replaces an option according to the hint about it; None if the hint is no name of one option."""
    if hint is None or not hint.values:
        return None
    if hint.template == AS_ARGUMENT.template:
        return Replacement("")
    word = name.lstrip("-").replace("-", "_")
    target = TOOL_WORDS.get(word) or OPTION_NAMES.get(word)
    if hint.template in (CALLED.template, _NEAR):
        flag, _, value = str(hint.values[0]).partition(" ")
        one = flag.startswith("-") and " --" not in value and flag != "--overwrite"  # which nobody should type unasked
        return Replacement(flag, value or None) if one else None
    if target is None or hint.template not in (RENAMED.template, RENAMED_OF_METHOD.template):
        return None
    flags = {str(option.name): flag for flag, option in reversed(own_flags(command).items()) if flag.startswith("-")}
    return Replacement(flags[target]) if target in flags and target != "overwrite" else None


def _other_word(error: click.NoSuchOption, command: click.Command, argv: Sequence[str]) -> Message | None:
    """Return a hint at our name of an option that other tools call otherwise; None if the word is not known."""
    word = error.option_name.lstrip("-").replace("-", "_")
    if word == "dry_run" and "out" not in {p.name for p in command.params}:
        return None  # a command that writes
    target, names, owners = TOOL_WORDS.get(word) or OPTION_NAMES.get(word), {p.name for p in command.params}, []
    if isinstance(command, MethodCommand) and target not in command.other_options:
        from quchong.parameters import parameters_of
        from quchong.plan.catalogue import usable

        owners = [name for name, kind in usable().items() if target in parameters_of(kind)]
        if target is not None and _named_method(argv) in owners:
            owners, names = [], {*names, target}
        command.learn()
    if target not in names and not owners and (target is not None or not isinstance(command, MethodCommand)):
        return None
    hint = hint_of(word, (), owners if len(owners) < _MANY else ())
    if hint is None:
        return None
    named = option_names(command)
    return Message(hint.template, *(Shown(QuchongError("{}", one).render_message(named)) for one in hint.values))


def _named_method(argv: Sequence[str]) -> str | None:
    """Return the method that a command line names last; None if it names none."""
    named = [after for before, after in pairwise(argv) if before == "--method"]
    named += [one.partition("=")[2] for one in argv if one.startswith("--method=")]
    return named[-1] if named else None
