"""Sources that an earlier run has read: its stored texts and features replace reading, if they fit the plan."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.local.batch_kinds import READ_KINDS, check_batches
from quchong.engines.local.segments import ReadBatch
from quchong.errors import OutputError
from quchong.io.formats import ARROW
from quchong.io.page_documents import Pages
from quchong.io.source import Source, WantedColumns
from quchong.io.wrapped_source import SourceAround
from quchong.languages import Message
from quchong.outputs import OwnFolder, open_folder
from quchong.plan.plan import Plan
from quchong.seam import settings_of
from quchong.work import Damaged
from quchong.work.values import read_value

_OWN = "quchong."
_TYPED = (".parquet", *ARROW)
"""Suffixes of files whose columns have types; in other files all columns are text."""


def versions() -> list[str]:
    """Return the versions that must be equal for a process to use values stored by another: quchong, libraries, Python, byte order."""
    return [version("quchong"), np.__version__, pa.__version__, platform.python_version(), sys.byteorder]


def terms_of(plan: Plan) -> dict[str, Any]:
    """Return all settings on which the result of reading depends, as JSON values.

    Of the method's parameters these are the ones that its features depend on. For a method of another package all parameters count,
    because it may depend on each of them, whatever its traits declare.
    """
    traits, settings = plan.method.traits, settings_of(plan.method)
    own = type(plan.method).__module__.startswith(_OWN)
    free = set(traits.decided_by) - set(traits.features_by) if own else set()
    told = plan.describe()
    named = ("method", "normaliser", "exact", "text", "html", "body", "time_key", "strip", "social", "boilerplate")
    terms = {name: told[name] for name in named} | {
        "parameters": {name: value for name, value in settings.items() if name not in free},
        "id": [plan.id, plan.id_given],
        "versions": versions(),
    }
    found: dict[str, Any] = json.loads(json.dumps(terms))
    return found


def key_of(terms: Mapping[str, Any]) -> str:
    """Return the digest of the terms (blake2b, 128 bits, in hexadecimal)."""
    canonical = json.dumps(terms, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()


def extra_of(wanted: WantedColumns) -> tuple[str, ...]:
    """Return the extra columns that are read, without the fallback column of missing texts (the page)."""
    return tuple(name for name in wanted.extra if name != wanted.instead)


class Unfit(Exception):
    """Error: stored values do not fit the run; `message` has the reason."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class KeptOf:
    """Stored values of one file of rows of an earlier run, as described by its run.json.

    Attributes:
        folder: the run folder.
        files: the files of values, in order.
        documents: number of documents in them.
        terms: terms of the run that stored them, see `terms_of`.
        extra: the columns that were read besides text and id.
        rows: state of the file of rows at that time: `bytes`, `mtime_ns`, `blake2b`, perhaps `encoding`.
    """

    folder: Path
    files: tuple[Path, ...]
    documents: int
    terms: Mapping[str, Any]
    extra: tuple[str, ...]
    rows: Mapping[str, Any]


