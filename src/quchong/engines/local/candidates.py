"""Finds exact classes, joins keys into candidates, and scores candidates block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.cluster.times import times
from quchong.engines.local.corpus import Corpus, as_strings
from quchong.errors import Param, UsageError
from quchong.index.keyed import scoped
from quchong.plan.plan import Plan, Scope
from quchong.progress import Stages
from quchong.seam import JoinRule, Keys, Measures

BLOCK_BYTES = 24 << 20
"""Text scored at once: about 1.4 times as much again is held as tokens meanwhile."""
BLOCK_PAIRS = 400_000


@dataclass(frozen=True, slots=True)
class Classes:
    """Documents with equal normal forms, put together.

    Attributes:
        node: int64 per document, its class.
        first: int64 per class, the member that is compared in the class's place (least by reference, then id).
        members, offsets: documents of class c are members[offsets[c]:offsets[c + 1]], best id first.
        linked_left, linked_right: with a time window, where every document is a class of its own: equal documents (not
            classes) within the window of each other.
        refuted: documents whose digest equalled another's but whose text did not (never yet seen).
    """

    node: np.ndarray
    first: np.ndarray
    members: np.ndarray
    offsets: np.ndarray
    linked_left: np.ndarray
    linked_right: np.ndarray
    refuted: int

    @property
    def sizes(self) -> np.ndarray:
        """Members of each class."""
        return np.diff(self.offsets)


@dataclass(frozen=True, slots=True)
class Found:
    """Pairs of classes at or above the floor, with what the method measured, and how many were looked at."""

    left: np.ndarray  # class numbers
    right: np.ndarray
    measures: dict[str, np.ndarray]
    candidates: int
    capped_keys: int
    largest_key: int
    bounded: tuple[tuple[str, dict[str, int]], ...] = ()


def scope_codes(corpus: Corpus, scope: Scope) -> np.ndarray | None:
    """A number per document; only equal ones may meet. None without such a scope.

    A missing value is a value of its own: documents without one meet each other, and none that has an empty one.
    """
    names = [name for name, asked in ((scope.per, scope.per is not None), ("site", scope.same_site)) if asked]
    out: np.ndarray | None = None
    for name in names:
        encoded = pc.dictionary_encode(as_strings(corpus.columns[name]), null_encoding="encode")
        code = np.asarray(encoded.indices).astype(np.int64)
        out = code if out is None else out * len(encoded.dictionary) + code
    return out


def scope_times(corpus: Corpus, plan: Plan) -> np.ndarray | None:
    """Seconds per document for --within; a document without a time is infinitely far from all. None without."""
    if plan.scope.within is None:
        return None
    known = times(corpus.columns[plan.time_key])
    if len(known) and np.isnan(known).all():
        raise UsageError(
            Param("within"),
            f": no value of {plan.time_key!r} can be read as a time, such as "
            f"{corpus.columns[plan.time_key][0].as_py()!r}; use ISO 8601 (2026-03-05T08:30:00) or seconds since 1970",
        )
    return np.where(np.isnan(known), np.inf, known)


def find_classes(
    corpus: Corpus, plan: Plan, codes: np.ndarray | None, seconds: np.ndarray | None, stages: Stages
) -> Classes:
    """Groups documents by digest within their scope and confirms every member against the first, letter by letter.

    With a time window every document is a class of its own, and equal ones within the window are linked: equality
    reaches further than the window does.
    """
    n = len(corpus)
    apart = seconds is not None
    f = corpus.features
    rank = corpus.id_rank + np.where(np.arange(n) < corpus.references, -n, 0)
    with stages.stage("exact copies", n):
        code = np.arange(n) if apart else (np.zeros(n, np.int64) if codes is None else codes)
        order = np.lexsort((rank, code, f.low, f.high))
        same = np.zeros(n, bool)
        if n > 1:
            a, b = order[:-1], order[1:]
            same[1:] = (f.high[a] == f.high[b]) & (f.low[a] == f.low[b]) & (code[a] == code[b])
        head = np.maximum.accumulate(np.where(same, 0, np.arange(n)))  # place of each one's first
        members, firsts = order[same], order[head[same]]
        equal = _confirm(corpus, plan, members, firsts)
        same[np.flatnonzero(same)[~equal]] = False  # such a document stands alone
        group = np.cumsum(~same) - 1
        node = np.empty(n, np.int64)
        node[order] = group
        head = np.flatnonzero(~same)
        first = order[head]
        # Classes are numbered by the rank of their first member: the order in which keys keep their postings.
        by_rank = np.argsort(rank[first], kind="stable")
        number = np.empty(len(first), np.int64)
        number[by_rank] = np.arange(len(first))
        node = number[node]
        members = order[np.lexsort((rank[order], node[order]))]
        offsets = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=len(first)))]).astype(np.int64)
        none = np.zeros(0, np.int64)
        linked_left, linked_right = (none, none) if seconds is None else _links(corpus, plan, codes, seconds)
        return Classes(node, first[by_rank], members, offsets, linked_left, linked_right, int((~equal).sum()))


def parted(corpus: Corpus, classes: Classes, needs: Sequence[str]) -> Classes:
    """The classes cut into parts whose members agree in the columns a method looks at beside the text, such as the site.

    What holds for a page need not hold for its copy on another site, so each part is compared for itself. Members and parts stand in
    the order of the classes' own. Cost: one look at these columns of documents that have copies; none where no column is needed.
    """
    names = [name for name in needs if name in corpus.columns.column_names]
    many = np.repeat(classes.sizes > 1, classes.sizes)
    if not names or not many.any():
        return classes
    copies = classes.members[many]
    code = np.zeros(len(copies), np.int64)
    for name in names:
        values = pc.dictionary_encode(corpus.columns[name].take(pa.array(copies)), null_encoding="encode")
        values = pa.concat_arrays([c.indices for c in values.unify_dictionaries().chunks]).to_numpy().astype(np.int64)
        code = np.unique(code * (values.max(initial=0) + 1) + values, return_inverse=True)[1].astype(np.int64)
    value = np.zeros(len(classes.members), np.int64)
    value[many] = code
    owner = classes.node[classes.members]
    order = np.lexsort((np.arange(len(owner)), value, owner))
    head = (np.diff(owner[order], prepend=-1) != 0) | (np.diff(value[order], prepend=-1) != 0)
    part = np.cumsum(head) - 1
    first = classes.members[order[head]]
    rank = corpus.id_rank + np.where(np.arange(len(corpus)) < corpus.references, -len(corpus), 0)
    by_rank = np.argsort(rank[first], kind="stable")
    number = np.empty(len(first), np.int64)
    number[by_rank] = np.arange(len(first))
    node = np.full(len(corpus), -1, np.int64)
    node[classes.members[order]] = number[part]
    members = classes.members[order][np.argsort(number[part], kind="stable")]
    offsets = np.concatenate([[0], np.cumsum(np.bincount(number[part], minlength=len(first)))]).astype(np.int64)
    return replace(classes, node=node, first=first[by_rank], members=members, offsets=offsets)


def _links(corpus: Corpus, plan: Plan, codes: np.ndarray | None, seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Equal documents at most the window apart: each with the `cap` nearest before it in time."""
    f, within = corpus.features, plan.scope.within or 0.0
    code = np.zeros(len(corpus), np.int64) if codes is None else codes
    order = np.lexsort((corpus.id_rank, seconds, code, f.low, f.high))
    lefts, rights = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for step in range(1, plan.method.candidates.cap + 1):
        a, b = order[:-step], order[step:]
        near = (f.high[a] == f.high[b]) & (f.low[a] == f.low[b]) & (code[a] == code[b]) & np.isfinite(seconds[b])
        near &= np.where(near, seconds[b], 0.0) - np.where(near, seconds[a], 0.0) <= within
        if not near.any():
            break
        lefts.append(a[near])
        rights.append(b[near])
    left, right = np.concatenate(lefts), np.concatenate(rights)
    equal = _confirm(corpus, plan, right, left)
    return left[equal], right[equal]


