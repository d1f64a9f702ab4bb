"""Covers: benchmarks/systems: pairs of a peer scored as our methods are, and the page.

Compared against: `quchong.evaluation` on the same pairs. Run: pytest tests/unit/benchmarks/test_systems_table.py.
"""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pyarrow as pa
import pytest

import quchong as qc

FOLDER = Path(__file__).parents[3] / "benchmarks" / "systems"


@pytest.fixture
def modules(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import page
    import scored
    import truths

    yield page, scored, truths
    for name in ("page", "scored", "truths", "common_text"):
        sys.modules.pop(name, None)


def test_the_best_setting_of_a_peer_is_chosen_on_one_half_and_told_of_the_other(modules, tmp_path):
    _, scored, _ = modules
    ids = [f"d{i:03}" for i in range(200)]
    truth = tmp_path / "truth.jsonl"
    rows = [{"left_id": ids[2 * i], "right_id": ids[2 * i + 1], "label": "same"} for i in range(60)]
    truth.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    right = [(2 * i, 2 * i + 1) for i in range(60)]
    wrong = [(2 * i, 2 * i + 5) for i in range(60, 90)]
    tried = [
        {"n": 5, "at": 0.3, "pairs": right + wrong},
        {"n": 5, "at": 0.5, "pairs": right},
        {"n": 5, "at": 0.9, "pairs": [(b, a) for a, b in right[:20]]},
        {"n": 3, "at": 0.9, "pairs": []},
    ]
    told = scored.scored(ids, truth, tried)
    assert told["parameters"] == {"n": 5, "at": 0.5}
    assert told["held"]["f1"]["value"] == 1 and 15 < told["held"]["recall"]["of"] < 45
    assert scored.scored(ids, truth, tried[2:])["held"]["precision"]["value"] == 1
    assert scored.scored(ids, truth, tried[3:])["held"]["f1"]["value"] == 0


def share(value):
    return {"value": value, "low": 0.0, "high": 1.0, "hits": 0, "of": 1, "effective": 1.0}


def test_the_page_names_every_set_and_says_whom_its_truth_flatters(modules):
    page, _, truths = modules
    name = truths.SETS[0].name
    held = {"precision": share(None), "recall": share(0.5), "f1": share(0.4)}
    better = held | {"f1": share(0.9)}
    made = page.page(
        [
            {"set": name, "system": "hybrid", "documents": 7, "setting": "default", "held": held, "before": held, "cpu": 1.0, "peak_mb": 90.0,
             "relation": {"right": 3, "of": 4, "f1": 0.4}, "index_mb": 2.5,
             "losses": {"of": 9, "right": 4, "missed": {"variant: facts differ": 5}, "wrong": {}, "facts": {"date": 5}}},
            {"set": name, "system": "hybrid, variants removed", "documents": 7, "setting": "default", "held": better, "before": held},
            {"set": name, "system": "minhash", "setting": "default", "held": held, "before": held, "carried": True},
            {"set": name, "system": "rensa", "peer": True, "setting": "5 characters", "held": better},
            {"set": name, "system": "gaoya, stock", "peer": True, "setting": "words", "held": held | {"f1": share(0.95)}},
            {"set": name, "system": "lcs", "why": "stopped after 60 s"},
        ],
        "0.1.0", "a machine", {"text-dedup": "cannot be installed"},
    )  # fmt: skip
    assert f"## {name}" in made and "It flatters" in made and "text-dedup (cannot be installed)" in made
    rows = [line for line in made.splitlines() if line.startswith("|")]
    assert rows.index("| lcs | stopped after 60 s | - | - | - | - | - | - | - | - |") > 0
    assert [r.split("|")[1].strip() for r in rows if " | 0.000 to" in r] == [
        "gaoya, stock *",
        "hybrid, variants removed",
        "rensa *",
        "hybrid",
        "minhash †",
    ]
    assert "| 0.750 | 1.00 | 90 | 2.5 |" in made
    assert f"| {name} | variants stay | 9 | 4 | variant: facts differ 5 | - | date 5 |" in made
    assert f"| {name} | 0.400 | 0.400 | 0.900 | 0.400 minhash | 0.900 rensa | 0.950 gaoya, stock | 5.0 |" in made
    assert all(one.flatters and one.truth for one in truths.SETS)


@pytest.fixture
def command(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    where = spec_from_file_location("systems_command", FOLDER / "__main__.py")
    module = module_from_spec(where)
    where.loader.exec_module(module)
    yield module
    for name in ("page", "scored", "truths", "common_text"):
        sys.modules.pop(name, None)


def test_no_peer_has_the_name_of_a_method(command):
    assert len(set(command.EVERY)) == len(command.EVERY)
    assert "simhash" in command.EVERY and "simhash (PyPI)" in command.PEERS


def test_what_is_missing_is_measured_first_then_what_was_stopped_then_earlier_figures(command):
    sets = command.SETS[:2]
    first, second = (one.name for one in sets)
    held = {"held": {"f1": {"value": 0.5}}}
    results = {
        (first, "minhash"): held | {"system": "minhash", "relation": {}, "cpu": 1.0},
        (first, "exact"): held | {"system": "exact", "carried": True, "cpu": 3.0},
        (first, "shingling"): held | {"system": "shingling", "relation": {}, "cpu": 2.0},
        (first, "yap3"): {"system": "yap3", "why": "stopped after 45 s", "limit": 45},
        (first, "lcs"): {"system": "lcs", "why": "stopped after 150 s", "limit": 150},
        (first, "koala"): held | {"system": "koala", "relation": {}, "thresholds": ["threshold", "containment"]},
        (second, "rensa"): held | {"system": "rensa", "peer": True},
    }
    names = ["minhash", "exact", "shingling", "yap3", "lcs", "koala", "rensa"]
    told = command.cells(sets, names, results, 100, again=False)
    assert [(one.name, name) for one, name in told] == [
        *((second, name) for name in names[:6]), (first, "rensa"), (first, "yap3"), (first, "shingling"), (first, "exact"),
    ]  # fmt: skip
    assert len(command.cells(sets, names, results, 100, again=True)) == 2 * len(names)


def test_a_process_that_takes_too_many_seconds_of_the_processor_is_stopped(command, monkeypatch):
    monkeypatch.setattr(command, "IDLE", 300)
    with pytest.raises(command.StoppedError, match="stopped after 1 s"):
        command.child([sys.executable, "-c", "while True: pass"], 1)
    with pytest.raises(RuntimeError, match="failed: ValueError: no"):
        command.child([sys.executable, "-c", "raise ValueError('no')"], 20)


def test_pairs_of_text_dedup_are_those_of_clusters_that_share_a_band(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import peer_text_dedup

    class Union(dict):
        def find(self, x):
            return x if self.get(x, x) == x else self.find(self[x])

        def union(self, x, y):
            self[self.find(x)] = self.find(y)

    known = {
        0: [b"a", b"b", b"c", b"d"],
        1: [b"a", b"b", b"x", b"y"],
        3: [b"q", b"r", b"x", b"y"],
        7: [b"q", b"s", b"t", b"d"],
    }
    assert sorted(peer_text_dedup.united(known, 2, 2, Union())) == [(0, 1), (0, 3), (1, 3)]
    assert len(list(peer_text_dedup.united(known, 4, 1, Union()))) == 6
    monkeypatch.setattr(peer_text_dedup, "MOST", 5)
    assert list(peer_text_dedup.united(known, 4, 1, Union())) == []
    assert peer_text_dedup.Characters.split("天地 a") == ["天", "地", " ", "a"]


def test_what_two_texts_have_in_common_is_that_of_sets_of_shingles(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import common_text

    texts = [
        "the ward voted on monday",
        "the  ward voted\non Monday",
        "on monday",
        "",
        "天地玄黄宇宙洪荒日月",
        "x",
        "the ward voted on monday",
    ]
    texts += [f"{texts[0]} and {i}" for i in range(3)]

    def counted(n, least):
        sets = [{t[i : i + n] for i in range(len(t) - n + 1)} for t in (" ".join(text.split()) for text in texts)]
        for i, a in enumerate(sets):
            for j, b in enumerate(sets[i + 1 :], i + 1):
                if a and b and len(a & b) >= least * min(len(a), len(b)):
                    yield i, j, len(a & b) / min(len(a), len(b))

    for n, least in ((9, 0.1), (3, 0.5), (3, 1.0)):
        told = list(common_text.shares(texts, n, least))
        assert told == list(counted(n, least)) and len(told) > 5
    monkeypatch.setattr(common_text, "MOST", 3)  # what stands in more texts is not counted
    assert {(0, 2), (0, 6)}.isdisjoint((i, j) for i, j, _ in common_text.shares(texts, 9, 0.1))


def test_where_the_default_loses_is_counted_by_what_it_says_of_a_pair(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import held
    import losses

    said = "The council of ward {0} said on Monday that bridge {0} will open in March and that drivers pay {1} percent less toll than before."
    table = pa.table({
        "id": [f"{i}{side}" for i in range(40) for side in "ab"],
        "text": [said.format(f"north{i}x", 12 + (i % 2) * (side == "b")) for i in range(40) for side in "ab"],
    })  # fmt: skip
    truth = tmp_path / "truth.jsonl"
    rows = [{"left_id": f"{i}a", "right_id": f"{i}b", "label": "same"} for i in range(40)]
    truth.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    told = losses.losses(table, truth, "hybrid", {})
    missed = sum(told["missed"].values())
    assert told["of"] == told["right"] + missed and 0 < missed < told["of"] and told["facts"] == {"figure": missed}
    assert set(told["missed"]) == {"variant: facts differ"}
    result = qc.dedup(table, recall_sample=0)
    accuracy = held.relation_accuracy(result, truth)
    assert accuracy["right"] == accuracy["of"] > 0 and held.index_mb(result) > 0
    for name in ("held", "losses"):
        sys.modules.pop(name, None)
