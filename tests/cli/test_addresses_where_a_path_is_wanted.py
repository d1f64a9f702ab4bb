"""Covers: an address where only a path of this machine can be used is refused, told with both slashes, and its password appears nowhere,
for every option and argument of every command that names a file or a folder.
"""

import json

import click
import pytest

import quchong as qc
from quchong.cli.main import cli
from quchong.io.files.addresses import RemotePath, path_of, redacted

ADDRESS = "s3://ann:pass77word@bucket/run/"
SHOWN = "s3://bucket/run"


def paths():
    """Every parameter of a command that is a path, by command and name."""

    def walk(command, words):
        if isinstance(command, click.Group):
            for name in command.list_commands(click.Context(command)):
                yield from walk(command.get_command(click.Context(command), name), (*words, name))
            return
        for parameter in command.params:
            if isinstance(parameter.type, click.Path):
                yield words, parameter

    return [(words, parameter) for words, parameter in walk(cli, ()) if words[0] != "lab"]


def asked(words, parameter, jsonl, article):
    """A call of a command with the address as one parameter, and what else it needs."""
    news = jsonl("news.jsonl", [{"id": "a", "text": article(1)}, {"id": "b", "text": article(1)}])
    if isinstance(parameter, click.Argument):
        more = {"explain": ["a"], "tune": ["--truth", news]}.get(words[0], [])
        if words[:2] == ("index", "backup") and parameter.name == "copy":
            return [*words, "known", ADDRESS]
        return [*words, ADDRESS, *more]
    option = [parameter.opts[0], ADDRESS]
    inputs = {"index": ["known"], "serve": ["known"], "eval": ["run", "--truth", "truth.jsonl"], "restore": ["run", "--all"],
              "inspect": [news], "decontaminate": [news, "--against", news], "tune": [news, "--truth", "truth.jsonl"]}  # fmt: skip
    plain = (
        ["run"] if words[0] in ("report", "review", "chains", "templates", "verify", "resume", "explain") else [news]
    )
    more = [
        one for one in inputs.get(words[0], plain) if option[0] not in ("--run", "--index") or words[0] != "inspect"
    ]
    return [*words, *more, *option]


@pytest.mark.parametrize("each", paths(), ids=lambda each: " ".join((*each[0], each[1].name)))
def test_no_password_is_told(command, jsonl, article, tmp_path, monkeypatch, each):
    monkeypatch.chdir(tmp_path)
    words, parameter = each
    ran = command(*asked(words, parameter, jsonl, article))
    told = ran.out + ran.err
    assert ran.code in (2, 3, 4, 5), told
    assert "pass77word" not in told and "s3:/b" not in told and "Traceback" not in told, told
    assert "internal error" not in told, told


@pytest.mark.parametrize(
    "call",
    [
        lambda news: qc.dedup_units(news, out=RemotePath(ADDRESS)),
        lambda news: qc.dedup(news, work=ADDRESS),
        lambda news: qc.dedup(news, work=path_of(ADDRESS)),
        lambda news: qc.decontaminate(news, news, out=ADDRESS),
    ],
)
def test_python_tells_both_slashes_and_no_password(article, call):
    with pytest.raises(qc.UsageError) as raised:
        call([article(1)])
    assert SHOWN in str(raised.value) and "pass77word" not in str(raised.value)


@pytest.mark.parametrize(
    ("address", "secret"),
    [
        ("s3://ann:pass%77ord@b/x", "password"),
        ("https://h/x?sig=abcdef12345", "abcdef12345"),
        ("zip://a.jsonl::https://u:longword@h/x.zip", "longword"),
    ],
)
def test_what_a_library_says_of_a_secret_is_not_repeated(address, secret):
    path_of(address)
    assert secret not in redacted(f"no such bucket: {secret!r}, {json.dumps(secret)}")
