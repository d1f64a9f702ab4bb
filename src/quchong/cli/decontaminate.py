"""Command `quchong decontaminate`: the items of test sets in a training corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quchong.cli.options import OneName, counting_options, named_files
from quchong.cli.parameters import MethodCommand
from quchong.cli.reporting import check_ending, fail_option, kinds_of, progress_option, quiet_option
from quchong.errors import UsageError
from quchong.languages import Message, several

GROUPS = {
    "Input": ("against", "text", "html", "body", "id", "format", "encoding", "max_record"),
    "Test sets": ("question", "answer", "choices", "item_id"),
    "What counts as a leak": ("rule", "min_share", "min_length", "when"),
    "Output": ("out", "overwrite", "mode", "show", "as_json", "quiet", "progress", "fail_on"),
    "Environment": ("memory", "workers"),
}
SHOWN_TEXT = 50


class GroupedCommand(MethodCommand):
    """Command with its options in groups, and without those of methods."""

    def learn(self) -> None:
        """Do nothing, because this command has no options of methods."""


@click.command(
    cls=GroupedCommand, groups=GROUPS, short_help="Find the items of test sets in a training corpus, and remove them."
)
@click.argument("inputs", nargs=-1, required=True)
@click.option("--against", multiple=True, required=True, metavar="PATH",
              help="Test set (repeatable): a file, or a folder of files, each a set.")  # fmt: skip
@click.option("-o", "--output", "out", type=click.Path(path_type=Path), help="Folder to write to.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier output folder of this command.")
@click.option("--mode", type=click.Choice(["report", "remove", "cut", "annotate"]), default="report", show_default=True,
              help=(
                  "What -o writes: only tables (report); kept rows and removed rows (remove); rows without the "
                  "sentences that have leaks (cut); all rows, with columns about leaks (annotate)."
              ))  # fmt: skip
@click.option("--rule", type=click.Choice(["containment", "ngram8", "ngram13"]), default="containment", show_default=True,
              help="Rule for a leak. containment: enough of an item occurs in one place, in order. ngram8: "
                   "enough of its 8-grams occur (PaLM). ngram13: one 13-gram occurs (GPT-3).")  # fmt: skip
@click.option("--min-share", type=float, metavar="NUMBER",
              help="Smallest share of an item that a document must contain.  [default: 0.75; ngram8: 0.7]")  # fmt: skip
@click.option("--min-length", type=int, metavar="N",
              help=(
                  "Smallest length of a question or answer to search for, in Chinese characters; a word counts "
                  "as 2.  [default: 16]"
              ))  # fmt: skip
@click.option("--when", type=click.Choice(["question", "both"]), default="question", show_default=True,
              help="What counts as a leak: the question alone, or only the question together with its answer.")  # fmt: skip
@click.option("--question-key", "--question", "question", cls=OneName, metavar="NAMES", default="",
              help="Columns of the question.  [default: usual names, else the text]")  # fmt: skip
@click.option("--answer-key", "--answer", "answer", cls=OneName, metavar="NAMES", default="",
              help="Columns of the answer.  [default: usual names]")  # fmt: skip
@click.option("--choices-key", "--choices", "choices", cls=OneName, metavar="NAMES", default="",
              help="Columns of the answer choices, such as A,B,C,D.  [default: usual names]")  # fmt: skip
@click.option("--item-id-key", "--item-id", "item_id", cls=OneName, metavar="NAME",
              help="Column of the items' ids.  [default: id, else the row]")  # fmt: skip
@click.option("--id-key", "--id", "--id-field", "id", cls=OneName, metavar="NAME",
              help="Column of the id.  [default: id, if there is one]")  # fmt: skip
@click.option(
    "--memory",
    metavar="SIZE",
    help="Memory to use; test sets may take half of it.  [default: half of the memory available]",
)
@click.option("--workers", type=int, metavar="N", help="Threads.  [default: all]")
@click.option("--show", type=click.IntRange(1), default=10, show_default=True, help="Number of items shown.")
@click.option("--json", "as_json", is_flag=True, help="JSON: sets, items, matches and counts.")
@quiet_option
@progress_option
@fail_option
@counting_options
def command(inputs: tuple[str, ...], against: tuple[str, ...], as_json: bool, show: int, quiet: bool, progress: bool, fail_on: str,
            **options: Any) -> None:  # fmt: skip
    """Finds the items of test sets in a training corpus. Questions and answers are found separately, with their
    documents and the offsets in both texts.

    Character width, marks, line breaks and traditional characters make no difference. Every match is verified
    letter by letter. A document that contains only the answer is never removed. Items that are too short to be
    checked are listed.
    """
    from quchong.api import decontaminate
    from quchong.cli.heap import keep_heap
    from quchong.cli.printing import say_json
    from quchong.cli.progress import watcher

    kinds = kinds_of(fail_on)
    if options["mode"] != "report" and options["out"] is None:
        raise UsageError("--mode {} writes rows: name a folder with -o", options["mode"])
    keep_heap(options["memory"])
    watch = watcher(quiet, lines=progress)
    try:
        found = decontaminate(named_files(inputs), named_files(against), progress=watch, **options)
    finally:
        watch.close()
    manifest = found.manifest
    if as_json:
        say_json({
            "sets": found.sets, "counts": manifest["counts"], "items": found.items.to_pylist(), "matches": found.matches.to_pylist()
        })  # fmt: skip
    elif not quiet or options["out"] is None:
        _print(found, options, show)
    if code := check_ending(manifest, kinds):
        raise SystemExit(code)


def _print(found: Any, options: dict[str, Any], show: int) -> None:
    from quchong.cli.printing import print_alarms, say, say_cut, say_skipped, table
    from quchong.engines.contamination.exchange import few_names

    counts = found.manifest["counts"]
    print_alarms(found.manifest["alarms"])
    corpus = few_names([one["name"] for one in found.manifest["inputs"]])
    say("{:,} of {:,} documents of {} contain the question of a test item", counts["leaking"], counts["read"], corpus)
    head = (Message("test set"), Message("items"), Message("judged"), Message("found", context="leak"),
            Message("with answer"), Message("answer alone"), Message("other numbers"))  # fmt: skip
    table([head, *((one["set"], *(f"{one[name]:,}" for name in ("items", "judged", "found", "both", "answer", "variant")))
                   for one in found.sets)])  # fmt: skip
    for one in found.sets:
        if short := sum(one["unjudged"].values()):
            say("{}: {}", one["set"], several(
                "{:,} item was not checked, because its question is too short or many items share it; see "
                "items.parquet, or --json",
                "{:,} items were not checked, because their questions are too short or many items share them; "
                "see items.parquet, or --json",
                short))  # fmt: skip
    rows = [row for row in found.items.to_pylist() if row["documents"]]
    rows.sort(key=lambda row: (-row["documents"], row["set"], row["item"]))
    if rows:
        say("")
        titles = (Message("test set"), Message("item"), Message("documents"), Message("with answer"), Message("share"),
                  Message("question", context="leak"))  # fmt: skip
        table([titles, *((row["set"], row["item"], f"{row['documents']:,}", f"{row['both']:,}", f"{row['best_share']:.2f}",
                        _line(row["question"])) for row in rows[:show])])  # fmt: skip
        if len(rows) > show:
            say("... and {} more: --show {}, or --json", len(rows) - show, len(rows))
    if options["mode"] == "remove":
        say("removed: {:,} of {:,} documents", counts["removed"], counts["read"])
    elif options["mode"] == "cut":
        say_cut(counts["characters_cut"], counts["cut"], counts["removed"] - counts["nested"])
        if counts["nested"]:
            say("{}", several(
                "{:,} document was removed entirely, because its text is inside a JSON string and cannot be cut",
                "{:,} documents were removed entirely, because their texts are inside JSON strings and cannot be cut",
                counts["nested"]))  # fmt: skip
    if counts["skipped"]:
        say_skipped(counts["skipped"], listed=bool(options["out"]))
    if options["out"] is not None:
        say("written to {}", options["out"])


def _line(text: str) -> str:
    """Return the beginning of a question on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= SHOWN_TEXT else flat[: SHOWN_TEXT - 1] + "…"
