"""Other names of attributes: those that results of other libraries have, which lead to ours."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from quchong.languages import Message, join_names
from quchong.languages.habits import entry_with


class SuggestsNames:
    """Base of a class whose error about an attribute that it does not have says which was probably meant.

    Attributes:
        _OTHER_NAMES: words that people try, by the attribute that is meant.
    """

    __slots__ = ()
    _OTHER_NAMES: ClassVar[Mapping[str, str]] = {}

    if not TYPE_CHECKING:  # a type checker would take any name

        def __getattr__(self, name: str) -> Any:
            """Raise the AttributeError about a name that the object does not have, with the one that was probably meant."""
            kind = type(self)
            if hasattr(kind, name):  # a property that failed
                return object.__getattribute__(self, name)
            raise AttributeError(_refusal(kind, name).translation(), name=name, obj=self)

        def __getitem__(self, key: Any) -> Any:
            """Raise the TypeError about an index or a key: what is meant is an attribute."""
            near = name_meant(type(self), key) if isinstance(key, str) else None
            said = Message(
                "{!r} object is not subscriptable; use its attributes{}", type(self).__name__, near or Message("")
            )
            raise TypeError(said.translation())


def name_meant(kind: type[SuggestsNames], name: str) -> Message | None:
    """Return `; did you mean ...?` with the attribute of a class that a name stands for; None if nobody knows."""
    known = _names_of(kind)
    found = name if name in known else entry_with(kind._OTHER_NAMES, name)
    found = found or next(iter(difflib.get_close_matches(name, known, n=1)), None)
    if found is None:
        return None
    return Message("; did you mean {}?", f"{found}()" if callable(getattr(kind, found, None)) else found)


def _refusal(kind: type[SuggestsNames], name: str) -> Message:
    said = Message("{!r} object has no attribute {!r}", kind.__name__, name)
    if name.startswith("_"):
        return said
    return Message("{}{}", said, name_meant(kind, name) or Message("; it has {}", join_names(_names_of(kind))))


def _names_of(kind: type[SuggestsNames]) -> list[str]:
    """Return the public attributes of a class and the fields of its objects."""
    own = [one for one in dir(kind) if not one.startswith("_")]
    return sorted({*own, *(one for one in getattr(kind, "__dataclass_fields__", {}) if not one.startswith("_"))})
