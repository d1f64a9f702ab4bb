"""Tables of a run that draw themselves: a PyArrow table, and the run that has the texts of its documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import QuchongError, UsageError
from quchong.findings import Difference, differences_of
from quchong.io.usual_columns import USUAL
from quchong.languages import Language, Message, language, language_of_place
from quchong.parameters.other_attributes import table_call
from quchong.parameters.table_habits import (
    column_advice,
    column_in_brackets,
    filter_advice,
    frame_advice,
    loop_advice,
)
from quchong.report.markup import Html, markup
from quchong.report.table_view import (
    Beginning,
    Group,
    Member,
    PairRow,
    groups_view,
    lines_of_groups,
    lines_of_pairs,
    pairs_view,
)
from quchong.report.words import format_message, relation_told
from quchong.results.document_columns import TEXT
from quchong.results.run import Run

if TYPE_CHECKING:
    import polars

ROWS, LINES, GROUPS, MEMBERS = 10, 5, 8, 6
"""Most rows and groups drawn in a notebook, lines printed, and members drawn of a group."""
_READ = 1000
"""Most characters of a text that are kept for drawing."""
_TAKE_COLUMNS = frozenset("column select sort_by group_by drop drop_columns rename_columns field".split())
"""Methods of Arrow's tables whose texts are names of columns."""
_OF_FRAMES = {"sort_by": "sort_values", "group_by": "groupby", "take": "iloc", "slice": "iloc", "join": "merge"}
"""Methods of Arrow's tables and what data frames of pandas have for them."""
_TITLES = ("title", *USUAL["title"])
_PAIR: dict[str, tuple[str, str, str, str, str]] = {
    "ledger": ("id", "survivor_id", "relation", "jaccard", "containment"),
    "pairs": ("left_id", "right_id", "relation", "jaccard", "containment_left"),
}
_NEEDED = _PAIR | {
    "clusters": ("id", "cluster_id", "survivor_id"),
    "chains": ("chain_id", "position", "id", "role", "published", "publisher", "source_id", "relation", "changed", "changed_zh"),
}  # fmt: skip
"""Columns without which a table is no longer drawn as what it was."""


