"""Covers: a list of sources with > that was typed without quotes: the shell writes to a file, and the command says so."""

import os
import subprocess
import sys

import pytest


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs /proc")  # noqa: PTH110
@pytest.mark.parametrize(("language", "words"), [("en", "put the value into quotes"), ("zh", "加引号")])
@pytest.mark.parametrize(
    ("keep", "file", "told"), [("source:a", "b", True), ("source:a", "out.txt", False), ("longest", "b", False)]
)
def test_a_file_named_as_a_source_is_told(tmp_path, jsonl, article, keep, file, told, language, words):
    jsonl(tmp_path / "news.jsonl", [{"id": "x", "source": "a", "text": article(1)}])
    line = [sys.executable, "-m", "quchong", "dedup", "news.jsonl", "-o", "run", "--keep", keep, "--lang", language]
    with (tmp_path / file).open("w") as output:
        ran = subprocess.run(line, cwd=tmp_path, stdout=output, stderr=subprocess.PIPE, check=True, text=True)
    assert (words in ran.stderr and f"'{keep}>{file}'" in ran.stderr) is told
