"""Histogram of the pairs' scores, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from quchong.errors import UsageError, install
from quchong.languages import Language, language_of_place
from quchong.report.histogram import BINS, Scores
from quchong.report.markup import colour
from quchong.report.words import format_message, relation_told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FONTS = (
    "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "SimHei", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Noto Sans CJK JP", "Arial Unicode MS",
)  # fmt: skip
"""Fonts with Chinese characters, in order of preference; matplotlib's own font has none and would draw boxes."""


def plot(
    found: Scores, axes: Axes | None = None, thresholds: Sequence[float] = (), language: Language | None = None
) -> Axes:
    """Draw the Jaccards of a run's pairs as bars, stacked by relation, and return the axes.

    Args:
        found: `quchong.report.histogram.scores`.
        axes: axes to draw on; None makes a new figure.
        thresholds: Jaccards at or above which the run called pairs duplicates, each drawn as a dashed line.
        language: None takes that of QUCHONG_LANG or the locale. Chinese needs one of FONTS; without it the words are English.

    Raises:
        UsageError: matplotlib is missing; `axes` is something else.
    """
    try:
        from matplotlib import font_manager, pyplot
        from matplotlib.axes import Axes
    except ImportError as error:
        raise UsageError(
            "plots need matplotlib, which the extra plot of quchong installs: {}", install("plot")
        ) from error
    if axes is not None and not isinstance(axes, Axes):
        raise UsageError(
            "ax must be an Axes of matplotlib, such as the one that plt.subplots() returns, not {!r:.80}", axes
        )
    language = language or language_of_place()
    there = {font.name for font in font_manager.fontManager.ttflist}
    font = next((name for name in FONTS if name in there), None)
    if language == "zh" and font is None:
        language = "en"
    words: dict[str, Any] = {"fontfamily": [font]} if language == "zh" and font else {}
    if axes is None:
        _, axes = pyplot.subplots(figsize=(7, 3.6), layout="constrained")
    places, base = np.arange(BINS) / BINS, np.zeros(BINS, np.int64)
    for relation, counts in found.counts.items():
        axes.bar(places, counts, width=0.92 / BINS, bottom=base, align="edge", color=colour(relation),
                 label=str(relation_told(language, relation)))  # fmt: skip
        base += counts
    for number, threshold in enumerate(thresholds):
        label = str(format_message(language, "thresholds" if len(thresholds) > 1 else "the threshold"))
        axes.axvline(threshold, color="0.4", linestyle="--", linewidth=1, label="_" if number else label)
    axes.set_xlim(0, 1)
    axes.set_xlabel(str(format_message(language, "scores")), **words)
    axes.set_ylabel(str(format_message(language, "pairs")), **words)
    if found.counts or thresholds:
        axes.legend(prop={"family": font} if words else None, frameon=False)
    if found.copies or not found.counts:
        said = (
            format_message(language, "copies", found.copies) if found.copies else format_message(language, "no pairs")
        )
        axes.set_title(str(said), loc="left", fontsize="small", **words)
    return axes
