"""Request of a `dedup` command, stored in `work.json`, from which `resume` repeats it.

A request is no command line: each value is an option of `dedup` that an interrupted run can have had, under its name, and is checked
by the type of that option. Options of the output, of other engines and of additional files are not stored.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from quchong.cli.parameters import MethodCommand
from quchong.errors import RunError
from quchong.languages import Message

NOT_RESUMED = frozenset({
    "inputs", "out", "work", "dry_run", "show_plan", "profile", "engine", "master", "spark_conf", "fresh", "config", "help", "progress",
    "log_file", "help_all",
})  # fmt: skip
"""Parameters that are not stored as options of an interrupted run: inputs and output are stored separately; the others
concern other outputs or engines.
"""
Options = dict[str, Any]


def request_of(ctx: click.Context) -> dict[str, Any]:
    """Return the request of a command as JSON values: inputs, output, and the options that differ from their defaults."""
    options: Options = {}
    usual = _usual(ctx.command, ctx.params["inputs"]).params
    for name in _options(ctx.command):
        value = _json_value(ctx.params.get(name))
        if value is not None and value != _json_value(usual.get(name)):
            options[name] = value
    return {"inputs": list(ctx.params["inputs"]), "out": ctx.params["out"], "options": options}


def _usual(command: click.Command, inputs: Sequence[str]) -> click.Context:
    """Return a context of the command with these inputs and every option at its default, without any file of options."""
    return command.make_context("dedup", ["--", *inputs])


def _json_value(value: Any) -> Any:
    """Return a value as JSON values."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return [_json_value(one) for one in value] if isinstance(value, tuple | list) else value


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of `dedup` that an interrupted run can have had, with those of methods if the command has loaded them."""
    params = [param for param in command.params if isinstance(param, click.Option)]
    return {param.name: param for param in params if param.name and param.name not in NOT_RESUMED}


def context_of(command: click.Command, about: Mapping[str, Any], run: Path, work: Path | None) -> click.Context:
    """Return the context in which `dedup` continues an interrupted run, built from checked values of its `work.json`.

    Args:
        command: the command `dedup`.
        about: contents of `work.json`.
        run: the output that the user named, absolute: the only one that is written.
        work: the folder for intermediate files that the user named, absolute; None for the default one.

    Raises:
        RunError: a value cannot come from an interrupted run, or the output is another one.
    """
    request, folder = about.get("request"), about.get("folder")
    if not isinstance(request, dict) or not isinstance(folder, str) or not Path(folder).is_absolute():
        raise _none(run)
    inputs, out, given = request.get("inputs"), request.get("out"), request.get("options")
    if not isinstance(inputs, list) or not inputs or not all(map(_is_word, inputs)) or not isinstance(given, dict):
        raise _none(run)
    if not isinstance(out, str) or not _is_word(out) or os.path.realpath(Path(folder, out)) != os.path.realpath(run):
        raise RunError(
            "the unfinished work next to {} belongs to another output: to continue it, give the command of that "
            "run again",
            run,
        )
    if isinstance(command, MethodCommand) and not set(given) <= set(_options(command)):
        command.learn()
    ctx, known = _usual(command, inputs), _options(command)
    for name, value in given.items():
        if name not in known:
            raise RunError(
                "work.json of {} has {!r}, but a run that can be resumed has no such option: give the command of "
                "that run again",
                run,
                name,
            )
        ctx.params[name] = _checked(ctx, known[name], value, run)
    ctx.params |= {"out": out, "work": None if work is None else str(work)}
    return ctx


def _checked(ctx: click.Context, param: click.Option, value: Any, run: Path) -> Any:
    """Check the value of an option by the option's type, and return it converted."""
    plain = value if isinstance(value, list) and param.multiple else [value]
    words = all(_is_word(one) or isinstance(one, int | float) for one in plain)
    truth = param.is_flag or bool(param.secondary_opts)
    try:
        if not words or param.multiple != isinstance(value, list) or (truth and not isinstance(value, bool)):
            raise click.BadParameter(f"{value!r}")
        return value if truth else param.type_cast_value(ctx, value)
    except click.ClickException as error:
        said = Message("work.json of {} has a wrong value for {} ({}): give the command of that run again")
        raise RunError(said.holding(run, param.opts[0], error.format_message())) from error


def _is_word(value: Any) -> bool:
    """Return True if the value is text that a command line can contain."""
    return isinstance(value, str) and "\0" not in value


def _none(run: Path) -> RunError:
    return RunError(
        "the unfinished work of {} does not contain the options of its command: give that command again", run
    )


def command_of(ctx: click.Context) -> list[str]:
    """Return the command line that makes the same request as the context."""
    words, usual = ["dedup"], _usual(ctx.command, ctx.params["inputs"]).params
    for name, param in _options(ctx.command).items():
        value = ctx.params.get(name)
        if value is None or value == usual.get(name):
            continue
        if isinstance(value, bool) and (param.is_flag or param.secondary_opts):
            words.append(_flag(param.opts if value else param.secondary_opts))
            continue
        for one in value if param.multiple else (value,):
            words += [_flag(param.opts), str(one)]
    for name, flag in (("out", "--output"), ("work", "--work")):
        if ctx.params.get(name) is not None:
            words += [flag, str(ctx.params[name])]
    inputs = list(ctx.params["inputs"])
    return [*words, *(["--"] if any(one.startswith("-") for one in inputs) else []), *inputs]


def shown(command: list[str]) -> str:
    """Return a command line quoted for the shell."""
    return shlex.join(command)


def _flag(names: list[str]) -> str:
    return next((name for name in names if name.startswith("--")), names[0])
