"""quchong methods: the catalogue."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import asdict
from typing import Any

import click

from quchong.errors import UsageError


@click.command(short_help="Every method: what it finds, what it costs, where it comes from.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="JSON, with all parameters and defaults.")
def command(name: str | None, as_json: bool) -> None:
    """Lists every method with what it finds, what it costs and the paper it comes from; one by NAME with its parameters."""
    from quchong.cli.printing import table
    from quchong.pipeline.catalogue import METHODS, build, parameters_of

    if name is not None and name not in METHODS:
        raise UsageError(f"unknown method {name!r}: use {', '.join(METHODS)}")
    chosen = METHODS if name is None else {name: METHODS[name]}
    if as_json:
        methods = [
            {"name": known, **asdict(kind.traits), "parameters": build(known).settings()}
            for known, kind in chosen.items()
        ]
        click.echo(json.dumps(methods if name is None else methods[0], ensure_ascii=False, indent=2))
        return
    if name is None:
        rows: list[tuple[str, ...]] = [("method", "what it is", "finds", "cost", "source")]
        for known, kind in METHODS.items():
            t = kind.traits
            rows.append((known, t.title, ", ".join(t.finds), t.cost, t.paper))
        table(rows)
        return
    kind = METHODS[name]
    t = kind.traits
    click.echo(f"{name}: {t.title}\n  source  {t.paper}\n  finds   {', '.join(t.finds)}\n  cost    {t.cost}")
    if t.candidates != "keys":
        click.echo(f"  pairs   {t.candidates}")
    if "spark" in t.engines:
        click.echo("  runs on one machine and on a cluster (--engine spark)")
    if t.order:
        click.echo(f"  depends on the order of the input: {t.order}")
    meanings = _meanings(kind)
    settings = build(name).settings()
    rows = [("parameter", "default", "meaning")]
    rows += [(p, _shown(settings.get(p, default)), meanings.get(p, "")) for p, default in parameters_of(kind).items()]
    click.echo()
    table(rows)
    click.echo("\nas an option (--name value) where `quchong dedup --help` has it, else as --set name=value")


def _shown(value: Any) -> str:
    return "-" if value is None else json.dumps(value, ensure_ascii=False, default=str).strip('"')


def _meanings(kind: type[Any]) -> dict[str, str]:
    """What the docstrings of a method and of what it builds on say of each parameter."""
    out: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        text = inspect.cleandoc(owner.__doc__ or "")
        args = re.search(r"^Args:\n((?:[ ]+.*\n?|\n)*)", text, re.MULTILINE)
        for match in re.finditer(r"^    ([\w, ]+): (.*(?:\n {8}.*)*)", args[1] if args else "", re.MULTILINE):
            for one in match[1].split(","):
                out[one.strip()] = re.sub(r"\s+", " ", match[2])
    return out
