"""Command `quchong tune`: recommend a threshold by labels."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.options import named_files, reading_options, texts_option
from quchong.cli.parameters import USUAL, MethodCommand, method_options
from quchong.cli.reporting import progress_option
from quchong.cli.truth import truth_options
from quchong.errors import Param, QuchongError, UsageError
from quchong.outputs import read_path
from quchong.relations import DEFAULT_REMOVED
from quchong.report.visible import LONGEST, shown_name

if TYPE_CHECKING:
    from quchong.report.visible import Shown

GROUPS = {
    "Labels": ("truth", "complete", "labels", "truth_keys", "truth_words", "ask"),
    "What is tuned": (
        "method",
        "parameter",
        "values",
        "least_precision",
        "least_recall",
        "by_runs",
        *USUAL,
        "settings",
    ),
    "Input": ("text", "html", "body", "id", "time", "source", "format", "encoding", "max_record", "texts"),
    "What is compared": (
        "against",
        "within",
        "per",
        "same_site",
        "strip",
        "social",
        "boilerplate",
        "templates",
        "exact",
    ),
    "What is kept": ("keep", "relations", "facts", "roundups"),
    "Output": ("everything", "as_json", "quiet", "progress"),
    "Environment": ("workers", "help_all"),
}
_RARE = ("truth_words", "by_runs", "statistics", "settings", "body", "max_record", "texts", "same_site", "strip", "boilerplate",
         "templates", "exact")  # fmt: skip
"""Options that `--help` leaves out and `--help-all` lists."""
_LEFT_OUT = (
    "truth", "complete", "labels", "truth_keys", "truth_words", "ask", "parameter", "values", "least_precision", "least_recall",
    "by_runs", "everything", "as_json", "quiet", "progress", "inputs", "texts", "settings", "out", "overwrite", "dry_run",
)  # fmt: skip
"""Options that the recommended command does not repeat."""


@click.command(
    cls=MethodCommand,
    groups=GROUPS,
    rare=_RARE,
    short_help="Recommend a threshold from one half of the labels, and test it on the other half.",
)
@click.argument("inputs", nargs=-1, required=True)
@truth_options(required=True)
@click.option("--ask", type=click.IntRange(1), metavar="N",
              help="Ask about N pairs near the threshold, and append your answers to --truth (.jsonl).")  # fmt: skip
@click.option(
    "--method",
    metavar="NAME",
    help="Method to tune; `quchong methods` lists all.  [default: hybrid, or the method of the run]",
)
@click.option("--parameter", metavar="NAME", help="Numeric parameter to tune.  [default: the thresholds of the method]")
@click.option(
    "--values", metavar="NUMBERS", help="Values to try: 0.5,0.6,0.7 or 0.5:0.9:0.05.  [default: 0.30 to 1.00]"
)
@click.option(
    "--least-precision",
    type=float,
    metavar="P",
    help="Require this precision; choose the highest recall, not the best F1.",
)
@click.option(
    "--least-recall",
    type=float,
    metavar="R",
    help="Require this recall; choose the highest precision, not the best F1.",
)
@click.option(
    "--by-runs",
    is_flag=True,
    help=(
        "Run the method once for each value. By default tune runs it once, and decides the pairs of that run "
        "again at each value."
    ),
)
@click.option("--against", metavar="PATH", multiple=True, help="Another corpus (repeatable), as in dedup.")
@click.option("--within", metavar="SPAN", help="Compare only documents at most this far apart in time: 7d, 12h.")
@click.option("--per", metavar="COLUMN", help="Compare only documents with equal values in this column.")
@click.option("--same-site", is_flag=True, help="Compare only documents of one site.")
@click.option(
    "--strip",
    metavar="NAMES",
    default="",
    help="Parts not to compare: dateline, source, editor, comments, licences.",
)
@click.option("--social", metavar="NAMES", help="Ignore these parts of posts; see `quchong dedup --help`.")
@click.option("--boilerplate", multiple=True, type=click.Path(), help="File of lines not to compare (repeatable).")
@click.option(
    "--templates",
    type=click.Choice(["keep", "remove", "payload"]),
    metavar="WHICH",
    default="keep",
    show_default=True,
    help="As in dedup.",
)
@click.option(
    "--roundups",
    type=click.Choice(["keep", "remove", "cut", "whole"]),
    metavar="WHICH",
    help="As in dedup.",
)
@click.option(
    "--exact",
    type=click.Choice(["raw", "strict", "loose"]),
    metavar="WHICH",
    default="strict",
    show_default=True,
    help="As in dedup.",
)
@click.option("--keep", metavar="CRITERIA", help="As in dedup.")
@click.option("--relations", metavar="NAMES", default=",".join(DEFAULT_REMOVED), show_default=True, help="As in dedup.")
@click.option("--workers", type=int, metavar="N", help="Threads.  [default: all]")
@click.option("--all", "everything", is_flag=True, help="Also show the measures at every value tried.")
@click.option("--json", "as_json", is_flag=True, help="JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@progress_option
@reading_options
@texts_option
@method_options(*USUAL, "facts")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    truth: Path,
    complete: bool,
    labels: str,
    truth_keys: str | None,
    truth_words: str | None,
    ask: int | None,
    method: str | None,
    parameter: str | None,
    values: str | None,
    least_precision: float | None,
    least_recall: float | None,
    by_runs: bool,
    against: tuple[str, ...],
    format: str | None,
    encoding: str | None,
    max_record: str | None,
    texts: tuple[Path, ...],
    everything: bool,
    as_json: bool,
    quiet: bool,
    progress: bool,
    parameters: dict[str, Any],
    **options: Any,
) -> None:
    """Recommends thresholds of a method for INPUTS from labels. One half of the labels chooses the thresholds.
    Precision, recall and F1, with 95% intervals, come from a run with these thresholds, measured on the other half.

    INPUTS are the same as for `quchong dedup`, or one run folder; tune then uses the method, options and rows of that
    run. Labels are the same as for `quchong eval`. With --ask you are shown the pairs whose decision depends on the
    threshold, and every answer is stored at once.
    """
    from quchong.api.loaded import load
    from quchong.api.tuning import bench_of, goal_of
    from quchong.cli.asking import ask_about
    from quchong.cli.printing import print_alarms, say, say_json
    from quchong.cli.progress import Further, watcher
    from quchong.evaluation.asked_labels import Answers
    from quchong.evaluation.label_reader import read_truth
    from quchong.evaluation.recommendation import recommended
    from quchong.outputs import check_apart, local
    from quchong.plan.parameters import checked
    from quchong.plan.sources import places_read
    from quchong.runs.layout import is_run

    given = checked(labels=labels, truth_keys=truth_keys, truth_words=truth_words, parameter=parameter,
                    least_precision=least_precision, least_recall=least_recall)  # fmt: skip
    goal = goal_of(given["least_precision"], given["least_recall"])
    run = Path(inputs[0]) if len(inputs) == 1 and is_run(Path(inputs[0])) else None
    if texts and run is None:
        raise UsageError("{} looks for the texts of a run folder, but no run folder is given", Param("texts"))
    data = named_files(inputs) if run is None else run
    answers = None
    if ask is None:
        known = read_truth(truth, given["truth_keys"], given["truth_words"], complete)
    else:
        if truth_keys or truth_words:
            raise UsageError(
                "{} writes a file with fixed columns and labels: leave out {} and {}",
                Param("ask"),
                Param("truth_keys"),
                Param("truth_words"),
            )
        check_apart(places_read(data), local([truth], "truth"))
        answers = Answers(truth)
    watch = Further(watcher(quiet, lines=progress))
    try:
        bench = bench_of(
            data if run is None else load(run, texts=texts), method, options | parameters,
            against=named_files(against) or None, format=format, encoding=encoding, max_record=max_record,
            progress=watch,
        )  # fmt: skip
        swept = bench.sweep(given["parameter"], values, by_runs)
    finally:
        watch.close()
    if answers is not None:
        again = ask_about(bench, swept, answers, ask or 0, given["labels"], goal, complete)
        if again is None:
            print_alarms(bench.described_alarms)
            say("no labels yet: answer some questions first")
            return
        known = again
    watch = Further(watcher(quiet, lines=progress), first=False)
    bench.stages.progress = watch
    try:
        alone = given["parameter"] is not None or values is not None
        found = bench.recommend_all(swept, known, given["labels"], goal, alone=alone, by_runs=by_runs)
    finally:
        watch.close()
    line = _recommended_line(ctx, inputs, run, found.call)
    if as_json:
        say_json(found.as_dict() | {"command": line})
        return
    say("{}", recommended(found, everything))
    print_alarms(found.alarms)
    say("use it:  {}", line)


def _recommended_line(ctx: click.Context, inputs: Sequence[str], run: Path | None, call: dict[str, Any]) -> Shown:
    """Return the `dedup` command line with the recommended values and the options given to `tune` or to the run."""
    given = _options(ctx)
    if run is not None:
        inputs, before = _made_by(run)
        given = before | given
    words = ["quchong", "dedup", *inputs, "-o", "NEW-RUN/"]
    for name, value in call.items():
        plain = name in ("method", "threshold", "distance", *USUAL)
        words += _words(f"--{name}", value) if plain else ["--set", f"{name}={value}"]
    for name, (option, value) in given.items():
        if name not in call:
            for one in value if isinstance(value, tuple) else [value]:
                words += [option] if one is True else _words(option, one)
    return shown_name(" ".join(shlex.quote(word) for word in words), 10 * LONGEST)


def _options(ctx: click.Context) -> dict[str, tuple[str, Any]]:
    """Return the given options that `dedup` also has, by name: the flag and the value."""
    out = {}
    for param in ctx.command.params:
        name = param.name or ""
        source = ctx.get_parameter_source(name)
        value = ctx.params.get(name)
        if source is not None and source.name == "COMMANDLINE" and name not in _LEFT_OUT and value is not None:
            out[name] = (param.opts[0], value)
    return out


def _made_by(run: Path) -> tuple[list[str], dict[str, tuple[str, Any]]]:
    """Return the inputs and options of the command that made a run; for a run made in Python the paths of its inputs, and no options."""
    from quchong.cli.dedup import command as dedup
    from quchong.runs.layout import read_manifest

    manifest = read_manifest(run)
    words = manifest.get("command")
    if isinstance(words, list) and words[:1] == ["dedup"]:
        try:
            ctx = dedup.make_context("dedup", [str(word) for word in words[1:]])
        except (click.ClickException, QuchongError):  # of another version
            pass
        else:
            return list(ctx.params["inputs"]), _options(ctx)
    return [read_path(str(one.get("path", one["name"]))) for one in manifest["inputs"]], {}


def _words(option: str, value: Any) -> list[str]:
    return [option, f"{value:g}" if isinstance(value, float) else str(value)]
