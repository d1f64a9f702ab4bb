"""Covers: messages at the command line have no words of Python, and no option that the command lacks; helps name every choice.

Run: pytest tests/cli/test_plain_words.py.
"""

from __future__ import annotations

import ast
import re
import shutil
import sqlite3
import struct
from pathlib import Path

import click
import pytest

import quchong as qc
from quchong.cli import main
from quchong.cli.parameters import option_names
from quchong.engines.index import opening
from quchong.engines.index.drift import measured_drift
from quchong.engines.index.shared import sessions
from quchong.engines.index.shared.address import parse_address
from quchong.errors import InputError, Param, RunError, UsageError, reason_of
from quchong.languages import Message, speaking
from quchong.plan.parameters import PARAMETERS, checked

NEWS = Path(__file__).parents[2] / "examples" / "news.jsonl"
PYTHON = re.compile(
    r"\w+(?:Error|Exception|Path)\b[:(]|NoneType|int\(\)|\bobject\b|\b(?:True|False|None)\b|qc\.|\\[nt]"
)
"""Words of Python: errors, paths as `repr` writes them, calls, values, and escaped line breaks."""


def commands(command: click.Command, path: str = "") -> list[tuple[str, click.Command]]:
    """All commands below one, by their words."""
    if not isinstance(command, click.Group):
        return [(path, command)]
    context = click.Context(command)
    below = [(name, command.get_command(context, name)) for name in command.list_commands(context) if name != "lab"]
    return [found for name, one in below if one is not None for found in commands(one, f"{path} {name}".strip())]


def test_the_help_of_a_choice_names_all_its_words():
    lacking = []
    for path, command in commands(main.cli):
        if hasattr(command, "learn"):
            command.learn()
        for option in command.params:
            if (
                isinstance(option, click.Option)
                and isinstance(option.type, click.Choice)
                and option.metavar
                and not option.hidden
            ):
                told = option.help or ""
                known = {*re.findall(r"[\w-]+", told), str(option.default) if option.show_default else ""}
                if told != "As in dedup." and not set(option.type.choices) <= known:
                    lacking.append((path, option.name, set(option.type.choices) - known))
    assert lacking == []


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_a_path_in_a_message_is_the_text_that_was_given(name):
    try:
        checked(**{name: Path("s3://bucket/a\0b")})
    except (UsageError, InputError) as error:
        assert "Path(" not in str(error).replace("pathlib.Path(", "")  # as it is typed


@pytest.mark.parametrize(
    "error",
    [
        TypeError("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"), KeyError("parts"),
        IndexError("list index out of range"), AttributeError("'list' object has no attribute 'get'"), RecursionError("maximum depth"),
        ValueError("invalid literal for int() with base 10: 'x'"), ValueError("not enough values to unpack (expected 2, got 1)"),
    ],
)  # fmt: skip
def test_an_error_of_python_about_contents_has_a_reason_in_words(error):
    assert reason_of(error) == "the contents are damaged, or belong to another kind of file"
    with speaking("zh"):
        assert reason_of(error).translation() == "内容已损坏，或不是这种文件的内容"


def test_the_reason_of_an_error_of_ours_is_its_message():
    assert reason_of(ValueError(Message("{} is missing", "a"))) == "a is missing"
    with speaking("zh"):
        assert reason_of(RunError("{} is incomplete", "a")).translation() == "a 不完整"


def test_a_reason_is_one_line():
    assert reason_of(OSError("refused\n\tIs the server running?")) == "refused Is the server running?"


