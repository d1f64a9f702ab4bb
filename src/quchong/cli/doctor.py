"""Command `quchong doctor`: what is installed, what works here, and what to do about the rest."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from quchong.cli.doctor_check import Check, without_private_parts
from quchong.cli.options import LocalPath
from quchong.cli.printing import say, say_json
from quchong.cli.wrapping import width
from quchong.errors import UsageError
from quchong.languages import SEMICOLON, Message, join_names, several
from quchong.report.visible import Shown, message

BROKEN = 7
"""Exit code if something that is installed does not work."""


def diagnosis(folders: tuple[Path, ...]) -> Iterator[tuple[Message, list[Check]]]:
    """Iterate over the groups of checks, each with its title; cost: imports every installed package, 1 to 5 s."""
    from quchong.cli import doctor_machine, doctor_outside, doctor_packages
    from quchong.cli.speech import asked_for

    yield Message("versions"), list(doctor_packages.versions())
    yield Message("extras"), [*doctor_packages.extras(), doctor_packages.experiments()]
    yield Message("machine"), list(doctor_machine.machine())
    yield Message("folders"), list(doctor_machine.folders(folders))
    yield Message("language of messages"), list(doctor_machine.languages(asked_for(sys.argv[1:])))
    yield Message("other programs"), [*doctor_outside.spark(), doctor_outside.fonts(), doctor_outside.browser()]


@click.command(short_help="Show versions, extras and the limits of this machine, and find what is broken.")
@click.argument("folders", nargs=-1, type=LocalPath(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON, for a report of a problem.")
def command(folders: tuple[Path, ...], as_json: bool) -> None:
    """Shows versions, extras, compiled code, processors, memory, folders, language, Java and fonts. If something is
    missing, the remedy is shown.

    The command checks FOLDERS like the temporary folder: free space, locks, letter case. It does not read your data,
    and shows paths without your name, so you can give the output to others. The exit code is 7 if an installed part
    does not work.
    """
    for folder in folders:
        if not folder.is_dir():
            raise UsageError("{}: no such folder; name an existing one", folder)
    with warnings.catch_warnings():  # of libraries that are imported to see whether they work
        warnings.simplefilter("ignore")
        groups = list(diagnosis(folders))
    broken = [check for _, checks in groups for check in checks if check.state == "broken"]
    if as_json:
        say_json(
            {"usable": not broken, "checks": [_as_json(title, one) for title, checks in groups for one in checks]}, 1
        )
    else:
        for title, checks in groups:
            _print_group(title, checks)
        _print_end(broken)
    if broken:
        sys.exit(BROKEN)


def _english(words: Message | str | None) -> str | None:
    return None if words is None else without_private_parts(str.__str__(words)).strip()


def _as_json(title: Message, check: Check) -> dict[str, Any]:
    """Return a check as JSON values, in English in every language."""
    return {
        "group": _english(title), "name": _english(check.name), "found": _english(check.found), "state": check.state,
        "remedy": _english(check.remedy),
    }  # fmt: skip


_COLOURS = {"fine": None, "note": None, "broken": "red"}


def _shown(words: Message | str) -> Shown:
    """Return words in the chosen language, without private parts, harmless for a terminal."""
    return message(without_private_parts(words.translation() if isinstance(words, Message) else words))


def _print_group(title: Message, checks: list[Check]) -> None:
    say("{}", title, bold=True)
    widest = max(width(_shown(check.name)) for check in checks)
    for check in checks:
        name = _shown(check.name)
        filled = Shown(name + " " * (widest - width(name)))
        mark = Message("broken: ") if check.state == "broken" else Shown("")
        if check.remedy is None:
            say("  {}  {}{}", filled, mark, _shown(check.found), fg=_COLOURS[check.state])
        else:
            told = Message(SEMICOLON, _shown(check.found), _shown(check.remedy))
            say("  {}  {}{}", filled, mark, told, fg=_COLOURS[check.state])


def _print_end(broken: list[Check]) -> None:
    if not broken:
        say("\n{}", Message("everything that is installed works"))
        return
    names = join_names(_shown(check.name) for check in broken)
    said = several(
        "{} installed part does not work: {}",
        "{} installed parts do not work: {}",
        len(broken),
        names,
    )
    say("\n{}", said, fg="red")
