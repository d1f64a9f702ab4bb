"""Form in which the rows of a source are written: compression of text files, codec and row groups of Parquet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import pyarrow as pa

from quchong.errors import Param, UsageError
from quchong.io.files.streams import COMPRESSIONS

PACKINGS = ("none", *sorted(suffix.removeprefix(".") for suffix in COMPRESSIONS))
"""Compressions of text files, by the suffix of each."""
CODECS = ("none", "snappy", "gzip", "brotli", "lz4", "zstd")
"""Compressions of Parquet files."""
_LINES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
"""Suffixes of the text files that may be compressed."""


@dataclass(frozen=True, slots=True)
class WrittenForm:
    """Form in which rows are written (format, compression); a field None keeps the form of the input.

    Attributes:
        packing: compression of text files, one of `PACKINGS`.
        codec, level: compression of Parquet files, one of `CODECS`, and its level.
        row_group: bytes of a row group of a Parquet file, uncompressed.
    """

    packing: str | None = None
    codec: str | None = None
    level: int | None = None
    row_group: int | None = None

    def __post_init__(self) -> None:
        if self.level is None:
            return
        if self.codec not in ("gzip", "brotli", "zstd"):
            raise UsageError(
                "{}: a level is for compression=zstd, gzip or brotli", Param("parquet", f"level={self.level}")
            )
        codec: Any = pa.Codec
        least, most = codec.minimum_compression_level(self.codec), codec.maximum_compression_level(self.codec)
        if not least <= self.level <= most:
            raise UsageError(
                "{}: the levels of {} are from {} to {}",
                Param("parquet", f"level={self.level}"),
                self.codec,
                least,
                most,
            )

    def suffix(self, own: str) -> str:
        """Return the suffix of the file written for a source with the suffix `own`.

        >>> WrittenForm(packing="zst").suffix(".jsonl.gz"), WrittenForm(packing="none").suffix(".jsonl.gz")
        ('.jsonl.zst', '.jsonl')
        """
        base = PurePath(own).stem if PurePath(own).suffix in COMPRESSIONS else own
        if self.packing is None or base not in _LINES:
            return own
        return base if self.packing == "none" else f"{base}.{self.packing}"

    def compression(self, own: str | None) -> str | None:
        """Return the compression of the written text file (a value of `COMPRESSIONS` or None) for a source with compression `own`."""
        return own if self.packing is None else COMPRESSIONS.get(f".{self.packing}")

    def reaches(self, own: str) -> bool:
        """Return True if a source with the suffix `own` is written in another form than its own."""
        base = PurePath(own).stem if PurePath(own).suffix in COMPRESSIONS else own
        of_parquet = self.codec is not None or self.row_group is not None
        return (self.packing is not None and base in _LINES) or (of_parquet and base == ".parquet")

    def describe(self) -> Mapping[str, Any]:
        """Return the fields that are not None, for run.json."""
        found = {"compress": self.packing, "codec": self.codec, "level": self.level, "row_group": self.row_group}
        return {name: value for name, value in found.items() if value is not None}


AS_READ = WrittenForm()
"""Form of the input itself."""
