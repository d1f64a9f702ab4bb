"""Reference corpus of a run: documents that the input is compared with, which are never removed and never compared with each other.

Inside a run with references every id begins with a mark: "0" of a reference, "1" of a document of the input. In the order of ids references
then come first, as on one machine, an id that occurs on both sides is two, and a pair tells of itself whether it is one of two references.
The ids of tables have no mark; those of references begin with `REFERENCE_PREFIX`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quchong.decision.alarms import Alarm
from quchong.engines.spark.documents import FIRST, HEAD, ID, REFERENCE, described
from quchong.engines.spark.marks import OF_INPUT, OF_REFERENCE, with_mark, without_mark
from quchong.engines.spark.pages import quoted, table_rows
from quchong.engines.spark.reference_copies import copied
from quchong.engines.spark.reference_tables import at_addresses, named_references
from quchong.engines.spark.stages import Stages
from quchong.engines.spark.unions import united
from quchong.errors import InputError
from quchong.io import Source
from quchong.plan.plan import Plan
from quchong.tables import REFERENCE_PREFIX


class Opener(Protocol):
    """Reference corpus as the caller gave it, opened once the run's columns are known."""

    @property
    def addresses(self) -> Sequence[str]:
        """Paths that executors read; empty if the driver reads the references, or they are a DataFrame."""
        ...

    def __call__(self, plan: Plan) -> Sequence[Source] | DataFrame:
        """Return the references as sources for the driver or as a DataFrame; must not be called if there are addresses."""
        ...

    def renamed(self, table: DataFrame, plan: Plan) -> DataFrame:
        """Return a table of references with columns renamed to those of the input."""
        ...

    def rename(
        self, sources: Sequence[Source], plan: Plan, documents: pa.Table, take: Callable[[np.ndarray], pa.Table]
    ) -> Mapping[int, str]:
        """Return new ids, by index, for references whose id another document has, see `reference_copies.Rename`."""
        ...

    def alarms(self, read: Callable[[], pa.Table], sources: Sequence[Source], plan: Plan) -> list[Alarm]:
        """Return alarms about sources that are not as they were left, given a function that returns the documents read from them."""
        ...


@dataclass(frozen=True)
class References:
    """Documents of a reference corpus.

    Attributes:
        documents: the columns of `rows.Rows.documents`; ids begin with `REFERENCE_PREFIX`. References of files have the columns
            `rows.PLACE`: the name of the source, its number, and the row in it.
        entries: what run.json tells of each source.
        sources: sources that the driver has read.
        repeated: number of documents that had the id of another and were renamed id~2, id~3, ...; only of sources that the driver reads.
    """

    documents: DataFrame
    entries: tuple[dict[str, Any], ...] = ()
    sources: tuple[Source, ...] = ()
    repeated: int = 0


def open_references(opener: Opener, plan: Plan, stages: Stages) -> References:
    """Open the references of a run; sources are read here, and their documents stored for the executors.

    Raises:
        InputError: a source cannot be read, or a table lacks a column.
    """
    if opener.addresses:
        return References(*at_addresses(opener.addresses, opener.renamed, plan, stages))
    opened = opener(plan)
    if isinstance(opened, DataFrame):
        return References(named_references(table_rows(opened, plan)))
    documents, entries, repeated = copied(opened, plan, stages, opener.rename)
    return References(documents, entries, tuple(opened), repeated)


def with_references(texts: DataFrame, references: References, plan: Plan, stages: Stages) -> DataFrame:
    """Return the described documents of the input and of its references together, with marks in their ids and the column REFERENCE.

    Without any reference the documents of the input are returned as they are.

    Raises:
        InputError: an id is missing, or occurs twice.
    """
    staged = stages(described(references.documents, plan), "read references")
    if staged.isEmpty():
        return texts
    _check_ids(staged, texts, stages)
    # The digest of a blank text is made of its id, which a blank document of the input may have as well.
    digests = (
        F.when(F.col("blank"), F.bitwise_not(name)).otherwise(F.col(name)).alias(name) for name in ("high", "low")
    )
    names = [name for name in staged.columns if name in texts.columns and name not in ("high", "low")]
    of_references = staged.select(*(F.col(quoted(name)) for name in names), *digests)
    sides = ((of_references, OF_REFERENCE), (texts, OF_INPUT))
    return united([with_mark(one, mark).withColumn(REFERENCE, F.lit(mark == OF_REFERENCE)) for one, mark in sides])


def _check_ids(staged: DataFrame, texts: DataFrame, stages: Stages) -> None:
    """Raise InputError if a reference has no id, or one that another document of the run has."""
    with stages.stage("check ids"):
        alike = texts.filter(F.col(ID).startswith(REFERENCE_PREFIX)).select(ID)
        counted = staged.select(ID).unionAll(alike).groupBy(ID).agg(F.count(F.lit(1)).alias("n"))
        bad = counted.filter((F.col("n") > 1) | F.col(ID).isNull()).limit(1).collect()
    if bad and bad[0][ID] is None:
        raise InputError("some rows have no id: give every row one")
    if bad:
        raise InputError("the id {!r} occurs in {} rows: make ids unique before the run", bad[0][ID], bad[0]["n"])


def protected_ids(ids: Iterable[str], documents: DataFrame) -> list[tuple[str, str]]:
    """Return each protected id paired with each form that it has in documents: itself, or its two marked forms."""
    if REFERENCE not in documents.columns:
        return [(one, one) for one in ids]
    return [(one, mark + one) for one in ids for mark in (OF_REFERENCE, OF_INPUT)]


def with_plain_ids(rows: DataFrame, ids: Sequence[str] = (ID, FIRST, HEAD)) -> DataFrame:
    """Return rows with the ids that tables have: the columns `ids` without their marks. Only of a run with references."""
    return rows.withColumns({name: without_mark(name) for name in ids if name in rows.columns})
