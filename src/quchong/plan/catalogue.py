"""The catalogue: every method by name, those of this package and those other packages register."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from quchong import methods
from quchong.errors import Param, UsageError, meant
from quchong.languages import Message
from quchong.parameters import fixed_of, parameters_of
from quchong.plan.registered import registered
from quchong.seam import Method


class _Catalogue(Mapping[str, type[Any]]):
    """The methods of the package by name; each is imported when it is asked for."""

    def __getitem__(self, name: str) -> type[Any]:
        kind: type[Any] = getattr(methods, methods.PLACES[name].partition(":")[2])
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter(methods.PLACES)

    def __len__(self) -> int:
        return len(methods.PLACES)


METHODS = _Catalogue()
"""The methods of this package; `kind_of` and `usable` know those of others too."""

DEFAULT = "hybrid"


def kind_of(name: str) -> type[Any]:
    """The class of a method. Other packages are looked at only for a name that this one does not have.

    Raises:
        UsageError: an unknown name, or a method of another package that cannot be used.
    """
    if name in methods.PLACES:
        return METHODS[name]
    others = registered()
    if name in others:
        return others[name].load()
    known = [*METHODS, *others]
    raise UsageError("unknown method {!r}{}", name, meant(name, known) or Message(": use {}", ", ".join(known)))


def usable() -> dict[str, type[Any]]:
    """Every method that can be loaded, by name."""
    found = dict(METHODS)
    for name, one in registered().items():
        with suppress(UsageError):
            found[name] = one.load()
    return found


def build(name: str, parameters: Mapping[str, Any] | None = None, beside: Iterable[str] = ()) -> Method:
    """A method by name with the parameters given (None means: the method's own default).

    Args:
        beside: names of other parameters that could have been meant by one the method does not have.

    Raises:
        UsageError: an unknown method, or a parameter it does not have, with the names it would take.
    """
    kind = kind_of(name)
    known = parameters_of(kind)
    given = {k: v for k, v in (parameters or {}).items() if v is not None}
    unknown = [k for k in given if k not in known]
    if unknown:
        raise _refused(name, unknown, beside)
    try:
        method: Method = kind(**given)
    except TypeError as error:
        raise UsageError("method {}: {}", name, error) from error
    return method


def _refused(name: str, unknown: list[str], beside: Iterable[str]) -> UsageError:
    """Why a method does not take these parameters."""
    kind = kind_of(name)
    known, first = parameters_of(kind), unknown[0]
    if why := fixed_of(kind).get(first):
        return UsageError("method {} takes no {}: {}; leave it out", name, Param(first, method=True), why)
    owners = [n for n, k in usable().items() if first in parameters_of(k)]
    takes = Message("it takes {}", ", ".join(sorted(known)))
    more = Message("; {} belongs to {}", first, ", ".join(owners)) if owners else meant(first, (*known, *beside))
    return UsageError("method {} has no parameter {}; {}{}", name, ", ".join(sorted(unknown)), takes, more)


def altered(method: Method, parameters: Mapping[str, Any]) -> Method:
    """The method with other values of some parameters.

    Raises:
        UsageError: a value that cannot be used.
    """
    chosen: Any = method  # a frozen dataclass, whichever it is
    out: Method = replace(chosen, **parameters)
    return out
