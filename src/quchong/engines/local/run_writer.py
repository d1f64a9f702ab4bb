"""Interface that writes the rows and tables of a run while the run continues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Protocol

import pyarrow as pa

from quchong.engines.local.background import Background, Tally
from quchong.engines.local.outcome import DecidedRows
from quchong.kernels.machine import Stop
from quchong.progress import Stages


class RunWriter(Protocol):
    """Writer of a run folder, called as soon as something of it can be written."""

    @property
    def splits(self) -> bool:
        """True if rows are written without the ledger, so that they can be written while it is being made."""
        ...

    def write_rows(
        self, decided: DecidedRows, ledger: pa.Table | None, advance: Callable[[int], None], stop: Stop
    ) -> None:
        """Write the rows of the inputs and the table of all documents; perhaps on a thread of its own.

        Args:
            decided: the documents with the fate of each.
            ledger: the LEDGER of the run; None with `splits`.
            advance: called with the number of rows that were written.
            stop: set by another thread, it ends the writing early.
        """
        ...

    def write_tables(self, tables: Mapping[str, pa.Table]) -> None:
        """Write tables by their names."""
        ...


@contextmanager
def rows_written(
    writer: RunWriter | None, decided: DecidedRows, stages: Stages, beside: bool
) -> Iterator[Callable[[pa.Table], None]]:
    """Write the rows of the inputs, on a thread of its own while the context is open if that is possible.

    An error that leaves the context ends the writing.

    Args:
        writer: None if no rows are written.
        decided: the documents with the fate of each.
        stages: record of times; that of the stage "write" is the time that the yielded function takes.
        beside: True to write on a thread of its own, if the writer can do without the ledger.

    Yields:
        A function that is called with the ledger, and returns when all rows are written.
    """
    rows = len(decided.corpus)
    if writer is None:
        yield lambda _: None
        return
    if not (beside and writer.splits):

        def write(ledger: pa.Table) -> None:
            with stages.stage("write", rows) as progress:
                writer.write_rows(decided, None if writer.splits else ledger, progress.advance, Stop())

        yield write
        return
    copied = Tally()
    with Background(partial(writer.write_rows, decided, None, copied.add)) as copying:

        def wait(_: pa.Table) -> None:
            with stages.stage("write", rows) as progress:
                copying.result(partial(copied.hand_on, progress.advance))

        yield wait
