"""Covers: `quchong.cli.heap`. Compared against: all commands with the option --memory."""

import json

import click
import pytest
from click.testing import CliRunner

from quchong.cli import heap
from quchong.cli.main import cli

TEXT = "城南图书馆今天上午举行了开馆仪式，第一批读者在门口排起了长队，馆长向大家介绍了新的阅览室。"
GIVEN = {
    "dedup": ["docs.jsonl", "-o", "run"],
    "dedup by units": ["docs.jsonl", "-o", "run-units", "--unit", "line"],
    "passages": ["docs.jsonl", "--corpus"],
    "decontaminate": ["docs.jsonl", "--against", "tests.jsonl"],
}
PASSED_ON = {"resume"}
"""Commands that carry out another one of these."""


def test_every_command_with_a_memory_limit_is_listed_here():
    context = click.Context(cli)
    commands = set()
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        if any("--memory" in option.opts for option in command.params):
            commands.add(name)
    assert commands == {name.split()[0] for name in GIVEN} | PASSED_ON


@pytest.mark.parametrize("name", GIVEN)
def test_a_command_returns_freed_memory_by_its_limit(name, tmp_path, monkeypatch):
    """A command that does not is some 50 MB over a limit of 240 MB: what readers and threads free stays in their heaps."""
    monkeypatch.chdir(tmp_path)
    for file in ("docs", "tests"):
        rows = [{"id": k, "text": f"{TEXT}第{k}排的读者说，这里的座位很舒服。"} for k in range(3)]
        (tmp_path / f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    limits = []
    monkeypatch.setattr(heap, "keep_heap", limits.append)
    done = CliRunner().invoke(cli, [name.split()[0], *GIVEN[name], "--memory", "240M", "--quiet"])
    assert done.exit_code == 0, done.output
    assert limits == ["240M"]
