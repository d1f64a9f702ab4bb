"""Covers: the current folder, the one above and the root where a command wants a run, an index or a place to write: they are no run, and have
no name from which that of a page or of a work folder could be made.

Run: pytest tests/cli/test_paths_without_a_name.py.
"""

import pytest

from quchong.runs.near_runs import run_advice
from quchong.work.folder import part_folder, work_folder

LINES = (
    "report {}", "resume {}", "explain {} n001", "verify {}", "review {}", "templates {}", "chains {}", "restore {} n001",
    "index add {} news.jsonl", "index query {} news.jsonl", "index stats {}", "index create {}", "index backup {} copy",
    "dedup news.jsonl -o {}", "passages news.jsonl --cut {}", "dedup news.jsonl --part 1/2 -o {}", "compare {} {}",
)  # fmt: skip


@pytest.mark.parametrize("place", [".", "/", "..", "./"])
@pytest.mark.parametrize("line", LINES)
def test_a_path_without_a_name_is_refused_as_others_are(command, tmp_path, monkeypatch, line, place):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here" / "news.jsonl").write_text(
        '{"id": "n001", "text": "今天上午，市图书馆新馆开馆。"}\n', encoding="utf-8"
    )
    before = sorted(one.name for one in (tmp_path / "here").iterdir())
    ran = command(*line.format(*[place] * line.count("{}")).split())
    assert ran.code in (2, 3, 4, 5), ran.err
    assert "internal error" not in ran.err
    assert sorted(one.name for one in (tmp_path / "here").iterdir()) == before


def test_a_place_without_a_name_has_advice_and_a_work_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place in (tmp_path.anchor, ".", ""):
        folder = type(tmp_path)(place)
        assert str(run_advice(folder, lambda _: False))
        assert work_folder(folder).name and part_folder(folder, 1, 2).name
