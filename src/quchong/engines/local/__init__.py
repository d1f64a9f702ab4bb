"""The local engine: one machine, documents in memory."""
