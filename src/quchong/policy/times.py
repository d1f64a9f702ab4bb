"""Parsing of times as news and crawls write them, to seconds since 1970-01-01 UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import UsageError
from quchong.patterns import lazy_pattern

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BATCH = 1 << 18
"""Strings parsed at once, which bounds the memory of the regular expression's captures."""

NUMBER = r"^[+-]?[0-9]+(?:\.[0-9]+)?$"
CALENDAR = (
    r"^(?P<year>[0-9]{4})\s*[-/.年]\s*(?P<month>[0-9]{1,2})\s*[-/.月]\s*(?P<day>[0-9]{1,2})\s*"
    r"(?:日?|(?:日\s*|T\s*|\s)"
    r"(?P<hour>[0-9]{1,2})\s*[:：时時点點]\s*(?P<minute>[0-9]{1,2})\s*分?"
    r"(?:\s*[:：]?\s*(?P<second>[0-9]{1,2})(?:[.,](?P<fraction>[0-9]+))?\s*秒?)?\s*"
    r"(?:Z|z|UTC|GMT|(?P<sign>[+-])(?P<zone_hours>[0-9]{2}):?(?P<zone_minutes>[0-9]{2})?)?)$"
)
"""ISO 8601 with date and time of day, unpadded, with slashes or dots, or with Chinese units."""

ZONE = r"(?i)[:：][0-9.,:：]*[0-9]\s*[秒分]?\s*(?:z|utc|gmt|[ecmp][sd]t|[+-][0-9]{2}(?::?[0-9]{2})?)\s*(?:\([^)]*\))?$"
"""End of a time of day that names a zone or an offset."""

CLOCK = r"(?:[,T\s]\s*(?P<clock>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?))?"
DAY_FIRST = lazy_pattern(
    r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})" + CLOCK, re.ASCII
)
"""Dates with the year last: 30.03.2020, 03/30/2020. The day is known if one number is above 12, or both are equal."""
NAMED = (
    lazy_pattern(
        r"(?P<day>\d{1,2})[-\s](?P<month>[a-z]{3,9})\.?[-,\s]\s*(?P<year>\d{4})" + CLOCK, re.ASCII | re.IGNORECASE
    ),
    lazy_pattern(r"(?P<month>[a-z]{3,9})\.?\s+(?P<day>\d{1,2}),?\s+(?P<year>\d{4})" + CLOCK, re.ASCII | re.IGNORECASE),
)
"""Dates with the name of the month: 26-FEB-1987 15:01:01.79, Feb 26, 1987."""
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip

COMPACT = ((8, 1_000_000), (12, 100), (14, 1))
"""Digits of 20250628, 202506282337 and 20250628233700, and the factor that extends each to the last form."""


def times(column: Any) -> Floats:
    """Parse a column of times to seconds since 1970-01-01 UTC; NaN if unreadable.

    Understood are Arrow timestamps and dates; epoch numbers, in seconds or, by their size, milliseconds,
    microseconds or nanoseconds; 20250628, 202506282337 and 20250628233700 between 1900 and 2099, as number or
    text; ISO 8601; 2020-3-30 23:37:00, 2020/3/30, 2020.3.30, 2020年3月30日 23时37分; RFC 2822; 26-FEB-1987,
    Feb 26, 1987; 30.03.2020 and 03/30/2020, where only one of both numbers can be the day (03/04/2020 is not read). A
    time without a zone counts as UTC.

    Args:
        column: pyarrow Array or ChunkedArray of timestamps, dates, numbers or strings, plain or dictionary-encoded.

    Returns:
        float64 (rows,), seconds since 1970-01-01 UTC. Null, empty and unreadable values are NaN.

    Raises:
        UsageError: the column is of a type that holds no times (booleans, lists, structs, ...).

    Cost:
        About a microsecond a row; less if all are padded ISO 8601 (2020-03-30 23:37:05); RFC 2822, names of months and the rarer forms
        of ISO 8601 some ten.
    """
    values = plain_column(column)
    kind = values.type
    if pa.types.is_null(kind) or (values.null_count == len(values) and pa.types.is_large_string(kind)):
        return np.full(len(values), np.nan)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return _stamps(values)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _numbers(_floats(values))
    if pa.types.is_large_string(kind):
        parts = [_iso_strings(part) for part in (values.slice(at, BATCH) for at in range(0, len(values), BATCH))]
        return np.concatenate(parts) if parts else np.empty(0)
    raise UsageError("a column of type {} does not contain times; use timestamps, dates, numbers or strings", kind)


