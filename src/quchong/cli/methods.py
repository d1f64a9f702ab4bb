"""Command `quchong methods`: list the methods and their parameters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Any

import click

from quchong.errors import UsageError
from quchong.languages import COMMA, Message, join_messages, join_names
from quchong.parameters import parameters_of
from quchong.relations import relation_told


@click.command(short_help="List the methods: what each finds, what it costs, and the paper it comes from.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="JSON, with all parameters and defaults.")
def command(name: str | None, as_json: bool) -> None:
    """Lists every method: what it finds, what it costs, and the paper it comes from.

    With NAME, the parameters of one method are shown, and the thresholds of its presets, if any.
    """
    from quchong.cli.printing import paragraph, say, say_json, table
    from quchong.plan.catalogue import METHODS, kind_of, usable
    from quchong.plan.plugin_methods import registered
    from quchong.seam import Search, candidates_described, engines_of, settings_of

    if as_json:
        chosen = usable() if name is None else {name: kind_of(name)}
        told = [{"name": known, **_traits(kind()), "parameters": settings_of(kind())} for known, kind in chosen.items()]
        say_json(told if name is None else told[0], indent=2)
        return
    if name is None:
        for known, kind in METHODS.items():
            say("{}", known, bold=True)
            _line(kind)
        for known, other in registered().items():
            say("{} (package {})", known, other.package, bold=True)
            try:
                _line(other.load())
            except UsageError as error:
                paragraph(Message("cannot be used: {}", error.message), "    ")
        say("")
        paragraph(Message("quchong methods NAME lists the parameters of one method; --json prints all."))
        return
    kind = kind_of(name)
    t = kind.traits
    say("{}", name, bold=True)
    paragraph(Message(t.title), "  ")
    about = [
        Message("source: {}", Message(t.paper)),
        Message("finds: {}", _relation_names(t.finds)),
        Message("cost: {}", Message(t.cost)),
    ]
    method = kind()
    candidates = candidates_described(method)
    if candidates != "keys":
        about.append(Message("pairs: {}", candidates))
    spark = "spark" in engines_of(method)
    about.append(
        Message("engines: one machine, and Spark (--engine spark)") if spark else Message("engines: one machine")
    )
    about.append(
        Message("index: not supported, because the method needs all documents at once")
        if isinstance(method.candidates, Search)
        else Message("index: yes (quchong index create --method {})", name)
    )
    if t.order:
        about.append(Message("order: the result depends on the order of the input: {}", Message(t.order)))
    if name not in METHODS:
        about.append(Message("package: {}", registered()[name].package))
    for words in about:
        paragraph(words, "  ")
    say("")
    head = (Message("parameter"), Message("default"), Message("values"), Message("meaning"))
    table([head, *(_filled(row) for row in parameter_rows(kind))])
    if name in PRESET_METHODS:
        say("\nthresholds of the presets (--preset)")
        table(preset_rows())
        paragraph(BETWEEN)
    say("")
    paragraph(
        Message(
            "Write a parameter as --NAME VALUE or --set NAME=VALUE (dedup, index create, compare, inspect, "
            "passages, statistics, tune); in Python, as a keyword argument."
        )
    )
    for command in WITH_METHODS:
        place = command.replace(" ", "_")
        module = import_module(f"quchong.cli.{place}")
        taken = sorted(set(parameters_of(kind)) & module.command.other_options)
        if taken:
            paragraph(
                Message(
                    "{} has another option with the name {}: there, write the parameter with --set.",
                    command,
                    join_names(taken),
                )
            )


def _traits(method: Any) -> dict[str, Any]:
    """Return the traits of a method for JSON, with the engines and the kind of candidates that follow from its join."""
    from quchong.seam import candidates_described, engines_of

    derived = {"engines": engines_of(method), "candidates": str(candidates_described(method))}
    return asdict(method.traits) | derived


def _line(kind: type[Any]) -> None:
    from quchong.cli.printing import paragraph

    t = kind.traits
    paragraph(Message(t.title), "    ")
    paragraph(
        Message("finds {}; cost: {}; source: {}", _relation_names(t.finds), Message(t.cost), Message(t.paper)), "    "
    )


def _relation_names(names: Sequence[str]) -> Message:
    return join_messages([relation_told(name) for name in names], COMMA)


WITH_METHODS = ("dedup", "index create", "compare", "inspect", "passages", "statistics", "tune")
"""Commands that take parameters of methods."""
PRESET_METHODS = ("hybrid",)
BETWEEN = Message(
    "The threshold depends on the length of the shorter text of a pair. Between 60 and 80 characters, and "
    "between 120 and 200, it changes gradually. Pairs with a Jaccard below 0.30 and a containment below 0.60 "
    "are not listed."
)


def preset_rows() -> list[tuple[str, ...]]:
    """Return the thresholds of every preset as rows of a table."""
    from quchong.similarity import PRESETS

    said = {
        Message("Jaccard, Chinese, 200 characters and more"): "jaccard",
        Message("Jaccard, Chinese, just below 200"): "mid_jaccard",
        Message("Jaccard, Chinese, 80 to 120"): "short_jaccard",
        Message("Jaccard, Chinese, up to 60"): "brief_jaccard",
        Message("Jaccard, other languages"): "latin_jaccard",
        Message("containment, Chinese"): "containment",
        Message("containment, other languages"): "latin_containment",
    }
    rows: list[tuple[str, ...]] = [(Message("lowest value at which a pair is accepted"), *PRESETS)]
    return rows + [(label, *(f"{getattr(p, name):.2f}" for p in PRESETS.values())) for label, name in said.items()]


def parameter_rows(kind: type[Any]) -> list[tuple[str, str, str, str]]:
    """Return name, default, values and meaning of each parameter of a method; "-" is a default that the method chooses."""
    from quchong.seam import settings_of

    settings = settings_of(kind())
    return [
        (p.name, _shown(settings.get(p.name, p.default), p.about.unset), p.values, Message(p.help))
        for p in parameters_of(kind).values()
    ]


def _shown(value: Any, unset: str) -> str:
    return Message(unset or "-") if value is None else json.dumps(value, ensure_ascii=False, default=str).strip('"')


def _filled(row: tuple[str, ...]) -> tuple[str, ...]:
    from quchong.report.visible import NOTHING

    return tuple(cell or NOTHING for cell in row)
