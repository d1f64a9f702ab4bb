"""Command `quchong review`: decide and label in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from quchong.cli.options import texts_option
from quchong.errors import UsageError
from quchong.languages import Message, language


@click.command(short_help="Decide on removals and label pairs in a browser.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--decisions", metavar="FILE", type=click.Path(path_type=Path),
              help="File to which every decision is appended.  [default: RUN.decisions.jsonl, next to RUN]")  # fmt: skip
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port to listen on.  [default: any free one]"
)
@click.option(
    "--lang", type=click.Choice(["zh", "en"]),
    help=(
        "Language of the page when it opens; you can switch it on the page.  [default: QUCHONG_LANG, or the locale]"
    ),
)  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
@texts_option
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N",
              help="Seed for drawing pairs to label; another seed draws other pairs.")  # fmt: skip
@click.option("--export", metavar="FILE", type=click.Path(path_type=Path),
              help="Write the labels as a file of pairs, one JSON object per line, without opening the desk.")  # fmt: skip
@click.option("--overwrite", is_flag=True, help="With --export: replace an earlier file of labels.")
def command(
    run: Path, decisions: Path | None, port: int, lang: str | None, no_browser: bool, texts: tuple[Path, ...], seed: int,
    export: Path | None, overwrite: bool,
) -> None:  # fmt: skip
    """Opens the run folder RUN in the browser. It shows removed documents and pairs side by side; you accept or
    overturn removals, and label pairs. Precision, recall and the best threshold are estimated as you label.

    All data stays on this machine. Each decision is saved on disk before the page shows it as saved; the run folder
    is not changed. `restore --decisions` puts back removals that you overturned, and `dedup --decisions` keeps these
    documents in a new run. Ctrl-C closes the desk.
    """
    from quchong.api import load
    from quchong.cli.printing import say

    if overwrite and export is None:
        raise UsageError("--overwrite can only be used with --export: a decisions file is never replaced")
    result = load(run, texts=texts)
    if export is not None:
        say("{:,} labels written to {}", result.labels(decisions, out=export, overwrite=overwrite).num_rows, export)
        return
    desk = result.review(decisions, port=port, lang=lang or language(), seed=seed)  # type: ignore[arg-type]
    try:
        say("review desk: {}", desk.url)
        say("decisions are saved in {}; Ctrl-C closes the desk", desk.decisions)
        if not no_browser:
            desk.open_browser()
        desk.wait()
    except KeyboardInterrupt:
        acts = desk.acts
        say(
            "\nthe review desk is closed; {}",
            Message("{:,} decisions are in {}", acts, desk.decisions) if acts else Message("nothing was decided"),
            err=True,
        )
    finally:
        desk.close()
