"""Check of what a part of a run stored of its inputs, before another process uses it."""

from __future__ import annotations

from typing import Any

import numpy as np

from quchong.io.bad_records import BadRecords
from quchong.work import Damaged
from quchong.work.checks import check_array, check_type

DONE = "part"
"""Name of the value that a part stores last: what it read of each input."""
_FIELDS = {"source", "counts", "bad", "bad_rows", "numbers", "first", "found", "pieces", "pages"}


def check_part(value: Any) -> None:
    """Raise Damaged unless `value` is a list with one entry for each input of a part.

    An entry has the index of the input (`source`), the documents of each batch (`counts`), bad records and their rows, `numbers` (True if
    all ids were whole numbers), `first` (True if the first block was its own), what reading found (`quchong.io.found_properties`), and
    the `pieces` of the file that it hashed.
    """
    check_type(value, list)
    for entry in value:
        check_type(entry, dict)
        if set(entry) != _FIELDS or type(entry["source"]) is not int or entry["source"] < 0:
            raise Damaged("what a part read of no input")
        check_array(entry["counts"], np.int64)
        check_array(entry["bad_rows"], np.int64)
        if (entry["counts"] < 0).any() or (entry["bad_rows"] < 0).any():
            raise Damaged("fewer documents than none")
        check_type(entry["bad"], BadRecords)
        entry["bad"].check()
        check_type(entry["numbers"], bool)
        check_type(entry["pages"], bool)
        check_type(entry["first"], bool)
        check_type(entry["found"], dict)
        check_type(entry["pieces"], list)
        if not all(_is_piece(one) for one in entry["pieces"]):
            raise Damaged("no piece of a file")
        if (rows := entry["found"].get("_bad_rows")) is not None:
            check_array(rows, np.int64)


def _is_piece(value: Any) -> bool:
    return type(value) is tuple and list(map(type, value)) == [int, int, str] and 0 <= value[0] <= value[1]
