"""Command `quchong dedup --engine spark`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from quchong.cli.options import is_given
from quchong.errors import UsageError
from quchong.languages import join_names
from quchong.report.visible import Shown

LOCAL_ONLY = {
    "dry_run": "--dry-run", "mode": "--mode", "within": "--within",
    "recall_sample": "--recall-sample", "workers": "--workers", "decisions": "--decisions",
    "encoding": "--encoding", "max_record": "--max-record",
    "ids_only": "--ids-only", "shard_size": "--shard-size", "compress": "--compress", "parquet": "--parquet",
    "add_columns": "--add-columns", "target": "--target", "mix": "--mix", "mix_seed": "--mix-seed",
    "memory": "--memory", "fresh": "--fresh", "keep_work": "--keep-work", "profile": "--profile",
}  # fmt: skip
"""Options that only the local engine supports."""
SPARK_ONLY = {"master": "--master", "spark_conf": "--spark-conf"}


def given_of(ctx: click.Context, names: dict[str, str]) -> list[str]:
    """Return the flags of the options in `names` that the user gave."""
    return [flag for name, flag in names.items() if is_given(ctx, name)]


def dedup_on_spark(
    ctx: click.Context,
    inputs: Sequence[str],
    output: str | None,
    protect: str | None,
    against: Sequence[str],
    options: dict[str, Any],
) -> dict[str, Any]:
    """Run `dedup` on Spark and return the manifest; `protect` is a file of ids, `against` the paths of the reference corpus.

    Raises:
        UsageError: an option is supported by the local engine only, or pyspark, Java or an output is missing.
    """
    local = given_of(ctx, LOCAL_ONLY)
    if local == ["--memory"]:
        raise UsageError(
            "{}: the memory of Spark is set with {}",
            "--memory",
            Shown(f"--spark-conf spark.executor.memory={ctx.params['memory']}"),
        )
    if local:
        raise UsageError(
            "{}: not available with --engine spark; leave out the option, or run on one machine", join_names(local)
        )
    if output is None:
        raise UsageError("no output folder: give one with -o, such as -o hdfs:///runs/news")
    settings: dict[str, str] = {}
    for item in ctx.params["spark_conf"]:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise UsageError("--spark-conf {!r}: give a name and a value, such as spark.executor.memory=8g", item)
        settings[name] = value
    try:
        import quchong.spark  # noqa: F401 - the door says what to install
        from quchong.engines.spark.dedup import check, check_only_against
        from quchong.engines.spark.files import dedup_files, end, session
        from quchong.engines.spark.formats import format_of
        from quchong.engines.spark.stages import executor_errors
    except ImportError as error:
        raise UsageError("--engine spark: {}", error.args[0] if error.args else error) from error
    from quchong.cli.options import named_files
    from quchong.cli.progress import watcher
    from quchong.plan.parameters import checked
    from quchong.plan.request import make_plan
    from quchong.plan.sources import places_beside
    from quchong.results.spark_references import SparkReferences

    plan, ids = make_plan(**options), () if protect is None else Path(protect)
    read = places_beside(named_files(against) or None, ids, options["boilerplate"], plan.method)
    protected = checked(protect=ids)["protect"]
    check(plan)
    references = SparkReferences(named_files(against), ctx.params["format"]) if against else None
    check_only_against(plan, references)
    format_of(inputs, ctx.params["format"])
    spark = session(ctx.params["master"], settings)
    watch, found = watcher(ctx.params["quiet"], lines=ctx.params["progress"]), None
    try:
        with executor_errors():
            found = dedup_files(
                spark, inputs, output, plan, format=ctx.params["format"], protect=protected, work=ctx.params["work"],
                overwrite=ctx.params["overwrite"], progress=watch, read=read, references=references,
            )  # fmt: skip
    finally:
        watch.close()
        try:
            end(spark)
        except KeyboardInterrupt:
            if found is None:
                raise  # else all is written: only Spark was still to be ended
    return found


def print_manifest(manifest: dict[str, Any], output: str, as_json: bool, printed: str = "full") -> None:
    """Print the summary of a run on Spark (full, short or none), or its manifest as JSON."""
    from quchong.cli.printing import print_short_summary, print_summary, say, say_json
    from quchong.engines.spark.hadoop import local_path as local_path
    from quchong.report.visible import LONGEST, Shown, shown_name

    if as_json:
        say_json(manifest)
        return
    if printed == "short":
        print_short_summary(manifest)
    if printed != "full":
        return
    print_summary(manifest, [(str(c["survivor_id"]), c["documents"]) for c in manifest["biggest_clusters"][:5]])
    say("\nwritten to {}", output)
    if not manifest["counts"]["removed"]:
        return
    here = str(local_path(output) or output) if output.startswith("file:") else output
    away = "://" in here
    place = "FOLDER" if away or len(here) > LONGEST or shown_name(here) != here else shlex.quote(here)
    shown = Shown(f"quchong explain {place} ID")
    if away:
        say(
            "to see why a document was removed:  copy the run folder to this machine as FOLDER, or mount it; then  {}",
            shown,
        )
    else:
        say("to see why a document was removed:  {}", shown)
