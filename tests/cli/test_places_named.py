"""Covers: places that a command line names: --texts, where another user made the run, and names that are empty."""

from __future__ import annotations

import pytest

ASKED = (["inspect", "--run", "RUN", "d1.txt"], ["tune", "RUN", "--truth", "truth.jsonl", "-q"])


@pytest.mark.parametrize("words", ASKED, ids=["inspect", "tune"])
def test_texts_of_another_users_run_are_named(command, dedup, article, tmp_path, monkeypatch, words):
    (tmp_path / "texts").mkdir()
    for i in range(4):
        (tmp_path / "texts" / f"d{i}.txt").write_text(article(i // 2))
    pairs = [(i, j, "same" if i // 2 == j // 2 else "different") for i in range(4) for j in range(i)]
    lines = [f'{{"left_id": "d{j}.txt", "right_id": "d{i}.txt", "label": "{label}"}}\n' for i, j, label in pairs]
    (tmp_path / "truth.jsonl").write_text("".join(lines))
    run = dedup(tmp_path / "texts").folder
    monkeypatch.chdir(tmp_path)
    words = [str(run) if word == "RUN" else word for word in words]
    own = command(*words)
    assert "does not prove" not in own.err
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    ran = command(*words)
    assert ran.code == 5 and "give the folder with --texts" in ran.err and not ran.out
    ran = command(*words, "--texts", tmp_path)
    assert (ran.code, ran.out) == (own.code, own.out)


def test_it_is_for_run_folders(command, tmp_path):
    (tmp_path / "a.txt").write_text("a text")
    ran = command("inspect", tmp_path / "a.txt", "--texts", tmp_path)
    assert ran.code == 2 and "--texts looks for the texts of a run folder" in ran.err


@pytest.mark.parametrize(
    "words", [("dedup", "", "-o", "x"), ("dedup", "a.txt", "", "--dry-run"), ("dedup", "a.txt", "--against", "", "-o", "x"),
              ("filter", ""), ("statistics", "", "-o", "x"), ("passages", "")],
)  # fmt: skip
def test_an_empty_name_of_an_input_is_told(command, tmp_path, monkeypatch, words):
    """A variable that a shell does not have set would else stand for the current folder."""
    (tmp_path / "a.txt").write_text("a text")
    monkeypatch.chdir(tmp_path)
    ran = command(*words)
    assert ran.code == 3 and "an input has an empty name" in ran.err and not (tmp_path / "x").exists()


def test_an_empty_name_of_a_list_protects_not_nothing(command, tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("a text")
    monkeypatch.chdir(tmp_path)
    ran = command("dedup", "a.txt", "--protect", "", "-o", tmp_path.parent / f"{tmp_path.name}-x")
    assert ran.code == 3 and "--protect . cannot be read" in ran.err
