"""Finds what is said to people: in the code by its calls, in help and methods by looking at what is there."""

from __future__ import annotations

import ast
import errno
import importlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from library_words import LIBRARY_WORDS

from quchong import relations
from quchong.languages import message
from quchong.languages.message import RELATION, RULE, STAGE, SYSTEM

Found = set[tuple[str, str | tuple[str, str]]]
_ERRORS = re.compile(
    r"^(\w*Error|InputChanged|NoSettings|NoSuchFile|TargetMissed|UnknownParameter|UnreadablePage|Refused|Unreadable\w*)$"
)
_FOREIGN = {"ValueError", "TypeError", "RuntimeError", "AttributeError", "MemoryError", "OSError", "ImportError", "AssertionError",
            "KeyError", "IndexError", "NotImplementedError", "FileExistsError", "StopIteration"}  # fmt: skip
_SAID = {"InPython": 0, "Remedy": 0, "say": 0, "compose": 0, "Message": 0, "translated": 0, "Alarm": 0}
_NUMBERS = ("ENOENT", "EACCES", "EPERM", "ENOSPC", "EISDIR", "ENOTDIR", "EEXIST", "EROFS", "EPIPE", "EIO", "EDQUOT", "EMFILE", "ENFILE",
            "ENAMETOOLONG", "EBUSY", "ELOOP", "EFBIG", "ESTALE", "ENOTEMPTY", "EXDEV", "ETIMEDOUT", "EINVAL", "ENOMEM",
            "EADDRINUSE", "EADDRNOTAVAIL", "ECONNREFUSED")  # fmt: skip


def messages(source: Path) -> Found:
    """Every message: context ("" for none) and words, two where they differ by number."""
    out = _in_folder(source)
    out |= {("", words) for words in (*_of_commands(), *_of_methods()) if words}
    out |= {(SYSTEM, os.strerror(getattr(errno, name))) for name in _NUMBERS if hasattr(errno, name)}
    out |= {(SYSTEM, words) for words in LIBRARY_WORDS}
    out |= {(context, words) for context, words in _of_data()}
    return out


def messages_of_lab(source: Path) -> Found:
    """Every message of the package of experiments, those that quchong has too among them."""
    from quchong_lab import EXPERIMENTS, experiment
    from quchong_lab.command import command

    titles = {experiment(name).title for name in EXPERIMENTS}
    return _in_folder(source) | {("", words) for words in (*_of_command(command), *titles) if words}


def _in_folder(source: Path) -> Found:
    out: Found = set()
    for path in sorted(source.rglob("*.py")):
        bare = path.parent.name == "languages"
        out |= {one for one in _in_code(path) if bare or _has_words(one[1])}
    return out


def _has_words(words: str | tuple[str, str]) -> bool:
    text = words if isinstance(words, str) else " ".join(words)
    return bool(re.search(r"[A-Za-z]", re.sub(r"\{[^{}]*\}", "", text)))


def _in_code(path: Path) -> Iterator[tuple[str, str | tuple[str, str]]]:
    for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name == "several":
            one, many = (_constants(part) for part in call.args[:2])
            yield from (("", pair) for pair in zip(one, many, strict=True))
        elif (name in _SAID or (_ERRORS.match(name) and name not in _FOREIGN)) and call.args:
            yield from ((_context(call), words) for words in _constants(call.args[0]))
        elif name == "stage":
            units = [word.value for word in call.keywords if word.arg == "unit"]
            for part in (*call.args[:1], *call.args[2:3], *units):
                yield from ((STAGE, words) for words in _constants(part))


def _context(call: ast.Call) -> str:
    """The context of a message, which may be a name of its own module or of `quchong.languages.message`."""
    given = next((word.value for word in call.keywords if word.arg == "context"), None)
    return str(_CONTEXTS.get(given.id, "") if isinstance(given, ast.Name) else getattr(given, "value", ""))


_CONTEXTS = {
    name: value
    for name, value in (vars(message) | vars(relations)).items()
    if name.isupper() and isinstance(value, str)
}


def _constants(node: ast.expr) -> list[str]:
    """The words of a literal, or of both sides of a choice."""
    if isinstance(node, ast.IfExp):
        return _constants(node.body) + _constants(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value else []


def _of_commands() -> Iterator[str]:
    from quchong.cli.main import COMMANDS, PACKAGES, cli

    yield from COMMANDS.values()
    yield from _of_command(cli)
    for name in COMMANDS.keys() - PACKAGES.keys():
        yield from _of_command(importlib.import_module(f"quchong.cli.{name}").command)


def _of_command(command: click.Command) -> Iterator[str]:
    from quchong.cli.parameters import MessageOption
    from quchong.cli.speech import english, paragraphs

    help, short, epilog = english(command)
    yield from paragraphs(help)
    yield from (" ".join(text.split()) for text in (short, epilog) if text)
    yield from getattr(command, "groups", {})
    for param in command.params:
        if isinstance(param, MessageOption):
            yield from _within(param.words)
        elif (
            isinstance(param, click.Option)
            and not param.hidden
            and (words := english(param))
            and words not in _OF_CLICK
        ):
            yield " ".join(words.split()) if "\n" in words else words
    for sub in getattr(command, "commands", {}).values():
        yield from _of_command(sub)


_OF_CLICK = ("Show the version and exit.", "Show this message and exit.")


def _within(message: Any) -> Iterator[str]:
    if _has_words(message.template):
        yield message.template
    for value in message.values:
        if hasattr(value, "template"):
            yield from _within(value)


def _of_methods() -> Iterator[str]:
    from quchong.parameters import fixed_of, parameters_of
    from quchong.plan.catalogue import METHODS

    for kind in METHODS.values():
        about = kind.traits
        yield from (about.title, about.cost, about.order or "", about.paper if "by this project" in about.paper else "")
        for known in parameters_of(kind).values():
            yield from (known.help, known.about.unset if _has_words(known.about.unset) else "")
        yield from fixed_of(kind).values()


def _of_pages() -> Iterator[str]:
    """The words of pages, notebooks and lists, which stand in tables."""
    from quchong.cli import pairs
    from quchong.desk import words as of_desk
    from quchong.report import chains, differing, reprints, words
    from quchong.report import change_wording as changes
    from quchong.report import display_names as named
    from quchong.serve import words as of_service
    from quchong.tables import DIFFERENCES
    from quchong.views import words as of_views
    from quchong.views.inspection import words as of_inspection

    for room in (pairs, of_desk, of_service, changes, chains, reprints, differing, words, of_views, of_inspection):
        yield from room.WORDS.values()
    yield from (*differing.PLURAL.values(), *DIFFERENCES, *named.RULES, *of_inspection.RULES)


def _of_data() -> Iterator[tuple[str, str]]:
    from quchong.report.display_names import RULES

    yield from (
        (words.context if isinstance(words, message.Message) else message.PAGE, str(words))
        for words in _of_pages()
        if words
    )
    yield from ((RELATION, name) for name in (*relations.RELATIONS, "none"))
    yield from ((RULE, name) for name in RULES)
    yield STAGE, "documents"  # the unit of a stage that names none
