"""Spark engine: the same results as the local engine, computed in stages over DataFrames."""
