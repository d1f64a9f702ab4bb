"""quchong eval: how good runs are, by labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quchong.cli.truth import truth_options


@click.command(short_help="Measure runs by labels: precision, recall, clusters, wrong removals.")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@truth_options(required=True)
@click.option("--by", metavar="COLUMN", default="site", show_default=True,
              help="Column by which pairs are told apart; site: that column, or the domain of url.")  # fmt: skip
@click.option("--curve", "picture", type=click.Path(path_type=Path), metavar="FILE",
              help="Draw precision over recall at other thresholds: .png, .svg or .pdf (extra plot).")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="JSON: an object for one run, a list for several.")
def command(
    runs: tuple[Path, ...], truth: Path, complete: bool, labels: str, truth_keys: str | None, truth_words: str | None,
    by: str, picture: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Holds the run folders RUN to labels: precision, recall and F1 of pairs with 95% intervals, by relation, length and site;
    B-cubed and adjusted Rand index of clusters; documents wrongly removed and wrongly kept. Several runs stand in one table.

    Labels of pairs have left_id, right_id and label: same, contained, different or unsure. Labels of clusters have id and
    cluster. Labels of pairs are taken as a sample of all pairs; --complete says that all others are different.
    """
    from quchong.api.evaluating import evaluate_by
    from quchong.api.loaded import load
    from quchong.cli.printing import say, say_json, table
    from quchong.evaluation.curve import check_picture, write_picture
    from quchong.evaluation.evaluation import tables, told
    from quchong.evaluation.reading import read_truth
    from quchong.outputs import check_apart, local
    from quchong.plan.parameters import checked

    given: dict[str, Any] = checked(
        complete=complete, labels=labels, truth_keys=truth_keys, truth_words=truth_words, by=by
    )
    if picture is not None:
        check_picture(picture)
        check_apart([*local(runs), *local([truth], "truth")], local([picture], "curve"))
    read = read_truth(truth, given["truth_keys"], given["truth_words"], complete)
    found = [evaluate_by(load(run), read, given["labels"], by=by, curve=picture is not None) for run in runs]
    if picture is not None:
        write_picture([one.drawn for one in found], picture)
    if as_json:
        say_json(found[0].as_dict() if len(found) == 1 else [one.as_dict() for one in found])
        return
    if len(found) == 1:
        say("{}", told(found[0]))
    else:
        for number, rows in enumerate(tables(found)):
            if number:
                say("")
            table(rows)
        for one in found:
            for note in one.notes:
                say("note: {}: {}", one.name, note)
    if picture is not None:
        say("written to {}", picture)
