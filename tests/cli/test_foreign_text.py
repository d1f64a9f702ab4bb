"""Covers: texts, ids, file and column names that would act on a terminal, through every command. Run: pytest tests/cli/test_foreign_text.py."""

import ast
import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from quchong.outputs import read_path
from quchong.report.visible import UNSAFE

TITLE, CLEAR, RED = "\x1b]0;pwned\x07", "\x1b[2J", "\x9b31m"
OVER = "right-to-left \u202e mark, zero \u200b width, \rback"
EVIL = TITLE + CLEAR + RED + OVER
OURS = re.compile("\x1b\\[(?:0|1|32|33)m")
"""Bold, green, yellow: what the command line itself prints."""


@pytest.fixture(autouse=True)
def escapes_are_not_taken_out_by_click(monkeypatch):
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_, **__: False)


@pytest.fixture
def corpus(jsonl, article):
    """Texts, ids, sources, keys and a file name, all of which hold control characters and bidi marks."""
    rows = [
        {"id": f"{EVIL}1", "text": article(1) + EVIL + article(2), "source": EVIL, EVIL: EVIL},
        {"id": f"{EVIL}2\nalarm: no alarm", "text": article(1) + EVIL + article(2), "source": EVIL},
        {"id": f"{EVIL}2\nalarm: no alarm", "text": article(2) + EVIL + article(1) + "完", "source": EVIL},
        {"id": "../../" + "x" * 1_000_000, "text": article(1) + EVIL + article(2)[:-3], "source": EVIL},
        {"id": "quote \" ' $(id)", "text": EVIL},
        {"id": f"{EVIL}bad", "text": None},
        b'{"id": "' + b"\\u001b[2Jbroken" + b'", "text": ' + EVIL.encode() + b"}",
    ]
    return jsonl(f"in{EVIL}.jsonl", rows)


def harmless(text):
    text = OURS.sub("", text)
    assert not UNSAFE.search(text), repr(UNSAFE.search(text))
    assert text.startswith(("{", "[")) or max(map(len, text.splitlines()), default=0) < 4000
    assert "\nalarm: no alarm" not in text


@pytest.fixture
def checked(command):
    def checked(*argv, code=0):
        ran = command(*argv)
        assert ran.code == code, (ran.out[-2000:], ran.err[-2000:])
        harmless(ran.out)
        harmless(ran.err)
        return ran

    return checked


@pytest.fixture
def run(checked, corpus, tmp_path):
    folder = tmp_path / f"run{TITLE}{OVER}"
    ran = checked("dedup", corpus, "-o", folder, "--source-key", "source")
    assert "\\x1b]0;pwned\\x07" in ran.out and "⟨U+202E⟩" in ran.out
    return folder


def test_dedup_and_what_reads_its_run(checked, run, corpus):
    ids = [json.loads(line)["id"] for line in corpus.read_bytes().splitlines()[:3]]
    for argv in ([*ids, "quote \" ' $(id)"], [ids[0], "--with", ids[1]], [ids[0], "--json"]):
        ran = checked("explain", run, *argv)
    assert json.loads(ran.out)["id"] == ids[0], "JSON holds the exact values"
    checked("explain", run, EVIL, code=2)
    checked("explain", run, f"{EVIL}bad")
    checked("restore", run, "--relation", EVIL, code=2)
    checked("restore", run, EVIL, code=2)
    checked("restore", run, "--all")


def test_an_annotated_run_a_dry_run_and_json(checked, corpus, tmp_path):
    checked("dedup", corpus, "-o", tmp_path / f"annotated{EVIL}", "--mode", "annotate")
    manifest = json.loads(checked("dedup", corpus, "--dry-run", "--json").out)
    assert read_path(manifest["inputs"][0]["name"]) == corpus.name


def test_the_advice_can_be_typed(command, jsonl, article, tmp_path):
    rows = [{"id": name, "text": article(1)} for name in (f"a{EVIL}", "it's one", "two")]
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "my run")
    advice = ran.out.splitlines()[-1].partition("quchong ")[2]
    shell = f"set -- {advice}; printf '%s\\n' \"$@\""
    words = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True).stdout.splitlines()
    assert words[:2] == ["explain", str(tmp_path / "my run")] and words[2] in ("it's one", "two")
    assert command(*words).code == 0


@pytest.mark.parametrize("cut", ["none", "copies", "boilerplate"])
def test_passages(checked, corpus, tmp_path, cut):
    checked("passages", corpus, "--min-chars", 20, "-o", tmp_path / f"out{EVIL}", "--cut", cut)
    assert json.loads(checked("passages", corpus, "--min-chars", 20, "--json").out)["passages"]


def test_two_texts(checked, article, tmp_path):
    left, right = (tmp_path / f"{name}{EVIL}.txt" for name in "ab")
    left.write_text(article(1) + EVIL + article(2), encoding="utf-8")
    right.write_text(article(3) + article(1) + EVIL + article(2), encoding="utf-8")
    for name in ("compare", "passages"):
        checked(name, left, right)
        json.loads(checked(name, left, right, "--json").out)
        checked(name, left, tmp_path / f"none{EVIL}", code=3)


