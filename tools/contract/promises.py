"""What quchong promises (docs/stability.md), as JSON: names of Python, commands, methods, tables, formats."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[2]
KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "position", inspect.Parameter.POSITIONAL_OR_KEYWORD: "position or keyword",
    inspect.Parameter.KEYWORD_ONLY: "keyword", inspect.Parameter.VAR_POSITIONAL: "any positions",
    inspect.Parameter.VAR_KEYWORD: "any keywords",
}  # fmt: skip
Promise = dict[str, Any]


def spell(value: Promise) -> str:
    """Return a state as it is stored: JSON with one line for each value that has no objects in it."""
    return _lines(value, 0) + "\n"


def _lines(value: Any, depth: int) -> str:
    if not isinstance(value, dict) or not any(isinstance(one, dict) for one in value.values()):
        flat = json.dumps(value, ensure_ascii=False)
        if depth and len(flat) <= LONGEST:
            return flat
    if not isinstance(value, dict):
        return flat
    inner = [f"{' ' * (depth + 1)}{json.dumps(key)}: {_lines(one, depth + 1)}" for key, one in value.items()]
    return "{\n" + ",\n".join(inner) + "\n" + " " * depth + "}"


LONGEST = 110
"""Characters of an object that is written in one line."""


def read(path: Path) -> Promise:
    """Read a stored state; an empty one if there is no such file."""
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def function_of(called: Callable[..., Any], *, bound: bool = False) -> Promise:
    """Return the parameters of a function with their kinds, places and defaults, and what it returns; `bound` leaves out the first."""
    signature = inspect.signature(called)
    parameters: Promise = {}
    for place, one in enumerate(list(signature.parameters.values())[bound:]):
        parameters[one.name] = {"kind": KINDS[one.kind]}
        if one.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            parameters[one.name]["place"] = place
        if one.default is not one.empty:
            parameters[one.name]["default"] = default_of(one.default)
    returned = signature.return_annotation
    returns = (
        ""
        if returned is signature.empty
        else returned
        if isinstance(returned, str)
        else inspect.formatannotation(returned)
    )
    return {"kind": "function", "parameters": parameters, "returns": returns}


def default_of(value: Any) -> str:
    """Return a default as it is written; of an object without a form of its own, its type."""
    written = repr(value)
    return type(value).__name__ if " at 0x" in written else written


def class_of(kind: type) -> Promise:
    """Return the arguments of a class and its public members, those inherited from classes of quchong too."""
    ours = [one for one in kind.__mro__ if one.__module__.partition(".")[0] == "quchong"]
    members: Promise = (
        {one.name: {"kind": "field"} for one in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else {}
    )
    for name in sorted({name for one in ours for name in vars(one) if not name.startswith("_")} - members.keys()):
        found = inspect.getattr_static(kind, name)
        found = getattr(found, "function", found)  # a method that explains itself
        if isinstance(found, classmethod | staticmethod):
            members[name] = function_of(getattr(kind, name)) | {"kind": type(found).__name__}
        elif inspect.isfunction(found):
            members[name] = function_of(found, bound=True)
        else:
            members[name] = {"kind": "value"}
    try:
        arguments = function_of(kind)["parameters"]
    except ValueError:  # a protocol, a class of C
        arguments = {}
    return {"kind": "class", "parameters": arguments, "members": members}


def names_of(module: Any) -> Promise:
    """Return the names of `__all__` of a module, with what each is."""
    out: Promise = {}
    for name in sorted(module.__all__):
        found = getattr(module, name)
        if inspect.isclass(found):
            out[name] = class_of(found)
        elif inspect.ismodule(found) or not callable(found):
            out[name] = {"kind": type(found).__name__}
        else:
            out[name] = function_of(found)
    return out


def python() -> Promise:
    """Return the names in `__all__` of the modules that are promised."""
    return {name: names_of(importlib.import_module(name)) for name in MODULES}


MODULES = ("quchong", "quchong.author", "quchong.filters", "quchong.spark")
"""Modules whose names are promised; the last needs PySpark."""


def value_of(option: click.Parameter) -> Any:
    """Return what an option takes: its words, "flag", or the kind of its value, with "..." if it can be given several times."""
    if isinstance(option.type, click.Choice):
        return [str(one) for one in option.type.choices]
    if isinstance(option, click.Option) and (option.is_flag or option.count):
        return "flag"
    kind = option.type.name
    if isinstance(option.type, click.Path):  # whose name click takes in the language in which the command was loaded
        files, folders = option.type.file_okay, option.type.dir_okay
        kind = "path" if files and folders else "file" if files else "directory"
    return kind + ("..." if option.multiple or option.nargs == -1 else "")


def command_of(command: click.Command) -> Promise:
    """Return the arguments and options of a command, each spelling by itself; commands of a group are within it."""
    if isinstance(command, click.Group):
        return {name: command_of(one) for name, one in command.commands.items()}
    options = {
        flag: value_of(one)
        for one in command.params
        if isinstance(one, click.Option) and not one.hidden
        for flag in (*one.opts, *one.secondary_opts)
    }
    return {
        "arguments": {str(one.name): value_of(one) for one in command.params if isinstance(one, click.Argument)},
        "options": dict(sorted(options.items())),
    }


def commands() -> Promise:
    """Return all commands but those of other packages, with their options, and the exit codes."""
    from quchong.cli.main import COMMANDS, EPILOG, PACKAGES, cli

    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in COMMANDS if name not in PACKAGES}
    return {
        "exit codes": re.findall(r"(?<![\w-])\d+(?= )", EPILOG),
        "commands": {name: command_of(one) for name, one in found.items() if one is not None},
    }


def methods() -> Promise:
    """Return the methods with their parameters."""
    from quchong.parameters import parameters_of
    from quchong.plan.catalogue import METHODS

    return {
        name: {
            one.name: {"type": one.type.__name__ if one.type else "any", "default": default_of(one.default),
                       "optional": one.optional, "choices": list(one.about.choices or ())}
            for one in parameters_of(kind).values()
        }
        for name, kind in METHODS.items()
    }  # fmt: skip


def tables() -> Promise:
    """Return the columns of every table that a folder has or a call returns, with their types."""
    from quchong import tables as known
    from quchong.engines.contamination import schemas as leaks
    from quchong.results.contamination import NOTES

    named = {
        "ledger": known.LEDGER, "pairs": known.PAIRS, "clusters": known.CLUSTERS, "documents": known.FATES,
        "templates": known.TEMPLATES, "passages": known.PASSAGES, "chains": known.CHAINS, "units": known.UNITS,
        "documents of units": known.UNIT_DOCUMENTS, "matches": leaks.MATCHES, "items": leaks.ITEMS,
        "documents of decontaminate": leaks.DOCUMENTS, "columns of decontaminate": NOTES,
    }  # fmt: skip
    return {
        name: {one.name: f"{one.type}{'' if one.nullable else ' not null'}" for one in schema}
        for name, schema in named.items()
    }


def formats() -> Promise:
    """Return the versions of what is stored, the words in it, names of the package, and the problems and addresses of the service."""
    from quchong import relations, tables
    from quchong.engines.index.settings import FORMAT as INDEX
    from quchong.engines.index.settings import STORES
    from quchong.features.statistics import VERSION as STATISTICS
    from quchong.filters.state_file import VERSION as FILTER
    from quchong.plan.plugin_methods import GROUP
    from quchong.results.contamination import MODES as LEAK_MODES
    from quchong.results.kept_work import FORMAT as KEPT_WORK
    from quchong.runs.acts import LABELS, VERDICTS
    from quchong.runs.layout import FORMAT as RUN
    from quchong.runs.manifest import ADDED, MODES
    from quchong.serve.addresses import ADDRESSES
    from quchong.serve.problems import TYPES
    from quchong.text import NORMALISER_VERSION
    from quchong.work.folder import FORMAT as WORK

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    policies = (tables.OVERRULED, tables.FIRST, tables.RESTORED, tables.OVERTURNED, tables.ORIGINAL, tables.ROUNDUP)
    return {
        "versions": {
            "run folder": RUN, "index": INDEX, "statistics": STATISTICS, "state of a filter": FILTER, "work": WORK,
            "kept work": KEPT_WORK, "normal form": NORMALISER_VERSION.partition(";")[0],
        },
        "words": {
            "relation": list(relations.RELATIONS), "kind of difference": list(tables.DIFFERENCES), "role": list(tables.ROLES),
            "basis": list(tables.BASES), "certainty": list(tables.CERTAINTIES), "policy": list(policies), "mode": list(MODES),
            "mode of decontaminate": list(LEAK_MODES), "added column": list(ADDED), "label": list(LABELS),
            "verdict": list(VERDICTS), "store": list(STORES),
        },
        "extras": sorted(project["optional-dependencies"]),
        "scripts": sorted(project["scripts"]),
        "entry points": [GROUP],
        "problems": {name: status for name, (status, _) in TYPES.items()},
        "addresses": {f"{one.method} {one.path}": one.role or "everybody" for one in ADDRESSES},
    }  # fmt: skip


PROMISES: Mapping[str, Callable[[], Promise]] = {
    "python": python, "commands": commands, "methods": methods, "tables": tables, "formats": formats,
}  # fmt: skip
"""Parts of the contract by the name of their file."""
