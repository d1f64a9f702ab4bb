"""quchong dedup: the main job."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from quchong.cli.options import method_options, reading_options
from quchong.errors import InputError, UsageError


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


@click.command(short_help="Find copies, keep the best of each, say why the others went.")
@click.argument("inputs", nargs=-1, required=True)
@click.option("-o", "--output", "out", type=click.Path(), help="Folder for the run.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier run in the output folder.")
@click.option("--dry-run", is_flag=True, help="Find and decide, print the summary, write nothing.")
@click.option("--mode", type=click.Choice(["remove", "annotate"]), default="remove", show_default=True,
              help="Split the input into kept and removed, or write it whole with columns that tell.")  # fmt: skip
@click.option("--method", default="hybrid", show_default=True, help="See `quchong methods`.")
@click.option("--keep", default="longest,earliest", show_default=True,
              help="Who survives, a list of rules: longest, shortest, earliest, latest, first, last, source:a>b, "
                   "column:NAME [desc], prefer:COLUMN=VALUE.")  # fmt: skip
@click.option("--relations", default="exact,duplicate,contained_in", show_default=True,
              help="Relations that remove a document; also variant and partial.")  # fmt: skip
@click.option("--variants", type=click.Choice(["keep", "remove"]), default="keep", show_default=True,
              help="Template siblings that differ in facts.")  # fmt: skip
@click.option("--against", multiple=True, help="Another corpus: what stands there goes here. May be given again.")
@click.option("--only-against", is_flag=True, help="With --against: do not compare the input with itself.")
@click.option("--protect", type=click.Path(), help="File of ids, one a line, that are never removed.")
@click.option("--within", help="Compare only documents at most so far apart in time: 7d, 12h.")
@click.option("--per", help="Compare only documents with the same value in this column.")
@click.option(
    "--same-site",
    is_flag=True,
    help="Compare only documents of one site (column site, else registrable domain of url).",
)
@click.option("--strip", default="", help="Not compared: dateline, source, editor (with commas).")
@click.option(
    "--social",
    help="Folded in posts before comparing: all, none, or some of forwards, tags, links, hashtags, "
    "emoji, names, punctuation (with commas).  [default: all for short-text, else none]",
)
@click.option("--boilerplate", multiple=True, type=click.Path(), help="File of lines that are not compared.")
@click.option("--recall-sample", type=int, default=1000, show_default=True,
              help="Documents compared exactly with all others to measure candidate recall; 0 for none.")  # fmt: skip
@click.option("--workers", "--num-proc", "--threads", "workers", type=int, help="Threads.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON on stdout.")
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True,
              help="One machine, or a cluster (pip install 'quchong[spark]', Java 17).")  # fmt: skip
@click.option("--master", help="Of Spark: spark://host:7077, yarn, k8s://..., local[4].  [--engine spark]")
@click.option("--work", help="Folder every executor sees, for stages; default: in the output.  [--engine spark]")
@click.option("--spark-conf", multiple=True, metavar="NAME=VALUE",
              help="A setting of Spark. May be given again.  [--engine spark]")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.option("--config", callback=_config, is_eager=True, expose_value=False, type=click.Path(),
              help="TOML or JSON file of options; the command line comes first.")  # fmt: skip
@reading_options
@method_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    out: str | None,
    overwrite: bool,
    dry_run: bool,
    mode: str,
    against: tuple[str, ...],
    protect: str | None,
    as_json: bool,
    quiet: bool,
    format: str | None,
    engine: str,
    master: str | None,
    work: str | None,
    spark_conf: tuple[str, ...],
    **options: Any,
) -> None:
    """Finds exact copies, near-duplicates and contained documents in INPUTS, and decides which to keep.

    INPUTS are files (JSONL, CSV, TSV, Parquet, Arrow, WARC; .gz, .zst, .bz2 too), folders of .txt, .md or .html, globs,
    or - for stdin. The run folder holds kept and removed rows, the ledger (one row per removed document, with its survivor and
    shared passages), all pairs, clusters, skipped records and run.json.
    """
    import tempfile

    from quchong.cli.cluster import CLUSTER_ONLY, dedup_on_cluster, given, print_manifest

    if engine == "spark":
        print_manifest(dedup_on_cluster(ctx, inputs, out, _read_ids(protect), options), out or "", as_json)
        return
    if foreign := given(ctx, CLUSTER_ONLY):
        raise UsageError(f"{', '.join(foreign)}: only --engine spark knows this")
    from quchong.api import make_plan
    from quchong.cli.printing import print_summary
    from quchong.cli.progress import watcher
    from quchong.io import open_inputs
    from quchong.kernels import give_back_from
    from quchong.pipeline.folder import describe, fresh_folder, write_rows, write_tables
    from quchong.pipeline.local import Outcome, run
    from quchong.pipeline.progress import Stages
    from quchong.pipeline.saved import biggest_clusters

    output = None if out is None else Path(out)
    if output is None and not dry_run:
        raise UsageError("where to? give a folder with -o, such as -o run/, or --dry-run to write nothing")
    plan = make_plan(**options)
    if plan.only_against and not against:
        raise UsageError("--only-against needs a corpus to compare with: give it with --against")
    protected = _read_ids(protect)
    give_back_from()
    watch = watcher(quiet)
    stages = Stages(watch)
    extra = {"command": sys.argv[1:]}
    try:
        if dry_run or output is None:
            with tempfile.TemporaryDirectory() as spool:
                outcome = run(
                    open_inputs(inputs, format, Path(spool)),
                    plan,
                    open_inputs(against, format, Path(spool, "against")) if against else [],
                    protected,
                    stages,
                )
            manifest = describe(outcome, "dry run", {}, stages) | extra
        else:
            with fresh_folder(output, overwrite=overwrite) as fresh:
                spool_path = fresh / "stdin"
                files: dict[str, dict[str, str]] = {}

                def rows(decided: Outcome, folder: Path = fresh) -> None:
                    files.update(write_rows(decided, folder, mode, stages))

                outcome = run(
                    open_inputs(inputs, format, spool_path),
                    plan,
                    open_inputs(against, format, spool_path / "against") if against else [],
                    protected,
                    stages,
                    rows,
                )
                manifest = write_tables(outcome, fresh, mode, files, stages, extra)
                _remove_spool(spool_path)
    finally:
        watch.close()
    if as_json:
        click.echo(json.dumps(manifest, ensure_ascii=False))
        return
    print_summary(manifest, biggest_clusters(outcome.clusters))
    if output is not None and not dry_run:
        removed = outcome.ledger["id"]
        click.echo(f"\nwritten to {output}")
        if len(removed):
            click.echo(f"why a document went:  quchong explain {output} {removed[0].as_py()}")


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
