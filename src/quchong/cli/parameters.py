"""Command that accepts the parameters of all methods as options, with its help in groups.

The options are made from the methods' metadata when one is given, so that `--help` loads no method. The help does not list them:
`quchong methods NAME` lists the parameters of a method. If the command itself has an option of the same name, that one takes precedence,
and the parameter is given with `--set`.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import click

from quchong.cli.kinds import Number, WholeNumber
from quchong.errors import Param, UsageError, shell_word, shown_placeholder
from quchong.languages import Message, translated
from quchong.parameters import (
    CONTAINMENT,
    FACTS,
    NGRAM_SIZE,
    NORMALISE,
    PRESET,
    STATISTICS,
    THRESHOLD,
    TOKENS,
    MethodParameter,
    Parameter,
)
from quchong.parameters.filters import CAPACITY, CONFIRM, ERROR_RATE, FILTER, FILTER_BITS, FILTER_MODE, FORM, HASH, UNIT
from quchong.report.visible import Shown

EVERYTHING = "quchong.help-all"
"""Key of a context's `meta`: whether its help lists every option."""
ALSO = {"tokens": ("--tokenizer",)}
"""Other names of options."""
_OF_INDEX = {name: f"quchong index create --{name}-key" for name in ("text", "html", "id", "time", "source")}
"""Options of the columns that are read: a command that reads columns and has no option for them has those of its index."""
_AS_CHOICES = {"annotate": "--mode annotate"}
"""Switches of Python that are values of an option of the command line."""
Groups = Mapping[str, Sequence[str]]


class _Value(click.ParamType):  # type: ignore[type-arg] # click 8.1 has no argument to give
    """Type of an option value in JSON: a number, true, false, or else the text itself."""

    name = "value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value that a text spells in JSON, else the text itself."""
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError:
            return value


VALUE = _Value()
_TYPES: dict[type | None, Any] = {int: WholeNumber(), float: Number(), str: click.STRING}


