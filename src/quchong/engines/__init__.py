"""Engines carry out a plan. All give the same answers."""
