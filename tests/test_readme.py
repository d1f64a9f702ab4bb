"""Covers: what README in both languages, the guides and the pages on relations show is what comes out.

All commands of a page are run in their order, in a folder with the examples and the files they name. What stands below a
command in a `console` block is what it prints, up to a line `...`. Python blocks are run too.

Run: pytest tests/test_readme.py.
"""

import doctest
import gzip
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from unicodedata import east_asian_width

import forked
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong.cli.access import command as ACCESS
from quchong.cli.index import command as INDEX
from quchong.cli.main import COMMANDS
from quchong.cli.methods import WITH_METHODS
from quchong.cli.parameters import parameters_of_all

ROOT = Path(__file__).parents[1]
GUIDES = sorted((ROOT / "docs" / "guide").glob("*.md"))
RELATIONS = [ROOT / "docs" / name for name in ("relations.md", "relations.zh-CN.md")]
READMES = [ROOT / name for name in ("README.md", "README.zh-CN.md")]
MAPS = dict(zip(READMES, (ROOT / "docs" / "index.md", ROOT / "docs" / "index.zh-CN.md"), strict=True))
"""The map of all guides that each README leads to."""
CHINESE = [ROOT / "README.zh-CN.md", *(page for page in (*GUIDES, *RELATIONS) if page.name.endswith(".zh-CN.md"))]
"""Pages for Chinese readers: their commands are run as under a Chinese locale."""
PAGES = [*READMES, *GUIDES, *RELATIONS]
TEXT = {page: page.read_text("utf-8") for page in PAGES}
EVERYWHERE = "\n".join(TEXT.values()) + "".join(
    p.read_text("utf-8")
    for p in [
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs" / "results").glob("*.md"),
        *(ROOT / "docs" / "methods").glob("*.md"),
    ]
)


