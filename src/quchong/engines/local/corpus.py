"""The documents of a run in memory: ids, prepared texts, features, and their rows in the inputs."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.errors import Param, UsageError
from quchong.io.columnar.columns import raw_row
from quchong.io.source import Bad, Source, Wanted, numbered
from quchong.io.warc.file import WarcFile
from quchong.pages import sites
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.reading.ahead import ahead
from quchong.reading.pages import Pages
from quchong.seam import Documents, Features, KeyJoin, Keys
from quchong.text import Edit

SCORED_TOKENS = 4
"""Texts with fewer tokens have fewer than two shingles of three: too little to compare beyond equality."""
REFERENCE_PREFIX = "against/"
"""Ids of the reference corpus, so that both corpora may use the same ids."""


class TextStore:
    """Texts in the batches they came in; taking some copies nothing."""

    def __init__(self, batches: Sequence[pa.Array]) -> None:
        self.texts = kernels.arrays.texts_of(batches)
        self.batches = [b for b in batches if len(b)]
        self.starts = np.concatenate([[0], np.cumsum([len(b) for b in self.batches])]).astype(np.int64)

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def bytes(self) -> np.ndarray:
        """Length of each text in bytes, int64."""
        return self.texts.length

    def take(self, index: np.ndarray) -> kernels.arrays.Texts:
        """The texts at these places, in this order, for kernels."""
        return self.texts.take(index)

    def text(self, i: int) -> str:
        """One text."""
        batch = int(np.searchsorted(self.starts, i, side="right")) - 1
        value: str = self.batches[batch][i - int(self.starts[batch])].as_py()
        return value


@dataclass(frozen=True, slots=True)
class Corpus:
    """All documents of a run, the reference corpus first. Arrays have one entry a document.

    Attributes:
        ids: unique, large_string.
        texts: prepared texts.
        edits: the way back to the original for texts that preparing changed.
        features: lengths and digest of each document, without values.
        columns: id, row and the extra columns, for policies and scope.
        source: int32, index into `sources`; row: int64, place of the record there.
        references: how many documents at the front belong to the reference corpus.
        renamed: documents that had to be given another id, and the one they came with.
        id_rank: int64, place of each document when ids are sorted bytewise.
        numbers: every id of the input came as a whole number that 64 bits hold, and none had to be made up or changed.
    """

    sources: list[Source]
    ids: pa.Array
    texts: TextStore
    edits: dict[int, Edit]
    features: Features
    columns: pa.Table
    source: np.ndarray
    row: np.ndarray
    references: int
    renamed: dict[int, str]
    id_rank: np.ndarray
    numbers: bool = False

    def __len__(self) -> int:
        return len(self.ids)

    def named(self, index: np.ndarray, own: bool = False) -> pa.Array:
        """Ids of these documents as tables show them: int64 where they came as whole numbers, else text.

        A column has one type. Those of the reference corpus stand under a prefix, as text; so then do all ids of a column,
        unless it holds documents of the input alone (`own`).
        """
        found = self.ids.take(pa.array(index, pa.int64()))
        return found.cast(pa.int64()) if self.numbers and (own or not self.references) else found

    def documents(self, index: np.ndarray, needs: Sequence[str] = ()) -> Documents:
        """The documents at these places as methods see them, with the columns they need."""
        which = pa.array(index)
        known = {name: self.columns[name] for name in needs if name in self.columns.column_names}
        return Documents(
            self.texts.take(index), {name: as_strings(values.take(which)) for name, values in known.items()}
        )

    def same(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Mask of the pairs whose normal forms have one digest."""
        f = self.features
        mask: np.ndarray = (f.high[left] == f.high[right]) & (f.low[left] == f.low[right])
        return mask

    @property
    def unscored(self) -> np.ndarray:
        """Mask of the documents too short to be compared beyond equality."""
        few: np.ndarray = self.features.tokens < SCORED_TOKENS
        return few


