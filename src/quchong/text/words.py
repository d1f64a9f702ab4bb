"""Segmentation of Chinese into words by a dictionary (分词).

The words are those of rjieba (jieba-rs, a Rust port of jieba, with its dictionary in the package), looked up without the hidden Markov
model, which guesses words unknown to the dictionary and takes twice the time; the characters of such words are words of their own.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from quchong.kernels.text import Tokenised, TokenNames

if TYPE_CHECKING:
    from numpy.typing import NDArray

PIECE = 1 << 20
"""Characters segmented at once, because the words of a batch are held as Python strings."""
_CHARACTERS = 0x30000  # tokens below are single characters


@cache
def _cutter() -> Any:
    """Return the word cutter with rjieba's dictionary, loaded on first use (0.1 s).

    The package makes a cutter of its own when it is imported, to which any part of the program may add words. So its compiled module is
    loaded alone: one dictionary is loaded in place of two, and nobody else changes it.
    """
    name = "rjieba.rjieba"
    if (module := sys.modules.get(name)) is None:
        package = find_spec("rjieba")
        spec = PathFinder.find_spec(name, package.submodule_search_locations) if package else None
        if spec is None or spec.loader is None:
            raise ModuleNotFoundError("rjieba is not installed, or its compiled module is missing", name=name)
        module = module_from_spec(spec)
        sys.modules[name] = module  # where `import rjieba` looks for it
        spec.loader.exec_module(module)
    return module.Jieba()


def word_starts(found: TokenNames | Tokenised) -> NDArray[np.bool_]:
    """Return a mask of the tokens that begin a word; a token of several characters is a word by itself.

    Args:
        found: tokens of texts with their places (`quchong.kernels.text.tokenise`).

    Words are cut from the tokens themselves, so texts of equal normal form, traditional and simplified ones among them, are
    cut alike. Anything between two tokens (a mark, a space, the end of a text) ends a word. Deterministic. Cost: 0.3 s a
    million characters on one thread.
    """
    tokens, offsets = found.docs.tokens, found.docs.offsets
    n = len(tokens)
    if n == 0:
        return np.zeros(0, bool)
    first = np.ones(n, bool)
    first[1:] = found.start[1:] != found.end[:-1]
    first[offsets[:-1][offsets[:-1] < n]] = True
    single = tokens < _CHARACTERS
    out = first | ~single
    out[1:] |= ~single[:-1]
    # A line break before every token that must begin a word, so that the cutter cannot go over it.
    line = np.full(2 * n, ord("\n"), "<u4")
    line[1::2] = np.where(single, tokens, ord("\n"))
    kept = np.ones(2 * n, bool)
    kept[::2] = out
    kept[1::2] = single
    place = np.cumsum(kept)[1::2] - 1  # of each token in the line, where it is a character
    line = line[kept]
    begins = np.zeros(len(line), bool)
    cuts = [0, *_breaks(line), len(line)]
    for a, b in pairwise(cuts):
        words = _cutter().cut(line[a:b].tobytes().decode("utf-32-le"), False)
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        if int(lengths.sum()) != b - a:
            raise RuntimeError("rjieba left characters out: it does not suit this version of quchong")
        begins[a + np.cumsum(lengths) - lengths] = True
    out[single] |= begins[place[single]]
    return out


def tagged(text: str) -> list[tuple[str, str]]:
    """Return the words of a text with their parts of speech from rjieba; unknown words are guessed, and nothing is left out.

    Cost: 0.35 s a million characters on one thread.
    """
    found: list[tuple[str, str]] = _cutter().tag(text)
    return found


def is_known_word(word: str) -> bool:
    """Return True if the dictionary contains the word."""
    return bool(_cutter().has_word(word))


def _breaks(line: np.ndarray) -> list[int]:
    """Return offsets of line breaks about every PIECE characters."""
    at = np.flatnonzero(line == ord("\n"))
    if not len(at):
        return []
    wanted = np.searchsorted(at, np.arange(PIECE, len(line), PIECE))
    return sorted({int(at[k]) for k in wanted if k < len(at)} - {0})
