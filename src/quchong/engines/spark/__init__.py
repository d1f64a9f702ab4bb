"""The Spark engine: the same answers from a cluster."""
