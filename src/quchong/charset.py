"""Finds the character set of a page or a text, and converts pages to UTF-8.

What the bytes are is believed before what is said of them: Chinese pages are often declared GB2312 where they are UTF-8,
or the other way round, or not at all. Bytes that are UTF-8 are UTF-8; anything else is read in every character set that
was declared and in those of Chinese pages, and what gives the most characters in common use wins, the header before the
page in a tie. Texts and tables, which declare nothing and whose every record must be right, are judged more strictly.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import cache

import numpy as np

SAMPLE = 1 << 12
"""Bytes with the high bit, and what is attached to them, that are read to judge a character set."""
_CHARACTER = 2
"""Bytes of a Chinese character in GB18030 and Big5."""
_DECLARED = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]{0,500}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE
)
_HEADER = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "hz": "gb18030", "big5": "big5hkscs", "cp950": "big5hkscs",
    "shift_jis": "cp932", "euc_kr": "cp949", "ascii": "cp1252", "iso8859-1": "cp1252", "latin_1": "cp1252",
    "iso8859-9": "cp1254", "tis-620": "cp874", "utf-16": "utf-8", "utf-16-le": "utf-8", "utf-16-be": "utf-8",
}  # fmt: skip
"""Character sets as declared to those that hold all of them (WHATWG Encoding; UTF-16 in a meta element means UTF-8)."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def to_utf8(page: bytes, content_type: str | None = None) -> bytes:
    """A page in UTF-8, without a byte order mark; what cannot be read becomes U+FFFD.

    Bytes that are UTF-8 come back as they are, but for a character cut off at the end. Deterministic; linear in the size.
    """
    for mark, name in _BOMS:
        if page.startswith(mark):
            return _recoded(page[len(mark) :], name)
    end = _utf8_end(page)
    if end >= 0:
        return page if end == len(page) else page[:end]
    return _recoded(page, charset_of(page, content_type))


def charset_of(page: bytes, content_type: str | None = None) -> str:
    """The character set a page is read in, by the name Python knows it by."""
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
    for name in dict.fromkeys(_candidates(page, content_type)):
        likely = _likely(sample, name)
        if likely > most + 0.03:  # the first one named wins where they hardly differ
            best, most = name, likely
    if most < 0.5:
        from resiliparse.parse.encoding import detect_encoding

        guess = _known(detect_encoding(page) or "")
        if guess and _likely(sample, guess) > most:
            return guess
    return best


def charset_of_text(text: bytes) -> str:
    """The character set of a text or table that declares none: "utf-8" wherever its bytes do not speak clearly for another.

    That of a mark; UTF-8 where it can be read so, or more of its characters beyond ASCII can than cannot: the others are
    damage. Else GB18030 or Big5, whichever gives more characters in common use, if there are two of them and at least half
    are. Single-byte sets are never found: any bytes can be read in them, so nothing would show that it was wrong.

    Deterministic; linear in the size. A character cut off at the end is passed over.

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
        name = _known(said or "")
        if name and name != "utf-8":
            yield name
    yield from ("gb18030", "big5hkscs", "cp1252")


@cache
def _known(said: str) -> str:
    """The name of a declared character set, of the wider one where there is one; "" for an unknown one."""
    try:
        name = codecs.lookup("cp949" if said.lower() == "ks_c_5601-1987" else said).name
        "".encode(name)
    except (LookupError, ValueError, TypeError):
        return ""
    return _WIDER.get(name, name)


def _is_utf8(page: bytes) -> bool:
    return _utf8_end(page) >= 0


def _utf8_end(page: bytes) -> int:
    """Where the last whole character of a page in UTF-8 ends; -1 where it is not in UTF-8."""
    try:
        page.decode()
    except UnicodeDecodeError as error:
        cut = error.end == len(page) and error.reason == "unexpected end of data"
        return error.start if cut else -1
    return len(page)


def _sample(page: bytes) -> bytes:
    """The first bytes with the high bit and the one after each: markup, which says nothing, goes; no character is cut."""
    values = np.frombuffer(page, np.uint8)
    taken = values >= 0x80
    taken[1:] |= taken[:-1].copy()
    return values[np.flatnonzero(taken)[:SAMPLE]].tobytes()


def _nearly_utf8(sample: bytes) -> bool:
    """UTF-8 with a few broken bytes: at least ten characters beyond ASCII for each of them."""
    text = sample.decode(errors="replace")
    broken = text.count("\ufffd") - sample.count(b"\xef\xbf\xbd")
    return broken * 10 < len(text) - len(text.encode("ascii", "ignore"))


def _utf16(head: bytes) -> str:
    """UTF-16 without a mark: every other byte of its markup is zero."""
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
    """Mask over code units of characters in common use: levels 1 of GB 2312, Big5 and JIS X 0208, kana, Hangul syllables of KS X 1001,
    Latin, Greek and Cyrillic letters, punctuation marks.
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
    """How much like text a sample reads in a character set: 1 at most; below 0 where much of it cannot be read."""
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
