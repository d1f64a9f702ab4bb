"""Claims of a run, to be measured by labels: which pairs it calls copies, which documents it removed, and for which survivor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.decision.id_index import IdIndex
from quchong.decision.pairs import DocumentPairs
from quchong.decision.survivors import Fate
from quchong.engines.local.corpus import Corpus
from quchong.kernels.graph import components
from quchong.relation_codes import CONFLICTS, COPIES, EQUALS, code_of, codes_in
from quchong.relations import EXACT, RELATIONS

LARGEST = 3000
"""Maximum number of documents of one text, or of one true cluster, whose pairs are counted: the first by id.

Otherwise the millions of pairs of one text would outweigh all others.
"""


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims of a run about its documents, which are identified by their row in the table of documents.

    Attributes:
        ids: ids of the documents, as text.
        left, right: int64, left < right: the listed pairs, and all pairs of exact copies.
        relation: uint8, code of `quchong.relations.TABLE`, aligned with the pairs.
        removed, reference, fixed: bool per document. References belong to the corpus compared against, and are never compared with
            each other. Fixed documents cannot be removed: references and protected documents.
        survivor: int64 per document: the survivor for which it was removed; itself if it was kept or has none.
        tokens, priority: int64 per document; priority 0 is the best by policy.
        accepted: indices of the relations that call a pair copies.
        crowded: bool per document: True if its pairs are not counted, because its text has more than LARGEST copies.
    """

    ids: list[str]
    left: np.ndarray
    right: np.ndarray
    relation: np.ndarray
    removed: np.ndarray
    reference: np.ndarray
    fixed: np.ndarray
    survivor: np.ndarray
    tokens: np.ndarray
    priority: np.ndarray
    accepted: tuple[int, ...]
    crowded: np.ndarray


def looked_up(known: np.ndarray, value: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Return the values of the keys `asked`: value[i] for a key equal to known[i] (`known` is ascending), -1 for an unknown key."""
    out = np.full(len(asked), -1, value.dtype)
    if len(known):
        at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        here = known[at] == asked
        out[here] = value[at[here]]
    return out


def claims_of_tables(tables: Mapping[str, pa.Table]) -> Claims:
    """Return the claims of a finished run from its tables by name: relation of each pair, removed documents, and their survivors."""
    documents, pairs, ledger = tables["documents"], tables["pairs"], tables["ledger"]
    index = IdIndex(documents["id"])
    survivor = np.arange(len(index))
    with_one = ledger.filter(ledger["survivor_id"].is_valid())
    survivor[index.places(with_one["id"])] = index.places(with_one["survivor_id"])
    flags = {name: documents[name].to_numpy().astype(bool) for name in ("removed", "reference", "protected")}
    return _claims(
        index.names, index.places(pairs["left_id"]), index.places(pairs["right_id"]),
        codes_in(pairs["relation"]).astype(np.uint8), flags["removed"], flags["reference"],
        flags["reference"] | flags["protected"], survivor, documents["tokens"].to_numpy(), documents["priority"].to_numpy(),
        set(ledger["relation"].to_pylist()),
    )  # fmt: skip


def claims_of_decision(corpus: Corpus, pairs: DocumentPairs, fate: Fate, removing: tuple[str, ...]) -> Claims:
    """Return the claims of a run that was decided again, from its pairs and from the fate of each document.

    `removing` are the relations for which a document is removed.
    """
    documents = corpus.documents
    ids = documents.shown_ids(np.arange(len(documents))).cast(pa.large_string()).to_pylist()
    fixed = documents.reference | documents.protected
    return _claims(
        ids, pairs.left, pairs.right, pairs.relation, fate.removed, documents.reference, fixed, fate.survivor, documents.tokens,
        documents.priority, set(removing),
    )  # fmt: skip


def _claims(  # noqa: PLR0913 - the columns of both tables
    ids: list[str], left: np.ndarray, right: np.ndarray, relation: np.ndarray, removed: np.ndarray, reference: np.ndarray,
    fixed: np.ndarray, survivor: np.ndarray, tokens: np.ndarray, priority: np.ndarray, removing: set[str],
) -> Claims:  # fmt: skip
    n = len(ids)
    left, right = np.minimum(left, right), np.maximum(left, right)
    exact = EQUALS[relation]
    more_left, more_right, crowded = pairs_within(components(n, left[exact], right[exact]), ids)
    # listed pairs come first, so that `unique` takes their relation where both name a pair
    key = np.concatenate([left * n + right, more_left * n + more_right])
    code = np.concatenate([relation, np.full(len(more_left), code_of(EXACT), np.uint8)])
    key, first = np.unique(key, return_index=True)
    accepted = np.flatnonzero(COPIES | (CONFLICTS & np.array([name in removing for name in RELATIONS])))
    left, right = np.divmod(key, max(n, 1))
    return Claims(
        ids, left, right, code[first], removed, reference, fixed, survivor, tokens.astype(np.int64), priority.astype(np.int64),
        tuple(accepted.tolist()), crowded,
    )  # fmt: skip


def pairs_within(group: np.ndarray, ids: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all pairs of documents with the same group number, left < right; of a large group only the first LARGEST by id.

    Args:
        group: int64 per document; a negative number means no group.

    Returns:
        left, right (int64), and the mask of the documents that were left out.
    """
    order = np.argsort(group, kind="stable")
    order = order[group[order] >= 0]
    cuts = np.flatnonzero(np.diff(group[order])) + 1
    left, right, beyond = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], np.zeros(len(group), bool)
    for members in np.split(order, cuts):
        if len(members) < 2:
            continue
        if len(members) > LARGEST:
            by_id = np.array(sorted(members.tolist(), key=ids.__getitem__))
            beyond[by_id[LARGEST:]] = True
            members = np.sort(by_id[:LARGEST])
        one, two = np.triu_indices(len(members), 1)
        left.append(members[one])
        right.append(members[two])
    return np.concatenate(left), np.concatenate(right), beyond
