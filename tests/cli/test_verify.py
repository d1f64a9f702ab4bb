"""Covers: `verify`. Every removal of a run is decided the same from the two texts alone; what was changed in a ledger is found; kept
documents that are worse than their removed copies are named. Compared against: the ledgers of runs, and corpora made to be bad.
"""

import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from promise_corpus import make_corpus

import quchong as qc
from quchong.errors import UsageError
from quchong.results.replay import replayed
from quchong.results.worse import worse_survivors

NEWS = Path(__file__).parents[2] / "examples" / "news.jsonl"
OPTIONS = [
    {}, {"facts": "remove"}, {"facts": "any"}, {"preset": "training"}, {"templates": "payload"}, {"templates": "remove"},
    {"roundups": "whole"}, {"roundups": "remove"}, {"roundups": "cut"}, {"keep": "shortest"}, {"keep": "earliest"}, {"differences": "all"}, {"within": "30d"}, {"method": "minhash"},
    {"method": "ccdet"}, {"method": "simhash"}, {"method": "two-stage"}, {"method": "imatch"}, {"method": "shingling"},
    {"method": "tree-key-sentence"}, {"method": "winnowing"}, {"method": "sl-st"}, {"method": "spotsigs"},
]  # fmt: skip
LONG = "青岚市图书馆从下月起延长开放时间，周一至周五每天开到晚上十点，周末开到九点。馆方说，这是根据去年对两千名读者的调查作出的决定，"
END = "多数读者希望下班以后还能借书还书。新增的开放时间由志愿者和值班馆员共同负责。"
OTHER = (
    "禾埠县上周修好了横跨青河的石拱桥，这座桥建于一百多年前，去年汛期冲走了两个桥墩，修缮用的石料全部取自原来的采石场，"
)
OTHER_END = "工匠按照老照片把栏杆重新刻了一遍，货车暂时还不能通过。"


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_removal_is_decided_again_as_it_was(options, tmp_path):
    found = qc.dedup(NEWS, out=tmp_path / "run", **options)
    told = found.verify(sample=5)
    assert told.removals == told.replayed == len(found.ledger) > 0
    assert told.mismatches.to_pylist() == [] and told.sound and told.left_out == {}
    assert len(told.sample) == 5 and set(told.sample["id"].to_pylist()) <= set(found.ledger["id"].to_pylist())


@pytest.mark.parametrize("seed", range(3))
def test_a_made_corpus_and_a_run_in_memory(seed):
    made = qc.dedup(make_corpus(seed))
    told = made.verify()
    assert told.sound and told.replayed == len(made.ledger)
    assert told.as_dict()["sample"] == made.verify().as_dict()["sample"] != made.verify(seed=9).as_dict()["sample"]


def test_removals_by_a_filter_without_survivor_are_told_apart():
    texts = [{"id": str(k), "text": f"第{k}条：{LONG}{k * 7}"} for k in range(400)]
    made = qc.dedup(texts, method="two-stage", stage1="bloom", confirm=False, filter_bits=64)
    told = made.verify()
    unconfirmed = made.ledger["survivor_id"].null_count
    assert unconfirmed > 0 and told.left_out == {"removed by a filter, without a survivor": unconfirmed}
    assert told.replayed + unconfirmed == told.removals


@pytest.mark.parametrize(
    ("column", "value"), [("relation", "exact"), ("jaccard", 0.5), ("containment", 0.1), ("rule", "because")]
)
def test_what_was_changed_in_a_ledger_is_found(column, value):
    outcome = qc.dedup(NEWS)._outcome
    rows = outcome.ledger.to_pylist()
    changed = next(row for row in rows if row["relation"] == "duplicate")
    changed[column] = value
    object.__setattr__(outcome, "ledger", type(outcome.ledger).from_pylist(rows, schema=outcome.ledger.schema))
    (found,) = replayed(outcome).mismatches.to_pylist()
    assert (found["id"], found["field"], found["stored"]) == (changed["id"], column, str(value))


