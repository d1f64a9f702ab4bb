"""quchong compare: two files beside each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from quchong.cli.options import body_option, method_options
from quchong.errors import InputError


def _read(path: Path, body: str) -> str:
    from quchong.io.folder import PAGES
    from quchong.pages import UnreadablePage, read_page

    try:
        if path.suffix.lower() in PAGES:
            return read_page(path.read_bytes(), body).text
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 (byte {error.start}): is it GB18030? convert with iconv -f GB18030 -t UTF-8"
        ) from error
    except UnreadablePage as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


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

    a, b = _read(left, body), _read(right, body)
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
