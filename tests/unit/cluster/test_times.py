"""Covers: quchong.cluster.times, every form of time and what is not one."""

from datetime import UTC, date, datetime

import numpy as np
import pyarrow as pa
import pytest

from quchong.cluster import times as module
from quchong.cluster.times import times
from quchong.errors import UsageError


def seconds(*fields):
    return datetime(*fields, tzinfo=UTC).timestamp()


EVENING = seconds(2020, 3, 30, 23, 37)
DAY = seconds(2020, 3, 30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020-3-30 23:37:00", EVENING),
        ("2020-03-30 23:37", EVENING),
        ("2020-03-30T23:37:00", EVENING),
        ("2020-03-30T23:37:00Z", EVENING),
        ("2020-03-30 23:37:00 UTC", EVENING),
        ("2020-03-30T23:37:00.250Z", EVENING + 0.25),
        ("2020-03-30T23:37:00,5", EVENING + 0.5),
        ("2020-03-31T07:37:00+08:00", EVENING),
        ("2020-03-31T07:37:00+0800", EVENING),
        ("2020-03-31 07:37:00 +08", EVENING),
        ("2020-03-30T19:07:00-04:30", EVENING),
        ("2020-03-30T24:00:00", DAY + 86400),
        ("2020-03-30", DAY),
        ("  2020-03-30\n", DAY),
        ("2020/3/30", DAY),
        ("2020/03/30 23:37", EVENING),
        ("2020.3.30", DAY),
        ("2020年3月30日", DAY),
        ("2020年03月30日 23:37", EVENING),
        ("2020年3月30日23时37分", EVENING),
        ("2020年3月30日23时37分05秒", EVENING + 5),
        ("2020 年 3 月 30 日 23：37：00", EVENING),
        ("20200330", DAY),
        ("202003302337", EVENING),
        ("20200330233700", EVENING),
        ("20200330T233700Z", EVENING),
        ("2020-W14-1", DAY),
        ("Mon, 30 Mar 2020 23:37:00 GMT", EVENING),
        ("Tue, 31 Mar 2020 07:37:00 +0800", EVENING),
        ("30 Mar 2020 23:37:00 -0000", EVENING),
        ("1585611420", EVENING),
        ("1585611420000", EVENING),
        ("1585611420.5", EVENING + 0.5),
        ("-1", -1.0),
        ("1969-12-31 23:59:59", -1.0),
        ("2020-02-29", seconds(2020, 2, 29)),
    ],
)
def test_a_text_form(text, expected):
    assert times(pa.array([text]))[0] == expected


@pytest.mark.parametrize(
    "text",
    ["", " ", "昨天", "2020-02-30", "2019-02-29", "2020-13-01", "2020-0-1", "2020-3-30 25:00", "2020-3-12:37",
     "20200631", "0000-01-01", "2020-03-30 23:37 CST", "30/3/2020", "Mon, 99 Mar 2020 23:37:00 GMT", "nan",
     "٢٠٢٠-٠٣-٣٠"],
)  # fmt: skip
def test_what_is_no_time_is_nan(text):
    assert np.isnan(times(pa.array([text]))[0])


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.string(), pa.large_string()])
def test_numbers_and_their_texts_read_alike(kind):
    values = [0, 1585611420, 1585611420000, 1585611420000000, 1585611420000000000, 20200330, 20200330233700]
    column = pa.array(values).cast(kind) if pa.types.is_integer(kind) else pa.array(values).cast(pa.string()).cast(kind)
    assert times(column).tolist() == [0, EVENING, EVENING, EVENING, EVENING, DAY, EVENING]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "Asia/Shanghai"])
def test_timestamps_of_every_unit(unit, zone):
    column = pa.array([datetime(2020, 3, 30, 23, 37, tzinfo=UTC), None], pa.timestamp(unit, zone))
    np.testing.assert_array_equal(times(column), [EVENING, np.nan])


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64()])
def test_dates(kind):
    np.testing.assert_array_equal(times(pa.array([date(2020, 3, 30), None], kind)), [DAY, np.nan])


def test_chunks_dictionaries_nulls_and_batches(monkeypatch):
    monkeypatch.setattr(module, "BATCH", 2)
    texts = ["2020-3-30", None, "x", "1585611420", "Mon, 30 Mar 2020 23:37:00 GMT"]
    expected = [DAY, np.nan, np.nan, EVENING, EVENING]
    np.testing.assert_array_equal(times(pa.array(texts)), expected)
    np.testing.assert_array_equal(times(pa.array(texts).dictionary_encode()), expected)
    np.testing.assert_array_equal(times(pa.chunked_array([texts[:1], texts[1:]])), expected)
    np.testing.assert_array_equal(times(pa.nulls(2)), [np.nan, np.nan])
    assert times(pa.array([], pa.string())).shape == times(pa.chunked_array([], pa.string())).shape == (0,)
    np.testing.assert_array_equal(times(pa.array([np.inf, np.nan, None])), [np.nan] * 3)


@pytest.mark.parametrize("column", [pa.array([True]), pa.array([[1]]), pa.array([{"a": 1}])])
def test_other_types_are_refused(column):
    with pytest.raises(UsageError, match="holds no times"):
        times(column)
