"""Covers: `quchong dedup --plan`, which tells what a run would take and runs nothing."""

import json


def written(path, article):
    path.write_text("".join(json.dumps({"id": i, "text": article(i)}) + "\n" for i in range(60)), "utf-8")
    return path


def test_it_prints_the_plan_and_writes_nothing(tmp_path, command, article):
    ran = command("dedup", written(tmp_path / "in.jsonl", article), "-o", tmp_path / "run", "--plan")
    assert ran.code == 0 and not ran.err, ran.err
    assert [line.split()[0] for line in ran.out.splitlines()] == ["documents", "time", "memory", "files", "reckoned"]
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_as_json(tmp_path, command, article):
    told = json.loads(command("dedup", written(tmp_path / "in.jsonl", article), "--plan", "--json").out)
    assert told["documents"] == told["sampled"] == 60 and told["files"] == 0 and told["seconds"] > 0


def test_in_chinese(tmp_path, command, article):
    told = command("--lang", "zh", "dedup", written(tmp_path / "in.jsonl", article), "--plan").out
    assert "文档" in told and "没有写出任何文件" in told


def test_wrong_calls(tmp_path, command, article):
    assert (
        "--engine spark"
        in command("dedup", written(tmp_path / "in.jsonl", article), "--plan", "--engine", "spark").line
    )
    assert "no such file" in command("dedup", tmp_path / "nothere.jsonl", "--plan").line
