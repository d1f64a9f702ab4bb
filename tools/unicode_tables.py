"""Writes cpp/text/unicode_data.inc: per-character NFKC + lower case + class, from this Python's unicodedata.

Run: python tools/unicode_tables.py > cpp/text/unicode_data.inc    (with CPython 3.11, Unicode 14.0)
The file is committed, so that results do not depend on the Python a user happens to have.
"""

from __future__ import annotations

import sys
import unicodedata as ud
from collections.abc import Callable

SINGLES = [  # scripts written without spaces: one character, one token
    (0x3005, 0x3005), (0x3007, 0x3007), (0x3040, 0x30FF), (0x3100, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
    (0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0xAC00, 0xD7A3),
]  # fmt: skip
NUMERALS = "零〇一二三四五六七八九十百千"
KEPT_MARKS = "，"  # NFKC would make it an ASCII comma, which joins digits
LAST = 0x323AF
SIGNS_WRITTEN = "+-*/^=<>!|&#\u2212"
"""Marks of ASCII that are operators or grades by where they stand (`twins.symbols`), and the minus."""
DECORATION = [
    (0x00A6, 0x00A6), (0x00A9, 0x00A9), (0x00AE, 0x00AE), (0x00B0, 0x00B0), (0x0F00, 0x0FFF), (0x2044, 0x2044), (0x2117, 0x2117),
    (0x2217, 0x2217), (0x2219, 0x2219), (0x2223, 0x2223), (0x2225, 0x2225), (0x2236, 0x2236), (0x223C, 0x223C), (0x22C5, 0x22C5),
    (0x2500, 0x259F), (0x2776, 0x2793), (0xFFFC, 0xFFFD),
]  # fmt: skip
"""Symbols by their category that say nothing: rules and frames, copyright, marks written for a full stop, a colon, a bar or a wave."""
VOWELS_OF = [(0x0900, 0x109F), (0x1780, 0x17FF), (0x1900, 0x1CFF), (0xA800, 0xAAFF), (0x11000, 0x11FFF)]
"""Scripts of South and South-East Asia, whose combining marks are vowels, tones and consonants: letters."""
OPTIONAL = [
    (0x0300, 0x036F), (0x0483, 0x0487), (0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5), (0x05C7, 0x05C7),
    (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670), (0x06D6, 0x06DC), (0x06DF, 0x06E4), (0x06E7, 0x06E8), (0x06EA, 0x06ED),
    (0x1AB0, 0x1ACE), (0x1DC0, 0x1DFF), (0x20D0, 0x20F0), (0xFE20, 0xFE2F),
]  # fmt: skip
"""Marks that a careful hand adds and most leave out: accents that no letter has by itself, vowels of Arabic and Hebrew."""
INVISIBLE = [
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x180B, 0x180F), (0x200C, 0x200F), (0x202A, 0x202E), (0x2060, 0x2064),
    (0x2066, 0x2069), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xE0100, 0xE01EF),
]  # fmt: skip
"""Characters that show nothing: hyphens where a line may break, joiners, directions, variants."""
FOLDED = {
    "\u03c2": "\u03c3", "\u00df": "ss", "\u2265": ">=", "\u2264": "<=", "\u2260": "!=",
    "\u2267": ">=", "\u2266": "<=", "\u2a7e": ">=", "\u2a7d": "<=",
}  # fmt: skip
"""Forms of a letter that lower case keeps apart (final sigma, sharp s), and comparisons in one sign or two."""


def within(ch: str, ranges: list[tuple[int, int]]) -> bool:
    return any(a <= ord(ch) <= b for a, b in ranges)


def is_letter(ch: str) -> bool:
    """A letter or digit, or a combining mark that is one."""
    return ch.isalnum() or (ud.category(ch) in ("Mn", "Mc") and within(ch, VOWELS_OF))


def is_symbol(ch: str) -> bool:
    """May it carry meaning where it stands beside words or alone?"""
    return ch in SIGNS_WRITTEN or (ord(ch) >= 0x80 and ud.category(ch) in ("Sm", "So") and not within(ch, DECORATION))


def is_single(ch: str) -> bool:
    cp = ord(ch)
    return is_letter(ch) and any(a <= cp <= b for a, b in SINGLES)


