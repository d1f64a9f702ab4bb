"""Properties of characters, as the tables of the text kernels have them: read from the maker of these tables."""

from __future__ import annotations

import importlib.util
from pathlib import Path

_SPEC = importlib.util.spec_from_file_location("unicode_tables", Path(__file__).parents[2] / "tools/unicode_tables.py")
assert _SPEC is not None and _SPEC.loader is not None
_MAKER = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MAKER)

SIGNS = "-\u2212+\xb1%\u2030\u2031\xb0$\xa2\xa3\xa4\xa5\u0e3f" + "".join(map(chr, range(0x20A0, 0x20C1)))
"""Marks that may belong to a figure."""


def is_letter(c: str) -> bool:
    """A letter, a digit, or a combining mark that is a letter of its script."""
    return len(c) == 1 and bool(_MAKER.is_letter(c))


def is_single(c: str) -> bool:
    """Is this character, of a script written without spaces, a token of its own?"""
    return len(c) == 1 and bool(_MAKER.is_single(c))


def is_symbol(c: str) -> bool:
    """May this character carry meaning without being a letter or digit?"""
    return bool(_MAKER.is_symbol(c)) and not is_letter(c)


def mapped(c: str) -> str:
    """NFKC, lower case, and forms of one letter made one; nothing for optional marks. The Chinese comma stays itself."""
    return str(_MAKER.mapped(c))
