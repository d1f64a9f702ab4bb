"""The local way through: plan, catalogue of methods, the engine, and the run folder."""
