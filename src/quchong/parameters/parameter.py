"""One parameter of a method: its metadata, and the checks made from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache
from inspect import cleandoc
from textwrap import wrap
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_type_hints

from quchong.errors import Param, UsageError, meant
from quchong.languages import AND, Message, join_messages
from quchong.parameters.kinds import Kind, either, finite_number, percent_hint, whether, whole_number, word

T = TypeVar("T")
_KEY = "parameter"

_PLAIN: dict[type, Kind] = {
    bool: Kind(Message("True or False"), whether),
    int: Kind(Message("a whole number"), whole_number),
    float: Kind(Message("a number"), finite_number),
    str: Kind(Message("a word"), word),
}
"""Kinds of the plain types of fields; a method reads values of any other type itself."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """Metadata of a parameter in addition to its name, type and default. Called with a default, it returns the dataclass field.

    Attributes:
        help: description, to follow the name; a sentence or two.
        choices: words that it accepts; empty for any.
        least, above: lower bound, inclusive or exclusive.
        most, below: upper bound, inclusive or exclusive.
        fixed: reason why a method that inherits the field accepts only its default; "" for an ordinary parameter. A fixed field
            is no parameter: it is not listed, and another value is refused with this reason.
        unset: description of a default that is None.
        several: words of which it takes one or more, with commas or as a list; the method itself checks which can be combined.
    """

    help: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None
    fixed: str = ""
    unset: str = ""
    several: tuple[str, ...] = ()

    def __call__(self, default: T, help: str = "", **changed: Any) -> T:
        """Return a dataclass field with this default; `help` and `changed` replace the shared description and bounds."""
        return field(default=default, metadata={_KEY: replace(self, help=help or self.help, **changed)})

    @property
    def bounds(self) -> Message:
        """Description of the bounds; "" if there are none."""
        if self.least is not None and self.most is not None:
            return Message("{} to {}", _number(self.least), _number(self.most))
        if self.above is not None and self.most is not None:
            return Message("above {} and at most {}", _number(self.above), _number(self.most))
        low = [] if self.least is None else [Message("at least {}", _number(self.least))]
        low += [] if self.above is None else [Message("above {}", _number(self.above))]
        low += [] if self.most is None else [Message("at most {}", _number(self.most))]
        low += [] if self.below is None else [Message("below {}", _number(self.below))]
        return join_messages(low, AND)

    def holds(self, value: float) -> bool:
        """Return True if a number is within the bounds."""
        return not (
            (self.least is not None and value < self.least)
            or (self.above is not None and value <= self.above)
            or (self.most is not None and value > self.most)
            or (self.below is not None and value >= self.below)
        )


def parameter(
    default: T,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
) -> T:
    """Return a dataclass field for a parameter that only one method has; shared ones are in `quchong.parameters.shared`."""
    return Parameter(help, choices, least, above, most, below)(default)


@dataclass(frozen=True, slots=True)
class MethodParameter:
    """A parameter of one method.

    Attributes:
        type: bool, int, float or str; None if the method reads the value itself, such as statistics.
        optional: True if None is accepted, which leaves the choice to the method.
    """

    name: str
    type: type | None
    optional: bool
    default: Any
    about: Parameter

    @property
    def help(self) -> str:
        """Description of the parameter."""
        return self.about.help

    @property
    def values(self) -> str:
        """Description of the values that the parameter accepts; "" if the type says enough."""
        if self.type is bool:
            return "true, false"
        about = self.about
        if words := about.choices or about.several:
            return ", ".join(words)
        beyond = about.least is not None and about.most is not None and about.most >= 2**31 - 1
        return Message("{} or more", about.least) if beyond else about.bounds

    def _advice(self, value: Any) -> Message:
        """Return "; ..." with a value of the parameter's type in place of one of another type, such as a number in quotes; else nothing."""
        item = value[0] if isinstance(value, list | tuple) and len(value) == 1 else value
        if self.type in (int, float) and isinstance(item, int | float | str) and not isinstance(item, bool):
            with suppress(ValueError, OverflowError):
                number = self.type(float(item))
                apart = item != value or type(item) is not self.type  # in a list, or 128.0 for 128
                if (float(item) == number and apart) or (isinstance(value, str) and self.about.holds(number)):
                    return Message("; write {}", Param(self.name, number, method=True))
        if self.type is float and (self.about.above, self.about.most) == (0, 1):
            return Message(", such as {}", Param(self.name, 0.8, method=True))
        return Message("; use {}", self.values) if self.type is str and self.values else Message("")

    def read(self, value: Any, bits: int | None = None) -> Any:
        """Return a value checked for this parameter and converted to its type; None and values read by the method stay as they are.

        A list of words becomes one str with commas; bool, int, float and str are the other types.

        Args:
            bits: bits of the signatures that the method compares, None if it compares none: a threshold above 1 may be a number of them.

        Raises:
            UsageError: the value has another type, is not one of the choices, or is out of bounds.
        """
        if (value is None and self.optional) or self.type is None:
            return value
        about = self.about
        if about.several and value and isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
            value = ",".join(value)
        try:
            plain = _PLAIN[self.type](Param(self.name, method=True), value)
        except UsageError as error:
            raise UsageError("{}{}", error, self._advice(value)) from None
        if about.choices and plain not in about.choices:
            guess = meant(plain, about.choices)
            raise UsageError("unknown {}: use {}{}", Param(self.name, plain, method=True), either(about.choices), guess)
        if self.type in (int, float) and not about.holds(plain):
            hint = _share_meant(self.name, plain, about, bits) if self.type is float else Message("")
            shown = int(plain) if isinstance(plain, float) and plain.is_integer() else plain  # as it was typed
            raise UsageError("{} must be {}, got {}{}", Param(self.name, method=True), about.bounds, shown, hint)
        return plain


