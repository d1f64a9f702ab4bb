"""Checks of what is given to an index: ids, documents and spans of time, with messages that say what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from quchong.engines.index.answers import Id
from quchong.errors import Param, UsageError
from quchong.languages import join_names
from quchong.parameters.kinds import span_of_delta
from quchong.plan.plan import parse_within, span_meant


def checked_id(id: Any) -> Id:
    """Return the id given, if it can be one.

    Raises:
        UsageError: it is neither a text nor a whole number, or it is empty.
    """
    if isinstance(id, bool) or not isinstance(id, str | int):
        raise UsageError("an id must be a text or a whole number, not {}", _kind(id))
    if id == "":
        raise UsageError("an id is empty: give the id of a document")
    return id


def checked_ids(ids: Any) -> list[Id]:
    """Return a list of the ids given: one id, or several in an iterable.

    Raises:
        UsageError: they are none.
    """
    if isinstance(ids, str | int):
        return [checked_id(ids)]
    if isinstance(ids, bytes | Mapping) or not isinstance(ids, Iterable):
        raise UsageError("an id must be a text or a whole number, not {}", _kind(ids))
    return [checked_id(one.as_py() if hasattr(one, "as_py") else one) for one in ids]


def check_settings_of_run(given: Mapping[str, Any]) -> None:
    """Raise UsageError if settings are given that an index takes from a run."""
    if names := [name for name, value in given.items() if value not in (None, False, ())]:
        raise UsageError(
            "{} are taken from the run: leave out these options, or leave out {}", join_names(names), Param("from_run")
        )


def check_settings_of_index(store: str, shadow: Mapping[str, Any]) -> None:
    """Raise UsageError if settings are given that an index takes from another one."""
    if store != "text" or shadow:
        raise UsageError(
            "'store' and 'shadow' are taken from the other index: leave out these two options, or leave out {}",
            Param("from_run"),
        )


def span_in_seconds(span: Any) -> float:
    """Return an age such as "30d" in seconds.

    Raises:
        UsageError: it is no span of time, or 0, which every document is older than.
    """
    seconds = None
    try:
        seconds = parse_within(span) if isinstance(span, str) else None
    except UsageError as error:
        raise UsageError(error.args[0], Param("older_than", span), error.args[2]) from error
    if seconds is None:
        raise UsageError(
            "{} is not a time span: write a number and s, m, h, d or w, such as {}",
            Param("older_than", span),
            span_meant(str(span)) or span_of_delta(span) or "7d",
        )
    if not seconds:
        raise UsageError(
            "{} would delete all documents: if that is meant, use {}",
            Param("older_than", span),
            Param("older_than", "1s"),
        )
    return seconds


def checked_number(first: Any) -> int:
    """Return the number of a first document.

    Raises:
        UsageError: it is no whole number from 0 on.
    """
    if isinstance(first, bool) or not isinstance(first, int) or first < 0:
        raise UsageError("{}: use a whole number of 0 or more", Param("first", first))
    return first


def checked_shadow(shadow: Any) -> dict[str, Any]:
    """Return the parameters of a shadow by name; an empty dictionary for None.

    Raises:
        UsageError: they are none.
    """
    if shadow is not None and not (isinstance(shadow, Mapping) and all(isinstance(name, str) for name in shadow)):
        raise UsageError('{}: use a dict of parameters, such as {{"threshold": 0.7}}', Param("shadow", shadow))
    return dict(shadow or {})


def _kind(value: Any) -> str:
    """Return the name of the type of a value for a message; None stays None."""
    return "None" if value is None else type(value).__name__
