"""Every experiment by name; its module is imported when it is asked for."""

from __future__ import annotations

import importlib

from quchong.errors import UsageError, meant
from quchong.lab.experiment import Experiment

EXPERIMENTS: dict[str, str] = {
    "short-text/filter-time": "quchong.lab.short_text_filters:FILTER_TIME",
    "short-text/filter-time-large": "quchong.lab.short_text_filters:FILTER_TIME_LARGE",
    "short-text/bloom-accuracy": "quchong.lab.short_text_filters:BLOOM_ACCURACY",
    "short-text/bloom-memory": "quchong.lab.short_text_filters:BLOOM_MEMORY",
    "short-text/simhash-time": "quchong.lab.short_text_simhash:SIMHASH_TIME",
    "short-text/simhash-recall": "quchong.lab.short_text_simhash:SIMHASH_RECALL",
    "short-text/simhash-weights": "quchong.lab.short_text_simhash:SIMHASH_WEIGHTS",
    "web/ccdet-thresholds": "quchong.lab.web_ccdet:THRESHOLDS",
    "web/ccdet-families": "quchong.lab.web_ccdet:FAMILY",
    "web/ccdet-pruning": "quchong.lab.web_ccdet:PRUNING",
    "web/ccdet-sensitivity": "quchong.lab.web_ccdet:SENSITIVITY",
    "web/tree-family": "quchong.lab.web_trees:TREES",
    "web/tree-features": "quchong.lab.web_trees:STORED",
    "sentences/long-sentences": "quchong.lab.sentence_lengths:LONG",
    "sentences/methods": "quchong.lab.sentence_methods:METHODS",
    "sentences/suffix": "quchong.lab.sentence_runs:SUFFIX",
    "cluster/scale": "quchong.lab.cluster_scale:SCALE",
}
"""Name -> module:constant."""


def experiment(name: str) -> Experiment:
    """The experiment of this name.

    Raises:
        UsageError: no such experiment; the message lists them.
    """
    if name not in EXPERIMENTS:
        raise UsageError(
            f"unknown experiment {name!r}" + (meant(name, EXPERIMENTS) or f": use {', '.join(EXPERIMENTS)}")
        )
    module, _, constant = EXPERIMENTS[name].partition(":")
    found: Experiment = getattr(importlib.import_module(module), constant)
    return found
