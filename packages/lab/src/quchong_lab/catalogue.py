"""Experiments by name; the module of an experiment is imported when it is asked for."""

from __future__ import annotations

import importlib

from quchong.errors import UsageError, meant
from quchong.languages import OR, Message, join_messages, join_names
from quchong_lab.experiment import Experiment

EXPERIMENTS: dict[str, str] = {
    "short-text/filter-time": "quchong_lab.short_text.filters:FILTER_TIME",
    "short-text/filter-time-large": "quchong_lab.short_text.filters:FILTER_TIME_LARGE",
    "short-text/bloom-accuracy": "quchong_lab.short_text.filters:BLOOM_ACCURACY",
    "short-text/bloom-memory": "quchong_lab.short_text.filters:BLOOM_MEMORY",
    "short-text/simhash-time": "quchong_lab.short_text.simhash:SIMHASH_TIME",
    "short-text/simhash-recall": "quchong_lab.short_text.simhash:SIMHASH_RECALL",
    "short-text/simhash-weights": "quchong_lab.short_text.simhash:SIMHASH_WEIGHTS",
    "web/ccdet-thresholds": "quchong_lab.web.ccdet:THRESHOLDS",
    "web/ccdet-families": "quchong_lab.web.ccdet:FAMILY",
    "web/ccdet-pruning": "quchong_lab.web.ccdet:PRUNING",
    "web/ccdet-sensitivity": "quchong_lab.web.ccdet:SENSITIVITY",
    "web/tree-family": "quchong_lab.web.trees:TREES",
    "web/tree-features": "quchong_lab.web.trees:STORED",
    "web/tree-ablation": "quchong_lab.web.layers:LAYERS",
    "web/three-truths": "quchong_lab.web.seeds:SEEDS",
    "web/english-pages": "quchong_lab.web.english:PAGES",
    "web/english-pooled": "quchong_lab.web.english:POOLED",
    "web/english-trees": "quchong_lab.web.layers:ENGLISH_LAYERS",
    "sentences/long-sentences": "quchong_lab.sentences.lengths:LONG",
    "sentences/methods": "quchong_lab.sentences.methods:METHODS",
    "sentences/suffix": "quchong_lab.sentences.suffix:SUFFIX",
    "cluster/scale": "quchong_lab.spark.scale:SCALE",
}
"""Mapping from name to module:constant."""


_EVERY = ("all", "*", "every", "everything", "全部", "所有")
"""Words that people try for all experiments."""


def experiment(name: str) -> Experiment:
    """Return the experiment of this name.

    Raises:
        UsageError: no such experiment; the message lists them.
    """
    if name not in EXPERIMENTS:
        if name.lower() in _EVERY:
            raise UsageError("unknown experiment {!r}; to run all of them: {}", name, "quchong lab run --all")
        near = [one for one in EXPERIMENTS if len(name) > 2 and name.lower() in one]
        guess = Message("; did you mean {}?", join_messages(near[:3], OR)) if near else meant(name, EXPERIMENTS)
        guess = guess or Message(": use {}; {} explains them", join_names(EXPERIMENTS), "quchong lab list")
        raise UsageError("unknown experiment {!r}{}", name, guess)
    module, _, constant = EXPERIMENTS[name].partition(":")
    found: Experiment = getattr(importlib.import_module(module), constant)
    return found
