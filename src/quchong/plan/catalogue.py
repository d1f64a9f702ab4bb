"""The catalogue: every method by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from quchong import methods
from quchong.errors import Param, UsageError, meant
from quchong.parameters import fixed_of, parameters_of
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

DEFAULT = "hybrid"


def build(name: str, parameters: Mapping[str, Any] | None = None, beside: Iterable[str] = ()) -> Method:
    """A method by name with the parameters given (None means: the method's own default).

    Args:
        beside: names of other parameters that could have been meant by one the method does not have.

    Raises:
        UsageError: an unknown method, or a parameter it does not have, with the names it would take.
    """
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}" + (meant(name, METHODS) or f": use {', '.join(METHODS)}"))
    kind = METHODS[name]
    known = parameters_of(kind)
    given = {k: v for k, v in (parameters or {}).items() if v is not None}
    unknown = [k for k in given if k not in known]
    if unknown:
        raise _refused(name, unknown, beside)
    try:
        method: Method = kind(**given)
    except TypeError as error:
        raise UsageError(f"method {name}: {error}") from error
    return method


def _refused(name: str, unknown: list[str], beside: Iterable[str]) -> UsageError:
    """Why a method does not take these parameters."""
    kind = METHODS[name]
    known, first = parameters_of(kind), unknown[0]
    if why := fixed_of(kind).get(first):
        return UsageError(f"method {name} takes no ", Param(first, method=True), f": {why}; leave it out")
    owners = [n for n, k in METHODS.items() if first in parameters_of(k)]
    takes = f"it takes {', '.join(sorted(known))}"
    more = f"; {first} belongs to {', '.join(owners)}" if owners else meant(first, (*known, *beside))
    return UsageError(f"method {name} has no parameter {', '.join(sorted(unknown))}; {takes}{more}")


def altered(method: Method, parameters: Mapping[str, Any]) -> Method:
    """The method with other values of some parameters.

    Raises:
        UsageError: a value that cannot be used.
    """
    chosen: Any = method  # a frozen dataclass, whichever it is
    out: Method = replace(chosen, **parameters)
    return out
