"""Reading of the documents that an index is given: texts, records, tables and files, as batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from quchong.api.index_location import OpenIndex
from quchong.api.index_records import check_id, columns_of_records
from quchong.engines.index.arriving import Reader
from quchong.engines.index.stored import StoredIndex
from quchong.errors import UsageError
from quchong.io.records.reader import Refused
from quchong.io.single_rows import check_no_row, check_no_tuple
from quchong.io.source import Bad
from quchong.plan.column_choice import ColumnChoice
from quchong.plan.mistaken_data import check_no_file_name
from quchong.plan.plan import Plan
from quchong.plan.sources import sources_of


def batches_given(
    stored: OpenIndex, documents: Any, bad: MutableSequence[Bad]
) -> tuple[Plan, Iterator[pa.RecordBatch]]:
    """Return the plan by which documents are read, and the documents as batches; the first documents of an index choose its columns.

    Args:
        documents: a text, a record, or many. bad: receives records that cannot be used.

    Raises:
        UsageError: they are no documents, or the name of a file.
        InputError: they cannot be read, or two columns may be the text.
    """
    _check_kind(documents)
    check_no_row(documents, stored.plan.text, several=False)
    check_no_tuple(documents)
    plain = [documents] if isinstance(documents, str | Mapping) else documents
    reader, choice = stored.reader, ColumnChoice(stored.plan)
    # The settings of an index in a database never change.
    choose = None if not isinstance(stored, StoredIndex) or stored.next else choice.choose
    if isinstance(plain, list | tuple) and all(isinstance(each, str | Mapping) for each in plain):
        if choose is not None:
            choose(columns_of_records(plain))
            reader = Reader(choice.plan, stored.workers)
        return choice.plan, _with_usable_ids(reader, plain, bad) if plain else iter(())
    sources = sources_of(documents, reader.wanted_columns, choose=choose)
    if choose is not None:
        reader = Reader(choice.plan, stored.workers)
    return choice.plan, reader.batches(sources, bad)


def _with_usable_ids(
    reader: Reader, records: Sequence[str | Mapping[str, Any]], bad: MutableSequence[Bad]
) -> Iterator[pa.RecordBatch]:
    """Yield records as batches; those whose id is no string or whole number are added to `bad`."""
    key, wrong = reader.plan.id or "id", dict[int, str]()
    for place, one in enumerate(records):
        if not isinstance(one, str) and not isinstance(one.get(key), str | None):
            try:
                check_id(one, key)
            except Refused as refused:
                wrong[place] = refused.reason
    if not wrong:
        yield from reader.records(records, bad)
        return
    usable = [place for place in range(len(records)) if place not in wrong]
    for batch in reader.records([records[place] for place in usable], bad) if usable else ():
        rows = pa.array([usable[row] for row in batch.column("row").to_pylist()], pa.int64())
        yield batch.set_column(batch.schema.get_field_index("row"), "row", rows)
    bad[:] = [replace(one, row=usable[one.row]) for one in bad]
    bad += [Bad("documents", place, None, reason, b"") for place, reason in wrong.items()]


def _check_kind(documents: Any) -> None:
    """Raise UsageError for what can be no documents, or a text that is the name of a file."""
    if documents is None or isinstance(documents, bytes | bytearray | bool | int | float):
        kind = "None" if documents is None else type(documents).__name__
        raise UsageError("'documents' must be a text, a dict, a list of these, a table or a pathlib.Path, not {}", kind)
    check_no_file_name(documents)
