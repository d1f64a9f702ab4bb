"""Covers: explanations as text (`quchong.report.explanation`)."""

import random

import quchong as qc

HAN = [chr(0x4E00 + i) for i in range(100, 3000)]


def drawn(n, seed):
    return "".join(random.Random(seed).sample(HAN, n))


def test_an_excerpt_deep_in_a_long_text_is_shown_with_its_surroundings():
    long = drawn(2500, 5)
    result = qc.dedup([{"id": "long", "text": long}, {"id": "part", "text": long[2000:2100]}])
    shown = str(result.explain("part"))
    assert "characters before" in shown
    assert f"⟦{long[2000:2100]}⟧" in shown.split("(kept)")[1]
