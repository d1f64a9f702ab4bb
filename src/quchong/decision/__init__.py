"""Decisions that every engine makes in the same way."""
