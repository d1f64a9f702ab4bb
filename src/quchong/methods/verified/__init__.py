"""Methods of this project: candidates by keys, every pair verified on its texts."""
