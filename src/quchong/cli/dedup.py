"""Command `quchong dedup`: find copies and decide which to keep."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.deciding_options import COMPARED, deciding_options
from quchong.cli.options import LocalPath, OneName, named_files, reading_options
from quchong.cli.parameters import USUAL, MethodCommand, method_options
from quchong.cli.part_options import PARTS, check_part_options, part_options, print_part
from quchong.cli.preview import is_preview, print_how_to_keep, takes_long
from quchong.cli.reporting import (
    check_ending,
    fail_option,
    kinds_of,
    log_option,
    logged_to,
    progress_option,
    quiet_option,
    summary_option,
)
from quchong.cli.request import request_of
from quchong.cli.row_options import MIX, ROWS, row_options
from quchong.cli.units import UNIT_OPTIONS, check_unit_options, run_units, unit_options
from quchong.errors import QuchongError, UsageError, meant, reason_of
from quchong.languages import Message, join_names
from quchong.outputs import check_regular
from quchong.parameters.other_names import OPTION_NAMES, TOOL_WORDS
from quchong.patterns import lazy_pattern
from quchong.report.visible import LONGEST, Shown, shown_name
from quchong.runs.command_line import asked_for, command_line
from quchong.runs.nothing_read import refusing_empty_runs

if TYPE_CHECKING:
    from quchong.outputs import Place


_OTHER_CONFIGS = (".yaml", ".yml", ".ini", ".cfg", ".conf", ".env", ".py")
"""Endings of files of options in formats that are not read."""


def _option_value(option: click.Option, value: Any) -> Any:
    """Convert a value of a file of options to what the command line gives: a list for a repeatable option, a truth value for a flag,
    else text, in which commas stand between the values of a list.

    Raises:
        TypeError: the option cannot have such a value.
    """
    if option.is_flag:
        if not isinstance(value, bool):
            raise TypeError(value)
        return value
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(one, str | int | float) and not isinstance(one, bool) for one in values):
        raise TypeError(value)
    words = [str(one) for one in values]
    return words if option.multiple else ",".join(words)


def _toml_lines(path: Path) -> list[str]:
    """Return the first options of a file with a line for each, `key: value` or `key = value`, as TOML has them; an example without any."""
    try:
        check_regular(path)
        text = path.read_text(encoding="utf-8")[:LONGEST]
    except (OSError, ValueError, QuchongError):
        text = ""
    found = [_toml_line(*one.groups()) for line in text.splitlines() if (one := _OPTION_LINE.fullmatch(line))]
    return found[:_LINES_SHOWN] or ['method = "minhash"']


def _toml_line(name: str, value: str) -> str:
    """Return an option and its value as a line of TOML.

    >>> _toml_line("num_perm", "256"), _toml_line("method", "minhash"), _toml_line("text_key", "'body'")
    ('num_perm = 256', 'method = "minhash"', 'text_key = "body"')
    """
    bare = value.strip("\"'")
    plain = bare == value and re.fullmatch(r"-?\d+(\.\d+)?|true|false", bare.lower())
    return f"{name} = {bare.lower() if plain else json.dumps(bare, ensure_ascii=False)}"


_OPTION_LINE = lazy_pattern(r"\s*-{0,2}([A-Za-z][\w-]*)\s*[:=]\s*([^\s#\[{].*?)\s*(?:#.*)?")
"""Line of a file of options in YAML or of the form NAME = VALUE."""
_LINES_SHOWN = 3
"""Lines of a file of options that a message shows."""


def _config(ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Read options from a TOML or JSON file as defaults of those on the command line."""
    if value is None:
        return None
    path = Path(value)
    if path.suffix.lower() in _OTHER_CONFIGS:
        raise UsageError(
            "--config {}: options are read from TOML or JSON files: write one line for each option, such as {}, into {}",
            path, join_names(_toml_lines(path)), path.with_suffix(".toml").name,
        )  # fmt: skip
    try:
        check_regular(path, pipes=True)
        text = path.read_text(encoding="utf-8")
        if path.suffix.lower() == ".json":
            options = json.loads(text)
        else:
            import tomllib

            options = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(
            "--config {} cannot be read: {}; give a TOML or JSON file of options, such as {}",
            path,
            reason_of(error),
            'method = "minhash"',
        ) from error
    if not isinstance(options, dict):
        raise UsageError("--config {} has no options: it must be a JSON object of names and values", path)
    if {"config_hash", "command"} <= options.keys():
        raise UsageError(
            "--config {} is the record of a run, not a file of options: its command line is under {!r}", path, "command"
        )
    options = {str(k).replace("-", "_"): v for k, v in options.items()}
    known = {
        flag.lstrip("-").replace("-", "_"): option
        for option in ctx.command.params
        if isinstance(option, click.Option) and option.name != "config"
        for flag in option.opts
    }
    names = {flag: option.name for flag, option in known.items()}
    unknown = sorted(set(options) - set(names))
    if unknown:
        first = unknown[0]
        if isinstance(options[first], dict):
            raise UsageError(
                "--config {}: write options at the top level, not inside a table: leave out {}", path, f"[{first}]"
            )
        target = OPTION_NAMES.get(first) or TOOL_WORDS.get(first) or ""
        near = Message("; did you mean {}?", target) if target in names else meant(first, names)
        raise UsageError(
            "--config {}: unknown options {}; use the option names of the command line{}",
            path,
            join_names(unknown),
            near or Message(""),
        )
    defaults: dict[str, Any] = {}
    for name, given in options.items():
        option = known[name]
        try:
            defaults[str(option.name)] = _option_value(option, given)
        except TypeError:
            raise UsageError(
                "--config {}: the option {} cannot have the value {}: write {}", path, name,
                json.dumps(given, ensure_ascii=False, default=str),
                Message("true or false") if option.is_flag else Message("text or a number, or a list of these"),
            ) from None  # fmt: skip
    ctx.default_map = defaults
    return value