def load(
    inputs: Sequence[Source], references: Sequence[Source], plan: Plan, bad: list[Bad], stages: Stages
) -> tuple[Corpus, Keys | None]:
    """Reads and fingerprints all documents, batch by batch; their keys, where keys are joined, come apart, to be
    let go when joined.

    Bad records go to `bad` and are left out. Rows keep their order; the reference corpus comes first.
    """
    wanted, method, workers = plan.wanted, plan.method, plan.workers
    sources = [*references, *inputs]
    texts: list[pa.Array] = []
    features: list[Features] = []
    tables: list[pa.Table] = []
    source_of: list[np.ndarray] = []
    edits: dict[int, Edit] = {}
    numbers = True
    count = references_end = 0
    reference_bad: list[Bad] = []
    counts = [s.expected() for s in sources]
    total = sum(n for n in counts if n is not None) if None not in counts else None
    with stages.stage("read and fingerprint", total) as progress:
        _check_texts(sources, plan)
        for s, source in enumerate(sources):
            if s == len(references):
                references_end = count
            for batch in ahead(source.documents(wanted, bad if s >= len(references) else reference_bad)):
                prepared = plan.preparer.prepare(batch.column("text"), workers)
                edits.update({count + i: e for i, e in prepared.edits.items()})
                texts.append(prepared.texts)
                numbers = numbers and (s < len(references) or not len(batch) or numbered(batch))
                features.append(method.features(prepared.texts, workers))
                tables.append(pa.Table.from_batches([batch]).drop_columns(["text"]))
                source_of.append(np.full(len(batch), s, np.int32))
                count += len(batch)
                progress.advance(len(batch))
        if not inputs:
            references_end = count
    columns = _concat(tables, wanted.extra)
    tables.clear()  # their columns stand in `columns` now
    store = TextStore(texts)
    joined = _strict_digests(Features.concat(features), store)
    columns = _with_sites(columns)
    _check_columns(columns, plan)
    join = method.candidates
    keys = join.keys(joined) if isinstance(join, KeyJoin) else None
    joined = replace(joined, offsets=np.zeros(1, np.int64), values=np.zeros(0, np.uint64))
    source_index = np.concatenate(source_of) if source_of else np.zeros(0, np.int32)
    source_of.clear()
    row = columns["row"].to_numpy().astype(np.int64, copy=False)
    with stages.stage("sort ids"):
        ids = _ids(columns["id"], sources, source_index, row, references_end)
        ids, renamed, rank = _unique(ids, lambda same: _contents(same, store, columns, sources, source_index, row))
    columns = columns.set_column(columns.schema.get_field_index("id"), "id", ids)
    own = ids.slice(references_end)
    numbers = numbers and bool(len(own)) and not any(i >= references_end for i in renamed) and _fit(own)
    corpus = Corpus(
        sources, ids, store, edits, joined, columns, source_index, row, references_end, renamed, rank, numbers
    )
    return corpus, keys


def _check_texts(sources: Sequence[Source], plan: Plan) -> None:
    """Each of several text columns is there: a misspelt one would silently be left out of the comparison."""
    if len(plan.text) > 1:
        for source in sources:
            rows = source.inner if isinstance(source, Pages) else source
            if not isinstance(rows, WarcFile):  # which has pages and no other text
                for name in plan.text:
                    next(iter(rows.documents(Wanted((name,), None), [])), None)


def _with_sites(columns: pa.Table) -> pa.Table:
    """The column `site` filled from `url` where both are asked for."""
    if not {"site", "url"} <= set(columns.column_names) or any(
        pa.types.is_nested(columns[name].type) for name in ("site", "url")
    ):
        return columns
    known = sites(as_strings(columns["site"]), as_strings(columns["url"]))
    return columns.set_column(columns.schema.get_field_index("site"), "site", known)


