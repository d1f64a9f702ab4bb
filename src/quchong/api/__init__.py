"""The public API: `dedup`, `compare`, `inspect`, `passages`, `load`, and their results."""

from quchong.api.comparison import compare
from quchong.api.counting import fit_statistics
from quchong.api.deduplication import dedup
from quchong.api.estimating import estimate
from quchong.api.evaluating import evaluate
from quchong.api.inspection import Inspection, inspect
from quchong.api.loaded import load
from quchong.api.result import Result
from quchong.api.shared import SharedPassages, align, passages
from quchong.api.tuning import tune
from quchong.plan.request import make_plan
from quchong.plan.sources import Data, sources_of

__all__ = [
    "Data",
    "Inspection",
    "Result",
    "SharedPassages",
    "align",
    "compare",
    "dedup",
    "estimate",
    "evaluate",
    "fit_statistics",
    "inspect",
    "load",
    "make_plan",
    "passages",
    "sources_of",
    "tune",
]
