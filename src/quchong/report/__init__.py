"""Explanations and summaries for people, made from tables only."""

from quchong.report.explanation import Beside, Explanation, Passage, render, render_beside
from quchong.report.joining import joined
from quchong.report.summary import summary

__all__ = ["Beside", "Explanation", "Passage", "joined", "render", "render_beside", "summary"]
