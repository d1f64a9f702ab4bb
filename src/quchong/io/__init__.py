"""Sources of documents in every format, read twice: as documents, and to copy their rows into outputs."""

from quchong.io.arrow_input import arrow_data
from quchong.io.dicts import concat_by_name
from quchong.io.files.location import FileBeneath
from quchong.io.memory_source import MemorySource, from_object
from quchong.io.open import is_text_format, one_file, open_file, open_inputs, texts_at
from quchong.io.skipped_file import read_skipped, write_skipped
from quchong.io.source import BAD, KEEP, REMOVE, Bad, Source, WantedColumns

__all__ = [
    "BAD",
    "KEEP",
    "REMOVE",
    "Bad",
    "FileBeneath",
    "MemorySource",
    "Source",
    "WantedColumns",
    "arrow_data",
    "concat_by_name",
    "from_object",
    "is_text_format",
    "one_file",
    "open_file",
    "open_inputs",
    "read_skipped",
    "texts_at",
    "write_skipped",
]
