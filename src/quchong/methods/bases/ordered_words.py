"""Construction of words from texts, for methods on words in order."""

from __future__ import annotations

from dataclasses import replace

from quchong.features.sentences import SentenceTerms
from quchong.methods.bases import frequencies
from quchong.parameters import TOKENS
from quchong.text import form
from quchong.text.words import word_starts

WORDS = replace(
    TOKENS,
    help='terms of a text. "word": words, Chinese ones by a dictionary; "auto": Chinese characters, and words of '
    'other scripts; "char": characters; "code": identifiers and signs of source code.',
    choices=("word", "auto", "char", "code"),
)
"""The parameter `tokens` of methods on words."""


def word_terms(normalise: str, tokens: str, stop_words: str) -> SentenceTerms:
    """Return the settings by which texts become sentences of words; `tokens` as in the parameter WORDS.

    Raises:
        UsageError: an unknown list of stop words.
    """
    how = form(normalise, "auto" if tokens == "word" else tokens)
    return SentenceTerms(how, word_starts if tokens == "word" else None, stop_words)


def counted_as(normalise: str, tokens: str, stop_words: str) -> dict[str, str]:
    """Return the values in which statistics of these words and the texts they serve must agree."""
    return frequencies.counted_as(normalise, tokens, f"words without {stop_words}")
