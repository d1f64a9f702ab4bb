"""Index that is open: its contents, its shadow, the lock of its writers, and what is read of it without asking about documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Self

from quchong.api import index_arguments as arguments
from quchong.api.index_location import Location, OpenIndex, location_of, open_stored
from quchong.engines.index.answers import Answer, Id, IndexStatistics
from quchong.engines.index.opening import readable
from quchong.engines.index.shadow import Shadow
from quchong.engines.index.shared.shared_index import SharedIndex
from quchong.engines.index.stored import StoredIndex
from quchong.errors import OutputError, Param, UsageError
from quchong.languages import Message
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.made_by_calls import ExplainsNames
from quchong.parameters.other_attributes import SuggestsNames
from quchong.plan.column_choice import with_usual_columns
from quchong.plan.columns_found import FoundColumns
from quchong.plan.parameters import FLAG, checked
from quchong.plan.plan import Plan


@contextmanager
def closed_on_error(index: OpenedIndex) -> Iterator[None]:
    """Close an index if the block ends with an error."""
    try:
        yield
    except BaseException:
        index.close()
        raise


@explains_arguments
class OpenedIndex(SuggestsNames, metaclass=ExplainsNames):
    """Open index, for reading or for writing; `quchong.Index` adds what is asked of it and added to it."""

    _OTHER_NAMES = MappingProxyType(
        {
            "add": "insert append update upsert put ingest add_documents",
            "query": "search find lookup check seen is_duplicate contains ask",
            "delete": "remove drop discard pop",
            "stats": "size count info statistics describe",
            "close": "flush save commit",
            "ids": "keys documents",
            "matches": "explain why related relations get_matches",
            "text": "get get_text document content fetch",
        }
    )
    _LOOPED = "index.ids(), index.text('n001')"
    _EXAMPLES: ClassVar[Mapping[str, str]] = {
        "add": "index.add([{'id': 'a1', 'text': '...'}])",
        "query": "index.query('...')",
        "delete": "index.delete(['a1'])",
        "text": "index.text('a1')",
        "matches": "index.matches('a1')",
        "expire": "index.expire('30d')",
        "backup": "index.backup('copy/')",
        "export": "index.export('run2/')",
        "__init__": "qc.Index('seen/')",
        "create": "qc.Index.create('seen/')",
    }
    """Calls of the methods, as messages about wrong ones show them."""

    def __init__(self, folder: str | Path, *, read_only: bool = False, workers: int | None = None) -> None:
        """Open an index that `create` made.

        Raises:
            RunError: the folder is no index, is damaged, or is of a later version.
            OutputError: another process writes to it (open it with `read_only`).
        """
        workers = checked(workers=workers)["workers"]
        self.folder: Location = location_of(folder)
        self._replaced: list[OpenIndex] = []
        self._columns_found = FoundColumns()
        self._stored: OpenIndex | None = open_stored(
            self.folder, writable=not FLAG("read_only", read_only), workers=workers
        )
        self._shadow: Shadow | None = None
        with closed_on_error(self):
            self._shadow = self._opened_shadow(self._stored)

    @staticmethod
    def _opened_shadow(stored: OpenIndex) -> Shadow | None:
        """Return the second index of one in a folder, if it has one."""
        if not isinstance(stored, StoredIndex) or not stored.settings.shadow:
            return None
        with readable(stored.folder):
            return Shadow(stored.folder, stored)

    @property
    def _open(self) -> OpenIndex:
        """Index that is open, for reading or writing.

        Raises:
            UsageError: it was closed.
        """
        if self._stored is None:
            raise UsageError("this index has been closed: open it again with quchong.Index({!r})", str(self.folder))
        if isinstance(self._stored, StoredIndex) and not self._stored.writable:
            self._follow_writer(self._stored)
        return self._stored

    def _follow_writer(self, stored: StoredIndex) -> None:
        """Bring an index that is open for reading to the state that another process has written meanwhile."""
        with stored.lock:
            if stored is not self._stored:
                return
            with readable(stored.folder):
                anew = stored.is_replaced() or not stored.follow()
            if anew:
                self._replaced.append(stored)
                self._stored = StoredIndex(stored.folder, writable=False, workers=stored.workers)

    @property
    def _writable(self) -> OpenIndex:
        """Index that is open for writing.

        Raises:
            OutputError: it is open for reading only.
        """
        if not self._open.writable:
            raise OutputError(
                "{} is open for reading only: to change it, open it without {}", self.folder, Param("read_only")
            )
        return self._open

    @contextmanager
    def _writing(self) -> Iterator[OpenIndex]:
        """Return the open index for writing, locked against other threads; one in a database puts its writers in order itself.

        Raises:
            OutputError: it is open for reading only.
        """
        while True:
            stored = self._writable
            with nullcontext() if isinstance(stored, SharedIndex) else stored.lock:
                if stored is self._stored:  # else it was replaced while this thread waited
                    yield stored
                    return

    def plan_for(self, columns: Iterable[str]) -> Plan:
        """Return the plan by which records with these columns are read: by usual names such as 正文 while the index has no documents.

        Raises:
            InputError: two columns may be the text.
        """
        stored = self._open
        fixed = not isinstance(stored, StoredIndex) or stored.next  # the settings in a database never change
        return stored.plan if fixed else with_usual_columns(stored.plan, list(columns))

    @property
    def is_used(self) -> bool:
        """True if documents were ever added; from the first one on the columns that are read stay the same."""
        return bool(self._open.next)

    def columns_found(self) -> list[Message]:
        """Return sentences on the columns that were found under usual names since the index was made or opened."""
        return self._columns_found.remarks()

    def stats(self) -> IndexStatistics:
        """Return the figures of the index."""
        with readable(self.folder):
            return self._open.figures()

    def ids(self) -> list[Id]:
        """Return the ids of all documents, in the order of their arrival."""
        with readable(self.folder):
            return self._open.ids()

    def text(self, id: Id) -> str | None:
        """Return the original text of a document; None if the index does not keep texts.

        Raises:
            UsageError: no document has the id.
        """
        with readable(self.folder):
            return self._open.text(arguments.checked_id(id))

    def matches(self, id: Id, *, passages: bool = False) -> Answer:
        """Return the relations of a document of the index to all others, as they are now.

        Of several documents with the same text one is named: a kept one, if there is one.

        Raises:
            UsageError: no document has the id.
        """
        with readable(self.folder):
            return self._open.matches(arguments.checked_id(id), passages=passages)

    def __repr__(self) -> str:
        """Return the folder, the number of documents and whether it is open for reading only or closed, as Python shows the index."""
        if self._stored is None:
            return f"<quchong.Index: {str(self.folder)!r}, closed>"
        reading = "" if self._stored.writable else ", read-only"
        count = len(self)
        return f"<quchong.Index: {str(self.folder)!r}, {count:,} {'document' if count == 1 else 'documents'}{reading}>"

    def __len__(self) -> int:
        with readable(self.folder):
            return self._open.count()

    def __contains__(self, id: object) -> bool:
        with readable(self.folder):
            return isinstance(id, str | int) and bool(self._open.finder.numbers_of([id]))

    def close(self) -> None:
        """Write what is not yet on the disk and close the index."""
        if self._stored is not None:
            if self._shadow is not None:
                self._shadow.close()
            self._stored.close()
            self._stored = None
        while self._replaced:
            self._replaced.pop().close()

    def __enter__(self) -> Self:
        self._open  # noqa: B018 - raises for an index that was closed
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
