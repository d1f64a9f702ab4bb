"""Exact similarity of pairs: Jaccard, containment, guards, and the relation they result in."""

from quchong.similarity.guards import UNSEEN, numbers_conflict, worth_aligning
from quchong.similarity.measure import above_floor, measure, pair_widths, widths_of
from quchong.similarity.relations import decide, decide_codes, threshold_used
from quchong.similarity.thresholds import BIGRAM, PRESETS, Thresholds, preset

__all__ = [
    "BIGRAM",
    "PRESETS",
    "UNSEEN",
    "Thresholds",
    "above_floor",
    "decide",
    "decide_codes",
    "measure",
    "numbers_conflict",
    "pair_widths",
    "preset",
    "threshold_used",
    "widths_of",
    "worth_aligning",
]
