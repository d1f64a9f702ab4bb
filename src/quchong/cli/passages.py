"""Command `quchong passages`: the passages that texts share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quchong.cli.options import is_given, named_files, reading_options
from quchong.cli.parameters import MethodCommand, method_options
from quchong.cli.reporting import check_ending, progress_option, quiet_option
from quchong.cli.texts import called, read_one, two_documents
from quchong.errors import Param, UsageError
from quchong.languages import Message, join_names

MANY = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".arrow", ".feather", ".ipc", ".xlsx", ".warc")
"""Suffixes of files that contain many texts."""
OF_CALL = ("min_chars", "common", "keep", "text", "id", "time", "source", "html", "body", "format", "encoding", "max_record", "workers",
           "memory", "out", "cut", "cut_at",
           "overwrite")  # fmt: skip
"""Options that are passed to `quchong.passages` for a corpus."""
OF_CORPUS = {
    "out",
    "overwrite",
    "against",
    "common",
    "cut",
    "cut_at",
    "keep",
    "workers",
    "memory",
    "text",
    "id",
    "time",
    "source",
    "html",
    "format",
    "encoding",
    "max_record",
}
OF_TWO = {"gap", "exact", "method"}
SHOWN = 1200
"""Characters shown of each text."""


GROUPS = {
    "Input": ("corpus", "against", "text", "html", "body", "id", "time", "source", "format", "encoding", "max_record"),
    "What is a passage": ("min_chars", "gap", "exact", "method", "settings", "common"),
    "Document that keeps a repeated passage": ("keep", "cut", "cut_at"),
    "Output": ("out", "overwrite", "show", "as_json", "quiet", "progress"),
    "Environment": ("workers", "memory"),
}


@click.command(
    cls=MethodCommand,
    groups=GROUPS,
    short_help="Show the passages that two texts share, or all repeated passages of a corpus.",
)
@click.argument("inputs", nargs=-1, required=True)
@click.option("--corpus", is_flag=True, help="Treat two INPUTS as one corpus, not as two texts.")
@click.option("--against", metavar="PATH", multiple=True,
              help="Show only passages that PATH has too (repeatable).")  # fmt: skip
@click.option("-o", "--output", "out", type=click.Path(path_type=Path), help="Folder to write to (corpus only).")
@click.option("--overwrite", is_flag=True, help="Replace an earlier output folder of this command.")
@click.option("--min-chars", type=int, help=(
    "Smallest length of a listed passage. Two texts: in characters (default: 12 words or Chinese characters; "
    "reworked: 100, or 30 in Chinese). Corpus: in letters and digits.  [corpus: 60]"
))  # fmt: skip
@click.option(
    "--gap",
    type=click.IntRange(0),
    default=0,
    help="Two texts: join passages at most N characters apart.",
)
@click.option("--exact", is_flag=True, help="Two texts: list only passages equal from end to end.")
@click.option("--method", metavar="NAME", help="Two texts: list the passages that this method counts.")
@click.option("--common", type=int, metavar="N", default=10, show_default=True,
              help=(
                  "Number of documents that make a passage boilerplate, unless it is most of their text."
              ))  # fmt: skip
@click.option("--cut", type=click.Choice(["none", "copies", "boilerplate"]), default="none", show_default=True,
              help="With -o: write rows with repeated passages kept once, or without boilerplate.")  # fmt: skip
@click.option("--cut-at", type=click.Choice(["sentence", "exact"]), default="sentence", show_default=True,
              help="Cut whole sentences only, or exactly the passage.")  # fmt: skip
@click.option(
    "--keep",
    metavar="CRITERIA",
    default="earliest,longest",
    show_default=True,
    help="Which copy is kept.",
)
@click.option("--show", type=click.IntRange(1), default=20, show_default=True, help="Number of passages shown.")
@click.option("--workers", type=int, metavar="N", help="Threads.  [default: all]")
@click.option(
    "--memory",
    metavar="SIZE",
    help="Memory to use; the rest is stored in files.  [default: half]",
)
@click.option("--json", "as_json", is_flag=True, help="JSON: a list under `passages`.")
@quiet_option
@progress_option
@reading_options
@method_options()
@click.pass_context
def command(
    context: click.Context,
    /,
    inputs: tuple[str, ...],
    corpus: bool,
    as_json: bool,
    parameters: dict[str, Any],
    **options: Any,
) -> None:
    """Shows the passages that two texts share, copied or reworked. Offsets count characters of the files. With two
    arguments, a string that cannot be a file name (too long, or with a line break) is a text.

    With one input, more than two, or --corpus, the command shows every passage that occurs in two or more documents,
    and how many documents have it. With --against, it shows the passages that another corpus has too.
    """
    given = {name for name in context.params if is_given(context, name)}
    if len(inputs) == 2 and not corpus and not options["against"]:
        _only(
            given,
            OF_CORPUS,
            Message(
                "{} applies only if one corpus is searched: leave out the option, give a single input, or add --corpus"
            ),
        )
        two = two_documents(*inputs, corpus="quchong passages --corpus")
        for path in two:
            if isinstance(path, Path) and any(suffix in MANY for suffix in path.suffixes):
                raise UsageError(
                    "{} contains many texts: to search {} as one corpus, give --corpus", path, " and ".join(inputs)
                )
        _two(two[0], two[1], as_json, options, parameters)
    else:
        _only(given | set(parameters), OF_TWO | set(parameters), _OF_TWO)
        _corpus(inputs, as_json, options)


_OF_TWO = Message("{} applies only if two texts are compared: leave out the option, or give two files of one text each")


def _only(given: set[str], names: set[str], why: Message) -> None:
    """Raise UsageError if an option was given that has no meaning for this kind of input."""
    for name in sorted(given & names):
        if "min" in name and "min_chars" not in given and why is _OF_TWO:
            raise UsageError(
                "{} applies only if two texts are compared; the shortest passage of a corpus is set with {}",
                Param(name),
                Param("min_chars"),
            )
        raise UsageError(why.holding(Param(name)))


def _two(
    given: Path | str, beside: Path | str, as_json: bool, options: dict[str, Any], parameters: dict[str, Any]
) -> None:
    from quchong.api.shared import align_texts
    from quchong.cli.printing import highlight, say, say_json
    from quchong.findings import merge_passages
    from quchong.plan.catalogue import build
    from quchong.report.terminal_marks import marked

    a, b = read_one(given, options["body"]), read_one(beside, options["body"])
    left, right = called(given, 0), called(beside, 1)
    if parameters and options["method"] is None:
        raise UsageError(
            "parameters of a method were given without a method ({}): choose one with --method",
            join_names(sorted(parameters)),
        )
    method = build(options["method"], parameters) if options["method"] else None
    found = merge_passages(align_texts(a, b, options["min_chars"], method, {}), options["gap"], a, b)
    found = tuple(p for p in found if p.kind == "exact" or not options["exact"])
    if as_json:
        rows = [{"left_start": p.start, "left_end": p.end, "right_start": p.survivor_start,
                 "right_end": p.survivor_end, "kind": p.kind} for p in found]  # fmt: skip
        say_json({"left": left, "right": right, "passages": rows})
        return
    if not found:
        say("{} and {} share no passage", left, right)
        return
    for number, p in enumerate(found[: options["show"]], 1):
        say(
            "{}. {}: {} {}-{}, {} {}-{}",
            number,
            p.kind,
            left,
            p.start,
            p.end,
            right,
            p.survivor_start,
            p.survivor_end,
            bold=True,
        )
        say("   {}", _line(a[p.start : p.end]))
        if p.kind != "exact":
            say("   {}", _line(b[p.survivor_start : p.survivor_end]))
    if len(found) > options["show"]:
        say("... and {} more: --show {}, or --json", len(found) - options["show"], len(found))
    mark = highlight()
    say("\n--- {}\n{}", left, marked(a, [(p.start, p.end) for p in found], mark, SHOWN))
    say("\n--- {}\n{}", right, marked(b, [(p.survivor_start, p.survivor_end) for p in found], mark, SHOWN))


def _corpus(inputs: tuple[str, ...], as_json: bool, options: dict[str, Any]) -> None:
    from quchong.api import passages
    from quchong.cli.heap import keep_heap
    from quchong.cli.printing import say_json
    from quchong.cli.progress import watcher

    if options["min_chars"] is None:
        options["min_chars"] = 60
    keep_heap(options["memory"])
    watch = watcher(options["quiet"], lines=options["progress"])
    try:
        against = named_files(options["against"]) or None
        found = passages(
            named_files(inputs), against=against, progress=watch, **{name: options[name] for name in OF_CALL}
        )
    finally:
        watch.close()
    manifest: Any = found.manifest
    if as_json:
        told = {name: manifest[name] for name in ("counts", "alarms", "cut") if name in manifest}
        say_json({"passages": found.table.to_pylist(), **told})
    elif not options["quiet"] or options["out"] is None:
        _print_corpus(found, manifest, options)
    check_ending(manifest, ())


def _print_corpus(found: Any, manifest: Any, options: dict[str, Any]) -> None:
    from quchong.cli.printing import print_alarms, say, say_cut, say_skipped, table
    from quchong.report.visible import NOTHING

    c = manifest["counts"]
    if "reference" in c:
        say(
            "{:,} passages are also in the reference corpus ({:,} documents). "
            "Documents with such a passage: {:,} of {:,}",
            c["distinct"],
            c["reference"],
            c["documents"],
            c["read"],
        )
    else:
        say("{:,} passages occur in two or more documents. Documents that repeat a passage of an earlier "
            "document: {:,} of {:,}", c["distinct"],
            c["documents"], c["read"])  # fmt: skip
        if c["boilerplate"]:
            say("boilerplate passages: {:,}", c["boilerplate"])
    if c["skipped"]:
        say_skipped(c["skipped"], listed=bool(options["out"]))
    rows = found.most_frequent(options["show"])
    if rows:
        head = (Message("documents"), Message("letters"), NOTHING, Message("first in"), Message("text"))
        table([head, *((f"{r['documents']:,}", f"{r['characters']:,}", Message("boilerplate") if r["boilerplate"] else NOTHING,
                        str(r["left_id"]), _line(r["text"], 60)) for r in rows)])  # fmt: skip
    if (cut := manifest.get("cut")) and cut["taken"] is not None:
        t = cut["taken"]
        say_cut(t["characters"], t["documents"], t["emptied"])
        whole, part, left = (t[f"passages_{how}"] for how in ("whole", "part", "left"))
        say(
            "  repeated passages: {:,}. Cut entirely: {:,}. Cut in part: {:,}. Not cut: {:,}",
            whole + part + left,
            whole,
            part,
            left,
        )
        if part or left:
            say("  parts of sentences from these passages remain: --cut-at exact also cuts these parts")
        if t["passages_near"]:
            say("  {:,} more passages are not equal from end to end, so they are never cut", t["passages_near"])
    print_alarms(manifest["alarms"])
    if options["out"] is not None:
        say("written to {}", options["out"])


def _line(text: str, shown: int = 100) -> str:
    """Return the beginning of a passage on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= shown else flat[: shown - 1] + "…"
