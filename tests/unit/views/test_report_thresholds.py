"""Covers: quchong.views.thresholds: what another threshold would change.

Compared against: `Result.rethreshold`, at every threshold. Run: pytest tests/unit/views/test_report_thresholds.py.
"""

from pathlib import Path

import pytest

import quchong as qc
from quchong.tables import by_relation
from quchong.views.model import thresholds_of

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"


def agrees(run, shown, steps):
    name = shown["parameter"]
    before = set(run.ledger["id"].to_pylist())
    for k in steps:
        again = run.rethreshold(**{name: shown["values"][k]})
        after = {row["id"]: row["survivor_id"] for row in again.ledger.to_pylist()}
        assert shown["removed"][k] == len(after), shown["values"][k]
        assert shown["relations"][k] == by_relation(again.ledger)
        for side, changed in (("gone", after.keys() - before), ("back", before - after.keys())):
            assert shown[side][k][0] == len(changed)
            ids = run.documents["id"].to_pylist()
            told = [(ids[a], ids[b]) for a, b in shown[side][k][1]]
            assert {a for a, _ in told} <= changed and len(told) == min(20, len(changed))
            if side == "gone":
                assert all(after[a] == b for a, b in told)


def test_every_step_is_what_rethreshold_gives(result):
    shown = thresholds_of(result._subject())
    assert (shown["parameter"], shown["now"], shown["values"][0], shown["values"][-1]) == ("threshold", None, 0.3, 1.0)
    agrees(result, shown, range(len(shown["values"])))


def test_every_step_of_the_containment_is_what_rethreshold_gives(result):
    shown = thresholds_of(result._subject())["containment"]
    assert (shown["parameter"], shown["now"], shown["values"][0], shown["values"][-1]) == (
        "containment",
        None,
        0.6,
        1.0,
    )
    agrees(result, shown, range(0, len(shown["values"]), 4))


def test_a_saved_run_is_decided_as_the_one_in_memory(result, saved):
    assert thresholds_of(saved._subject()) == thresholds_of(result._subject())


@pytest.mark.parametrize(
    ("method", "parameters"),
    [("minhash", {}), ("ppjoin", {"threshold": 0.5}), ("ccdet", {}), ("spotsigs", {}), ("short-text", {}), ("winnowing", {}), ("sl", {})],
)  # fmt: skip
def test_other_methods_have_their_own_range(method, parameters):
    run = qc.dedup(NEWS, method=method, **parameters)
    shown = thresholds_of(run._subject())
    values = shown["values"]
    assert shown["parameter"] == "threshold" and values == sorted(values) and values[-1] == 1.0
    agrees(run, shown, range(0, len(values), 9))


def test_two_stage_has_a_slider_of_bits():
    run = qc.dedup(NEWS.with_name("posts.jsonl"), method="two-stage", distance=6)
    shown = thresholds_of(run._subject())
    assert (shown["parameter"], shown["now"], shown["values"]) == ("distance", 6, list(range(7)))
    agrees(run, shown, range(7))


@pytest.mark.parametrize("keep", ["shortest", "earliest", "source:a>b"])
def test_policies_are_kept_to(keep, tmp_path):
    rows = [
        {"id": f"{k}", "source": "ab"[k % 2], "time": f"2024-01-{k % 28 + 1:02}", "text": row}
        for k, row in enumerate(texts())
    ]
    run = qc.dedup(rows, keep=keep)
    saved = qc.load(run.save(tmp_path / "run"))
    agrees(saved, thresholds_of(saved._subject()), range(0, 71, 10))


def texts():
    import json

    return [json.loads(line)["text"] for line in NEWS.read_text("utf-8").splitlines()]


def test_why_there_is_no_slider(tmp_path):
    assert thresholds_of(qc.dedup(NEWS, method="exact")._subject())["why"] == "method"
    assert thresholds_of(qc.dedup(NEWS, method="cluster")._subject())["why"] == "method"
    assert thresholds_of(qc.dedup(["今天天气很好，我们去公园。"])._subject())["why"] == "no pairs"
    annotated = qc.load(qc.dedup(NEWS).save(tmp_path / "notes", mode="annotate"))
    assert thresholds_of(annotated._subject())["why"] == "annotate"
    lines = qc.load(qc.dedup(NEWS, boilerplate=boilerplate(tmp_path), out=tmp_path / "lines").folder)
    shown = thresholds_of(lines._subject())
    assert shown["why"] == "closed" and "the comparison of lines used data that is not in its folder" in shown["said"]
    assert str(tmp_path) not in shown["said"]


def boilerplate(folder):
    path = folder / "lines.txt"
    path.write_text("版权所有", "utf-8")
    return path
