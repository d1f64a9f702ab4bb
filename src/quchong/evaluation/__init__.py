"""How good is a run, by labels that people or a data set give: `evaluate` a run, `tune` a threshold."""
