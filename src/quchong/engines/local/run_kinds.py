"""Storage kinds of the values of a run's stages: the closed list of types, with packing, unpacking and checks of each.

Arrays that are used as indices are checked here against the arrays that they index, once for each kind. Indices into the value of another
stage are checked by `quchong.engines.local.stage_checks`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.classes import Classes
from quchong.decision.difference_lists import ChosenLists, DifferenceLists
from quchong.decision.documents import DocumentColumns
from quchong.decision.expansion import ClassPairs
from quchong.decision.frozen import STATISTICS_KINDS, FrozenTemplates, check_headers
from quchong.decision.pairs import DocumentPairs
from quchong.decision.prepared_texts import TextStore
from quchong.decision.survivors import Fate
from quchong.engines.local.batch_kinds import (
    BATCH_KINDS,
    check_columns,
    check_features,
    check_texts,
    make_edits,
    pack_edits,
)
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.first_stage import Stage1
from quchong.engines.local.ids import RENAMED
from quchong.io.array_checks import sound_array
from quchong.io.bad_records import BadRecords
from quchong.io.warc.index import RecordIndex
from quchong.relations import RELATIONS
from quchong.seam import Features, Keys
from quchong.tables import DIFFERENCE, TEMPLATES, one_array
from quchong.work import Damaged, Kind, Kinds, Unencodable
from quchong.work.checks import check_array, check_offsets, check_type, check_within


def _pack_corpus(corpus: Corpus) -> tuple[Any, ...]:
    """Pack a corpus without its sources, which each process opens anew, and without values that can be computed from the rest.

    Raises:
        Unencodable: the corpus holds its tokens.
    """
    if corpus.tokens is not None:
        raise Unencodable("a corpus with its tokens")
    documents = corpus.documents
    known = documents.id_rank, documents.tokens, documents.singles, documents.high, documents.low
    return (
        corpus.texts.batches, corpus.columns, corpus.source, corpus.row, pack_edits(corpus.edits),
        corpus.renamed, (*known, documents.references, documents.numbers),
    )  # fmt: skip


def _make_corpus(texts: Any, columns: Any, source: Any, row: Any, edits: Any, renamed: Any, known: Any) -> Corpus:
    ids = one_array(columns["id"])
    id_rank, tokens, singles, high, low, references, numbers = known
    features = Features(tokens, singles, high, low, np.zeros(1, np.int64), np.zeros(0, np.uint64))
    documents = DocumentColumns.unranked(ids, id_rank, features, references, numbers)
    return Corpus([], documents, TextStore(texts), make_edits(edits), columns, source, row, renamed)


def _check_corpus(corpus: Corpus) -> None:
    n, documents = len(corpus.texts), corpus.documents
    for batch in corpus.texts.batches:
        check_texts(batch)
    check_columns(corpus.columns, n)
    if documents.ids.type != pa.large_string() or documents.ids.null_count:
        raise Damaged("ids that are none")
    check_array(corpus.source, np.int32, n)
    check_array(corpus.row, np.int64, n)
    check_array(documents.id_rank, np.int64, n)
    check_within(documents.id_rank, 0, n)
    if n and (np.bincount(documents.id_rank, minlength=n) != 1).any():
        raise Damaged("ranks of ids that are none")
    tokens, singles, high, low = documents.tokens, documents.singles, documents.high, documents.low
    check_features(Features(tokens, singles, high, low, np.zeros(n + 1, np.int64), np.zeros(0, np.uint64)), n)
    check_type(documents.references, int)
    check_type(documents.numbers, bool)
    if not 0 <= documents.references <= n:
        raise Damaged("more references than documents")
    check_within(np.fromiter(corpus.edits, np.int64, len(corpus.edits)), 0, n)
    check_type(corpus.renamed, pa.Table)
    if corpus.renamed.schema != RENAMED or any(column.null_count for column in corpus.renamed.columns):
        raise Damaged("ids that were given anew are none")
    check_within(corpus.renamed["document"].to_numpy(), 0, n)


def _check_keys(keys: Keys) -> None:
    check_array(keys.values, np.uint64)
    n = len(keys.offsets) - 1
    check_offsets(keys.offsets, n, len(keys.values))
    if len(keys.size) != n or len(keys.window) != n:
        raise Damaged("keys without their sizes")


def _check_classes(classes: Classes) -> None:
    n, groups = len(classes.node), len(classes.first)
    check_array(classes.node, np.int64)
    check_within(classes.node, -1, groups)
    for documents in (classes.first, classes.members, classes.linked_left, classes.linked_right):
        check_array(documents, np.int64)
        check_within(documents, 0, n)
    check_offsets(classes.offsets, groups, len(classes.members))
    check_array(classes.linked_right, np.int64, len(classes.linked_left))
    check_type(classes.refuted, int)
    if (np.diff(classes.offsets) < 1).any():
        raise Damaged("a class without members")


def check_pairs(left: Any, right: Any, count: int) -> None:
    """Raise Damaged unless `left` and `right` are int64 arrays of one length with values from 0 to `count` - 1."""
    check_array(left, np.int64)
    check_array(right, np.int64, len(left))
    check_within(left, 0, count)
    check_within(right, 0, count)


def check_measures(measures: Any, length: int) -> None:
    """Raise Damaged unless `measures` is a dictionary of arrays by name, each of `length` values."""
    check_type(measures, dict)
    for name, values in measures.items():
        if type(name) is not str or type(values) is not np.ndarray or values.shape != (length,):
            raise Damaged("a measure that is none")


def _check_difference_lists(lists: DifferenceLists) -> None:
    for one in lists.arrays():
        check_type(one, np.ndarray)
    try:
        lists.check()
    except ValueError as error:
        raise Damaged(f"differences that are none: {error}") from error


def check_lists(lists: Any, length: int) -> None:
    """Raise Damaged unless `lists` holds `length` lists of DIFFERENCE, as DifferenceLists, Arrow array or ChosenLists of these."""
    if type(lists) is ChosenLists:
        check_type(lists.parts, list, tuple)
        for part in lists.parts:
            check_lists(part, len(part))
        check_array(lists.index, np.int64, length)
        check_within(lists.index, -1, sum(map(len, lists.parts)))
        check_array(lists.flip, np.bool_, length)
    elif type(lists) is not DifferenceLists and not (
        isinstance(lists, pa.Array) and lists.type == pa.list_(DIFFERENCE)
    ):
        raise Damaged("differences that are none")
    if len(lists) != length:
        raise Damaged("differences of other pairs")


def _check_found(found: ClassPairs) -> None:
    check_pairs(found.left, found.right, 2**62)
    check_measures(found.measures, len(found.left))
    lists = sum(map(len, found.differences or ()))
    if found.list_of is not None:
        check_array(found.list_of, np.int64, len(found.left))
        check_within(found.list_of, -1, lists)
    elif found.differences is not None and lists != len(found.left):
        raise Damaged("differences of other pairs")
    if found.open is not None:
        check_array(found.open, np.bool_, len(found.left))
    if (found.frozen is None) != (found.component is None):
        raise Damaged("frames without their documents")
    if found.frozen is not None:
        check_type(found.frozen, FrozenTemplates)
        check_array(found.component, np.int64)
    if found.templates is not None and (
        type(found.templates) is not pa.Table or found.templates.schema.names != TEMPLATES.names
    ):
        raise Damaged("templates that are none")
    if found.headers is not None:
        check_headers(found.headers)


def _pack_pairs(pairs: DocumentPairs) -> tuple[Any, ...]:
    rules = pa.array(pairs.rule, pa.large_string()).dictionary_encode("encode")
    names = rules.dictionary.to_pylist()
    return (
        pairs.left, pairs.right, pairs.relation, rules.indices.to_numpy().astype(np.uint32), names, pairs.measures, pairs.differences
    )  # fmt: skip


def _make_pairs(
    left: Any, right: Any, relation: Any, rule: Any, names: Any, measures: Any, differences: Any
) -> DocumentPairs:
    check_array(rule, np.uint32)
    check_within(rule, 0, len(names))
    return DocumentPairs(left, right, relation, np.array([*names, None], object)[:-1][rule], measures, differences)


def _check_document_pairs(pairs: DocumentPairs) -> None:
    check_pairs(pairs.left, pairs.right, 2**62)
    check_array(pairs.relation, np.uint8, len(pairs))
    check_within(pairs.relation, 0, len(RELATIONS))
    check_measures(pairs.measures, len(pairs))
    if len(pairs.rule) != len(pairs) or (pairs.differences is not None and len(pairs.differences) != len(pairs)):
        raise Damaged("rules or differences of other pairs")


def _check_fate(fate: Fate) -> None:
    n = len(fate.removed)
    for mask in (fate.removed, fate.overruled, fate.first, fate.overturned, fate.original, fate.roundup):
        if mask is not None:
            check_array(mask, np.bool_, n)
    if fate.held is not None:
        check_array(fate.held, np.float64, n)
    check_array(fate.survivor, np.int64, n)
    check_within(fate.survivor, 0, n)
    if fate.cluster is not None:
        check_array(fate.cluster, np.int64, n)
        check_within(fate.cluster, -1, n)
    check_array(fate.pair, np.int64, n)


def _make_bad(blocks: Any) -> BadRecords:
    if type(blocks) is not list or not all(isinstance(block, pa.Table) for block in blocks):
        raise Damaged("bad records that are none")
    return BadRecords.from_blocks(blocks)


def _pack_index(index: RecordIndex) -> tuple[Any, ...]:
    state = index.__getstate__()
    return state["numbers"], state["rows"], state["bad"]


def _make_index(numbers: Any, rows: Any, bad: Any) -> RecordIndex:
    for one in numbers:
        check_array(one, np.int64, len(numbers[0]))
    check_within(numbers[4], -1, rows)
    check_array(bad, np.int64)
    check_within(bad, 0, rows)
    made = RecordIndex()
    made.__setstate__({"numbers": numbers, "rows": rows, "bad": bad})
    return made


def _fields(*names: str) -> Any:
    """Return a function that packs these attributes of an object into a tuple."""
    return lambda value: tuple(getattr(value, name) for name in names)


RUN_KINDS = Kinds(
    (
        *BATCH_KINDS,
        Kind("corpus", Corpus, _pack_corpus, _make_corpus, _check_corpus),
        Kind("keys", Keys, _fields("values", "offsets", "size", "window"), Keys, _check_keys),
        Kind(
            "classes", Classes, _fields("node", "first", "members", "offsets", "linked_left", "linked_right", "refuted"),
            Classes, _check_classes,
        ),
        Kind("stage1", Stage1, _fields("unconfirmed", "figures"), Stage1, lambda one: check_array(one.unconfirmed, np.bool_)),
        Kind(
            "candidates", Candidates,
            _fields("left", "right", "capped_keys", "largest_key", "bounded", "crowded", "unseen"), Candidates,
            lambda one: check_pairs(one.left, one.right, 2**62),
        ),
        Kind(
            "found", ClassPairs,
            _fields("left", "right", "measures", "candidates", "capped_keys", "largest_key", "bounded", "differences", "list_of", "open",
                    "templates", "frozen", "component", "headers"),
            ClassPairs, _check_found,
        ),
        Kind(
            "differences", DifferenceLists,
            _fields("counts", "kind", "places", "left", "right", "words"), DifferenceLists, _check_difference_lists,
        ),
        Kind("chosen-differences", ChosenLists, _fields("parts", "index", "flip"), ChosenLists),
        Kind("pairs", DocumentPairs, _pack_pairs, _make_pairs, _check_document_pairs),
        Kind(
            "fate", Fate,
            _fields("removed", "survivor", "pair", "overruled", "first", "overturned", "original", "roundup", "held", "cluster"), Fate,
            _check_fate,
        ),
        Kind("bad", BadRecords, lambda bad: (bad.blocks,), _make_bad, BadRecords.check),
        *STATISTICS_KINDS,
        Kind("records", RecordIndex, _pack_index, _make_index),
    ),
    sound_array,
)  # fmt: skip
"""Kinds of objects that files of a run's work may hold, besides numbers, strings, arrays and tables."""
