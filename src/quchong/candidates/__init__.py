"""Indexes that find candidates without comparing all pairs."""

from quchong.candidates.bands import Bands, choose_bands
from quchong.candidates.hamming import HammingIndex, Tables, choose_blocks

__all__ = ["Bands", "HammingIndex", "Tables", "choose_bands", "choose_blocks"]
