"""Methods of a researcher beside those of an experiment, and the made documents and their truth as files of our own form."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from quchong.errors import OutputError, UsageError, reason_of
from quchong.plan.catalogue import kind_of
from quchong.relations import CONTAINED_IN, CONTAINS


@dataclass(frozen=True, slots=True)
class FurtherMethod:
    """A method that an experiment measures beside its own: its name in tables, its class, and a digest of its file."""

    name: str
    kind: type[Any]
    digest: str


_METHODS: ContextVar[tuple[FurtherMethod, ...]] = ContextVar("further methods", default=())
_FOLDER: ContextVar[Path | None] = ContextVar("folder of exports", default=None)


def load_method(given: str) -> FurtherMethod:
    """Return the class that a text names: FILE.py:CLASS, whose code is executed, or the name of an installed method.

    Raises:
        UsageError: no such file, class or method, or the class is no method.
    """
    path, sign, name = given.rpartition(":")
    if not sign and not given.endswith(".py"):
        return FurtherMethod(given, kind_of(given), given)
    if not path.endswith(".py") or not name.isidentifier():
        raise UsageError("--method {}: name a file and the class in it, such as mine.py:Mine", given)
    file = Path(path)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise UsageError("--method {}: there is no file {}", given, file)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UsageError("--method {}: {} cannot be executed: {}", given, file, reason_of(error)) from error
    kind = getattr(module, name, None)
    if not isinstance(kind, type) or not hasattr(kind, "traits"):
        found = [one for one, value in vars(module).items() if isinstance(value, type) and hasattr(value, "traits")]
        raise UsageError(
            "--method {}: {} has no method {}; it has {}", given, file, name, ", ".join(sorted(found)) or "none"
        )
    return FurtherMethod(name, kind, hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest())


@contextmanager
def measured_too(methods: Sequence[FurtherMethod], folder: Path | None) -> Iterator[None]:
    """Measure these methods too within the block, and write the documents that are made to a folder, None for none."""
    before = _METHODS.set(tuple(methods)), _FOLDER.set(folder)
    try:
        yield
    finally:
        _METHODS.reset(before[0])
        _FOLDER.reset(before[1])


def systems(own: Sequence[tuple[str, Any, dict[str, Any]]]) -> tuple[tuple[str, Any, dict[str, Any]], ...]:
    """Return the systems of an experiment, followed by the further methods."""
    return (*own, *((one.name, one.kind, {}) for one in _METHODS.get()))


class LabelledPages(Protocol):
    """Pages with their truth, as `quchong_lab.web.labelled` makes them."""

    @property
    def table(self) -> Any:
        """The pages, a table of Arrow."""
        ...

    @property
    def relation(self) -> Mapping[tuple[str, str], str]:
        """The relation of each pair that has one, by the ids of the two."""
        ...

    @property
    def undecided(self) -> Iterable[tuple[str, str]]:
        """The pairs of which the truth says nothing."""
        ...


Data = TypeVar("Data", bound=LabelledPages)


def export(data: Data) -> Data:
    """Write documents and truth to the folder of exports, if there is one; return the data.

    The first corpus of a run is pages.jsonl (id, text, title, url, site) and truth.jsonl (left_id, right_id, label, relation), the
    next pages-2.jsonl and truth-2.jsonl. `quchong dedup` reads the pages, `quchong eval --complete` the truth.

    Raises:
        OutputError: a file of that name exists, or cannot be written.
    """
    folder = _FOLDER.get()
    if folder is None:
        return data
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number = 1 + len(list(folder.glob("truth*.jsonl")))
        ending = "" if number == 1 else f"-{number}"
        names = [name for name in ("id", "text", "title", "url", "site") if name in data.table.column_names]
        _write(folder / f"pages{ending}.jsonl", data.table.select(names).to_pylist())
        _write(folder / f"truth{ending}.jsonl", _truth(data))
    except OSError as error:
        raise OutputError("{} cannot be written: {}; choose another folder", folder, reason_of(error)) from error
    return data


def _truth(data: LabelledPages) -> Iterator[dict[str, str]]:
    for (left, right), relation in data.relation.items():
        label = "contained" if relation in (CONTAINED_IN, CONTAINS) else "same"
        yield {"left_id": left, "right_id": right, "label": label, "relation": relation}
    for left, right in sorted(data.undecided):
        yield {"left_id": left, "right_id": right, "label": "unsure", "relation": "partial"}


def _write(path: Path, rows: Any) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