class RunTable:
    """Table of a run: all that a `pyarrow.Table` has, and a view of its texts in notebooks and when printed.

    `table` is the PyArrow table itself; Arrow's stream interface, `to_pandas`, `to_polars`, `to_pylist` and every other member of
    `pyarrow.Table` work as there. Rows taken of it (`filter`, `slice`, `take`, `sort_by`) draw themselves too; other tables made
    of it are plain ones.

    >>> import quchong as qc
    >>> found = qc.dedup([{"id": "a", "text": "今天天气很好，适合出门散步。"}, {"id": "b", "text": "今天天气很好，适合出门散步。"}]).ledger
    >>> found
    removals: 1
      b → a  exact        1.000  今天天气很好，适合出门散步。 | 今天天气很好，适合出门散步。
    >>> found.num_rows, found["id"].to_pylist(), found.column_names[:2]
    (1, ['b'], ['id', 'survivor_id'])
    """

    __slots__ = ("_run", "name", "table")
    __hash__ = None  # type: ignore[assignment] # as a table of PyArrow has none

    def __init__(self, table: pa.Table, name: str, run: Run | None = None) -> None:
        """Make a table of a run; `name` is ledger, pairs, clusters or chains, `run` has the texts, None for no texts."""
        self.table, self.name, self._run = table, name, run

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in RunTable.__slots__:  # as when it is unpickled
            raise AttributeError(name)
        found = getattr(self.table, name, None)
        if found is None and not hasattr(self.table, name):
            advice = column_in_brackets if name in self.table.column_names else frame_advice
            raise AttributeError(advice(self.name, name).translation(), name=name, obj=self)
        if not callable(found):
            return found

        @wraps(found)
        def call(*args: Any, **kwargs: Any) -> Any:
            plain = [plain_table(one) for one in args]
            if name == "filter" and plain and (isinstance(plain[0], str) or callable(plain[0])):
                given = plain[0] if isinstance(plain[0], str) else "..."
                raise UsageError("{}", filter_advice(self.name, given))
            try:
                return self._drawn(found(*plain, **{k: plain_table(v) for k, v in kwargs.items()}))
            except (KeyError, pa.ArrowInvalid) as error:
                unknown = [one for one in _names_in([*plain, *kwargs.values()]) if one not in self.table.column_names]
                if name in _TAKE_COLUMNS and unknown:
                    raise column_advice(unknown[0], self.table.column_names, self.name) from None
                raise error.with_traceback(None) from None
            except TypeError:
                written = (
                    table_call(self.name, _OF_FRAMES[name], arrow=True)
                    if name in _OF_FRAMES
                    else f"{self.name}.to_pandas()"
                )
                said = Message(
                    "{}() of an Arrow table takes other parameters; convert it to a data frame: {}", name, written
                )
                raise TypeError(said.translation()) from None

        return call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raise the TypeError about brackets behind the table, which is a value."""
        raise TypeError(
            Message("{} is an attribute, not a function: leave out the parentheses", self.name).translation()
        )

    def _drawn(self, found: Any) -> Any:
        """Return a table with the same columns as a `RunTable`; anything else is returned unchanged."""
        if isinstance(found, pa.Table) and set(_NEEDED[self.name]) <= set(found.column_names):
            return RunTable(found, self.name, self._run)
        return found

    def __getitem__(self, key: Any) -> Any:
        columns = self.table.column_names
        if isinstance(key, str):
            if key not in columns:
                raise column_advice(
                    key,
                    columns,
                    self.name,
                    Message("; the columns of the documents are in {}", "result.kept, result.removed"),
                )
        elif isinstance(key, bool) or not isinstance(key, int | slice):
            line = f"{self.name}.to_pandas()[...]"
            if isinstance(key, list | tuple) and key and all(isinstance(one, str) for one in key):
                if unknown := [one for one in key if one not in columns]:
                    raise column_advice(unknown[0], columns, self.name)
                line = f"{self.name}.select({list(key)!r})"
            said = Message(
                "{} is an Arrow table, which takes a column's name or a row's number; here, write {}",
                self.name,
                line,
            )
            raise TypeError(said.translation())
        return self._drawn(self.table[key])

    def __iter__(self) -> Iterator[Any]:
        """Raise the TypeError about a loop over the table: Arrow's tables are lists of columns, and a loop means rows."""
        raise TypeError(loop_advice(self.name, self.table.column_names).translation())

    def __contains__(self, value: object) -> bool:
        """Raise the TypeError about a search in the table, which does not say in which column."""
        said = Message("search for a value in a column: {}", f"{value!r} in {self.name}['id'].to_pylist()")
        raise TypeError(said.translation())

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __eq__(self, other: object) -> bool:
        plain = plain_table(other)
        return isinstance(plain, pa.Table) and bool(self.table.equals(plain))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.table)})

    def __reduce__(self) -> Any:
        return RunTable, (self.table, self.name)  # the texts stay with the result

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table as a stream of Arrow, for pyarrow.table(...), Polars, DuckDB and others."""
        return self.table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Return the schema of the table for Arrow's C interface."""
        return self.table.schema.__arrow_c_schema__()

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> object:
        """Return the table for the interchange protocol of data frames."""
        return self.table.__dataframe__(nan_as_null, allow_copy)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Raise the TypeError about an array, which would lose the names of the columns: pandas.DataFrame(...) asks for one."""
        said = Message(
            "an array of {} has no column names; for a data frame, write {}; for the values of a column, write {}",
            self.name,
            f"{self.name}.to_pandas()",
            f"{self.name}[{self.table.column_names[0]!r}].to_numpy()",
        )
        raise TypeError(said.translation())

    def to_polars(self) -> polars.DataFrame:
        """Return the table as a data frame of Polars.

        Raises:
            UsageError: Polars is not installed.
        """
        try:
            import polars as pl
        except ImportError as error:
            raise UsageError("Polars is not installed: {}", "pip install polars") from error
        return pl.DataFrame(self.table)

    def __repr__(self) -> str:
        spoken = language()
        if self.name in _PAIR:
            rows = _pair_rows(self.table, self.name, LINES)
            return lines_of_pairs(self.name, rows, len(self), self._beginnings(_ids_of(rows)), spoken)
        groups = _largest(self.table, self.name, LINES)
        documents = self._beginnings([first for first, *_ in groups])
        return lines_of_groups(self.name, groups, _groups_in(self.table, self.name), documents, spoken)

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show: the first rows, with the beginnings of their texts. It has no script and loads nothing."""
        spoken = language_of_place()
        if self.name in _PAIR:
            rows = _pair_rows(self.table, self.name, ROWS)
            return pairs_view(self.name, rows, len(self), self._beginnings(_ids_of(rows)), spoken)
        draw = _clusters if self.name == "clusters" else _chains
        groups = [draw(self.table, *one, spoken) for one in _largest(self.table, self.name, GROUPS)]
        documents = self._beginnings([one.id for group in groups for one in group.members])
        return groups_view(self.name, groups, _groups_in(self.table, self.name), documents, spoken)

    def _beginnings(self, ids: Iterable[Any]) -> dict[str, Beginning]:
        """Return titles and beginnings of texts by id as text; documents that cannot be read are left out."""
        return {} if self._run is None else beginnings(self._run, ids)


def beginnings(run: Run, ids: Iterable[Any]) -> dict[str, Beginning]:
    """Return titles and the beginnings of texts of documents of a run, by id as text; those that cannot be read are left out."""
    names = list(dict.fromkeys(str(one) for one in ids if one is not None))
    places = run.ids.places(names) if names else np.zeros(0, np.int64)
    known = np.flatnonzero(places >= 0)
    found: dict[str, Beginning] = {}
    if not len(known):
        return found
    with suppress(QuchongError, OSError):
        time_key = run.keys[1]
        columns = run.columns(places[known], (time_key, *(name for name in _TITLES if name != time_key)))
        titles = [columns[name].to_pylist() for name in _TITLES if name in columns.column_names]
        for k, text in enumerate(columns[TEXT].to_pylist()):
            title = next((str(values[k]) for values in titles if values[k]), "")
            found[names[known[k]]] = Beginning(title[:_READ], (text or "")[:_READ])
    return found


