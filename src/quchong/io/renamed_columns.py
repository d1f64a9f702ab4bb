"""Source whose columns have other names than the columns of the data that it is compared with."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from dataclasses import replace

import pyarrow as pa

from quchong.io.row_copies import RowSet
from quchong.io.source import Bad, Documents, Source, WantedColumns
from quchong.io.wrapped_source import SourceAround
from quchong.tables import DOCUMENTS


def by_own_names(wanted: WantedColumns, names: Mapping[str, str], text: tuple[str, ...]) -> WantedColumns:
    """Return wanted columns by the names that a source has for them; arguments as of `RenamedColumns`."""
    return replace(
        wanted, text=text or wanted.text, id=wanted.id and names.get(wanted.id, wanted.id),
        extra=tuple(names.get(name, name) for name in wanted.extra if name != wanted.instead),
    )  # fmt: skip


class RenamedColumns(SourceAround):
    """Source with other column names: wanted columns are read under the source's own names; rows stay as they are.

    Args:
        inner: the source.
        names: its name of a column by the name that is wanted, without columns of the text.
        text: its columns of the text; () for those wanted.
    """

    def __init__(self, inner: Source, names: Mapping[str, str], text: tuple[str, ...] = ()) -> None:
        super().__init__(inner)
        self.names, self.text = dict(names), text

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents; columns of the batches have the names wanted."""
        asked = by_own_names(wanted, self.names, self.text)
        for batch in self.inner.documents(asked, bad, rows):
            yield self._renamed(batch, wanted)

    def _renamed(self, batch: pa.RecordBatch, wanted: WantedColumns) -> pa.RecordBatch:
        """Return a batch of the inner source with the names wanted."""
        fields, columns = [], []
        taken = [(name, name) for name in DOCUMENTS.names] + [
            (name, self.names.get(name, name)) for name in wanted.extra
        ]
        for name, own in taken:
            place = batch.schema.get_field_index(own)
            fields.append(batch.schema.field(place).with_name(name))
            columns.append(batch.column(place))
        return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields, batch.schema.metadata))

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint; `columns` and `text_columns` are the names of this source, for whoever opens it again."""
        return self.inner.fingerprint() | {
            **({"columns": self.names} if self.names else {}),
            **({"text_columns": list(self.text)} if self.text else {}),
        }
