"""Segments: posting lists packed into one buffer, as docs/index-format.md says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from twins.hashing import mix64

MARK = b"QUCHSEG1"
Posting = tuple[int, int, int]
"""A key, or the code of one; a document; the weight."""


class Info(NamedTuple):
    """Footer of a segment."""

    first: int
    documents: int
    postings: int
    codes: int
    bits: int
    weighted: bool


def code_of(key: int, bits: int) -> int:
    """The first bits of the mixed key."""
    return mix64(key) >> (64 - bits)


def bucket_bits(postings: int, bits: int) -> int:
    """Bits that part codes into buckets of 48 to 95 postings on average."""
    return min(max(postings // 48, 1).bit_length() - 1, bits - 8)


def low_to_high(value: int, width: int) -> str:
    """Bits of a number, the lowest first."""
    return format(value, "b").zfill(width)[::-1][:width] if width else ""


def varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; all bytes but the last have their highest bit set."""
    out = []
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def pack_segment(
    keys: Sequence[int], documents: Sequence[int], weights: Sequence[int], *, first: int, count: int, bits: int = 40
) -> bytes:
    """All postings in one buffer."""
    coded = [(code_of(k, bits), d, w) for k, d, w in zip(keys, documents, weights, strict=True)]
    weighted = any(w != 1 for w in weights)
    return _write(coded, first, count, bits, weighted, None)


def _write(coded: Iterable[Posting], first: int, count: int, bits: int, weighted: bool, postings: int | None) -> bytes:
    lists: dict[int, dict[int, int]] = {}
    for code, document, weight in coded:
        one = lists.setdefault(code, {})
        one[document] = max(weight, one.get(document, 0))
    total = sum(map(len, lists.values()))
    parted = bucket_bits(total if postings is None else postings, bits)
    stream, table = b"", b""
    for bucket in range(1 << parted):
        mine = sorted(code for code in lists if code >> (bits - parted) == bucket)
        stream += _bucket([(code, sorted(lists[code].items())) for code in mine], first, count, bits - parted, weighted)
        table += len(stream).to_bytes(5, "little")
    head = b"".join(n.to_bytes(8, "little") for n in (total, len(lists), len(stream)))
    footer = MARK + head + first.to_bytes(4, "little") + count.to_bytes(4, "little") + bytes([bits, parted, weighted])
    return stream + table + footer.ljust(64, b"\0")


def _bucket(lists: list[tuple[int, list[tuple[int, int]]]], first: int, count: int, span: int, weighted: bool) -> bytes:
    if not lists:
        return b""
    postings = [posting for _, one in lists for posting in one]
    width, weight_width = max(count - 1, 0).bit_length(), max(w - 1 for _, w in postings).bit_length()
    text = "".join(low_to_high(d - first, width) for d, _ in postings)
    text += "".join(low_to_high(w - 1, weight_width) for _, w in postings)
    rice, following = max(((1 << span) // len(lists)).bit_length() - 1, 0), 0
    for code, one in lists:
        distance = (code & ((1 << span) - 1)) - following
        following += distance + 1
        low = len(one).bit_length() - 1
        text += (
            "0" * (distance >> rice) + "1" + low_to_high(distance, rice) + "0" * low + "1" + low_to_high(len(one), low)
        )
    body = bytes(int(text[i : i + 8][::-1], 2) for i in range(0, len(text), 8))
    return varint(len(lists)) + varint(len(postings) - len(lists)) + (bytes([weight_width]) if weighted else b"") + body


def segment_info(segment: bytes) -> Info:
    """The footer."""
    footer = segment[-64:]
    assert footer[:8] == MARK
    postings, codes = (int.from_bytes(footer[i : i + 8], "little") for i in (8, 16))
    first, documents = (int.from_bytes(footer[i : i + 4], "little") for i in (32, 36))
    return Info(first, documents, postings, codes, footer[40], bool(footer[42]))


def unpack(segment: bytes) -> list[Posting]:
    """All postings of a segment with codes for keys, sorted."""
    info, parted = segment_info(segment), segment[-64 + 41]
    span, width = info.bits - parted, max(info.documents - 1, 0).bit_length()
    stream = int.from_bytes(segment[-64 + 24 : -64 + 32], "little")
    ends = [int.from_bytes(segment[stream + 5 * b : stream + 5 * b + 5], "little") for b in range(1 << parted)]
    out: list[Posting] = []
    for bucket, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        some = list(segment[start:end])
        if not some:
            continue
        codes, more = _varint(some), _varint(some)
        weight_width = some.pop(0) if info.weighted else 0
        bits = _Bits("".join(format(byte, "08b")[::-1] for byte in some))
        documents = [info.first + bits.number(width) for _ in range(codes + more)]
        weights = [bits.number(weight_width) + 1 for _ in range(codes + more)]
        rice, code, at = max(((1 << span) // codes).bit_length() - 1, 0), -1, 0
        for _ in range(codes):
            code += (bits.zeros() << rice) + bits.number(rice) + 1
            low = bits.zeros()
            length = (1 << low) + bits.number(low)
            whole = (bucket << span) + code
            out += [(whole, d, w) for d, w in zip(documents[at : at + length], weights[at:], strict=False)]
            at += length
    return out


class _Bits:
    """Bits that are read in order."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def number(self, width: int) -> int:
        """A number of fixed width."""
        some = self._text[self._at : self._at + width]
        self._at += width
        return int(some[::-1] or "0", 2)

    def zeros(self) -> int:
        """The number of zeros before a one, which is read as well."""
        n = self._text.index("1", self._at) - self._at
        self._at += n + 1
        return n


def _varint(some: list[int]) -> int:
    value = shift = 0
    while True:
        byte = some.pop(0)
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value


def lookup_segments(
    segments: Sequence[bytes], runs: Sequence[Sequence[Posting]], keys: Sequence[int], *, gone: Sequence[int] = (),
    most: int = 0, counted: int = 0, before: Sequence[int] | None = None,
) -> list[tuple[list[tuple[int, int]], int]]:  # fmt: skip
    """For each key the (document, weight) of its list, and the length of the list; `gone` are documents."""
    out = []
    for i, key in enumerate(keys):
        found = [
            (d, w) for s in segments for code, d, w in unpack(s) if code == code_of(key, segment_info(s).bits)
        ] + [(d, w) for run in runs for k, d, w in run if k == key]  # fmt: skip
        living = [(d, w) for d, w in found if d not in gone and (before is None or d < before[i])]
        out.append((living[:most], min(len(living), max(most, counted))) if most else (living, len(living)))
    return out


def merge_segments(segments: Sequence[bytes], *, gone: Sequence[int] = ()) -> bytes:
    """All segments as one. Its buckets are those of all postings, its weights those of any segment."""
    infos = [segment_info(s) for s in segments]
    first, end = infos[0].first, infos[-1].first + infos[-1].documents
    coded = [(code, d, w) for s in segments for code, d, w in unpack(s) if d not in gone]
    postings, weighted = sum(i.postings for i in infos), any(i.weighted for i in infos)
    return _write(coded, first, end - first, infos[0].bits, weighted, postings)
