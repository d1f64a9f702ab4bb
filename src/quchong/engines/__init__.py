"""Engines: each carries out a plan, and all give the same answers."""
