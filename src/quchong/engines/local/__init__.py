"""The local engine: one machine, documents in memory or, beyond its limit, in mapped files."""
