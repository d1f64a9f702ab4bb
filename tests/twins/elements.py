"""The element of a text, its BKDR and AP hash, and its digest, in plain Python."""

from __future__ import annotations

import unicodedata

from twins.characters import is_letter, is_single, mapped
from twins.hashing import GOLDEN, M32, M64, fold128, mix64
from twins.text import Tables, stream, tokenise


def is_word(c: str) -> bool:
    """Is this character part of a word, in a script written with spaces?"""
    return is_letter(c) and not is_single(c)


def small(c: str) -> str:
    """A character in lower case; the Chinese comma is a comma like any other here."""
    return "," if c == "，" else mapped(c)


def strict_form(text: str) -> str:
    """NFKC and lower case, character by character, without optional marks; of white space one space stays between two words."""
    words = "".join(map(small, unicodedata.normalize("NFKC", text))).split()
    out = ""
    for word in words:
        out += f" {word}" if out and is_word(out[-1]) and is_word(word[0]) else word
    return out


def loose_form(text: str, tables: Tables) -> str:
    """The normal form of the default method (a word ends with a space); the strict form where it is empty.

    The text is composed: NFKC may go character by character.
    """
    return "".join(map(chr, stream(tokenise(text, tables)))) or strict_form(text)


def units_of(text: str, unit: str = "utf8") -> list[int]:
    """UTF-8 bytes, or UTF-16 code units."""
    if unit == "utf8":
        return list(text.encode())
    raw = text.encode("utf-16-le")
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


def bkdr(units: list[int]) -> int:
    """BKDR hash, 31 bits."""
    h = 0
    for c in units:
        h = h * 131 + c & M32
    return h & 0x7FFFFFFF


def ap(units: list[int]) -> int:
    """AP hash (Arash Partow), the classic form, 31 bits."""
    h = 0
    for i, c in enumerate(units):
        h ^= ~(h << 11 ^ c ^ h >> 5) if i % 2 else h << 7 ^ c ^ h >> 3
        h &= M32
    return h & 0x7FFFFFFF


def digest(data: bytes) -> tuple[int, int]:
    """128 bits of some bytes: two hashes over words of 64 bits (little endian, the last padded with zeros)."""
    a, b = mix64(0x71756368 + GOLDEN), mix64(0x6F6E6721 + GOLDEN)
    for i in range(0, len(data), 16):
        piece = data[i : i + 16].ljust(16, b"\0")
        w0, w1 = int.from_bytes(piece[:8], "little"), int.from_bytes(piece[8:], "little")
        more = GOLDEN * (i + 1)
        a = fold128(w0 ^ a ^ 0xA0761D6478BD642F, w1 ^ 0xE7037ED1A0B428DB) + more + (a >> 7) & M64
        b = fold128(w1 ^ b ^ 0x8EBC6AF09C88C6E3, w0 ^ 0x589965CC75374CC3) + more + (b >> 7) & M64
    return mix64(a ^ len(data)), mix64(b ^ len(data))
