"""Command `quchong index`: a persistent index of the documents that were seen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from quchong.cli.index_add import add, query
from quchong.cli.index_care import backup, compact, delete, expire, export, migrate, repair, verify
from quchong.cli.index_create import command as create
from quchong.cli.index_figures import stats
from quchong.cli.index_opening import is_index
from quchong.cli.subcommands import Subcommands, subcommand_meant
from quchong.errors import QuchongError, shell_word
from quchong.languages import Message
from quchong.report.visible import Shown


class IndexCommands(Subcommands):
    """Group of the commands of an index, in the order of their use; errors name parameters by the options of the command called."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the subcommand of `quchong index` that has a name.

        Raises:
            UsageError: the name of no command, or of an index.
        """
        if cmd_name not in self.commands and is_index(Path(cmd_name)):
            words = sys.argv[1:]
            called, *rest = (words[words.index(cmd_name) + 1 :] if cmd_name in words else []) or [""]
            called = called if called in self.commands else subcommand_meant("index", called, self.commands) or "stats"
            line = " ".join(["quchong index", called, *map(shell_word, [cmd_name, *rest])])
            raise click.UsageError(
                Message("{} is an index, not a command: try {}", cmd_name, Shown(line)).translation(), ctx
            )
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error names its parameters by the options of that command."""
        try:
            return super().invoke(ctx)
        except QuchongError as error:
            called = self.commands.get(ctx.invoked_subcommand or "")
            if called is not None:
                from quchong.cli.parameters import option_names

                error.args = (Message("{}", error.render_message(option_names(called))),)
            raise


@click.group(
    cls=IndexCommands,
    short_help=("Store the documents seen so far in an index, and find copies of new documents as they arrive."),
)
def command() -> None:
    """Maintains an index: a folder that stores the documents seen so far. For each new document, prints the earlier
    documents that it copies.

    `add` stores documents and finds their copies among all documents added before; `query` only searches. Documents
    that `add` has reported are not lost when the process is killed. Only one process can write to an index at a time;
    any number can read it.
    """


for _one in (create, add, query, delete, expire, compact, stats, verify, repair, backup, export, migrate):
    command.add_command(_one)
