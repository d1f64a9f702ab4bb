"""Readers of an index see each change that was acknowledged before they ask, by whichever thread and in whatever order they ask."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import quchong as qc

WORDS = "江河湖海山川田野春夏秋冬风雨雷电日月星辰东南西北城市乡村道路桥梁学校工厂商店医院公园车站"


def text(number: int) -> str:
    """Return a text that has little in common with those of other numbers."""
    draw = random.Random(number)
    return "".join(draw.choice(WORDS) for _ in range(60)) + "。"


@pytest.mark.parametrize("store", ["text", "features"])
def test_readers_of_several_threads_see_each_change_before_they_ask(tmp_path: Path, store: str) -> None:
    draw = random.Random(36)
    there: set[int] = set()
    with (
        qc.Index.create(tmp_path / "seen", store=store) as writer,
        qc.Index(tmp_path / "seen", read_only=True) as reader,
        ThreadPoolExecutor(1) as other,
    ):
        for number in range(24):
            if there and draw.random() < 0.3:
                gone = draw.choice(sorted(there))
                assert writer.delete(f"d{gone}") == 1
                there.remove(gone)
            else:
                writer.add({"id": f"d{number}", "text": text(number)})
                there.add(number)
            if number == 15:
                writer.compact()
            # Each asks after some of the changes alone, so that it has several to catch up with.
            for answer in [reader.query] * (number % 2) + [lambda t: other.submit(reader.query, t).result()] * (
                number % 3
            ):
                for asked in (number, *draw.sample(range(number + 1), min(2, number + 1))):
                    found = answer(text(asked))
                    assert (not found.new) == (asked in there)
        assert len(reader) == len(there)


def test_a_reader_that_missed_nothing_reads_nothing_of_the_tables(tmp_path: Path) -> None:
    with qc.Index.create(tmp_path / "seen") as writer, qc.Index(tmp_path / "seen", read_only=True) as reader:
        writer.add([{"id": f"d{n}", "text": text(n)} for n in range(3)])
        stored = reader._open
        asked: list[str] = []
        stored.catalogue.reader.set_trace_callback(asked.append)
        assert reader._open is stored
        assert [one for one in asked if "SELECT" in one] == []
        writer.delete("d0")
        assert reader._open is stored
        assert [one for one in asked if "SELECT" in one]
