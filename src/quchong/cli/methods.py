"""quchong methods: the catalogue."""

from __future__ import annotations

import json
from dataclasses import asdict

import click


@click.command(short_help="Every method: what it finds, what it costs, where it comes from.")
@click.option("--json", "as_json", is_flag=True, help="JSON, with all parameters and defaults.")
def command(as_json: bool) -> None:
    """Lists every method with what it finds, what it costs and the paper it comes from."""
    from quchong.cli.printing import table
    from quchong.pipeline.catalogue import METHODS, build

    if as_json:
        methods = [
            {"name": name, **asdict(kind.traits), "parameters": build(name).settings()}
            for name, kind in METHODS.items()
        ]
        click.echo(json.dumps(methods, ensure_ascii=False, indent=2))
        return
    rows = [("method", "what it is", "finds", "cost", "source")]
    for name, kind in METHODS.items():
        t = kind.traits
        rows.append((name, t.title, ", ".join(t.finds), t.cost, t.paper))
    table(rows)
