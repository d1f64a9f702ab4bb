"""Gao 2014: filters of exact repeats and SimHash over posts of any number."""
