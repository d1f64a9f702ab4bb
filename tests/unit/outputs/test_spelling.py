"""Covers: outputs/spelling: names of files as text, and back."""

import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.errors import InputError
from quchong.outputs import read_path, spell_names, spell_path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names are text there")

PIECES = [
    b"a",
    b"\\",
    b"\\x",
    b"\\xe9",
    b"\xe9",
    b"\\x5c",
    b"\n",
    b"\r",
    b"\\n",
    b"\\r",
    "é网".encode(),
    b"\xed\xa0\x80",
    b"\xff\xfe",
    b" ",
]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map(b"".join) | st.binary(min_size=1, max_size=20))
def test_every_name_comes_back_and_can_be_written(raw):
    name = os.fsdecode(raw.replace(b"\0", b"0"))
    spelling = spell_path(name)
    spelling.encode()
    assert "\n" not in spelling
    assert "\r" not in spelling
    assert read_path(spelling) == name


@pytest.mark.parametrize(
    "name", ["a.txt", "网页/é.jsonl", "a\\b", "C:\\x", "\\", "a\\xz", "back\\slash\\xEG", "\u2028", "\\N"]
)
def test_names_that_can_be_written_stay_as_they_are(name):
    assert spell_path(name) == name
    assert read_path(name) == name


@pytest.mark.parametrize(
    ("raw", "spelling"),
    [
        (b"caf\xe9.txt", r"caf\xe9.txt"),
        (rb"caf\xe9.txt", r"caf\x5cxe9.txt"),
        (b"a\nb", r"a\nb"),
        (rb"a\nb", r"a\x5cnb"),
        ("网".encode() + b"\xff", r"网\xff"),
    ],
)
def test_spellings(raw, spelling):
    assert spell_path(os.fsdecode(raw)) == spelling
    assert os.fsencode(read_path(spelling)) == raw


def test_values_of_json_are_spelt_where_they_must_be():
    value = {"a\udce9": ["b\udce9", 1, None, {"c": "\ud800"}], "d": ("\\xe9",), "é": "é"}
    assert spell_names(value) == {r"a\xe9": [r"b\xe9", 1, None, {"c": r"\ud800"}], "d": ["\\xe9"], "é": "é"}


def test_an_error_can_be_printed_whatever_name_is_in_it():
    text = str(InputError("{}: {!r} and {}", "caf\udce9", "x", "half \ud800"))
    assert text == r"caf\xe9: 'x' and half \ud800"
