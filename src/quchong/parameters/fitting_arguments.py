"""Messages about calls whose arguments do not fit: the parameter meant, those that there are, and the call as it is written."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any

from quchong.languages import Message, join_names
from quchong.parameters.other_names import OPTION_NAMES, TOOL_WORDS

_ALSO: Mapping[str, tuple[str, ...]] = {
    "threshold": ("min_share", "jaccard"),
    "min_chars": ("min_length",),
    "text": ("left", "documents"),
}
"""Parameters that calls without another one have for the same."""
_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_WORDS = {
    "doc_id": "id document doc ids document_id docid name key",
    "other_id": "other id2 right second",
    "id": "doc_id document doc ids document_id docid key",
    "ids": "id doc_id documents docs keys names doc_ids",
    "documents": "document text texts docs doc records record data content items",
    "folder": "path dir directory out output file run location",
    "file": "path out output folder filename save_to to",
    "path": "out output file filename to folder save_to",
    "data": "text texts corpus records",
    "run": "folder path result runs",
    "truth": "labels gold answers label ground_truth y_true",
    "against": "tests test test_set benchmark benchmarks reference",
    "lang": "language locale name",
    "older_than": "days age before max_age ttl",
    "min_chars": "min_len min_length minimum length shortest",
    "left": "a text1 text_a first x one",
    "right": "b text2 text_b second y other",
    "n": "k top limit count head number",
    "rule": "ngram ngrams ngram_size n_gram n",
    "overwrite": "force replace exist_ok",
    "read_only": "readonly mode",
}  # fmt: skip
"""Words that people try for parameters of one word, beside those of other tools."""


def arguments_advice(
    function: Callable[..., Any], args: Sequence[Any], given: Mapping[str, Any], owner: type | None = None
) -> Message | None:
    """Return the message about a call whose arguments do not fit the function; None if they fit.

    Args:
        function: of the module or of a class, with self among its parameters; args, given: values by place and by name.
        owner: class of a method; None to take that of the first value.
    """
    parameters = dict(signature(function).parameters)
    first = next(iter(parameters), "")
    own = first in ("self", "cls")
    if own:
        parameters.pop(first)
        owner = owner or _owner_of(args, first)
        args = args[1:]
    kinds = [one.kind for one in parameters.values()]
    names = [
        name for name, one in parameters.items() if one.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)
    ]
    places = [name for name, one in parameters.items() if one.kind in _BY_PLACE]
    made_by = vars(owner).get("_MADE_BY") if owner is not None and function.__name__ == "__init__" else None
    if made_by is not None and owner is not None:
        return Message("{} cannot be created directly; use {}", owner.__name__, made_by)
    called = owner.__name__ if owner is not None and function.__name__ == "__init__" else function.__name__
    unknown = [] if Parameter.VAR_KEYWORD in kinds else [name for name in given if name not in names]
    by_place = names if len(args) > len(places) else places
    needed = [name for name in names if parameters[name].default is Parameter.empty]
    lacking = [name for name in needed if name not in given and name not in places[: len(args)]]
    spelt = {target: repr(value) for name, value in given.items()
             if name not in names and (target := parameter_meant(name, lacking)) and isinstance(value, str | int | float)}  # fmt: skip
    shown = [spelt.get(one, one) if one in places else f"{one}={spelt.get(one, '...')}" for one in needed]
    example = f"{_spoken(function, owner)}({', '.join(shown)})"
    example = example if spelt else _example(function, owner) or example
    if unknown:
        free = [
            name for name in names if name not in given and name not in places[: len(args)]
        ]  # others have their value
        return _unknown(called, unknown[0], names, free, lacking, example, given=_example(function, owner) is not None)
    if Parameter.VAR_POSITIONAL not in kinds and len(args) > len(places):
        if not places:
            return Message("{}() takes all parameters by name: write {}", called, example)
        return Message("{}() takes only {} without a name: write {}", called, join_names(places), example)
    if twice := next((name for name in by_place[: len(args)] if name in given), None):
        return Message("{}() is given {} twice, by position and by name", called, twice)
    return Message("{}() needs {}: write {}", called, join_names(lacking), example) if lacking else None


def _unknown(
    called: str,
    word: str,
    names: Sequence[str],
    free: Sequence[str],
    lacking: Sequence[str],
    example: str,
    *,
    given: bool,
) -> Message:
    """Return the message about a keyword that a call does not take.

    Args:
        called: name of the call; word: the keyword; names: parameters of the call; free: those without a value yet.
        lacking: those that need one; example: the call as it is written; given: True if its class has the example.
    """
    if not names:
        return Message("{}() has no parameters: write {}", called, example)
    if (near := parameter_meant(word, free)) is not None:
        return Message(
            "{}() has no parameter {!r}; did you mean {}? It takes {}", called, word, near, join_names(names)
        )
    if lacking or len(names) == 1:
        return Message("{}() has no parameter {!r}; it takes {}: write {}", called, word, join_names(names), example)
    if given:
        return Message(
            "{}() has no parameter {!r}; it takes {}, for example {}", called, word, join_names(names), example
        )
    return Message("{}() has no parameter {!r}; it takes {}", called, word, join_names(names))


def parameter_meant(word: str, names: Sequence[str]) -> str | None:
    """Return the parameter that is meant by a word of other tools, or that is spelt like it; None if there is none.

    >>> parameter_meant("path", ["folder", "overwrite"]), parameter_meant("overwite", ["folder", "overwrite"])
    ('folder', 'overwrite')
    """
    for target in (OPTION_NAMES.get(word), TOOL_WORDS.get(word)):
        if target in names:
            return target
    for target in _ALSO.get(TOOL_WORDS.get(word, ""), ()):
        if target in names:
            return target
    said = next((name for name in names if word.lower() in _WORDS.get(name, "").split()), None)
    return said or next(iter(difflib.get_close_matches(word, names, n=1)), None)


def _owner_of(args: Sequence[Any], first: str) -> type | None:
    if not args:
        return None
    return args[0] if first == "cls" else type(args[0])


def _spoken(function: Callable[..., Any], owner: type | None) -> str:
    """Return a function as a caller names it: qc.dedup, index.add, qc.Index.create."""
    name = function.__name__
    if owner is None:
        return f"qc.{name}"
    if name == "__init__":
        return f"qc.{owner.__name__}"
    if next(iter(signature(function).parameters), "") == "cls":
        return f"qc.{owner.__name__}.{name}"
    return f"{re.sub('(?<=[a-z])(?=[A-Z])', '_', owner.__name__).lower()}.{name}"


def _example(function: Callable[..., Any], owner: type | None) -> str | None:
    """Return the example that the class of a method has for it; None without one."""
    found: Mapping[str, str] = getattr(owner, "_EXAMPLES", {}) if owner is not None else {}
    return found.get(function.__name__)
