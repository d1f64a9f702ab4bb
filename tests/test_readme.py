"""Covers: what the README shows is what comes out. Run: pytest tests/test_readme.py."""

import gzip
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def quchong(*arguments):
    code = "from quchong.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readme") / "run"
    return folder, quchong("dedup", "examples/news.jsonl", "-o", folder, "-q")


def test_the_summary_shown_is_the_summary_printed(run):
    shown = re.search(r"\$ quchong dedup examples/news.jsonl -o run/\n(.*?)\n\.\.\.\n", README, re.DOTALL).group(1)
    assert run[1].startswith(shown + "\n")


def test_the_run_folder_holds_what_the_table_lists(run):
    listed = re.findall(r"^\| `([a-z]+\.[a-z]+)`(?:, `([a-z]+\.[a-z]+)`)? \|", README, re.MULTILINE)
    names = {n for pair in listed for n in pair if n}
    assert names == {p.name for p in run[0].iterdir()}


def test_the_explanation_shown_is_the_one_printed(run):
    shown = README.split("$ quchong explain run/ n009\n")[1].splitlines()[:4]
    assert quchong("explain", run[0], "n009").splitlines()[:4] == shown


def test_the_python_block_runs_and_prints_what_it_says(tmp_path, monkeypatch, capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(ROOT)
    namespace = {}
    for folder in ("saved", "again", "repeats"):
        block = block.replace(f'"{folder}/"', repr(str(tmp_path / folder)))
    exec(compile(block, "README", "exec"), namespace)
    said = re.search(r"print\(result\)\s+# (.*)", block).group(1)
    assert capsys.readouterr().out.startswith(said)
    assert (tmp_path / "saved" / "run.json").is_file()
    assert (tmp_path / "repeats" / "cut.jsonl").is_file()
    (compared,) = [line for line in block.splitlines() if line.startswith("qc.compare")]
    assert eval(compared.split("#")[0], namespace) == "exact"
    (passage,) = eval(block.splitlines()[-1].split("#")[0], namespace)
    assert (passage.kind, passage.start, passage.end, passage.survivor_start) == ("exact", 0, 9, 2)


@pytest.mark.parametrize("name", ["dedup", "passages", "explain"])
def test_every_option_shown_exists(name):
    known = set(re.findall(r"--[a-z-]+", quchong(name, "--help"))) | {"--help"}
    lines = re.findall(rf"^(?:\$ )?quchong {name} .*$", README, re.MULTILINE)
    assert lines
    for line in lines:
        assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= known, line


RUNNER = """
import json, sys
from quchong.cli.main import main
for words in json.load(sys.stdin):
    sys.argv = ["quchong", *words]
    try:
        main()
    except SystemExit as end:
        if end.code:
            sys.exit(f"{words}: exit code {end.code}")
"""
"""Commands one after the other, in one process."""


def commands():
    """Every command of the README but experiments, those on a cluster, and streams without an end, as words."""
    found = []
    for block in re.findall(r"^```\n(.*?)^```", README, re.DOTALL | re.MULTILINE):
        for line in re.findall(r"^(?:\$ )?quchong (.*)$", block, re.MULTILINE):
            words = shlex.split(line, comments=True)
            if words[0] != "lab" and "<" not in words:
                found.append(words)
    return found


def named_files(folder):
    """The files that its commands name and do not write, made of the samples."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    news = [json.loads(line) for line in (ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines()]
    for name in ("news", "today"):
        shutil.copy(ROOT / "examples" / "news.jsonl", folder / f"{name}.jsonl")
    renamed = [{"content": row["text"], "url": row["url"]} for row in news]
    (folder / "scraped.jsonl").write_text("".join(json.dumps(row) + "\n" for row in renamed), "utf-8")
    (folder / "ids.txt").write_text("n003\n", "utf-8")
    (folder / "footers.txt").write_text("版权所有\n", "utf-8")
    for name in ("archive", "corpus"):
        pq.write_table(pa.Table.from_pylist(news[:30]), folder / f"{name}.parquet")
    (folder / "a.txt").write_text(news[0]["text"], "utf-8")
    (folder / "b.txt").write_text("昨天的消息。" + news[0]["text"], "utf-8")
    pages = [path.read_bytes() for path in sorted((ROOT / "examples" / "pages").rglob("*.html"))[:6]]
    for name, raw in zip(("a.html", "b.html"), pages, strict=False):
        (folder / name).write_bytes(raw)
    pq.write_table(pa.table({"html": pages, "id": list(range(len(pages)))}), folder / "pages.parquet")
    with gzip.open(folder / "crawl.warc.gz", "wb") as file:
        for number, raw in enumerate(pages):
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + raw
            head = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number:032d}>\r\nWARC-Date: 2026-03-01T00:00:00Z"
                    f"\r\nWARC-Target-URI: https://a.example/{number}\r\nContent-Type: application/http; msgtype=response\r\n"
                    f"Content-Length: {len(block)}\r\n\r\n")  # fmt: skip
            file.write(head.encode() + block + b"\r\n\r\n")


def test_the_commands_run_in_the_order_they_stand(tmp_path):
    pytest.importorskip("resiliparse", reason="pages need the extra html")
    named_files(tmp_path)
    given = commands()
    assert len(given) > 25 and {words[0] for words in given} >= {
        "dedup",
        "explain",
        "restore",
        "compare",
        "passages",
        "filter",
    }
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        cwd=tmp_path,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
