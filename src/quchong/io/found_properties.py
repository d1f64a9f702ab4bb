"""Properties of a source that reading finds, stored with the work of a run and restored in the same source by another process.

A process that continues a run opens each source anew from its arguments. From the stopped process it takes what
reading set: stamp and digest of the file, rows that are no documents, encoding, header. The class of a source names
these attributes in FOUND.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from quchong.io.files.input_file import InputFile, Piece, changed_bytes
from quchong.io.source import Source
from quchong.io.wrapped_source import SourceAround


def found_by(source: Source) -> dict[str, Any]:
    """Return the attributes that reading has set on a source, waiting for the digest of its file."""
    values = {name: getattr(_innermost(source), name) for name in _names(source)}
    return {name: value.stamp_and_digest() if isinstance(value, InputFile) else value for name, value in values.items()}


def pieces_of(source: Source) -> list[Piece]:
    """Return the hashed spans of a source's file, if only some blocks of it were read; empty otherwise."""
    inner = _innermost(source)
    files = [file for name in _names(source) if isinstance(file := getattr(inner, name), InputFile)]
    return [piece for file in files for piece in file.pieces()]


def set_found_properties(source: Source, found: Mapping[str, Any]) -> None:
    """Set the attributes of a source that reading found in another process.

    Raises:
        ValueError: the attributes belong to another kind of source.
    """
    if set(found) != set(_names(source)):
        raise ValueError("what was found is not of such a source")
    inner = _innermost(source)
    for name in _names(source):
        before = getattr(inner, name)
        if isinstance(before, InputFile):
            before.restore(found[name])
        else:
            setattr(inner, name, found[name])


@runtime_checkable
class _Folder(Protocol):
    """Source of many files, which has one digest of all of them."""

    def check_bytes(self, digest: tuple[int, str] | None) -> None: ...


def check_found(source: Source, found: Mapping[str, Any], pieces: Sequence[Piece] = ()) -> None:
    """Raise InputChanged unless a source still has the bytes that another process read; the source is read for that.

    Args:
        source: the source.
        found: attributes that `found_by` returned.
        pieces: pieces of its file that other processes hashed.
    """
    inner = _innermost(source)
    for name in _names(source):
        if isinstance(file := getattr(inner, name), InputFile):
            file.check_bytes(found[name][1], pieces)
    if isinstance(inner, _Folder):
        inner.check_bytes(found["_digest"])


def check_same_bytes(source: Source, found: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    """Raise InputChanged if two processes found different digests for a source's file; a missing digest is ignored."""
    inner = _innermost(source)
    for name in _names(source):
        if isinstance(file := getattr(inner, name), InputFile):
            one, two = found[name][1], other[name][1]
            if None not in (one, two) and one != two:
                raise changed_bytes(file.path)
    if (
        isinstance(inner, _Folder)
        and None not in (found["_digest"], other["_digest"])
        and found["_digest"] != other["_digest"]
    ):
        raise changed_bytes(Path(source.name))


def _names(source: Source) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(_innermost(source), "FOUND", ())
    return names


def _innermost(source: Source) -> Source:
    while isinstance(source, SourceAround):
        source = source.inner
    return source
