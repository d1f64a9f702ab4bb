"""Results of runs: written as a run folder, opened again, explained, and cut out of texts."""
