"""Covers: quchong.runs.acts, .file, .standing, .export: one line an act, on the disk before it is acknowledged, the last one holds.

Run: pytest tests/unit/review/test_decisions_file.py.
"""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pyarrow as pa
import pytest

from quchong.errors import InputError, OutputError
from quchong.runs.acts import Label, Verdict, act_of, line_of
from quchong.runs.decisions_file import DecisionsFile, read_acts
from quchong.runs.label_export import label_table, pair_lines, write_pairs
from quchong.runs.review_state import ReviewState


@pytest.fixture
def path(tmp_path):
    return tmp_path / "news.decisions.jsonl"


ACTS = [
    Label("a", "b", "same"),
    Label(10, 9, "different", "asked", "2026-03-01T08:00:00+00:00"),
    Label("x\ny", 'q"\u202e', None),
    Label("half \ud800", "b", "unsure"),
    Verdict("overturn", "a", "b", "2026-03-01T08:00:00+00:00"),
    Verdict("accept", 7, None),
    Verdict("clear", "七", "八"),
]


@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_one_line_and_comes_back_with_the_types_of_its_ids(act):
    line = line_of(act)
    assert line.count(b"\n") == 1 and line.endswith(b"\n") and line.startswith(b'{"act"')
    assert act_of(line) == act


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"left_id": "a"}, "not a decision"),
        (["act"], "not a decision"),
        ({"act": "maybe", "id": 1}, "not one of label"),
        ({"act": "label", "left_id": "a", "right_id": "b", "label": "copy"}, "not one of same"),
        ({"act": "label", "left_id": "a", "right_id": "b", "label": "same", "how": "guessed"}, "must be"),
        ({"act": "label", "left_id": "a", "right_id": "a", "label": "same"}, "both documents of the label are"),
        ({"act": "label", "left_id": 5, "right_id": "5", "label": "same"}, "both documents of the label are"),
        ({"act": "label", "left_id": 1.5, "right_id": "b", "label": "same"}, "left_id"),
        ({"act": "accept", "id": True}, "id is neither"),
        ({"act": "accept"}, "id is neither"),
        ({"act": "accept", "id": 1, "at": 5}, "time"),
    ],
)
def test_what_is_no_act_is_refused_with_file_line_and_reason(path, said, why):
    path.write_bytes(line_of(ACTS[0]) + json.dumps(said).encode() + b"\n")
    for read in (lambda: DecisionsFile(path), lambda: read_acts(path)):
        with pytest.raises(InputError, match=f"{path.name}:2 .*{why}"):
            read()


def test_a_file_of_something_else_is_never_added_to(path):
    path.write_text('{"id": "a", "text": "今天天气很好。"}\n', "utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError, match="give the file that review wrote"):
        DecisionsFile(path)
    assert path.read_bytes() == before


def test_the_file_is_made_by_the_first_act_and_only_ever_grows(path):
    book = DecisionsFile(path)
    assert not path.exists() and book.acts == []
    before = b""
    for act in ACTS:
        book.add(act)
        now = path.read_bytes()
        assert now.startswith(before) and now[len(before) :] == line_of(act)
        before = now
    assert book.acts == ACTS == DecisionsFile(path).acts == read_acts(path)[0]


@pytest.mark.parametrize("kept", [1, 5, 20, -2])
def test_a_torn_last_line_is_left_out_told_and_not_written_over(path, kept):
    torn = line_of(ACTS[1])[:kept]
    path.write_bytes(line_of(ACTS[0]) + torn)
    assert read_acts(path) == ([ACTS[0]], [2])
    book = DecisionsFile(path)
    assert book.acts == [ACTS[0]] and book.unfinished and book.torn == []
    book.add(ACTS[4])
    assert path.read_bytes() == line_of(ACTS[0]) + torn + b"\n" + line_of(ACTS[4])
    assert book.torn == [2] and not book.unfinished
    again = DecisionsFile(path)
    assert again.acts == [ACTS[0], ACTS[4]] and again.torn == [2]
    assert read_acts(path) == (again.acts, [2])


def test_zeros_of_a_power_cut_are_a_torn_line(path):
    path.write_bytes(line_of(ACTS[0]) + b"\0" * 40 + b"\n" + line_of(ACTS[4]))
    assert read_acts(path) == ([ACTS[0], ACTS[4]], [2])


def test_acts_of_another_process_are_seen(path):
    one, other = DecisionsFile(path), DecisionsFile(path)
    one.add(ACTS[0])
    other.add(ACTS[4])
    assert other.acts == [ACTS[0], ACTS[4]]
    assert one.refresh() == [ACTS[4]] and one.acts == other.acts and one.refresh() == []


def test_a_file_that_was_cut_or_taken_away_is_told(path):
    book = DecisionsFile(path)
    book.add(ACTS[0])
    path.write_bytes(b"")
    with pytest.raises(
        InputError, match="is shorter than before, so decisions were removed from it: run the command again"
    ):
        book.refresh()
    path.unlink()
    with pytest.raises(InputError, match="is missing"):
        book.refresh()


def test_a_full_disk_leaves_the_file_as_it_was(path, monkeypatch):
    book = DecisionsFile(path)
    book.add(ACTS[0])
    before = path.read_bytes()

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OutputError, match="No space left on device; no decision was added"):
            book.add(ACTS[4])
    assert path.read_bytes() == before and book.acts == [ACTS[0]]
    book.add(ACTS[4])
    assert book.acts == [ACTS[0], ACTS[4]]


