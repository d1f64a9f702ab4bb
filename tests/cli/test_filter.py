"""Covers: `quchong filter` as people pipe it. Run: pytest tests/cli/test_filter.py."""

from __future__ import annotations

import gzip
import io
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress

import pytest

from quchong.cli.main import main

FILTER = [sys.executable, "-m", "quchong.cli.main", "filter"]


def piped(*argv, given=b"", code=0):
    """Output and messages of a run in this process with these bytes on stdin: interpreters would take most of the time."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        streams = [stack.enter_context(io.TextIOWrapper(file, encoding="utf-8")) for file in files]
        streams[0].buffer.write(given)
        streams[0].buffer.seek(0)
        for name, file in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, file)
        patch.setattr(sys, "argv", ["quchong", "filter", *map(str, argv)])
        ended = 0
        try:
            main()
        except SystemExit as end:
            ended = end.code or 0
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        for file in streams[1:]:
            file.flush()
            file.buffer.seek(0)
        out, err = streams[1].buffer.read(), streams[2].buffer.read().decode()
    assert ended == code, err
    return out, err


def told(err):
    """The summary as a dict."""
    return {k.strip(): v.strip() for k, v in ((line[:26], line[26:]) for line in err.splitlines()) if v}


def as_lines(rows):
    return b"".join(json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in rows)


@pytest.fixture
def stream():
    texts = ["今天天气很好。", "明天下雨", "今天天气很好。", "Ａ b，", "a  B,", "", "", "明天下雨"]
    return [{"id": i, "text": t} for i, t in enumerate(texts)]


KEPT = [0, 1, 3, 5, 6]


@pytest.mark.parametrize(
    "options",
    [(), ("--filter", "trie"), ("--filter", "digest"), ("--confirm",), ("--bits", "50000"), ("--filter-mode", "any"),
     ("--filter", "trie", "--filter-mode", "literal", "--hash", "bkdr", "--unit", "utf16"), ("--capacity", "2", "--error-rate", "0.001")],
)  # fmt: skip
def test_the_first_of_each_goes_out_byte_for_byte(stream, tmp_path, options):
    raw = [
        json.dumps(r, ensure_ascii=i % 2 == 0, indent=None, separators=(",", " :  ")).encode()
        for i, r in enumerate(stream)
    ]
    raw[3] += b"\r"
    given = b"\xef\xbb\xbf" + b"\n".join(raw[:4]) + b"\n\n  \n" + b"\n".join(raw[4:])
    out, err = piped(*options, "--removed", tmp_path / "gone.jsonl", given=given)
    assert out == b"".join(raw[i] + b"\n" for i in KEPT)
    assert (tmp_path / "gone.jsonl").read_bytes() == b"\n".join(raw[i] for i in (2, 4, 7))
    summary = told(err)
    assert (summary["read"], summary["passed"], summary["removed"]) == ("8", "5", "3")
    assert "wrongly removed (expected)" in summary and "could not be read" not in summary
    assert ("wrong hits found" in summary) == ("--confirm" in options)


def test_lines(tmp_path):
    given = "甲\r\n乙\n\n甲\n\n乙 \n丙".encode()
    out, err = piped("--lines", "--removed", tmp_path / "gone", given=given)
    assert out == "甲\r\n乙\n\n\n丙".encode()
    assert (tmp_path / "gone").read_bytes() == "甲\n乙 \n".encode()
    out, err = piped("--lines", "--form", "raw", given="甲\n\ufeff甲\n甲\n".encode())
    assert out == "甲\n\ufeff甲\n".encode()
    out, err = piped("--lines", given=b"good\n\xc4\xe3\ngood\nlast")
    assert out == b"good\nlast"
    assert "quchong: stdin, line 2: invalid UTF-8 at byte 1" in err and told(err)["could not be read"] == "1"


def test_bad_records_are_told_set_down_and_kept_out(stream, tmp_path):
    lines = as_lines(stream).splitlines(keepends=True)
    bad = [b'{"text":"half\n', b'{"body":1}\n', b'{"text":7}\n', b'{"text":"\xff"}\n']
    out, err = piped("--skipped", tmp_path / "bad.jsonl", given=b"".join([lines[0], *bad, *lines[1:]]))
    assert out == b"".join(lines[i] for i in KEPT)
    assert [line.split(": ")[1] for line in err.splitlines()[:4]] == [f"stdin, line {i}" for i in (2, 3, 4, 5)]
    noted = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert [(n["source"], n["row"], n["line"]) for n in noted] == [("stdin", i, i + 1) for i in (1, 2, 3, 4)]
    assert told(err)["could not be read"] == "4"
    _, err = piped(given=lines[0] + bad[0] * 500)
    assert (
        err.count("broken JSON") == 20
        and "only counted; --skipped FILE writes all of them" in err
        and told(err)["could not be read"] == "500"
    )


def test_files_and_text_keys(stream, tmp_path):
    (tmp_path / "a.jsonl").write_bytes(as_lines(stream).removesuffix(b"\n"))
    with gzip.open(tmp_path / "b.jsonl.gz", "wb") as file:
        file.write(as_lines([*stream, {"id": 8, "text": "新"}]))
    out, err = piped(tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz", "-", given=as_lines(stream[:2]))
    ids = [json.loads(line)["id"] for line in out.splitlines()]
    assert ids == [*KEPT, 5, 6, 8] and told(err)["read"] == "19"
    rows = [{"t": "一", "u": "二"}, {"t": "一", "u": "三"}, {"u": "二", "t": "一"}]
    assert len(piped("--text-key", "t,u", given=as_lines(rows))[0].splitlines()) == 2
    assert len(piped("--text-key", "t", given=as_lines(rows))[0].splitlines()) == 1


def test_a_stream_goes_on_tomorrow(stream, tmp_path):
    state = tmp_path / "seen"
    for options in ((), ("--confirm",), ("--filter", "trie"), ("--filter", "digest"), ("--bits", 5000)):
        state.unlink(missing_ok=True)
        first, _ = piped(*options, "--state", state, given=as_lines(stream[:3]))
        second, err = piped("--state", state, given=as_lines([*stream, {"id": 9, "text": "新"}]))
        assert [json.loads(line)["id"] for line in (first + second).splitlines()] == [0, 1, 3, 5, 6, 9]
        assert told(err)["read"] == "9" and told(err)["state"] == str(state)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["seen"]
        again, _ = piped(*options, "--state", state, given=as_lines(stream))
        assert [json.loads(line)["text"] for line in again.splitlines()] == ["", ""]


@pytest.mark.parametrize(
    ("made", "asked", "message"),
    [
        ((), ("--error-rate", 0.1), "was made with --error-rate 1e-06, not 0.1: leave out the option"),
        ((), ("--filter", "trie"), "was made with --filter bloom, not trie"),
        ((), ("--form", "raw"), "was made with --form strict, not raw"),
        ((), ("--confirm",), "has no digests for confirming hits"),
        (("--bits", 900), ("--bits", 901), "was made with --bits 900, not 901"),
        (("--bits", 900), ("--capacity", 5), "was made with --filter bloom-printed, not bloom"),
        (
            ("--filter", "trie"),
            ("--filter", "trie", "--filter-mode", "literal"),
            "was made with --filter-mode end-mark, not literal",
        ),
    ],
)
def test_a_state_of_other_parameters_is_refused(stream, tmp_path, made, asked, message):
    state = tmp_path / "seen"
    piped(*made, "--state", state, given=as_lines(stream))
    before = state.read_bytes()
    out, err = piped(*asked, "--state", state, given=as_lines(stream), code=2)
    assert not out and err.startswith("quchong: --state ") and message in err and len(err.splitlines()) == 1
    assert state.read_bytes() == before
    more = ("--filter", "bloom") if made[:1] != ("--filter",) else ()
    piped("--state", state, *more, given=b"", code=3)


def test_what_cannot_be_used_is_one_line_and_a_code(stream, tmp_path):
    state, good = tmp_path / "seen", tmp_path / "a.jsonl"
    good.write_bytes(as_lines(stream))
    folder = tmp_path / "folder"
    folder.mkdir()
    state.write_bytes(b"QCFILTER and so on, which makes no sense")
    for argv, code, message in (
        (("--state", state, good), 3, "is a filter state of version"),
        (("--state", tmp_path / "no" / "seen", good), 2, "there is no folder"),
        ((tmp_path / "none.jsonl",), 3, "no such file"),
        ((tmp_path / "a.csv",), 2, "quchong filter reads JSON lines"),
        (("--removed", tmp_path, good), 4, "choose another output"),
        (("--removed", folder, good), 4, "cannot write"),
        (("--text-key", "body", good), 3, "none of the first 8 records has the key 'body'"),
        (("--filter", "digest", "--bits", 8, good), 2, "--bits is for the Bloom filter as printed in the paper"),
        (("--filter", "digest", "--confirm", good), 2, "is exact, so confirmation is not needed"),
    ):
        out, err = piped(*argv, code=code)
        assert not out and message in err.splitlines()[-1] and err.splitlines()[-1].startswith("quchong: "), err
    _, err = piped(given="{}".encode("utf-16"), code=3)
    assert "stdin is UTF-16; convert it with iconv" in err


def reading(pipe, size, seconds=20):
    """So many bytes of a pipe, or what has come when time is up."""
    got, end = b"", time.monotonic() + seconds
    while len(got) < size and select.select([pipe], [], [], max(0, end - time.monotonic()))[0]:
        piece = os.read(pipe.fileno(), 1 << 16)
        if not piece:
            break
        got += piece
    return got


posix = pytest.mark.skipif(os.name != "posix", reason="signals and select on pipes as POSIX has them")


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_records_go_out_while_the_stream_waits_and_ctrl_c_saves_the_state(stream, tmp_path, number):
    state, lines = tmp_path / "seen", as_lines(stream).splitlines(keepends=True)
    process = subprocess.Popen(
        [*FILTER, "--state", state], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    for i in range(4):
        process.stdin.write(lines[i][:-9])
        process.stdin.flush()
        process.stdin.write(lines[i][-9:])
        process.stdin.flush()
        if i in KEPT:
            assert reading(process.stdout, len(lines[i])) == lines[i]
    process.stdin.write(lines[4][:-2])  # half a record is none
    process.stdin.flush()
    time.sleep(0.2)
    process.send_signal(number)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130 and not out
    assert told(err.decode())["read"] == "4" and "no output was written" not in err.decode()
    out, _ = piped("--state", state, given=as_lines(stream))
    assert [json.loads(line)["id"] for line in out.splitlines()] == [5, 6]


@posix
def test_a_closed_pipe_ends_quietly_and_leaves_the_state(stream, tmp_path):
    rows = as_lines([{"text": f"第{i}条微博"} for i in range(60_000)])
    state = tmp_path / "seen"
    for options, told_of in (
        (("-q",), b""),
        (("-q", "--state", state), b"the program that read the output has closed it"),
    ):
        process = subprocess.Popen(
            [*FILTER, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        process.stdin.write(rows[: rows.index(b"\n", len(rows) // 10) + 1])
        process.stdin.flush()
        process.stdout.read(10)
        process.stdout.close()
        with suppress(BrokenPipeError):  # twice: what is buffered goes out on closing
            process.stdin.write(rows)
        with suppress(BrokenPipeError):
            process.stdin.close()
        err = process.stderr.read()
        process.stderr.close()
        assert process.wait(timeout=300) == 0
        assert err.strip() == b"" if not told_of else told_of in err
    assert not state.exists()


def test_pieces_of_any_size_give_the_same_output():
    """Records are cut by us, whatever the reads return."""
    from quchong.engines.stream import Stream
    from quchong.filters import Bloom

    data = as_lines([{"text": f"第{i % 70}条，{i % 3}"} for i in range(300)]) + b'{"text":"x"}'
    outputs = set()
    for size in (1, 7, 1000, 1 << 20):
        stream = Stream(Bloom(10, 0.001))
        stream.begin("it")
        decided = [stream.feed(data[a : a + size]) for a in range(0, len(data), size)] + [stream.finish()]
        outputs.add(b"".join(d.passed for d in decided if d))
        assert (stream.tally.read, stream.tally.skipped) == (301, 0)
    assert len(outputs) == 1


def test_no_file_is_read_and_written_or_written_twice(stream, tmp_path):
    given = tmp_path / "in.jsonl"
    given.write_bytes(as_lines(stream))
    link = tmp_path / "link.jsonl"
    link.hardlink_to(given)
    for option in ("--removed", "--skipped"):
        for path in (given, link):
            _, err = piped(given, option, path, code=4)
            assert f"the output {option} {path} is the same as the input {given}: choose another output" in err
    with given.open("rb") as source:
        ran = subprocess.run([*FILTER, "--removed", str(link)], stdin=source, capture_output=True, check=False)
    assert ran.returncode == 4
    assert given.read_bytes() == as_lines(stream)
    for option in ("--skipped", "--state"):
        _, err = piped("--removed", tmp_path / "x", option, tmp_path / "x", code=4)
        assert "are the same: give each output a separate place" in err


def test_removed_records_are_written_on_with_a_state_and_never_over(tmp_path):
    twice = as_lines([{"text": "今天下雨"}] * 2)
    removed, state = tmp_path / "removed.jsonl", tmp_path / "seen"
    piped("--removed", removed, "--state", state, given=twice)
    piped("--removed", removed, "--state", state, given=twice)
    assert len(removed.read_bytes().splitlines()) == 3
    _, err = piped("--removed", removed, given=twice, code=4)
    assert "exists" in err
    assert len(removed.read_bytes().splitlines()) == 3


def test_a_line_that_was_cut_off_is_not_written_on(tmp_path):
    """A kill may come in the middle of a line, and the last line of an input may have no ending."""
    removed, state = tmp_path / "removed.jsonl", tmp_path / "seen"
    one = json.dumps({"text": "今天下雨"}, ensure_ascii=False).encode()
    for _ in range(2):
        piped("--removed", removed, "--state", state, given=one + b"\n" + one)
    assert removed.read_bytes().splitlines() == [one] * 3
    removed.write_bytes(removed.read_bytes()[:-5])
    piped("--removed", removed, "--state", state, given=one)
    assert removed.read_bytes().splitlines() == [one, one, one[:-5], one]


@posix
def test_a_state_serves_one_process_at_a_time(tmp_path):
    """A second one is told at once; a kill -9 lets go of the state, and loses nothing of what was saved."""
    state, line = tmp_path / "seen", as_lines([{"text": "今天下雨"}])
    piped("--state", state, given=as_lines([{"text": "明天晴"}]))
    process = subprocess.Popen([*FILTER, "-q", "--state", str(state)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(line)
    process.stdin.flush()
    assert process.stdout.readline() == line
    before = state.read_bytes()
    out, err = piped("--state", state, given=line, code=4)
    assert not out and f"another filter (process {process.pid}) is using --state {state}: wait until it ends" in err
    assert state.read_bytes() == before
    process.kill()
    process.communicate()
    out, _ = piped("--state", state, given=line + as_lines([{"text": "明天晴"}]))
    assert out == line
    assert [p.name for p in tmp_path.iterdir()] == ["seen"]


@posix
def test_a_closed_terminal_saves_the_state(tmp_path):
    state = tmp_path / "seen"
    process = subprocess.Popen(
        [*FILTER, "-q", "--state", str(state)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(as_lines([{"text": "今天下雨"}]))
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=300) == 130
    process.stdin.close()
    process.stdout.close()
    process.stderr.close()
    out, _ = piped("--state", state, given=as_lines([{"text": "今天下雨"}, {"text": "明天晴"}]))
    assert "明天".encode() in out and "今天".encode() not in out
