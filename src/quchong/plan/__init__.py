"""Requests for a run: sources, parameters, method and plan."""
