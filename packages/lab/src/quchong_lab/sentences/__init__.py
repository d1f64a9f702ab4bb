"""Feng 2015a: long sentences, methods on sentences, and equal passages of sentences."""
