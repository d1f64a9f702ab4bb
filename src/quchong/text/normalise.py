"""Normal forms of text, and the tables behind them."""

from __future__ import annotations

import copyreg
from functools import cache, lru_cache

import numpy as np

from quchong.errors import UsageError
from quchong.kernels.text import HASH_BITS, Form, TextTables, text_tables
from quchong.text.opencc import OPENCC_VERSION, folds, phrases

NORMALISER_VERSION = f"4; Unicode 14.0; {OPENCC_VERSION}"
"""Part of every config hash: two runs with another normaliser are not the same run."""

NUMBER_WORDS = frozenset(
    [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
        "hundred",
        "thousand",
        "million",
        "billion",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ]
)
"""Latin words used in place of figures; the number guard reads them as numbers."""


def _flat(table: dict[str, str]) -> np.ndarray:
    written = "".join(f"{chr(len(source))}{chr(len(to))}{source}{to}" for source, to in table.items())
    return np.frombuffer(written.encode("utf-32-le"), "<u4").astype(np.uint32)


@cache
def code_tables() -> TextTables:
    """Return the lookup tables of the text kernels for source code, built once per process."""
    none = np.zeros(0, np.uint32)
    return text_tables(none, none, none, none, HASH_BITS, code=True)


@cache
def tables(*, symbols: bool = True) -> TextTables:
    """Return the lookup tables of the text kernels, built once per process; without `symbols` only letters and digits are tokens."""
    pairs = np.array([ord(c) for pair in folds().items() for c in pair], np.uint32)
    step1, step2 = phrases()
    words = np.array([n for w in sorted(NUMBER_WORDS) for n in (len(w), *map(ord, w))], np.uint32)
    return text_tables(pairs, _flat(step1), _flat(step2), words, HASH_BITS, symbols=symbols)


@lru_cache(16)
def form(normalise: str = "standard", tokens: str = "auto") -> Form:
    """Return the form in which texts become tokens, by normaliser and kind of tokens.

    Args:
        normalise: "standard" drops URLs and HTML entities (where 10 tokens or more remain beside them), applies NFKC and lower case,
            makes traditional characters simplified (with regional phrases where the text is traditional), and writes Chinese numerals as
            digits; "plain" is NFKC and lower case only. Marks do not count in either, except signs that belong to a figure: sign,
            percent, degrees, currency (docs/decisions/0170).
        tokens: "auto" takes a character of a script without spaces, or a run of other letters and digits, as a token;
            "char" every letter and digit; "code" an identifier or number of source code, or one of its marks: white space does not
            count, the case of ASCII letters does, and the normaliser is always plain.

    Raises:
        UsageError: another name.
    """
    if normalise not in ("standard", "plain"):
        raise UsageError("unknown normaliser {!r}: use standard or plain", normalise)
    if tokens == "code":
        return Form(code_tables(), full=False)
    if tokens not in ("auto", "char"):
        raise UsageError("unknown tokens {!r}: use auto, char or code", tokens)
    return Form(tables(), full=normalise == "standard", characters=tokens == "char")


def form_names(one: Form) -> tuple[str, str] | None:
    """Return the names of normaliser and tokens from which `form` builds this form; None if its tables are not this version's."""
    if one.tables is code_tables():
        return "plain", "code"
    if one.tables is not tables():
        return None
    return "standard" if one.full else "plain", "char" if one.characters else "auto"


def _pickled(one: Form) -> tuple[type, tuple[str, str]]:
    """Return the arguments from which `pickle` rebuilds a form; its tables are made again."""
    if (names := form_names(one)) is None:
        raise TypeError("a form with other tables than those of this version cannot be pickled")
    return form, names  # type: ignore[return-value]


copyreg.pickle(Form, _pickled)
