"""quchong passages: where texts agree."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from quchong.cli.options import method_options, reading_options
from quchong.cli.texts import read_one
from quchong.errors import UsageError

MANY = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".arrow", ".feather", ".ipc", ".warc")
"""Suffixes of files that hold many texts."""
OF_CORPUS = {
    "output",
    "overwrite",
    "common",
    "cut",
    "cut_at",
    "keep",
    "workers",
    "text",
    "id",
    "time",
    "html",
    "format",
}
OF_TWO = {"gap", "exact", "method"}
OWN = OF_CORPUS | OF_TWO | {"min_chars", "show", "quiet", "body", "source"}
SHOWN = 1200
"""Characters shown of each text."""


@click.command(short_help="Where two texts agree, or every passage that stands twice in a corpus.")
@click.argument("inputs", nargs=-1, required=True)
@click.option("--corpus", is_flag=True, help="Two INPUTS are parts of a corpus, not two texts.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write (corpus).")
@click.option("--overwrite", is_flag=True, help="Replace such a folder.")
@click.option("--min-chars", type=int, help="Least length: of two texts characters (default: 12 words or Chinese characters; reworked "
              "passages 100 characters, Chinese 30); of a corpus letters and digits in normal form.  [corpus: 60]")  # fmt: skip
@click.option(
    "--gap",
    type=click.IntRange(0),
    default=0,
    help="Passages of two texts with up to so many characters between them are one.",
)
@click.option("--exact", is_flag=True, help="Of two texts: only what is equal from end to end.")
@click.option("--method", help="Of two texts: the passages this method counts, with its options.")
@click.option("--common", type=int, default=10, show_default=True,
              help="Documents a passage stands in, from which on it is boilerplate (unless it is most of them).")  # fmt: skip
@click.option("--cut", type=click.Choice(["none", "copies", "boilerplate"]), default="none", show_default=True,
              help="With -o: write the rows without repeated passages, one copy left; or without boilerplate only.")  # fmt: skip
@click.option("--cut-at", type=click.Choice(["sentence", "exact"]), default="sentence", show_default=True,
              help="Cut whole sentences only, or to the character.")  # fmt: skip
@click.option(
    "--keep", default="earliest,longest", show_default=True, help="Which document keeps its copy, see `quchong dedup`."
)
@click.option("--show", type=click.IntRange(1), default=20, show_default=True, help="Passages shown.")
@click.option("--workers", type=int, help="Threads.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="JSON: a list under `passages`.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@reading_options
@method_options
@click.pass_context
def command(context: click.Context, /, inputs: tuple[str, ...], corpus: bool, as_json: bool, **options: Any) -> None:
    """Prints the passages that the texts A and B share, copied or reworked; offsets are characters of the files as they are.

    With one input, or more than two, or --corpus: every passage of a corpus that stands in two documents, and in how many.
    """
    parameters = {name: options.pop(name) for name in list(options) if name not in OWN}
    given = {name for name in context.params if context.get_parameter_source(name) == ParameterSource.COMMANDLINE}
    if len(inputs) == 2 and not corpus:
        _only(given, OF_CORPUS, "is for a corpus: give one input, or --corpus")
        for path in inputs:
            if any(suffix in MANY for suffix in Path(path).suffixes):
                raise UsageError(
                    f"{path} holds many texts: give --corpus to look through {' and '.join(inputs)} as one corpus"
                )
        _two(inputs[0], inputs[1], as_json, options, parameters)
    else:
        of_method = {name for name, value in parameters.items() if value is not None}
        _only(given | of_method, OF_TWO | of_method, "is for two texts")
        _corpus(inputs, as_json, options)


def _only(given: set[str], names: set[str], why: str) -> None:
    """Raises UsageError where an option was given that has no meaning here."""
    for name in sorted(given & names):
        option = {"id": "id-key", "text": "text-key", "time": "time-key", "html": "html-key"}.get(name, name)
        raise UsageError(f"--{option.replace('_', '-')} {why}")


def _two(left: str, right: str, as_json: bool, options: dict[str, Any], parameters: dict[str, Any]) -> None:
    from quchong.api import align
    from quchong.cli.printing import highlight
    from quchong.report import joined
    from quchong.report.explanation import marked

    a, b = read_one(Path(left), options["body"]), read_one(Path(right), options["body"])
    asked = {name: value for name, value in parameters.items() if value is not None}
    found = joined(align(a, b, min_chars=options["min_chars"], method=options["method"], **asked), options["gap"], a, b)
    found = tuple(p for p in found if p.kind == "exact" or not options["exact"])
    if as_json:
        rows = [{"left_start": p.start, "left_end": p.end, "right_start": p.survivor_start,
                 "right_end": p.survivor_end, "kind": p.kind} for p in found]  # fmt: skip
        click.echo(json.dumps({"left": left, "right": right, "passages": rows}, ensure_ascii=False))
        return
    if not found:
        click.echo(f"{left} and {right} share no passage")
        return
    for number, p in enumerate(found[: options["show"]], 1):
        places = f"{left} {p.start}-{p.end}, {right} {p.survivor_start}-{p.survivor_end}"
        click.secho(f"{number}. {p.kind}: {places}", bold=True)
        click.echo(f"   {_line(a[p.start : p.end])}")
        if p.kind != "exact":
            click.echo(f"   {_line(b[p.survivor_start : p.survivor_end])}")
    if len(found) > options["show"]:
        click.echo(f"... and {len(found) - options['show']} more: --show {len(found)}, or --json")
    mark = highlight()
    click.echo(f"\n--- {left}\n{marked(a, [(p.start, p.end) for p in found], mark, SHOWN)}")
    click.echo(f"\n--- {right}\n{marked(b, [(p.survivor_start, p.survivor_end) for p in found], mark, SHOWN)}")


def _corpus(inputs: tuple[str, ...], as_json: bool, options: dict[str, Any]) -> None:
    from quchong.api import passages
    from quchong.cli.progress import watcher
    from quchong.pipeline.cutting import TABLE
    from quchong.pipeline.folder import fresh_folder

    output: Path | None = options["output"]
    if output is None and (options["cut"] != "none" or options["overwrite"]):
        raise UsageError("--cut and --overwrite write: where to? give a folder with -o")
    kept = ("common", "keep", "text", "id", "time", "html", "body", "format", "workers")
    least = 60 if options["min_chars"] is None else options["min_chars"]
    data: Any = "-" if inputs == ("-",) else [Path(path) for path in inputs]
    watch = watcher(options["quiet"])
    try:
        with ExitStack() as stack:
            fresh = None
            if output is not None:
                fresh = stack.enter_context(fresh_folder(output, overwrite=options["overwrite"], table=TABLE))
            found = passages(data, min_chars=least, progress=watch, **{name: options[name] for name in kept})
            manifest: Any = found.manifest
            if fresh is not None:
                manifest = found.write(fresh, options["cut"], options["cut_at"], {"command": sys.argv[1:]})
    finally:
        watch.close()
    if as_json:
        told = {name: manifest[name] for name in ("counts", "alarms", "cut") if name in manifest}
        click.echo(json.dumps({"passages": found.table.to_pylist(), **told}, ensure_ascii=False))
        return
    _print_corpus(found, manifest, options)


def _print_corpus(found: Any, manifest: Any, options: dict[str, Any]) -> None:
    from quchong.cli.printing import table

    c = manifest["counts"]
    click.echo(f"{c['distinct']:,} passages stand in two documents or more: in {c['documents']:,} of {c['read']:,} documents beside "
               f"the first; {c['boilerplate']:,} of them are boilerplate")  # fmt: skip
    if c["skipped"]:
        click.echo(f"{c['skipped']:,} bad records were skipped" + (", see skipped.jsonl" if options["output"] else ""))
    rows = found.most_frequent(options["show"])
    if rows:
        head = ("documents", "letters", "", "first in", "text")
        table([head, *((f"{r['documents']:,}", f"{r['characters']:,}", "boilerplate" if r["boilerplate"] else "",
                        r["left_id"], _line(r["text"], 60)) for r in rows)])  # fmt: skip
    if (cut := manifest.get("cut")) and cut["taken"] is not None:
        t = cut["taken"]
        click.echo(
            f"cut: {t['characters']:,} characters of {t['documents']:,} documents; {t['emptied']:,} have nothing left"
        )
    for alarm in manifest["alarms"]:
        click.secho(f"alarm: {alarm['kind']}: {alarm['message']}", fg="yellow")
    if options["output"] is not None:
        click.echo(f"written to {options['output']}")


def _line(text: str, shown: int = 100) -> str:
    """The beginning of a passage on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= shown else flat[: shown - 1] + "…"
