"""Dicts, frames and paths with half characters, repeated names, and values of odd types."""

from __future__ import annotations

import pandas as pd
import pytest

import quchong as qc
from quchong.errors import QuchongError, UsageError

HALF = "\ud800"
ROWS = [{"id": f"d{n}", "text": text, "k": n} for n, text in enumerate(["a b c d e", "f g h i j", "k l m n o"])]


def with_value(key, value):
    return [{**ROWS[0], key: value}, *ROWS[1:]]


@pytest.mark.parametrize(
    "rows",
    [with_value("id", HALF), with_value("k", HALF), with_value(HALF, "x"), with_value("k", {"a": HALF}), with_value("k", {HALF: 1}), ["a", HALF]],
    ids=["id", "column", "key", "nested", "nested key", "text"],
)  # fmt: skip
def test_half_a_character_is_told_with_its_place(rows):
    with pytest.raises(UsageError, match=r"(item \d|a key).* contains an incomplete character"):
        qc.dedup(rows)


@pytest.mark.parametrize(
    "option",
    [
        {"text": HALF},
        {"id": HALF},
        {"per": HALF},
        {"keep": f"column:{HALF}"},
        {"protect": [HALF]},
        {"boilerplate": [HALF]},
    ],
    ids=str,
)
def test_half_a_character_in_an_option(option):
    with pytest.raises(QuchongError):
        qc.dedup(ROWS, **option)


@pytest.mark.parametrize("name", [f"/tmp/{HALF}", "/tmp/a\0b", "/tmp/" + "a" * 5000], ids=["half", "nul", "long"])
def test_names_that_no_file_can_have(name):
    for call in (lambda: qc.dedup(name), lambda: qc.load(name), lambda: qc.dedup(ROWS).save(name)):
        with pytest.raises(QuchongError):
            call()


def test_frames_with_repeated_columns_or_half_characters():
    with pytest.raises(UsageError, match="Duplicate column names"):
        qc.dedup(pd.DataFrame([["x", 2, 3]], columns=["text", "a", "a"]))
    with pytest.raises(UsageError, match="surrogates not allowed"):
        qc.dedup(pd.DataFrame({"text": ["a", HALF]}))


def test_values_of_any_type_are_kept():
    assert qc.dedup([{"text": "a b c", 1: 2}, {"text": "d e f", 1: 3}]).kept["1"].to_pylist() == [2, 3]
    assert qc.dedup(with_value("k", 10**30)).kept["k"].to_pylist() == [str(10**30), "1", "2"]
    assert qc.dedup(with_value("k", {"a": 10**30})).kept["k"].to_pylist()[0] == '{"a": ' + str(10**30) + "}"
    assert qc.dedup(with_value("k", {1})).kept["k"].to_pylist()[0] == '"{1}"'
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(UsageError, match="nested too deeply"):
        qc.dedup(with_value("k", deep))
