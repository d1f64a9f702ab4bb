"""Explanations and summaries of a run for people, made from its tables only."""

import sys

from quchong.findings import Difference, Passage
from quchong.parameters.other_calls import NoFunction
from quchong.report.differing import in_words
from quchong.report.explanation import Explanation, render
from quchong.report.side_by_side import PairComparison, render_comparison
from quchong.report.summary import summary

__all__ = [
    "Difference",
    "Explanation",
    "PairComparison",
    "Passage",
    "in_words",
    "render",
    "render_comparison",
    "summary",
]

sys.modules[__name__].__class__ = NoFunction