def char_class(ch: str) -> int:
    """0 mark or space, 1 one-character token, 2 word character, 3 ASCII digit."""
    if is_single(ch):
        return 1
    if "0" <= ch <= "9":
        return 3
    return 2 if is_letter(ch) else 0


def mapped(ch: str) -> str:
    if ch in KEPT_MARKS:
        return ch
    if within(ch, OPTIONAL) or within(ch, INVISIBLE):
        return ""
    small = "".join(c.lower() for c in ud.normalize("NFKC", ch))
    return "".join(FOLDED.get(c, c) for c in small if not within(c, OPTIONAL))


def seconds() -> set[str]:
    """Characters that may compose with the one before them."""
    out = {chr(c) for c in [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]}
    for cp in range(LAST + 1):
        d = ud.decomposition(chr(cp))
        if d and not d.startswith("<"):
            parts = d.split()
            if len(parts) == 2:
                out.add(chr(int(parts[1], 16)))
    return out


def ranges(has: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Ranges of the characters that have a property."""
    out: list[tuple[int, int]] = []
    for cp in range(sys.maxunicode + 1):
        if not has(chr(cp)):
            continue
        if out and out[-1][1] == cp - 1:
            out[-1] = (out[-1][0], cp)
        else:
            out.append((cp, cp))
    return out


def main() -> None:
    second = seconds()
    runs: list[tuple[int, int, int]] = []  # identity runs: first, last, class
    ones: list[tuple[int, int, int]] = []  # code point, mapped, class
    multis: list[tuple[int, list[int]]] = []
    composing: list[tuple[int, int]] = []
    for cp in range(LAST + 1):
        if 0xD800 <= cp <= 0xDFFF:
            continue
        ch = chr(cp)
        if ud.category(ch) == "Cn":
            continue
        nfkc = ud.normalize("NFKC", ch)
        if any(ud.combining(c) or c in second for c in nfkc):
            if composing and composing[-1][1] == cp - 1:
                composing[-1] = (composing[-1][0], cp)
            else:
                composing.append((cp, cp))
        out = mapped(ch)
        if len(out) != 1:
            multis.append((cp, [ord(c) for c in out]))
        elif out != ch:
            ones.append((cp, ord(out), char_class(out)))
        else:
            k = char_class(ch)
            if k and runs and runs[-1][1] == cp - 1 and runs[-1][2] == k:
                runs[-1] = (runs[-1][0], cp, k)
            elif k:
                runs.append((cp, cp, k))
    w = sys.stdout.write
    w(f"// Generated by tools/unicode_tables.py from Unicode {ud.unidata_version}. Do not edit.\n")
    w("// clang-format off\n")

    def rows(name: str, kind: str, items: list[str]) -> None:
        w(f"inline constexpr {kind} {name}[] = {{\n")
        for i in range(0, len(items), 8):
            w("".join(items[i : i + 8]) + "\n")
        w("};\n")

    rows("UNICODE_RUNS", "UnicodeRun", [f"{{{a},{b},{k}}}," for a, b, k in runs])
    rows("UNICODE_ONES", "UnicodeOne", [f"{{{a},{b},{k}}}," for a, b, k in ones])
    flat: list[int] = []
    heads = []
    for cp, seq in multis:
        heads.append(f"{{{cp},{len(flat)},{len(seq)}}},")
        flat += seq
    rows("UNICODE_MULTIS", "UnicodeMulti", heads)
    rows("UNICODE_EXPANSIONS", "std::uint32_t", [f"{c}," for c in flat])
    rows("UNICODE_COMPOSING", "UnicodeRange", [f"{{{a},{b}}}," for a, b in composing])
    rows("UNICODE_NUMERALS", "std::uint32_t", [f"{ord(c)}," for c in NUMERALS])
    for name, has in (
        ("SYMBOLS", is_symbol),
        ("ALNUM", str.isalnum),
        ("DECIMALS", str.isdecimal),
        ("SPACES", str.isspace),
    ):
        rows(f"UNICODE_{name}", "UnicodeRange", [f"{{{a},{b}}}," for a, b in ranges(has)])


if __name__ == "__main__":
    main()
