"""Document frequencies of shingles, for IDF weights.

Source: Gao 2014, section 6, which leaves weights from a corpus as future work.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from quchong import kernels
from quchong.errors import InputError, OutputError, Param, UsageError, reason_of
from quchong.kernels.arrays import AnyTexts, Names, Ragged
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sketch import WEIGHT_ONE, FeatureWeights
from quchong.kernels.text import Form
from quchong.outputs import check_regular, staged_file

VERSION = 2
_KEY = b"quchong.feature_statistics"


def statistics_digest(documents: int, ngram: int, form: Mapping[str, str], pieces: Iterable[np.ndarray]) -> str:
    """Return `FeatureStatistics.digest` of features (<u8, ascending), then frequencies (<u4), given in batches."""
    head = json.dumps([VERSION, documents, ngram, dict(form)], sort_keys=True)
    hashed = hashlib.blake2b(head.encode(), digest_size=16)
    for piece in pieces:
        hashed.update(np.ascontiguousarray(piece).tobytes())
    return hashed.hexdigest()


@dataclass(frozen=True)
class CountedElsewhere:
    """Statistics that an engine counted and uses itself, identified only by their digest."""

    digest: str


@dataclass(frozen=True, slots=True)
class ShingleCount:
    """Definition of what is counted over a corpus: shingles of `ngram` tokens, of texts in this form.

    `how` describes the same in plain values, see `FeatureStatistics.form`.
    """

    form: Form
    ngram: int
    how: Mapping[str, str]

    def count(self, batches: Iterable[AnyTexts], workers: int | None = None) -> FeatureStatistics:
        """Count the shingles of batches of prepared texts, each normalised once."""
        docs = (kernels.text.names(self.form, texts, workers=workers).docs for texts in batches)
        return FeatureStatistics.fit(docs, self.ngram, self.how, workers)


@dataclass(frozen=True)
class FeatureStatistics:
    """Document frequencies of the shingles of a corpus.

    Attributes:
        documents: documents counted, empty ones left out.
        features: uint64, hashes of the shingles, ascending.
        frequencies: uint32, number of documents that contain each shingle.
        ngram: tokens a shingle has.
        form: how texts became tokens, as plain values (normaliser and its version, kind of tokens): statistics serve
            texts prepared the same way only.
        path: the file they were read from, which no output may replace; None where they were counted.
    """

    documents: int
    features: np.ndarray = field(repr=False)
    frequencies: np.ndarray = field(repr=False)
    ngram: int = 2
    form: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling, without derived tables, which each process builds itself."""
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    @staticmethod
    def fit(
        batches: Iterable[Ragged | Names],
        ngram: int = 2,
        form: Mapping[str, str] | None = None,
        workers: int | None = None,
    ) -> FeatureStatistics:
        """Count the shingles of batches of token sequences.

        Cost: one pass; memory about 12 bytes a distinct shingle and as much again while batches are merged.
        """
        pending: list[FeatureStatistics] = []
        for docs in batches:
            feature, count = kernels.sketch.count_features(docs, ngram, workers)
            pending.append(FeatureStatistics(int((docs.lengths > 0).sum()), feature, count, ngram, form or {}))
            while len(pending) > 1 and 2 * len(pending[-1].features) > len(pending[-2].features):
                pending[-2:] = [pending[-2].merge(pending[-1])]
        total = FeatureStatistics(0, np.zeros(0, np.uint64), np.zeros(0, np.uint32), ngram, form or {})
        for part in reversed(pending):
            total = part.merge(total)
        return total

    def merge(self, other: FeatureStatistics) -> FeatureStatistics:
        """Return the statistics of both corpora together.

        Raises:
            UsageError: they were counted differently.
        """
        if (self.ngram, dict(self.form)) != (other.ngram, dict(other.form)):
            raise UsageError("statistics can be added only if their shingles and normal forms are equal")
        both = np.concatenate([self.features, other.features])
        order = np.argsort(both, kind="stable")
        both, counts = both[order], np.concatenate([self.frequencies, other.frequencies])[order].astype(np.uint64)
        first = np.flatnonzero(first_of_runs(both)) if len(both) else np.zeros(0, np.int64)
        sums = np.add.reduceat(counts, first) if len(both) else counts
        return FeatureStatistics(
            self.documents + other.documents, both[first], sums.astype(np.uint32), self.ngram, self.form
        )

    @property
    def digest(self) -> str:
        """blake2b-128 hex of everything a weight depends on; part of the config hash of a run."""
        cached: str | None = self.__dict__.get("_digest")
        if cached is None:
            pieces = [self.features.astype("<u8"), self.frequencies.astype("<u4")]
            cached = self.__dict__["_digest"] = statistics_digest(self.documents, self.ngram, self.form, pieces)
        return cached

    def weight(self, frequency: int) -> int:
        """Return ln((N + 1) / (df + 1)) in whole units of 1/65536, never below 0."""
        return max(0, round(WEIGHT_ONE * math.log((self.documents + 1) / (frequency + 1))))

    def weights_of(self, values: np.ndarray) -> np.ndarray:
        """Return the weight of each value (uint64 hashes) as `weight` defines it, uint32; a value not counted has df 0."""
        if not len(self.features):
            return np.full(len(values), self.weight(0), np.uint32)
        place = np.minimum(np.searchsorted(self.features, values), len(self.features) - 1)
        known = np.where(self.features[place] == values, self.frequencies[place], 0)
        frequency, index = np.unique(known, return_inverse=True)
        return np.array([self.weight(f) for f in frequency.tolist()], np.uint32)[index]

    @property
    def table(self) -> FeatureWeights:
        """Weights as kernels look them up; built once. A shingle not counted has df 0."""
        cached: FeatureWeights | None = self.__dict__.get("_table")
        if cached is None:
            values, index = np.unique(self.frequencies, return_inverse=True)
            weights = np.array([self.weight(v) for v in values.tolist()], np.uint32)
            cached = self.__dict__["_table"] = kernels.sketch.feature_weights(
                self.features, weights[index], self.weight(0)
            )
        return cached

    def save(self, path: str | Path) -> Path:
        """Write a Parquet file with the columns feature and documents, atomically.

        Raises:
            OutputError: it cannot be written, or a file of that name holds something else.
        """
        head = {"version": VERSION, "documents": self.documents, "ngram": self.ngram, "form": dict(self.form),
                "digest": self.digest}  # fmt: skip
        table = pa.table({"feature": pa.array(self.features), "documents": pa.array(self.frequencies)})
        out = Path(path)
        if os.path.exists(out) and not _is_ours(out):  # noqa: PTH110
            raise OutputError("{} exists but has no statistics, so it is not replaced: choose another place", out)
        with staged_file(out) as new, pa.OSFile(os.fsencode(new), "wb") as file:
            pq.write_table(table.replace_schema_metadata({_KEY: json.dumps(head)}), file, compression="zstd")
        return out

    @staticmethod
    def load(path: str | Path) -> FeatureStatistics:
        """Read statistics from a file that `save` wrote.

        Raises:
            InputError: no such file, no statistics, a later version, or damaged.
            UsageError: no path, such as the number of an open file.
        """
        if not isinstance(path, str | Path):
            raise UsageError("{} must be a path, got {!r}", Param("statistics"), path)
        try:
            check_regular(path)
            with pa.OSFile(os.fsencode(path)) as file:
                table = pq.read_table(file)
            table.validate(full=True)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise InputError(
                "{} cannot be read: {}; make one with `quchong statistics`",
                Param("statistics", str(path)),
                reason_of(error),
            ) from error
        meta = (table.schema.metadata or {}).get(_KEY)
        if meta is None:
            raise InputError(
                "{} has no statistics made by quchong: make them with `quchong statistics`",
                Param("statistics", str(path)),
            )
        try:
            head = dict(json.loads(meta))
            if head.get("version") != VERSION:
                raise InputError(
                    "{} has version {}, but this program reads {}: make the statistics again",
                    Param("statistics", str(path)),
                    head.get("version"),
                    VERSION,
                )
            out = _counted(table, head, Path(path))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise InputError(
                "{} is damaged ({}): make the statistics again", Param("statistics", str(path)), error
            ) from error
        if out.digest != head["digest"]:
            raise InputError(
                "{} is damaged (its digest does not match): make the statistics again", Param("statistics", str(path))
            )
        return out


def _counted(table: pa.Table, head: dict[str, Any], path: Path) -> FeatureStatistics:
    """Build statistics from a table and its header, read from a file.

    Raises:
        KeyError, TypeError, ValueError: they are none
    """
    features, counts = table["feature"], table["documents"]
    if (features.type, counts.type) != (pa.uint64(), pa.uint32()) or features.null_count or counts.null_count:
        raise ValueError(f"columns of {features.type} and {counts.type}")
    documents, ngram, form = head["documents"], head["ngram"], head["form"]
    if type(documents) is not int or type(ngram) is not int or not (0 <= documents < 2**63 and 1 <= ngram < 2**31):
        raise ValueError("counts that make no sense")
    if not isinstance(form, dict) or not isinstance(head["digest"], str):
        raise ValueError("no normal form")
    values = features.to_numpy()
    if (values[1:] <= values[:-1]).any():
        raise ValueError("features out of order")
    return FeatureStatistics(documents, values, counts.to_numpy(), ngram, form, path)


def _is_ours(path: Path) -> bool:
    try:
        check_regular(path)
        with pa.OSFile(os.fsencode(path)) as file:
            return _KEY in (pq.read_schema(file).metadata or {})
    except (OSError, ValueError, pa.ArrowException, InputError):
        return False
