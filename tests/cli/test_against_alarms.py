"""Covers: every command with --against tells of kept rows of an earlier run that are not those it kept, in both languages."""

import json

import pytest

TEXTS = [f"The council said that road {i} opens in May, and that lorries pay {i * 9} percent." for i in range(8)]
ROWS = [{"id": f"p{i}", "text": TEXTS[i // 2]} for i in range(16)]
LABELS = [{"left_id": f"p{i}", "right_id": f"p{i + 1}", "label": "different" if i % 2 else "same"} for i in range(15)]


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def run(dedup, tmp_path):
    """An earlier run, three of whose kept rows are gone."""
    found = dedup(written(tmp_path / "in.jsonl", [{"id": f"k{i}", "text": text} for i, text in enumerate(TEXTS)]))
    path = found.folder / "kept.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[3:]))
    return found.folder


@pytest.mark.parametrize(("lang", "kind"), [("en", "alarm: kept rows changed: "), ("zh", "保留行有改动")])
@pytest.mark.parametrize("which", ["dedup", "tune", "plan"])
def test_the_command_prints_the_alarm(command, run, tmp_path, monkeypatch, which, lang, kind):
    monkeypatch.setenv("QUCHONG_LANG", lang)
    data, labels = written(tmp_path / "data.jsonl", ROWS), written(tmp_path / "labels.jsonl", LABELS)
    words = {
        "dedup": ["dedup", data, "-o", tmp_path / "out"],
        "tune": ["tune", data, "--truth", labels, "--values", "0.5,0.9"],
        "plan": ["dedup", data, "--plan"],
    }[which]
    ran = command(*words, "--against", run)
    assert ran.code == 0, ran.err
    assert kind in ran.out
    assert "8" in ran.out[ran.out.index(kind) :]  # documents that the run kept


@pytest.mark.parametrize("words", [["tune", "--truth", "labels.jsonl", "--values", "0.5,0.9"], ["dedup", "--plan"]])
def test_json_has_the_alarm(command, run, tmp_path, monkeypatch, words):
    written(tmp_path / "data.jsonl", ROWS), written(tmp_path / "labels.jsonl", LABELS)
    monkeypatch.chdir(tmp_path)
    ran = command(*words, "data.jsonl", "--against", run, "--json")
    assert ran.code == 0, ran.err
    (alarm,) = json.loads(ran.out)["alarms"]
    assert alarm["kind"] == "kept rows changed"
    assert alarm["figures"]["kept"] == 8
