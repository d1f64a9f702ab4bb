"""Covers: the keys of one document, made over plain values, are those that it has among others.

Compared against: the same documents in one batch.
"""

import numpy as np
import pyarrow as pa
import pytest

from quchong.features.anchors import Anchors
from quchong.text import form

HAN = "".join(chr(0x4E00 + (k * k) % 997) for k in range(900))
TEXTS = {
    "nothing": "", "few characters": HAN[:3], "five characters": HAN[:5], "a short text": HAN[:60], "a long text": HAN[:500],
    "words": " ".join(f"word{k}" for k in range(90)), "many words": " ".join(f"word{k}" for k in range(401)), "four words": "a b c d",
    "repeating itself": "哈哈哈" * 100, "both": HAN[:40] + " ".join(f"word{k}" for k in range(41)),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_one_document_has_the_keys_that_it_has_among_others(name):
    anchors, place = Anchors(), [*TEXTS].index(name)
    every = anchors.keys(anchors.features(form(), pa.array([*TEXTS.values()], pa.large_string())))
    alone = anchors.keys(anchors.features(form(), pa.array([TEXTS[name]], pa.large_string())))
    assert alone.size.dtype == every.size.dtype
    assert alone.window.dtype == every.window.dtype
    assert (alone.size[0], alone.window[0]) == (every.size[place], every.window[place])
    own = every.values[every.offsets[place] : every.offsets[place + 1]]
    assert np.array_equal(alone.values, own)
