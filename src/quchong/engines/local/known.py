"""A source that an earlier run has read: what it kept of that is taken in place of reading, where it fits."""

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
from quchong.io.source import Source, Wanted
from quchong.languages import Message
from quchong.outputs import OwnFolder, open_folder
from quchong.plan.plan import Plan
from quchong.reading.around import SourceAround
from quchong.reading.pages import Pages
from quchong.work import Damaged
from quchong.work.values import read_value

_OWN = "quchong."
_TYPED = (".parquet", *ARROW)
"""Files whose columns have types of their own; in the others they are text."""


def versions() -> list[str]:
    """What must be the same for one process to take over what another has found."""
    return [version("quchong"), np.__version__, pa.__version__, platform.python_version(), sys.byteorder]


def terms_of(plan: Plan) -> dict[str, Any]:
    """All that decides what reading finds of a record, as JSON: of the method's parameters those that features depend on.

    A method of another package may depend on all of them, whatever it says of those it decides by.
    """
    traits, settings = plan.method.traits, plan.method.settings()
    own = type(plan.method).__module__.startswith(_OWN)
    free = set(traits.decided_by) - set(traits.features_by) if own else set()
    told = plan.describe()
    named = ("method", "normaliser", "text", "html", "body", "time_key", "strip", "social", "boilerplate")
    terms = {name: told[name] for name in named} | {
        "parameters": {name: value for name, value in settings.items() if name not in free},
        "id": [plan.id, plan.id_given],
        "versions": versions(),
    }
    found: dict[str, Any] = json.loads(json.dumps(terms))
    return found


def key_of(terms: Mapping[str, Any]) -> str:
    """One word for the terms: blake2b-128, hex."""
    canonical = json.dumps(terms, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()


def extra_of(wanted: Wanted) -> tuple[str, ...]:
    """The extra columns of what is read; the page that stands in for a text is not among them."""
    return tuple(name for name in wanted.extra if name != wanted.instead)


class Unfit(Exception):
    """Why what was kept does not serve; `message` says so."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class KeptOf:
    """What an earlier run kept of one of its files of rows, as its run.json tells.

    Attributes:
        folder: of the run.
        files: of values, in order.
        documents: how many they hold.
        terms: see `terms_of`; of the run that kept them.
        extra: the columns that were read beside text and id.
        rows: the file of rows as it was then: `bytes`, `mtime_ns`, `blake2b`, perhaps `encoding`.
    """

    folder: Path
    files: tuple[Path, ...]
    documents: int
    terms: Mapping[str, Any]
    extra: tuple[str, ...]
    rows: Mapping[str, Any]


class KnownSource(SourceAround):
    """A source with what an earlier run kept of it. As a source it is the one within: rows are fetched from there.

    Args:
        inner: the file of rows, or those of its rows that stayed.
        kept: what the run kept of it.
        label: tells it from the other sources of this run.
    """

    def __init__(self, inner: Source, kept: KeptOf, label: str) -> None:
        super().__init__(inner)
        self.kept, self.label = kept, label

    @property
    def state(self) -> list[Any]:
        """What tells this work from any other: its key, and the size and time of change of its files."""
        stats = [file.stat() for file in self.kept.files]
        return [key_of(self.kept.terms), *([stat.st_size, stat.st_mtime_ns] for stat in stats)]

    def batches(self) -> list[ReadBatch]:
        """What was kept, mapped.

        Raises:
            Damaged, OSError: it is not there, or not whole.
            OutputError: the folder it should lie in is a link.
        """
        found: list[ReadBatch] = []
        for file in self.kept.files:
            folder = OwnFolder(file.parent, open_folder(file.parent))
            found += check_batches(read_value(folder, file.name, READ_KINDS))
            folder.close()
        return found

    def texts(self) -> list[pa.Array]:
        """The texts of `batches`."""
        return [batch.texts for batch in self.batches()]

    def read(self, plan: Plan, pages: Pages) -> list[ReadBatch]:
        """What reading would find, mapped; `pages` is this source as the plan reads it.

        Raises:
            Unfit: it was kept under other terms, or is not as it was.
        """
        self._check(plan)
        try:
            found = self.batches()
        except OutputError as error:
            raise Unfit(error.message) from error
        except (Damaged, OSError) as error:
            raise Unfit(Message("it is not whole")) from error
        names, extra = [plan.wanted.instead], extra_of(plan.wanted)
        if sum(len(batch.texts) for batch in found) != self.kept.documents:
            raise Unfit(Message("it is not whole"))
        out = [replace(batch, columns=batch.columns.select(["row", "id", *extra])) for batch in found]
        first = next((batch.columns for batch in out if len(batch.columns)), None)
        if first is not None and self.suffix in _TYPED:
            now = pages.fetch([first["row"][0].as_py()], plan.wanted).drop_columns(["text"])
            types = [now.schema.field(name).type for name in ("row", "id", *extra) if name not in names]
            if types != first.schema.types:
                raise Unfit(Message("its columns have other types"))
        return out

    def _check(self, plan: Plan) -> None:
        """Raises Unfit unless it was kept under the terms of the plan, of rows that are as they were."""
        terms, kept = terms_of(plan), self.kept.terms
        if terms["method"] != kept.get("method"):
            raise Unfit(Message("it was kept by method {}, and this run's is {}", kept.get("method"), terms["method"]))
        for name in sorted(terms, key=lambda name: name == "versions"):
            now, then = terms[name], kept.get(name)
            if now == then:
                continue
            if name == "versions":
                raise Unfit(Message("another version of quchong or of a library kept it"))
            if name == "parameters":
                then = then if isinstance(then, dict) else {}
                one = min(p for p in {*now, *then} if now.get(p) != then.get(p))
                raise Unfit(Message("it was kept with {} {}, and this run's is {}", one, then.get(one), now.get(one)))
            raise Unfit(Message("it was kept under another value of {}", name))
        if lacking := [name for name in extra_of(plan.wanted) if name not in self.kept.extra]:
            raise Unfit(Message("the column {!r} was not read then", lacking[0]))
        if not self._unchanged():
            raise Unfit(Message("{} has changed since", self.name))

    def _unchanged(self) -> bool:
        """Are the rows as they were? A copy has other times: of it the digest is taken, which reads it once."""
        said = self.kept.rows
        try:
            stat = self.files[0].stat()
        except OSError:
            return False
        if stat.st_size != said.get("bytes"):
            return False
        return stat.st_mtime_ns == said.get("mtime_ns") or self.inner.fingerprint()["blake2b"] == said.get("blake2b")

    def expected(self) -> int | None:
        """Documents that were kept."""
        return self.kept.documents

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint: as the earlier run has it, so that the rows need not be read for it. `work` says so."""
        said = {
            name: self.kept.rows[name]
            for name in ("bytes", "blake2b", "encoding", "kept_rows")
            if name in self.kept.rows
        }
        return {"name": self.name, **said, "work": True}


def is_known(source: Source) -> bool:
    """Was this source, as a corpus has it, taken from what an earlier run kept?"""
    return isinstance(source, Pages) and isinstance(source.inner, KnownSource)
