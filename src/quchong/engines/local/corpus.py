"""The documents of a run in memory: prepared texts, what is known of them, and their rows in the inputs."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.documents import DocumentColumns
from quchong.decision.scope import scope_columns
from quchong.engines.local.columns import check_columns, check_texts, concat, with_sites
from quchong.engines.local.content_order import content_order
from quchong.engines.local.held import TextKeeper
from quchong.engines.local.ids import given_ids, unique
from quchong.engines.local.kept import LITTLE, give_back
from quchong.engines.local.known import KnownSource, Unfit
from quchong.engines.local.memory import Room
from quchong.engines.local.segments import ReadBatch, Segments
from quchong.engines.local.texts import TextStore
from quchong.engines.local.tokens import KEPT_BYTES, NONE_KEPT, TokenKeeper
from quchong.io.arrays import as_strings
from quchong.io.bad_records import BadRecords
from quchong.io.documents import numbered, whole_numbers
from quchong.io.limits import page_limit
from quchong.io.source import Bad, Source
from quchong.languages import Message
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.reading.ahead import ahead
from quchong.reading.found import restore
from quchong.reading.pages import PageReader, Pages
from quchong.seam import Documents, Features, KeyJoin, Keys, TokenStreams
from quchong.text import Edit
from quchong.text.element import strict_digest
from quchong.work import Work


@dataclass(frozen=True, slots=True)
class Corpus:
    """All documents of a run, the reference corpus first. Arrays have one entry a document.

    Attributes:
        documents: what deciding needs to know of them.
        texts: prepared texts.
        edits: the way back to the original for texts that preparing changed.
        columns: id, row and the extra columns, for policies and scope.
        source: int32, index into `sources`; row: int64, place of the record there.
        renamed: documents that had to be given another id, and the one they came with (`ids.RENAMED`).
        tokens: of the texts in the method's form, where they are few enough to be kept.
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
        """The documents at these places as methods see them, with the columns they need."""
        which = pa.array(index)
        known = {name: self.columns[name] for name in needs if name in self.columns.column_names}
        columns = {name: as_strings(values.take(which)) for name, values in known.items()}
        return Documents(self.texts.take(index), columns, self.tokens, index)

    def under(self, plan: Plan, protected: np.ndarray) -> Corpus:
        """The corpus with the scope and the policy of a plan; `protected` (mask) is never removed.

        Raises:
            UsageError: a column that the policy needs and no document has; a time window where no time can be read.
        """
        documents = self.documents.under(plan.policy, self.columns, protected, plan.time_key)
        return replace(self, documents=replace(documents, scope=scope_columns(plan.scope, self.columns, plan.time_key)))


