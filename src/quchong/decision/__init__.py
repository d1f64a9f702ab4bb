"""Decisions about pairs and documents that every engine makes in the same way."""
