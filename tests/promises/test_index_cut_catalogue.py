"""Covers: an index whose catalogue is cut off at any length: repair keeps what can be read, or says plainly that nothing can.

Run: pytest tests/promises/test_index_cut_catalogue.py.
"""

from __future__ import annotations

import random
import re
import shutil

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
            f"{folder}: no document of its catalogue can be read, so nothing can be kept: restore a backup, or make the index anew"
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
    lost = next(one.reason for one in told if "could not be read" in one.reason)
    named = [int(one) for one in re.findall(r"\d+", lost.partition("ids that")[0])]
    assert len(kept) < len(ROWS) and max(named) < len(ROWS), "no number is named that no document ever had"