def zoned(column: Any) -> npt.NDArray[np.bool_]:
    """Return a boolean mask of the values whose moment is certain: they name a zone or an offset, or count from an epoch.

    Dates and times of day without a zone, and values that are no times, are False.

    >>> zoned(pa.array(["2026-03-01 08:00", "2026-03-01T08:00+08:00", "Sun, 01 Mar 2026 08:00:00 GMT"])).tolist()
    [False, True, True]
    """
    values = plain_column(column)
    kind = values.type
    if pa.types.is_timestamp(kind):
        return np.full(len(values), kind.tz is not None)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        size = np.abs(_floats(values))  # 20250628 and its longer forms are dates of a calendar
        return np.isfinite(size) & ~_written_as_calendar(size)
    if not pa.types.is_large_string(kind):
        return np.zeros(len(values), bool)
    texts = pc.utf8_trim_whitespace(values)
    mask = _mask(pc.match_substring_regex(texts, ZONE))
    number = np.flatnonzero(_mask(pc.match_substring_regex(texts, NUMBER)))
    mask[number] = ~_written_as_calendar(np.abs(_floats(texts.take(pa.array(number)))))
    return mask


def wall_clock(seconds: Floats, has_zone: npt.NDArray[np.bool_], zone: tzinfo) -> Floats:
    """Return times as a clock in `zone` shows them, in seconds since 1970-01-01 00:00 there; times without zone are taken as local.

    Args:
        seconds, has_zone: as `times` and `zoned` return them for one column.
    """
    out = seconds.copy()
    for at in np.flatnonzero(np.isfinite(seconds) & has_zone).tolist():
        offset = datetime.fromtimestamp(float(seconds[at]), zone).utcoffset()
        out[at] += 0.0 if offset is None else offset.total_seconds()
    return out


def _written_as_calendar(size: Floats) -> npt.NDArray[np.bool_]:
    """Return a mask of the numbers that are dates written as one number, such as 20250628."""
    mask = np.zeros(len(size), bool)
    for digits, _ in COMPACT:
        scale = 10.0 ** (digits - 4)
        mask |= (size >= 1900 * scale) & (size < 2100 * scale)
    return mask


def plain_column(column: Any) -> Any:
    """Convert a column to one array without dictionary encoding, strings of any kind as large strings."""
    chunks = [_undone(chunk) for chunk in (column.chunks if isinstance(column, pa.ChunkedArray) else [column])]
    return pa.concat_arrays(chunks) if chunks else _undone(pa.nulls(0, column.type))


def _undone(chunk: Any) -> Any:
    if pa.types.is_dictionary(chunk.type):
        return _undone(chunk.dictionary).take(chunk.indices)
    kind = chunk.type
    return chunk.cast(pa.large_string()) if pa.types.is_string(kind) or pa.types.is_string_view(kind) else chunk


def _stamps(values: Any) -> Floats:
    if pa.types.is_date(values.type):
        values = values.cast(pa.timestamp("ms"))
    units = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
    return _floats(values.cast(pa.int64())) / units[values.type.unit]


def _floats(values: Any) -> Floats:
    """Convert values to floats, nulls to NaN; 64-bit integers lose far less than a second."""
    floats = pc.fill_null(values.cast(pa.float64(), safe=False), float("nan"))
    return np.asarray(floats.to_numpy(zero_copy_only=False), dtype=np.float64)


