"""Evaluation of runs by labels from people or a data set: `evaluate` a run, `tune` a threshold."""
