"""Covers: thresholds depending on length and script (`quchong.similarity.thresholds`)."""

import random

import numpy as np
import pytest

import quchong as qc
from quchong.similarity import PRESETS

HAN = [chr(0x4E00 + i) for i in range(100, 3000)]


def drawn(n, seed):
    return "".join(random.Random(seed).sample(HAN, n))


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_threshold_given_holds_for_every_length_and_script(preset):
    for given in (0.2, 0.5, 0.9):
        held = PRESETS[preset].at(given)
        n = np.arange(1, 400)
        for han in (True, False):
            assert (held.jaccard_for(n, np.full(len(n), han)) == given).all()
    a = drawn(50, 1)
    b = a[:25] + drawn(10, 2) + a[35:]
    assert qc.dedup([{"id": "a", "text": a}, {"id": "b", "text": b}], threshold=0.9).counts["removed"] == 0
