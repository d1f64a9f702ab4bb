"""Wei 2013, figure 10: one machine against Spark, measured runs, and a model of larger ones."""
