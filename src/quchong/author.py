"""Names for authors of methods: what docs/guide/methods.md imports, and all that a method in a package of its own needs.

These names stay where modules behind them move. Anything else of quchong that begins without an underscore may change its place or
its arguments from one version to the next.
"""

from __future__ import annotations

from quchong import kernels
from quchong.features import digests, equal_keys
from quchong.methods.bases.authored import MethodBase
from quchong.methods.bases.rules import DefaultRule, JaccardRule
from quchong.parameters import parameter
from quchong.seam import HammingJoin, JoinLimits, KeyJoin, Search, SetJoin, Statistics, Traits
from quchong.similarity import Thresholds, above_floor, measure
from quchong.text import form

__all__ = [
    "DefaultRule",
    "HammingJoin",
    "JaccardRule",
    "JoinLimits",
    "KeyJoin",
    "MethodBase",
    "Search",
    "SetJoin",
    "Statistics",
    "Thresholds",
    "Traits",
    "above_floor",
    "digests",
    "equal_keys",
    "form",
    "kernels",
    "measure",
    "parameter",
]
