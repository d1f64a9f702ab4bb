"""Times that Python has no word for: far years, zones nobody knows, columns of unusual types."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.policy.times import times

TEXTS = ["今天天气很好，我们去公园散步看花", "今天天气很好，我们去公园散步看花", "another text here with words"]
FAR = [
    *(
        pa.array([value, value, 0], pa.timestamp(unit))
        for unit in ("s", "ms", "us", "ns")
        for value in (2**63 - 1, 1 - 2**63)
    ),
    pa.array([2**31 - 1, -(2**31), 0], pa.date32()),
    pa.array([1, 2, 3], pa.timestamp("s", "Mars/Olympus")),
    pa.array([2**60, 2, 3], pa.timestamp("s", "Asia/Shanghai")),
]


@pytest.mark.parametrize(
    "column",
    FAR,
    ids=lambda column: (
        f"{column.type} {pc.cast(column[0], pa.int64(), safe=False) if not pa.types.is_date(column.type) else ''}"
    ),
)
@pytest.mark.parametrize(
    "options", [{"keep": "earliest"}, {"within": "7d"}, {"keep": "column:time desc"}, {"per": "time"}], ids=str
)
def test_a_run_over_times_of_any_size(column, options):
    """Two rows have one id, so that their other columns are compared too."""
    table = pa.table({"id": ["a", "a", "b"], "text": TEXTS, "time": column})
    result = qc.dedup(table, recall_sample=0, **options)
    assert result.counts["read"] == 3 == result.kept.num_rows + result.removed.num_rows


def test_dictionaries_and_views():
    shown = pa.array(["2020-01-01", "x"], pa.string_view())
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), shown)
    found = times(pa.chunked_array([column, column.slice(1)]))
    assert found[0] == 1577836800 and np.isnan(found[1:]).all() and len(found) == 5


def test_a_column_without_an_order_is_said_to_have_none():
    table = pa.table({"text": TEXTS, "span": pa.array([(1, 2, 3)] * 3, pa.month_day_nano_interval())})
    with pytest.raises(UsageError, match="and values of this type have no order"):
        qc.dedup(table, keep="column:span desc")
