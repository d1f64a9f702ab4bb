"""Alignment of texts: search for passages that two texts share, and texts with passages cut out."""

from quchong.alignment.align import LEAST_CHARACTERS, LEAST_SINGLES, align
from quchong.alignment.cut import covered, unwrapped, whole_pieces, without

__all__ = ["LEAST_CHARACTERS", "LEAST_SINGLES", "align", "covered", "unwrapped", "whole_pieces", "without"]
