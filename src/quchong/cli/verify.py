"""Command `quchong verify`: decide the removals of a run again, and find bad survivors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quchong.cli.index_opening import is_index
from quchong.cli.options import texts_option
from quchong.errors import RunError, shell_word
from quchong.languages import Message, several

if TYPE_CHECKING:
    from quchong.results.verification import Verification

SHOWN = 10
"""Most mismatches and bad survivors that are printed; --json has all."""


@click.command(
    short_help="Decide the removals of a run again from the texts, and find kept documents that are worse than "
    "one of their removed copies."
)
@click.argument("run", type=click.Path(path_type=Path))
@texts_option
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of removals drawn for you to read.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N",
              help="Seed of the draw; another seed draws different ones.")  # fmt: skip
@click.option("--quality", metavar="COLUMN",
              help="Column of numbers, higher for better documents. A kept document is listed if its number is "
                   "lower than that of one of its removed copies.")  # fmt: skip
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="JSON, with every mismatch and every kept document that is worse than a removed copy.",
)
def command(run: Path, texts: tuple[Path, ...], sample: int, seed: int, quality: str | None, as_json: bool) -> None:
    """Decides every removal of the run folder RUN again from the two texts alone, and compares relation and scores
    with the ledger. Draws some removals for you to read. Lists kept documents that are worse than one of
    their removed copies: cut off, shorter, noisier, or of lower quality.

    End with exit code 5 if a removal, decided again, differs from the ledger.
    """
    from quchong.api import load
    from quchong.cli.printing import say_json, say_left_alone

    if is_index(run):
        raise RunError("{} is an index, not a run folder: check it with quchong index verify {}", run, shell_word(run))
    saved = load(run, texts=texts)
    found = saved.verify(sample=sample, seed=seed, quality=quality)
    if as_json:
        say_json(found.as_dict())
        sys.exit(0 if found.sound else RunError.exit_code)
    _print(found)
    say_left_alone(saved.left_alone)
    if not found.sound:
        raise RunError(
            "{}: some removals are decided differently now, because the ledger or the texts were changed", run
        )


def _print(found: Verification) -> None:
    from quchong.cli.printing import say

    wrong = len(set(found.mismatches["id"].to_pylist()))
    told = several(
        "{:,} removal was checked again by comparing the texts",
        "{:,} removals were checked again by comparing the texts",
        found.replayed,
    )
    say("{}", told)
    say("  decided differently: {:,}", wrong)
    for one in found.mismatches.slice(0, SHOWN).to_pylist():
        say("  {} → {}: {} is {} in the ledger, but {} when decided again from the texts",
            one["id"], one["survivor_id"], one["field"], one["stored"], one["now"])  # fmt: skip
    for why, count in found.left_out.items():
        say("  not checked again: {:,} {}", count, why)
    counts = found.worse_by_reason
    documents = len(set(found.worse["id"].to_pylist()))
    say("{}", several("{:,} kept document is worse than one of its removed copies",
                      "{:,} kept documents are worse than one of their removed copies", documents))  # fmt: skip
    for reason, count in counts.items():
        say("  {}  {:,}", Message(reason), count)
    for row in found.worse.slice(0, SHOWN).to_pylist():
        values = [f"{row[name]:.4g}" for name in ("kept_value", "removed_value")]
        say(
            "    {} was kept, but its removed copy {} is better. The kept document is {}: its value is {}, and "
            "the copy has {}",
            row["id"],
            row["removed_id"],
            Message(row["reason"]),
            *values,
        )
    if len(found.sample):
        say("")
        say(
            "read these removals, drawn at random. If all of them are right, at least {:.1f}% of all removals "
            "are right (95% confidence):",
            100 * found.precision_at_least(),
        )
        say("{}", repr(found.sample))
