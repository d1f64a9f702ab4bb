"""People must see why: explanations and summaries, made of tables only, so any engine's result will do."""

from quchong.report.explanation import Beside, Explanation, Passage, render, render_beside
from quchong.report.joining import joined
from quchong.report.summary import summary

__all__ = ["Beside", "Explanation", "Passage", "joined", "render", "render_beside", "summary"]
