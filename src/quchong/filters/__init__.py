"""Filters of exact repeats in a stream of texts, and their state files."""

from quchong.filters.bloom import Bloom, PrintedBloom
from quchong.filters.confirmed import Confirmed
from quchong.filters.digit_trie import DigestSet, DigitTrie
from quchong.filters.first_seen import FirstSeenFilter
from quchong.filters.state_file import State, read_state

__all__ = ["Bloom", "Confirmed", "DigestSet", "DigitTrie", "FirstSeenFilter", "PrintedBloom", "State", "read_state"]