def test_statistics_and_the_filter_s_words(checked, corpus, tmp_path):
    checked("statistics", corpus, "-o", tmp_path / f"idf{EVIL}.parquet")
    done = subprocess.run(
        [sys.executable, "-m", "quchong.cli.main", "filter", corpus, "--state", tmp_path / f"s{EVIL}"],
        capture_output=True, check=True,
    )  # fmt: skip
    harmless(done.stderr.decode())
    assert set(done.stdout.splitlines()) <= set(corpus.read_bytes().splitlines()), "the stream is byte for byte"


@pytest.mark.parametrize(
    "argv",
    [
        [EVIL], ["dedup", EVIL], ["dedup", "--" + EVIL], ["dedup", "x", "--method", EVIL], ["methods", EVIL],
        ["lab", "run", EVIL], ["lab", EVIL], ["explain", EVIL, EVIL], ["restore", EVIL, EVIL],
        ["dedup", "x", "--dry-run", "--set", EVIL], ["dedup", "x", "--dry-run", "--keep", EVIL], ["filter", EVIL],
        ["dedup", "x", "--dry-run", "--config", EVIL], ["dedup", "x", "--dry-run", "--mode", EVIL], ["passages", EVIL],
    ],
)  # fmt: skip
def test_errors(checked, command, argv):
    ran = command(*argv)
    assert ran.code in (2, 3, 5), ran
    harmless(ran.err)
    harmless(ran.out)


def test_an_error_nobody_expected_shows_its_text_harmless(command, monkeypatch, jsonl):
    def broken(*_args, **_options):
        raise RuntimeError(EVIL)

    monkeypatch.setattr("quchong.api.deduplication.make_plan", broken)
    ran = command("dedup", jsonl("in.jsonl", []), "--dry-run")
    assert ran.code == 1 and "internal error: " in ran.err
    harmless(ran.err)


def test_bars_on_a_terminal(corpus, tmp_path):
    """A true terminal: rich draws bars, click does not take escapes out."""
    main, side = pty.openpty()
    argv = [sys.executable, "-m", "quchong.cli.main", "dedup", corpus, "-o", tmp_path / f"run{TITLE}{OVER}"]
    child = subprocess.Popen(argv, stdin=side, stdout=side, stderr=side, cwd=tmp_path)
    os.close(side)
    got = b""
    while select.select([main], [], [], 60)[0]:
        try:
            piece = os.read(main, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        got += piece
    assert child.wait() == 0
    os.close(main)
    text = got.decode()
    assert "pwned\\x07" in text and "⟨U+202E⟩" in text
    for evil in (TITLE, CLEAR, RED, "\u202e", "\u200b", "\rback"):
        assert evil not in text


def test_only_the_printing_layer_prints():
    """And what it prints has a template of ours, written where it is printed: a foreign text can only be a value."""
    root = Path(__file__).parents[2] / "src" / "quchong"
    said = 0
    for path in root.rglob("*.py"):
        if path.name in ("printing.py", "visible.py"):
            continue
        for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
            name = ast.unparse(call.func)
            assert name not in ("click.echo", "click.secho", "print", "sys.stdout.write"), (path, call.lineno)
            if name in ("say", "compose") and path.parent.name in ("cli", "report"):
                said += 1
                assert all(isinstance(part, ast.Constant) for part in whole(call.args[0])), (path, call.lineno)
    assert said > 40


def whole(template):
    """A template, or both sides of a choice between two."""
    return (template.body, template.orelse) if isinstance(template, ast.IfExp) else (template,)


def test_an_empty_id_is_shown(command, jsonl, article, tmp_path):
    def told(*argv):
        ran = command(*argv)
        return OURS.sub("", ran.out + ran.err)

    rows = [{"id": i, "text": article(1, 300)[:n]} for i, n in (("", 300), ("a", 299), ("b", 298), ("c", 100))]
    source, run = jsonl("in.jsonl", rows), tmp_path / "run"
    assert re.search(r'^  ""  +4 documents$', told("dedup", source, "-o", run), re.MULTILINE)
    said = told("explain", run, "", "a", "c")
    for words in (
        '"" was kept',
        "a was removed: it is ",
        '--- "" (kept)',
        '% of c is in "", ',
        'c was removed: it is contained in ""',
    ):
        assert words in said, words
    assert told("explain", run, "c", "--with", "").startswith('c is contained in ""\n')
    assert told("explain", run, "", "--with", "c").startswith('"" is longer than c and contains it\n')
    assert told("restore", run, "").startswith("quchong: '' ")
    assert re.search(r' ""  +\S', told("passages", source, "--min-chars", 20))


def test_what_is_left_unsaid_is_no_empty_name(command, jsonl, article, tmp_path):
    """Two quotes stand for an empty name, not for words that are left out."""
    rows = [{"id": i, "text": article(1, 300) + str(i)} for i in range(3)]
    source, run = jsonl("in.jsonl", [*rows, b"{broken"]), tmp_path / "run"
    said = [command("dedup", source, "-o", run), command("dedup", source, "--dry-run", "--recall-sample", 0)]
    said += [
        command("explain", run, 0, 1, 2),
        command("restore", run, "--all"),
        command("methods"),
        command("methods", "yap3"),
    ]
    said += [command("passages", source, "--min-chars", 20), command("statistics", source, "-o", tmp_path / "idf")]
    for ran in said:
        assert ran.code == 0 and '""' not in ran.out + ran.err, (ran.out, ran.err)
