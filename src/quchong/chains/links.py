"""Links between versions, made from the pairs of a run; documents with the same normal form are one version."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.chains.publication_times import Moments
from quchong.chains.series import on_template
from quchong.kernels.graph import components
from quchong.kernels.offsets import first_of_runs, prefix_sums
from quchong.relation_codes import BINDING, EQUALS, INSIDE, MIRRORED, PARTIALS, codes_in


@dataclass(frozen=True, slots=True)
class Links:
    """Links between nodes, which are documents or versions. Each pair of nodes has one link, the lesser node left; sorted by both.

    Attributes:
        left, right: int64. relation: int64, relation of left to right, code of `quchong.relations.TABLE`.
        inside_left, inside_right: float64, share of the left node's text found in the right one, and the reverse.
    """

    left: np.ndarray
    right: np.ndarray
    relation: np.ndarray
    inside_left: np.ndarray
    inside_right: np.ndarray

    def __len__(self) -> int:
        return len(self.left)

    def select(self, mask: np.ndarray) -> Links:
        """Return the links selected by a boolean mask or by row indices."""
        return Links(*(getattr(self, name)[mask] for name in self.__slots__))

    @property
    def binding(self) -> np.ndarray:
        """Mask of the links that form chains: those whose relation is a copy or a variant."""
        mask: np.ndarray = BINDING[self.relation]
        return mask

    @property
    def contained(self) -> tuple[np.ndarray, np.ndarray]:
        """Two masks: links whose left text is contained in the right one, and links whose right text is contained in the left one."""
        inside = INSIDE[self.relation]
        return inside > 0, inside < 0

    @property
    def partial(self) -> np.ndarray:
        """Mask of the links between versions that share passages only."""
        mask: np.ndarray = PARTIALS[self.relation]
        return mask


def worth_reading(pairs: pa.Table) -> pa.Array:
    """Return the ids (unique, large_string) of the documents whose texts must be read to build chains from these pairs.

    They are the documents of binding pairs, documents on one template, and documents that share passages with at least two
    others, which may be digests, together with these others.
    """
    relation = codes_in(pairs["relation"])
    chained = BINDING[relation] | on_template(pairs)
    binding, partial = pairs.filter(pa.array(chained)), pairs.filter(pa.array(PARTIALS[relation] & ~chained))
    some = [binding["left_id"], binding["right_id"]]
    counts = pc.value_counts(_ids_of_both(partial))
    often = pc.struct_field(counts, "values").filter(pc.greater_equal(pc.struct_field(counts, "counts"), 2))
    held = pc.or_(*(pc.is_in(partial[s], pc.unique(often)) for s in ("left_id", "right_id")))
    near = partial.filter(held)
    some += [near["left_id"], near["right_id"]]
    return pc.unique(pa.chunked_array([c for s in some for c in s.chunks], pairs["left_id"].type)).cast(
        pa.large_string()
    )


def _ids_of_both(pairs: pa.Table) -> pa.ChunkedArray:
    return pa.chunked_array([*pairs["left_id"].chunks, *pairs["right_id"].chunks], pairs["left_id"].type)


def links_of(pairs: pa.Table, ids: pa.Array) -> Links:
    """Convert the pairs between the documents `ids` (large_string) to links of nodes, indices into `ids`; other pairs are left out."""
    left, right = (
        np.asarray(pc.fill_null(pc.index_in(pairs[s].cast(pa.large_string()), ids), -1)).astype(np.int64)
        for s in ("left_id", "right_id")
    )
    some = np.flatnonzero((left >= 0) & (right >= 0) & (left != right))
    inside = [pairs[f"containment_{s}"].to_numpy()[some] for s in ("left", "right")]
    return _ordered(Links(left[some], right[some], codes_in(pairs["relation"])[some], *inside))


def _ordered(links: Links) -> Links:
    """Return links in their order, with one link for each pair of nodes and the lesser node left.

    Of several links of a pair, a binding one is kept, then the one with the largest share.
    """
    turn = links.left > links.right
    a, b = np.where(turn, links.right, links.left), np.where(turn, links.left, links.right)
    relation = np.where(turn, MIRRORED[links.relation], links.relation)
    inside = [
        np.where(turn, links.inside_right, links.inside_left), np.where(turn, links.inside_left, links.inside_right),
    ]  # fmt: skip
    # within a pair of nodes: binding links first, then the largest share
    order = np.lexsort((-np.maximum(*inside), ~BINDING[relation], b, a))
    order = order[first_of_runs(a[order], b[order])]
    return Links(a[order], b[order], relation[order], inside[0][order], inside[1][order])


@dataclass(frozen=True, slots=True)
class Versions:
    """Documents grouped into versions; a version is all documents with one normal form. Versions are numbered by their earliest document.

    Attributes:
        of: int64 (documents,), the version of each document.
        members: the documents of each version, the earliest first (`Moments.order`).
        links: links between versions.
    """

    of: np.ndarray
    members: list[np.ndarray]
    links: Links

    @property
    def first(self) -> np.ndarray:
        """Earliest document of each version, int64."""
        return np.array([one[0] for one in self.members], np.int64)


def versions_of(links: Links, moments: Moments, rank: np.ndarray) -> Versions:
    """Group documents into versions: documents equal in normal form are one version, numbered by time of publication.

    Ties of `moments` are ordered by `rank`; links between documents become links between versions.

    Args:
        links: links between documents.
        moments: time of publication of each document; versions, and the documents within a version, are numbered from the earliest on.
        rank: int64 per document: order of documents of equal time.
    """
    n = len(rank)
    exact = EQUALS[links.relation]
    label = components(n, links.left[exact], links.right[exact])
    order = moments.order(rank)
    _, at = np.unique(label[order], return_index=True)
    # renumber the components of exact pairs in the order of time
    number = np.empty(n, np.int64)
    number[label[order][np.sort(at)]] = np.arange(len(at))  # versions by their earliest document
    of = number[label]
    by_version = order[np.argsort(of[order], kind="stable")]
    bounds = prefix_sums(np.bincount(of, minlength=len(at)))
    members = [by_version[bounds[v] : bounds[v + 1]] for v in range(len(at))]
    # move the other links to versions, without those within a version
    rest = links.select(~exact)
    between = Links(of[rest.left], of[rest.right], rest.relation, rest.inside_left, rest.inside_right)
    return Versions(of, members, _ordered(between.select(between.left != between.right)))
