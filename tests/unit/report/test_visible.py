"""Covers: foreign text rendered for a terminal. Run: pytest tests/unit/report/test_visible.py."""

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.report.visible import NOTHING, UNSAFE, Shown, compose, json_shown, message, shown_name, visible

PREPENDED = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Format characters that are seen: they stand around digits."""


def test_no_control_or_format_character_gets_through():
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if sign in "\n\t" or sign in PREPENDED:
            continue
        if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            assert sign not in visible(f"a{sign}b"), hex(code)
        if unicodedata.category(sign)[0] in "LNPS" and sign not in "\u115f\u1160\u3164\uffa0":
            assert visible(f"a{sign}b") == f"a{sign}b", hex(code)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("12\r3", "12\\r3"),
        ("one\r\ntwo\tthree", "one\ntwo\tthree"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202etxt.exe", "⟨U+202E⟩txt.exe"),
        ("\udc80", "\\x80"),
        ("👩\u200d👧 ❤\ufe0f", "👩\u200d👧 ❤\ufe0f"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("a\U000e0101\U000e0102", "a\U000e0101⟨U+E0102⟩"),
        ("", ""),
    ],
)
def test_what_is_unseen_is_shown_as_what_it_is(text, shown):
    assert visible(text) == shown


def test_a_name_is_one_short_line_that_tells_itself_from_others():
    assert shown_name("a\nb\tc\r\nd") == "a\\nb\\tc\\r\\nd"
    long = "x" * 1_000_000
    assert len(shown_name(long)) < 200 and "1,000,000 characters, digest " in shown_name(long)
    assert shown_name(long) != shown_name(long[:-1] + "y")
    assert shown_name("甲" * 200) == "甲" * 200


def test_an_empty_name_is_shown():
    assert shown_name("") == '""' and compose("{} and {:<4}|", "", "") == '"" and ""  |'
    assert compose("{}|", NOTHING) == "|"


def test_the_remedy_of_a_long_error_is_kept():
    shown = message("no document has the id " + "x" * 1_000_000 + ": check --id-key")
    assert len(shown) < 2200 and shown.endswith(": check --id-key") and shown.startswith("no document")


def test_values_are_rendered_by_their_type(tmp_path):
    line = compose("{}: {:,} of {:<4}| {} {}", "\x1b[2J", 1234, "a", tmp_path / "b\n", Shown("\x1b[1m"))
    assert line == f"\\x1b[2J: 1,234 of a   | {tmp_path}/b\\n \x1b[1m"
    assert isinstance(line, Shown)


@given(st.text())
def test_rendered_json_reads_back_as_the_same_value(text):
    shown = json_shown(json.dumps({text: text}, ensure_ascii=False))
    assert json.loads(shown) == {text: text}
    assert not UNSAFE.search(shown)


@given(st.text(alphabet=st.characters(), max_size=50))
def test_nothing_unsafe_is_left(text):
    assert not UNSAFE.search(visible(text)) and not UNSAFE.search(shown_name(text)) and not UNSAFE.search(message(text))
