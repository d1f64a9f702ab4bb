"""Covers: a command's process ends when the command has: nothing printed is lost, what is registered for the end is done, and no thread is waited for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")


def run(code, *argv, **more):
    command = [
        sys.executable,
        "-c",
        f"import sys; sys.argv[0] = 'quchong'\n{code}\nfrom quchong.cli.main import run; run()",
        *argv,
    ]
    return subprocess.run(command, text=True, check=False, timeout=600, **{"capture_output": True} | more)


def test_a_thread_that_hangs_does_not_hold_the_end():
    done = run("import threading; threading.Thread(target=threading.Event().wait).start()", "--version")
    assert done.returncode == 0 and done.stdout.startswith("quchong")


def test_what_is_registered_for_the_end_is_done_and_printed():
    done = run("import atexit; atexit.register(print, 'the last line', end='')", "--version")
    assert done.returncode == 0 and done.stdout.endswith("\nthe last line")


@pytest.mark.parametrize(
    ("argv", "code"), [(["nothing"], 2), (["dedup", "no-such-file.jsonl", "-o", "run"], 3), (["methods"], 0)]
)
def test_exit_codes_are_those_of_the_command(argv, code, tmp_path):
    assert run("", *argv, cwd=tmp_path).returncode == code


@pytest.mark.parametrize(("argv", "code"), [(["nothing"], 2), (["dedup", "no-such-file.jsonl", "-o", "run"], 3)])
def test_an_error_that_nobody_reads_keeps_its_code(argv, code, tmp_path):
    """As of `quchong ... 2>&1 | head -1`, when head has ended."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run("", *argv, cwd=tmp_path, capture_output=False, stdout=subprocess.DEVNULL, stderr=writing)
    finally:
        os.close(writing)
    assert done.returncode == code


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_output_that_cannot_be_written_to_its_end_is_no_success():
    with FULL.open("w") as full:
        done = run(
            "import atexit; atexit.register(print, 'the last line')",
            "--version",
            stdout=full,
            stderr=subprocess.PIPE,
            capture_output=False,
        )
    assert done.returncode != 0


def test_an_end_that_is_interrupted_is_an_end():
    done = run("import atexit, signal\natexit.register(lambda: signal.raise_signal(signal.SIGINT))", "methods")
    assert done.returncode == 0
