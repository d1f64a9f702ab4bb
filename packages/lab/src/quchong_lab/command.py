"""Command `quchong lab`: the papers' experiments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quchong.cli.subcommands import Subcommands
from quchong.languages import Message

if TYPE_CHECKING:
    import pyarrow as pa

    from quchong_lab import Experiment
    from quchong_lab.further import FurtherMethod


@click.group(
    cls=Subcommands,
    short_help=("Run the experiments of the papers, and show tables and plots next to the published ones."),
)
def command() -> None:
    """Runs the experiments of the papers and writes tables and plots, with the papers' figures beside ours."""


@command.command("list", short_help="List the experiments.")
def list_() -> None:
    """Lists every experiment with the paper and figure it repeats."""
    from quchong.cli.printing import table
    from quchong_lab import EXPERIMENTS, experiment

    found = [experiment(name) for name in EXPERIMENTS]
    head = (Message("experiment"), Message("what it shows"), Message("paper"))
    table([head, *((e.name, Message(e.title), e.paper) for e in found)])


@command.command(short_help="Run one experiment or all.")
@click.argument("name", required=False)
@click.option(
    "--all", "every", is_flag=True, help="Run every experiment that the output folder has no finished run of."
)
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
@click.option(
    "--queries", type=click.Path(), help="A file of queries, one per line: of the texts only those any query finds."
)
@click.option("--depth", type=int, default=100, show_default=True, help="Texts a query finds at most.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the generated texts.")
@click.option("--method", "methods", multiple=True, metavar="FILE:CLASS",
              help="A method of yours to measure beside the others, such as mine.py:Mine; the file is executed (repeatable).")  # fmt: skip
@click.option("--export", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Write the documents that are made and their truth there: pages.jsonl, truth.jsonl.")  # fmt: skip
def run(
    name: str | None, every: bool, output: Path | None, scale: str, texts: str | None, queries: str | None, depth: int, seed: int,
    methods: tuple[str, ...], export: Path | None,
) -> None:  # fmt: skip
    """Runs the experiment NAME (see quchong lab list), or all, and writes table.csv, table.md, plots and run.json.

    A stopped run resumes when the same command is given again. At the sizes of the paper the largest
    texts made take about 2 GB of memory.

    --method executes the code of the file that you name: give only files that you trust. --export writes what `quchong dedup` and
    `quchong eval --complete` read.
    """
    from quchong.cli.printing import say
    from quchong.errors import UsageError
    from quchong.outputs import check_apart, local
    from quchong.plan.sources import places_read
    from quchong_lab import EXPERIMENTS, experiment
    from quchong_lab.further import load_method
    from quchong_lab.runs import finished, key

    if (name is None) != every:
        raise UsageError("give the name of one experiment ({} lists them), or --all", "quchong lab list")
    root = output or Path("lab")
    wanted = [experiment(one) for one in (EXPERIMENTS if every else [name or ""])]
    for found in wanted:
        check_apart(places_read(None if texts is None else Path(texts), "texts"), local([root / found.name], "output"))
    compared = [one for one in wanted if one.systems]
    if (methods or export) and not compared:
        raise UsageError(
            "{}: experiment {} compares no methods on labelled documents", "--method" if methods else "--export", name
        )
    further = [load_method(one) for one in methods]
    if queries is not None and texts is None:
        raise UsageError("--queries choose among --texts: give these too")
    given = None if texts is None else _articles(texts, queries, depth)
    for found in wanted:
        if not found.texts and given is not None:
            if not every:
                raise UsageError("--texts: experiment {} makes its own texts", found.name)
            say("{}: left out, it makes its own texts", found.name)
        elif every and finished(root / found.name, key(found, scale, seed, given, further if found.systems else ())):
            say("{}: finished before", found.name)
        else:
            also = (further, export) if found.systems else ([], None)
            _run(found, root / found.name, scale, seed, given, every, *also)


def _articles(path: str, queries: str | None, depth: int) -> pa.Table:
    import pyarrow as pa

    from quchong.io import open_inputs
    from quchong.io.source import WantedColumns
    from quchong_lab.pool import pooled, read_queries

    wanted = WantedColumns(("text",), None, extra=("title",))
    batches = [b for s in open_inputs([path]) for b in s.documents(wanted, [])]
    table = pa.Table.from_batches(batches).select(["title", "text"])
    return table if queries is None else pooled(table, read_queries(Path(queries)), depth)


def _run(
    found: Experiment, folder: Path, scale: str, seed: int, texts: pa.Table | None, every: bool, methods: Sequence[FurtherMethod],
    export: Path | None,
) -> None:  # fmt: skip
    """Run one experiment; with --all, one that needs a package that is not installed is reported and skipped."""
    from typing import cast

    from quchong.cli.printing import say
    from quchong.errors import UsageError
    from quchong.report.visible import Shown, message, shown_name, visible
    from quchong_lab.experiment import Scale
    from quchong_lab.report import markdown
    from quchong_lab.runs import run_into

    try:
        findings, files = run_into(found, folder, cast(Scale, scale), seed, texts, methods, export)
    except UsageError as error:
        if not every:
            raise
        say("{}: left out: {}", found.name, message(error.render_message(str)))
        return
    if not every:
        say("{}", visible(markdown(found, findings)))
    say("written to {}: {}", files[0].parent, Shown(", ".join(shown_name(path.name) for path in files)))
    if export is not None:
        say(
            "documents and truth: {}; measure a run over them with quchong eval RUN --truth truth.jsonl --complete",
            export,
        )


@command.command(short_help="Show the tables of a finished run.")
@click.argument("result")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder of the runs.  [default: lab]")
def show(result: str, output: Path | None) -> None:
    """Shows the tables and remarks of a finished run, and where its plots are.

    RESULT is the folder of a run, or the name of an experiment.
    """
    from quchong.cli.printing import say
    from quchong.outputs import MANIFEST
    from quchong.report.visible import Shown, shown_name, visible
    from quchong_lab.gather import pictures
    from quchong_lab.gather import result as read

    folder = Path(result) if (Path(result) / MANIFEST).is_file() else (output or Path("lab")) / result
    about, text = read(folder)
    say("{}", visible(text))
    say("scale {}, seed {}, quchong {}", about["scale"], about["seed"], about["quchong"])
    say("plots: {}", Shown(", ".join(shown_name(str(path)) for path in pictures(folder))))


@command.command(short_help="Write the results of many runs on one page.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The Markdown file to write.")
def gather(folder: Path, output: Path) -> None:
    """Writes claims, tables and remarks of all runs under FOLDER to one Markdown file."""
    from quchong.cli.printing import say
    from quchong_lab import EXPERIMENTS
    from quchong_lab.gather import gather as write

    missing = write(folder, output)
    say("written to {}: {} of {} experiments", output, len(EXPERIMENTS) - len(missing), len(EXPERIMENTS))
    if missing:
        say("without a run: {}", ", ".join(missing))