def load(
    inputs: Sequence[Source],
    references: Sequence[Source],
    plan: Plan,
    bad: MutableSequence[Bad],
    stages: Stages,
    keeper: TextKeeper | None = None,
    work: Work | None = None,
) -> tuple[Corpus, Keys | None]:
    """Reads and fingerprints all documents, batch by batch, pages among them as the plan says; their keys, where keys are
    joined, come apart, to be let go when joined.

    Bad records go to `bad` and are left out. Rows keep their order; the reference corpus comes first. Texts are held as `keeper` has
    it, or lie with all else that was read in the folder of `work`, where an earlier process may have left a part. References that an
    earlier run has read and kept (`KnownSource`) are mapped and not read, where what it kept fits the plan.
    """
    wanted, method, workers = plan.wanted, plan.method, plan.workers
    reader = PageReader(plan.body, plan.pages, plan.time_key, workers, page_limit(plan.max_record))
    sources: list[Source] = [Pages(source, reader) for source in (*references, *inputs)]
    segments = Segments(work or Work())
    known = _known(sources, plan, stages, segments.work)
    tokens = TokenKeeper(NONE_KEPT if known or (work and work.kept) else KEPT_BYTES)
    places: list[ReadBatch | None] = []
    source_of: list[np.ndarray] = []
    numbers = True
    count = references_end = 0
    reference_bad = BadRecords()
    counts = [s.expected() for s in sources]
    total = sum(n for n in counts if n is not None) if None not in counts else None
    with stages.stage("read and fingerprint", total) as progress, keeper or TextKeeper(None, Room().texts) as held:
        check_texts(sources, plan)
        for s, source in enumerate(sources):
            if s == len(references):
                references_end = count
            for found in known.get(s, ()):
                places.append(found)
                source_of.append(np.full(len(found.texts), s, np.int32))
                count += len(found.texts)
                progress.advance(len(found.texts))
            if s in known:
                continue
            for batch in ahead(source.documents(wanted, bad if s >= len(references) else reference_bad)):
                numbers = numbers and (s < len(references) or not len(batch) or numbered(batch))
                if segments.next(len(batch)) is None:
                    prepared = plan.preparer.prepare(batch.column("text"), workers)
                    features = method.features(prepared.texts, workers, tokens.keeping)
                    tokens.add(features)
                    columns = pa.Table.from_batches([batch]).drop_columns(["text"])
                    texts = prepared.texts if work and work.kept else held.keep(prepared.texts)
                    segments.add(
                        ReadBatch(texts, replace(features, docs=None, words=None), columns, dict(prepared.edits))
                    )
                places.append(None)
                source_of.append(np.full(len(batch), s, np.int32))
                count += len(batch)
                progress.advance(len(batch))
        if not inputs:
            references_end = count
        read = iter(segments.finish())
        batches = [next(read) if place is None else place for place in places]
        known.clear()
        places.clear()
    if held.written:
        stages.spilled["read and fingerprint"] = held.written
    edits: dict[int, Edit] = {}
    for batch, start in zip(batches, np.cumsum([0, *(len(b.texts) for b in batches)]).tolist(), strict=False):
        edits.update({start + i: e for i, e in batch.edits.items()})
    columns = concat([batch.columns for batch in batches], wanted.extra)
    if work and work.kept:
        columns = work.put("read-columns", columns)
    store = TextStore([batch.texts for batch in batches])
    parts = [batch.features for batch in batches]
    batches.clear()  # their columns and texts stand elsewhere now
    if work and work.written > LITTLE:
        give_back()
    joined = _strict_digests(Features.concat(parts), store)
    columns = with_sites(columns)
    check_columns(columns, plan)
    join = method.candidates
    keys = join.keys(joined) if isinstance(join, KeyJoin) else None
    joined = replace(joined, offsets=np.zeros(1, np.int64), values=np.zeros(0, np.uint64))  # the most that a run holds
    source_index = np.concatenate(source_of) if source_of else np.zeros(0, np.int32)
    source_of.clear()
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


def sources_again(
    inputs: Sequence[Source], references: Sequence[Source], plan: Plan, found: Sequence[tuple[bool, Mapping[str, Any]]]
) -> list[Source]:
    """The sources of a corpus that another process has read, with what it found of each: whether what an earlier run kept was taken in
    place of it (`quchong.engines.local.known`), and what reading set (`quchong.reading.found`).
    """
    reader = PageReader(plan.body, plan.pages, plan.time_key, plan.workers)
    out: list[Source] = []
    for source, (known, read) in zip((*references, *inputs), found, strict=True):
        inner = source.inner if isinstance(source, KnownSource) and not known else source
        restore(inner, read)
        out.append(Pages(inner, reader))
    return out


def _known(sources: list[Source], plan: Plan, stages: Stages, work: Work) -> dict[int, list[ReadBatch]]:
    """What earlier runs kept of the sources, by number. A source of which it does not fit is put in the place of the one around it,
    and read; why is told, once for the files of one run.
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
            stages.remark(Message("{}: its kept work does not fit ({}), so its rows are read", folder, why.message))
    return found


def _strict_digests(features: Features, texts: TextStore) -> Features:
    """Texts without letters or digits are compared by their strict form."""
    for i in np.flatnonzero(features.tokens == 0).tolist():
        features.high[i], features.low[i] = strict_digest(texts.text(i), str(i))
    return features