def _check_columns(columns: pa.Table, plan: Plan) -> None:
    """Columns asked for by name hold something somewhere: a misspelt one would silently widen the scope."""
    if not len(columns):
        return
    for name, option in plan.named_columns.items():
        if name in columns.column_names and columns[name].null_count == len(columns):
            raise UsageError(Param(option), f" asks for the column {name!r}, and no record has it: check the name")
    for name, option in plan.named_columns.items():
        if name in columns.column_names and pa.types.is_nested(columns[name].type):
            raise UsageError(
                Param(option, name), f": a column of {columns[name].type} cannot be compared; give one of plain values"
            )
    if plan.scope.same_site and all(columns[c].null_count == len(columns) for c in ("site", "url")):
        raise UsageError(
            Param("same_site"),
            " needs a column site or url, and no record has either: rename yours, or use ",
            Param("per"),
        )


def _alike(table: pa.Table, mixed: set[str]) -> pa.Table:
    """The table with columns that another source has in another type as text: "2026-03-05" beside a timestamp."""
    for name in sorted(mixed):
        try:
            column = table[name].cast(pa.large_string())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise UsageError(
                f"column {name!r} is {table[name].type} in one input and something else in another: {error}"
            ) from error
        table = table.set_column(table.schema.get_field_index(name), name, column)
    return table


def _concat(tables: list[pa.Table], extra: Sequence[str]) -> pa.Table:
    if tables:
        kinds = {name: {t.schema.field(name).type for t in tables} for name in tables[0].column_names}
        return pa.concat_tables(
            [_alike(t, {n for n, k in kinds.items() if len(k) > 1}) for t in tables]
        ).combine_chunks()
    empty: dict[str, pa.Array] = {"row": pa.array([], pa.int64()), "id": pa.array([], pa.large_string())}
    return pa.table({**empty, **{name: pa.array([], pa.large_string()) for name in extra}})


def _strict_digests(features: Features, texts: TextStore) -> Features:
    """Texts without letters or digits are compared by their strict form."""
    for i in np.flatnonzero(features.tokens == 0).tolist():
        features.high[i], features.low[i] = strict_digest(texts.text(i), str(i))
    return features


