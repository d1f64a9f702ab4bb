"""Rules by which a str is taken for a text or for a path, in Python and on the command line."""

from __future__ import annotations

import errno
import os

from quchong.patterns import lazy_pattern

_SENTENCE = lazy_pattern(r"[，。！？；：、…“”「」《》]")
"""Signs of Chinese sentences."""
_ENDING = lazy_pattern(r"\.[A-Za-z][A-Za-z0-9]{0,7}$|^[A-Za-z0-9+.-]+:/")
"""Ending of the name of a file, or the beginning of an address."""
_OF_PATHS = lazy_pattern(r"[/\\*]|\?(?=\S)")
"""Signs of paths and patterns; a question mark at the end is that of a question."""


def is_no_name(words: str) -> bool:
    r"""Return True if no file can have a str as its name: it is too long, has a NUL, or has a line break and nothing is called so.

    >>> is_no_name("one\ntwo"), is_no_name("x.html" * 100), is_no_name("missing.html")
    (True, True, False)
    """
    try:
        os.stat(words)  # noqa: PTH116 - a Path would drop parts of a text
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG or "\n" in words
    except ValueError:  # a NUL, which no name has
        return True
    return False


def looks_like_path(words: str) -> bool:
    """Return True for a str that is written as a path: with the ending of a file, as an address, with folders or as a pattern.

    >>> [looks_like_path(one) for one in ("第一版，终稿.csv", "my folder/news", "s3://bucket/x y", "news *", "-")]
    [True, True, True, True, True]
    >>> [looks_like_path(one) for one in ("How are you?", "今天天气很好", "news", "costs 3.50")]
    [False, False, False, False]
    """
    if words == "-" or _ENDING.search(words):
        return True
    return not _SENTENCE.search(words) and bool(_OF_PATHS.search(words))


def is_text(words: str) -> bool:
    r"""Return True if a str is plainly a text: no file can be called so, or it has signs of sentences or blanks and is no path.

    >>> is_text("今天天气很好。今天天气很好！"), is_text("two words"), is_text("a\nb")
    (True, True, True)
    >>> is_text("news.jsonl"), is_text("第一版，终稿.csv"), is_text("my folder/news"), is_text("news")
    (False, False, False, False)
    """
    if is_no_name(words):
        return True
    return not looks_like_path(words) and (bool(_SENTENCE.search(words)) or len(words.split()) > 1)
