"""Classes of results whose methods name the arguments that they take when they are called with others."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

from quchong.errors import QuchongError
from quchong.parameters.fitting_arguments import arguments_advice

T = TypeVar("T")


def explains_arguments(kind: type[T]) -> type[T]:
    """Let the public methods of a class raise a TypeError that names their arguments when they are called with others; return the class.

    Signatures and documentation stay. Values and everything else that a class has are read as in any class.
    """
    for name, found in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(found, FunctionType):
            setattr(kind, name, advised(found))
        elif isinstance(found, classmethod | staticmethod):
            setattr(kind, name, type(found)(advised(found.__func__)))
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
