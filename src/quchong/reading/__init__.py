"""Reads sources as documents, with web pages turned into texts."""