class KnownSource(SourceAround):
    """Source whose texts and features were stored by an earlier run; rows are fetched from the wrapped source.

    Args:
        inner: the file of rows, or the kept rows of it.
        kept: the values that the run stored.
        label: name that is unique among the sources of this run.
    """

    def __init__(self, inner: Source, kept: KeptOf, label: str) -> None:
        super().__init__(inner)
        self.kept, self.label = kept, label

    @property
    def state(self) -> list[Any]:
        """State of the stored values: the key of their terms, and the size and modification time of each file."""
        stats = [file.stat() for file in self.kept.files]
        return [key_of(self.kept.terms), *([stat.st_size, stat.st_mtime_ns] for stat in stats)]

    def batches(self) -> list[ReadBatch]:
        """Return the stored batches, mapped from their files.

        Raises:
            Damaged, OSError: a file is missing or damaged.
            OutputError: the folder of the files is a link.
        """
        found: list[ReadBatch] = []
        for file in self.kept.files:
            folder = OwnFolder(file.parent, open_folder(file.parent))
            found += check_batches(read_value(folder, file.name, READ_KINDS))
            folder.close()
        return found

    def texts(self) -> list[pa.Array]:
        """Return the texts of `batches`, one array a batch."""
        return [batch.texts for batch in self.batches()]

    def read(self, plan: Plan, pages: Pages) -> list[ReadBatch]:
        """Return the stored batches with the columns that reading under the plan would give, mapped from their files.

        Args:
            pages: this source as the plan reads it.

        Raises:
            Unfit: the batches were stored under other terms or are damaged, or the rows have changed.
        """
        self._check(plan)
        try:
            found = self.batches()
        except OutputError as error:
            raise Unfit(error.message) from error
        except (Damaged, OSError) as error:
            raise Unfit(Message("it is incomplete")) from error
        names, extra = [plan.wanted_columns.instead], extra_of(plan.wanted_columns)
        if sum(len(batch.texts) for batch in found) != self.kept.documents:
            raise Unfit(Message("it is incomplete"))
        out = [replace(batch, columns=batch.columns.select(["row", "id", *extra])) for batch in found]
        first = next((batch.columns for batch in out if len(batch.columns)), None)
        if first is not None and self.suffix in _TYPED:
            now = pages.fetch([first["row"][0].as_py()], plan.wanted_columns).drop_columns(["text"])
            types = [now.schema.field(name).type for name in ("row", "id", *extra) if name not in names]
            if types != first.schema.types:
                raise Unfit(Message("the stored columns do not have the expected types"))
        return out

    def _check(self, plan: Plan) -> None:
        """Raise Unfit unless the values were stored under the terms of the plan and the file of rows is unchanged."""
        terms, kept = terms_of(plan), self.kept.terms
        if terms["method"] != kept.get("method"):
            raise Unfit(
                Message("the data was stored by method {}, but this run uses {}", kept.get("method"), terms["method"])
            )
        for name in sorted(terms, key=lambda name: name == "versions"):
            now, then = terms[name], kept.get(name)
            if now == then:
                continue
            if name == "versions":
                raise Unfit(Message("another version of quchong or of a library stored the data"))
            if name == "parameters":
                then = then if isinstance(then, dict) else {}
                one = min(p for p in {*now, *then} if now.get(p) != then.get(p))
                raise Unfit(
                    Message("the data was stored with {} {}, but this run uses {}", one, then.get(one), now.get(one))
                )
            raise Unfit(Message("the data was stored with another value of {}", name))
        if lacking := [name for name in extra_of(plan.wanted_columns) if name not in self.kept.extra]:
            raise Unfit(Message("the earlier run did not read the column {!r}", lacking[0]))
        if not self._unchanged():
            raise Unfit(Message("{} was changed after that run", self.name))

    def _unchanged(self) -> bool:
        """Return True if the file of rows is unchanged: same size and modification time, or same size and digest.

        A copied file has another time; its digest is computed, which reads the file once.
        """
        said = self.kept.rows
        try:
            stat = self.files[0].stat()
        except OSError:
            return False
        if stat.st_size != said.get("bytes"):
            return False
        return stat.st_mtime_ns == said.get("mtime_ns") or self.inner.fingerprint()["blake2b"] == said.get("blake2b")

    def expected(self) -> int | None:
        """Return the number of stored documents."""
        return self.kept.documents

    def fingerprint(self) -> dict[str, object]:
        """Return the fingerprint that the earlier run stored, with `work` True: the rows need not be read. See Source.fingerprint."""
        said = {
            name: self.kept.rows[name]
            for name in ("bytes", "blake2b", "encoding", "kept_rows")
            if name in self.kept.rows
        }
        return {"name": self.name, **said, "work": True}


def is_known(source: Source) -> bool:
    """Return True if the source of a corpus was taken from the values that an earlier run stored."""
    return isinstance(source, Pages) and isinstance(source.inner, KnownSource)
