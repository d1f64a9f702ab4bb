"""Forgets what is made of the bits of word hashes, so that tests that set other bits leave nothing to the tests after them."""

from quchong.methods.verified import hybrid
from quchong.text import normalise


def forget_tables():
    """Forget the tables of texts, the forms that have them, and the steps of the default method that have these."""
    for made in (normalise.tables, normalise.code_tables, normalise.form, hybrid._checks, hybrid._rule):
        made.cache_clear()
