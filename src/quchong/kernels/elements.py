"""Elements: the form and hash by which a filter compares texts.

The twins are in tests/twins/elements.py. Texts may be Arrow string columns (chunked or not), views
(`Texts`) or sequences of str.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import _quchong
import numpy as np
import pyarrow as pa

from quchong.kernels.arrays import AnyTexts, Texts, text_columns, texts_of
from quchong.kernels.checked import threads_of
from quchong.kernels.composing import nfkc
from quchong.kernels.text import TextTables, text_tables

if TYPE_CHECKING:
    from quchong.kernels.checked import U8, U32, U64

ElementKind = Literal["raw", "strict", "loose"]
Unit = Literal["utf8", "utf16"]
TextColumn: TypeAlias = "AnyTexts | pa.ChunkedArray | Sequence[str]"

_FORMS = {"raw": 0, "strict": 1, "loose": 2}
_EMPTY, _UNCOMPOSED = 1, 2


class Element(NamedTuple):
    """Form in which texts are compared for equality.

    `kind` is "raw" (the bytes), "strict" (NFKC, lower case, white space removed except for one space between two words; marks kept) or
    "loose" (the normal form of the default method: letters and digits, traditional made simplified, numerals as digits; strict where that
    is empty). `tables` are those of `quchong.text.form`, needed by "loose" alone; `version` goes into saved states, so that two versions of
    a normal form are never mixed.
    """

    kind: ElementKind
    version: str
    tables: TextTables | None = None


RAW = Element("raw", "1")
STRICT = Element("strict", "1; Unicode 14.0")


class Digests(NamedTuple):
    """128-bit digests of elements (uint64 halves); `empty` is 1 for elements of no character, which equal nothing."""

    high: U64
    low: U64
    empty: U8


class PaperHashes(NamedTuple):
    """BKDR and AP hashes of elements (uint32, below 2**31); `empty` as in `Digests`."""

    bkdr: U32
    ap: U32
    empty: U8


def text_views(texts: TextColumn) -> Texts:
    """Return views of the texts of a column or sequence; string columns of other types are cast.

    Raises:
        TypeError: something that is no text.
        ValueError: nulls.
    """
    return texts if isinstance(texts, Texts) else texts_of([_cast(chunk) for chunk in _chunks(texts)])


def batches(texts: TextColumn, size: int) -> Iterator[Texts]:
    """Yield views of the texts, at most `size` at a time, so that nothing is built for all of them at once."""
    if isinstance(texts, Texts):
        for a in range(0, len(texts), size):
            yield Texts(texts.address[a : a + size], texts.length[a : a + size], texts.owners)
        return
    for chunk in _chunks(texts):
        for a in range(0, len(chunk), size):
            yield texts_of([_cast(chunk.slice(a, size))])


def _chunks(texts: pa.Array | pa.ChunkedArray | Sequence[str]) -> list[pa.Array]:
    if isinstance(texts, pa.ChunkedArray):
        return list(texts.chunks)
    if isinstance(texts, pa.Array):
        return [texts]
    if isinstance(texts, str):
        raise TypeError("texts must be a column or a sequence of str, got one str: put it into a list")
    return [pa.array(texts, pa.large_string())]


def _cast(chunk: pa.Array) -> pa.Array:
    if chunk.type == pa.large_string():
        return chunk
    if not (pa.types.is_string(chunk.type) or pa.types.is_null(chunk.type) or chunk.type == pa.string_view()):
        raise TypeError(f"texts must be strings, got a column of {chunk.type}")
    return chunk.cast(pa.large_string())


@cache
def _bare_tables() -> _quchong.StrictTable:
    none = np.zeros(0, np.uint32)
    return _quchong.StrictTable(text_tables(none, none, none, none))


@cache
def _with(tables: TextTables) -> _quchong.StrictTable:
    return _quchong.StrictTable(tables)


def _table(element: Element) -> _quchong.StrictTable:
    if element.kind not in _FORMS:
        raise ValueError(f"unknown form {element.kind!r}: use raw, strict or loose")
    if element.tables is not None:
        return _with(element.tables)
    if element.kind == "loose":
        raise ValueError("the loose form needs tables: use quchong.text.element('loose')")
    return _bare_tables()


def _filled(texts: Texts, call: Callable[[Texts, bool], tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the kernel's results; texts with composing characters, which are rare, are composed in Python and passed again."""
    found = call(texts, False)
    todo = np.flatnonzero(found[-1] == _UNCOMPOSED)
    if len(todo):
        views = texts.take(todo)
        plain = [nfkc(t) for t in strings(views)]
        again = call(text_views(pa.array(plain, pa.large_string())), True)
        for column, fresh in zip(found, again, strict=True):
            column[todo] = fresh
    return found


def strings(texts: Texts) -> list[str]:
    """Return the texts as Python strings; invalid UTF-8 becomes U+FFFD. Cost: a copy of every text."""
    import ctypes

    pairs = zip(texts.address.tolist(), texts.length.tolist(), strict=True)
    return [ctypes.string_at(a, n).decode("utf-8", "replace") if n else "" for a, n in pairs]


def element_digests(element: Element, texts: TextColumn, workers: int | None = None) -> Digests:
    """Return the digest of every text's element; equal elements always have equal digests. Cost: one pass over the texts.

    Two different ones have the same with probability 2**-128 a pair, unless someone looks for such a pair: the hash is
    not a cryptographic one.
    """
    table, threads = _table(element), threads_of(workers)

    def call(views: Texts, composed: bool) -> tuple[Any, ...]:
        return _quchong.element_digests(table, *text_columns(views), _FORMS[element.kind], composed, threads)

    return Digests(*_filled(text_views(texts), call))


def element_hashes(element: Element, texts: TextColumn, unit: Unit = "utf8", workers: int | None = None) -> PaperHashes:
    """Return BKDR and AP hash of every text's element, over UTF-8 bytes or UTF-16 code units (Gao 2014, section 4.1)."""
    if unit not in ("utf8", "utf16"):
        raise ValueError(f"unknown unit {unit!r}: use utf8 or utf16")
    table, threads = _table(element), threads_of(workers)

    def call(views: Texts, composed: bool) -> tuple[Any, ...]:
        return _quchong.element_hashes(
            table, *text_columns(views), _FORMS[element.kind], composed, unit == "utf16", threads
        )

    return PaperHashes(*_filled(text_views(texts), call))
