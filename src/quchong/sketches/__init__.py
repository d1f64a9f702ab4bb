"""How features are made small."""

from quchong.sketches.minhash import MinHash, estimate
from quchong.sketches.simhash import SimHash
from quchong.sketches.statistics import FeatureStatistics

__all__ = ["FeatureStatistics", "MinHash", "SimHash", "estimate"]
