"""Covers: `quchong tune --ask` in a pseudo-terminal: what stands beside each other, answers, Ctrl-C, the second call.

Nothing waits for a time: every answer is typed when the prompt has been read. Run: pytest tests/cli/test_asking_on_a_terminal.py.
"""

import json
import os
import random
import re
import struct
import subprocess
import sys

import pytest

from quchong.cli.asking import _answered
from quchong.cli.wrapping import width
from quchong.evaluation.asked_labels import Answers

pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"
PROMPT = "[q]uit: "
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLUMNS = 90


class Terminal:
    """A command in a terminal of its own, so that Ctrl-C is what a person types."""

    def __init__(self, folder, *argv):
        self.main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
        take = "import fcntl, runpy, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); runpy.run_module('quchong', run_name='__main__')"
        env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")} | {
            "QUCHONG_LANG": "en", "TERM": "xterm", "PYTHONIOENCODING": "utf-8",
        }  # fmt: skip
        self.child = subprocess.Popen(
            [sys.executable, "-c", take, *map(str, argv)],
            stdin=side, stdout=side, stderr=side, cwd=folder, start_new_session=True, env=env,
        )  # fmt: skip
        os.close(side)
        self.seen, self.at = b"", 0

    def _more(self):
        try:
            piece = os.read(self.main, 1 << 16)
        except OSError:  # Linux says so where the other side is closed
            piece = b""
        self.seen += piece
        return bool(piece)

    def until(self, words):
        """What came since, to these words."""
        wanted = words.encode()
        while (found := self.seen.find(wanted, self.at)) < 0:
            assert self._more(), self.seen.decode()
        start, self.at = self.at, found + len(wanted)
        return self.seen[start : self.at].decode()

    def type(self, keys):
        os.write(self.main, keys.encode())

    def end(self):
        """The exit code, and what came since."""
        while self._more():
            pass
        os.close(self.main)
        return self.child.wait(), self.seen[self.at :].decode()


@pytest.fixture
def corpus(tmp_path):
    """12 texts with a copy of each, changed more and more."""
    draw, rows = random.Random(7), []
    for i in range(12):
        text = [draw.choice(HAN) for _ in range(200)]
        rows.append({"id": f"t{i:02}", "text": "".join(text)})
        for at in draw.sample(range(200), 4 + 2 * i):
            text[at] = draw.choice(HAN)
        rows.append({"id": f"u{i:02}", "text": "".join(text)})
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return {row["id"]: row["text"] for row in rows}


@pytest.fixture
def asked(corpus, tmp_path):
    """Begins a call that asks."""
    terminals = []

    def asked(number):
        terminals.append(
            Terminal(
                tmp_path, "tune", "rows.jsonl", "--truth", "labels.jsonl", "--method", "minhash", "-q", "--ask", number
            )
        )
        return terminals[-1]

    yield asked
    for one in terminals:
        if one.child.poll() is None:
            one.child.kill()
            one.child.wait()


def labels(folder):
    path = folder / "labels.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    return [(row["left_id"], row["right_id"], row["label"]) for row in rows]


def beside(screen):
    """Heads and texts of the two columns, without what colours them."""
    lines = [line.split(" | ") for line in ESCAPE.sub("", screen).splitlines() if " | " in line]
    left, right = ([line[k].rstrip() for line in lines] for k in (0, 1))
    assert set(left[1]) == set(right[1]) == {"-"} and {width(line[0]) for line in lines} == {(COLUMNS - 3) // 2}
    return (left[0], "".join(left[2:])), (right[0], "".join(right[2:]))


def test_pairs_stand_side_by_side_and_answers_are_used_by_the_second_call(asked, corpus, tmp_path):
    first = asked(3)
    shown = []
    for k, (keys, label) in enumerate((("s\n", "same"), ("DIFFERENT\n", "different"), ("u\n", "unsure"))):
        screen = first.until(PROMPT)
        assert f"{k + 1} of 3  (the measure of this pair is close to threshold 0." in screen and "Jaccard 0." in screen
        assert "\x1b[32m" in screen  # what both share, in green
        (left, text), (right, other) = beside(screen)
        assert (text, other) == (corpus[left], corpus[right]) and left[1:] == right[1:]
        assert labels(tmp_path) == shown  # nothing is stored before it is answered
        if k == 1:
            first.type("what\n")  # is no answer
            assert "nearest" not in first.until(PROMPT)
        first.type(keys)
        shown.append((left, right, label))
    code, told = first.end()
    assert code == 0 and "3 answers added to labels.jsonl" in told and "use it:  quchong dedup rows.jsonl" in told
    tuned, held = map(int, re.search(r"labels  (\d) pairs? for choosing thresholds .*, (\d) set aside", told).groups())
    assert tuned + held == 2  # what is unsure counts neither way
    assert labels(tmp_path) == shown

    second = asked(2)
    screen = second.until(PROMPT)
    assert "the answers so far suggest threshold" in screen
    (left, _), (right, _) = beside(screen)
    assert (left, right) not in [pair[:2] for pair in shown]
    second.type("q\n")
    code, told = second.end()
    assert code == 0 and "0 answers added to labels.jsonl" in told and labels(tmp_path) == shown


def test_ctrl_c_loses_no_answer_and_is_not_said_to_have_written_nothing(asked, tmp_path):
    stopped = asked(5)
    given = []
    for keys, label in (("s\n", "same"), ("c\n", "contained")):
        (left, _), (right, _) = beside(stopped.until(PROMPT))
        stopped.type(keys)
        given.append((left, right, label))
    stopped.until(PROMPT)
    stopped.type("\x03")
    code, told = stopped.end()
    assert code == 130 and "2 answers added to labels.jsonl" in told
    assert "stopped; labels.jsonl was written" in told and "no output was written" not in told
    assert labels(tmp_path) == given

    again = asked(1)
    (left, _), (right, _) = beside(again.until(PROMPT))
    assert (left, right) not in [pair[:2] for pair in given]
    again.type("d\n")
    assert again.end()[0] == 0 and labels(tmp_path) == [*given, (left, right, "different")]


def test_ctrl_c_before_the_first_answer_and_the_end_of_the_input(asked, tmp_path):
    stopped = asked(2)
    stopped.until(PROMPT)
    stopped.type("\x03")
    code, told = stopped.end()
    assert code == 130 and "no output was written or changed" in told and labels(tmp_path) == []
    ended = asked(2)
    ended.until(PROMPT)
    ended.type("s\n")
    ended.until(PROMPT)
    ended.type("\x04")
    code, told = ended.end()
    assert code == 0 and "1 answer added" in told and len(labels(tmp_path)) == 1


def test_an_answer_is_stored_where_ctrl_c_comes_before_it_is_written(tmp_path, monkeypatch):
    class Stopped(Answers):
        times = 0

        def add(self, left, right, label):
            self.times += 1
            if self.times == 1:
                raise KeyboardInterrupt
            super().add(left, right, label)

    answers = Stopped(tmp_path / "labels.jsonl")
    monkeypatch.setattr("quchong.cli.asking._answer", lambda: "same")
    with pytest.raises(KeyboardInterrupt):
        _answered(answers, "a", "b")
    assert labels(tmp_path) == [("a", "b", "same")]
