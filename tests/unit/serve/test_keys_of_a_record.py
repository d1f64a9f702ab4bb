"""Covers: a record without a text names the keys that it has, a few of them, shortened; a record with a null text says that."""

import pytest

from quchong.api.index_records import check_texts
from quchong.io.records.reader import Refused


def reason(record):
    with pytest.raises(Refused) as raised:
        check_texts(record, ("text", "html"))
    return str(raised.value.reason)


def test_the_keys_that_are_there_are_named():
    assert reason({"txt": "a"}) == "no key 'text' or 'html'; the record has 'txt'"


def test_an_empty_record_has_none():
    assert reason({}) == "no key 'text' or 'html'"


def test_a_null_is_no_missing_key():
    assert reason({"text": None, "txt": "a"}) == "text is null"


def test_they_are_bounded():
    said = reason({f"{number}" + "k" * 1000: 1 for number in range(1000)})
    assert said.endswith(", ...") and len(said) < 400
