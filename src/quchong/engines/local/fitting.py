"""What a method has counted of a corpus, apart from the method: a process that goes on has the method, and takes the counts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from quchong.seam import Method
from quchong.work import Damaged
from quchong.work.checks import check_type


def fitted_fields(method: Method, fitted: Method) -> dict[str, Any]:
    """Return the fields that `Method.fitted` set, by name; of a method that is no dataclass, or became another, the whole under "".

    What no file takes, such as a method of another package that is an object of its own, is found out when it is written.
    """
    if fitted is method:
        return {}
    if type(fitted) is not type(method) or not is_dataclass(method):
        return {"": fitted}
    values = {one.name: getattr(fitted, one.name) for one in fields(fitted)}
    return {name: value for name, value in values.items() if value is not getattr(method, name)}


def with_fields(method: Method, found: Mapping[str, Any]) -> Method:
    """Return the method with fields that `fitted_fields` gave."""
    if not found:
        return method
    if "" in found:
        whole: Method = found[""]
        return whole
    made: Method = replace(method, **found)  # type: ignore[type-var] # a dataclass
    return made


def check_fields(method: Method, found: Any) -> None:
    """Raise Damaged unless these are fields of a method by name, as a file may hold them."""
    check_type(found, dict)
    known: set[str] = {one.name for one in fields(method)} if is_dataclass(method) else set()
    if not known.issuperset(found):
        raise Damaged("a method without these fields")
