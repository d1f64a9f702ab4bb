"""Runs and streams that read no document: why, and that they replace no earlier run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quchong.errors import InputError
from quchong.languages import Message, retold


def why_nothing_was_read(manifest: Mapping[str, Any]) -> Message | str | None:
    """Return why a run read no document, for "nothing was read: ..."; None if it read one."""
    counts = manifest["counts"]
    if counts["read"]:
        return None
    if not counts.get("skipped", 0):
        return Message("the input has no record")
    told = [alarm["message"] for alarm in manifest["alarms"] if alarm["kind"] == "many bad records"]
    if not told:
        return Message("every record is bad")
    said = retold(told[0])
    if "broken JSON" in str(told[0]):
        return Message("{}; each line must be an object such as {}", said, '{"text": "..."}')
    return said


def check_stream(read: int, bad: int) -> None:
    """Check that a stream had a record that could be read; what was answered before has gone out.

    Args:
        read: number of records.
        bad: number of those that could not be read.

    Raises:
        InputError: there was none, so that whatever should have filled the stream has probably failed.
    """
    if not read:
        raise InputError("nothing was read: {}", Message("the input has no record"))
    if read == bad:
        raise InputError(
            "no record could be read: all {:,} are bad; give JSON lines, such as {}", read, '{"text": "..."}'
        )


def check_estimate(sampled: int, documents: int | None) -> None:
    """Check that an estimate is of a run that reads something.

    Args:
        sampled: number of documents of the run over the first ones.
        documents: number of all, as far as it is known.

    Raises:
        InputError: there was none.
    """
    if not sampled:
        raise InputError(
            "nothing was read: {}",
            Message("every record is bad") if documents else Message("the input has no record"),
        )


def check_replaces(new: Mapping[str, Any], earlier: Mapping[str, Any], out: str) -> None:
    """Check that a run that read no document does not take the place of an earlier one that did.

    Args:
        new: run.json of the new run.
        earlier: run.json of what is at its place, as far as it can be read.
        out: the place, as it is told.

    Raises:
        InputError: it would: an empty feed or a wrong encoding is no reason to lose the rows of the run before.
    """
    counts = earlier.get("counts")
    if not isinstance(counts, Mapping) or not counts.get("read"):
        return
    if (reason := why_nothing_was_read(new)) is not None:
        raise InputError("nothing was read: {}; the earlier run in {} was not replaced", reason, out)
