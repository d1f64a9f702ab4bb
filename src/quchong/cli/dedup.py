"""quchong dedup: find copies and decide which to keep."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.options import OneName, reading_options
from quchong.cli.parameters import USUAL, MethodCommand, method_options
from quchong.errors import InputError, UsageError
from quchong.report.visible import LONGEST, Shown, named

if TYPE_CHECKING:
    from quchong.outputs import Place


def _option_value(value: Any, repeatable: bool) -> Any:
    """A list for an option that may be given again, else the comma-separated text the command line would have."""
    if repeatable:
        return value if isinstance(value, list) else [value]
    return ",".join(map(str, value)) if isinstance(value, list) else value


def _config(ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Options from a TOML or JSON file, under those given on the command line."""
    if value is None:
        return None
    path = Path(value)
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            options = json.loads(text)
        else:
            import tomllib

            options = tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise UsageError(f"--config {path} cannot be read: {error}") from error
    if not isinstance(options, dict):
        raise UsageError(f"--config {path} holds no options: a JSON object of names and values is wanted")
    options = {str(k).replace("-", "_"): v for k, v in options.items()}
    names = {flag.lstrip("-").replace("-", "_"): p.name for p in ctx.command.params for flag in p.opts}
    unknown = sorted(set(options) - set(names))
    if unknown:
        raise UsageError(f"--config {path}: unknown options {', '.join(unknown)}; names are those of the command line")
    repeatable = {p.name for p in ctx.command.params if p.multiple}
    ctx.default_map = {names[k]: _option_value(v, names[k] in repeatable) for k, v in options.items()}
    return value


@dataclass(frozen=True)
class _Asked:
    """The options that are no part of a plan."""

    out: str | None
    overwrite: bool
    dry_run: bool
    mode: str
    against: tuple[str, ...]
    protect: str | None
    as_json: bool
    quiet: bool
    format: str | None
    engine: str


GROUPS = {
    "Input": ("text", "html", "body", "id", "time", "source", "format"),
    "What is compared": ("method", *USUAL, "settings", "against", "only_against", "within", "per", "same_site", "strip", "social",
                         "boilerplate"),
    "Who stays": ("keep", "relations", "variants", "protect"),
    "Output": ("out", "overwrite", "dry_run", "mode", "as_json", "quiet"),
    "Machine": ("engine", "master", "work", "spark_conf", "workers", "recall_sample", "config"),
}  # fmt: skip


@click.command(cls=MethodCommand, groups=GROUPS,
               short_help="Find copies, keep the best of each, and record why the others were removed.")  # fmt: skip
@click.argument("inputs", nargs=-1, required=True)
@click.option("-o", "--output", "out", type=click.Path(), help="Folder to write the run to.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier run in the output folder.")
@click.option("--dry-run", is_flag=True, help="Print the summary without writing anything.")
@click.option("--mode", type=click.Choice(["remove", "annotate"]), default="remove", show_default=True,
              help="Write kept and removed rows apart, or all rows with columns that say what was decided.")  # fmt: skip
@click.option(
    "--method",
    metavar="NAME",
    default="hybrid",
    show_default=True,
    help="How copies are found; `quchong methods` lists all.",
)
@click.option("--keep", metavar="RULES", default="longest,earliest", show_default=True,
              help="Which of two copies is kept: longest, shortest, earliest, latest, first, last, source:a>b, column:NAME [desc], "
                   "prefer:COLUMN=VALUE. A contained document goes whatever the rules; with earliest first it stays if it was "
                   "published first.")  # fmt: skip
@click.option("--relations", metavar="NAMES", default="exact,duplicate,contained_in", show_default=True,
              help="Relations by which a document is removed; also variant, partial.")  # fmt: skip
@click.option("--variants", type=click.Choice(["keep", "remove"]), default="keep", show_default=True,
              help="Near-copies that differ in a fact, such as a figure or a place.")  # fmt: skip
@click.option(
    "--against", metavar="PATH", multiple=True, help="Another corpus (repeatable): copies of its documents are removed."
)
@click.option("--only-against", is_flag=True, help="Do not compare INPUTS with each other.")
@click.option("--protect", type=click.Path(), help="File of ids, one a line; these documents are never removed.")
@click.option("--within", metavar="SPAN", help="Compare only documents at most this far apart in time: 7d, 12h.")
@click.option("--per", metavar="COLUMN", help="Compare only documents with the same value in this column.")
@click.option(
    "--same-site", is_flag=True, help="Compare only documents of one site (column site, else the domain of url)."
)
@click.option("--strip", metavar="NAMES", default="", help="Do not compare: dateline, source, editor.")
@click.option("--social", metavar="NAMES",
              help="Ignore these parts of posts: all, none, forwards, tags, links, hashtags, emoji, names, punctuation.  "
                   "[default: all for short-text, else none]")  # fmt: skip
@click.option("--boilerplate", multiple=True, type=click.Path(), help="File of lines not to compare (repeatable).")
@click.option("--recall-sample", type=int, metavar="N", default=1000, show_default=True,
              help="Documents compared with all others, to measure the recall of the search; 0 for none.")  # fmt: skip
@click.option(
    "--workers",
    "--num-proc",
    "--threads",
    "workers",
    cls=OneName,
    type=int,
    metavar="N",
    help="Threads.  [default: all]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON on stdout.")
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True,
              help="One machine, or a Spark cluster (needs PySpark and Java 17).")  # fmt: skip
@click.option("--master", metavar="URL", help="Spark: spark://host:7077, yarn, k8s://..., local[4].")
@click.option(
    "--work",
    metavar="FOLDER",
    help="Spark: folder for intermediate files that every executor reaches.  [default: inside the output]",
)
@click.option("--spark-conf", multiple=True, metavar="K=V", help="Spark: a setting (repeatable).")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.option("--config", callback=_config, is_eager=True, expose_value=False, type=click.Path(),
              help="TOML or JSON file of options; options on the command line override it.")  # fmt: skip
