"""What people decided about a run: acts in a file, what they come to, and what labels tell of the whole."""

from quchong.review.acts import LABELS, Act, Label, Verdict
from quchong.review.file import DecisionsFile, read_acts
from quchong.review.standing import Standing

__all__ = ["LABELS", "Act", "DecisionsFile", "Label", "Standing", "Verdict", "read_acts"]
