r"""Spelling of file names as text that every file, table and terminal can contain, and back.

A name is bytes. In memory it is a str as `os.fsdecode` makes it, in which bytes that are not UTF-8 are lone surrogates. These
cannot be written anywhere. So wherever a name is written (ids, tables, run.json, lists of paths, messages) it is spelt: bytes that
are not UTF-8 as \xe9, line ends as \n and \r, and a backslash that would be read as the beginning of one of these as \x5c. Every
other name is spelt as it is.
"""

from __future__ import annotations

import os
import re

from quchong.patterns import lazy_pattern

_AMBIGUOUS = lazy_pattern(r"\\(?=x[0-9a-f]{2}|[rn])")
_SPELT = lazy_pattern(rb"\\(?:x([0-9a-f]{2})|([rn]))")
_LINE_ENDS = {b"r": b"\r", b"n": b"\n"}
_SURROGATE = lazy_pattern("[\ud800-\udfff]")


def spell_path(path: str | os.PathLike[str]) -> str:
    r"""Return a path as text in one line that can be encoded: a/caf\xe9.txt for the bytes of a Latin-1 name.

    Two paths have two spellings, `read_path` gives the path again. On Windows, where names are text and a backslash parts them,
    only lone surrogates are spelt.
    """
    text = os.fspath(path)
    if os.name == "nt":
        return text.encode("utf-8", "backslashreplace").decode()
    if "\\" in text:
        text = _AMBIGUOUS.sub(r"\\x5c", text)
    if not text.isascii():
        text = os.fsencode(text).decode("utf-8", "backslashreplace")
    return text.replace("\r", "\\r").replace("\n", "\\n")


def read_path(spelling: str) -> str:
    r"""Return the path that `spell_path` spells so: \xe9 becomes that byte (as lone surrogate), \n and \r line ends."""
    if os.name == "nt" or "\\" not in spelling:
        return spelling

    def byte(found: re.Match[bytes]) -> bytes:
        return bytes.fromhex(found[1].decode()) if found[1] else _LINE_ENDS[found[2]]

    return os.fsdecode(_SPELT.sub(byte, os.fsencode(spelling)))


def spell_names(value: object) -> object:
    """Return a JSON value in which every str with lone surrogates, such as a file name or an argument, is replaced by its spelling."""
    if isinstance(value, str):
        return value if value.isascii() or not _SURROGATE.search(value) else _spell_any(value)
    if isinstance(value, dict):
        return {spell_names(key): spell_names(one) for key, one in value.items()}
    return [spell_names(one) for one in value] if isinstance(value, list | tuple) else value


def _spell_any(text: str) -> str:
    r"""Spell a text that may be no file name; a surrogate that no byte is decoded to becomes \ud800."""
    try:
        return spell_path(text)
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
