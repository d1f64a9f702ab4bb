"""Covers: `quchong dedup --plan`, which tells what a run would take and runs nothing; and the line that a large run begins with."""

import json

import pytest

from quchong.engines.local import estimate, memory


def written(path, article):
    path.write_text("".join(json.dumps({"id": i, "text": article(i)}) + "\n" for i in range(60)), "utf-8")
    return path


def test_it_prints_the_plan_and_writes_nothing(tmp_path, command, article):
    ran = command("dedup", written(tmp_path / "in.jsonl", article), "-o", tmp_path / "run", "--plan")
    assert ran.code == 0 and not ran.err, ran.err
    assert [line.split()[0] for line in ran.out.splitlines()] == [
        "documents",
        "time",
        "memory",
        "files",
        "run",
        "estimated",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_as_json(tmp_path, command, article):
    told = json.loads(command("dedup", written(tmp_path / "in.jsonl", article), "--plan", "--json").out)
    assert told["documents"] == told["sampled"] == 60 and told["files"] == 0 and told["seconds"] > 0


def test_in_chinese(tmp_path, command, article):
    told = command("--lang", "zh", "dedup", written(tmp_path / "in.jsonl", article), "--plan").out
    assert "文档" in told and "没有写任何文件" in told


def test_wrong_calls(tmp_path, command, article):
    assert (
        "--engine spark"
        in command("dedup", written(tmp_path / "in.jsonl", article), "--plan", "--engine", "spark").line
    )
    assert "no such file" in command("dedup", tmp_path / "nothere.jsonl", "--plan").line


@pytest.fixture
def large(monkeypatch):
    """Every run is a large one."""
    monkeypatch.setattr(memory, "HELD", 1 << 40)


def test_a_small_run_says_nothing_of_it(tmp_path, command, article):
    assert "plan:" not in command("dedup", written(tmp_path / "in.jsonl", article), "-o", tmp_path / "run").err


@pytest.mark.usefixtures("large")
def test_a_large_one_begins_with_it(tmp_path, command, article):
    path = written(tmp_path / "in.jsonl", article)
    first, second = command("dedup", path, "-o", tmp_path / "run", "--progress").err.splitlines()[:2]
    assert first.startswith("plan: 60 documents, about ") and "; files during the run: " in first
    assert second.startswith("read and fingerprint")
    assert command("dedup", path, "-o", tmp_path / "quiet", "-q").err == ""
    assert command("--lang", "zh", "dedup", path, "-o", tmp_path / "zh").err.startswith("计划")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in.jsonl", "quiet", "run", "zh"]


@pytest.mark.usefixtures("large")
def test_it_warns_of_a_disk_that_may_be_too_small_and_runs(tmp_path, command, article, monkeypatch):
    path, usage = written(tmp_path / "in.jsonl", article), estimate.shutil.disk_usage
    monkeypatch.setattr(estimate.shutil, "disk_usage", lambda place: usage(place)._replace(free=1000))
    ran = command("dedup", path, "-o", tmp_path / "run")
    assert ran.code == 0 and ran.err.splitlines()[1].startswith("warning: ") and "--work" in ran.err
    assert "warning: " in command("dedup", path, "-o", tmp_path / "other", "--plan").out
