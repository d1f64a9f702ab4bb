"""Command `quchong explain`: why a document was removed or kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from quchong.cli.index_opening import is_index, known_id, open_index
from quchong.cli.options import language_option, texts_option
from quchong.errors import Param, UsageError
from quchong.languages import language


@click.command(short_help="Show why a document was removed or kept, and what it is a copy of.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1, required=True)
@click.option(
    "--with",
    "other",
    help="Compare each document with this one instead of its survivor, and mark the text that both share.",
)
@click.option(
    "--gap", type=click.IntRange(0), default=0, help="Join passages with at most this many characters between them."
)
@click.option("--chars", type=click.IntRange(1), default=1200, show_default=True, help="Characters shown of each text.")
@texts_option
@language_option
@click.option("--json", "as_json", is_flag=True, help="JSON, one object per line.")
def command(
    run: Path, ids: tuple[str, ...], other: str | None, gap: int, chars: int, texts: tuple[Path, ...], as_json: bool
) -> None:  # fmt: skip
    """Shows whether each document in IDS was kept or removed, and why, in the run folder RUN or in an index.

    For a removed document, explain shows the document that it copies, the rule and threshold that decided, and the
    passages that both share. For a kept document, it shows the removed copies, and whether the document was
    protected. For a skipped record, it shows file, line and reason.
    """
    from quchong.cli.printing import say_left_alone
    from quchong.kernels.arrow_start import without_pandas

    without_pandas()
    told = Telling(ids, other, gap, chars, as_json)
    if is_index(run):
        if texts:
            raise UsageError("{} looks for the texts of a run folder, but {} is an index", Param("texts"), run)
        from quchong.api.index_explanation import compare_indexed, explain_indexed

        with open_index(run, read_only=True) as index:
            told.all(
                lambda doc_id: explain_indexed(index, known_id(index, doc_id)),
                lambda doc_id, beside: compare_indexed(index, known_id(index, doc_id), known_id(index, beside)),
            )
        return
    from quchong.results.contamination_folder import is_contamination

    if is_contamination(run):
        from quchong.cli.leaks import explain_leaks

        if other is not None or texts:
            raise UsageError("{} was written by quchong decontaminate: give only ids of documents", run)
        explain_leaks(run, ids, as_json)
        return
    from quchong.api import load
    from quchong.runs.unit_run import is_unit_run

    if is_unit_run(run):
        _explain_units(run, ids, other, as_json)
        return
    saved = load(run, texts=texts)
    told.all(saved.explain, saved.compare)
    say_left_alone(saved.left_alone)


def _explain_units(run: Path, ids: tuple[str, ...], other: str | None, as_json: bool) -> None:
    """Print what documents of a run by lines or paragraphs lost."""
    from quchong.cli.printing import say_json
    from quchong.cli.units import print_unit_explanation
    from quchong.results.unit_explanation import explain_units, open_units

    if other is not None:
        raise UsageError(
            "{} is for runs that compare whole documents, but {} compares lines or paragraphs", Param("other"), run
        )
    opened = open_units(run)
    for number, doc_id in enumerate(ids):
        found = explain_units(opened, doc_id)
        if as_json:
            say_json(found.as_dict())
        else:
            print_unit_explanation(found, number)


@dataclass(frozen=True, slots=True)
class Telling:
    """Arguments of `explain`: the run or index, the documents, and how their texts are shown."""

    ids: tuple[str, ...]
    other: str | None
    gap: int
    chars: int
    as_json: bool

    def all(self, explain: Callable[[str], Any], beside: Callable[[str, str], Any]) -> None:
        """Print the explanation of every document, or the comparison with the other one."""
        for number, doc_id in enumerate(self.ids):
            self.one(number, explain(doc_id) if self.other is None else beside(doc_id, self.other))

    def one(self, number: int, found: Any) -> None:
        """Print one `Explanation` or `PairComparison`, the `number`-th, from 0."""
        from quchong.cli.colours import coloured
        from quchong.cli.printing import highlight, say, say_json, say_pair
        from quchong.findings import merge_passages
        from quchong.report import render, render_comparison
        from quchong.report.terminal_marks import worth_drawing
        from quchong.report.visible import Shown

        other = found.survivor_text if self.other is None else found.other_text
        if self.gap and found.text is not None and other is not None:
            found = replace(found, passages=merge_passages(found.passages, self.gap, found.text, other))
        if self.as_json:
            say_json(found.as_dict())
            return
        told = render if self.other is None else render_comparison
        drawn = coloured() and found.text is not None and other is not None
        say("{}{}", Shown("\n" if number else ""), told(found, highlight(), 0 if drawn else self.chars))
        if drawn:
            names = (str(found.id), str(found.survivor_id if self.other is None else found.other_id))
            say("")
            say_pair(names, (found.text, other), found.passages, worth_drawing(found.differences, found.passages), self.chars,
                     language())  # fmt: skip
