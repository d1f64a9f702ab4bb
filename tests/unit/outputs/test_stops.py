"""Covers: commands that are stopped at each of their file operations, by kill -9 and by a full disk.

Afterwards the old or the new result stands whole at its place, or the same command puts it there; a command that reads says so
and changes nothing. The same command run again gives what it always gives; nothing is left over, and nothing that was not ours is
touched.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil

import pytest
from stops import Server

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"
FOREIGN = ("run.old", "run.partial", ".run.quchong-00000000")
EVERY = int(os.environ.get("QUCHONG_STOPS_EVERY", "0"))
"""Of the operations every so manieth is tried, others in each scenario; 1 tries all. Without it few, as tests have little time:
every eleventh, of statistics, which makes few, every fourth; in a campaign every third, and every one."""
FEW, MANY = (11, 4), (3, 1)


def posts(path, seed):
    rng = random.Random(seed)
    texts = ["".join(rng.choices(HAN, k=120)) for _ in range(3)]
    rows = [{"id": f"{seed}{n}", "text": text} for n, text in enumerate([*texts, texts[0] + "。", texts[1][:60]])]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows) + "{bad\n", encoding="utf-8")


def state(place):
    """What stands at a place, times left out; None where nothing does."""
    if place.is_file():
        return hashlib.sha256(place.read_bytes()).hexdigest()
    if not place.is_dir():
        return None
    files = {p.relative_to(place).as_posix(): p.read_bytes() for p in sorted(place.rglob("*")) if p.is_file()
             and ".restore." not in p.as_posix()}  # fmt: skip
    counts = json.loads(files["run.json"])["counts"]
    files["run.json"] = str([counts.get(name) for name in ("read", "kept", "removed", "skipped", "passages")]).encode()
    return {name: hashlib.sha256(raw).hexdigest() for name, raw in files.items()}


def everything(root):
    """All that lies in a folder, hidden or not."""
    return {p.relative_to(root): p.read_bytes() if p.is_file() else None for p in sorted(root.rglob("*"))}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Server(tmp_path_factory.mktemp("stops"))
    yield made
    made.close()


def scenario(name, root):
    """The command, the place it writes, a command that reads that place, and how to run it again."""
    run, table = root / "run", root / "terms.parquet"
    dedup = ["dedup", root / "new.jsonl", "-o", run, "-q", "--recall-sample", 0]
    passages = ["passages", root / "new.jsonl", "-o", run, "-q", "--min-chars", 20, "--cut", "copies"]
    count = ["statistics", root / "new.jsonl", "-o", table, "-q"]
    return {
        "dedup": (dedup, run, ["explain", run, "x0"], [*dedup, "--overwrite"]),
        "dedup --overwrite": ([*dedup, "--overwrite"], run, ["explain", run, "x0"], [*dedup, "--overwrite"]),
        "passages --overwrite": ([*passages, "--overwrite"], run, ["dedup", run / "cut.jsonl", "--dry-run", "-q", "--recall-sample", 0], [*passages, "--overwrite"]),
        "statistics --overwrite": ([*count, "--overwrite"], table, None, [*count, "--overwrite"]),
        "restore": (["restore", run, "--all"], run, ["explain", run, "x0"], ["restore", run, "--all"]),
    }[name]  # fmt: skip


SCENARIOS = ["dedup", "dedup --overwrite", "passages --overwrite", "statistics --overwrite", "restore"]


@pytest.mark.parametrize("tried", [FEW, pytest.param(MANY, marks=pytest.mark.campaign)], ids=["some", "most"])
@pytest.mark.parametrize("how", ["kill", "full"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_stop_at_any_file_operation(server, name, how, tried):
    root = server.root / "w"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    command, place, look, again = scenario(name, root)
    posts(root / "old.jsonl", "o")
    posts(root / "new.jsonl", "x")
    if name != "dedup":  # an earlier result, of other texts
        first = ["dedup", root / "new.jsonl", "-o", place, "-q", "--recall-sample", 0] if name == "restore" else [
            root / "old.jsonl" if part == root / "new.jsonl" else part for part in command]  # fmt: skip
        assert server.run(*first).code == 0
    for folder in FOREIGN:
        (root / folder).mkdir()
        (root / folder / "mine").touch()
    names = {p.name for p in root.iterdir()} | {place.name}
    template = server.root / "template"
    shutil.rmtree(template, ignore_errors=True)
    shutil.copytree(root, template)
    old = state(place)
    assert server.run(*command).code == 0
    new = state(place)
    assert new not in (None, old)

    every = EVERY or tried[name.startswith("statistics")]
    at, stops, seen = 1 + (SCENARIOS.index(name) + (how == "full")) % every, 0, set()
    while True:
        shutil.rmtree(root)
        shutil.copytree(template, root)
        ran = server.run(*command, at=at, how=how)
        if not ran.reached:
            assert ran.code == 0
            break
        assert ran.code == -9 if how == "kill" else (ran.code in (0, 4) and "Traceback" not in ran.err), (at, ran)
        between = old is not None and (not place.exists() or any(place.glob(".restore.quchong-*/commit")))
        if look is not None and (place.exists() or old is not None):
            before = everything(root)
            told = server.run(*look)
            assert told.code in (0, 2) or ((between or old is None) and told.code == 5), (at, told)
            assert everything(root) == before, at
        stands = state(place)
        assert between or stands in (old, new), (at, ran)
        assert stands == new or ran.code != 0, (at, ran)
        seen.add(stands == new)
        if stops % 2 == 0 or stands == new or between:
            once_more = server.run(*again)
            assert once_more.code == 0, (at, once_more)
            assert state(place) == new and {p.name for p in root.iterdir()} == names, at
            if name == "restore":
                assert not list(place.glob(".*"))
        assert all([p.name for p in (root / folder).iterdir()] == ["mine"] for folder in FOREIGN)
        stops += 1
        at += every
    assert stops >= 3 and False in seen
