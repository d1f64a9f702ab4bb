"""Covers: who may meet whom (`quchong.decision.scope`), and which pairs are looked at (`DocumentColumns.compared`)."""

import numpy as np
import pyarrow as pa
import pytest

from quchong.decision.documents import DocumentColumns
from quchong.decision.scope import ScopeColumns, scope_columns
from quchong.errors import UsageError
from quchong.plan.plan import Scope
from quchong.seam import Features

LEFT, RIGHT = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 3])


def test_without_a_scope_all_may_meet():
    scope = scope_columns(Scope(), pa.table({"id": ["a", "b"]}), "time")
    assert (scope.codes, scope.seconds) == (None, None)
    assert scope.allows(LEFT, RIGHT).all()
    assert scope.code(3).tolist() == [0, 0, 0]


def test_a_missing_value_is_one_of_its_own():
    columns = pa.table({"lang": [None, "", None, "zh"], "site": ["a", "a", "b", "b"]})
    by_lang = scope_columns(Scope(per="lang"), columns, "time")
    assert by_lang.allows(LEFT, RIGHT).tolist() == [False, True, False, False]
    both = scope_columns(Scope(per="lang", same_site=True), columns, "time")
    assert not both.allows(LEFT, RIGHT).any()


def test_documents_without_a_time_meet_nobody_within_a_window():
    columns = pa.table({"time": ["2026-03-05T08:00:00", "2026-03-05T09:00:00", None, None]})
    scope = scope_columns(Scope(within=3600.0), columns, "time")
    assert scope.allows(LEFT, RIGHT).tolist() == [True, False, False, False]
    with pytest.raises(UsageError, match="can be read as a time"):
        scope_columns(Scope(within=3600.0), pa.table({"time": ["soon", "later"]}), "time")


def test_references_are_not_compared_with_each_other():
    none = Features(*(np.zeros(4, np.uint32) for _ in range(4)), np.zeros(1, np.int64), np.zeros(0, np.uint64))
    known = DocumentColumns.unranked(pa.array(list("abcd"), pa.large_string()), np.arange(4), none, references=2)
    assert known.scope == ScopeColumns()
    assert known.compared(LEFT, RIGHT, only_against=False).tolist() == [False, True, True, True]
    assert known.compared(LEFT, RIGHT, only_against=True).tolist() == [False, True, True, False]
