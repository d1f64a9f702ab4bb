"""Index of documents that lasts: asked about and added to, one document at a time or in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Unpack, overload

from quchong.engines.index.answers import Answer, Answers, Id, IndexStatistics, Problem
from quchong.plan.catalogue import DEFAULT
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.request import Body, EqualTexts, Roundups, Templated
from quchong.plan.sources import Data
from quchong.relations import DEFAULT_REMOVED
from quchong.seam import Method

Store = Literal["text", "features", "none"]
"""What an index keeps of its documents besides keys."""


class Index:
    """Documents that were seen, in a folder: finds copies of a document among them in a millisecond, and forgets nothing.

    An index is opened by one process for writing, and by any number for reading. All methods may be called from several threads.
    """

    def __init__(self, folder: str | Path, *, read_only: bool = False) -> None:
        """Open an index that `create` made.

        Raises:
            RunError: the folder is no index, is damaged, or is of a later version.
            OutputError: another process writes to it (open it with `read_only`).
        """
        raise NotImplementedError

    @classmethod
    def create(  # noqa: PLR0913 - keywords: the options of an index
        cls,
        folder: str | Path,
        *,
        method: str | Method = DEFAULT,
        keep: str | Iterable[str] | None = None,
        relations: str | Iterable[str] = DEFAULT_REMOVED,
        text: str | Iterable[str] = "text",
        id: str | None = None,
        time: str = "time",
        source: str = "source",
        html: str | None = "html",
        body: Body = "main",
        within: str | None = None,
        per: str | None = None,
        same_site: bool = False,
        strip: str | Iterable[str] = (),
        social: str | Iterable[str] | None = None,
        boilerplate: str | Path | Sequence[str | Path] = (),
        templates: Templated = "keep",
        roundups: Roundups = "keep",
        exact: EqualTexts = "strict",
        fit: Data | None = None,
        from_run: str | Path | None = None,
        store: Store = "text",
        sync: str = "each",
        shadow: Mapping[str, Any] | None = None,
        workers: int | None = None,
        **parameters: Unpack[MethodParameters],
    ) -> Index:
        """Make an empty index and open it for writing.

        Args:
            folder: a folder that does not exist.
            method, keep, relations, text, id, time, source, html, body, within, per, same_site, strip, social, boilerplate, templates,
            roundups, exact, workers, **parameters: as for `dedup`.
            fit: corpus on which statistics, templates and headers are counted; from then on they are frozen.
            from_run: a run folder: its method, options, statistics and kept documents make the index.
            store: "text" keeps the original texts; "features" keeps what the method compares, and every answer says so; "none" keeps
                keys alone.
            sync: "each": an added document survives a power cut as soon as `add` returns; "250ms" or another span: at most so much is
                lost by a power cut, nothing by the end of the process; "none": the system decides.
            shadow: a second method or other parameters, such as {"threshold": 0.7}, that answers beside: `Answer.shadow`.

        Raises:
            UsageError: an argument cannot be used, or the method searches by itself (docs/guide/index.md lists them).
            OutputError: the folder exists, or cannot be made.
        """
        raise NotImplementedError

    @overload
    def add(self, documents: str | Mapping[str, Any], *, passages: bool = False) -> Answer: ...
    @overload
    def add(self, documents: Data, *, passages: bool = False) -> Answers: ...
    def add(self, documents: Any, *, passages: bool = False) -> Answer | Answers:
        """Add documents, and return what the index knew of each before: those added before it in the same call belong to it.

        Args:
            documents: a text (str), a record (dict) with the columns of the index, or many: a list of these, a table, or a
                `pathlib.Path`. Without an id a document gets the number of its arrival.
            passages: find the shared passages of each match too.

        Raises:
            InputError: the one document has no text, or its id is in the index already. Of many, such records are `Answers.bad`.
            OutputError: the index is open for reading only, or the disk is full; nothing was added.
        """
        raise NotImplementedError

    @overload
    def query(self, documents: str | Mapping[str, Any], *, passages: bool = False) -> Answer: ...
    @overload
    def query(self, documents: Data, *, passages: bool = False) -> Answers: ...
    def query(self, documents: Any, *, passages: bool = False) -> Answer | Answers:
        """Return what `add` would, without adding anything; the documents are not compared with each other."""
        raise NotImplementedError

    def delete(self, ids: Id | Iterable[Id]) -> int:
        """Delete documents by id; return how many were there."""
        raise NotImplementedError

    def expire(self, older_than: str) -> int:
        """Delete the documents that are older than a span such as "30d", by their time if they have one, else by their arrival.

        Returns:
            How many were deleted.
        """
        raise NotImplementedError

    def compact(self) -> IndexStatistics:
        """Give back the place of deleted documents, count statistics anew, and merge all segments; return the figures afterwards."""
        raise NotImplementedError

    def stats(self) -> IndexStatistics:
        """Return the figures of the index."""
        raise NotImplementedError

    def verify(self) -> list[Problem]:
        """Read every file of the index and return what is damaged; an empty list if all is whole."""
        raise NotImplementedError

    def repair(self) -> list[Problem]:
        """Keep what is whole and make anew what can be made from it; return what was damaged."""
        raise NotImplementedError

    def backup(self, folder: str | Path) -> None:
        """Copy the index to a folder that does not exist, while it is in use."""
        raise NotImplementedError

    def export(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write all documents as a run folder, decided as a run over them decides; return its path."""
        raise NotImplementedError

    @staticmethod
    def migrate(folder: str | Path) -> str:
        """Bring an index of an earlier version to this one; return the version that it had."""
        raise NotImplementedError

    def ids(self) -> list[Id]:
        """Return the ids of all documents, in the order of their arrival."""
        raise NotImplementedError

    def text(self, id: Id) -> str | None:
        """Return the original text of a document; None if the index does not keep texts.

        Raises:
            UsageError: no document has the id.
        """
        raise NotImplementedError

    def matches(self, id: Id) -> Answer:
        """Return the relations of a document of the index to all others, as they are now.

        Raises:
            UsageError: no document has the id.
        """
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def __contains__(self, id: object) -> bool:
        raise NotImplementedError

    def close(self) -> None:
        """Write what is not yet on the disk and close the index."""
        raise NotImplementedError

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
