"""Covers: `dedup --part`, `--step` and `--join`: what is printed, refused, and which command is shown for a part that is missing."""

import json

import pytest
from forked import run

ROWS = [
    {"id": str(n), "text": f"第{n}条新闻说的是第{n * 7919}号桥明年三月开通，通行费降低{n}元。" * 2} for n in range(20)
]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in [*ROWS, ROWS[0] | {"id": "copy"}]), "utf-8"
    )
    return path


def test_a_run_in_parts(tmp_path, file):
    call = ["dedup", str(file), "-o", str(tmp_path / "run")]
    done = run(*call, "--join", "2")
    assert done.returncode == 5
    assert (
        f"2 of 2 parts have not been read completely: 1, 2; read them first: quchong {' '.join(call)} --part 1/2; "
        in done.stderr
    )
    for own in (["--part", "2/2", "--step", "verify"], ["--step=verify", "--part=2/2"]):
        done = run(*call, *own)
        assert done.returncode == 5
        assert (
            f"read them first: quchong {' '.join(call)} --part 1/2; quchong {' '.join(call)} --part 2/2\n"
            in done.stderr
        )
    read = [run(*call, "--part", part) for part in ("1/2", "2/2")]
    assert [one.returncode for one in read] == [0, 0]
    assert read[0].stdout.startswith("part 1/2 has been read: documents ")
    assert run(*call, "--part", "1/2", "-q").stdout == ""
    done = run(*call, "--part", "1/2", "--step", "verify")
    assert done.returncode == 0 and done.stdout.startswith("part 1/2 has verified its share of all ")
    done = run(*call, "--join=3")
    assert done.returncode == 5 and "--part 1/3" in done.stderr and "--join" not in done.stderr
    done = run(*call, "--join", "2", "--summary", "short")
    assert done.returncode == 0 and done.stdout == "21 documents: 20 kept, 1 removed\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "run"]


@pytest.mark.parametrize("join", [["--join", "2"], []])
def test_parts_of_another_run_stay_and_are_named(tmp_path, file, join):
    call = ["dedup", str(file), "-o", str(tmp_path / "run")]
    for part in ("1/3", *(["1/2", "2/2"] if join else [])):
        assert run(*call, "--part", part).returncode == 0
    done = run(*call, *join)
    assert done.returncode == 0
    line = f"parts of another run with the output {tmp_path / 'run'} still exist; remove them if you do not need them: .run.quchong-part-1-of-3"
    assert done.stderr.replace("\n", " ").count(line) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [".run.quchong-part-1-of-3", "in.jsonl", "run"]
    assert "remarks" not in json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert "stay" not in run(*call, "--overwrite", "-q").stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--part", "1/2", "--join", "2"], "leave out one of the two"), (["--part", "1/2", "--dry-run"], "--dry-run"),
        (["--join", "2", "--plan"], "--plan"), (["--part", "1/2", "--json"], "--json"), (["--step", "verify"], "--part 3/32"),
        (["--part", "3/2"], "such as 3/32"), (["--part", "1/2", "--engine", "spark"], "Spark divides its work itself"),
        (["--part", "1/2", "--unit", "line"], "whole documents"), (["--part", "1/2", "--keep-work"], "a run in parts cannot store data for later runs; leave out"),
    ],
)  # fmt: skip
def test_what_does_not_go_with_parts_is_refused(tmp_path, file, options, said):
    done = run("dedup", str(file), "-o", str(tmp_path / "run"), *options)
    assert done.returncode == 2 and said in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_parts_need_an_output_and_files(tmp_path, file):
    assert "give it with -o" in run("dedup", str(file), "--part", "1/2").stderr
    done = run("dedup", "-", "-o", str(tmp_path / "run"), "--part", "1/2")
    assert done.returncode == 2 and "a run in parts can read only files" in done.stderr
