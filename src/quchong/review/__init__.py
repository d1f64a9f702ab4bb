"""Decisions of people about a run: acts in a file, their current state, and estimates from labels."""

from quchong.review.acts import LABELS, Act, Label, Verdict
from quchong.review.file import DecisionsFile, read_acts
from quchong.review.standing import Standing

__all__ = ["LABELS", "Act", "DecisionsFile", "Label", "Standing", "Verdict", "read_acts"]
