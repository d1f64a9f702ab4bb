"""Code that defines other names: two classes made after one pattern are siblings, and a vendored copy defines the same names.

In a family of many files the slots of its template tell siblings apart. Of two there is nothing to count: what they define tells.
A module of nothing but imports defines what it imports (docs/decisions/0293).
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.sorting import among, distinct
from quchong.kernels.text import TextTables, word_hash
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

SAME = 0.5
"""Share of the names that a text defines which the other text defines too, at or above which the two are versions of one."""
BEFORE = 3
"""Tokens from the word that defines to the part of the name that differs: a name may be several tokens."""
_LAST = np.uint32(0xFFFF)
"""Mask of the low bits of a token; a table of these bits rules out most tokens that are not in a list."""
_WORDS = ("class", "def", "func", "function", "fn", "interface", "struct", "enum", "trait")
_IMPORTS = "import"
_DEFINED = lazy_pattern(
    r"\n(?:(?:export|default|public|abstract|final|pub|async|static|data|sealed)[ \t]+)*"
    rf"(?:{'|'.join(_WORDS)})[ \t]+([A-Za-z_$][\w$]*)(?=[ \t]*[:({{<\[]|[ \t]+(?:extends|implements|struct)\b)"
)

_SAID_BESIDE = lazy_pattern(r"\"{3}.*?\"{3}|'{3}.*?'{3}|#.*?$", re.M | re.S)
"""Docstrings and comments."""
_LIST = r"[\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*"
_IMPORTED = lazy_pattern(
    rf"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(?:\(([\w., \t\n]*)\)|({_LIST}))[ \t]*$", re.M
)


_BEGINS = ("#", '"', "'", "f", "i")
"""First characters of such a module: of a comment, a docstring, `from` or `import`."""


def imported_names(code: str) -> frozenset[str]:
    r"""Return the names that a Python module imports which does nothing else, without those of packages around them; else none.

    Example:
        >>> sorted(imported_names("# Copyright\nfrom .comments import Comment, Note as N\n"))
        ['Comment', 'Note', 'comments']
        >>> imported_names("import os\nprint(os.getcwd())\n")
        frozenset()
    """
    if not code.lstrip().startswith(_BEGINS):
        return frozenset()  # nearly always, and nothing need be taken out
    said = _SAID_BESIDE.sub("", code)
    if _IMPORTED.sub("", said).strip():
        return frozenset()
    names: list[str] = []
    for module, several, listed in _IMPORTED.findall(said):
        names += [module, *(one.split(" as ")[0] for one in (several or listed).split(","))]
    return frozenset(name.strip().rpartition(".")[2] for name in names) - {""}


def defined_names(code: str) -> frozenset[str]:
    r"""Return the names of the classes and functions that a text defines at the beginning of a line.

    Example:
        >>> sorted(defined_names("class Lamp(Thing):\n    def glow(self): ...\n\ndef make(): ...\n"))
        ['Lamp', 'make']
    """
    # A line break before the text: looking for one is several times as fast as for any beginning of a line.
    return frozenset(_DEFINED.findall(f"\n{code}"))


@cache
def _defining(tables: TextTables) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens of words that define or import (uint32, ascending), and the OR of their low bits, a quick test."""
    tokens = np.array(sorted(word_hash(tables, word) | int(WORD_TOKEN) for word in (*_WORDS, _IMPORTS)), np.uint32)
    likely = np.zeros(int(_LAST) + 1, bool)
    likely[tokens & _LAST] = True
    return tokens, likely


def other_definitions(
    documents: Documents, hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, noise: np.ndarray,
    tables: TextTables,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits that rename what a text defines, in pairs of which one text defines hardly a name of the other.

    Two modules of nothing but imports are asked for what they import.

    Args:
        documents: both texts of each pair.
        hashed: their tokens as hashes of their letters.
        left, right: int64, documents of each pair.
        edits: edits of the pairs.
        noise: mask of the edits that are slips and other noise.
        tables: tables of the normal form.

    Cost: a look at the tokens of the edits; the texts of pairs with an edit at such a word are read.
    """
    marks, likely = _defining(tables)
    out: np.ndarray = (edits.a > 0) & (edits.b > 0)
    out &= noise == 0
    some = out.nonzero()[0]
    if not len(some):
        return out
    # Words that define stand in the edit of one side, or closely before it.
    pair = edits.pair[some]
    named = np.zeros(len(some), bool)
    for document, k in ((left, 0), (right, 2)):
        start = hashed.offsets[document[pair]]
        first = np.maximum(start + edits.places[some, k] - BEFORE, start)
        lengths = start + edits.places[some, k + 1] - first
        beside = hashed.tokens[places_of(first, lengths)]
        # A table of their last bits tells most tokens apart from the few marks.
        maybe = likely[beside & _LAST].nonzero()[0]
        if not len(maybe):
            continue
        maybe = maybe[among(beside[maybe], marks)]
        named[np.searchsorted(lengths.cumsum(), maybe, "right")] = True
    out[:] = False
    if not np.count_nonzero(named):
        return out
    out[some[named]] = True
    asked = distinct(edits.pair[some[named]])
    lengths, found = hashed.lengths, _Names(documents)
    apart = [
        pair
        for pair in asked.tolist()
        if found.are_renamed(*sorted((int(left[pair]), int(right[pair])), key=lambda document: int(lengths[document])))
    ]
    out &= among(edits.pair, np.array(apart, edits.pair.dtype))
    return out


class _Names:
    """Names that documents define, and those that they import; each document is read once."""

    def __init__(self, documents: Documents) -> None:
        self._texts = documents.texts
        self._found: tuple[dict[int, frozenset[str]], dict[int, frozenset[str]]] = {}, {}

    def are_renamed(self, shorter: int, longer: int) -> bool:
        """Return True if the longer text has hardly any name that the shorter one defines, or, if neither defines any, that it imports."""
        for kind in range(2):
            mine, theirs = (self._names(document, kind) for document in (shorter, longer))
            if mine or theirs:
                return bool(mine and theirs) and len(mine & theirs) < SAME * len(mine)
        return False

    def _names(self, document: int, kind: int) -> frozenset[str]:
        found = self._found[kind]
        if document not in found:
            text = self._texts.text(document)
            found[document] = imported_names(text) if kind else defined_names(text)
        return found[document]
