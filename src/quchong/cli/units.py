"""Runs by lines or paragraphs on the command line: options of `dedup --unit`, its summary, and what `explain` prints of such a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quchong.cli.options import is_given
from quchong.errors import Param, UsageError, check_choice
from quchong.languages import Message, several

if TYPE_CHECKING:
    from quchong.results.unit_explanation import UnitExplanation

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

UNIT_OPTIONS = ("unit", "unit_words", "unit_common", "unit_repeats", "unit_floor")
"""Parameters of a run by units, in the order of a help."""
TAKEN = (
    *UNIT_OPTIONS,
    "keep",
    "against",
    "protect",
    "exact",
    "text",
    "id",
    "time",
    "source",
    "format",
    "encoding",
    "max_record",
    "workers",
    "memory",
)
"""Options of `dedup` that a run by units knows."""
_BESIDE = {"inputs", "out", "overwrite", "dry_run", "as_json", "quiet", "summary", "progress", "log_file", "fail_on"}
_UNITS = ("line", "paragraph")
"""Values of `--unit` of a run by units, as `quchong.text.units.UNITS`, which the help does not load."""
_SHOWN = 100
"""Characters shown of a unit."""
_OPTIONS: tuple[Decorator, ...] = (
    click.option("--unit", metavar="WHICH", default="document",
                 help="Cut repeated lines or paragraphs out of documents: line, paragraph."),
    click.option("--unit-words", type=int, metavar="N", default=4, help=(
        "Lines with fewer than N words are not compared (4)."
    )),
    click.option("--unit-common", type=int, metavar="N", help=(
        "Cut only lines or paragraphs that at least N documents have, and keep no copy of them."
    )),
    click.option("--unit-repeats", type=click.Choice(["keep", "cut"]), metavar="WHICH", default="keep",
                 help="Repeats inside one document: keep, or cut."),
    click.option("--unit-floor", type=float, metavar="N", default=1.0,
                 help=(
                     "Remove a document if less than this remains after cutting: N words or, if N is below 1, "
                     "a share of its words."
                 )),
)  # fmt: skip


def unit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options in `UNIT_OPTIONS` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check_unit_options(context: click.Context, parameters: dict[str, Any]) -> bool:
    """Return True if the call is a run by units; else put a value of `--unit` that is meant for a named method into its parameters.

    Raises:
        UsageError: an option of the one kind of run was given with the other.
    """
    given = {name for name in context.params if is_given(context, name)}
    unit = context.params["unit"]
    if "unit" in given and "method" in given:
        if unit in _UNITS and not _has_unit(context.params["method"]):
            raise UsageError(
                "{} is for a run that compares whole documents: leave out this option, or {}",
                Param("method"),
                Param("unit"),
            )
        parameters["unit"] = unit  # methods have a parameter of this name
    else:
        check_choice("unit", unit, ["document", *_UNITS])
    if unit == "document" or "method" in given:
        if foreign := sorted(given & set(UNIT_OPTIONS[1:])):
            raise UsageError(
                "{} is for a run that compares lines or paragraphs: give {}", Param(foreign[0]), Param("unit", "line")
            )
        return False
    if foreign := sorted(given - set(TAKEN) - _BESIDE):
        raise UsageError(
            "{} is for a run that compares whole documents: leave out this option, or {}",
            Param(foreign[0]),
            Param("unit"),
        )
    return True


def _has_unit(method: str) -> bool:
    """Return True if a method has a parameter `unit`; True for an unknown name too, whose error is raised later."""
    from quchong.errors import QuchongError
    from quchong.parameters import parameters_of
    from quchong.plan.catalogue import kind_of

    try:
        return "unit" in parameters_of(kind_of(method))
    except QuchongError:
        return True


def run_units(context: click.Context, inputs: Any, printed: str, failing: Any) -> int:
    """Carry out a run by units and print what it did; return the exit code."""
    from quchong.api import dedup_units
    from quchong.cli.heap import keep_heap
    from quchong.cli.options import named_files
    from quchong.cli.preview import is_preview, print_how_to_keep
    from quchong.cli.printing import say_json
    from quchong.cli.progress import watcher
    from quchong.cli.reporting import check_ending, logged_to
    from quchong.kernels.arrow_start import without_pandas

    without_pandas()
    given = context.params
    keep_heap(given["memory"])
    preview = is_preview(context)
    dry = given["dry_run"] or preview
    writing = {} if dry else {"out": given["out"], "overwrite": given["overwrite"]}
    watch = watcher(given["quiet"], lines=given["progress"])
    with logged_to(given["log_file"]):
        try:
            taken = {name: given[name] for name in TAKEN}
            taken["against"] = named_files(given["against"]) or None
            taken["protect"] = () if given["protect"] is None else Path(given["protect"])
            found = dedup_units(inputs, progress=watch, **taken, **writing)
        finally:
            watch.close()
    if given["as_json"]:
        say_json(found.manifest)
    elif printed != "none":
        print_units(found.manifest, None if dry else given["out"], printed)
    if preview:
        print_how_to_keep(context)
    return check_ending(found.manifest, failing)


def print_units(manifest: Any, out: str | None, printed: str) -> None:
    """Print the counts of a run by units, in full or the first line alone, and its alarms."""
    from quchong.cli.printing import print_alarms, say, say_skipped

    c, unit = manifest["counts"], manifest["units"]["unit"]
    what = {"line": Message("lines"), "paragraph": Message("paragraphs")}[unit]
    say("{:,} documents: {:,} unchanged, {:,} cut, {:,} removed entirely",
        c["read"], c["kept"] - c["changed"], c["changed"], c["removed"])  # fmt: skip
    if printed == "full":
        if "reference" in c:
            say("compared with {:,} documents, which are not cut", c["reference"])
        share = 100 * c["cut_words"] / c["words"] if c["words"] else 0
        say("{}: {:,} of {:,} cut, with {:,} words or Chinese characters ({:.1f}%)",
            what, c["cut"], c["units"], c["cut_words"], share)  # fmt: skip
        short = c["units"] - c["compared"]
        say("  {:,} are too short to be compared (fewer than {} words)", short, manifest["units"]["words"])
        if c["repeats"]:
            say("  {:,} are repeats within one document; {:,} of them are kept", c["repeats"], c["repeats_kept"])
        if c["nested"]:
            say("{}", several(
                "{:,} document was kept unchanged, because its text is inside a JSON string and cannot be cut",
                "{:,} documents were kept unchanged, because their texts are inside JSON strings and cannot be cut",
                c["nested"]))  # fmt: skip
        if c["skipped"]:
            say_skipped(c["skipped"])
    print_alarms(manifest["alarms"])
    if out is not None and printed == "full":
        say("\nwritten to {}", Path(out))


def print_unit_explanation(found: UnitExplanation, number: int) -> None:
    """Print what a document of a run by units lost; `number` is its place among those asked for, from 0."""
    from quchong.cli.printing import say
    from quchong.report.visible import Shown

    if number:
        say("{}", Shown(""))
    if found.removed:
        say("{} was removed because too little of its text was left", found.id, bold=True)
    elif found.cut_units:
        say("{} was kept without the parts listed here", found.id, bold=True)
    else:
        say("{} was left unchanged", found.id, bold=True)
    say("cut: {:,} of {:,} units, {:,} of {:,} words", found.cut_units, found.units, found.cut_words, found.words)
    for one in found.lost:
        say("{:>5}  {}", one.unit, _reason(one))
        if one.text is not None:
            flat = " ".join(one.text.split())
            say("       {}", flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…")


def _reason(one: Any) -> Message:
    """Return why a unit was cut or kept, and where its copy is."""
    if one.reason == "copy":
        return Message(
            "cut: {:,} documents have this unit; kept in document {}, unit {}",
            one.documents,
            one.kept_id,
            one.kept_unit,
        )
    if one.reason == "common":
        return Message("cut: {:,} documents have this unit, and none keeps it", one.documents)
    if one.reason == "floor":
        return Message("removed with the document")
    if one.cut:
        return Message("cut because this unit also occurs earlier in this document, as unit {}", one.kept_unit)
    return Message("kept, although this unit also occurs earlier in this document, as unit {}", one.kept_unit)
