"""Classes of results, which calls make and no caller: what is said to somebody who tries it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from typing import Any

from quchong.languages import Message


class ExplainsNames(type):
    """Metaclass of a class whose error about a name that the class does not have says how its objects are made."""

    def __getattr__(cls, name: str) -> Any:
        """Raise the AttributeError about a name that the class does not have, with the call that makes an object."""
        own = not name.startswith("_")
        made_by = (getattr(cls, "_MADE_BY", None) or getattr(cls, "_EXAMPLES", {}).get("__init__")) if own else None
        if made_by is None:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}", name=name, obj=cls)
        said = Message("{} has no {!r}; an object of this class is returned by {}", cls.__name__, name, made_by)
        raise AttributeError(said.translation(), name=name, obj=cls)


class MadeByCall(ExplainsNames):
    """Metaclass of a class of results: a call of the class by a path, a text or nothing says which function makes its objects.

    A class names the function in `_MADE_BY`.
    """

    @property
    def __signature__(cls) -> inspect.Signature:
        """Signature of `__init__`, as of other classes."""
        own = inspect.signature(cls.__init__)  # type: ignore[misc]
        return own.replace(parameters=list(own.parameters.values())[1:])

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make an object as other classes do; raise TypeError if the arguments are those of a caller of the package."""
        made_by = vars(cls).get("_MADE_BY")
        if made_by is not None and (not args or isinstance(args[0], str | os.PathLike | int | list | tuple | Mapping)):
            raise TypeError(Message("{} cannot be created directly; use {}", cls.__name__, made_by).translation())
        return super().__call__(*args, **kwargs)
