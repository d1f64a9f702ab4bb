"""What the fuzzers of kernels throw: small structured arguments that are valid, and ways to break one of them.

Everything follows from the seed of a `Dice`, so an input is told by that seed alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.kernels.arrays import Names, Ragged

PIECES = [
    "网页去重", "網頁去重與軟體", "乾坤著名", "一百二十", "二〇二〇", "十一", "千百", "http://a.b/c?d=1", "www.q.com", "&nbsp;",
    "&#x4e2d;", "1,234.5", "3.5", "12,34", "3.5kg", "ＡＢＣ１２３", "①㈱½", "é", "e\u0301", "ｶﾞ", "한국", "\u1112\u1161\u11ab",
    "ไทย", "May", "five", "13800138000", "\0", "\u200b", "😀👍🏽", "İΣς", "，。！", " ", "\n", "\r\n", "𠮷𪚥", "㍿㋀", "車輛", "\ufeff",
    "ﬁ", "mh0ta8bk", "—", "…", "。”", ".\u3000", "a", "b", "第一章", "（一）", "1. ", "\u0301" * 70, "x" * 70, "。" * 5,
]  # fmt: skip
PIECE_BYTES = [p.encode() for p in PIECES]
BROKEN_BYTES = [b"\xff", b"\xe4\xb8", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xf0\x9f", b"\x80", b"\xe4"]
PAGE_PIECES = [
    b"<div>", b"</div>", b"<p class=a>", b"<h1>", b"</h1>", b"<script>", b"</script>", b"<!--", b"-->", b"<title>", b"</title>",
    b"<table><tr><td>", b"</table>", b"<a href='x'", b">", b"<", b"&amp;", b"<meta name=date content='", b"'", b'"', b"\0", b"\x01",
    b"<svg>", b"<b", b"</", b"<style>", b"<link rel=canonical href=", b"<time datetime=2020>", "网页".encode(), b" ", b"\n", b"=",
]  # fmt: skip
EXTREME_NUMBERS: list[Any] = [
    0, -1, 1, 2, 63, 64, 255, 256, 4096, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64, -(2**31),
    -(2**63), 0.5, float("nan"), float("inf"), None, "x", True,
]  # fmt: skip
EXTREME_REALS: list[Any] = [
    0.0, -0.0, 1.0, -1.0, 5e-324, 1e-9, 0.999999999, 1.0000001, 1e308, float("nan"), float("inf"), -float("inf"), 2, None, "x",
]  # fmt: skip
EXTREME_ENTRIES = [
    0,
    1,
    2,
    -1,
    -2,
    7,
    63,
    64,
    255,
    256,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**40,
    2**62,
    2**63 - 1,
    -(2**63),
]


class Dice(random.Random):
    """A source of arguments."""

    def some(self, most: int, least: int = 0) -> int:
        """A count, small ones more often."""
        return min(self.randint(least, most), self.randint(least, most))

    def tokens(self, most: int = 14) -> list[int]:
        """A token sequence: few different ones, runs that repeat, words, numbers, anything."""
        n = self.some(most)
        kind = self.random()
        if kind < 0.5:
            return self.choices((0, 1, 2, 3, 4), k=n)
        if kind < 0.7:
            unit = self.choices((19968, 19969, 20000, 0x80000001, 0xC0000005, 0xC0000006), k=self.randint(1, 4))
            return (unit * n)[:n] + self.choices(unit, k=self.some(3))
        if kind < 0.85:
            return [self.choice((0x80000000, 0xC0000000, 0)) | self.randrange(6) for _ in range(n)]
        return [self.getrandbits(32) for _ in range(n)]

    def lists(self, most: int = 5) -> list[list[int]]:
        """Documents of tokens; near copies among them."""
        out: list[list[int]] = []
        for _ in range(self.some(most)):
            if out and self.random() < 0.4:
                copy = list(self.choice(out))
                if copy and self.random() < 0.7:
                    copy[self.randrange(len(copy))] = self.randrange(6)
                out.append(copy + self.tokens(4))
            else:
                out.append(self.tokens())
        return out

    def ragged(self, most: int = 5) -> Ragged:
        """Documents of tokens, flat; now and then a part of longer arrays."""
        flat, offsets = ragged_of(self.lists(most))
        if self.random() < 0.1:
            return Ragged(np.concatenate([np.zeros(3, np.uint32), flat, np.ones(2, np.uint32)]), offsets + 3)
        return Ragged(flat, offsets)

    def names(self, most: int = 5) -> Names:
        """Documents of tokens by their names, flat."""
        flat, offsets = ragged_of(self.lists(most), np.uint64)
        return Names(flat | self.values(len(flat)) << np.uint64(32), offsets)

    def values(self, n: int, dtype: Any = np.uint64) -> np.ndarray:
        """Few different ones, or any."""
        if self.random() < 0.7:
            return np.array(self.choices((0, 1, 2, 3, 5, 8), k=n), dtype)
        return np.array([self.getrandbits(64 if dtype == np.uint64 else 32) for _ in range(n)], dtype)

    def bags(self, most: int = 6) -> list[list[int]]:
        """Documents of features (below 2**64)."""
        wide = self.random() < 0.2
        return [
            [self.getrandbits(64) if wide and self.random() < 0.3 else self.randrange(9) for _ in range(self.some(12))]
            for _ in range(self.some(most))
        ]

    def pairs(self, documents: int, most: int = 6) -> tuple[np.ndarray, np.ndarray]:
        """Both sides of some pairs."""
        n = self.some(most) if documents else 0
        dtype = self.choice((np.uint32, np.int64))
        left, right = (np.array([self.randrange(documents) for _ in range(n)], dtype) for _ in range(2))
        return left, right

    def texts(self, most: int = 4, *, valid: bool = False) -> pa.Array:
        """Texts of telling pieces; with broken UTF-8 among them, if not `valid`; now and then a slice."""
        raw = [b"".join(self.choices(PIECE_BYTES, k=self.some(8))) for _ in range(self.some(most))]
        if not valid and raw and self.random() < 0.2:
            at = self.randrange(len(raw))
            cut = self.randint(0, len(raw[at]))
            raw[at] = raw[at][:cut] + self.choice(BROKEN_BYTES) + raw[at][cut:]
        array = large_strings(raw)
        if len(raw) > 1 and self.random() < 0.1:
            return array.slice(self.randrange(len(raw)))
        return array

    def page(self) -> bytes:
        """Something like a web page."""
        return b"".join(self.choices(PAGE_PIECES, k=self.some(30)))


def ragged_of(lists: Sequence[Sequence[int]], dtype: Any = np.uint32) -> tuple[np.ndarray, np.ndarray]:
    """Lists one after another, and their offsets."""
    offsets = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(x) for x in lists], out=offsets[1:])
    return np.array([x for one in lists for x in one], dtype), offsets


def large_strings(raw: Sequence[bytes]) -> pa.Array:
    """A column of these bytes, looked at by nobody."""
    offsets = np.zeros(len(raw) + 1, np.int64)
    np.cumsum([len(x) for x in raw], out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(raw))]
    return pa.Array.from_buffers(pa.large_string(), len(raw), buffers)


def broken(dice: Dice, value: Any) -> Any:  # noqa: PLR0911 - a kind of value each
    """The value made another one: of another kind, size, type or order."""
    if isinstance(value, np.ndarray):
        return _broken_array(dice, value)
    if isinstance(value, pa.Array):
        return _broken_texts(dice, value)
    if isinstance(value, bool):
        return dice.choice([not value, None, 2, "x"])
    if isinstance(value, int):
        return dice.choice([*EXTREME_NUMBERS, value + 1, value - 1, value + 0.5])
    if isinstance(value, float):
        return dice.choice([*EXTREME_REALS, -value, value * 2])
    if isinstance(value, bytes):
        return dice.choice([value + b"<", value[:-1], value * 3, bytearray(value), None, "x"])
    if isinstance(value, str):
        return dice.choice(["", "x", None, 0])
    if value is None:
        return dice.choice([np.zeros(1, np.uint64), np.zeros(0, np.uint8), 0, 1, -1, "x"])
    return dice.choice([None, 0, "x", []])


def _broken_array(dice: Dice, a: np.ndarray) -> Any:  # noqa: PLR0911 - a way to break it each
    n, how = len(a), dice.randrange(20)
    if how < 8 and a.size:  # an entry that cannot be, or is merely another one
        out = a.astype(np.int64 if a.dtype.kind in "iub" else a.dtype)
        at = (dice.randrange(n), *(0,) * (a.ndim - 1))
        if a.dtype.kind == "f":
            out[at] = dice.choice([np.nan, np.inf, -np.inf, -1.0, 1e308, 0.0])
        else:
            out[at] = dice.choice([*EXTREME_ENTRIES, n, n + 1, n - 1])
        if dice.random() < 0.7:
            with np.errstate(all="ignore"):
                return out.astype(a.dtype)
        return out
    if how == 8:
        return a[: dice.randint(0, n)]
    if how == 9:
        return np.concatenate([a, a[:1], a[-1:]]) if a.size else np.ones(dice.randint(1, 3), a.dtype)
    if how == 10:
        return a[::-1]
    if how == 11:
        return np.repeat(a, 2, axis=0)[::2]
    if how == 12:
        return a.astype(
            dice.choice([np.float64, np.int32, np.uint8, np.bool_, np.complex128, object, ">u4", np.int64, np.float32])
        )
    if how == 13:
        return a.reshape(-1, 1) if a.ndim == 1 else a.reshape(-1)
    if how == 14:
        return a.reshape(-1)[0] if a.size else np.zeros((0, 3), a.dtype)
    if how == 15:
        raw = np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:]
        return raw.view(a.dtype).reshape(a.shape) if a.dtype != object else a
    if how == 16:
        return a.tolist()
    if how == 17:
        return np.sort(a, axis=0)
    if how == 18:
        return dice.choice([None, 0, "x", [], np.zeros(0, a.dtype), np.zeros(n + 3, a.dtype)])
    out = a.copy()
    np.random.default_rng(dice.getrandbits(32)).shuffle(out)
    return out


def _broken_texts(dice: Dice, texts: pa.Array) -> Any:
    how, n = dice.randrange(6), len(texts)
    if how == 0:
        return pa.array(["a", None], pa.large_string())
    if how == 1:
        return (
            pa.array(["a"] * n, dice.choice([pa.string(), pa.string_view(), pa.large_binary()])) if n else pa.array([1])
        )
    if how == 2:
        return dice.choice([None, 5, ["a"], "a"])
    if how == 3:
        return texts.slice(0, max(0, n - 1))
    data = b"".join(dice.choices(PIECE_BYTES, k=4))
    ends = sorted(dice.randint(0, len(data)) for _ in range(n + 1))
    if how == 4 or not ends:  # cut anywhere: broken UTF-8
        offsets = np.array(ends, np.int64)
    else:  # and offsets that are wrong
        offsets = np.array(ends, np.int64)
        offsets[dice.randrange(len(offsets))] = dice.choice([*EXTREME_ENTRIES, len(data) + 1])
    try:
        return pa.Array.from_buffers(pa.large_string(), n, [None, pa.py_buffer(offsets), pa.py_buffer(data)])
    except pa.ArrowInvalid:  # Arrow looks at the first and the last one itself
        return texts


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to what can be broken: arguments, and the fields of named tuples among them."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for key in value._fields:
            yield from leaves(getattr(value, key), (*path, key))
    else:
        yield path


def at(value: Any, path: tuple[Any, ...]) -> Any:
    """What stands at a path."""
    for key in path:
        value = value[key] if isinstance(value, dict) else getattr(value, key)
    return value


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The arguments with something else at a path."""
    if not path:
        return new
    key, *rest = path
    if isinstance(value, dict):
        return value | {key: put(value[key], tuple(rest), new)}
    fields = {
        field: getattr(value, field) for field in value._fields
    }  # (`_replace` asks for the length, which some overrule)
    return type(value)(**{**fields, key: put(fields[key], tuple(rest), new)})
