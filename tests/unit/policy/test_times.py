"""Covers: quchong.policy.times, every form of time and what is not one."""

from datetime import UTC, date, datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.errors import UsageError
from quchong.policy import times as module
from quchong.policy.times import times

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"


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
        ("26-FEB-1987 15:01:01.79", seconds(1987, 2, 26, 15, 1, 1) + 0.79),
        ("26-Feb-1987", seconds(1987, 2, 26)),
        ("30 March 2020", DAY),
        ("Mar 30, 2020", DAY),
        ("Sept. 3, 2020 9:05", seconds(2020, 9, 3, 9, 5)),
        ("30.03.2020", DAY),
        ("30/3/2020 23:37", EVENING),
        ("03/30/2020", DAY),
        ("3-30-2020", DAY),
        ("03/03/2020", seconds(2020, 3, 3)),
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
     "20200631", "0000-01-01", "2020-03-30 23:37 CST", "3/4/2020", "Mon, 99 Mar 2020 23:37:00 GMT", "nan",
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
    with pytest.raises(UsageError, match="does not contain times"):
        times(column)


@pytest.mark.parametrize(
    "text", ["03/04/2020", "4.3.2020", "31/31/2020", "30.03/2020", "30-Foo-2020", "Ma 3, 2020", "昨天", "30.02.2020"]
)
def test_what_could_be_two_days_or_none_is_not_read(text):
    assert np.isnan(times(pa.array([text]))).all()
    assert counted([text, None, " ", "2020-03-30"]) == (1, [text])


def counted(values):
    readable, unread = module.readable_and_unread(pa.array(values))
    return readable, unread.to_pylist()


def test_unread_are_values_of_any_type_that_hold_no_time():
    assert counted([1.5, float("inf"), None]) == (1, ["inf"])
    assert counted([None, None]) == (0, [])
    assert counted([date(2020, 3, 30), None]) == (1, [])


YEARS = st.sampled_from(["0000", "0001", "0002", "1583", "1969", "2020", "9999", "-2020", "12020"])
TWO = st.sampled_from(["00", "01", "3", "09", "12", "13", "23", "24", "29", "31", "59", "60", "61"])
CLOCKS = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["T", " ", "t", "  "]), TWO, st.sampled_from([":", ""]), TWO,
    st.one_of(st.just(""), st.builds(":{}{}".format, TWO, st.sampled_from(["", ".5", ",5", ".270939", ".999999", ".1234567"]))),
)  # fmt: skip
ZONES = st.sampled_from(["", "", "Z", "z", " Z", "+08:00", "-0530", "+08", "+8", "+23:59", "+99:99", "UTC", "日"])
WRITTEN = st.builds(
    "{}{}{}-{}{}{}".format, YEARS, st.sampled_from("--/"), TWO, TWO, st.one_of(st.just(""), CLOCKS), ZONES
)


@settings(max_examples=400)
@example(texts=["1583-12-01 23:59:59.270939"])
@given(texts=st.lists(st.one_of(WRITTEN, st.none()), min_size=1, max_size=3))
def test_times_that_arrow_parses_are_those_of_the_expressions(texts):
    """Where Arrow can parse all texts, each is what the regular expressions make of it, and so it is where it cannot."""
    values = pa.array(texts, pa.large_string())
    np.testing.assert_array_equal(times(values), module._strings(values))


def test_padded_times_are_parsed_by_arrow(monkeypatch):
    monkeypatch.delattr(module, "_strings")
    expected = [EVENING, np.nan, EVENING + 0.25]
    np.testing.assert_array_equal(times(pa.array(["2020-03-30 23:37", None, "2020-03-30T23:37:00.25"])), expected)
    np.testing.assert_array_equal(
        times(pa.array(["2020-03-31T07:37+08:00", None, "2020-03-30 23:37:00.25Z"])), expected
    )


def test_times_that_cannot_be_read_are_an_error_not_an_empty_result():
    rows = [{"id": str(i), "text": SPRING, "date": "03/04/2020"} for i in range(3)]
    with pytest.raises(qc.UsageError, match=r"03/04/2020.*ISO 8601"):
        qc.dedup(rows, within="7d", time="date")