def strict_digest(text: str, alone: str) -> tuple[int, int]:
    """Both halves of the digest of a text without letters or digits, by its strict form (NFKC, lower case, single blanks).

    An empty strict form matches nothing: its digest is of `alone`, which no other document has.
    """
    strict = " ".join(kernels.composing.nfkc(text).lower().split())
    seed = b"strict:" + strict.encode("utf-8", "surrogatepass") if strict else f"empty:{alone}".encode()
    digest = hashlib.blake2b(seed, digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def _ids(
    given: pa.ChunkedArray, sources: Sequence[Source], source: np.ndarray, row: np.ndarray, references: int
) -> pa.Array:
    """Ids as given; file#row where there is none; the reference corpus under its prefix."""
    ids = as_strings(given)
    if ids.null_count:
        names = pa.array([s.name for s in sources], pa.large_string()).take(pa.array(source))
        made = pc.binary_join_element_wise(names, pc.cast(pa.array(row), pa.large_string()), _large("#"))
        ids = pc.coalesce(ids, made)
    if references:
        prefixed = pc.binary_join_element_wise(_large(REFERENCE_PREFIX), ids.slice(0, references), _large(""))
        ids = pa.concat_arrays([as_strings(prefixed), ids.slice(references)])
    return ids


def _fit(ids: pa.Array) -> bool:
    """Are these whole numbers of 64 bits, written as such?"""
    try:
        return bool(ids.cast(pa.int64()).cast(pa.large_string()).equals(ids))
    except pa.ArrowInvalid:
        return False


def _large(text: str) -> pa.Scalar:
    return pa.scalar(text, pa.large_string())


def as_strings(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """A column as one array of large strings."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    try:
        return array.cast(pa.large_string())
    except pa.ArrowInvalid:  # a time zone nobody knows: by the number stored
        return array.cast(pa.int64()).cast(pa.large_string())


Contents = Callable[[np.ndarray], list[tuple[bytes, str, bytes]]]
"""What a document is ranked by among those of its id."""


def _unique(ids: pa.Array, contents: Contents) -> tuple[pa.Array, dict[int, str], np.ndarray]:
    """Ids made unique (later ones in order of `contents` become id~2, ...), what changed, and ranks."""
    order = pc.sort_indices(ids).to_numpy().astype(np.int64)
    ordered = ids.take(pa.array(order))
    same = np.zeros(len(ids), bool)
    if len(ids) > 1:
        same[1:] = pc.equal(ordered.slice(1), ordered.slice(0, len(ids) - 1)).to_numpy(zero_copy_only=False)
    renamed: dict[int, str] = {}
    if same.any():
        group = np.cumsum(~same) - 1
        repeated = np.flatnonzero(np.bincount(group)[group] > 1)
        numbers, documents = group[repeated].tolist(), order[repeated]
        rank = sorted(zip(numbers, contents(documents), documents.tolist(), strict=True))
        names = ids.to_pylist()
        taken = set(names)
        number, last = 2, -1
        for of, _, i in rank:
            if of != last:  # the first keeps the id
                base, number, last = names[i], 2, of
                continue
            while f"{base}~{number}" in taken:
                number += 1
            renamed[i] = base
            names[i] = f"{base}~{number}"
            taken.add(names[i])
        ids = pa.array(names, pa.large_string())
        order = pc.sort_indices(ids).to_numpy().astype(np.int64)
    rank_of = np.empty(len(ids), np.int64)
    rank_of[order] = np.arange(len(ids))
    return ids, renamed, rank_of


def _contents(
    documents: np.ndarray, texts: TextStore, columns: pa.Table, sources: Sequence[Source], source: np.ndarray,
    row: np.ndarray,
) -> list[tuple[bytes, str, bytes]]:  # fmt: skip
    """What documents hold, whatever the order of the input: the digest of the text, the columns that were read, and, where
    these do not tell two apart, the digest of the whole record as it stands in its source.

    Cost: one more pass over the sources of records with equal texts and columns.
    """
    digests = [_digest(texts.text(i).encode("utf-8", "surrogatepass")) for i in documents.tolist()]
    read = _values(columns.drop_columns(["row"]), documents)
    times = Counter(zip(digests, read, strict=True))
    alike = documents[[times[key] > 1 for key in zip(digests, read, strict=True)]]
    whole: dict[int, bytes] = {}
    for s in np.unique(source[alike]).tolist():
        here = alike[source[alike] == s]
        places = dict(zip(row[here].tolist(), here.tolist(), strict=True))
        again = getattr(sources[s], "whole", None)  # a folder has none: its records are their texts
        for place, _, record in again(sorted(places)) if again is not None else ():
            whole[places[place]] = _digest(_plain(record))
    ends = [whole.get(i, b"") for i in documents.tolist()]
    return list(zip(digests, read, ends, strict=True))


def _values(columns: pa.Table, documents: np.ndarray) -> list[str]:
    """Each of these rows in words of its own."""
    try:
        return [str(values) for values in columns.take(pa.array(documents)).to_pylist()]
    except (
        pa.ArrowException,
        ValueError,
        OverflowError,
        KeyError,
    ):  # times that Python has no word for, zones nobody knows
        rows = (columns.slice(i, 1).combine_chunks().to_batches()[0] for i in documents.tolist())
        return [raw_row(row).decode() for row in rows]


def _plain(record: bytes) -> bytes:
    """A record of JSON with its keys in order and without nulls, so that neither decides; others as they stand."""
    try:
        known = orjson.loads(record)
    except orjson.JSONDecodeError:
        return record
    if isinstance(known, dict):
        known = {key: value for key, value in known.items() if value is not None}
    return orjson.dumps(known, option=orjson.OPT_SORT_KEYS)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
