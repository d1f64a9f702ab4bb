"""Classes of results whose members explain themselves: a value that is called, a method that is not, arguments that do not fit."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from functools import wraps
from inspect import signature
from types import FunctionType, MemberDescriptorType, MethodType
from typing import Any, TypeVar

from quchong.errors import QuchongError
from quchong.languages import Message, join_names
from quchong.parameters.fitting_arguments import arguments_advice, written_call
from quchong.parameters.next_use import ATTRIBUTE, ITEMS, KEY, UNKNOWN, Use, is_called, next_use
from quchong.parameters.table_habits import table_advice

T = TypeVar("T")
_SHOWS = frozenset("open show view display browse".split())
"""Attributes that people take of a report in order to see it."""
_WRITES = ("to_", "write_")
"""Beginnings of attributes of data frames that write a file."""


def explains_use(kind: type[T]) -> type[T]:
    """Let the public members of a class explain themselves when they are used wrongly; return the class.

    A field or property that is called raises a TypeError that says to leave out the brackets, a method without them one that says to
    write them, and a method that is called with other arguments one with the arguments that it takes. Signatures and documentation stay.
    """
    fields = getattr(kind, "__dataclass_fields__", {})
    for name in {*vars(kind), *fields}:
        found = vars(kind).get(name)
        if name == "__init__" and isinstance(found, FunctionType):
            setattr(kind, name, advised(found))
        elif name.startswith("_"):
            continue
        elif isinstance(found, FunctionType):
            setattr(kind, name, ExplainedMethod(advised(found)))
        elif type(found) is property:
            setattr(kind, name, ExplainedValue(name, found.fget, found.fset, found.__doc__))
        elif isinstance(found, MemberDescriptorType):
            setattr(kind, name, ExplainedValue(name, found.__get__, found.__set__))
        elif isinstance(found, classmethod | staticmethod):
            setattr(kind, name, type(found)(advised(found.__func__)))
        elif name in fields and "__slots__" not in vars(kind):
            setattr(kind, name, _of_dictionary(name))
    return kind


def advised(function: Callable[..., Any]) -> Any:
    """Return a function whose TypeError about its arguments says which it takes."""
    if getattr(function, "explains_arguments", False):
        return function
    code = getattr(function, "__code__", None)
    if (
        code is not None
        and code.co_varnames[: code.co_argcount] == ("self",)
        and not code.co_kwonlyargcount
        and not code.co_flags & 12
    ):
        return (
            function  # signal libraries give a function what its code takes: nothing, where `close` is called at an end
        )

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            here = error.__traceback__
            if here is not None and here.tb_next is None:  # raised by the call itself, not in the function
                said = arguments_advice(function, args, kwargs)
                if said is not None:
                    raise TypeError(said.translation()) from None
            raise
        except QuchongError as error:
            # Its message says all: the lines of our modules say nothing to a caller.
            raise error.with_traceback(None) from error.__cause__

    vars(call)["explains_arguments"] = True
    return call


class ExplainedMethod:
    """Method that works as usual, except that using it without brackets as if it were a value raises an explaining error."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = self.__wrapped__ = function  # so that help and the tests of examples find the function
        self.__module__, self.__name__, self.__doc__ = function.__module__, function.__name__, function.__doc__

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        """Return the bound method; the function itself if read from the class.

        Raises:
            TypeError: the line takes an attribute or an item of the method, or loops over it.
        """
        if owner is None:
            return self.function
        frame = sys._getframe(1)
        if not is_called(frame) and (said := _method_advice(self.function, type(owner), next_use(frame))) is not None:
            raise TypeError(said.translation())
        return MethodType(self.function, owner)


