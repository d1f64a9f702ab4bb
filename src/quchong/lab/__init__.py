"""Experiments that repeat the papers' measurements, with data generators, tables and plots."""

from quchong.lab.catalogue import EXPERIMENTS, experiment
from quchong.lab.experiment import Claim, Experiment, Plot
from quchong.lab.report import write

__all__ = ["EXPERIMENTS", "Claim", "Experiment", "Plot", "experiment", "write"]
