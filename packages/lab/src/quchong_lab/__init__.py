"""Experiments that repeat the papers' measurements, with data generators, tables and plots."""

from pathlib import Path

from quchong.languages import add_catalogue
from quchong_lab.catalogue import EXPERIMENTS, experiment
from quchong_lab.experiment import Claim, Experiment, Plot

__all__ = ["EXPERIMENTS", "Claim", "Experiment", "Plot", "experiment"]

add_catalogue("quchong_lab", Path(__file__).parent / "languages")
