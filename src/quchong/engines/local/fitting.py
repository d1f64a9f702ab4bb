"""Fields that a method counted on a corpus, stored without the method: a resuming process makes the method anew and sets these fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from quchong.seam import Method
from quchong.work import Damaged
from quchong.work.checks import check_type


def fitted_fields(method: Method, fitted: Method) -> dict[str, Any]:
    """Return the fields that `with_statistics` set, by name; empty if it returned the method itself.

    If the method is not a dataclass or its type has changed, the whole fitted method is returned under the name "". Values that no
    file can store, such as objects of another package, raise an error only when they are written.
    """
    if fitted is method:
        return {}
    if type(fitted) is not type(method) or not is_dataclass(method):
        return {"": fitted}
    values = {one.name: getattr(fitted, one.name) for one in fields(fitted)}
    return {name: value for name, value in values.items() if value is not getattr(method, name)}


def with_fields(method: Method, found: Mapping[str, Any]) -> Method:
    """Return the method with its fields replaced by the result of `fitted_fields`."""
    if not found:
        return method
    if "" in found:
        whole: Method = found[""]
        return whole
    made: Method = replace(method, **found)  # type: ignore[type-var] # a dataclass
    return made


def check_fields(method: Method, found: Any) -> None:
    """Raise Damaged unless `found` is a dictionary whose keys are fields of the method."""
    check_type(found, dict)
    known: set[str] = {one.name for one in fields(method)} if is_dataclass(method) else set()
    if not known.issuperset(found):
        raise Damaged("a method without these fields")