def _confirm(corpus: Corpus, plan: Plan, members: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    """Mask of members whose normal form really equals their first's."""
    equal = np.ones(len(members), bool)
    form = plan.method.form
    spoken = np.flatnonzero(corpus.features.tokens[members] > 0)  # the others were grouped by their strict form
    if form is None or not len(spoken):
        return equal
    size = corpus.texts.bytes[members] + corpus.texts.bytes[firsts]
    for piece in cut(spoken, size):
        docs, index = np.unique(np.concatenate([members[piece], firsts[piece]]), return_inverse=True)
        left, right = index[: len(piece)], index[len(piece) :]
        equal[piece] = kernels.text.equal_forms(form, corpus.texts.take(docs), left, right, plan.workers) != 0
    return equal


def cut(index: np.ndarray, size: np.ndarray) -> Iterator[np.ndarray]:
    """Consecutive pieces of an index, of about BLOCK_BYTES by `size` each; none of nothing."""
    if not len(index):
        return
    piece = np.cumsum(size[index]) // BLOCK_BYTES
    yield from np.split(index, np.flatnonzero(np.diff(piece)) + 1)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs of classes that share keys, left < right, and what had to be bounded."""

    left: np.ndarray
    right: np.ndarray
    capped_keys: int
    largest_key: int
    bounded: tuple[tuple[str, dict[str, int]], ...] = ()  # what else was bounded, for an alarm


def find_candidates(
    corpus: Corpus,
    keys: Keys,
    plan: Plan,
    rule: JoinRule,
    classes: Classes,
    codes: np.ndarray | None,
    seconds: np.ndarray | None,
    stages: Stages,
) -> Candidates:
    """Classes that meet under equal keys, within their scope."""
    order = classes.first
    references = int((order < corpus.references).sum())
    values = keys.values
    if codes is not None:
        values = scoped(values, keys.offsets, codes)
    time = None
    if seconds is not None:  # nearest in time meet first: keep documents in order of time behind the references
        behind = order[references:]
        order = np.concatenate([order[:references], behind[np.lexsort((corpus.id_rank[behind], seconds[behind]))]])
        time = np.where(np.isinf(seconds[order]), np.arange(len(order)) * 1e12 + 1e15, seconds[order])
    with stages.stage("candidates", len(order)):
        met = kernels.join.join_keys(
            values,
            keys.offsets,
            order,
            size=keys.size[order],
            window=keys.window[order],
            time=time,
            cap=rule.cap,
            min_shared=rule.min_shared,
            share=rule.share,
            most=rule.most,
            references=references,
            within=plan.scope.within,
            workers=plan.workers,
        )
        left, right = met.left.astype(np.int64), met.right.astype(np.int64)
        if plan.only_against:
            across = left < references
            left, right = left[across], right[across]
        # From places in `order` to classes.
        left, right = classes.node[order[left]], classes.node[order[right]]
        if seconds is not None:  # equal documents are linked already
            f, a, b = corpus.features, classes.first[left], classes.first[right]
            other = (f.high[a] != f.high[b]) | (f.low[a] != f.low[b])
            left, right = left[other], right[other]
    left, right = np.minimum(left, right), np.maximum(left, right)
    return Candidates(left, right, met.capped_keys, met.largest_key, rule.told(met.bounded))


def score(corpus: Corpus, plan: Plan, classes: Classes, candidates: Candidates, stages: Stages) -> Found:
    """Scores candidates in blocks that keep related documents together, so that most texts are read once."""
    left, right = candidates.left, candidates.right
    method = plan.method
    with stages.stage("verify", len(left), "pairs") as progress:
        label = kernels.graph.components(len(classes.first), left, right)
        order = np.lexsort((right, left, label[left]))
        left, right = left[order], right[order]
        found: list[tuple[np.ndarray, np.ndarray, Measures]] = []
        for a, b in _blocks(left, right, corpus.texts.bytes[classes.first]):
            here, there = left[a:b], right[a:b]
            docs, index = np.unique(np.concatenate([here, there]), return_inverse=True)
            documents = corpus.documents(classes.first[docs], method.traits.needs)
            measures = method.score(
                documents, index[: b - a].astype(np.uint32), index[b - a :].astype(np.uint32), plan.workers
            )
            listed = np.flatnonzero(method.above_floor(measures))
            found.append((here[listed], there[listed], {k: v[listed] for k, v in measures.items()}))
            progress.advance(b - a)
        if not found:
            none = np.zeros(0, np.uint32)
            found = [(left[:0], right[:0], method.score(corpus.documents(left[:0]), none, none, 1))]
        names = list(found[0][2])
        return Found(
            np.concatenate([f[0] for f in found]),
            np.concatenate([f[1] for f in found]),
            {k: np.concatenate([f[2][k] for f in found]) for k in names},
            len(left),
            candidates.capped_keys,
            candidates.largest_key,
            candidates.bounded,
        )


def _blocks(left: np.ndarray, right: np.ndarray, size: np.ndarray) -> Iterator[tuple[int, int]]:
    """Consecutive pieces of the pairs: about BLOCK_BYTES of texts not met before, at most BLOCK_PAIRS pairs."""
    if not len(left):
        return
    both = np.stack([left, right], 1).reshape(-1)
    _, first = np.unique(both, return_index=True)
    new = np.zeros(len(both), np.int64)
    new[first] = size[both[first]]
    total = np.cumsum(new)[1::2]
    piece = total // BLOCK_BYTES + np.arange(len(left)) // BLOCK_PAIRS
    cuts = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), len(left)]
    yield from pairwise(cuts)
