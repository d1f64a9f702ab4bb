"""Streams of records through a filter of exact repeats."""
