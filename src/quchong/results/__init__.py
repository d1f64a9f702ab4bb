"""Results: written as a run folder, opened again, explained, cut out of texts."""
