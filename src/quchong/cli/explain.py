"""quchong explain: why a document went."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command(short_help="Why a document of a run went, as a copy of what.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1, required=True)
@click.option("--chars", default=1200, show_default=True, help="Characters shown of each text.")
@click.option("--json", "as_json", is_flag=True, help="JSON, one object a line.")
def command(run: Path, ids: tuple[str, ...], chars: int, as_json: bool) -> None:
    """Tells of each document in IDS what became of it in RUN: as a copy of what, by which rule, with the shared passages."""
    from quchong.api import load
    from quchong.cli.printing import highlight
    from quchong.report import render

    saved = load(run)
    for number, doc_id in enumerate(ids):
        found = saved.explain(doc_id)
        if as_json:
            click.echo(json.dumps(found.as_dict(), ensure_ascii=False))
        else:
            click.echo(("\n" if number else "") + render(found, highlight(), chars))