def _method_advice(function: Callable[..., Any], owner: type, use: Use | None) -> Message | None:
    """Return what to write in place of a method without brackets; None if the use is one of methods."""
    if use is None:
        return None
    name = written_call(function, owner)
    if use.kind == ATTRIBUTE and use.name.startswith(_WRITES) and "out" in signature(function).parameters:
        return Message(
            "{} is a method: write brackets behind it, {}",
            function.__name__,
            f"{function.__name__}(out='{function.__name__}.xlsx')",
        )
    if use.kind == ATTRIBUTE and use.name in _SHOWS and "path" in signature(function).parameters:
        return Message(
            "{} is a method: write brackets behind it, {}; then open the file in a browser", function.__name__, name
        )
    if use.kind == ATTRIBUTE and not hasattr(function, use.name) and not hasattr(MethodType, use.name):
        written = f"{name}.{use.name}"
    elif use.kind == KEY:
        written = f"{name}[{'...' if use.name is UNKNOWN else repr(use.name)}]"
    elif use.kind == ITEMS:
        written = name
    else:
        return None
    return Message("{} is a method: write brackets behind it, {}", function.__name__, written)


class ExplainedValue(property):
    """Field or property that works as usual, except that calling it raises an explaining error.

    A value that is an Arrow table also answers a line that goes on as with a data frame.
    """

    def __init__(self, name: str, read: Any, write: Any = None, doc: str | None = None) -> None:
        super().__init__(read, write, None, doc)
        # Help and the tests of examples find what was read before, and not this class.
        self.__doc__, self.__module__ = doc, getattr(read, "__module__", type(self).__module__)
        self._name, self._read = name, read

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        """Return the value; the property itself if read from the class.

        Raises:
            TypeError: the line calls the value.
        """
        if owner is None:
            return self
        value = self._read(owner)
        frame = sys._getframe(1)
        if is_called(frame):
            if not callable(value):
                raise TypeError(
                    Message("{} is a value, not a method: leave out the brackets", self._name).translation()
                )
        elif type(value) is dict and (use := next_use(frame)) is not None:
            _check_dictionary(value, self._name, use)
        elif type(value).__name__ == "Table" and (use := next_use(frame)) is not None:
            error = table_advice(value, self._name, use)
            if isinstance(error, KeyError | TypeError):
                raise error
            if error is not None:  # an AttributeError from here would be taken for one of this attribute
                return _Refused(error)
        return value


def _check_dictionary(value: dict[str, Any], name: str, use: Use) -> None:
    """Raise an explaining error if the caller's line uses a dictionary's key as an attribute, or a key that is not there.

    The error about an attribute is a TypeError: an AttributeError would be taken for one of the dictionary's own attribute.
    """
    if use.kind == ATTRIBUTE and not hasattr(value, use.name):
        key = use.name if use.name in value else next(iter(difflib.get_close_matches(use.name, value, n=1)), None)
        said = (
            Message("{} is a dictionary, whose keys are {}", name, join_names(map(str, value)))
            if key is None
            else Message("{} is a dictionary: write {}", name, f"{name}[{key!r}]")
        )
        raise TypeError(said.translation())
    if use.kind == KEY and isinstance(use.name, str) and use.name not in value and not use.sign:
        near = next(iter(difflib.get_close_matches(use.name, value, n=1)), None)
        keys = join_names(map(str, value))
        raise KeyNotThere(
            Message("{} has no key {!r}; keys are {}", name, use.name, keys).translation()
            if near is None
            else Message("{} has no key {!r}; did you mean {!r}? Keys are {}", name, use.name, near, keys).translation()
        )


class KeyNotThere(KeyError):
    """Key that a dictionary does not have; its message names those that there are."""

    def __str__(self) -> str:
        return str(self.args[0])


class _Refused:
    """Stand-in for a table, which raises an explaining error when the caller's line reads its next attribute."""

    __slots__ = ("_error",)

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        raise self._error

    def __getitem__(self, key: Any) -> Any:
        return self

    def __iter__(self) -> Any:
        raise self._error


def _of_dictionary(name: str) -> ExplainedValue:
    """Return a property for a field that objects store in their `__dict__`."""

    def read(owner: Any) -> Any:
        try:
            return owner.__dict__[name]
        except KeyError:
            raise AttributeError(name) from None

    def write(owner: Any, value: Any) -> None:
        owner.__dict__[name] = value

    return ExplainedValue(name, read, write)
