"""Runs and streams that read no document: why, and that they replace no earlier run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from quchong.errors import InputError
from quchong.languages import Message, retold


def why_nothing_was_read(manifest: Mapping[str, Any]) -> Message | str | None:
    """Return why a run read no document, for "nothing was read: ..."; None if it read one."""
    counts = manifest["counts"]
    if counts["read"]:
        return None
    if not counts.get("skipped", 0):
        return Message("{}: check the program that wrote it", _without_record(manifest))
    told = [alarm["message"] for alarm in manifest["alarms"] if alarm["kind"] == "many bad records"]
    if not told:
        return Message("no record can be read")
    said = retold(told[0])
    if "broken JSON" in str(told[0]) or "not an object" in str(told[0]):
        return Message("{}; each line must be an object such as {}", said, '{"text": "..."}')
    return said


def _without_record(manifest: Mapping[str, Any]) -> Message:
    """Return the sentence that the inputs of a run have no record, with their names if they are few."""
    inputs = manifest.get("inputs")
    names = (
        [str(one["name"]) for one in inputs if isinstance(one, Mapping) and "name" in one]
        if isinstance(inputs, list)
        else []
    )
    if names in (["-"], ["stdin"]):
        return Message("standard input has no record")
    if len(names) != 1 or names == ["memory"]:  # several, or data in Python
        return Message("the input has no record")
    return Message("{} has no record", names[0])


@contextmanager
def refusing_empty_runs() -> Iterator[None]:
    """Let no run in the block be written if its inputs have no record; `check_replaces` then raises an InputError."""
    before = _refusing.set(True)
    try:
        yield
    finally:
        _refusing.reset(before)


_refusing: ContextVar[bool] = ContextVar("refusing_empty_runs", default=False)


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
            "no record can be read: all {:,} records are bad; give JSON lines, such as {}", read, '{"text": "..."}'
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
            Message("no record can be read") if documents else Message("the input has no record"),
        )


def check_replaces(new: Mapping[str, Any], earlier: Mapping[str, Any], out: str) -> None:
    """Raise an error if a run that read no document would replace an earlier run that did.

    Args:
        new: run.json of the new run.
        earlier: run.json of what is at its place, as far as it can be read.
        out: the place, as it is told.

    Raises:
        InputError: it would: an empty feed or a wrong encoding is no reason to lose the rows of the run before.
    """
    reason = why_nothing_was_read(new) if isinstance(new.get("counts"), Mapping) else None
    if reason is None:
        return
    counts = earlier.get("counts")
    if isinstance(counts, Mapping) and counts.get("read"):
        raise InputError("nothing was read: {}; the earlier run in {} was not replaced", reason, out)
    if _refusing.get() and not new["counts"].get("skipped"):
        raise InputError("nothing was read: {}; nothing was written", reason)
