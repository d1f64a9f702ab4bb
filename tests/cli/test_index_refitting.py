"""Covers: `quchong index stats` and `compact --refit`: drift is told with its remedy, which removes it; an index without texts says why not.

Run: pytest tests/cli/test_index_refitting.py.
"""

from __future__ import annotations

import json
import random

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
    assert "of what the newest of 160 documents contain" in line and line.endswith("quchong index compact --refit")
    ran = command("index", "compact", seen, "--refit")
    assert ran.code == 0 and "160 documents" not in ran.err
    after = json.loads(command("index", "stats", seen, "--json").out)
    assert (after["since"], after["drift"], after["documents"]) == (0, 0.0, 160)


def test_an_index_without_texts_is_not_counted_anew(tmp_path, command):
    seen = tmp_path / "seen"
    assert command("index", "create", seen, "--method", "exact", "--store", "none", "-q").code == 0
    ran = command("index", "compact", seen, "--refit")
    assert ran.code == 2 and "keeps no texts (store none), so its statistics cannot be counted anew" in ran.err