@pytest.mark.parametrize("how", ["cut", "garbage", "empty", "list"])
def test_no_message_of_a_damaged_index_has_words_of_python(news, command, tmp_path, monkeypatch, how):
    files = [file.relative_to(news) for file in sorted(news.rglob("*")) if file.is_file() and file.stat().st_size]
    for number, name in enumerate(files):
        folder = shutil.copytree(news, tmp_path / f"i{number}")
        whole = (folder / name).read_bytes()
        text = {"cut": whole[: len(whole) // 2], "garbage": b"\xff" * len(whole), "empty": b"", "list": b"[null]"}[how]
        (folder / name).write_bytes(text)
        for language in ("en", "zh"):
            monkeypatch.setenv("QUCHONG_LANG", language)
            for words in ("verify", "query"):
                told = command("index", words, folder, *([NEWS] if words == "query" else []), "-q")
                assert told.code in (0, 5), (name, told)
                assert not PYTHON.search(told.err.replace(str(folder), "")), (name, told.err)


@pytest.mark.parametrize("name", ["a.foo", "b.parquet", "c.warc", "d.jsonl"])
def test_advice_that_a_command_has_no_option_for_is_left_out(news, command, tmp_path, monkeypatch, name):
    (tmp_path / name).write_bytes(b"PAR1 nonsense" if name == "d.jsonl" else b"nonsense")
    for language in ("en", "zh"):
        monkeypatch.setenv("QUCHONG_LANG", language)
        told = command("index", "query", news, tmp_path / name).err
        assert (
            told and "format FORMAT" not in told and "--format" not in told and not re.search("format [格j]", told)
        ), told
        assert "--format" in command("dedup", tmp_path / name, "--dry-run").err


def test_a_switch_of_another_command_is_named_as_it_is_typed():
    shown = option_names(click.Command("x"))
    assert shown(Param("ids_only", True)) == "--ids-only" and shown(Param("confirm", False)) == "--no-confirm"
    assert shown(Param("format", "FORMAT", optional=True)) == ""


@pytest.mark.parametrize(
    ("words", "english", "chinese"),
    [
        (
            ["index", "create", "http://example.com/x"],
            "http://example.com/x: an index is a folder on this machine",
            "索引是本机的目录",
        ),
        (["index", "create", ""], "the name of the index is empty", "索引的名称是空的"),
        (["index", "create", "e", "--per", ""], "the name of the column is empty", "列名是空的"),
        (["index", "compact", "EMPTY", "--refit"], "the index has no documents", "索引里没有文档，无法统计"),
        (["verify", "NEWS"], "check it with quchong index verify", "检查索引请用 quchong index verify"),
        (["dedup", NEWS, "-o", "e", "--keep", "source:"], "source:best>second>...", "source:首选>次选>……"),
    ],
)
def test_a_wrong_call_is_told_in_plain_words(news, command, tmp_path, monkeypatch, words, english, chinese):
    qc.Index.create(tmp_path / "empty").close()
    places = {"EMPTY": tmp_path / "empty", "NEWS": news, "e": tmp_path / "e"}
    for language, said in (("en", english), ("zh", chinese)):
        monkeypatch.setenv("QUCHONG_LANG", language)
        told = command(*(places.get(word, word) for word in words))
        assert told.code and said in told.err and not PYTHON.search(told.err), told


def test_words_of_sqlite_are_chinese(tmp_path):
    path = tmp_path / "a.sqlite"
    path.write_bytes(struct.pack("<I", 7) * 4096)
    with pytest.raises(sqlite3.DatabaseError) as told:
        sqlite3.connect(path).execute("SELECT * FROM sqlite_schema")
    error = InputError("{} cannot be read: {}", "a", reason_of(told.value))
    with speaking("zh"):
        assert not re.search("[a-z]{2}", str(error).replace("a ", "", 1))


def test_a_server_that_never_answered_is_not_waited_for(monkeypatch):
    pytest.importorskip("psycopg")
    monkeypatch.setattr(sessions.clock, "sleep", lambda _: pytest.fail("waited"))
    with pytest.raises(RunError) as told:
        sessions.Sessions(parse_address("postgresql://u@localhost:1/x?index=y")).connect_again()
    assert "\n" not in str(told.value) and "\t" not in str(told.value)


def test_what_is_no_truth_value_is_refused_in_python(news):
    with pytest.raises(UsageError, match="read_only must be True or False"):
        qc.Index(news, read_only="yes")
    with qc.Index(news, read_only=True) as index, pytest.raises(UsageError, match="passages must be True or False"):
        index.query("a", passages="yes")


def test_an_index_of_one_that_counted_nothing_has_no_drift(news, tmp_path):
    with qc.Index.create(tmp_path / "other", from_run=news) as made:
        assert made.stats().drift == 0.0
        assert made._open.catalogue.note("counted") is None
        assert measured_drift(made._open, made._open.uncounted, made._open.statistics).share == 0.0


def test_the_advice_of_a_locked_index_fits_the_caller(news, command, tmp_path, monkeypatch):
    folder = shutil.copytree(news, tmp_path / "seen")
    monkeypatch.setattr(opening, "_is_own_lock", lambda _: False)  # as another process would see it
    monkeypatch.setattr(opening, "_TRIES", 1)
    with qc.Index(folder):
        with pytest.raises(qc.OutputError, match="read_only=True"):
            qc.Index(folder)
        told = command("index", "delete", folder, "n001")
        assert told.code == 4 and f"use quchong index query {folder}" in told.err and "read_only" not in told.err


NOT_PLAIN = re.compile(
    r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer|more)|\b(?:accepts?|gives?|holds|knows?|names|reads|takes?) no\b"
)
"""English of other languages: "it is no number", "knows no such option"."""


@pytest.mark.parametrize("package", ["quchong", "quchong_lab"])
def test_messages_say_is_not_a_rather_than_is_no(package):
    root = Path(__file__).parents[2]
    folder = root / "src" if package == "quchong" else root / "packages" / "lab" / "src"
    catalogue = folder / package / "languages" / "zh" / "LC_MESSAGES" / f"{package}.po"
    texts = [
        "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found))
        for found in re.findall(r'^msgid(?:_plural)? ((?:".*"\n)+)', catalogue.read_text(encoding="utf-8"), re.M)
    ]
    assert len(texts) > 50 and [one for one in texts if NOT_PLAIN.search(one)] == []


OURS = re.compile(r"(?:OutputError|InputError|RunError|UsageError|Message)$")


def test_no_message_has_an_error_of_the_system_with_its_number():
    """Such as "[Errno 28] No space left on device" from Arrow: `reason_of` gives the words alone."""
    found = []
    for path in sorted((Path(__file__).parents[2] / "src").rglob("*.py")):
        for handler in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                not isinstance(handler, ast.ExceptHandler)
                or handler.name is None
                or "OSError" not in ast.unparse(handler.type)
            ):
                continue
            raw = {handler.name, f"str({handler.name})", f"{handler.name}.strerror or {handler.name}"}
            calls = [
                one for one in ast.walk(handler) if isinstance(one, ast.Call) and OURS.search(ast.unparse(one.func))
            ]
            found += [(path.name, one.lineno) for one in calls if raw & {ast.unparse(each) for each in one.args}]
    assert found == []
