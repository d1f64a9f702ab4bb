"""Command `quchong eval`: how good runs are, by labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quchong.cli.options import LocalPath
from quchong.cli.truth import truth_options


@click.command(short_help="Evaluate runs with labels: precision, recall, clusters, wrong removals.")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@truth_options(required=True)
@click.option("--by", metavar="COLUMN", default="site", show_default=True,
              help=(
                  "Count pairs separately for each value of this column. The value site means the column site "
                  "or, if it is missing, the domain of url."
              ))  # fmt: skip
@click.option("--curve", "picture", type=LocalPath(path_type=Path), metavar="FILE",
              help="Draw the precision-recall curve over a range of thresholds to this file (.png, .svg or .pdf; "
                   "needs quchong[plot]).")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Also show the measures by relation, label, length and site.")
@click.option("--json", "as_json", is_flag=True, help="JSON: an object for one run, a list for several.")
def command(
    runs: tuple[Path, ...], truth: Path, complete: bool, labels: str, truth_keys: str | None, truth_words: str | None,
    by: str, picture: Path | None, everything: bool, as_json: bool,
) -> None:  # fmt: skip
    """Compares the run folders RUN with labels. Prints precision, recall and F1 of pairs with 95% intervals, by
    relation, length and site; the B-cubed and adjusted Rand index of clusters; and the documents wrongly removed or
    kept. Several runs are shown side by side.

    Labels of pairs have left_id, right_id and label: same, contained, different or unsure. Labels of clusters have
    id and cluster. Labels of pairs are read as a sample of all pairs; with --complete, all other pairs count as
    different.
    """
    from quchong.api.evaluating import evaluate_all, evaluate_by
    from quchong.api.loaded import load
    from quchong.cli.printing import columns, say, say_json
    from quchong.evaluation.evaluation import format_evaluation
    from quchong.evaluation.label_reader import read_truth
    from quchong.evaluation.picture import check_picture, write_picture
    from quchong.evaluation.run_comparison import told_together
    from quchong.outputs import check_apart, local
    from quchong.plan.parameters import checked

    given: dict[str, Any] = checked(
        complete=complete, labels=labels, truth_keys=truth_keys, truth_words=truth_words, by=by
    )
    if picture is not None:
        check_picture(picture)
        check_apart([*local(runs), *local([truth], "truth")], local([picture], "curve"))
    read = read_truth(truth, given["truth_keys"], given["truth_words"], complete)
    data: Any
    how: dict[str, Any] = {"by": by, "curve": picture is not None}
    if len(runs) == 1:
        one = evaluate_by(load(runs[0]), read, given["labels"], **how)
        drawn, data, text = [one.drawn], one.as_dict(), format_evaluation(one, everything)
    else:
        several = evaluate_all(runs, read, given["labels"], **how)
        drawn, data, text = (
            [one.drawn for one in several],
            several.as_dict(),
            told_together(several, columns(), everything),
        )
    if picture is not None:
        write_picture(drawn, picture)
    if as_json:
        say_json(data)
        return
    say("{}", text)
    if picture is not None:
        say("written to {}", picture)
