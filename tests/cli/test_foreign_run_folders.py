"""Covers: a run folder from anybody is data. Whatever stands in it, commands that read it execute nothing, write nothing, name nothing
outside, and end with an answer or one clear error.

Compared against: a copy of everything around the folder, byte for byte, before and after.
"""

from __future__ import annotations

import json
import os
import random
import shutil

import pyarrow.parquet as pq
import pytest
from matrices import some_of

import quchong as qc
from quchong.errors import QuchongError

READERS = (("explain", "n009"), ("report",), ("chains",), ("restore", "nobody"), ("restore", "n009"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run over the sample, by which all crafted folders begin."""
    place = tmp_path_factory.mktemp("made") / "run"
    qc.dedup("examples/news.jsonl", out=place)
    return place


@pytest.fixture
def ground(made, tmp_path, monkeypatch):
    """A folder with a copy of the run, and files around it that nobody may touch."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("mine\n", "utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.jsonl").write_text('{"id":"s","text":"a secret that is nobody\'s"}\n', "utf-8")
    shutil.copytree(made, tmp_path / "deep" / "run")
    return tmp_path


def told(folder):
    """All files and links below a folder, by their bytes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        found[name] = str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else None
    return found


def stop_restore(run, names):
    """What a stopped restore leaves behind, with a list of moves of a stranger's choosing."""
    staging = run / ".restore.quchong-0123abcd"
    (staging / "new").mkdir(parents=True)
    (staging / "new" / "payload").write_text("planted\n", "utf-8")
    (staging / "owner").write_text(
        json.dumps(
            {"token": "0123abcd", "place": "restore", "host": os.uname().nodename, "pid": 2**22 + 1, "start": None}
        )
    )
    (staging / "commit").write_text(json.dumps(names), "utf-8")


@pytest.mark.parametrize("asked", READERS, ids=" ".join)
@pytest.mark.parametrize(
    "names",
    [
        ["../../notes.txt"],
        ["payload", "../../notes.txt"],
        ["/etc/quchong-planted"],
        ["sub/../../../notes.txt"],
        "notes.txt",
        [3],
    ],
)
def test_a_stopped_restore_moves_nothing_outside(ground, command, asked, names):
    run = ground / "deep" / "run"
    stop_restore(run, names)
    (run / ".restore.quchong-0123abcd" / "new" / "notes.txt").write_text("planted\n", "utf-8")
    before = {name: data for name, data in told(ground).items() if not name.startswith("deep/")}
    inside = told(run)
    ran = command(asked[0], run, *asked[1:])
    after = {name: data for name, data in told(ground).items() if not name.startswith("deep/")}
    assert after == before
    assert ran.code in (0, 2, 3, 4, 5), ran.err
    assert not os.path.lexists("/etc/quchong-planted")
    if asked[0] != "restore":
        assert told(run) == inside


@pytest.mark.parametrize("asked", [c for c in READERS if c[0] != "restore"], ids=" ".join)
@pytest.mark.parametrize(
    "name",
    [
        "run.json",
        "documents.parquet",
        "pairs.parquet",
        "ledger.parquet",
        "clusters.parquet",
        "removed.jsonl",
        "kept.jsonl",
        "skipped.jsonl",
    ],
)
@pytest.mark.parametrize("how", ["link", "fifo", "folder", "gone", "empty", "noise"])
def test_files_that_are_not_as_a_run_writes_them(ground, command, asked, name, how):
    path = ground / "deep" / "run" / name
    path.unlink()
    match how:
        case "link":
            path.symlink_to(ground / "outside" / "secret.jsonl")
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "empty":
            path.write_bytes(b"")
        case "noise":
            path.write_bytes(random.Random(name).randbytes(3000))
    before = {k: v for k, v in told(ground).items() if k != "deep/run.html"}
    ran = command(asked[0], ground / "deep" / "run", *asked[1:])
    assert ran.code in (0, 2, 3, 4, 5), ran.err
    assert "a secret that is" not in ran.out + ran.err
    page = ground / "deep" / "run.html"
    assert not page.exists() or "a secret that is" not in page.read_text("utf-8")
    assert {k: v for k, v in told(ground).items() if k not in ("deep/run.html", "deep/chains.jsonl")} == before


ODD = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x",
    "../../notes.txt",
    "\ud800",
    "a" * 70_000,
    [],
    [[]],
    {},
    {"x": None},
    {"name": "../x"},
    float("nan"),
)


def changed(value, dice, odd):
    """A copy of a piece of JSON in which one value, somewhere, is another."""
    if isinstance(value, dict) and value and dice.random() < 0.8:
        key = dice.choice(sorted(value))
        return value | {key: changed(value[key], dice, odd)}
    if isinstance(value, list) and value and dice.random() < 0.8:
        k = dice.randrange(len(value))
        return [*value[:k], changed(value[k], dice, odd), *value[k + 1 :]]
    return odd


@pytest.mark.parametrize("seed", some_of(range(60), 20))
def test_odd_values_in_run_json(ground, seed):
    run = ground / "deep" / "run"
    dice = random.Random(seed)
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    (run / "run.json").write_text(json.dumps(changed(manifest, dice, dice.choice(ODD))), "utf-8")
    before = told(ground)
    try:
        result = qc.load(run)
        result.explain("n009")
        result.chains()
        result.report()
        result.summary()
    except QuchongError as error:
        assert str(error)
    assert told(ground) == before


@pytest.mark.parametrize("seed", some_of(range(24), 8))
def test_damaged_tables(ground, seed):
    run = ground / "deep" / "run"
    dice = random.Random(seed)
    path = run / f"{dice.choice(['documents', 'pairs', 'ledger', 'clusters'])}.parquet"
    table = pq.read_table(path)
    if seed % 2 and len(table):  # rows that contradict the other tables
        pq.write_table(table.slice(0, dice.randrange(len(table))), path)
    else:
        data = bytearray(path.read_bytes())
        for _ in range(8):
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        path.write_bytes(data)
    before = told(ground)
    try:
        result = qc.load(run)
        result.explain("n009")
        result.chains()
        result.report()
    except QuchongError as error:
        assert str(error)
    assert told(ground) == before


def test_rows_behind_a_link_are_not_written_to(ground, command):
    run = ground / "deep" / "run"
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    (run / "sub").symlink_to(ground / "outside")
    shutil.copy(run / "kept.jsonl", ground / "outside" / "kept.jsonl")
    name = next(iter(manifest["files"]))
    manifest["files"][name]["kept"] = "sub/kept.jsonl"
    (run / "run.json").write_text(json.dumps(manifest), "utf-8")
    before = told(ground / "outside")
    assert command("restore", run, "n009").code in (2, 3, 4, 5)
    assert told(ground / "outside") == before


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("more", [(), ("--overwrite",), ("--xlsx",)])
def test_a_report_is_not_written_through_a_link_beside_the_run(command, tmp_path, more):
    """The place is the default one, so that whoever made the folder would have chosen the file."""
    qc.dedup([{"text": "甲乙丙丁戊己庚辛"}] * 2, out=tmp_path / "run")
    for name in ("run.html", "run.xlsx"):
        (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    ran = command("report", tmp_path / "run", "-q", *more)
    assert ran.code == 4 and "is a link" in ran.line and "-o" in ran.line
    assert not (tmp_path / "elsewhere").exists()