def blocks(page, language):
    """The fenced blocks of a page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT[page], re.DOTALL)


def fenced(page):
    """All fenced blocks of a page in order, each with its language."""
    return re.findall(r"^```(\w*)\n(.*?)^```", TEXT[page], re.DOTALL | re.MULTILINE)


def named(pages):
    return [pytest.param(page, id=page.stem) for page in pages]


def named_files(folder):
    """The files that commands name and do not write, made of the samples."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    news = [json.loads(line) for line in (ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines()]
    for name in ("news", "today"):
        shutil.copy(ROOT / "examples" / "news.jsonl", folder / f"{name}.jsonl")
    renamed = [{"content": row["text"], "url": row["url"]} for row in news]
    (folder / "scraped.jsonl").write_text("".join(json.dumps(row) + "\n" for row in renamed), "utf-8")
    code = [{"content": path.read_text("utf-8"), "path": path.name} for path in sorted((ROOT / "tools").glob("*.py"))]
    pq.write_table(pa.Table.from_pylist(code), folder / "code.parquet")
    chats = [
        {
            "meta": {"id": f"c{number}", "score": number},
            "messages": [{"role": "user", "content": row["title"]}, {"role": "assistant", "content": row["text"]}],
        }
        for number, row in enumerate(news[:20])
    ]
    (folder / "chats.jsonl").write_text("".join(json.dumps(row) + "\n" for row in chats), "utf-8")
    pq.write_table(pa.Table.from_pylist(chats), folder / "chats.parquet")
    (folder / "ids.txt").write_text("n003\n", "utf-8")
    labels = [
        {"left_id": "n005", "right_id": "n006", "label": "same"},
        {"left_id": "n001", "right_id": "n022", "label": "different"},
    ]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels), "utf-8")
    (folder / "footers.txt").write_text("版权所有\n", "utf-8")
    for name in ("archive", "corpus", "monday", "tuesday"):
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


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with the examples and all files that are named, where `quchong` is a command."""
    named_files(tmp_path)
    command = tmp_path / "bin" / "quchong"
    command.parent.mkdir()
    code = shlex.quote("from quchong.cli.main import main; main()")
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {code} "$@"\n', "utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands(block):
    """The commands of a block, but experiments and those on Spark, as words."""
    lines = [shlex.split(line, comments=True) for line in re.findall(r"^quchong (.*)$", block, re.MULTILINE)]
    return [words for words in lines if words[0] != "lab" and "hdfs:" not in " ".join(words)]


@pytest.fixture
def services(desk):
    """Services that a page starts, which end with it."""
    spec = importlib.util.spec_from_file_location("guide_outputs", ROOT / "tools" / "guide_outputs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    started = module.Services(desk, os.environ)
    yield started
    started.stop()


def what_it_shows(block, services):
    """Runs the commands of a `console` block and holds what they print to what stands below them."""
    assert block.startswith("$ ")
    for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = entry.partition("\n")
        if services.is_start(line):
            printed = services.start(line)
        else:
            printed = services.as_written(shell(services.in_truth(line)))
            printed += "\n" if printed and not printed.endswith("\n") else ""  # a body of HTTP ends without one
        if shown.endswith("...\n"):
            assert printed.startswith(shown.removesuffix("...\n")), line
        elif shown:
            assert printed == shown, line


def shell(line):
    """What a command prints; one that leaves something to the shell has one."""
    if re.search(r"[|<>*?$;&]", line) is None and line.startswith("quchong "):
        return told(shlex.split(line)[1:])
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (line, done.stderr)
    return done.stdout


def told(words):
    """What a command prints that is given as words."""
    done = forked.run(*words)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


@pytest.mark.parametrize("page", named(p for p in PAGES if "```console" in TEXT[p]))
def test_commands_run_in_their_order_and_print_what_is_shown(page, desk, services, monkeypatch):
    monkeypatch.setenv("QUCHONG_LANG", "zh" if page in CHINESE else "en")
    if "$ curl" in TEXT[page] and shutil.which("curl") is None:
        pytest.skip("no curl: apt-get install curl")
    pytest.importorskip("resiliparse", reason="pages need the extra html")
    for language, block in fenced(page):
        if language == "console":
            what_it_shows(block, services)
        elif not language and (given := commands(block)):
            for words in given:
                told(words)


def test_the_guides_show_many_commands():
    given = [
        words[0] for page in PAGES for language, block in fenced(page) if not language for words in commands(block)
    ]
    run = [line.split()[1] for page in PAGES for line in re.findall(r"^\$ (.*)$", TEXT[page], re.MULTILINE)]
    assert len(given + run) > 25 and {*given, *run} >= {"dedup", "explain", "restore", "compare", "passages", "filter"}


def test_a_first_run_leaves_what_the_table_of_the_guide_lists(desk):
    shell("quchong dedup examples/news.jsonl -o run/ -q")
    for page in (ROOT / "docs" / "guide" / name for name in ("dedup.md", "dedup.zh-CN.md")):
        listed = re.findall(r"^\| `([a-z]+\.[a-z]+)`(?:(?:, |、)`([a-z]+\.[a-z]+)`)? \|", TEXT[page], re.MULTILINE)
        assert {n for pair in listed for n in pair if n} == {p.name for p in Path("run").iterdir()}, page


def own_python(page):
    """The Python blocks of a page; of a Chinese one those alone that print, or that its English twin has not, comments aside."""
    twin = page.with_name(page.name.replace(".zh-CN", ""))
    there = set() if twin == page or twin not in TEXT else {without_comments(one) for one in blocks(twin, "python")}
    return [
        one for one in blocks(page, "python") if "print(" in one or ">>> " in one or without_comments(one) not in there
    ]


def without_comments(block):
    return re.sub(r"\s*#.*$", "", block, flags=re.MULTILINE)


@pytest.mark.parametrize("page", named(p for p in PAGES if own_python(p)))
def test_python_blocks_run_and_print_what_they_say(page, desk, capsys):
    for block in own_python(page):
        if ">>> " in block:
            said = []
            example = doctest.DocTestParser().get_doctest(block, {}, page.name, None, 0)
            failed, tried = doctest.DocTestRunner().run(example, out=said.append)
            assert tried and not failed, "".join(said)
            continue
        exec(compile(block, page.name, "exec"), {})
        printed = capsys.readouterr().out
        for said in re.findall(r"^print\(.*?\)\s+# (.*)$", block, re.MULTILINE):
            assert said in printed


def test_the_python_block_of_the_guide_leaves_and_answers_what_it_says(desk):
    (block,) = blocks(ROOT / "docs" / "guide" / "dedup.md", "python")
    namespace = {}
    exec(compile(block, "dedup.md", "exec"), namespace)
    assert Path("saved/run.json").is_file() and Path("again/run.json").is_file()
    assert Path("repeats/cut.jsonl").is_file()
    (compared,) = [line for line in block.splitlines() if line.startswith("qc.compare")]
    assert eval(compared.split("#")[0], namespace) == "exact"
    (passage,) = eval(block.splitlines()[-1].split("#")[0], namespace)
    assert (passage.kind, passage.start, passage.end, passage.survivor_start) == ("exact", 0, 9, 2)


SUBCOMMANDS = {"index": tuple(INDEX.commands), "access": tuple(ACCESS.commands), "lab": ("run", "list")}
"""Commands of groups."""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_shown_exists(name, desk):
    below = (f"{name} {sub}" for sub in SUBCOMMANDS.get(name, ()))
    shown = "".join(shell(f"quchong {one} --help") for one in (name, *below))
    if "--help-all" in shown:
        shown = shell(f"quchong {name} --help-all")
    known = set(re.findall(r"--[a-z0-9-]+", shown)) | {"--help"}
    if any(one.split()[0] == name for one in WITH_METHODS):
        known |= {f"--{parameter.replace('_', '-')}" for parameter in parameters_of_all()}
    lines = re.findall(rf"quchong {name} ([^`\n]*)", EVERYWHERE)
    assert lines, "no page shows it"
    for line in lines:
        assert set(re.findall(r"(?<!\S)--[a-z0-9-]+", line.partition("#")[0].partition(" | ")[0])) <= known, line


def in_any_language(language, block):
    """A block without what its comments say and its commands print, which each page has in its own language."""
    if language == "console":
        return re.findall(r"^\$ .*$", block, re.MULTILINE)
    return re.sub(r"\s+# .*$", "", block, flags=re.MULTILINE)


def said_beside_blocks(page):
    """Code, links and figures of two digits or more of a page. A link to a page in Chinese is one to its English twin; those of the
    READMEs to each other are left out.
    """
    text = re.sub(r"^```.*?^```", "", TEXT[page], flags=re.DOTALL | re.MULTILINE)
    links = {link.replace(".zh-CN", "") for link in re.findall(r"\]\(([^)\s]+)\)", text)} - {"README.md"}
    figures = {figure.replace(",", "") for figure in re.findall(r"\d[\d,.]*\d", TEXT[page])}
    return set(re.findall(r"`([^`\n]+)`", text)), links, figures


def test_both_readmes_show_the_same_commands_and_figures():
    english, chinese = READMES
    blocks_of = [[(language, in_any_language(language, block)) for language, block in fenced(page)] for page in READMES]
    assert len(blocks_of[0]) > 2 and blocks_of[0] == blocks_of[1]
    code, links, figures = zip(*(said_beside_blocks(page) for page in READMES), strict=True)
    assert len(code[0]) >= 13 and code[0] == code[1]  # 20 before a README had to fit a screen and a half
    assert len(links[0]) > 20 and links[0] == links[1]
    assert len(figures[0]) > 20 and figures[0] == figures[1]
    assert len(re.findall("^## ", TEXT[english], re.MULTILINE)) == len(re.findall("^## ", TEXT[chinese], re.MULTILINE))


def test_each_readme_links_the_other_in_its_first_lines():
    for page, other in zip(READMES, reversed(READMES), strict=True):
        assert f"]({other.name})" in "\n".join(TEXT[page].splitlines()[:3]), page


SCREEN_AND_A_HALF = 80
"""Lines of 100 columns that a README has as it is read, beside its picture."""


def lines_as_read(text, columns=100):
    """How many lines of some columns a page takes as it is read: without its picture, addresses of links, fences and rules of tables."""
    shown = (
        re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"^!\[.*\n", "", text, flags=re.MULTILINE))
        .replace("**", "")
        .replace("`", "")
    )
    widths = [sum(2 if east_asian_width(sign) in "WF" else 1 for sign in line) for line in shown.splitlines()]
    unseen = len(re.findall(r"^(?:```\w*|\|[-|]+\|)$", text, re.MULTILINE))
    return sum(max(1, -(-width // columns)) for width in widths) - unseen


@pytest.mark.parametrize("page", named(READMES))
def test_the_readme_is_short_and_leads_to_the_map_of_guides(page):
    readme = TEXT[page]
    assert lines_as_read(readme) <= SCREEN_AND_A_HALF
    assert f"](docs/{MAPS[page].name})" in readme


@pytest.mark.parametrize("page", named(MAPS.values()))
def test_the_map_of_guides_leads_to_every_guide_in_its_own_language(page):
    docs = ROOT / "docs"
    leads = {(docs / link).resolve() for link in re.findall(r"\]\(([^)#\s]+)\)", page.read_text("utf-8"))}
    chinese = {one for one in (*GUIDES, *RELATIONS) if one.name.endswith(".zh-CN.md")}
    translated = {one.with_name(one.name.replace(".zh-CN", "")) for one in chinese}
    english = {*GUIDES, *RELATIONS} - chinese
    wanted = chinese | (english - translated) if page.name.endswith(".zh-CN.md") else english
    assert wanted <= leads
