"""Detection of the character set of a page or a text, and conversion of pages to UTF-8.

The bytes decide before any declaration, because Chinese pages often declare GB2312 although they are UTF-8, or the
reverse, or declare nothing. Bytes that are valid UTF-8 are UTF-8. Others are decoded in every declared character set
and in those of Chinese pages; the one with the most characters in common use is chosen, and in a tie the header wins
over the page. Texts and tables declare nothing and every record must be right, so they are judged more strictly.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import cache

import numpy as np

from quchong.patterns import lazy_pattern

SAMPLE = 1 << 12
"""Maximum size of the sample in bytes: those with the high bit, and the byte after each."""
_CHARACTER = 2
"""Size of a Chinese character in GB18030 and Big5, in bytes."""
_DECLARED = lazy_pattern(
    rb"""<(?:meta|\?xml)\b[^>]{0,500}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE
)
_HEADER = lazy_pattern(r"""charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "hz": "gb18030", "big5": "big5hkscs", "cp950": "big5hkscs",
    "shift_jis": "cp932", "euc_kr": "cp949", "ascii": "cp1252", "iso8859-1": "cp1252", "latin_1": "cp1252",
    "iso8859-9": "cp1254", "tis-620": "cp874", "utf-16": "utf-8", "utf-16-le": "utf-8", "utf-16-be": "utf-8",
}  # fmt: skip
"""Declared character sets, and the superset by which each is decoded (WHATWG Encoding; UTF-16 in a meta element means UTF-8)."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def to_utf8(page: bytes, content_type: str | None = None) -> bytes:
    """Convert a page to UTF-8, without a byte order mark; undecodable bytes become U+FFFD.

    Valid UTF-8 is returned unchanged, without a character that is cut off at the end. Deterministic; linear in the size.
    """
    for mark, name in _BOMS:
        if page.startswith(mark):
            return _recoded(page[len(mark) :], name)
    end = _utf8_end(page)
    if end >= 0:
        return page if end == len(page) else page[:end]
    return _recoded(page, charset_of(page, content_type))


def charset_of(page: bytes, content_type: str | None = None) -> str:
    """Return the character set of a page, by its name in Python."""
    for mark, name in _BOMS:
        if page.startswith(mark):
            return name
    wide = _utf16(page[:1024])
    if wide:
        return wide
    if _is_utf8(page):
        return "utf-8"
    sample = _sample(page)
    if _nearly_utf8(sample):
        return "utf-8"
    best, most = "cp1252", -1.0
    # header first, then the page's own declaration, then the usual sets
    for name in dict.fromkeys(_candidates(page, content_type)):
        likely = _likely(sample, name)
        if likely > most + 0.03:  # the first one named wins where they hardly differ
            best, most = name, likely
    if most < 0.5:
        from resiliparse.parse.encoding import detect_encoding

        guess = _charset_name(detect_encoding(page) or "")
        if guess and _likely(sample, guess) > most:
            return guess
    return best


def charset_of_text(text: bytes) -> str:
    """Return the character set of a text or table without a declaration: "utf-8" unless the bytes clearly indicate another.

    A byte order mark decides. UTF-8 is chosen if the bytes are valid UTF-8, or if more characters beyond ASCII are
    valid than broken: the broken ones are damage.

    Otherwise GB18030 or Big5 is chosen, whichever has more characters in common use, if there are at least two
    characters and half of them are in common use. Single-byte sets are never found, because they decode any bytes and
    would hide a wrong choice.

    Deterministic; linear in the size. A character that is cut off at the end is ignored.

    Example:
        >>> charset_of_text("今天天气很好".encode("gbk")), charset_of_text("café".encode("cp1252"))
        ('gb18030', 'utf-8')
    """
    for mark, name in _BOMS:
        if text.startswith(mark):
            return name
    if _is_utf8(text):
        return "utf-8"
    sample = _sample(text)
    units = sample.decode(errors="replace")
    # characters that cannot be decoded, without U+FFFD that the text itself has
    broken = units.count("\ufffd") - sample.count(b"\xef\xbf\xbd")
    if broken < len(units) - len(units.encode("ascii", "ignore")) - broken:
        return "utf-8"
    best, most = "utf-8", 0.47
    for name in ("gb18030", "big5hkscs", "cp1252"):
        likely = _likely(sample, name)
        if likely > most + 0.03:  # more than half at first
            best, most = name, likely
    return "utf-8" if best == "cp1252" or len(sample) < 2 * _CHARACTER else best


def _candidates(page: bytes, content_type: str | None) -> Iterator[str]:
    header = _HEADER.search(content_type or "")
    meta = _DECLARED.search(page, 0, 4096) or _DECLARED.search(page, 0, 65536)
    for said in (header and header[1], meta and meta[1].decode("ascii")):
        name = _charset_name(said or "")
        if name and name != "utf-8":
            yield name
    yield from ("gb18030", "big5hkscs", "cp1252")


@cache
def _charset_name(said: str) -> str:
    """Return Python's name of a declared character set, or of its superset; "" for an unknown one."""
    try:
        name = codecs.lookup("cp949" if said.lower() == "ks_c_5601-1987" else said).name
        "".encode(name)
    except (LookupError, ValueError, TypeError):
        return ""
    return _WIDER.get(name, name)


def _is_utf8(page: bytes) -> bool:
    return _utf8_end(page) >= 0


def _utf8_end(page: bytes) -> int:
    """Return the offset after the last complete character of a page in UTF-8; -1 if it is not UTF-8."""
    try:
        page.decode()
    except UnicodeDecodeError as error:
        cut = error.end == len(page) and error.reason == "unexpected end of data"
        return error.start if cut else -1
    return len(page)


def _sample(page: bytes) -> bytes:
    """Return the non-ASCII part of a page's beginning: bytes with the high bit and the byte after each, without markup."""
    values = np.frombuffer(page, np.uint8)
    taken = values >= 0x80
    taken[1:] |= taken[:-1].copy()
    return values[np.flatnonzero(taken)[:SAMPLE]].tobytes()


def _nearly_utf8(sample: bytes) -> bool:
    """Return True for UTF-8 with few broken bytes: at least ten characters beyond ASCII for each."""
    text = sample.decode(errors="replace")
    broken = text.count("\ufffd") - sample.count(b"\xef\xbf\xbd")
    return broken * 10 < len(text) - len(text.encode("ascii", "ignore"))


def _utf16(head: bytes) -> str:
    """Return the name of UTF-16 without a byte order mark, known by the zero bytes of its markup; "" for other data."""
    if len(head) < 8:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd * 4 > len(head) and even * 16 < len(head):
        return "utf-16-le"
    return "utf-16-be" if even * 4 > len(head) and odd * 16 < len(head) else ""


def _recoded(page: bytes, name: str) -> bytes:
    return page.decode(name, "replace").encode("utf-8", "replace")


@cache
def _common() -> np.ndarray:
    """Return a mask over code units of characters in common use.

    They are levels 1 of GB 2312, Big5 and JIS X 0208, kana, Hangul syllables of KS X 1001, Latin, Greek and Cyrillic
    letters, and punctuation marks.
    """
    gb = bytes(b for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF) for b in (row, cell)).decode(
        "gb2312", "ignore"
    )
    trails = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    big5 = bytes(b for row in range(0xA4, 0xC7) for cell in trails for b in (row, cell)).decode("big5", "ignore")
    japanese = bytes(b for row in range(0xB0, 0xD0) for cell in range(0xA1, 0xFF) for b in (row, cell)).decode(
        "euc_jp", "ignore"
    )
    korean = bytes(b for row in range(0xB0, 0xC9) for cell in range(0xA1, 0xFF) for b in (row, cell)).decode(
        "euc_kr", "ignore"
    )
    letters = "".join(filter(str.isalpha, map(chr, (*range(0xC0, 0x2B0), *range(0x386, 0x3CF), *range(0x400, 0x530)))))
    kana = "".join(map(chr, range(0x3041, 0x30FF)))
    marks = "　、。·“”‘’…—～《》「」『』【】〈〉（）！，．：；？％０１２３４５６７８９©®™•–€£°«»×\xa0"
    mask = np.zeros(1 << 16, bool)
    mask[np.frombuffer((gb + big5 + japanese + korean + letters + kana + marks).encode("utf-16-le"), "<u2")] = True
    return mask


def _likely(sample: bytes, name: str) -> float:
    """Return how well a sample decodes in a character set: at most 1; below 0 if much of it cannot be decoded."""
    units = np.frombuffer(sample.decode(name, "replace").encode("utf-16-le"), "<u2")
    high = units > 0x7F
    beyond = units[high]
    if not len(beyond):
        return 0.0
    likely = (np.count_nonzero(_common()[beyond]) - 3 * np.count_nonzero(beyond == 0xFFFD)) / len(beyond)
    if name == "cp1252":
        # Letters beyond ASCII stand alone in the languages written so: in runs they are two-byte characters read wrongly.
        runs = np.count_nonzero(high[1:] & ~high[:-1]) + int(high[0])
        likely -= 0.5 * (len(beyond) > 3 * runs)
    return float(likely)