def _read(ctx: click.Context, ids: Any, method: Any) -> Iterator[Place]:
    """Iterate over the locations that the run reads; they are looked up only when the iterator is used."""
    from quchong.outputs import local
    from quchong.plan.sources import places_beside, places_read

    given = ctx.params
    yield from places_read(named_files(given["inputs"]))
    yield from places_beside(named_files(given["against"]) or None, ids, given["boilerplate"], method)
    yield from local([given["decisions"]] if given["decisions"] else [], "decisions")


GROUPS = {
    "Input": ("text", "html", "body", "id", "time", "source", "format", "encoding", "max_record"),
    "What is compared": ("method", *USUAL, "settings", "against", "only_against", *COMPARED),
    "What is kept": ("keep", "relations", "facts", "templates", "roundups", "exact", "target", "keep_per_cluster",
                       "protect", "decisions"),
    "Lines and paragraphs": UNIT_OPTIONS,
    "Output": ("out", "overwrite", "dry_run", "show_plan", "mode", *ROWS, *MIX, "as_json", "quiet", "summary", "progress", "log_file",
               "fail_on"),
    "Environment": ("engine", "master", "spark_conf", "workers", "memory", "work", "fresh", "keep_work", *PARTS, "differences",
                "recall_sample", "profile", "config", "help_all"),
}  # fmt: skip
RARE = (
    "body", "max_record", "statistics", "settings", "only_against", "same_site", "strip", "boilerplate", "templates", "exact", "protect",
    "decisions", "keep_per_cluster", *UNIT_OPTIONS[1:], *ROWS, *MIX, "summary", "progress", "log_file", "fail_on", "master", "spark_conf",
    "work", "fresh", "keep_work", *PARTS, "differences", "recall_sample", "profile",
)  # fmt: skip
"""Options that `--help` leaves out and `--help-all` lists."""


@click.command(cls=MethodCommand, groups=GROUPS, rare=RARE,
               short_help="Find copies, keep the best of each, and record why the others were removed.")  # fmt: skip
@click.argument("inputs", nargs=-1, required=True)
@click.option("-o", "--output", "out", type=click.Path(), help="Folder to write the run to.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier run in the output folder.")
@click.option("--dry-run", is_flag=True, help="Print the summary without writing anything.")
@click.option(
    "--plan",
    "show_plan",
    is_flag=True,
    help="Print the time, memory and disk space needed.",
)
@click.option("--mode", type=click.Choice(["remove", "annotate"]), default="remove", show_default=True,
              help=(
                  "Write kept and removed rows to separate files, or all rows with columns that state the decision."
              ))  # fmt: skip
@row_options
@click.option(
    "--method",
    metavar="NAME",
    default="hybrid",
    show_default=True,
    help="How copies are found; `quchong methods` lists all methods.",
)
@deciding_options
@unit_options
@click.option(
    "--against",
    metavar="PATH",
    multiple=True,
    help=(
        "Another corpus to compare with (repeatable): copies of its documents are removed. A run folder "
        "gives its kept rows, an index all documents."
    ),
)
@click.option("--only-against", is_flag=True, help="Do not compare INPUTS with each other.")
@click.option("--target", type=int, metavar="N", help="Choose the threshold that keeps N documents.")
@click.option("--keep-per-cluster", type=int, metavar="N", default=1, show_default=True,
              help="Keep the N best documents of each cluster by --keep, not only the best one.")  # fmt: skip
