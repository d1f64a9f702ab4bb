"""Command `quchong explain`: why a document was removed or kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from quchong.cli.options import language_option, texts_option
from quchong.languages import language


@click.command(short_help="Show why a document was removed or kept, and what it is a copy of.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1, required=True)
@click.option("--with", "other", help="Compare each document with this one instead, and mark what both share.")
@click.option(
    "--gap", type=click.IntRange(0), default=0, help="Join passages with at most this many characters between them."
)
@click.option("--chars", type=click.IntRange(1), default=1200, show_default=True, help="Characters shown of each text.")
@texts_option
@language_option
@click.option("--json", "as_json", is_flag=True, help="JSON, one object per line.")
def command(
    run: Path, ids: tuple[str, ...], other: str | None, gap: int, chars: int, texts: tuple[Path, ...], as_json: bool
) -> None:  # fmt: skip
    """Shows what became of each document in IDS in the run folder RUN.

    For a removed document: what it is a copy of, the rule and threshold that decided, and the passages both share. For a
    kept one: what was removed as its copy, and whether it was protected. For a skipped record: file, line and reason.
    """
    from quchong.api import load
    from quchong.cli.arrow import without_pandas
    from quchong.cli.colours import coloured
    from quchong.cli.printing import highlight, say, say_json, say_left_alone, say_pair
    from quchong.findings import merge_passages
    from quchong.report import render, render_beside
    from quchong.report.terminal_marks import worth_drawing
    from quchong.report.visible import Shown

    without_pandas()
    saved = load(run, texts=texts)
    for number, doc_id in enumerate(ids):
        found: Any = saved.explain(doc_id) if other is None else saved.beside(doc_id, other)
        beside = found.survivor_text if other is None else found.other_text
        if gap and found.text is not None and beside is not None:
            found = replace(found, passages=merge_passages(found.passages, gap, found.text, beside))
        if as_json:
            say_json(found.as_dict())
        else:
            told = render if other is None else render_beside
            drawn = coloured() and found.text is not None and beside is not None
            say("{}{}", Shown("\n" if number else ""), told(found, highlight(), 0 if drawn else chars))
            if drawn:
                names = (str(found.id), str(found.survivor_id if other is None else found.other_id))
                say("")
                say_pair(names, (found.text, beside), found.passages, worth_drawing(found.differences, found.passages), chars,
                         language())  # fmt: skip
    say_left_alone(saved.left_alone)
