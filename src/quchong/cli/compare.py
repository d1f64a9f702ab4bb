"""quchong compare: two files beside each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from quchong.cli.options import body_option, method_options
from quchong.cli.texts import read_one


@click.command(short_help="What two texts or web pages have in common.")
@click.argument("left", type=click.Path(path_type=Path))
@click.argument("right", type=click.Path(path_type=Path))
@click.option("--method", default="hybrid", show_default=True, help="See `quchong methods`.")
@click.option(
    "--social", help="Folded before comparing, see `quchong dedup --help`.  [default: all for short-text, else none]"
)
@body_option
@click.option("--json", "as_json", is_flag=True, help="JSON.")
@method_options
def command(
    left: Path, right: Path, method: str, social: str | None, body: str, as_json: bool, **parameters: Any
) -> None:
    """Compares the texts or web pages (.html) LEFT and RIGHT: relation, exact figures, and the passages they share."""
    from quchong.api import compare
    from quchong.cli.printing import highlight
    from quchong.report.explanation import marked

    a, b = read_one(left, body), read_one(right, body)
    found = compare(a, b, method=method, social=social, **parameters)
    if as_json:
        click.echo(json.dumps(found.as_dict(), ensure_ascii=False))
        return
    click.echo(f"{left} is to {right}: {found.relation} ({found.rule})")
    click.echo(
        f"  Jaccard {found.jaccard:.3f}; {100 * found.containment_left:.1f}% of {left.name} stands in {right.name}, "
        f"{100 * found.containment_right:.1f}% of {right.name} in {left.name}"
    )
    mark = highlight()
    click.echo(f"\n--- {left}\n{marked(a, [(p.start, p.end) for p in found.passages], mark, 1200)}")
    click.echo(f"\n--- {right}\n{marked(b, [(p.survivor_start, p.survivor_end) for p in found.passages], mark, 1200)}")
