"""Values as JSON: numbers, strings, lists and dictionaries, with references to parts of the file and to objects of declared classes.

A value that JSON cannot represent is an object with one key, its tag:

    {"t": [...]}          a tuple
    {"d": [[k, v], ...]}  a dictionary, in its order
    {"s": part}           a set of whole numbers
    {"b": "..."}          bytes, a character each
    {"f": "inf"}          a float that JSON does not write
    {"m": [...]}          a message: template, values, plural, context
    {"n": part}           a NumPy array
    {"A": part}, {"C": part}, {"T": part}   an Arrow array, chunked array, table
    {"k": [name, value]}  an object of a declared kind, made of the value
    {"@": [name, i]}      an object that is stored elsewhere

Kinds are looked up in a table that the program declares; a file with another kind is refused. Nothing is imported by a name from a
file, and only functions of that table are called.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.languages import Message
from quchong.patterns import lazy_pattern
from quchong.work.value_parts import CheckArray, Damaged, Laid, Mapped, Unencodable, check_fully

Outside = Callable[[tuple[str, int]], Any]
"""Function that returns the object stored elsewhere under a name and a number."""


def _passes(_value: Any) -> None:
    """Accept every value without a check."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Description of how objects of one class are written and made again.

    Attributes:
        name: name of the kind in files.
        type: the class.
        pack: returns the values to write of an object, as a tuple.
        make: makes the object from these values, one argument each.
        check: raises Damaged for an object with a reference outside another part of it; not called for files that this process
            has written itself.
    """

    name: str
    type: type[Any]
    pack: Callable[[Any], tuple[Any, ...]]
    make: Callable[..., Any]
    check: Callable[[Any], None] = _passes


class Kinds:
    """Closed list of the kinds of objects that files of a run may contain.

    Args:
        kinds: the kinds, each with its own name and class.
        check: check of every Arrow array that is read.
    """

    def __init__(self, kinds: Sequence[Kind] = (), check: CheckArray = check_fully) -> None:
        self.by_name = {kind.name: kind for kind in kinds}
        self.by_type = {kind.type: kind for kind in kinds}
        self.check = check


NO_KINDS = Kinds()


class Encoder:
    """Encoder of a value into JSON; its arrays and tables are added to a file, each array once.

    Args:
        laid: receives the parts.
        kinds: classes whose objects may be written.
        outside: name and number, by `id`, of objects that are referred to and not written.
    """

    def __init__(self, laid: Laid, kinds: Kinds, outside: Mapping[int, tuple[str, int]]) -> None:
        self._laid, self._kinds, self._outside = laid, kinds, outside
        self._known: dict[int, tuple[Any, dict[str, Any]]] = {}
        self._writers: dict[type, Callable[[Any], Any]] = {
            float: lambda value: value if math.isfinite(value) else {"f": repr(value)},
            list: lambda value: [self.node(one) for one in value],
            tuple: lambda value: {"t": [self.node(one) for one in value]},
            dict: lambda value: {"d": [[self.node(key), self.node(one)] for key, one in value.items()]},
            bytes: lambda value: {"b": value.decode("latin-1")},
            Message: lambda value: {"m": [value.template, self.node(list(value.values)), value.plural, value.context]},
        }

    def node(self, value: Any) -> Any:
        """Return the JSON of a value.

        Raises:
            Unencodable: the value contains an object that cannot be stored.
        """
        if (elsewhere := self._outside.get(id(value))) is not None:
            return {"@": list(elsewhere)}
        if value is None or type(value) in (bool, int, str):
            return value
        if (written := self._writers.get(type(value))) is not None:
            return written(value)
        if isinstance(value, np.generic):
            return self.node(value.item())
        if (known := self._known.get(id(value))) is None:
            known = self._known[id(value)] = (
                value,
                self._encode_part(value),
            )  # held, so that no other object gets its id meanwhile
        return known[1]

    def _encode_part(self, value: Any) -> dict[str, Any]:
        """Return the JSON of an array, table, set or object."""
        if type(value) is np.ndarray:
            return {"n": self._laid.add_array(value)}
        if isinstance(value, pa.Table):
            return {"T": self._laid.add_arrow(value)}
        if isinstance(value, pa.Array | pa.ChunkedArray):
            tag = "A" if isinstance(value, pa.Array) else "C"
            return {tag: self._laid.add_arrow(pa.Table.from_arrays([value], names=[""]))}
        if type(value) is set and all(type(one) is int for one in value):
            try:
                return {"s": self._laid.add_array(np.array(sorted(value), np.int64))}
            except OverflowError as error:
                raise Unencodable("a set of numbers of more than 64 bits") from error
        if (kind := self._kinds.by_type.get(type(value))) is not None:
            return {"k": [kind.name, [self.node(one) for one in kind.pack(value)]]}
        raise Unencodable(f"an object of the class {type(value).__qualname__}, which files of a run do not hold")


class Decoder:
    """Decoder of a value from JSON and the parts of a file.

    Args:
        mapped: the parts.
        kinds: classes that may be made.
        outside: returns objects that are stored elsewhere; None if there may be none.
        trusted: True if this process wrote the file, so that objects need no check.
    """

    def __init__(self, mapped: Mapped, kinds: Kinds, outside: Outside | None, trusted: bool) -> None:
        self._mapped, self._kinds, self._outside, self._trusted = mapped, kinds, outside, trusted
        self._makers: dict[str, Callable[[Any], Any]] = {
            "t": lambda body: tuple(self._values(body)),
            "d": self._dictionary,
            "s": lambda part: set(self._mapped.array(part).tolist()),
            "b": lambda body: body.encode("latin-1"),
            "f": _float,
            "m": self._message,
            "n": self._mapped.array,
            "A": self._array,
            "C": self._column,
            "T": self._mapped.table,
            "k": self._object,
            "@": self._elsewhere,
        }

    def value(self, node: Any) -> Any:
        """Return the value of a JSON node.

        Raises:
            Damaged: the node is not as runs write it. The functions that make objects may raise other exceptions.
        """
        if type(node) is list:
            return [self.value(one) for one in node]
        if type(node) is not dict:
            return node
        if len(node) != 1:
            raise Damaged("an object of JSON with other than one key")
        ((tag, body),) = node.items()
        maker = self._makers.get(tag)
        if maker is None:
            raise Damaged(f"the tag {tag!r}, which no run writes")
        return maker(body)

    def _values(self, body: Any) -> list[Any]:
        if type(body) is not list:
            raise Damaged("a list that is none")
        return [self.value(one) for one in body]

    def _dictionary(self, body: Any) -> dict[Any, Any]:
        if type(body) is not list or any(type(pair) is not list or len(pair) != 2 for pair in body):
            raise Damaged("a dictionary that is none")
        return {self.value(key): self.value(one) for key, one in body}

    def _message(self, body: Any) -> Message:
        template, values, plural, context = body
        if any(type(word) is not str for word in (template, plural, context)):
            raise Damaged("a message without words")
        found = self._values(values)
        check_fields(template, found)
        check_fields(plural, found)
        return Message(template, *found, plural=plural, context=context)

    def _column(self, part: Any) -> pa.ChunkedArray:
        table = self._mapped.table(part)
        if table.num_columns != 1:
            raise Damaged("a column of several")
        return table.column(0)

    def _array(self, part: Any) -> pa.Array:
        column = self._column(part)
        if column.num_chunks != 1:
            return pa.array([], column.type) if not column.num_chunks else _several()
        return column.chunk(0)

    def _object(self, body: Any) -> Any:
        name, values = body
        kind = self._kinds.by_name.get(name) if type(name) is str else None
        if kind is None:
            raise Damaged(f"an object of the kind {name!r}, which no run writes")
        made = kind.make(*self._values(values))
        if not self._trusted:
            kind.check(made)
        return made

    def _elsewhere(self, body: Any) -> Any:
        name, number = body
        if self._outside is None or type(name) is not str or type(number) is not int or number < 0:
            raise Damaged(f"names {body!r}, which is not there")
        return self._outside((name, number))


def _several() -> pa.Array:
    raise Damaged("an array in several parts")


def _float(body: Any) -> float:
    if body not in ("inf", "-inf", "nan"):
        raise Damaged("a float that is none")
    return float(body)


def check_fields(template: str, values: Sequence[Any]) -> None:
    """Raise Damaged if a field of a template does more than format its value, such as reading an attribute."""
    for _, name, form, _ in string.Formatter().parse(template) if values else ():
        if name is not None and not ((name == "" or name.isdecimal()) and _USUAL.fullmatch(form or "")):
            raise Damaged(f"a message with the field {name!r}:{form!r}")


_USUAL = lazy_pattern(r",?(\.\d)?[a-z%]?")
