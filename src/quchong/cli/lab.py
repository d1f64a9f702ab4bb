"""quchong lab: the papers' experiments."""

from __future__ import annotations

from pathlib import Path

import click

from quchong.languages import Message


@click.group(short_help="Run the papers' experiments: tables and plots beside the papers' figures.")
def command() -> None:
    """Runs the experiments of the papers and writes tables and plots, with the papers' figures beside ours.

    Plots need matplotlib.
    """


@command.command("list", short_help="List the experiments.")
def list_() -> None:
    """Lists every experiment with the paper and figure it repeats."""
    from quchong.cli.printing import table
    from quchong.lab import EXPERIMENTS, experiment

    found = [experiment(name) for name in EXPERIMENTS]
    head = (Message("experiment"), Message("what it shows"), Message("paper"))
    table([head, *((e.name, Message(e.title), e.paper) for e in found)])


@command.command(short_help="Run one experiment.")
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder to write to, with a subfolder for each experiment.  [default: lab]",
)
@click.option("--scale", type=click.Choice(["quick", "paper", "full"]), default="paper", show_default=True,
              help="quick: takes seconds. paper: the sizes of the paper. full: the largest sizes.")  # fmt: skip
@click.option(
    "--texts", type=click.Path(), help="Articles (columns title, text) to make the pages of, instead of generated ones."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the generated texts.")
def run(name: str, output: Path | None, scale: str, seed: int, texts: str | None) -> None:
    """Runs the experiment NAME (see quchong lab list) and writes table.csv, table.md, plots and run.json.

    At the sizes of the paper the largest texts made take about 2 GB of memory.
    """
    import pyarrow as pa

    from quchong.cli.printing import say
    from quchong.errors import UsageError
    from quchong.io import open_inputs
    from quchong.io.source import Wanted
    from quchong.lab import experiment, write
    from quchong.lab.report import markdown
    from quchong.outputs import check_apart, local
    from quchong.plan.sources import places_read
    from quchong.report.visible import Shown, named, visible

    found, folder = experiment(name), (output or Path("lab")) / name
    check_apart(places_read(None if texts is None else Path(texts), "texts"), local([folder], "output"))
    if texts is None:
        findings = found.run(scale, seed)
    elif found.texts:
        wanted = Wanted(("text",), None, extra=("title",))
        batches = [b for s in open_inputs([texts]) for b in s.documents(wanted, [])]
        findings = found.run(scale, seed, pa.Table.from_batches(batches).select(["title", "text"]))
    else:
        raise UsageError("--texts: experiment {} makes its own texts", name)
    files = write(found, findings, folder, scale, seed)
    say("{}", visible(markdown(found, findings)))
    say("written to {}: {}", files[0].parent, Shown(", ".join(named(path.name) for path in files)))
