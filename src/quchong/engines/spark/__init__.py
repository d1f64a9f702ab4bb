"""The Spark engine: gives the answers of the local engine, as stages over DataFrames."""
