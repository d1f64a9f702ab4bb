"""Report of an experiment: table.csv, table.md with claims and figures, plots, run.json.

Further tables of an experiment are printed in table.md too, and written as NAME.csv.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv

from quchong.outputs import MANIFEST, staged_files
from quchong_lab.experiment import Experiment, Findings, Plot

_OURS = re.compile(r"[a-z][a-z0-9_-]*\.csv|table\.md|plot(-[0-9]+)?\.svg|run\.json")
"""Names of the files of a report: its tables, its page, its plots and its manifest."""


def write(
    experiment: Experiment, findings: Findings, out: Path, scale: str, seed: int, more: Mapping[str, Any] | None = None
) -> list[Path]:
    """Write the findings of an experiment into a folder, which is made if missing; return the files. `more` is added to run.json.

    All files are complete before the first one is renamed into the folder; other files in the folder are kept.

    Raises:
        OutputError: the folder cannot be written, or another process is writing it.
    """
    about = {
        "experiment": experiment.name, "scale": scale, "seed": seed, "quchong": version("quchong"),
        "python": platform.python_version(), "machine": platform.machine(), "processors": os.cpu_count(),
        **(more or {}),
    }  # fmt: skip
    with staged_files(Path(os.path.realpath(out)), MANIFEST, "choose another folder", _is_ours) as new:
        pa_csv.write_csv(findings.table, new / "table.csv")
        for name, table in findings.more.items():
            pa_csv.write_csv(table, new / f"{name}.csv")
        (new / "table.md").write_text(markdown(experiment, findings), encoding="utf-8")
        (new / MANIFEST).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
        pictures = []
        for number, plot in enumerate(experiment.plots, 1):
            name = "plot.svg" if len(experiment.plots) == 1 else f"plot-{number}.svg"
            draw(plot, experiment.title, findings.table, new / name)
            pictures.append(out / name)
    further = [out / f"{name}.csv" for name in findings.more]
    return [out / "table.csv", *further, out / "table.md", out / MANIFEST, *pictures]


def _is_ours(name: str) -> bool:
    """Return True if a report of an experiment has a file of this name."""
    return bool(_OURS.fullmatch(name))


def cell(value: Any) -> str:
    """Format a value for a table: four significant figures, thousands separated by commas; "" for None."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def markdown(experiment: Experiment, findings: Findings) -> str:
    """Format a report as Markdown: claims of the paper, tables of figures, remarks."""
    lines = [f"# {experiment.title}", "", f"`{experiment.name}`. {experiment.paper}", ""]
    if experiment.claims:
        lines += ["| where | setting | the paper says | note |", "|---|---|---|---|"]
        lines += [f"| {c.where} | {c.setting} | {c.said} | {c.note} |" for c in experiment.claims]
        lines.append("")
    if (small := best_by_system(experiment, findings.table)) is not None:
        lost = "-" in small["the paper's F1"].to_pylist()
        lines[4:4] = [
            *_rows(small),
            "",
            *(["-: the papers give curves or an order, of which no figure can be read.", ""] if lost else []),
        ]
    lines += _rows(findings.table)
    lines += ["", *(f"- {remark}" for remark in findings.remarks)]
    for name, table in findings.more.items():
        lines += ["", f"## {name}", "", *_rows(table)]
    return "\n".join(lines).rstrip() + "\n"


def best_by_system(experiment: Experiment, table: pa.Table) -> pa.Table | None:
    """Return the best F1 of each system and the paper's own, a small table to read first; None for a table without both.

    Columns: system, "our best F1", "threshold", "the paper's F1" with its source ("-" where no paper gives one that can be read).
    Where the table has several groups of rows, such as parts of a page, the best of all groups counts, and their columns are added.
    """
    if not {"system", "f1", "threshold"} <= set(table.column_names):
        return None
    groups = [name for name in ("body", "documents", "decided") if name in table.column_names]
    best: dict[str, dict[str, Any]] = {}
    for row in table.to_pylist():
        if row["system"] not in best or (row["f1"] or 0) > (best[row["system"]]["f1"] or 0):
            best[row["system"]] = row
    ordered = sorted(best.values(), key=lambda row: -(row["f1"] or 0))
    return pa.table({
        "system": [row["system"] for row in ordered], "our best F1": [row["f1"] for row in ordered],
        "the paper's F1": [_published(experiment, row["system"]) for row in ordered],
        "threshold": [row["threshold"] for row in ordered], **{name: [row[name] for row in ordered] for name in groups},
    })  # fmt: skip


def _published(experiment: Experiment, system: str) -> str:
    """Return the F1 that a paper gives for a system, with its source; "-" for none."""
    found = experiment.published.get(system) or experiment.published.get(system.partition(",")[0])
    return "-" if found is None else f"{cell(found.f1)} ({found.source})"


def _rows(table: pa.Table) -> list[str]:
    names = table.column_names
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    return [*lines, *("| " + " | ".join(cell(row[name]) for name in names) + " |" for row in table.to_pylist())]


def draw(plot: Plot, title: str, table: pa.Table, path: Path) -> None:
    """Draw a plot as SVG; equal tables give equal bytes."""
    import matplotlib  # here: most commands draw nothing

    matplotlib.use("svg")
    from matplotlib import pyplot

    with matplotlib.rc_context({"svg.hashsalt": "quchong", "svg.fonttype": "none"}):
        figure, axes = pyplot.subplots(figsize=(7, 4.2))
        lines: dict[str, list[tuple[float, float]]] = {}
        for row in table.to_pylist():
            if row[plot.x] is None or row[plot.y] is None:
                continue
            name = ", ".join(cell(row[column]) for column in plot.series)
            lines.setdefault(name, []).append((row[plot.x], row[plot.y]))
        for name, points in lines.items():
            points.sort()
            axes.plot([x for x, _ in points], [y for _, y in points], marker="o", markersize=3, label=name or None)
        for x, y, label in plot.paper:
            axes.plot([x], [y], marker="x", markersize=8, linestyle="", label=f"paper: {label}")
        if plot.log_x:
            axes.set_xscale("log")
        if plot.log_y:
            axes.set_yscale("log")
        axes.set_xlabel(plot.x)
        axes.set_ylabel(plot.y)
        axes.set_title(title, fontsize=10)
        axes.grid(alpha=0.3)
        if plot.series or plot.paper:
            axes.legend(fontsize=7)
        figure.tight_layout()
        figure.savefig(path, format="svg", metadata={"Date": None})
        pyplot.close(figure)
