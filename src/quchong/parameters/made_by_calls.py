"""Classes of results, which calls make and no caller: what is said to somebody who tries it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from typing import Any

from quchong.languages import Message


class MadeByCall(type):
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
            raise TypeError(Message("{} is made by a call: {}", cls.__name__, made_by).translation())
        return super().__call__(*args, **kwargs)
