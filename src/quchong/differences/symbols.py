"""Symbols at an edit (operators, grades, check marks, stars, pictures), and whether they contradict each other."""

from __future__ import annotations

import re
import unicodedata

from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

WRITTEN = "+-*/^=<>!|&#"
"""ASCII marks that are symbols where the normal form has them as tokens (cpp/text/symbols.hpp)."""
_OPERATORS = "+-*/=<>!^|&#±×÷≥≤≠≈∓"
_BEFORE_FIGURES = "<>≥≤≠≈±×÷*/"
"""Operators that change what the figure behind them says: ≥5 is not 5."""
_SAME = {
    "*": "×", "✕": "×", "✖": "✗", "/": "÷", "∕": "÷", ">=": "≥", "≧": "≥", "⩾": "≥", "<=": "≤", "≦": "≤", "⩽": "≤", "!=": "≠", "==": "=",
    "\u2212": "-", "->": "→", "=>": "→", "➔": "→", "➜": "→", "⇒": "→", "✔": "✓", "✅": "✓", "☑": "✓", "✘": "✗",
    "❌": "✗", "❎": "✗", "☒": "✗",
    "⭐": "★", "\U0001f31f": "★", "♥": "❤",
}  # fmt: skip
"""Spellings of one symbol."""
_SPELLINGS = lazy_pattern("|".join(sorted(map(re.escape, _SAME), key=len, reverse=True)))
_BRACKETS = "([{（【［｛", ")]}）】］｝"
_CHECKS = "✓✗☐"
SHORT = 16
"""Most characters of a stretch with words whose symbols are compared; in a longer one, other words say something else."""


def is_symbol(character: str) -> bool:
    """Return True if a character may be a symbol in the normal form."""
    return character in WRITTEN or unicodedata.category(character) in ("Sm", "So")


def symbols_of(text: str) -> str:
    """Return the symbols of a text in one notation (>= as ≥), each emoji once; words are left out."""
    spelt = _SPELLINGS.sub(lambda m: _SAME[m.group()], "".join(c for c in text if is_symbol(c) or c == "\u2212"))
    return "".join(c for k, c in enumerate(spelt) if not (_is_picture(c) and c == spelt[k - 1 : k]))


def _is_picture(character: str) -> bool:
    return character > "\u2600" and not _is_star(character)


def _is_star(character: str) -> bool:
    """Return True for stars and shapes, whose number counts: ★★★★★ is not ★★★."""
    return character in ("★", "☆") or "\u25a0" <= character <= "\u25ff"


def contrary_symbols(left: Window, right: Window) -> bool | None:
    """Return True if the symbols of two sides contradict each other, False if they only differ, None if the edit has no symbols.

    Both sides contradict where each has a symbol and it is another one. A symbol that only one side has is a fact where it belongs to a
    word, a figure or brackets: AA+ and AA, ≥5 and 5, (+) and (); a picture or a check mark beside the text is not.
    """
    if left.stretch == right.stretch:
        return None
    # An empty circle is the character 〇 in the dictionaries' form.
    one, other = (w.stretch.replace("〇", "○") for w in (left, right))
    mine, theirs = symbols_of(one), symbols_of(other)
    words = any(c.isalnum() for c in one + other)
    # Among replaced words: symbols of both sides contradict if the stretch is short; else the words tell what differs.
    if words:
        short = max(len(one), len(other)) <= SHORT
        both = bool(set(mine) & set(_OPERATORS) and set(theirs) & set(_OPERATORS)) and mine != theirs
        return True if short and (both or _moved_check(one, other)) else None
    if not mine and not theirs:
        return None
    if mine == theirs:
        return False
    if mine and theirs:
        return True
    # One side has a symbol: what stands beside it decides.
    says, lacks = (left, right) if mine else (right, left)
    some = mine or theirs
    return _is_attached(says, some) or _is_elsewhere(says, lacks, some) or _is_lone_star(lacks, some)


def another_formula(left: Window, right: Window) -> bool:
    """Return True if both sides have the same letters and other digits or signs, as CO and CO₂, Fe²⁺ and Fe³⁺."""
    letters = ["".join(c for c in w.stretch if c.isalpha()) for w in (left, right)]
    return letters[0] == letters[1] and left.stretch != right.stretch


_ELEMENTS = frozenset(
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Ti Cr Mn Fe Ni Cu Zn As Br Ag Sn I Ba Au Hg Pb U".split()
)
_FORMULA = lazy_pattern(r"(?:[A-Z][a-z]?\d*){2,6}")
_ATOM = lazy_pattern("[A-Z][a-z]?")


def are_formulas(one: str, other: str) -> bool:
    """Return True if two words are formulas of the same elements, as written with digits in the line: CO and CO2, H2O and H2O2.

    >>> are_formulas("CO2", "CO"), are_formulas("BBC1", "BBC")
    (True, False)
    """
    if one == other or not (_FORMULA.fullmatch(one) and _FORMULA.fullmatch(other)):
        return False
    atoms = _ATOM.findall(one)
    return atoms == _ATOM.findall(other) and _ELEMENTS.issuperset(atoms) and len(set(atoms)) == len(atoms)


def _is_attached(window: Window, symbols: str) -> bool:
    """Return True if symbols that one side lacks are part of a word, a figure, a rating or brackets beside them."""
    text, start, end = window.text, window.start, window.end
    before, behind = text[start - 1 : start], text[end : end + 1]
    if _is_star(symbols[0]) and (_is_star(symbols_of(before)[-1:]) or _is_star(symbols_of(behind)[:1])):
        return True
    if before in _BRACKETS[0] and behind in _BRACKETS[1] and before and behind:
        return True
    return symbols[0] in _OPERATORS and _is_operand(text[:start], symbols, text[end:])


def _is_operand(before: str, symbols: str, behind: str) -> bool:
    """Return True if an operator belongs to the word before it or to the figure behind it."""
    last, following = before[-1:], behind[:1]
    # A grade or the end of a name: A+, C++, C#, AA-.
    if symbols[0] in "+-#*×" and last.isalnum() and not (following.isascii() and following.isalnum()):
        return last.isascii() or (symbols[0] in "+-" and not following.isalnum())
    if symbols[-1] in "!≠" and following == "=":
        return True
    # A comparison before a figure, an operator between two.
    figure = behind.lstrip(" +-$¥￥")[:1].isdigit()
    if symbols[-1] in "×÷*/":
        return figure and before.rstrip()[-1:].isdigit()
    return figure and symbols[-1] in _BEFORE_FIGURES


def _is_lone_star(other: Window, symbols: str) -> bool:
    """Return True if several stars stand on one side and a single one, no symbol by itself, beside the edit on the other: ★★★, ★."""
    beside = other.text[max(0, other.start - 2) : other.end + 2]
    return len(symbols) > 1 and _is_star(symbols[0]) and any(map(_is_star, beside))


def _moved_check(one: str, other: str) -> bool:
    """Return True if both sides have the same words, and a check mark stands at another of them: ☑是, 是☑."""
    same = sorted(c for c in one if c.isalnum()) == sorted(c for c in other if c.isalnum())
    return same and bool(set(symbols_of(one)) & set(_CHECKS))


def _is_elsewhere(says: Window, other: Window, symbols: str) -> bool:
    """Return True if the check mark of one side is at another position on the other: ☑是□否, □是☑否."""
    around = symbols_of(other.with_margin(8).text)
    return symbols[0] in _CHECKS and symbols[0] in around and symbols[0] not in symbols_of(says.text[: says.start])