@reading_options
@method_options(*USUAL)
@click.pass_context
def command(
    ctx: click.Context, /, inputs: tuple[str, ...], method: str, parameters: dict[str, Any], **given: Any
) -> None:
    """Finds exact copies, near-duplicates and contained documents in INPUTS, and decides which to keep.

    INPUTS are files (JSONL, CSV, TSV, Parquet, Arrow, WARC; also .gz, .zst, .bz2), folders of .txt, .md or .html, globs,
    or - for standard input. The run folder holds the kept and removed rows, the ledger (one row per removed document, with the
    kept document it is a copy of and the passages both share), all pairs, clusters, skipped records and run.json.
    """
    import tempfile

    from quchong.cli.cluster import CLUSTER_ONLY, dedup_on_cluster, given_of, print_manifest
    from quchong.plan.catalogue import build

    asked = _Asked(**{f.name: given.pop(f.name) for f in fields(_Asked)})
    options = {name: value for name, value in given.items() if name not in CLUSTER_ONLY}
    options["method"] = build(method, parameters)
    if asked.engine == "spark":
        print_manifest(
            dedup_on_cluster(ctx, inputs, asked.out, _read_ids(asked.protect), options, places(ctx, (), parameters)),
            asked.out or "",
            asked.as_json,
        )
        return
    if foreign := given_of(ctx, CLUSTER_ONLY):
        raise UsageError(f"{', '.join(foreign)}: only --engine spark knows this")
    from quchong.api import make_plan
    from quchong.cli.printing import print_summary, say, say_json
    from quchong.cli.progress import watcher
    from quchong.engines.local.run import Outcome, run
    from quchong.io import open_inputs
    from quchong.kernels.machine import give_back_from
    from quchong.outputs import check_apart, local
    from quchong.plan.request import places_opened, spooled
    from quchong.progress import Stages
    from quchong.results.folder import describe, write_rows, write_tables
    from quchong.results.saved import biggest_clusters
    from quchong.runs.layout import fresh_folder

    output = None if asked.out is None else Path(asked.out)
    if output is None and not asked.dry_run:
        raise UsageError("no output folder: give one with -o, such as -o run/, or --dry-run to write nothing")
    plan = make_plan(**options)
    if plan.only_against and not asked.against:
        raise UsageError("--only-against needs a corpus to compare with: give it with --against")
    protected = _read_ids(asked.protect)
    read, written = places(ctx, inputs, parameters), local([output] if output and not asked.dry_run else [], "-o")
    check_apart(read, written)
    give_back_from()
    watch = watcher(asked.quiet)
    stages = Stages(watch)
    extra = {"command": sys.argv[1:]}
    try:
        if asked.dry_run or output is None:
            with tempfile.TemporaryDirectory() as spool, spooled(Path(spool)):
                outcome = run(
                    open_inputs(inputs, asked.format, Path(spool)),
                    plan,
                    open_inputs(asked.against, asked.format, Path(spool, "against")) if asked.against else [],
                    protected,
                    stages,
                )
            manifest = describe(outcome, "dry run", {}, stages) | extra
        else:
            with fresh_folder(output, overwrite=asked.overwrite) as fresh, spooled(spool_path := fresh / "stdin"):
                files: dict[str, dict[str, str]] = {}

                def rows(decided: Outcome, folder: Path = fresh) -> None:
                    files.update(write_rows(decided, folder, asked.mode, stages))

                sources = open_inputs(inputs, asked.format, spool_path)
                references = open_inputs(asked.against, asked.format, spool_path / "against") if asked.against else []
                check_apart(places_opened([*sources, *references]), written)
                outcome = run(sources, plan, references, protected, stages, rows)
                manifest = write_tables(outcome, fresh, asked.mode, files, stages, extra)
                _remove_spool(spool_path)
    finally:
        watch.close()
    if asked.as_json:
        say_json(manifest)
        return
    print_summary(manifest, biggest_clusters(outcome.clusters))
    if output is not None and not asked.dry_run:
        say("\nwritten to {}", output)
        if shown := _typed(output, outcome.ledger["id"].slice(0, 1000).to_pylist()):
            say("why a document was removed:  {}", shown)


def _typed(output: Path, ids: list[Any]) -> Shown | None:
    """The command that explains the first of these documents that a person can type, quoted for the shell."""
    place = str(output)
    for one in map(str, ids):
        if len(one) <= LONGEST and named(one) == one and named(place) == place:
            dashes = "-- " if place.startswith("-") or one.startswith("-") else ""
            return Shown(f"quchong explain {dashes}{shlex.quote(place)} {shlex.quote(one)}")
    return None


READ = {"against": "--against", "protect": "--protect", "boilerplate": "--boilerplate"}
"""Options that name what is read beside the inputs."""


def places(ctx: click.Context, inputs: Sequence[str], parameters: Mapping[str, Any]) -> list[Place]:
    """What a run reads: the inputs, and what options and parameters of the method name."""
    from quchong.plan.request import places_read

    found = places_read([Path(path) for path in inputs])
    for name, option in READ.items():
        given = ctx.params.get(name) or ()
        found += places_read([Path(path) for path in ([given] if isinstance(given, str) else given)], option)
    if statistics := parameters.get("statistics"):
        found += places_read([Path(str(statistics))], "--statistics")
    return found


def _read_ids(path: str | None) -> list[str]:
    if path is None:
        return []
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--protect {path} cannot be read: {error}; give UTF-8 text, one id a line") from error
    return [line.strip() for line in lines if line.strip()]


def _remove_spool(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
