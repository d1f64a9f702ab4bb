"""People must see why: explanations and summaries, made of tables only, so any engine's result will do."""

from quchong.report.explanation import Explanation, Passage, render
from quchong.report.summary import summary

__all__ = ["Explanation", "Passage", "render", "summary"]
