"""How candidates are found without comparing all pairs."""

from quchong.index.bands import Bands, choose_bands

__all__ = ["Bands", "choose_bands"]