def _numbers(values: Floats) -> Floats:
    """Convert epoch numbers, in a unit guessed by their size, or calendar dates written as one number, to seconds."""
    size = np.abs(values)
    unit = np.select([size < 1e11, size < 1e14, size < 1e17], [1.0, 1e3, 1e6], 1e9)
    values = np.where(np.isfinite(values), values, np.nan)
    seconds: Floats = values / unit
    for digits, factor in COMPACT:
        scale = 10 ** (digits - 4)
        compact = np.flatnonzero((values >= 1900 * scale) & (values < 2100 * scale) & (values % 1 == 0))
        rest = values[compact].astype(np.int64) * factor
        fields = [rest // 100**place % 100 for place in range(5)]
        second, minute, hour, day, month = fields
        seconds[compact] = _calendar(rest // 100**5, month, day, hour, minute, second.astype(np.float64))
    return seconds


FEW = 64
"""Strings that are tried before a batch is."""
SECOND_DAY = -62_135_510_400
"""Seconds at the end of the first day of the year 1, UTC. Arrow has a year 0 before it, `_strings` has none."""


def _iso_strings(texts: Any) -> Floats:
    """Return what `_strings` returns, sooner if Arrow can parse all texts: padded ISO 8601, all with a zone or all without."""
    for zone in (None, "UTC"):
        stamp = pa.timestamp("us", zone)
        try:
            # A few first: Arrow makes an error of every text that it cannot parse, which takes as long as `_strings`.
            texts[:FEW].cast(stamp)
            stamps = texts.cast(stamp).cast(pa.int64())
        except pa.ArrowInvalid:
            continue
        whole, fraction = np.divmod(np.asarray(pc.fill_null(stamps, 0)), 1_000_000)
        if (whole < SECOND_DAY).any():
            break
        return np.where(_mask(stamps.is_null()), np.nan, whole + fraction / 1e6)
    return _strings(texts)


def _strings(texts: Any) -> Floats:
    texts = pc.utf8_trim_whitespace(texts)
    seconds = np.full(len(texts), np.nan)
    number = _mask(pc.match_substring_regex(texts, NUMBER))
    seconds[number] = _numbers(_floats(texts.filter(pa.array(number))))

    match = pc.extract_regex(texts, CALENDAR)
    written = _mask(match.is_valid())
    parts = match.filter(pa.array(written))

    def field(name: str, absent: str = "0") -> Ints:
        found = pc.struct_field(parts, name)
        found = pc.if_else(pc.equal(found, ""), absent, found)
        return np.asarray(found.cast(pa.int64()).to_numpy(zero_copy_only=False), dtype=np.int64)

    fraction = pc.replace_substring_regex(pc.struct_field(parts, "fraction"), "^", "0.")
    second = field("second") + _floats(fraction)
    zone = field("zone_hours") * 3600 + field("zone_minutes") * 60
    west = _mask(pc.equal(pc.struct_field(parts, "sign"), "-"))
    local = _calendar(field("year"), field("month"), field("day"), field("hour"), field("minute"), second)
    seconds[written] = local - np.where(west, -zone, zone)

    rest = np.flatnonzero(~number & ~written & _mask(pc.not_equal(texts, "")))
    seconds[rest] = [_rare(text) for text in texts.take(pa.array(rest)).to_pylist()]
    return seconds


def _mask(booleans: Any) -> npt.NDArray[np.bool_]:
    return np.asarray(pc.fill_null(booleans, False).to_numpy(zero_copy_only=False), dtype=np.bool_)


def _calendar(year: Ints, month: Ints, day: Ints, hour: Ints, minute: Ints, second: Floats) -> Floats:
    """Convert calendar dates to seconds, NaN if there is no such day or time of day."""
    months = (year - 1970) * 12 + month - 1
    first = months.astype("M8[M]").astype("M8[D]").astype(np.int64)
    following = (months + 1).astype("M8[M]").astype("M8[D]").astype(np.int64)
    of_day = hour * 3600 + minute * 60 + second
    valid = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= following - first)
    valid &= (minute < 60) & (second < 61) & (of_day <= 86400)
    return np.where(valid, (first + day - 1) * 86400.0 + of_day, np.nan)


def readable_and_unread(column: Any) -> tuple[int, Any]:
    """Return how many values of a column can be read as times, and those that are not empty and cannot, as strings.

    Raises:
        UsageError: as `times`.
    """
    values = plain_column(column)
    seconds = times(values)
    shown = values.cast(pa.int64()) if pa.types.is_timestamp(values.type) else values  # its time zone may be unknown
    strings = (
        shown.cast(pa.large_string()) if not pa.types.is_null(shown.type) else pa.nulls(len(shown), pa.large_string())
    )
    held = pc.fill_null(pc.not_equal(pc.utf8_trim_whitespace(strings), ""), False)
    return int(np.isfinite(seconds).sum()), strings.filter(pc.and_(held, pa.array(np.isnan(seconds))))


def _dated(text: str) -> str | None:
    """Convert a date with the year last, or with a month's name, to ISO 8601; None for another, or if the day is ambiguous."""
    if found := DAY_FIRST.fullmatch(text):
        first, second = int(found["first"]), int(found["second"])
        if first <= 12 and second <= 12 and first != second:
            return None
        day, month = (second, first) if second > 12 else (first, second)
    elif found := NAMED[0].fullmatch(text) or NAMED[1].fullmatch(text):
        name = found["month"].lower()
        known = [i for i, m in enumerate(MONTHS, 1) if name == m or (name in (m[:3], "sept") and m[:3] == name[:3])]
        if not known:
            return None
        day, month = int(found["day"]), known[0]
    else:
        return None
    date = f"{found['year']}-{month:02}-{day:02}"
    return f"{date}T{found['clock'].replace(',', '.').zfill(5)}" if found["clock"] else date


def _rare(text: str) -> float:
    """Return the seconds since 1970 UTC of one time in a rarer form (ISO 8601, RFC 2822, month names, year last); NaN if unreadable."""
    text = _dated(text) or text
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return float("nan")
