"""Explanations and summaries of a run for people, made from its tables only."""

from quchong.report.differing import Difference, in_words
from quchong.report.explanation import Explanation, Passage, render
from quchong.report.passage_merging import merge_passages
from quchong.report.side_by_side import Beside, render_beside
from quchong.report.summary import summary

__all__ = [
    "Beside",
    "Difference",
    "Explanation",
    "Passage",
    "in_words",
    "merge_passages",
    "render",
    "render_beside",
    "summary",
]
