"""Check of a method that is not quchong's: what its members return is looked at once, where the method is taken.

A wrong value would otherwise be met far inside an engine, by an error that names no member. Steps are tried on two short texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.errors import Param, UsageError
from quchong.kernels.text import Form
from quchong.languages import Message, join_names
from quchong.methods.bases.authored import MethodBase
from quchong.seam import Documents, Extras, Features, HammingJoin, JoinLimits, KeyJoin, Search, SetJoin, Traits

_JOINS = (KeyJoin, SetJoin, HammingJoin, Search)
_OF_RULE = ("floor", "decide", "threshold_used")
_MEASURES = ("jaccard", "containment_left", "containment_right")
_FORM = Message("a form, such as {}", "form('standard', 'auto')")
_VALUES: Mapping[str, tuple[Callable[[Any], bool], Message]] = {
    "form": (lambda value: isinstance(value, Form), _FORM),
    "candidates": (lambda value: isinstance(value, _JOINS),
                   Message("a join ({}), such as {}", join_names([one.__name__ for one in _JOINS]), "KeyJoin(equal_keys, JoinLimits(64))")),
    "rule": (lambda value: all(hasattr(value, one) for one in _OF_RULE),
             Message("a rule, such as {}", "JaccardRule.from_threshold(0.8)")),
    "differences": (lambda value: value is None or hasattr(value, "active"), Message("None, or steps that examine differences")),
    "extras": (lambda value: isinstance(value, Extras), Message("the optional steps ({})", "Extras")),
}  # fmt: skip
"""Members that are values: a test of what they return, and the words for what they should return."""
_TEXTS = (
    "The council said that the new bridge will open in March.",
    "The council said that the bridge opens in March.",
)


def refuse_no_method(given: Any) -> None:
    """Raise UsageError for a value that is no method, with the members that it lacks if it is meant as one; return for a method.

    A class with the members of a method, which was not called, passes.
    """
    if isinstance(getattr(given, "traits", None), Traits):
        return
    kind = given if isinstance(given, type) else type(given)
    if issubclass(kind, MethodBase):
        lacking = [name for name in ("name", "traits") if not hasattr(kind, name)]
        raise UsageError(
            "{}: the class {} lacks {}; a method defines {}",
            Param("method"), kind.__name__, join_names([*lacking, *kind.missing_steps()] or ["traits"]),
            join_names(["name", "traits", "form", "represent", "candidates", "score", "rule"]),
        )  # fmt: skip
    raise UsageError(
        "{} must be the name of a method, or a method such as qc.methods.Hybrid(), got {:.140}",
        Param("method"),
        repr(given),
    )


def check_own_method(method: Any) -> None:
    """Raise UsageError if a member of a method that is not quchong's is missing, or returns something else than it should.

    Cost: features and measures of two short texts.
    """
    kind = type(method)
    if kind.__module__.partition(".")[0] == "quchong":
        return
    if not is_dataclass(kind):
        raise UsageError("the method {} is not a dataclass: write {} above its class", kind.__name__,
                         "@dataclass(frozen=True, slots=True)")  # fmt: skip
    lacking = (
        kind.missing_steps()
        if issubclass(kind, MethodBase)
        else [one for one in (*_VALUES, "represent", "score") if not hasattr(kind, one)]
    )
    if lacking:
        raise UsageError("{}: the class {} lacks {}; a method defines {}", Param("method"), kind.__name__, join_names(lacking),
                         join_names(["name", "traits", "form", "represent", "candidates", "score", "rule"]))  # fmt: skip
    for name, (fits, wanted) in _VALUES.items():
        value = getattr(method, name)
        if callable(value) and not fits(value):
            raise UsageError(
                "{}.{} is a function, but it must be a property: write {} above it", kind.__name__, name, "@property"
            )
        if not fits(value):
            raise _wrong(kind, name, wanted, value)
    join = method.candidates
    if isinstance(join, KeyJoin | SetJoin) and not isinstance(join.limits, JoinLimits):
        cap = join.limits if isinstance(join.limits, int) else 64
        raise UsageError("{}.candidates: the limits of the {} are a value of type {}: write {}", kind.__name__, type(join).__name__,
                         type(join.limits).__name__, f"JoinLimits({cap})")  # fmt: skip
    _check_steps(method, kind)


def _check_steps(method: Any, kind: type[Any]) -> None:
    """Raise UsageError if `represent` or `score` return something else than they should for two short texts."""
    documents = Documents.from_texts(pa.array(_TEXTS, pa.large_string()))
    found = _tried(lambda: method.represent(documents.texts, 1))
    if not isinstance(found, Features | _Failed):
        raise _wrong(
            kind,
            "represent",
            Message("the features of the texts, such as {}", "digests(self.form, texts, workers, keep)"),
            found,
        )
    one, other = np.zeros(1, np.uint32), np.ones(1, np.uint32)
    measures = _tried(lambda: method.score(documents, one, other, 1))
    if isinstance(measures, _Failed):
        return
    if not isinstance(measures, Mapping) or any(name not in measures for name in _MEASURES):
        wanted = Message(
            "the measures of the pairs by name ({}), such as {}",
            join_names(_MEASURES),
            "measure(self.form, ...)",
        )
        raise _wrong(kind, "score", wanted, measures)


class _Failed:
    """Result of a step that raised an error."""


def _tried(step: Callable[[], Any]) -> Any:
    """Return what a step returns; `_Failed` if it raises, as one may that needs statistics, or columns. The run then says why."""
    try:
        return step()
    except Exception:  # whatever the code of another package raises
        return _Failed()


def _wrong(kind: type[Any], member: str, wanted: Message, value: object) -> UsageError:
    """Return the error about a member that returned something else than it should."""
    if isinstance(value, Mapping):
        return UsageError("{}.{} must return {}, but it returned a dict with {}", kind.__name__, member, wanted,
                          join_names(map(str, value)) if value else Message("no measure"))  # fmt: skip
    returned = (
        Message("nothing: a return is missing")
        if value is None
        else Message("a value of type {}", type(value).__name__)
    )
    return UsageError("{}.{} must return {}, but it returned {}", kind.__name__, member, wanted, returned)
