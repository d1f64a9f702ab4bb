"""Chains of copies within groups of near-copies: the first publisher, the order, and the likeliest source of each copy."""

import sys

from quchong.chains.links import worth_reading
from quchong.chains.publication_times import times_by_links
from quchong.chains.table import Members, chain_table
from quchong.parameters.other_calls import NoFunction

__all__ = ["Members", "chain_table", "times_by_links", "worth_reading"]

sys.modules[__name__].__class__ = NoFunction
