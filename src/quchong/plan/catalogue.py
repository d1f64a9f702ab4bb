"""Catalogue of all methods by name: those of this package and those that other packages register."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from quchong import methods
from quchong.errors import Param, UnknownParameter, UsageError, meant
from quchong.io.files.addresses import is_address, path_of
from quchong.io.files.fetching import local_copy
from quchong.languages import AND, Message, join_messages, join_names
from quchong.parameters import fixed_of, parameters_of
from quchong.parameters.other_names import TOOL_WORDS, advice_about, hint_of, measure_advice
from quchong.plan.method_words import OF_MEANING, method_meant, other_command
from quchong.plan.plugin_methods import registered
from quchong.seam import Method


class _Catalogue(Mapping[str, type[Any]]):
    """Mapping of this package's methods by name; each is imported on first access."""

    def __getitem__(self, name: str) -> type[Any]:
        kind: type[Any] = getattr(methods, methods.PLACES[name].partition(":")[2])
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter(methods.PLACES)

    def __len__(self) -> int:
        return len(methods.PLACES)


METHODS = _Catalogue()
"""Methods of this package; `kind_of` and `usable` also know those of other packages."""

DEFAULT = "hybrid"


_NAMED = 6
"""Number of methods with a parameter that a message names."""


def kind_of(name: str) -> type[Any]:
    """Return the class of a method; other packages are searched only for a name that this package does not have.

    Raises:
        UsageError: the name is unknown, or the method of another package cannot be used.
    """
    if name in methods.PLACES:
        return METHODS[name]
    others = registered()
    if name in others:
        return others[name].load()
    if name.strip().lower() in OF_MEANING:
        raise UsageError(
            "unknown method {!r}: all methods compare wording, none compares meaning; the default is {}", name, DEFAULT
        )
    if (command := other_command(name)) is not None:
        raise UsageError("unknown method {!r}: {}", name, command)
    known = [*METHODS, *others]
    raise UsageError("unknown method {!r}{}", name, method_meant(name, known) or Message(": use {}", join_names(known)))


def usable() -> dict[str, type[Any]]:
    """Return the classes of all methods that can be loaded, by name."""
    found = dict(METHODS)
    for name, one in registered().items():
        with suppress(UsageError):
            found[name] = one.load()
    return found


def build(name: str, parameters: Mapping[str, Any] | None = None, beside: Iterable[str] = ()) -> Method:
    """Create a method by name with these parameters; None takes the method's own default.

    Args:
        beside: names of other parameters, which are suggested if the method does not have a parameter.

    Raises:
        UsageError: the method is unknown, or does not have a parameter; the message lists those that it has.
    """
    kind = kind_of(name)
    known = parameters_of(kind)
    given = {k: v for k, v in (parameters or {}).items() if v is not None}
    counted = given.get("statistics")
    if isinstance(counted, str | Path) and is_address(os.fspath(counted)):
        given["statistics"] = local_copy(path_of(counted))
    unknown = [k for k in given if k not in known]
    if unknown:
        raise _refused(name, unknown, beside, [given[one] for one in unknown])
    try:
        method: Method = kind(**given)
    except TypeError as error:
        raise UsageError("method {}: {}", name, error) from error
    return method


def _refused(name: str, unknown: list[str], beside: Iterable[str], values: Iterable[Any] = ()) -> UsageError:
    """Return the error about parameters that a method does not have, which were given with some values."""
    kind = kind_of(name)
    known, first = parameters_of(kind), unknown[0]
    why: Message | str | None = next(filter(None, map(measure_advice, values)), None)
    if why is None and (fixed := fixed_of(kind).get(first)):
        why = Message("{}; leave out the option", fixed)
    if why is not None:
        return UsageError("method {} does not take {}: {}", name, Param(first, method=True), why)
    if (hint := _hint(first, [*known, *beside])) is not None:
        return UsageError("{}", hint)
    wrong = join_messages([Message("{}", Param(one, method=True)) for one in unknown], AND)
    takers = {n: parameters_of(k) for n, k in usable().items()}
    owners = [n for n, takes in takers.items() if all(one in takes for one in unknown)]
    owners = owners or [n for n, takes in takers.items() if first in takes]
    if not owners:
        return _unknown(name, unknown, known, beside)
    if (advice := advice_about(first)) is not None:
        return UsageError("method {} does not take {}, a parameter of {}; for the parameter of that name in "
                          "another tool: {}",
                          name, wrong, _owner(owners), advice)  # fmt: skip
    chosen = Param("method", _owner(owners))
    others = [one for one in owners if one != _owner(owners)]
    also = Message(" (or {})", join_names(others)) if 0 < len(others) <= _NAMED else Message("")
    return UsageError(
        "method {} does not take {}: leave it out, or choose a method that takes it, such as {}{}",
        name,
        wrong,
        chosen,
        also,
    )


def _unknown(name: str, unknown: list[str], known: Iterable[str], beside: Iterable[str]) -> UsageError:
    """Return the error about parameters that no method has."""
    more = meant(unknown[0], (*known, *beside))
    error = UnknownParameter(
        "method {} has no parameter {}; it takes {}{}",
        name,
        join_names(sorted(unknown)),
        join_names(sorted(known)),
        more,
    )
    error.name = "" if more else unknown[0]
    return error


def _owner(owners: list[str]) -> str:
    """Return the best known of the methods that have a parameter, for a hint."""
    return "minhash" if "minhash" in owners else owners[0]


def _hint(word: str, known: list[str]) -> Message | None:
    """Return a hint at our name of a parameter of another tool; None if unknown. A parameter of any method gives None."""
    meant_by = TOOL_WORDS.get(word)
    methods_of = {name: parameters_of(kind) for name, kind in usable().items()}
    if any(word in found for found in methods_of.values()):
        return None
    return hint_of(word, known, [name for name, found in methods_of.items() if meant_by in found])


def altered(method: Method, parameters: Mapping[str, Any]) -> Method:
    """Return a copy of a method with other values of some parameters.

    Raises:
        UsageError: a value that cannot be used.
    """
    chosen: Any = method  # a frozen dataclass, whichever it is
    out: Method = replace(chosen, **parameters)
    return out