def test_every_act_is_synced_before_it_is_acknowledged(path, monkeypatch):
    synced = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (synced.append(path.read_bytes()), sync(descriptor)))
    book = DecisionsFile(path)
    book.add(ACTS[0])
    assert synced[0] == line_of(ACTS[0])


def test_threads_lose_no_act(path):
    book = DecisionsFile(path)

    def work(k):
        for n in range(25):
            book.add(Label(f"{k}-{n}", "b", "same"))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert sorted(act.left_id for act in read_acts(path)[0]) == sorted(f"{k}-{n}" for k in range(6) for n in range(25))
    assert len(book.acts) == 150


def write_many(path, k):
    book = DecisionsFile(path)
    for n in range(25):
        book.add(Label(f"{k}-{n}", "b", "same"))


def test_processes_lose_no_act(path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=write_many, args=(path, k)) for k in range(3)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert all(w.exitcode == 0 for w in workers)
    acts, torn = read_acts(path)
    assert sorted(act.left_id for act in acts) == sorted(f"{k}-{n}" for k in range(3) for n in range(25)) and not torn


def test_kill_9_loses_nothing_that_was_acknowledged(path):
    """A process adds acts and says each aloud when `add` has returned; it is killed in the middle."""
    code = (
        "import sys; from pathlib import Path; from quchong.runs.decisions_file import DecisionsFile; from quchong.runs.acts import Label\n"
        "book = DecisionsFile(Path(sys.argv[1]))\n"
        "for n in range(100000):\n    book.add(Label(n, 'b', 'same')); print(n, flush=True)\n"
    )
    worker = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    said = [int(worker.stdout.readline()) for _ in range(40)]
    worker.send_signal(signal.SIGKILL)
    said += [int(line) for line in worker.stdout.read().split("\n") if line]
    worker.wait()
    worker.stdout.close()
    book = DecisionsFile(path)
    assert [act.left_id for act in book.acts][: len(said)] == said
    book.add(ACTS[0])
    assert DecisionsFile(path).acts[-1] == ACTS[0]


def test_no_decisions_file_in_a_run_in_no_folder_or_in_a_folders_place(tmp_path, saved):
    with pytest.raises(OutputError, match="a run of quchong: choose a place outside it"):
        DecisionsFile(saved.folder / "d.jsonl")
    with pytest.raises(OutputError, match="there is no folder"):
        DecisionsFile(tmp_path / "nowhere" / "d.jsonl")
    with pytest.raises(OutputError, match="it is not a file"):
        DecisionsFile(tmp_path)
    with pytest.raises(InputError, match="there is no decisions file"):
        read_acts(tmp_path / "nowhere.jsonl")


def test_the_last_act_holds():
    held = ReviewState.from_acts(
        [
            Label("a", "b", "same", "asked"), Label("b", "a", "different"), Label("c", "d", "same"), Label("d", "c", None),
            Verdict("accept", "a", "b"), Verdict("overturn", "a", "b"), Verdict("overturn", 5, 3), Verdict("clear", "5", 3),
        ]
    )  # fmt: skip
    assert {key: label.label for key, label in held.labels.items()} == {("a", "b"): "different"}
    assert held.asked == {("a", "b")}  # it was drawn, whoever labelled it again
    assert [v.id for v in held.overturned] == ["a"] and held.label_of("b", "a").label == "different"


def test_labels_go_out_as_pairs(tmp_path):
    held = ReviewState.from_acts([Label(10, 9, "same", "asked", "t"), Label(3, 5, "unsure"), Verdict("accept", 1, 2)])
    assert [json.loads(line) for line in pair_lines(held)] == [
        {"left_id": 10, "right_id": 9, "label": "same", "how": "asked", "at": "t"},
        {"left_id": 3, "right_id": 5, "label": "unsure", "how": "chosen"},
    ]
    table = label_table(held, pa.int64())
    assert table.schema.field("left_id").type == pa.int64() and table["label"].to_pylist() == ["same", "unsure"]
    assert label_table(held, pa.large_string())["left_id"].to_pylist() == ["10", "3"]
    out = tmp_path / "pairs.jsonl"
    assert write_pairs(held, out) == 2
    with pytest.raises(OutputError, match="exists"):
        write_pairs(held, out)
    assert write_pairs(ReviewState(), out, overwrite=True) == 0
    out.write_text("mine\n")
    with pytest.raises(OutputError, match="is not a file of labels"):
        write_pairs(held, out, overwrite=True)
    assert out.read_text() == "mine\n"