def parameters_of(kind: type[Any]) -> Mapping[str, MethodParameter]:
    """Return the parameters of a method's class by name, in the order of its fields.

    A field without metadata is a parameter too, with its type only. Fields with the metadata `fitted` (filled by the
    statistics of its join) and fixed fields are not parameters.
    """
    return MappingProxyType({name: p for name, p in _fields(kind).items() if not p.about.fixed})


def fixed_of(kind: type[Any]) -> dict[str, str]:
    """Return by name the inherited fields of a method's class whose value cannot be changed, with the reasons."""
    return {name: p.about.fixed for name, p in _fields(kind).items() if p.about.fixed}


def _read(kind: Any) -> dict[str, MethodParameter]:
    hints, found = get_type_hints(kind), {}
    for f in fields(kind):
        if f.metadata.get("fitted"):
            continue
        hint = hints[f.name]
        types = get_args(hint) or (hint,)
        plain = [t for t in types if t is not type(None)]
        one = plain[0] if len(plain) == 1 and plain[0] in _PLAIN else None
        about = f.metadata.get(_KEY, Parameter())
        found[f.name] = MethodParameter(f.name, one, type(None) in types, f.default, about)
    return found


_fields: Callable[[Any], dict[str, MethodParameter]] = cache(_read)
"""Function that returns the fields of a class, including fixed ones, from a cache.

(For mypy a class is not hashable, so `cache` cannot be used as a decorator.)
"""


def documented(kind: type[Any]) -> str:
    """Return the docstring of a method's class, with an Args section made from its metadata."""
    lines = [cleandoc(kind.__doc__ or ""), "", "Args:"]
    for p in parameters_of(kind).values():
        said = p.type is bool or (p.about.choices and all(word in p.help for word in p.about.choices))
        takes = "" if said or not p.values else f" Takes {p.values}."
        lines += wrap(
            f"{p.name}: {p.help}{takes}",
            100,
            initial_indent="    ",
            subsequent_indent="        ",
            break_on_hyphens=False,
        )
    return "\n".join(lines if len(lines) > 3 else lines[:1]) + "\n"


def check_values(method: Any) -> None:
    """Check every parameter of a method against its metadata and convert its value to the parameter's type, in place.

    Raises:
        UsageError: a value has another type, is not one of the choices, or is out of bounds; the message names the parameter.
    """
    for name, known in _fields(type(method)).items():
        value = getattr(method, name)
        if known.about.fixed and value != known.default:
            raise UsageError(
                "method {} does not take {}: {}; leave out the parameter",
                method.name,
                Param(name, method=True),
                known.about.fixed,
            )
        plain = known.read(value, getattr(method, "bits", None))
        if plain is not value:
            object.__setattr__(method, name, plain)


_FEW_BITS = 4
"""Signatures of N bits whose documents are near-duplicates differ in at most N divided by this number."""


def _share_meant(name: str, value: float, about: Parameter, bits: int | None) -> Message:
    """Return "; ..." with the share that was meant by a number above 1: a number of differing bits, or a percentage; else nothing."""
    if not (about.above == 0 and about.most == 1 and value > 1):
        return Message("")
    if isinstance(bits, int) and name == "threshold" and value == int(value) <= bits / _FEW_BITS:
        share = math.floor((bits - value) / bits * 1000) / 1000
        return Message(
            "; give the share of equal bits: {:g} differing bits of {} are {}",
            value,
            bits,
            Param(name, share, method=True),
        )
    return percent_hint(value) or Message("; give a share: 0.8 is 80%")


def _number(value: float) -> str:
    """Format a bound; large powers of two are written with their exponent."""
    if isinstance(value, int) and value >= 2**31 - 1:
        power = (value + 1).bit_length() - 1
        return f"2**{power} - 1" if value + 1 == 2**power else f"2**{value.bit_length() - 1}"
    return f"{value:,}" if isinstance(value, int) and value >= 10_000 else f"{value:g}"
