"""Files for shells by their paths below share/: a man page for each command and language, a script of completion for each shell."""

from __future__ import annotations

from collections.abc import Iterator

import click
from click.shell_completion import get_completion_class
from manual import page

from quchong.cli.completion import VARIABLE
from quchong.cli.main import COMMANDS, PACKAGES, cli
from quchong.cli.speech import spoken, spoken_as_asked

MANUALS = {"en": "man/man1", "zh": "man/zh_CN/man1"}
"""Folders of man pages by their languages."""
SCRIPTS = {
    "bash": "bash-completion/completions/quchong",
    "zsh": "zsh/site-functions/_quchong",
    "fish": "fish/vendor_completions.d/quchong.fish",
}
"""Places in which the shells look for completions by themselves."""


def shell_files() -> dict[str, str]:
    """Return the texts of all files by their paths below share/."""
    made = {path: _script(shell) for shell, path in SCRIPTS.items()}
    for language, folder in MANUALS.items():
        with spoken_as_asked(["--lang", language]):
            spoken(cli)
            for words, command in _commands():
                name = "-".join(words)
                made[f"{folder}/{name}.1"] = page(words, command)
    return made


def _commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield each command with the words that call it, a group before its commands; those of other packages are left out."""
    yield ("quchong",), cli
    for name in COMMANDS:
        if name in PACKAGES:
            continue
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        yield ("quchong", name), command
        for sub, inner in getattr(command, "commands", {}).items():
            yield ("quchong", name, sub), inner


def _script(shell: str) -> str:
    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(cli, {}, "quchong", VARIABLE)
    return (made.source_template % made.source_vars()).strip() + "\n"
