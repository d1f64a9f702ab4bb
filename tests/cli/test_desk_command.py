"""Covers: quchong review, and --decisions of dedup and restore, on the command line.

Run: pytest tests/cli/test_review_command.py.
"""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

pytest.importorskip("uvicorn", reason="Uvicorn is not installed (extra serve)")
from desk_client import Client


@pytest.fixture
def run(dedup, jsonl, rows):
    return dedup(jsonl("rows.jsonl", rows))


def book(path, *acts):
    path.write_text("".join(json.dumps(act) + "\n" for act in acts), "utf-8")
    return path


def started(*argv):
    """The command in a process of its own, and what it printed first."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "quchong", "review", *map(str, argv)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return worker, worker.stdout.readline(), worker.stdout.readline()


def ended(worker, number):
    worker.send_signal(number)
    out, err = worker.communicate(timeout=60)
    return worker.returncode, out, err


def test_the_command_opens_a_desk_until_it_is_stopped(run, tmp_path):
    worker, first, second = started(run.folder, "--no-browser")
    url = re.fullmatch(r"review desk: (http://127\.0\.0\.1:\d+/[\w-]{32}/)\n", first)[1]
    assert second == f"decisions are saved in {run.folder}.decisions.jsonl; Ctrl-C closes the desk\n"
    client = Client(url)
    status, _, page = client.send("GET", "")
    assert status == 200 and b'<html lang="en">' in page
    client.post("verdict", {"removal": 0, "act": "overturn"})
    code, out, err = ended(worker, signal.SIGINT)
    assert (
        code == 0 and not out and err == f"\nthe review desk is closed; 1 decision is in {run.folder}.decisions.jsonl\n"
    )
    (line,) = (run.folder.parent / f"{run.folder.name}.decisions.jsonl").read_text().splitlines()
    assert json.loads(line)["act"] == "overturn"


def test_the_terminal_and_the_page_are_in_the_language_of_the_command(run):
    worker, first, second = started(run.folder, "--no-browser", "--lang", "zh")
    url = re.fullmatch(r"复核台：(http://127\.0\.0\.1:\d+/[\w-]{32}/)\n", first)[1]
    assert second == f"决定保存在 {run.folder}.decisions.jsonl；按 Ctrl-C 关闭复核台\n"
    status, _, page = Client(url).send("GET", "")
    assert status == 200 and b'<html lang="zh-Hans">' in page
    code, _, err = ended(worker, signal.SIGINT)
    assert code == 0 and err == "\n复核台已关闭；没有做出决定\n"


def test_nothing_is_made_where_nothing_was_decided(run):
    before = sorted(run.folder.parent.iterdir())
    worker, *_ = started(run.folder, "--no-browser")
    code, _, err = ended(worker, signal.SIGTERM)
    assert code == 0 and "nothing was decided" in err
    assert sorted(run.folder.parent.iterdir()) == before


def test_the_browser_is_opened_unless_told_otherwise(command, run, monkeypatch):
    import webbrowser

    from quchong.desk import OpenDesk

    opened, pages = [], []

    def browser(url):
        opened.append(url)
        pages.append(Path(url2pathname(urlsplit(url).path)).read_text())

    monkeypatch.setattr(webbrowser, "open", browser)
    monkeypatch.setattr(OpenDesk, "wait", lambda _desk: None)
    ran = command("review", run.folder)
    address = ran.out.splitlines()[0].removeprefix("review desk: ")
    assert ran.code == 0 and address.startswith("http://127.0.0.1:") and f"url={address}" in pages[0]
    assert opened[0].startswith("file:") and address.rstrip("/").rpartition("/")[2] not in opened[0]
    assert not Path(url2pathname(urlsplit(opened[0]).path)).parent.exists()
    assert command("review", run.folder, "--no-browser").code == 0 and len(opened) == 1


def test_labels_are_written_as_pairs(command, run, tmp_path):
    acts = book(tmp_path / "d.jsonl", {"act": "label", "left_id": "b", "right_id": "copy", "label": "same"},
                {"act": "label", "left_id": "c", "right_id": "alone", "label": "different", "how": "asked"})  # fmt: skip
    ran = command("review", run.folder, "--decisions", acts, "--export", tmp_path / "pairs.jsonl")
    assert ran.code == 0 and ran.out == f"2 labels written to {tmp_path / 'pairs.jsonl'}\n"
    lines = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert lines == [
        {"left_id": "c", "right_id": "alone", "label": "different", "how": "asked"},
        {"left_id": "b", "right_id": "copy", "label": "same", "how": "chosen"},
    ]
    again = ("review", run.folder, "--decisions", acts, "--export", tmp_path / "pairs.jsonl")
    assert "or replace it with --overwrite" in command(*again).line
    assert command(*again, "--overwrite").code == 0


def test_decisions_are_applied_by_restore_and_by_a_new_run(command, dedup, jsonl, rows, run, tmp_path, gone):
    acts = book(
        tmp_path / "d.jsonl",
        {"act": "overturn", "id": "copy", "survivor_id": "b"},
        {"act": "accept", "id": "c", "survivor_id": "longer"},
    )
    again = dedup(jsonl("again.jsonl", rows), "--decisions", acts)
    ran = command("restore", run.folder, "--decisions", acts)
    assert ran.code == 0 and ran.out.startswith("put back 1 row\n")
    assert again.removed == {k: v for k, v in gone.items() if k != "copy"}
    assert type(again)(run.folder).removed == again.removed
    assert again.manifest["decisions"]["file"] == "d.jsonl" and again.manifest["decisions"]["kept"] == 1
    assert (
        command("restore", run.folder, "--decisions", acts).out
        == f"{run.folder} has no removed row that matches: nothing was changed\n"
    )
    assert (
        "a person overturned the removal of this document (dedup --decisions)"
        in command("explain", again.folder, "copy").out
    )


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (("review", "{run}", "--decisions", "{run}/d.jsonl"), 4, "a run of quchong: choose a place outside it"),
        (("review", "{tmp}/nothing"), 5, "is not a folder"),
        (("review", "{run}", "--decisions", "{rows}"), 3, "rows.jsonl:1 is not a line of a decisions file"),
        (("review", "{run}", "--overwrite"), 2, "--overwrite can only be used with --export"),
        (("review", "{run}", "--export", "{tmp}/p.jsonl"), 3, "there is no decisions file"),
        (("review", "{run}", "--decisions", "{acts}", "--export", "{acts}", "--overwrite"), 4, "is the same as the input --decisions"),
        (("review", "{run}", "--decisions", "{acts}", "--export", "{run}/p.jsonl"), 4, "is inside"),
        (("review", "{run}", "--decisions", "{acts}", "--export", "{rows}", "--overwrite"), 4, "is not a file of labels"),
        (("restore", "{run}", "copy", "--decisions", "{acts}"), 2, "--decisions already says which rows"),
        (("restore", "{run}", "--decisions", "{tmp}/none"), 3, "there is no decisions file"),
        (("dedup", "{rows}", "-q", "--dry-run", "--decisions", "{rows}"), 3, "give the file that review wrote"),
        (("dedup", "{rows}", "-q", "-o", "{acts}", "--overwrite", "--decisions", "{acts}"), 4, "is the same as the input --decisions"),
        (("dedup", "{rows}", "-q", "-o", "{tmp}/s", "--engine", "spark", "--decisions", "{acts}"), 2, "--decisions: not available with --engine spark"),
    ],
)  # fmt: skip
def test_wrong_calls_name_what_is_wrong(command, run, tmp_path, argv, code, said):
    acts = book(tmp_path / "d.jsonl", {"act": "overturn", "id": "copy", "survivor_id": "b"})
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    ran = command(*(one.format(run=run.folder, tmp=tmp_path, rows=tmp_path / "rows.jsonl", acts=acts) for one in argv))
    assert ran.code == code and said in ran.line
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_port_in_use_is_told_as_the_option(command, run):
    worker, first, _ = started(run.folder, "--no-browser")
    try:
        port = Client(first.split()[-1]).port
        ran = command("review", run.folder, "--no-browser", "--port", port)
        assert ran.code == 4 and f"--port {port} cannot be used" in ran.line
    finally:
        ended(worker, signal.SIGINT)
