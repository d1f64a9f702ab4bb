"""Plot of precision over recall, with one curve per run."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quchong.errors import OutputError, Param, UsageError, install
from quchong.evaluation.curve import Point
from quchong.languages import join_names
from quchong.outputs import staged_file
from quchong.outputs.free_names import free_file
from quchong.report.text_width import shortened
from quchong.report.visible import shown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PICTURES = (".png", ".svg", ".pdf")
LINES: tuple[Any, ...] = ("-", "--", "-.", ":")
"""Line styles of successive curves, so that curves that coincide can be distinguished."""
LONGEST = 40
"""Width of a name in the legend, in columns."""
HAN_FONTS = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "Microsoft YaHei", "PingFang SC", "Hiragino Sans GB",
    "Heiti SC", "SimHei", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Noto Sans CJK JP", "Droid Sans Fallback", "Arial Unicode MS",
)  # fmt: skip
"""Fonts with Chinese characters that operating systems include."""

Drawn = tuple[str, str, Sequence[Point], tuple[float | None, float | None]]
"""Data of a curve: name of the run, parameter varied, points (empty without a curve), and the run's own precision and recall."""


def check_picture(path: Path) -> None:
    """Check that a picture can be written to a path, before anything is computed.

    Raises:
        UsageError: the suffix is not one of PICTURES.
        OutputError: the file exists.
    """
    if path.suffix.lower() not in PICTURES:
        raise UsageError(
            "{} must end in {}, such as {}",
            Param("curve", str(path)),
            join_names([*PICTURES]),
            Param("curve", str(path.with_suffix(".png"))),
        )
    if os.path.lexists(path):
        raise OutputError("{} exists: choose another file, such as {}", path, free_file(path))


def draw(curves: Sequence[Drawn], axes: Axes | None = None) -> Axes:
    """Draw precision (up) over recall (right), one line per run, with a ring at its best F1 and a cross at the run itself.

    Args:
        curves: one per run; axes: axes of matplotlib to draw on; None makes a new figure.

    Raises:
        UsageError: matplotlib is missing; `axes` is something else.
    """
    try:
        from matplotlib.axes import Axes
    except ImportError as error:
        raise UsageError("pictures need matplotlib: {}", install("plot")) from error
    if axes is not None and not isinstance(axes, Axes):
        raise UsageError(
            "ax must be an Axes of matplotlib, such as the one that plt.subplots() returns, not {!r:.80}", axes
        )
    return _drawn(curves, _new_axes(len(curves)), below=True) if axes is None else _drawn(curves, axes, below=False)


def write_picture(curves: Sequence[Drawn], path: Path) -> None:
    """Draw curves and write the file atomically, as .png, .svg or .pdf; equal curves give equal bytes.

    Raises:
        UsageError: matplotlib is missing; the suffix is not one of PICTURES.
        OutputError: the file exists, or cannot be written.
    """
    check_picture(path)
    try:
        from matplotlib import pyplot, rc_context
    except ImportError as error:
        raise UsageError("pictures need matplotlib: {}", install("plot")) from error
    kind = path.suffix.lower().lstrip(".")
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with rc_context({"svg.hashsalt": "quchong"}), _quiet():
        figure: Any = draw(curves).figure
        try:
            with staged_file(path) as new:
                figure.savefig(new, format=kind, metadata=undated)
        finally:
            pyplot.close(figure)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence warnings of matplotlib about fonts with a single weight."""
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def _new_axes(runs: int) -> Axes:
    """Create axes of a new figure with room for the legend below."""
    from matplotlib import pyplot

    made: Axes = pyplot.subplots(figsize=(6.4, 5.2 + 0.22 * runs), layout="constrained")[1]
    return made


def _drawn(curves: Sequence[Drawn], axes: Axes, *, below: bool) -> Axes:
    from matplotlib.lines import Line2D

    fonts = _fonts([name for name, *_ in curves])
    handles: list[Any] = []
    for number, (name, parameter, points, (precision, recall)) in enumerate(curves):
        told = [(p, p.recall, p.precision) for p in points if p.precision is not None and p.recall is not None]
        colour, line = f"C{number % 10}", LINES[number % len(LINES)]
        label = _name(name, number, fonts)
        if precision is not None and recall is not None:
            axes.plot([recall], [precision], "x", color=colour, markersize=8, markeredgewidth=2, zorder=4)
            label += f": F1 {_f1(precision, recall):.3f}"
        if told:
            best, *at = max(told, key=lambda one: (one[0].f1 or 0.0, -abs(one[0].threshold - 0.5)))
            label += f"; best {best.f1 or 0:.3f} at {parameter} {best.threshold:g}"
            axes.plot([one[1] for one in told], [one[2] for one in told], line, color=colour)
            axes.plot(at[:1], at[1:], "o", color=colour, markersize=10, markerfacecolor="none", zorder=3)
        handles.append(
            Line2D([], [], color=colour, linestyle=line if told else "none", marker="" if told else "x", label=label)
        )
    grey: dict[str, Any] = {"color": "0.35", "linestyle": "none"}
    handles.append(Line2D([], [], marker="x", markersize=8, markeredgewidth=2, label="the run itself", **grey))
    if any(points for _, _, points, _ in curves):
        handles.append(Line2D([], [], marker="o", markersize=10, markerfacecolor="none", label="its best F1", **grey))
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="recall", ylabel="precision")
    axes.grid(alpha=0.3)
    place: dict[str, Any] = (
        {"loc": "upper left", "bbox_to_anchor": (0, -0.11), "borderaxespad": 0} if below else {"loc": "best"}
    )
    axes.legend(
        handles,
        [one.get_label() for one in handles],
        frameon=not below,
        prop={"family": list(fonts), "size": "small"},
        **place,
    )
    return axes


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _name(name: str, number: int, fonts: dict[str, set[int]]) -> str:
    """Return a name for the legend: on one line, formula signs escaped; "run N" if no font has its characters.

    A legend leaves out labels that begin with an underscore, so a space is put before it.
    """
    shown = shortened(shown_name(name, 1000), LONGEST)
    if any(all(ord(sign) not in font for font in fonts.values()) for sign in shown):
        return f"run {number + 1}"
    return (" " if shown.startswith("_") else "") + shown.replace("$", r"\$")


def chinese_font() -> str | None:
    """Return the first installed font of HAN_FONTS, or None; needs matplotlib."""
    from matplotlib import font_manager

    there = set(font_manager.get_font_names())
    return next((font for font in HAN_FONTS if font in there), None)


def _fonts(names: Sequence[str]) -> dict[str, set[int]]:
    """Return the fonts for the names, with the characters of each; fonts for Chinese only if a name needs them."""
    from matplotlib import font_manager

    wanted = ["DejaVu Sans"]  # comes with matplotlib
    if not "".join(names).isascii() and (font := chinese_font()) is not None:
        wanted.append(font)
    return {font: set(font_manager.get_font(font_manager.findfont(font)).get_charmap()) for font in wanted}