def plain_table(given: Any) -> Any:
    """Return the PyArrow table of a `RunTable`, and anything else unchanged."""
    return given.table if isinstance(given, RunTable) else given


def _pair_rows(table: pa.Table, name: str, most: int) -> list[PairRow]:
    """Return the first rows of a ledger or of pairs."""
    columns = [*_PAIR[name], *(one for one in ("differences",) if one in table.column_names)]
    rows = table.slice(0, most).select(columns).to_pylist()
    listed = differences_of if name == "ledger" else _differences_of_pair
    left, right, relation, jaccard, inside = _PAIR[name]
    return [PairRow(row[left], row[right], row[relation], row[jaccard], row[inside], listed(row)) for row in rows]


def _differences_of_pair(row: dict[str, Any]) -> tuple[Difference, ...]:
    return tuple(Difference(**one) for one in row.get("differences") or ())


def _names_in(values: Iterable[Any]) -> list[str]:
    """Return the texts among values and in lists of them."""
    found: list[str] = []
    for one in values:
        found += [one] if isinstance(one, str) else _names_in(one) if isinstance(one, list | tuple) else []
    return [one for one in found if one not in ("ascending", "descending")]


def _ids_of(rows: Sequence[PairRow]) -> list[Any]:
    return [one for row in rows for one in (row.left, row.right)]


SERIES = "series"
"""Role of the issues of a series in CHAINS."""
_KEYS = {"clusters": "cluster_id", "chains": "chain_id"}


def _groups_in(table: pa.Table, name: str) -> int:
    """Return the number of clusters, or of chains without series."""
    rows = table if name == "clusters" else table.filter(pc.not_equal(table["role"], SERIES))
    return int(pc.count_distinct(rows[_KEYS[name]]).as_py())


def _largest(table: pa.Table, name: str, most: int) -> list[tuple[str, int, bool]]:
    """Return id, number of documents, and True for a series, of the largest groups; ties by id.

    Series come after all chains, because none of their issues is a copy.
    """
    key = table[_KEYS[name]]
    series = pa.repeat(False, len(table)) if name == "clusters" else pc.equal(table["role"], SERIES)
    counts = pa.table({"key": key, "series": series}).group_by(["key", "series"]).aggregate([([], "count_all")])
    order = [("series", "ascending"), ("count_all", "descending"), ("key", "ascending")]
    first = pc.sort_indices(counts, order)[:most]
    return [(str(row["key"]), row["count_all"], row["series"]) for row in counts.take(first).to_pylist()]


def _rows_of(table: pa.Table, name: str, first: str, series: bool, columns: Sequence[str]) -> list[dict[str, Any]]:
    mine = pc.equal(table[_KEYS[name]].cast(pa.large_string()), first)
    if name == "chains":
        mine = pc.and_(mine, (pc.equal if series else pc.not_equal)(table["role"], SERIES))
    return list(table.filter(mine).select(columns).slice(0, MEMBERS + 1).to_pylist())


def _clusters(table: pa.Table, first: str, size: int, series: bool, spoken: Language) -> Group:
    """Return the members of a cluster for a drawing: survivor, removed documents, then documents kept in addition."""
    rows = _rows_of(table, "clusters", first, series, ("id", "cluster_id", "survivor_id"))
    others = [row for row in rows if str(row["id"]) != first][: MEMBERS - 1]
    fates = [format_message(spoken, "kept" if row["id"] == row["survivor_id"] else "removed") for row in others]
    kept = Member(rows[0]["cluster_id"], (format_message(spoken, "kept"),))
    members = [kept, *(Member(row["id"], (fate,)) for row, fate in zip(others, fates, strict=True))]
    return Group(markup("<b>{}</b> {}", first, format_message(spoken, "documents", size)), members, size)


def _chains(table: pa.Table, first: str, size: int, series: bool, spoken: Language) -> Group:
    """Return a chain to draw: its documents in their order, with time, publisher, source and changes."""
    changed = "changed_zh" if spoken == "zh" else "changed"
    columns = ("id", "published", "publisher", "source_id", "relation", changed)
    members = []
    for row in _rows_of(table, "chains", first, series, columns)[:MEMBERS]:
        notes = [markup("{}", row["publisher"])] if row["publisher"] else []
        notes += [markup("{}", f"{row['published']:%Y-%m-%d %H:%M}")] if row["published"] else []
        if row["source_id"] is not None:
            notes.append(format_message(spoken, "from", row["source_id"], _relation(row["relation"], spoken)))
        notes += [markup("{}", row[changed])] if row[changed] else []
        members.append(Member(row["id"], tuple(notes)))
    return Group(
        markup("<b>{}</b> {}", first, format_message(spoken, "series" if series else "documents", size)),
        members,
        size,
        series,
    )


def _relation(relation: str | None, spoken: Language) -> Html:
    return relation_told(spoken, relation) if relation else Html("")
