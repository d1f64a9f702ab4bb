"""States of filters and statistics that claim what they are not: an error before any memory is taken."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong.errors import InputError, QuchongError
from quchong.features.statistics import _KEY, FeatureStatistics
from quchong.filters.bloom import Bloom, PrintedBloom
from quchong.filters.confirmed import Confirmed
from quchong.filters.digit_trie import DigestSet, DigitTrie
from quchong.filters.state_file import MAGIC, State, read_state, write_state

FILTERS = [
    lambda: Bloom(100, 0.01),
    lambda: PrintedBloom(1000),
    DigitTrie,
    DigestSet,
    lambda: Confirmed(Bloom(100, 0.01)),
]


def file_of(header: object, body: bytes = b"") -> bytes:
    """A state with this header and a checksum that is right."""
    told = header if isinstance(header, bytes) else json.dumps(header).encode()
    front = MAGIC + (1).to_bytes(4, "little") + len(told).to_bytes(4, "little") + told + body
    return front + hashlib.blake2b(front, digest_size=16).digest()


@pytest.mark.parametrize(
    "header",
    [
        {"kind": "bloom", "settings": {}, "numbers": {}, "sections": [["<u8", 2**60]]},
        {"kind": "bloom", "settings": {}, "numbers": {}, "sections": [["<u8", -1]]},
        {"kind": "bloom", "settings": {}, "numbers": {}, "sections": [["<u8", float("inf")]]},
        {"kind": "bloom", "settings": [1], "numbers": {}, "sections": []},
        {"kind": "bloom", "settings": {}, "numbers": {}, "sections": [["O", 1]]},
        [1, 2],
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_headers_that_make_no_sense(header, tmp_path):
    (tmp_path / "s").write_bytes(file_of(header))
    with pytest.raises(InputError, match="is damaged"):
        read_state(tmp_path / "s")


@pytest.mark.parametrize("make", FILTERS)
def test_a_filter_larger_than_its_file_is_not_made(make, tmp_path):
    filter_ = make()
    filter_.seen_before(["a", "b"])
    state = filter_.state()
    for name, value in (
        ("capacity", 2**40),
        ("bits", 2**40),
        ("capacity", 2**60),
        ("error_rate", 1e-12),
        ("capacity", "x"),
    ):
        if name in state.settings:
            write_state(
                State(state.kind, state.settings | {name: value}, state.numbers, state.sections), tmp_path / "s"
            )
            with pytest.raises(QuchongError):  # and no MemoryError
                type(filter_).load(tmp_path / "s")


@pytest.mark.parametrize("make", FILTERS)
def test_contents_of_another_shape(make, tmp_path):
    filter_ = make()
    filter_.seen_before(["a", "b"])
    state = filter_.state()
    odd = [*(state.sections[:n] for n in range(len(state.sections))), [*state.sections, np.zeros(3, np.uint64)] * 40,
           [part[:-1] for part in state.sections]]  # fmt: skip
    for sections in odd:
        write_state(State(state.kind, state.settings, state.numbers, sections), tmp_path / "s")
        try:
            type(filter_).load(tmp_path / "s").seen_before(["a"])
        except QuchongError:
            continue
    for numbers in (
        {},
        {name: None for name in state.numbers},
        {name: -1 for name in state.numbers},
        state.numbers | {"tally": "x"},
    ):
        write_state(State(state.kind, state.settings, numbers, state.sections), tmp_path / "s")
        with pytest.raises(QuchongError):
            type(filter_).load(tmp_path / "s")


KINDS = pa.uint64(), pa.uint32()


def statistics_file(path, head, features=(1, 2), counts=(1, 1), kinds=KINDS):
    table = pa.table({"feature": pa.array(features).cast(kinds[0]), "documents": pa.array(counts).cast(kinds[1])})
    told = head if isinstance(head, bytes) else json.dumps(head)
    pq.write_table(table.replace_schema_metadata({_KEY: told}), path)


def test_statistics_that_are_none(tmp_path):
    path = tmp_path / "s.parquet"
    whole = FeatureStatistics(3, np.array([1, 2], np.uint64), np.array([1, 1], np.uint32), 2, {})
    head = {"version": 2, "documents": 3, "ngram": 2, "form": {}, "digest": whole.digest}
    statistics_file(path, head)
    assert FeatureStatistics.load(path).documents == 3
    heads = [
        b"[",
        b"[" * 50_000,
        b"\xff",
        b"1",
        {},
        *({**head, key: wrong} for key in head for wrong in (None, [], -1, "x", 2**70)),
    ]
    for one in heads:
        statistics_file(path, one)
        with pytest.raises(InputError):
            FeatureStatistics.load(path)
    for odd in (
        {"features": (2, 1)},
        {"features": (1, None)},
        {"kinds": (pa.string(), pa.uint32())},
        {"kinds": (pa.uint64(), pa.float32())},
    ):
        statistics_file(path, head, **odd)
        with pytest.raises(InputError):
            FeatureStatistics.load(path)
    pq.write_table(pa.table({"x": [1]}).replace_schema_metadata({_KEY: json.dumps(head)}), path)
    with pytest.raises(InputError):
        FeatureStatistics.load(path)


def test_the_least_error_rate_can_be_asked_for_and_grown_to():
    """Where no number of bits a text can reach the rate with few texts in a block, the most bits are used."""
    assert Bloom(100, 1e-12).memory_bytes < 10_000
    small = Bloom(1, 1e-11)
    assert not small.seen_before([str(n) for n in range(300)]).any() and small.seen_before(["7"]).all()
