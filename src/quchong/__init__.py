"""Finds, explains and removes copies in a pile of text."""
