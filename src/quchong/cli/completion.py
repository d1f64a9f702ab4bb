"""Command `quchong completion`: script by which a shell completes the command line."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

VARIABLE = "_QUCHONG_COMPLETE"
"""Variable of the environment in which a shell asks for completions."""


@click.command(short_help="Print the script that lets a shell complete quchong commands.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Prints the script that lets bash, zsh or fish complete commands, options, methods, criteria and the ids of a run with TAB.

    Add the script, once, to the file that your shell reads when it starts, and open a new shell. For fish, write
    the script to ~/.config/fish/completions/quchong.fish.
    """
    from quchong.cli.main import cli
    from quchong.cli.printing import say_script

    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(cli, {}, "quchong", VARIABLE)
    say_script(made.source_template % made.source_vars())
