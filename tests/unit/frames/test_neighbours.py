"""Covers: quchong.frames.neighbours: values that many fillers of a slot have are told from slips."""

from __future__ import annotations

import numpy as np

from quchong.frames.neighbours import usual_exchanges, usual_neighbours
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums

WORDS: dict[str, int] = {}


def ragged(fillers: list[str]) -> Ragged:
    tokens = [[WORDS.setdefault(word, len(WORDS) + 1) for word in filler.split()] for filler in fillers]
    return Ragged(np.array([t for one in tokens for t in one], np.uint32), prefix_sums([len(one) for one in tokens]))


def exchanged(listed: list[str], one: str, other: str, slot: int = 0) -> bool:
    tokens = ragged([*listed, one, other])
    every = np.arange(len(listed) + 2)
    usual = usual_neighbours(tokens, every, np.zeros(len(every), np.int64))
    at = np.array([len(listed)])
    return bool(usual_exchanges(tokens, at, at + 1, np.array([slot]), usual)[0])


GOODS = [f"{stuff} {thing}" for stuff in ("oak", "steel", "glass") for thing in ("lamp", "candle")]


def test_a_value_that_other_fillers_end_with_is_no_slip():
    assert exchanged(GOODS, "linen lamp", "linen candle")
    assert exchanged(GOODS, "oak kettle", "steel kettle")


def test_a_word_that_no_other_filler_has_is_a_slip():
    assert not exchanged(GOODS, "linen lamp", "linen lanp")
    assert not exchanged(GOODS, "oak lamp", "oka lamp")
    assert not exchanged(["oak lamp"], "linen lamp", "linen candle")  # too few to tell


def test_an_addition_is_told_by_its_neighbours():
    links = [f"{a} {link} {b}" for a in "abc" for b in "xyz" for link in ("and", "of the")]
    assert exchanged(links, "a and w", "a of the w")
    assert not exchanged(links, "a and w", "a with some w")


def test_neighbours_are_of_one_slot():
    assert not exchanged(GOODS, "linen lamp", "linen candle", slot=1)


def test_nothing_is_usual_among_no_fillers():
    nothing = np.zeros(0, np.int64)
    tokens = ragged([])
    assert not len(usual_neighbours(tokens, nothing, nothing))
    assert not len(usual_exchanges(tokens, nothing, nothing, nothing, np.zeros(0, np.uint64)))