def capital(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


class MessageOption(click.Option):
    """Option whose help is a message with values, such as one made of the metadata of a parameter."""

    def __init__(self, *args: Any, words: Message, **attributes: Any) -> None:
        super().__init__(*args, **{**attributes, "help": capital(words)})
        self.words = words


def help_all_option() -> click.Option:
    """Return the option --help-all, which shows the help of a command with every option, and ends the command."""

    def show(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            ctx.meta[EVERYTHING] = True
            shown = ctx.command.get_help_option(ctx)
            if shown is not None and shown.callback is not None:
                shown.callback(ctx, shown, True)  # prints the help, as --help does, and ends the command

    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show every option and exit.",
    )


class MethodCommand(click.Command):
    """A command with options of methods, and groups of options in its help: titles and the names under each."""

    def __init__(self, *args: Any, groups: Groups | None = None, rare: Collection[str] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.groups = groups or {}
        self.rare = frozenset(rare)
        if self.rare:
            self.params.append(help_all_option())
        self.learned: dict[str, click.Option] = {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of a command; parameters of all methods are added first if an unknown option or a file of options is given."""
        given = [
            a.partition("=")[0] for a in (args[: args.index("--")] if "--" in args else args) if a.startswith("--")
        ]
        own = {flag for p in self.get_params(ctx) for flag in (*p.opts, *p.secondary_opts)} - {"--config"}
        if not own.issuperset(given):
            self.learn()
        return super().parse_args(ctx, args)

    @property
    def other_options(self) -> set[str]:
        """Names of options that are no parameters of methods."""
        own = [p for p in self.params if p.name not in {*SHOWN, *self.learned}]
        return {name.lstrip("-").replace("-", "_") for p in own for name in (p.name or "", *p.opts)}

    def learn(self) -> None:
        """Add the parameters of all methods as hidden options to the command."""
        if not self.learned:
            taken = self.other_options | {p.name for p in self.params}
            self.learned |= {n: _option(n, found) for n, found in parameters_of_all().items() if n not in taken}
            self.params += self.learned.values()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options to the help by groups; options without a group come last."""
        rare = frozenset() if ctx.meta.get(EVERYTHING) else self.rare
        left = {p.name: record for p in self.get_params(ctx) if (record := _record(p, ctx)) is not None}
        groups = {
            title: [record for name in names if (record := left.pop(name)) and name not in rare]
            for title, names in self.groups.items()
        } or {"Options": []}
        list(groups.values())[-1].extend(record for name, record in left.items() if name not in rare)
        for title, records in groups.items():
            if records:
                with formatter.section(translated(title)):
                    formatter.write_dl(records, col_max=24)
        if rare:
            formatter.write_paragraph()
            said = Message("{} more options: {}", len(rare), f"{ctx.command_path} --help-all")
            formatter.write_text(said.translation())


def parameters_of_all() -> dict[str, list[MethodParameter]]:
    """Return every parameter by name, as each method has it; methods that cannot be loaded are left out."""
    from quchong.parameters import parameters_of
    from quchong.plan.catalogue import usable

    out: dict[str, list[MethodParameter]] = {}
    for kind in usable().values():
        for name, known in parameters_of(kind).items():
            out.setdefault(name, []).append(known)
    return out


def _record(param: click.Parameter, ctx: click.Context) -> tuple[str, str] | None:
    return None if isinstance(param, click.Argument) else param.get_help_record(ctx)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _option(name: str, found: Sequence[MethodParameter]) -> click.Option:
    """Return the option of a parameter: of the type that all its methods take, else of any type."""
    types = {known.type for known in found}
    if types == {bool}:
        return click.Option([f"{_flag(name)}/--no-{_flag(name)[2:]}", name], default=None, hidden=True)
    kind = _TYPES.get(types.pop(), VALUE) if len(types) == 1 else VALUE
    return click.Option([_flag(name), *ALSO.get(name, ()), name], type=kind, hidden=True)


def _shown(
    name: str, about: Parameter, type: Any = click.STRING, of: str = "", metavar: str | None = None
) -> Callable[..., Any]:
    """Return an option that the help of a method's command lists; `of` is the only method that has the parameter, or ""."""
    said = Message(about.help)
    if of:
        said = Message("{}  [only {}]", said, of)
    if about.unset:
        said = Message("{}  [default: {}]", said, Message(about.unset))
    option = functools.partial(click.option, cls=MessageOption, words=said)
    if type is click.BOOL:
        return option(_flag(name), name, is_flag=True)
    metavar = "FILE" if isinstance(type, click.Path) else metavar
    kind = click.Choice(about.choices) if about.choices else type
    return option(_flag(name), *ALSO.get(name, ()), name, type=kind, metavar=metavar)


SHOWN = {
    "preset": _shown("preset", PRESET, of="hybrid"),
    "threshold": _shown("threshold", THRESHOLD, click.FLOAT),
    "facts": _shown("facts", FACTS, of="hybrid, short-text", metavar="KINDS"),
    "containment": _shown("containment", CONTAINMENT, click.FLOAT),
    "statistics": _shown("statistics", STATISTICS, click.Path()),
    "ngram_size": _shown("ngram_size", NGRAM_SIZE, click.INT),
    "tokens": _shown("tokens", TOKENS, click.STRING),
    "normalise": _shown("normalise", NORMALISE),
}
"""The parameters that stand in the help of a command."""
USUAL = ("preset", "threshold", "containment", "statistics")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def method_options(*names: str) -> Decorator:
    """Return a decorator that adds the methods' parameters to a command; its help lists those in `names`.

    The command receives the given parameters as the argument `parameters`, apart from its own options.
    """

    def added(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_parameters(*args: Any, settings: tuple[str, ...], **options: Any) -> Any:
            known = click.get_current_context().command
            learned = known.learned if isinstance(known, MethodCommand) else {}
            given = {name: options.pop(name) for name in (*names, *learned)}
            given = {name: value for name, value in given.items() if value is not None}
            method = str(options.get("method") or DEFAULT_METHOD)
            return command(*args, parameters=given | _settings(settings, given, method), **options)

        out = click.option(
            "--set", "settings", multiple=True, metavar="NAME=VALUE",
            help="Any parameter of the method; `quchong methods NAME` lists them. You can also write --NAME VALUE.",
        )(with_parameters)  # fmt: skip
        for name in reversed(names):
            out = SHOWN[name](out)
        return out

    return added


_OF_FILTERS = {
    "filter": (FILTER, click.STRING),
    "capacity": (CAPACITY, click.INT),
    "error_rate": (ERROR_RATE, click.FLOAT),
    "confirm": (CONFIRM, click.BOOL),
    "form": (FORM, click.STRING),
    "bits": (FILTER_BITS, click.INT),
    "filter_mode": (FILTER_MODE, click.STRING),
    "hash": (HASH, click.STRING),
    "unit": (UNIT, click.STRING),
}
"""Options of filters, by the fields of `quchong.methods.bases.stream_filters.FilterChoice`, which are listed here again so that `--help`
does not load that module.
"""


def filter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the parameters of exact-repeat filters as options to a command."""
    for name, (about, type) in reversed(_OF_FILTERS.items()):
        command = _shown(name, about, type)(command)
    return command


DEFAULT_METHOD = "hybrid"


def _settings(given: tuple[str, ...], others: Mapping[str, Any], method: str) -> dict[str, Any]:
    """Parse the parameters given by --set to values by name; `method` is named in errors.

    Raises:
        UsageError: no name and value, or one that is given twice.
    """
    out: dict[str, Any] = {}
    for item in given:
        name, sign, value = item.partition("=")
        name = name.strip().replace("-", "_")
        if not sign or not name:
            raise UsageError(
                "--set {!r}: give a parameter and a value, such as {}; {} lists all parameters",
                item,
                Shown(f"--set {_setting_meant(item, method)}"),
                Shown(f"quchong methods {method}"),
            )
        if name in out or name in others:
            raise UsageError("{} is given twice: give it once", name)
        out[name] = VALUE.convert(value, None, None)
    return out


def _setting_meant(item: str, method: str) -> str:
    """Return NAME=VALUE for a parameter without a value, or with another sign between them; for other words an example of the method.

    >>> _setting_meant("threshold:0.8", "minhash"), _setting_meant("threshold", "minhash"), _setting_meant("x", "minhash")
    ('threshold=0.8', 'threshold=0.7', 'threshold=0.7')
    """
    from quchong.parameters import parameters_of
    from quchong.plan.catalogue import usable

    kind = usable().get(method)
    known = {} if kind is None else parameters_of(kind)
    name, *values = re.split(r"\s*[:\uff1a\uff1d\s]\s*", item.strip(), maxsplit=1)
    name = name.replace("-", "_")
    if values and name in known:
        return f"{name}={values[0]}"
    shown = name if name in known else "threshold"
    default = known[shown].default if shown in known else None
    return f"{shown}={0.8 if default is None else _option_text(default)}"


def option_names(command: click.Command) -> Callable[[Param], str]:
    """Return a function that names a message's parameter as the command does: by its option, or by `--set` for a method's own one.

    A switch that the command does not have is named as another command has it; an optional parameter without an option is "".
    """
    if isinstance(command, MethodCommand):
        command.learn()
    given = [p for p in command.params if isinstance(p, click.Option)]
    options = {flag.lstrip("-").replace("-", "_"): p for p in given for flag in p.opts} | {p.name: p for p in given}
    apart = {*SHOWN, *command.learned} if isinstance(command, MethodCommand) else set(options)

    def shown(param: Param) -> str:
        option = options.get(param.name)
        if option is not None and param.method and param.name not in apart:
            return f"--set {param.name}={_option_text(param.value)}" if param.has_value else f"--set {param.name}"
        if option is not None and option.is_flag and param.has_value:
            return (option.opts if param.value or not option.secondary_opts else option.secondary_opts)[0]
        if option is not None:
            return f"{option.opts[0]} {_option_text(param.value)}" if param.has_value else option.opts[0]
        if param.optional:
            return ""
        return _of_another_command(param)

    return shown


def _of_another_command(param: Param) -> str:
    """Return a parameter that the command called has no option for, as another command names it."""
    if isinstance(param.value, bool):
        return _AS_CHOICES.get(param.name, f"--{'' if param.value else 'no-'}{param.name.replace('_', '-')}")
    if param.has_value:
        return f"{_OF_INDEX.get(param.name, param.name)} {_option_text(param.value)}"
    return _AS_CHOICES.get(param.name, param.name)


def _option_text(value: Any) -> str:
    """Return a value as it is typed behind an option; values of a list are one word, with commas."""
    value = shown_placeholder(value)
    return shell_word(",".join(map(str, value)) if isinstance(value, list | tuple) else value)
