"""Options on how the rows of a run are written: ids alone, shards, compression, columns on kept rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from quchong.errors import Param, UsageError
from quchong.io import Source
from quchong.io.files.written_form import AS_READ, WrittenForm
from quchong.io.formats import ARROW, CELLS, LINES, WARCS
from quchong.languages import join_names
from quchong.plan.mix import Mix
from quchong.plan.parameters import checked
from quchong.plan.plan import Plan
from quchong.results.kept_columns import WANTED, check_addable, written_names

IDS = "ids"
"""Mode of a run that writes the ids of kept rows and no rows."""
_SHARDED = (*LINES, *CELLS, ".parquet", *ARROW, *WARCS)


@dataclass(frozen=True, slots=True)
class RowOptions:
    """Options on the files of rows of a run.

    Attributes:
        ids_only: True to write the ids of kept rows and no rows.
        shard_size: most bytes of a file of rows before compression; None for one file an input.
        form: compression and Parquet options.
        columns: columns added to kept rows, see `quchong.results.kept_columns`.
        keys: columns of the time and of the source.
        mix: weights by source, which add a column.
    """

    ids_only: bool = False
    shard_size: int | None = None
    form: WrittenForm = field(default=AS_READ)
    columns: tuple[str, ...] = ()
    keys: tuple[str, str] = ("time", "source")
    mix: Mix | None = None

    @classmethod
    def of_call(
        cls, *, ids_only: bool, shard_size: Any, compress: Any, parquet: Any, add_columns: Any, annotate: bool
    ) -> RowOptions:
        """Check the options of a call; arguments are those of `dedup`.

        Raises:
            UsageError: a value cannot be used, or two options exclude each other.
        """
        given = checked(
            ids_only=ids_only, shard_size=shard_size, compress=compress, parquet=parquet, add_columns=add_columns
        )
        form = WrittenForm(given["compress"], **(given["parquet"] or {}))
        of_rows = {"annotate": annotate, "shard_size": shard_size, "compress": compress, "parquet": parquet}
        for name, value in of_rows.items() if given["ids_only"] else ():
            if value:
                raise UsageError(
                    "{} writes no rows, so {} has no effect: leave out one of the two",
                    Param("ids_only", True),
                    Param(name),
                )
        return cls(given["ids_only"], given["shard_size"], form, given["add_columns"] or ())

    def under(self, plan: Plan) -> RowOptions:
        """Return the options with the plan's time and source columns and its weights of sources."""
        return replace(self, keys=(plan.time_key, plan.source_key), mix=plan.mix)

    @property
    def added(self) -> tuple[str, ...]:
        """All columns added to kept rows."""
        return (*self.columns, *(() if self.mix is None else (WANTED,)))

    @property
    def mode(self) -> str:
        """Mode of a run without `annotate`, as run.json tells it."""
        return IDS if self.ids_only else "remove"

    def describe(self) -> dict[str, Any]:
        """Return the entries of run.json about these options, without those about the files that were written."""
        found: dict[str, Any] = {"written": dict(self.form.describe())} if self.form != AS_READ else {}
        return found | ({"added_columns": list(written_names(self.added))} if self.added else {})

    def check(self, sources: Sequence[Source], *, keep_work: bool, annotate: bool) -> None:
        """Raise UsageError if the rows of these inputs cannot be written so, before any document is read."""
        if self.form != AS_READ and not any(self.form.reaches(source.suffix) for source in sources):
            of_text = self.form.packing is not None
            raise UsageError(
                "{}: this option is for the formats {}, but no input has one of these", Param("compress" if of_text else "parquet"),
                join_names((*LINES, *CELLS)) if of_text else ".parquet",
            )  # fmt: skip
        if keep_work and self.ids_only:
            raise UsageError(
                "{} is for a run that writes kept rows: leave out {}",
                Param("keep_work", True),
                Param("ids_only", True),
            )
        if self.added and not annotate and not self.ids_only:
            check_addable(self.added, sources)
        if self.shard_size is not None:
            _check_shardable(sources, self.form)
            for source in sources if annotate else ():
                if source.annotated_suffix != source.suffix:
                    raise UsageError(
                        "{}: {} is annotated in one table ({}), which cannot be split into numbered files: leave "
                        "out one of the two",
                        Param("shard_size"), source.name, source.annotated_suffix,
                    )  # fmt: skip


AS_IT_IS = RowOptions()
"""One file an input, in the form of the input."""


def _check_shardable(sources: Sequence[Source], form: WrittenForm) -> None:
    """Raise UsageError unless the rows of all sources can be in one sequence of shards."""
    first = sources[0]
    for source in sources:
        suffix = form.suffix(source.suffix)
        if not suffix.startswith(_SHARDED):
            raise UsageError(
                "{}: {} has the format {}, whose rows cannot be written as numbered files; use {}",
                Param("shard_size"), source.name, suffix,
                join_names(_SHARDED),
            )  # fmt: skip
        if form.suffix(first.suffix) != suffix or first.layout() != source.layout():
            raise UsageError(
                "{}: {} and {} have different formats, columns or encodings, so no file can have rows of both: "
                "use separate runs",
                Param("shard_size"), first.name, source.name,
            )  # fmt: skip