@click.option("--protect", type=click.Path(), help="File of ids of documents that are never removed, one per line.")
@click.option("--decisions", metavar="FILE", type=click.Path(path_type=Path),
              help="File of decisions written by review: documents restored there are not removed again.")  # fmt: skip
@click.option("--differences", type=click.Choice(["deciding", "all"]), metavar="WHICH", default="deciding", show_default=True,
              help="Pairs whose differences are examined: only pairs that decide a removal, or all.")  # fmt: skip
@click.option("--recall-sample", type=int, metavar="N", default=1000, show_default=True,
              help="Number of documents compared with all others, to measure the recall of the search; 0 for none.")  # fmt: skip
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
@click.option("--memory", metavar="SIZE",
              help=(
                  "Memory to use, such as 4G; the rest is stored in files.  [default: half of the memory available]"
              ))  # fmt: skip
@click.option(
    "--fresh", is_flag=True, help=("Start over, instead of resuming the stopped run that wrote to this output.")
)
@click.option(
    "--keep-work",
    is_flag=True,
    help="Store what was read, so that later runs with --against need not read it again.",
)
@part_options
@click.option("--profile", metavar="FILE.svg", type=LocalPath(path_type=Path),
              help="Write a flame graph (needs the extra profile).")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON on stdout.")
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local",
              help="One machine, or Spark (PySpark, Java 17).")  # fmt: skip
@click.option("--master", metavar="URL", help="The Spark cluster: spark://host:7077, yarn, k8s://..., local[4].")
@click.option(
    "--work",
    "--work-dir",
    "work",
    cls=OneName,
    metavar="FOLDER",
    help=(
        "Folder for intermediate files; with Spark, every executor must reach it.  [default: next to or in the output]"
    ),
)
@click.option("--spark-conf", multiple=True, metavar="K=V", help="A setting of Spark (repeatable).")
@quiet_option
@summary_option
@progress_option
@log_option
@fail_option
@click.option("--config", callback=_config, is_eager=True, expose_value=False, type=LocalPath(),
              help="File of options, TOML or JSON.")  # fmt: skip
