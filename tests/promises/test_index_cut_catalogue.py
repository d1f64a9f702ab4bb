"""Covers: an index whose catalogue is cut off at any length: repair keeps what can be read, or says plainly that nothing can.

Run: pytest tests/promises/test_index_cut_catalogue.py.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest

import quchong as qc
from quchong.errors import RunError

ROWS = [
    {"id": f"d{k:03}", "text": "".join(random.Random(k).choices("天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村", k=600))}
    for k in range(300)
]  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    place = tmp_path_factory.mktemp("cut") / "seen"
    with qc.Index.create(place) as index:
        index.add(ROWS)
        index._open.tidy()
    return place


@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_repair_keeps_what_can_be_read_or_says_that_nothing_can(whole, tmp_path, share):
    folder = shutil.copytree(whole, tmp_path / "seen")
    catalogue = folder / "g000001" / "catalogue.sqlite"
    size = int(catalogue.stat().st_size * share)
    with catalogue.open("r+b") as file:
        file.truncate(size)
    found = qc.Index.verify_folder(folder)
    assert found and "quchong index verify" not in str([one.reason for one in found])
    try:
        told = qc.Index.repair_folder(folder)
    except RunError as error:
        assert share <= 0.3, "what is after the roots of the tables can be read"
        assert str(error) == (
            f"{folder}: no document of the catalogue can be read, so nothing can be saved: restore a backup, or create the index again"
        )
        assert catalogue.stat().st_size == size and sorted(one.name for one in folder.iterdir()) == [
            "g000001",
            "index.json",
        ]
        return
    assert qc.Index.verify_folder(folder) == []
    with qc.Index(folder, read_only=True) as index:
        kept = index.ids()
        assert kept and all(index.text(one) == ROWS[int(one[1:])]["text"] for one in kept)
    assert len(kept) >= (share - 0.4) * len(ROWS)
    (lost,) = [one for one in told if one.lost]
    assert "could not be read" in lost.reason and len(kept) < len(ROWS)
    named = numbers(lost.reason)
    missing = {k for k, row in enumerate(ROWS) if row["id"] not in kept}
    assert named <= missing, "no number is named that no document ever had, or that is kept"
    assert named == missing or "nor could those added after them" in lost.reason
    with qc.Index(folder) as index:
        assert len(index.add([row for row in ROWS if row["id"] not in kept]).found) == len(missing)
        assert qc.Index.create(tmp_path / "other", from_run=folder).ids()


def numbers(reason):
    """Numbers that a message names, such as 3, 7-9."""
    told = reason.partition("(from 0): ")[2].partition(". Known ids")[0]
    ranges = [(int(a), int(b or a)) for a, b in re.findall(r"(\d+)(?:-(\d+))?", told.partition(", ...")[0])]
    return {k for a, b in ranges for k in range(a, b + 1)}


NEWS = Path(__file__).parents[2] / "examples" / "news.jsonl"


@pytest.fixture(scope="module")
def news(tmp_path_factory):
    place = tmp_path_factory.mktemp("news") / "seen"
    with qc.Index.create(place) as index:
        index.add(NEWS)
    return place


@pytest.mark.parametrize("pages", range(1, 8))
@pytest.mark.parametrize("how", ["cut", "zeros", "noise"])
def test_just_the_documents_that_are_lost_are_named(news, tmp_path, pages, how):
    """Of a catalogue whose last pages are short, zeros or noise: a row that is none hides no other, and no number that is kept is named."""
    ids = [json.loads(line)["id"] for line in NEWS.read_text("utf-8").splitlines()]
    folder = shutil.copytree(news, tmp_path / "seen")
    catalogue = folder / "g000001" / "catalogue.sqlite"
    data = catalogue.read_bytes()
    keep = len(data) - pages * 1500
    rest = {"cut": b"", "zeros": bytes(1500), "noise": random.Random(pages).randbytes(1500)}[how]
    catalogue.write_bytes(data[:keep] + rest + (data[keep + 1500 :] if how != "cut" else b""))
    told = qc.Index.repair_folder(folder)
    assert qc.Index.verify_folder(folder) == []
    with qc.Index(folder, read_only=True) as index:
        missing = {k for k, one in enumerate(ids) if one not in index}
    lost = [one for one in told if one.lost]
    assert bool(lost) == bool(missing) and len(lost) <= 1
    assert (numbers(lost[0].reason) if lost else set()) == missing
    known = re.findall(r"'(n\d+)'", lost[0].reason) if lost else []
    assert {ids.index(one) for one in known} <= missing
    assert not any("no document can be found" in one.lost for one in told), "that is what was before the repair"
