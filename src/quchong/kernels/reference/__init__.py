"""The specification of every kernel, in plain Python: slow, obvious, and held equal by property tests."""
