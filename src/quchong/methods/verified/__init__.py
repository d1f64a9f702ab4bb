"""The project's own methods: candidates by keys, every pair held to its texts."""
