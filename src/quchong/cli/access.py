"""Command `quchong access`: who may call a service."""

from __future__ import annotations

from pathlib import Path

import click

from quchong.cli.options import LocalPath
from quchong.cli.printing import say
from quchong.cli.subcommands import Subcommands

file_argument = click.argument("file", type=LocalPath(path_type=Path))


@click.group(cls=Subcommands, short_help="Manage who may call a service: tokens and their roles.")
def command() -> None:
    """Manages who may call `quchong serve --access FILE`. The file has names, roles and the digests of tokens, never a
    token.

    A service reads the file again when the file changes. To replace a token, add a second name, give its token to
    the caller, and remove the first name.
    """


@command.command(short_help="Add a caller, and print the token.")
@file_argument
@click.argument("name")
@click.option(
    "--role",
    default="read",
    show_default=True,
    metavar="ROLE",
    help="read: may ask; write: may also add and delete; admin: may do everything.",
)
def add(file: Path, name: str, role: str) -> None:
    """Adds the caller NAME to FILE, and prints the token of the caller. FILE is created if it does not exist. The
    token is printed only once: FILE stores only its digest.
    """
    from quchong.serve.access import add_caller

    say("{}", add_caller(file, name, role))


@command.command("list", short_help="List the callers and their roles.")
@file_argument
def list_callers(file: Path) -> None:
    """Lists the callers in FILE, with their roles."""
    from quchong.serve.access import read_callers

    for one in read_callers(file):
        say("{:<6} {}", one.role, one.name)


@command.command(short_help="Remove a caller: the token is refused from then on.")
@file_argument
@click.argument("name")
def remove(file: Path, name: str) -> None:
    """Removes the caller NAME from FILE."""
    from quchong.serve.access import remove_caller

    remove_caller(file, name)
    say("{} was removed from {}", name, file)
