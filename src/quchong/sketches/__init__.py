"""Sketches of feature sets, and filters of exact repeats."""

from quchong.sketches.bloom import Bloom, PrintedBloom
from quchong.sketches.confirmed import Confirmed
from quchong.sketches.digits import DigestSet, DigitTrie
from quchong.sketches.firstseen import FirstSeenFilter
from quchong.sketches.minhash import MinHash
from quchong.sketches.simhash import SimHash
from quchong.sketches.statefile import State, read_state
from quchong.sketches.statistics import FeatureStatistics, ShingleCount

__all__ = [
    "Bloom",
    "Confirmed",
    "DigestSet",
    "DigitTrie",
    "FeatureStatistics",
    "FirstSeenFilter",
    "MinHash",
    "PrintedBloom",
    "ShingleCount",
    "SimHash",
    "State",
    "read_state",
]
