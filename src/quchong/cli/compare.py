"""quchong compare: two files beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quchong.cli.options import body_option, method_options


@click.command(short_help="Compare two texts or web pages.")
@click.argument("left", type=click.Path(path_type=Path))
@click.argument("right", type=click.Path(path_type=Path))
@click.option(
    "--method", default="hybrid", show_default=True, help="How the texts are compared; `quchong methods` lists all."
)
@click.option(
    "--social", help="Parts of posts to ignore; see `quchong dedup --help`.  [default: all for short-text, else none]"
)
@body_option
@click.option("--json", "as_json", is_flag=True, help="JSON.")
@method_options
def command(
    left: Path, right: Path, method: str, social: str | None, body: str, as_json: bool, **parameters: Any
) -> None:
    """Shows how the texts or web pages (.html) LEFT and RIGHT are related: relation, exact figures, shared passages.

    The relation is the one `quchong dedup` finds for these two. A page is read as there: title, headings and address count
    for the methods that use them. What a method counts over a corpus comes from --statistics, or else from these two.
    """
    from quchong.api import compare
    from quchong.cli.printing import highlight, say, say_json
    from quchong.report.explanation import marked

    found = compare(left, right, method=method, social=social, body=body, **parameters)
    a, b = found.texts
    if as_json:
        say_json(found.as_dict())
        return
    say("{} is to {}: {} ({})", left, right, found.relation, found.rule)
    say(
        "  Jaccard {:.3f}; {:.1f}% of {} is in {}, {:.1f}% of {} is in {}",
        found.jaccard, 100 * found.containment_left, left.name, right.name,
        100 * found.containment_right, right.name, left.name,
    )  # fmt: skip
    mark = highlight()
    say("\n--- {}\n{}", left, marked(a, [(p.start, p.end) for p in found.passages], mark, 1200))
    say("\n--- {}\n{}", right, marked(b, [(p.survivor_start, p.survivor_end) for p in found.passages], mark, 1200))
