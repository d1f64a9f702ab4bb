"""Messages of alarms, of a run that is finished as well, whose run.json has them in English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quchong.languages import COMMA, NAMES, Message, Stored, join_messages

ROLES = {
    "text": Message("the text"), "id": Message("the id"), "time": Message("the time"), "source": Message("the source"),
}  # fmt: skip
"""Words for the columns that are found by usual names, by the parameter that names each."""


def columns_told(found: Mapping[str, str], unsure: Mapping[str, Sequence[str]]) -> list[Message]:
    """Return a sentence about the columns that were found, and one for each parameter for which several may be meant.

    Args:
        found: column by parameter.
        unsure: columns by parameter, of which none is read.
    """
    out = []
    if found:
        read = [Message("the column {} is read as {}", column, ROLES[name]) for name, column in found.items()]
        out.append(join_messages(read, COMMA))
    for name, columns in unsure.items():
        out.append(
            Message(
                "each of the columns {} may be {}, so none was used; name the right column",
                join_messages(columns, NAMES),
                ROLES[name],
            )
        )
    return out


def alarm_message(alarm: Mapping[str, Any]) -> Message:
    """Return the message of an alarm, which can be translated even if only its English text was stored.

    A list of columns is composed again from its figures, because no template recognises a list of unknown length.
    """
    message = alarm["message"]
    if isinstance(message, Message):
        return message
    if alarm.get("kind") == "columns":
        figures = alarm.get("figures")
        figures = figures if isinstance(figures, Mapping) else {}
        found, unsure = _values_by_parameter(figures.get("found")), _values_by_parameter(figures.get("unsure"))
        for one in columns_told(found, unsure):
            if str.__str__(one) == message:
                return one
    return Stored(message)


def _values_by_parameter(values: Any) -> dict[str, Any]:
    """Return the values of known parameters from an untrusted run.json; empty if they are no object."""
    values = values if isinstance(values, Mapping) else {}
    return {
        name: value
        for name, value in values.items()
        if name in ROLES
        and (isinstance(value, str) or (isinstance(value, list) and all(isinstance(one, str) for one in value)))
    }
