"""Covers: `quchong index stats` and `compact --refit`: drift is told with its remedy, which removes it; an index without texts says why not.

Run: pytest tests/cli/test_index_refitting.py.
"""

from __future__ import annotations

import errno
import json
import random
import shutil
from pathlib import Path

import forked
import pytest

WORDS = {kind: [f"{kind}{k}" for k in range(200)] for kind in ("river", "market")}


def rows(kind, count):
    draw = random.Random(kind)
    return [
        {"id": f"{kind}{k}", "text": " ".join(WORDS[kind][int(199 * draw.random() ** 3)] for _ in range(50))}
        for k in range(count)
    ]


def test_drift_is_told_and_refitting_removes_it(tmp_path, command, jsonl):
    seen, fit, other = (
        tmp_path / "seen",
        jsonl("fit.jsonl", rows("river", 80)),
        jsonl("other.jsonl", rows("market", 80)),
    )
    assert command("index", "create", seen, "--method", "scam", "--fit", fit, "-q").code == 0
    assert command("index", "add", seen, fit, "-q").code == 0
    assert "drift" not in command("index", "stats", seen).out
    assert command("index", "add", seen, other, "-q").code == 0
    told = json.loads(command("index", "stats", seen, "--json").out)
    assert told["since"] == 160 and told["drift"] > 0.3
    line = next(one for one in command("index", "stats", seen).out.splitlines() if one.startswith("drift"))
    assert (
        "of the text of the newest documents did not occur" in line
        and "(160 documents were added since)" in line
        and line.endswith("quchong index compact --refit")
    )
    ran = command("index", "compact", seen, "--refit")
    assert ran.code == 0 and "160 documents" not in ran.err
    after = json.loads(command("index", "stats", seen, "--json").out)
    assert (after["since"], after["drift"], after["documents"]) == (0, 0.0, 160)


def test_an_index_without_texts_is_not_counted_anew(tmp_path, command):
    seen = tmp_path / "seen"
    assert command("index", "create", seen, "--method", "exact", "--store", "none", "-q").code == 0
    ran = command("index", "compact", seen, "--refit")
    assert ran.code == 2 and "stores no texts (store none), so its statistics cannot be recounted" in ran.err


def test_a_full_disk_is_blamed_on_the_disk_and_refitting_goes_on_when_there_is_room(
    tmp_path, command, jsonl, small_disk
):
    whole = tmp_path / "whole"
    assert command("index", "create", whole, "-q").code == 0
    assert command("index", "add", whole, jsonl("some.jsonl", rows("river", 400)), "-q").code == 0
    used, full = sum(one.stat().st_blocks * 512 for one in whole.rglob("*")), 0
    for more in (4096, 40_000, 120_000, 200_000):
        seen = small_disk(str(used + more)) / "seen"
        shutil.copytree(whole, seen, copy_function=sparse_copy)
        ran = forked.run("index", "compact", seen, "--refit")
        if ran.returncode:
            full += 1
            assert ran.returncode == 4 and ran.stderr.startswith(f"quchong: {seen}"), ran.stderr
            assert "standard output" not in ran.stderr
            assert sorted(one.name for one in seen.iterdir()) == ["g000001", "index.json"]
        small_disk("64m", keep=True)
        ran = forked.run("index", "compact", seen, "--refit")
        assert ran.returncode == 0, ran.stderr
        assert forked.run("index", "verify", seen).returncode == 0
    assert full >= 2


def sparse_copy(source, target):
    """Copy a file without the zeros that take no room."""
    content = Path(source).read_bytes()
    with Path(target).open("wb") as file:
        file.write(content.rstrip(b"\0"))
        file.truncate(len(content))


@pytest.mark.parametrize(
    "words",
    [
        "index create NEW", "index create NEW --shadow threshold=0.7", "index add SEEN MORE", "index delete SEEN river1",
        "index compact SEEN", "index compact SEEN --refit", "index backup SEEN NEW", "index export SEEN -o NEW", "dedup MORE -o NEW",
        "statistics MORE -o NEW", "report SEEN -o NEW.html",
    ],
)  # fmt: skip
def test_an_error_of_the_disk_is_never_blamed_on_standard_output(tmp_path, command, jsonl, monkeypatch, words):
    seen, new = tmp_path / "seen", tmp_path / "new"
    assert command("index", "create", seen, "-q").code == 0
    assert command("index", "add", seen, jsonl("some.jsonl", rows("river", 20)), "-q").code == 0
    places = {"SEEN": seen, "NEW": new, "NEW.html": f"{new}.html", "MORE": jsonl("more.jsonl", rows("market", 20))}

    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    ran = command(*(places.get(word, word) for word in words.split()))
    monkeypatch.undo()
    assert "standard output" not in ran.err and "Traceback" not in ran.err, ran.err
    assert (ran.code, "No space left on device" in ran.err) in ((0, False), (4, True)), ran
    if ran.code and "report" not in words:
        assert str(seen if "SEEN" in words and "NEW" not in words else new) in ran.err, ran.err
    assert new.exists() <= (ran.code == 0)
