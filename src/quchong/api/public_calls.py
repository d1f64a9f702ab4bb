"""Public functions as they may be called: with the names of the command line too, and with progress=True."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

from quchong.api.live_progress import live_progress
from quchong.errors import Param, QuchongError, UnknownParameter, UsageError, meant
from quchong.io.files.stores import using_storage_options
from quchong.languages import Message, join_names
from quchong.methods import PLACES
from quchong.parameters.fitting_arguments import arguments_advice
from quchong.parameters.other_names import TOOL_WORDS, names_of, python_names
from quchong.plan.mistaken_data import check_no_text

P = ParamSpec("P")
R = TypeVar("R")


def public(*also: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator of a public function that accepts the names of the command line and `progress=True`.

    A name of the command line (`quchong.parameters.other_names.OPTION_NAMES`) is told once by a warning. `progress=True` shows bars on a
    terminal, and a line for each stage elsewhere, on standard error; they end with the call. A parameter `storage_options` holds for all
    that the call reads through fsspec.

    Args:
        *also: names of parameters that the function takes by `**`.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        own = names_of(function, also)
        parameters = signature(function).parameters
        kinds = {name: one.kind for name, one in parameters.items()}
        places = [
            name for name, kind in kinds.items() if kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        ]
        needed = [name for name in places if parameters[name].default is Parameter.empty]
        by_name = [
            name
            for name, one in parameters.items()
            if one.kind is Parameter.KEYWORD_ONLY and one.default is Parameter.empty
        ]
        limited = bool(places) and Parameter.VAR_POSITIONAL not in kinds.values()
        takes_any = Parameter.VAR_KEYWORD in kinds.values()

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return called(*args, **kwargs)
            except QuchongError as error:
                # Its message says all: the lines of our modules say nothing to a caller.
                raise error.with_traceback(None) from error.__cause__

        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            if limited and len(args) > len(places):
                own_places = [one for one in places if one not in ("self", "cls")]
                raise TypeError(
                    _too_many(function.__name__, own_places, own, args[len(places) - len(own_places) :]).translation()
                )
            given: dict[str, Any] = python_names(kwargs, own)
            lacking = [one for one in (*needed[len(args) :], *by_name) if one not in given]
            if lacking == ["right"] and args and not isinstance(args[0], str | Mapping):
                raise TypeError(_one_list(function.__name__).translation())
            if (lacking or not (takes_any or own >= given.keys())) and (
                said := arguments_advice(function, args, given)
            ) is not None:
                raise TypeError(said.translation())
            _refuse_id_lists(function.__name__, own, given)
            for name, value in [*zip(places, args, strict=False), *given.items()]:
                if name in _DATA and isinstance(value, str):
                    check_no_text(value, _text_call(function.__qualname__, needed, name))
            options = _storage_options(given) if "storage_options" in own else None
            with using_storage_options(options):
                if given.get("progress") is not True or "progress" not in own:
                    return _spelt(function.__name__, own, lambda: function(*args, **given))
                shown = live_progress()
                try:
                    return _spelt(function.__name__, own, lambda: function(*args, **(given | {"progress": shown})))
                finally:
                    shown.close()

        vars(call)["explains_arguments"] = True
        return call

    return decorated


_ID_LISTS = frozenset("id ids doc_ids docids document_ids id_list uids keys doc_id".split())
"""Names under which people give a list of ids beside a list of texts."""


def _refuse_id_lists(function: str, own: Collection[str], given: Mapping[str, Any]) -> None:
    """Raise UsageError if the ids of the data are given as a list, where the column that has them is named."""
    if not {"id", "text"} <= {*own}:
        return
    for name, value in given.items():
        if (name not in _ID_LISTS and TOOL_WORDS.get(name) != "id") or (name in own and name != "id"):
            continue
        several = isinstance(value, list | tuple) and len(value) > (name == "id")  # ["id"] may be the name of a column
        if several or hasattr(value, "__array__"):
            table, texts = f"qc.{function}(df, text='text', id='id')", f"qc.{function}(dict(zip(ids, texts)))"
            if "data" not in own:  # a call that takes a list alone
                table, texts = f"qc.{function}(records, text='text', id='id')", "[{'id': id, 'text': text} for ...]"
            raise UsageError(
                "{}: a {} cannot be used, because ids are read from a column of the data: {}; for a list of texts: {}",
                Param(name), type(value).__name__, table, texts,
            )  # fmt: skip


_DATA = ("data", "against", "fit")
"""Parameters of public functions that take paths, or texts in a list."""


def _text_call(function: str, needed: Sequence[str], name: str) -> str:
    """Return a call of a function with a text for one of its parameters, as it is written.

    >>> _text_call("decontaminate", ["data", "against"], "against"), _text_call("dedup", ["data"], "against")
    ('qc.decontaminate(data, [text])', 'qc.dedup(data, against=[text])')
    """
    values = ["[text]" if one == name else one for one in needed if one not in ("self", "cls")]
    if name not in needed:
        values.append(f"{name}=[text]")
    return f"qc.{function}({', '.join(values)})"


_MOST_NAMES = 15
"""Most parameters of a call that a message lists."""


def _spelt(name: str, own: Collection[str], call: Callable[[], R]) -> R:
    """Return what a call returns; an error about a parameter that no method has names those of the function that are spelt like it."""
    try:
        return call()
    except UnknownParameter as error:
        if not error.name:
            raise
        if near := meant(error.name, own):
            raise UsageError("{}{}", error, near) from None
        names = sorted({*own} - {"self", "cls"})
        if len(names) > _MOST_NAMES:
            raise UsageError(
                "{}; the parameters of the call itself are in {}: leave out {!r} if it is none of these",
                error, f"help(qc.{name})", error.name,
            ) from None  # fmt: skip
        shown = join_names(names)
        raise UsageError(
            "{}; the call itself takes {}: leave out {!r} if it is none of these", error, shown, error.name
        ) from None


def _too_many(name: str, places: list[str], own: frozenset[str], args: tuple[Any, ...]) -> Message:
    """Return the message for a call with too many positional values; `places` are the parameters that may be positional."""
    method = next((one for one in args if isinstance(one, str) and one in PLACES), None) if "method" in own else None
    if name == "passages" and len(args) == 2 and all(isinstance(one, str) for one in args):
        return Message(
            "{}() takes one corpus; to find the passages that two texts share, use {}", name, "qc.align(left, right)"
        )
    if (
        places[:1] == ["data"]
        and {"text", "id"} <= own
        and (isinstance(args[len(places)], list | tuple) or hasattr(args[len(places)], "__array__"))
    ):
        return Message(
            "{}() takes only {} without a name: give ids or other values as columns of one table, and name the columns: {}",
            name, join_names(places), f"qc.{name}(df, text='text', id='id')",
        )  # fmt: skip
    if name == "create" and not isinstance(args[len(places)], str | int | float | bool):
        return Message(
            "{}() takes only {} without a name: documents are added to the index that it returns, {}",
            name, join_names(places), "qc.Index.create('seen/').add(documents)",
        )  # fmt: skip
    example = _named_value(args[len(places)], own) if method is None else f"method={method!r}"
    if example is None:
        return Message(
            "{}() takes only {} without a name: leave out the other values, or name them", name, join_names(places)
        )
    return Message(
        "{}() takes only {} without a name: name the other values, such as {}", name, join_names(places), example
    )


def _named_value(value: object, own: frozenset[str]) -> str | None:
    """Return a value that was given without a name with the one that it probably has; None if nobody knows."""
    if isinstance(value, float) and 0 < value <= 1:
        return f"threshold={value!r}"
    if isinstance(value, str) and "text" in own and re.fullmatch(r"\w+", value):
        return f"text={value!r}"
    return "out='run/'" if "out" in own else None


def _one_list(name: str) -> Message:
    """Return the message of a call that compares two texts and was given one list: how to give them apart."""
    return Message("{}() compares two texts, so give two values: {}; to find all pairs in a list, use {}",
                   name, f"qc.{name}(texts[0], texts[1])", "qc.dedup(texts).pairs")  # fmt: skip


def _storage_options(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    options = given.get("storage_options")
    if options is not None and not isinstance(options, Mapping):  # its value may be secret, and is not shown
        raise UsageError(
            "{} must be a dict of fsspec options, got {}", Param("storage_options"), type(options).__name__
        )
    return options
