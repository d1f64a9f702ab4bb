"""Tables, rows and figures of a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import UsageError
from quchong.languages import Message, join_names
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import FRAME_WORDS, SuggestsNames, table_call, writing_call
from quchong.parameters.other_names import in_python
from quchong.report.stored_alarms import alarm_message
from quchong.results.kept_columns import kept_table
from quchong.results.memory import MemoryRun
from quchong.results.run_table import RunTable
from quchong.results.saved import SavedRun


@explains_arguments
class RunContents(SuggestsNames):
    """Tables, rows and figures of a run; `quchong.Result` adds what decides again, compares or draws.

    Attributes:
        _run: the run, in memory or in its folder.
    """

    _EXAMPLES: ClassVar[Mapping[str, str]] = {
        "explain": "result.explain('n009')",
        "compare": "result.compare('n009', 'n001')",
        "inspect": "result.inspect('n009')",
        "restore": "result.restore('n009')",
        "report": "result.report('run.html')",
        "save": "result.save('run2/')",
        "rethreshold": "result.rethreshold(0.9)",
    }
    """Calls of the methods, as messages about wrong ones show them."""
    _run: MemoryRun | SavedRun

    if not TYPE_CHECKING:  # to a type checker a result has no length

        def __len__(self) -> int:
            """Raise the TypeError about the length of a result, which has several tables; the message says which have one."""
            raise TypeError(self._advice_about("num_rows").translation())

    def __bool__(self) -> bool:
        """Return True: a result is no empty list, whatever was removed."""
        return True

    def _looped(self) -> Message:
        """Return the expressions that loop over the rows of a result; those of the kept rows are in the kind of the data given."""
        some = self._no_rows()
        call = next((f".{one}()" for one in ("to_pylist", "itertuples", "iter_rows") if hasattr(some, one)), "")
        of_tables = f"result.kept{call}, result.ledger.to_pylist(), result.pairs.to_pylist()"
        return Message("{}; to take the rows apart, write {}", of_tables, "kept, removed = result.kept, result.removed")

    def _advice_about(self, name: str) -> Message | None:
        """Return which table of a result has an attribute of a data frame; None for other attributes."""
        if name not in FRAME_WORDS:
            return None
        tables = join_names(["kept", "removed", "ledger", "pairs", "clusters"])
        if (written := writing_call("result.kept", name, rows := self._no_rows())) is not None:
            return Message("a result has several tables: {}; to write the kept rows: {}; to write the whole run: {}",
                           tables, written, "result.save('run/')")  # fmt: skip
        call = table_call("result.kept", name, arrow=self._run.rows_in_kind is None, rows=rows)
        return Message("a result has several tables: {}; for the kept rows, write {}", tables, call)

    def _no_rows(self) -> Any:
        """Return no rows in the kind in which the data was given."""
        select = self._run.rows_in_kind
        return pa.table({}) if select is None else select(np.empty(0, np.int64))

    @property
    def ledger(self) -> RunTable:
        """Ledger: one row for each removed document (`quchong.tables.LEDGER`); a notebook shows the texts beside each other."""
        return RunTable(self._run.table("ledger"), "ledger", self._run)

    @property
    def pairs(self) -> RunTable:
        """Verified pairs at or above the floor (`quchong.tables.PAIRS`).

        Pairs whose differences decide nothing have the relation "unexamined", and neither facts nor differences; `examined_pairs`
        has theirs too.
        """
        return RunTable(self._run.table("pairs"), "pairs", self._run)

    @property
    def examined_pairs(self) -> RunTable:
        """Pairs as a run with differences="all" lists them: each with its relation, facts and differences.

        Pairs that the run left unexamined are examined at first use, from the texts; where these can be read no longer, they stay
        as in `pairs`. Cost: about 40 us a pair, and reading the texts.

        >>> import quchong as qc
        >>> text = "The council said that the new bridge will open in March, and that drivers pay 12 percent less toll."
        >>> found = qc.dedup([{"id": name, "text": text + "." * len(name)} for name in ("a", "bb", "ccc")])
        >>> found.examined_pairs["relation"].to_pylist()
        ['exact', 'exact', 'exact']
        """
        return RunTable(self._run.examined_pairs, "pairs", self._run)

    @property
    def clusters(self) -> RunTable:
        """Clusters: the survivors and the documents removed for them (`quchong.tables.CLUSTERS`)."""
        return RunTable(self._run.table("clusters"), "clusters", self._run)

    @property
    def templates(self) -> pa.Table:
        """Templates: what many records share, and the slots that they fill differently (`quchong.tables.TEMPLATES`); of most records first.

        Empty for a method that examines no differences, with `templates="remove"`, and for a run of an earlier version.
        """
        return self._run.table("templates")

    @property
    def documents(self) -> pa.Table:
        """One row for each document: kept or removed, and why (`quchong.tables.FATES`)."""
        return self._run.table("documents")

    @property
    def kept(self) -> Any:
        """Kept rows of the input with all columns, in order; rows of files are read again.

        They come as the data was given: pandas, Polars, Dataset, DatasetDict, a dict of texts by id; else as a `pyarrow.Table`.

        >>> import quchong as qc
        >>> qc.dedup({"a": "天气很好，适合出门。", "b": "天气很好，适合出门。"}).kept
        {'a': '天气很好，适合出门。'}
        """
        return self._rows_in_kind(removed=False)

    @property
    def removed(self) -> Any:
        """Removed rows of the input, as `kept`.

        Of a data frame this is a data frame, and a loop over it yields the names of its columns. To select rows by id, use the column:
        `df[~df["id"].isin(result.removed["id"])]`.
        """
        return self._rows_in_kind(removed=True)

    def _rows_in_kind(self, *, removed: bool) -> Any:
        select = self._run.rows_in_kind
        return self._run.rows(removed)[1] if select is None else select(self._row_numbers(removed=removed))

    @property
    def cut(self) -> pa.Table:
        """Rows of the removed roundups with what no kept document has, with all columns; of a run with `roundups="cut"`, else empty.

        `kept` and `cut` together are the corpus. A roundup without a sentence of its own has no row here.
        """
        return self._run.own_rows()

    @property
    def kept_columns(self) -> pa.Table:
        """Table of one row for each kept row, in order: id, input, row, copies, sources, first_seen, last_seen.

        `copies` is the number of documents removed for the row, `sources` are the different sources of both (names of inputs where rows
        have none), `first_seen` and `last_seen` the first and last of their times, as written. A run
        with weights by source (`mix`) also has `copies_wanted`, how often training is to read the row.
        """
        return kept_table(self._run)

    @property
    def kept_rows(self) -> np.ndarray:
        """Numbers of the kept rows of the input, from 0, as int64 in order: `dataset.select(result.kept_rows)`, `frame.iloc[...]`.

        Raises:
            UsageError: there are several inputs, each with rows of its own; `documents` has the input and the row of every document.
        """
        return self._row_numbers(removed=False)

    @property
    def removed_rows(self) -> np.ndarray:
        """Numbers of the removed rows of the input, as `kept_rows`."""
        return self._row_numbers(removed=True)

    def _row_numbers(self, *, removed: bool) -> np.ndarray:
        documents = self._run.table("documents").select(["source", "row", "reference", "removed"])
        mine = documents.filter(pc.invert(pc.field("reference")))
        if len(pc.unique(mine["source"])) > 1:
            raise UsageError(
                "the run has several inputs; the table `documents` has the input and the row of every document"
            )
        rows = mine.filter(pc.field("removed") == removed)["row"].to_numpy()
        return np.sort(rows)

    def to_dataset(self, *, removed: bool = False) -> Any:
        """Return the kept rows as a `datasets.Dataset` of Hugging Face, with the features of the data set that was given.

        Args:
            removed: the removed rows instead.

        Raises:
            UsageError: the package datasets is not installed.
        """
        from quchong.results.hugging_face import dataset_of

        return dataset_of(self._run.rows(removed)[1])

    @property
    def skipped(self) -> list[dict[str, Any]]:
        """Bad records: source, row, line, reason."""
        return [{"source": b.source, "row": b.row, "line": b.line, "reason": b.reason} for b in self._run.skipped()]

    @property
    def unscored(self) -> list[Any]:
        """Ids of documents that were compared for equality alone: too short, or without what the method sees; kept unless exact copies."""
        few = pc.field("unscored") & ~pc.field("reference")
        ids = self.documents.filter(few)["id"].cast(self.ledger["id"].type)
        return sorted(ids.to_pylist(), key=lambda one: str(one).encode())

    @property
    def counts(self) -> dict[str, Any]:
        """Counts by name: documents read, kept, removed, by relation, and more."""
        return self._run.counts

    @property
    def alarms(self) -> list[dict[str, Any]]:
        """Alarms and notes to check before trusting the run: kind, message and figures of each.

        The message is in the language that is spoken (`quchong.set_language`), and names parameters as Python has them; `manifest`
        has it as run.json stores it.
        """
        return [one | {"message": in_python(alarm_message(one).translation())} for one in self._run.alarms]

    @property
    def manifest(self) -> dict[str, Any]:
        """Contents of run.json; of a run in memory those of the run.json that `save` would write, without its entries about files."""
        return self._run.manifest