def test_rows_that_lack_or_are_too_many_are_found():
    outcome = qc.dedup(NEWS)._outcome
    rows = outcome.ledger.to_pylist()
    kept = qc.dedup(NEWS).kept["id"][0].as_py()
    gone, rows[0]["id"] = rows[0]["id"], kept
    object.__setattr__(outcome, "ledger", type(outcome.ledger).from_pylist(rows, schema=outcome.ledger.schema))
    found = [one for one in replayed(outcome).mismatches.to_pylist() if one["field"] == "row"]
    assert {(one["id"], one["stored"], one["now"]) for one in found} == {
        (gone, "kept", "removed"),
        (kept, "removed", "kept"),
    }


def test_a_survivor_exchanged_for_another_document_is_found(command, tmp_path):
    run = tmp_path / "run"
    qc.dedup(NEWS, out=run)
    path = run / "ledger.parquet"
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[0]["survivor_id"] = next(row["survivor_id"] for row in rows if row["survivor_id"] != rows[0]["survivor_id"])
    stream = io.BytesIO()
    pq.write_table(type(table).from_pylist(rows, schema=table.schema), stream)
    path.write_bytes(stream.getvalue())
    ran = command("verify", run)
    assert (
        ran.code == 5
        and f"{rows[0]['id']} → {rows[0]['survivor_id']}: relation is {rows[0]['relation']} in the ledger" in ran.out
    )
    assert "are decided differently" in ran.err
    ran = command("verify", run, "--json")
    assert ran.code == 5 and json.loads(ran.out)["sound"] is False


def test_kept_documents_that_are_worse_are_named():
    texts = [
        {"id": "cut", "text": LONG + END[:-9], "quality": 0.1},
        {"id": "whole", "text": LONG + END, "quality": 0.9},
        {"id": "noisy", "text": "<p>" + OTHER + "�</p>&nbsp;" + OTHER_END, "quality": 0.2},
        {"id": "clean", "text": OTHER + OTHER_END, "quality": 0.8},
    ]
    run = qc.dedup(texts, keep="column:quality asc", facts="any")
    assert set(run.kept["id"].to_pylist()) == {"cut", "noisy"}
    found = run.verify(quality="quality").worse.to_pylist()
    assert {(one["id"], one["removed_id"], one["reason"]) for one in found} == {
        ("cut", "whole", "cut off"),
        ("noisy", "clean", "noisier"),
        ("cut", "whole", "lower quality"),
        ("noisy", "clean", "lower quality"),
    }
    assert run.verify().worse_by_reason == {"cut off": 1, "noisier": 1}
    assert len(worse_survivors(qc.dedup(texts, keep="longest")._run)) < len(found)


def test_errors_name_what_is_wanted(command, tmp_path):
    run = tmp_path / "run"
    qc.dedup(NEWS, out=run)
    with pytest.raises(UsageError, match="no row has a value in this column"):
        qc.load(run).verify(quality="nothing")
    with pytest.raises(UsageError, match="not numbers"):
        qc.load(run).verify(quality="text")
    with pytest.raises(UsageError, match="sample must be 0 or more"):
        qc.load(run).verify(sample=-1)
    ran = command("verify", run, "--quality", "nothing")
    assert ran.code == 2 and "--quality nothing: no row has a value in this column" in ran.err
    annotated = tmp_path / "annotated"
    command("dedup", NEWS, "-o", annotated, "--mode", "annotate")
    assert command("verify", annotated).code == 2


def test_the_command_tells_what_was_found(command, tmp_path):
    run = tmp_path / "run"
    qc.dedup(NEWS, out=run)
    ran = command("verify", run, "--sample", "3")
    assert (
        ran.code == 0 and "45 removals were checked again by comparing the texts\n  decided differently: 0\n" in ran.out
    )
    assert "  shorter  2" in ran.out and ran.out.count(" → ") == 3
