"""Covers: --workers of every command that has it, and of the filters' API: 1 to 1024, said so where it is not."""

import pytest

import quchong as qc
from quchong.engines.stream import Stream
from quchong.filters import DigestSet
from quchong.kernels.checked import MOST_WORKERS

ROWS = [{"id": "a", "text": "网页去重技术研究与实现"}]


@pytest.mark.parametrize("name", ["dedup", "filter", "passages", "statistics"])
@pytest.mark.parametrize("given", ["0", "-3", "1025", "9223372036854775808"])
def test_other_numbers_of_workers_are_an_option_error(name, given, command, jsonl, tmp_path):
    output = [] if name == "filter" else ["-o", str(tmp_path / "out.parquet")]
    said = command(name, jsonl("in.jsonl", ROWS), *output, "--workers", given)
    assert said.code == 2
    assert "--workers must be a whole number from 1 to 1024" in said.line


@pytest.mark.parametrize("given", [0, 2**63, 1.5])
def test_a_filter_of_a_stream_says_so_before_it_reads(given):
    with pytest.raises(qc.UsageError, match="workers must be a whole number from 1 to 1024"):
        Stream(DigestSet(), ["text"], given)


def test_a_thousand_workers_are_taken():
    assert qc.dedup(ROWS, workers=1000).kept.num_rows == 1
    assert MOST_WORKERS == 1024
