"""Bytes to table and back: takes paths or objects in memory, gives sources of documents that can be read twice."""

from quchong.io.dicts import together
from quchong.io.memory import MemorySource, from_object
from quchong.io.open import one_file, open_inputs
from quchong.io.skipped import read_skipped, write_skipped
from quchong.io.source import BAD, KEEP, REMOVE, Bad, Source, Wanted

__all__ = [
    "BAD",
    "KEEP",
    "REMOVE",
    "Bad",
    "MemorySource",
    "Source",
    "Wanted",
    "from_object",
    "one_file",
    "open_inputs",
    "read_skipped",
    "together",
    "write_skipped",
]
