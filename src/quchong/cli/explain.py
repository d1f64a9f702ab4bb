"""quchong explain: why a document went."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click


@click.command(short_help="Why a document of a run went, as a copy of what.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1, required=True)
@click.option("--with", "other", help="Put one other document beside each instead, and mark what both share.")
@click.option(
    "--gap", type=click.IntRange(0), default=0, help="Passages with up to so many characters between them are one."
)
@click.option("--chars", type=click.IntRange(1), default=1200, show_default=True, help="Characters shown of each text.")
@click.option("--json", "as_json", is_flag=True, help="JSON, one object a line.")
def command(run: Path, ids: tuple[str, ...], other: str | None, gap: int, chars: int, as_json: bool) -> None:
    """Tells of each document in IDS what became of it in RUN: as a copy of what, by which rule, with the shared passages."""
    from quchong.api import load
    from quchong.cli.printing import highlight
    from quchong.report import joined, render, render_beside

    saved = load(run)
    for number, doc_id in enumerate(ids):
        found: Any = saved.explain(doc_id) if other is None else saved.beside(doc_id, other)
        beside = found.survivor_text if other is None else found.other_text
        if gap and found.text is not None and beside is not None:
            found = replace(found, passages=joined(found.passages, gap, found.text, beside))
        if as_json:
            click.echo(json.dumps(found.as_dict(), ensure_ascii=False))
        else:
            shown = render(found, highlight(), chars) if other is None else render_beside(found, highlight(), chars)
            click.echo(("\n" if number else "") + shown)