@reading_options
@method_options(*USUAL, "facts")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    method: str,
    parameters: dict[str, Any],
    against: tuple[str, ...],
    protect: str | None,
    decisions: Path | None,
    format: str | None,
    encoding: str | None,
    max_record: str | None,
    out: str | None,
    mode: str,
    overwrite: bool,
    dry_run: bool,
    show_plan: bool,
    profile: Path | None,
    engine: str,
    as_json: bool,
    quiet: bool,
    summary: str | None,
    progress: bool,
    log_file: Path | None,
    fail_on: str,
    **options: Any,
) -> None:
    """Finds exact copies, near-duplicates and contained documents in INPUTS, and decides which to keep.

    INPUTS are files (JSONL, CSV, TSV, Parquet, Arrow, WARC; also .gz, .zst, .bz2, .xz), folders of .txt, .md or
    .html, globs, or - for standard input. The run folder contains kept and removed rows, the ledger (why each
    document was removed), pairs, clusters, skipped records and run.json.
    """
    from quchong.cli.spark import SPARK_ONLY, dedup_on_spark, given_of, print_manifest
    from quchong.plan.catalogue import build

    part = check_part_options(ctx)
    if check_unit_options(ctx, parameters):
        end_with(run_units(ctx, named_files(inputs), summary or ("none" if quiet else "full"), kinds_of(fail_on)))
        return
    options = {
        name: value for name, value in options.items() if name not in (*SPARK_ONLY, *UNIT_OPTIONS, *PARTS, "target")
    }
    of_rows = {name: options.pop(name) for name in ROWS}
    options["method"] = build(method, parameters)
    failing, printed = kinds_of(fail_on), summary or ("none" if quiet else "full")
    if engine == "spark" and show_plan:
        raise UsageError(
            "{}: Spark itself shows the resources that its stages use; leave out {}", "--plan", "--engine spark"
        )
    if engine == "spark":
        options = {
            name: value for name, value in options.items() if name not in ("work", "memory", "fresh", "keep_work")
        }
        with logged_to(log_file):
            manifest = dedup_on_spark(ctx, inputs, out, protect, against, options)
        print_manifest(manifest, out or "", as_json, printed)
        end_with(check_ending(manifest, failing))
        return
    if foreign := given_of(ctx, SPARK_ONLY):
        raise UsageError("{}: only available with --engine spark", join_names(foreign))
    if out is None and not dry_run and not show_plan:
        check_whole_call(inputs, against, protect, decisions, options, ctx.params)
    preview = is_preview(ctx)
    from quchong.api import dedup, dedup_part
    from quchong.cli.estimate import print_estimate
    from quchong.cli.heap import keep_heap
    from quchong.cli.printing import say_json
    from quchong.cli.profile import profiled
    from quchong.cli.progress import watcher
    from quchong.kernels.arrow_start import without_pandas

    without_pandas()
    reading: dict[str, Any] = {
        "against": named_files(against) or None,
        "format": format,
        "encoding": encoding,
        "max_record": max_record,
    }
    if show_plan and profile is not None:
        raise UsageError("--plan only estimates a run and --profile measures a run: leave out one of the two")
    long = preview and takes_long(named_files(inputs), reading | options)
    if show_plan or long:
        print_estimate(named_files(inputs), out, reading | options, as_json)
        if long:
            print_how_to_keep(ctx)
        return
    writing: dict[str, Any] = {"out": out, "annotate": mode == "annotate", "overwrite": overwrite, **of_rows}
    dry_run |= preview
    if ctx.params["join"] is not None:
        writing["join"] = ctx.params["join"]
    if dry_run:
        writing = {}
    writing["target"] = ctx.params["target"]
    keep_heap(options["memory"])
    ids = () if protect is None else Path(protect)
    with (
        logged_to(log_file),
        profiled(
            profile, Path(out) if writing and out else None, _read(ctx, ids, options["method"]), overwrite=overwrite
        ),
    ):
        watch = watcher(quiet, lines=progress)
        try:
            if part is not None:
                read = dedup_part(
                    named_files(inputs), part=part, step=ctx.params["step"], protect=ids, decisions=decisions, progress=watch,
                    **reading, **writing, **options,
                )  # fmt: skip
                print_part(read, part, printed)
                return
            with asked_for(request_of(ctx)), refusing_empty_runs():
                result = dedup(
                    named_files(inputs),
                    protect=ids,
                    decisions=decisions,
                    progress=watch,
                    **reading,
                    **writing,
                    **options,
                )
        finally:
            watch.close()
    manifest = result.manifest
    if dry_run:
        manifest |= {"mode": "dry run"} | command_line()
    if as_json:
        say_json(manifest)
    else:
        print_outcome(result, manifest, None if dry_run else out, printed)
    if preview:
        print_how_to_keep(ctx)
    end_with(check_ending(manifest, failing))


def print_outcome(result: Any, manifest: dict[str, Any], out: str | None, printed: str) -> None:
    """Print the summary of a run in full or in short, or nothing; in full also its folder and the command that explains a removal.

    Raises:
        InputError: nothing was read, and nothing written: a summary would say nothing.
    """
    from quchong.cli.printing import print_short_summary, print_summary, say
    from quchong.results.run import biggest_clusters

    if out is None and not manifest["counts"]["read"]:
        check_ending(manifest, ())
    if printed == "short":
        print_short_summary(manifest)
    if printed == "full":
        print_summary(manifest, biggest_clusters(result.clusters))
    if out is not None and printed == "full":
        from quchong.io.files.addresses import path_of

        say("\nwritten to {}", path_of(out))
        if shown := _typed(path_of(out), result.ledger["id"].slice(0, 1000).to_pylist()):
            say("to see why a document was removed:  {}", shown)


def check_whole_call(
    inputs: Sequence[str], against: Sequence[str], protect: str | None, decisions: Path | None, options: dict[str, Any],
    given: dict[str, Any],
) -> None:  # fmt: skip
    """Raise what is wrong with a call besides the output that it lacks, so that the next call is not refused for another reason."""
    from quchong.api.checking import check_call
    from quchong.kernels.arrow_start import without_pandas

    without_pandas()
    check_call(
        named_files(inputs), against=named_files(against) or None, protect=() if protect is None else Path(protect),
        decisions=decisions, **{name: given[name] for name in ("format", "encoding", "max_record")}, **options,
    )  # fmt: skip


def end_with(code: int) -> None:
    """End the process with an exit code if it is not 0; return if it is 0."""
    if code:
        sys.exit(code)


def _typed(output: Path, ids: list[Any]) -> Shown | None:
    """Return the command that explains the first of these documents whose id can be typed, quoted for the shell, or None."""
    place = str(output)
    for one in map(str, ids):
        if len(one) <= LONGEST and shown_name(one) == one and shown_name(place) == place:
            dashes = "-- " if place.startswith("-") or one.startswith("-") else ""
            return Shown(f"quchong explain {dashes}{shlex.quote(place)} {shlex.quote(one)}")
    return None
