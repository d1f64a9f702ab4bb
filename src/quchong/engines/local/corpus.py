"""Corpus of a run: prepared texts, columns, digests, and the rows of the documents in the inputs."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.documents import DocumentColumns
from quchong.decision.equality import wordless_digest
from quchong.decision.mixing import source_names
from quchong.decision.prepared_texts import TextStore
from quchong.decision.scope import scope_columns
from quchong.engines.local.columns import check_columns, check_texts, concat, with_sites
from quchong.engines.local.content_order import content_order
from quchong.engines.local.fingerprinting import fingerprint_batch, page_reader
from quchong.engines.local.ids import given_ids, unique
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.memory import Room
from quchong.engines.local.read_parts import JoinedSource, take_joined
from quchong.engines.local.segments import ReadBatch, Segments
from quchong.engines.local.stage_store import LITTLE, give_back
from quchong.engines.local.stored_source import KnownSource, Unfit
from quchong.engines.local.text_store import TextKeeper
from quchong.engines.local.tokens import KEPT_BYTES, NONE_KEPT, TokenKeeper
from quchong.io.arrays import as_strings
from quchong.io.bad_records import BadRecords
from quchong.io.documents import numbered, whole_numbers
from quchong.io.found_properties import set_found_properties
from quchong.io.page_documents import Pages
from quchong.io.prefetch import read_ahead
from quchong.io.source import Bad, Source
from quchong.io.wrapped_source import SourceAround
from quchong.languages import Message
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import Documents, Features, KeyJoin, Keys, TokenStreams
from quchong.text import Edit, has_forward_mark
from quchong.work import Work

FEW = 1_000
"""Documents of a source below which it is one batch, and a thread that reads ahead serves nothing."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """All documents of a run, the reference corpus first. Arrays have one entry a document.

    Attributes:
        documents: the columns that the decision needs.
        texts: prepared texts.
        edits: the mapping back to the original of each text that preparing changed, by index of the document.
        columns: id, row and the extra columns, for policies and scope.
        source: int32, index into `sources`; row: int64, number of the record there.
        renamed: documents whose id had to be changed, with the id in the input (`ids.RENAMED`).
        tokens: tokens of the texts in the method's form; None if there are too many to be kept.
    """

    sources: list[Source]
    documents: DocumentColumns
    texts: TextStore
    edits: dict[int, Edit]
    columns: pa.Table
    source: np.ndarray
    row: np.ndarray
    renamed: pa.Table
    tokens: TokenStreams | None = None

    def __len__(self) -> int:
        return len(self.documents)

    def take(self, index: np.ndarray, needs: Sequence[str] = ()) -> Documents:
        """Return the documents at these indices with texts and the columns in `needs`, as methods read them."""
        which = pa.array(index)
        known = {name: self.columns[name] for name in needs if name in self.columns.column_names}
        columns = {name: as_strings(values.take(which)) for name, values in known.items()}
        return Documents(self.texts.take(index), columns, self.tokens, index)

    def source_names(self, column: str) -> pa.Array:
        """Return the source of each document: its value in a column, else the name of its input."""
        files = pa.array([one.name for one in self.sources], pa.large_string()).take(pa.array(self.source))
        values = self.columns[column] if column in self.columns.column_names else None
        return source_names(values, len(self), files)

    def under(self, plan: Plan, protected: np.ndarray) -> Corpus:
        """Return the corpus with the scope and the policy of a plan; documents in the mask `protected` are never removed.

        Raises:
            UsageError: no document has a column that the policy needs; a time window is asked for and no time can be read.
        """
        documents = self.documents.under(plan.policy, self.columns, protected, plan.time_key)
        if documents.forwards is None:
            forwards = np.concatenate([np.zeros(0, bool), *map(has_forward_mark, self.texts.batches)])
            documents = replace(documents, forwards=forwards if forwards.any() else None)
        return replace(self, documents=replace(documents, scope=scope_columns(plan.scope, self.columns, plan.time_key)))

    def with_unseen(self, mask: np.ndarray) -> Corpus:
        """Return the corpus with `mask` as the documents in which the method found nothing to compare."""
        return replace(self, documents=replace(self.documents, unseen=mask)) if mask.any() else self


def load(
    inputs: RunInputs,
    plan: Plan,
    bad: MutableSequence[Bad],
    stages: Stages,
    keeper: TextKeeper | None = None,
    work: Work | None = None,
    beside: bool = False,
) -> tuple[Corpus, Keys | None]:
    """Read all documents in batches and compute their features; return the corpus and its keys, None if the method joins without keys.

    The keys are returned apart from the corpus, so that their memory can be freed after the join. Bad records are added to `bad` and
    left out. Rows keep their order; the reference corpus comes first. Texts are stored as `keeper` decides, or in the folder of
    `work` with all other results of reading; a part that an interrupted process stored there is not read again. References whose
    features an earlier run stored (`KnownSource`) are mapped into memory instead of read, if they fit the plan, and so are sources that
    parts of the run have read (`JoinedSource`). With `beside` results of
    reading are stored while reading goes on (see `Segments`).
    """
    wanted, method = plan.wanted_columns, plan.method
    reader = page_reader(plan)
    sources: list[Source] = [Pages(source, reader) for source in inputs.all_sources]
    segments = Segments(work or Work(), beside=beside)
    references = len(inputs.references)
    places: list[ReadBatch | None] = []
    source_of: list[np.ndarray] = []
    count = references_end = 0
    reference_bad = BadRecords()
    with (
        stages.stage("read and fingerprint", inputs.documents()) as progress,
        keeper or TextKeeper(None, Room().texts) as held,
        segments,
    ):
        # What parts of this run or earlier runs have read is not read again.
        known, numbers = take_joined(sources, references, bad, reference_bad, segments.work)
        check_texts([source for s, source in enumerate(sources) if s not in known], plan)
        known |= _stored_batches(sources, plan, stages, segments.work)
        tokens = TokenKeeper(NONE_KEPT if known or (work and work.stores_values) else KEPT_BYTES)
        # Read source by source. `places` has one entry a batch: the batch itself if an earlier run stored it, else None, which
        # is filled from the segments when all is read.
        for s, source in enumerate(sources):
            if s == references:
                references_end = count
            for found in known.get(s, ()):
                places.append(found)
                source_of.append(np.full(len(found.texts), s, np.int32))
                count += len(found.texts)
                progress.advance(len(found.texts))
            if s in known:
                continue
            read = source.documents(wanted, bad if s >= references else reference_bad)
            for batch in read if (source.expected() or FEW) < FEW else read_ahead(read):
                numbers = numbers and (s < references or not len(batch) or numbered(batch))
                if segments.next(len(batch)) is None:
                    prepared, features = fingerprint_batch(plan, batch, tokens.keeping)
                    tokens.add(features)
                    if not (work and work.stores_values):
                        prepared = replace(prepared, texts=held.keep(prepared.texts))
                    segments.add(prepared)
                places.append(None)
                source_of.append(np.full(len(batch), s, np.int32))
                count += len(batch)
                progress.advance(len(batch))
        if not inputs.sources:
            references_end = count
        finished = iter(segments.finish())
        batches = [next(finished) if place is None else place for place in places]
        known.clear()
        places.clear()
    if held.written:
        stages.spilled["read and fingerprint"] = held.written
    # Concatenate the batches: edits, columns, texts and features get indices of the whole corpus.
    edits: dict[int, Edit] = {}
    for batch, start in zip(batches, np.cumsum([0, *(len(b.texts) for b in batches)]).tolist(), strict=False):
        edits.update({start + i: e for i, e in batch.edits.items()})
    columns = concat([batch.columns for batch in batches], wanted.extra)
    if work and work.stores_values:
        columns = work.store("read-columns", columns)
    store = TextStore([batch.texts for batch in batches])
    parts = [batch.features for batch in batches]
    batches.clear()  # their columns and texts are stored elsewhere now
    if work and work.written > LITTLE:
        give_back()
    joined = _wordless_digests(plan.exact, Features.concat(parts), store)
    columns = with_sites(columns)
    check_columns(columns, plan, [name for source in inputs.sources for name in source.column_names()])
    join = method.candidates
    keys = join.keys(joined) if isinstance(join, KeyJoin) else None
    joined = replace(joined, offsets=np.zeros(1, np.int64), values=np.zeros(0, np.uint64))  # the most that a run holds
    source_index = np.concatenate(source_of) if source_of else np.zeros(0, np.int32)
    source_of.clear()
    # Make ids unique and rank them; documents with one id are ordered by content.
    row = columns["row"].to_numpy().astype(np.int64, copy=False)
    with stages.stage("sort ids"):
        ids = given_ids(columns["id"], sources, source_index, row, references_end)
        ids, renamed, rank = unique(
            ids, lambda same, group: content_order(same, group, store, columns, sources, source_index, row)
        )
    columns = columns.set_column(columns.schema.get_field_index("id"), "id", ids)
    own = ids.slice(references_end)
    numbers = (
        numbers
        and bool(len(own))
        and not (len(renamed) and renamed["document"][-1].as_py() >= references_end)
        and whole_numbers(own)
    )
    documents = DocumentColumns.unranked(ids, rank, joined, references_end, numbers)
    kept = tokens.streams(method.form)
    return Corpus(sources, documents, store, edits, columns, source_index, row, renamed, kept), keys


def sources_again(inputs: RunInputs, plan: Plan, found: Sequence[tuple[bool, Mapping[str, Any]]]) -> list[Source]:
    """Return the sources that an interrupted process has read, in the state that they had after reading.

    Args:
        inputs, plan: of the run.
        found: for each source, references first: True if the work that an earlier run stored was used instead of reading
            (`quchong.engines.local.stored_source`), and the values that reading set (`quchong.io.found_properties`).
    """
    reader = page_reader(plan)
    out: list[Source] = []
    for source, (known, read) in zip(inputs.all_sources, found, strict=True):
        unread = isinstance(source, JoinedSource) or (isinstance(source, KnownSource) and not known)
        inner = source.inner if unread and isinstance(source, SourceAround) else source
        set_found_properties(inner, read)
        out.append(Pages(inner, reader))
    return out


def _stored_batches(sources: list[Source], plan: Plan, stages: Stages, work: Work) -> dict[int, list[ReadBatch]]:
    """Return the batches that earlier runs stored, by number of the source.

    A source whose stored batches do not fit the plan is replaced in `sources` by the file of rows inside it, so that it is read;
    `stages` gets a remark with the reason.
    """
    found: dict[int, list[ReadBatch]] = {}
    for s, source in enumerate(sources):
        if not isinstance(source, Pages) or not isinstance(inner := source.inner, KnownSource):
            continue
        try:
            found[s] = inner.read(plan, source)
            work.remember(inner.label, [batch.texts for batch in found[s]])
        except Unfit as why:
            sources[s] = Pages(inner.inner, source.reader)
            folder = inner.kept.folder
            stages.remark(
                Message(
                    "{}: the data that this run stored cannot be used ({}), so its rows are read again",
                    folder,
                    why.message,
                )
            )
    return found


def _wordless_digests(equality: str, features: Features, texts: TextStore) -> Features:
    """Set the digests of texts without tokens to those of all their characters, in place; return the features."""
    for i in np.flatnonzero(features.tokens == 0).tolist():
        features.high[i], features.low[i] = wordless_digest(equality, texts.text(i), str(i))
    return features
