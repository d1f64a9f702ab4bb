"""Command `quchong restore`: put removed rows back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from quchong.errors import Param, UsageError
from quchong.languages import several

if TYPE_CHECKING:
    from quchong.runs.restore import Restored


@click.command(short_help="Put removed rows back into a run.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1)
@click.option(
    "--relation", "relations", multiple=True, help="Put back all documents removed by this relation (repeatable)."
)
@click.option(
    "--rule", "rules", multiple=True, help="Put back all documents removed by this rule of the ledger (repeatable)."
)
@click.option("--all", "everything", is_flag=True, help="Put back all removed documents.")
@click.option("--decisions", type=click.Path(path_type=Path), metavar="FILE",
              help="Put back the documents whose removal a person overturned in FILE, a decisions file of "
                   "quchong review.")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Print no summary.")
def command(
    run: Path,
    ids: tuple[str, ...],
    relations: tuple[str, ...],
    rules: tuple[str, ...],
    everything: bool,
    decisions: Path | None,
    quiet: bool,
) -> None:
    """Puts removed documents back among the kept rows of RUN: the documents in IDS, all removed by a relation or a
    rule, or all whose removal was overturned in a review.

    Rows return to their place in the order of the input. The ledger and the counts no longer list them as removed.
    restored.jsonl in the run folder records why they were removed.
    """
    from quchong.api import load
    from quchong.cli.printing import say
    from quchong.io.files.addresses import address_of
    from quchong.results.contamination_folder import ContaminationFolder, is_contamination
    from quchong.results.saved import SavedRun
    from quchong.runs.decisions_file import read_acts
    from quchong.runs.restore import recover
    from quchong.runs.unit_restore import restore_units
    from quchong.runs.unit_run import is_unit_run

    by_units = is_unit_run(run)
    if by_units and (relations or rules or decisions is not None):
        raise UsageError(
            "{} is a run that compares lines or paragraphs: give ids, or use {}", run, Param("everything", True)
        )
    if decisions is not None and (torn := read_acts(decisions)[1]):
        say(
            "{:,} lines of {} were skipped because of damage, perhaps after a crash",
            len(torn),
            decisions,
            err=True,
        )

    if is_contamination(run):
        if relations or rules or decisions is not None:
            raise UsageError("{} is a folder of quchong decontaminate: give ids of documents, or use --all", run)
        _print_restored(run, ContaminationFolder.open_path(run).restore(ids, everything=everything), quiet)
        return
    if address_of(run) is None and recover(run):
        if not quiet:
            say("the earlier restore of {}, which was stopped, is now finished", run)
        if not (ids or relations or rules or everything or decisions is not None):
            return
    if by_units:
        done = restore_units(run, ids, everything=everything)
    else:
        held = SavedRun(run) if address_of(run) is None else load(run)
        done = held.restore(ids, relations=relations, rules=rules, everything=everything, decisions=decisions)
    _print_restored(run, done, quiet)


def _print_restored(run: Path, done: Restored, quiet: bool) -> None:
    """Print how many rows were put back, and into which files."""
    from quchong.cli.printing import say
    from quchong.io.files.addresses import path_of

    if not done.ids:
        say("{} has no removed row that matches: nothing was changed", run)
        return
    if quiet:
        return
    say("{}", several("put back {:,} row", "put back {:,} rows", len(done.ids)))
    for file, rows in done.files.items():
        say("  rows put back: {:,}; file: {}", rows, path_of(run / file))
