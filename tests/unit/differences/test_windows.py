"""Covers: windows in plain form. Compared against: `plain` of what stands before, in and behind the stretch."""

import random

import pytest

from quchong.differences.windows import Window, dictionary_forms, normal_characters, windows

USUAL = "中国說话的，。！（）「」ＡＢｃ１２abcXYZ 0189.,-–—“”\n　"
OTHER = "é…ﬁ①㌔が゙한é\x00𝐀Ⅷ"


ASCII = "".join(map(chr, range(128)))


@pytest.mark.parametrize(
    ("usual", "other"), [(USUAL, OTHER), (ASCII[32:127] + "\n", ASCII[:32] + "\x7f"), (ASCII[32:127], "中é\x00\x01")]
)
def test_every_window_is_what_plain_makes_of_its_three_parts(usual, other):
    rng = random.Random(5)
    texts = ["".join(rng.choices(usual + other * (k % 3 == 1), k=rng.randint(0, 30))) for k in range(400)] + [""]
    which = [rng.randrange(len(texts)) for _ in range(900)]
    places = [sorted(rng.choices(range(len(texts[k]) + 1), k=2)) for k in which]
    found = windows(texts, which, [a for a, _ in places], [b for _, b in places])
    for k, (a, b), window in zip(which, places, found, strict=True):
        before, stretch, after = dictionary_forms([texts[k][:a], texts[k][a:b], texts[k][b:]])
        assert window == Window(before + stretch + after, len(before), len(before) + len(stretch)), texts[k]


def test_ascii_is_only_put_into_small_letters():
    """Its forms are made without the tables; beside another character each is looked up."""
    characters = list(ASCII[1:])
    assert dictionary_forms(characters) == dictionary_forms([*characters, "中"])[:-1]


def test_no_texts_have_no_windows():
    assert windows([], [], [], []) == []


def test_chinese_characters_are_only_simplified():
    """Their forms come from the table of simplified characters; here each is normalised."""
    characters = [chr(c) for c in range(0x3400, 0xA000)]
    table = normal_characters()
    assert [chr(table[ord(c)]) for c in characters] == dictionary_forms(characters)
